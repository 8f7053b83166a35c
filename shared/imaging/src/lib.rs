//! Images: decoding, orientation, scaling, color conversion and encoding, with the metadata of their files.
//!
//! Formats are told apart by [`domain::format::Format`]. Nothing here starts processes or knows of PDF.

mod avif;
pub mod bare;
pub mod bilevel;
pub mod cleanup;
mod cmyk;
pub mod colour;
mod decode;
mod density;
pub mod encode;
pub mod flat;
pub mod frames;
pub mod framing;
mod glibc;
pub mod heif;
pub mod jpeg;
pub mod metadata;
pub mod motion;
mod picture;
mod raster;
pub mod scale;
pub mod shades;
pub mod suit;
pub mod svg;
pub mod tiff;
mod upright;
mod ycbcr;

pub use self::bilevel::{is_black_and_white, pack};
pub use self::decode::{
    decode, high_byte_first, is_sideways, orientation, profile_of_inks, sides, upright_sides,
};
pub use self::density::density;
pub use self::picture::Picture;
use self::raster::codec;
pub use self::raster::fault;
pub use self::upright::{Upright, settled};
