//! Stage 7, blocks of a page → pages that continue one another.

pub(super) mod continued;
pub(super) mod page;
pub(super) mod reader;
pub(super) mod resumed;
pub(super) mod rows_across_pages;
