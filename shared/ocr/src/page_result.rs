//! The result of a page: its text, and the change to its content.

use super::ocr_page::Page;
use super::rasterized::RasterizedPage;

/// The text of a page, and the change to its content.
pub(super) struct PageResult {
    pub(super) page: Page,
    pub(super) content: ContentChange,
}

impl PageResult {
    /// A page whose content does not change.
    pub(super) fn unchanged(page: Page) -> Self {
        let content = ContentChange::Unchanged;
        Self { page, content }
    }
}

/// What happens to the content of a page.
pub(super) enum ContentChange {
    /// Unchanged.
    Unchanged,
    /// The invisible text of an earlier OCR is removed.
    InvisibleTextRemoved,
    /// The page is replaced by an image.
    Rasterized(RasterizedPage),
}

impl ContentChange {
    /// Returns whether the page is replaced by an image.
    pub(super) fn is_rasterized(&self) -> bool {
        matches!(self, Self::Rasterized(_))
    }
}
