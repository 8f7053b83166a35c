//! The document model: structured pages, pages of fixed layout, and the page content that analysis reads.

pub(crate) mod block;
pub(crate) mod candidate;
pub(crate) mod fixed;
pub(crate) mod geometry;
pub(crate) mod leaders;
pub(crate) mod page;
pub(crate) mod page_content;
pub(crate) mod roman;
pub(crate) mod seam;
pub(crate) mod structure;
pub(crate) mod text;
