//! The natural language of a document [ISO 32000-1, 14.9.2].

use std::ffi::CStr;

use qpdf_sys::{qpdf_get_root, qpdf_oh_get_key, qpdf_oh_get_utf8_value, qpdf_oh_is_string};

use super::QpdfDocument;

impl QpdfDocument {
    /// Returns the `Lang` entry of the catalog. It is not validated.
    #[expect(
        unsafe_code,
        reason = "the handle has a document, whose catalog is a dictionary; a missing member is null there, and the string lives until the next call"
    )]
    pub fn language(&self) -> Option<String> {
        unsafe {
            let root = qpdf_get_root(self.handle);
            let language = qpdf_oh_get_key(self.handle, root, c"/Lang".as_ptr());
            if qpdf_oh_is_string(self.handle, language) == 0 {
                return None;
            }
            let text = CStr::from_ptr(qpdf_oh_get_utf8_value(self.handle, language));
            Some(text.to_string_lossy().into_owned())
        }
    }
}
