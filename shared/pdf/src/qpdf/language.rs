//! The natural language of a document [ISO 32000-1, 14.9.2].

use super::QpdfDocument;

impl QpdfDocument {
    /// Returns the `Lang` entry of the catalog. It is not validated.
    pub fn language(&self) -> Option<String> {
        self.handle.root().get(c"/Lang").text()
    }
}
