//! Units that pages are measured in [ISO 32000-1, 14.11.2, table 30: UserUnit].

use qpdf_sys::{
    qpdf_data, qpdf_get_page_n, qpdf_oh_get_key, qpdf_oh_get_numeric_value, qpdf_oh_is_number,
    qpdf_oh_release,
};

use super::Held;

/// The largest unit that is believed, in points.
const LARGEST: f64 = 10_000.0;

/// The unit that a page, counted from 0, is measured in, if it is another than points; in points.
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
        value.filter(|value| *value != 1.0 && *value > 0.0 && *value <= LARGEST)
    }
}

impl Held {
    /// The unit that each of the first pages, so many, is measured in, in points.
    pub fn units(&self, pages: u32) -> Vec<f64> {
        let pages = pages.min(self.pages());
        let unit = |index| unit(self.handle, index).unwrap_or(1.0);
        (0..pages).map(unit).collect()
    }
}
