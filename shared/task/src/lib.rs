//! One step of a job as parent and child, and all engines, speak of it: what is asked, what is found in a source, what is made,
//! what is worth knowing about it, and why there is no result.
//!
//! Nothing here decodes a document, so a crate that needs only these types links no decoder.

pub mod arrangement;
mod catalog;
pub mod facts;
mod fault;
pub mod file;
pub mod linked;
pub mod magic;
pub mod matrix;
pub mod options;
pub mod password;
pub mod progress;
pub mod recognised;
mod remark;
mod task;
mod web;

pub use self::catalog::Catalog;
pub use self::fault::{Fault, Outcome};
pub use self::remark::{LeftOut, Remark, Replaced};
pub use self::task::{Attached, Inspection, OUTPUT, Product, Report, Task, TextFacts, Verified};
pub use self::web::{Printed, WebAccess, WebPage, WebProxy};
