//! Documents as people read them: pages of blocks in reading order, found on pages that say only where their characters stand.
//!
//! [`Page`] and [`Block`] are the model. [`Placed`] is a page that keeps its looks instead. A [`Sheet`] is what a page of unknown
//! structure shows. [`write`] makes documents of both.
//!
//! Lengths are points (1/72 inch). The origin is the upper left corner of the page as it is shown, x to the right and y down.
#![cfg_attr(
    test,
    allow(
        clippy::unwrap_used,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic
    )
)]

mod geometry;
mod model;
mod read;
mod roman;
mod seam;
mod sheet;
mod structure;
pub mod write;

/// Raised whenever the same document may be read or written otherwise than before.
pub const VERSION: u32 = 5;

pub use geometry::{Rect, Size};
pub use model::block::{Alignment, Block, Content, Item};
pub use model::page::{Basis, Page};
pub use model::placed::{Area, Drawn, Figure, Line, Pen, Placed, Point, Shape, Step};
pub use model::table::{Cell, Table};
pub use model::text::{NOTE, Run, Script, Style, plain};
pub use read::{
    Facts, Joined, Options, Reader, Reading, Sighting, Survey, Tables, Warning, joined, placed,
};
pub use sheet::{Character, Drawing, Font, LinkArea, Picture, Sheet, Stroke, Tick};
pub use structure::{Element, Kid, Role, Tag};
