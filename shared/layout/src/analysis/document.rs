//! Blocks of a page → pages that continue one another.

pub(super) mod blocks_across_pages;
mod header_parts;
pub(super) mod lists_across_pages;
pub(super) mod page;
pub(super) mod reader;
pub(super) mod rows_across_pages;
