//! User space units of pages [ISO 32000-1, 14.11.2, table 30: UserUnit].

use super::QpdfDocument;
use super::handle::Handle;

/// Largest unit that is accepted, in points.
const MAX_UNIT: f64 = 10_000.0;

/// Returns the `UserUnit` of a page, counted from 0, in points, if it is valid and not 1.
pub(super) fn unit(document: &Handle<'_>, index: u32) -> Option<f64> {
    let value = document.page(index).get(c"/UserUnit").numeric();
    value.filter(|value| *value != 1.0 && *value > 0.0 && *value <= MAX_UNIT)
}

impl QpdfDocument {
    /// Returns the `UserUnit` of each of the first `pages` pages, in points.
    pub fn units(&self, pages: u32) -> Vec<f64> {
        let pages = pages.min(self.pages());
        let unit = |index| unit(&self.handle, index).unwrap_or(1.0);
        (0..pages).map(unit).collect()
    }
}
