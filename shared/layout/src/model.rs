//! The model: what a document says, in reading order. Serialised, it is the result of a conversion to JSON.

pub(crate) mod block;
pub(crate) mod page;
pub(crate) mod placed;
pub(crate) mod table;
pub(crate) mod text;
