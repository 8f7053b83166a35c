//! A field's place on a page, as its dictionaries tell of it.

use lopdf::{Dictionary, Document, Object};

use crate::objects::{inherited, member};

/// A field's place on a page.
pub(super) struct Widget<'d> {
    pub(super) document: &'d Document,
    pub(super) form: &'d Dictionary,
    pub(super) about: &'d Dictionary,
}

impl<'d> Widget<'d> {
    /// What it says of its looks.
    pub(super) fn looks(&self) -> Option<&'d Dictionary> {
        member(self.document, self.about, b"MK")
    }

    /// An attribute of the field, or of one above it.
    pub(super) fn own(&self, key: &[u8]) -> Option<&'d Object> {
        inherited(self.document, self.about, key)
    }

    /// The field's flags.
    pub(super) fn flags(&self) -> i64 {
        let flags = self.own(b"Ff").and_then(|flags| flags.as_i64().ok());
        flags.unwrap_or(0)
    }
}

/// A text of one's own that was typed.
pub(super) fn text(value: &Object) -> Option<String> {
    match value {
        Object::String(..) => lopdf::decode_text_string(value).ok(),
        _ => None,
    }
}
