//! The form of a document [ISO 32000-1, 12.7.2].

use super::QpdfDocument;

impl QpdfDocument {
    /// Whether readers have to draw the values of the fields, because their appearances may be outdated.
    pub fn needs_appearances(&self) -> bool {
        let form = self.handle.root().get(c"/AcroForm");
        form.is_dictionary() && form.get(c"/NeedAppearances").unparsed_resolved() == b"true"
    }
}
