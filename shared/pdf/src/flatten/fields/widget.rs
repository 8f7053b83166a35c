//! A widget annotation of a form field.

use lopdf::{Dictionary, Document, Object};

use crate::objects::{inherited, member};

/// A widget annotation.
pub(super) struct Widget<'d> {
    pub(super) document: &'d Document,
    pub(super) form: &'d Dictionary,
    pub(super) dict: &'d Dictionary,
}

impl<'d> Widget<'d> {
    /// Its appearance characteristics (`MK`).
    pub(super) fn characteristics(&self) -> Option<&'d Dictionary> {
        member(self.document, self.dict, b"MK")
    }

    /// An inheritable attribute of the field.
    pub(super) fn own(&self, key: &[u8]) -> Option<&'d Object> {
        inherited(self.document, self.dict, key)
    }

    /// The field flags.
    pub(super) fn flags(&self) -> i64 {
        let flags = self.own(b"Ff").and_then(|flags| flags.as_i64().ok());
        flags.unwrap_or(0)
    }
}

/// Decodes a text string.
pub(super) fn text(value: &Object) -> Option<String> {
    match value {
        Object::String(..) => lopdf::decode_text_string(value).ok(),
        _ => None,
    }
}
