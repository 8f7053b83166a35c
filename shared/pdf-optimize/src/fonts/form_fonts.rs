//! Finds fonts that a user may type with: those in the default resources of a form, and those in the appearances of text
//! fields and free-text annotations.

use std::collections::{BTreeSet, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};
use pdf::objects::{inherited, member};

use super::inventory::Font;
use crate::display_sizes::{MAX_DEPTH, appearances};

/// Returns the ids of such fonts.
pub(super) fn fonts(document: &Document) -> HashSet<ObjectId> {
    let mut found = HashSet::new();
    let form = document.catalog().ok();
    let form = form.and_then(|catalog| member(document, catalog, b"AcroForm"));
    found.extend(
        form.into_iter()
            .flat_map(|form| fonts_of(document, form, b"DR")),
    );
    let dictionaries = document.objects.values();
    for dictionary in dictionaries.flat_map(|object| dictionaries_of(object, 0)) {
        found.extend(fonts_of(document, dictionary, b"DR"));
        if is_editable_text(document, dictionary) {
            for (_, appearance) in appearances(document, dictionary) {
                found.extend(fonts_of(document, &appearance.dict, b"Resources"));
            }
        }
    }
    found
}

/// Returns all codes of a simple font; `None` if any glyph may be needed: composite fonts, and dynamic XFA forms
/// [ISO 32000-2, 12.7.8], which select fonts by name.
pub(super) fn characters(document: &Document, font: &Font<'_>) -> Option<BTreeSet<u16>> {
    let needs_rendering = document.catalog().ok().and_then(|catalog| {
        let value = catalog.get_deref(b"NeedsRendering", document);
        value.and_then(Object::as_bool).ok()
    });
    let codes = 0..=u16::from(u8::MAX);
    (font.descendant.is_none() && needs_rendering != Some(true)).then(|| codes.collect())
}

/// Returns a dictionary with all direct dictionaries in it.
fn dictionaries_of(object: &Object, depth: u32) -> Vec<&Dictionary> {
    match object {
        _ if depth > MAX_DEPTH => Vec::new(),
        Object::Array(items) => {
            let items = items.iter();
            items
                .flat_map(|item| dictionaries_of(item, depth + 1))
                .collect()
        }
        Object::Dictionary(members) => {
            let inner = members.iter();
            let inner = inner.flat_map(|(_, member)| dictionaries_of(member, depth + 1));
            std::iter::once(members).chain(inner).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the fonts of a resource dictionary.
fn fonts_of(document: &Document, of: &Dictionary, resources: &[u8]) -> Vec<ObjectId> {
    let fonts = member(document, of, resources);
    let fonts = fonts.and_then(|resources| member(document, resources, b"Font"));
    let fonts = fonts.into_iter().flatten();
    fonts
        .filter_map(|(_, font)| font.as_reference().ok())
        .collect()
}

/// Returns whether an annotation is a text or choice field, or free text.
fn is_editable_text(document: &Document, annotation: &Dictionary) -> bool {
    let kind = annotation.get(b"Subtype").and_then(Object::as_name);
    match kind {
        Ok(b"FreeText") => true,
        Ok(b"Widget") => !matches!(field_kind(document, annotation), Some(b"Btn" | b"Sig")),
        _ => false,
    }
}

fn field_kind<'a>(document: &'a Document, field: &'a Dictionary) -> Option<&'a [u8]> {
    inherited(document, field, b"FT")?.as_name().ok()
}
