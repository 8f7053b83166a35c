//! User space units of pages [ISO 32000-1, 14.11.2, table 30: UserUnit].

use qpdf_sys::{
    qpdf_data, qpdf_get_page_n, qpdf_oh_get_key, qpdf_oh_get_numeric_value, qpdf_oh_is_number,
    qpdf_oh_release,
};

use super::QpdfDocument;

/// Largest unit that is accepted, in points.
const MAX_UNIT: f64 = 10_000.0;

/// Returns the `UserUnit` of a page, counted from 0, in points, if it is valid and not 1.
#[expect(
    unsafe_code,
    reason = "the caller's handle has a document with such a page; a missing member is null there"
)]
pub(super) fn unit(handle: qpdf_data, index: u32) -> Option<f64> {
    unsafe {
        let page = qpdf_get_page_n(handle, index as usize);
        let unit = qpdf_oh_get_key(handle, page, c"/UserUnit".as_ptr());
        let is_number = qpdf_oh_is_number(handle, unit) != 0;
        let value = is_number.then(|| qpdf_oh_get_numeric_value(handle, unit));
        qpdf_oh_release(handle, unit);
        qpdf_oh_release(handle, page);
        value.filter(|value| *value != 1.0 && *value > 0.0 && *value <= MAX_UNIT)
    }
}

impl QpdfDocument {
    /// Returns the `UserUnit` of each of the first `pages` pages, in points.
    pub fn units(&self, pages: u32) -> Vec<f64> {
        let pages = pages.min(self.pages());
        let unit = |index| unit(self.handle, index).unwrap_or(1.0);
        (0..pages).map(unit).collect()
    }
}
