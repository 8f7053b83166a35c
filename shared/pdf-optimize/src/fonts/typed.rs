//! The fonts that somebody may type with: those that a form names for its fields, and those in which fields and notes that are
//! written on the page are drawn already.

use std::collections::{BTreeSet, HashSet};

use lopdf::{Dictionary, Document, Object, ObjectId};
use pdf::objects::{inherited, member};

use super::inventory::Font;
use crate::sizes::{DEPTH, appearances};

/// The ids of such fonts.
pub(super) fn fonts(document: &Document) -> HashSet<ObjectId> {
    let mut found = HashSet::new();
    let form = document.catalog().ok();
    let form = form.and_then(|catalog| member(document, catalog, b"AcroForm"));
    found.extend(
        form.into_iter()
            .flat_map(|form| named(document, form, b"DR")),
    );
    let dictionaries = document.objects.values();
    for dictionary in dictionaries.flat_map(|object| dictionaries_of(object, 0)) {
        found.extend(named(document, dictionary, b"DR"));
        if is_written_on(document, dictionary) {
            for (_, appearance) in appearances(document, dictionary) {
                found.extend(named(document, &appearance.dict, b"Resources"));
            }
        }
    }
    found
}

/// All that a font can be written with, if its characters have one byte; `None` if that is anything: a form whose pages are laid
/// out anew by what it says of itself [ISO 32000-2, 12.7.8] is written with fonts by their names.
pub(super) fn characters(document: &Document, font: &Font<'_>) -> Option<BTreeSet<u16>> {
    let is_anew = document.catalog().ok().and_then(|catalog| {
        let anew = catalog.get_deref(b"NeedsRendering", document);
        anew.and_then(Object::as_bool).ok()
    });
    let codes = 0..=u16::from(u8::MAX);
    (font.descendant.is_none() && is_anew != Some(true)).then(|| codes.collect())
}

/// A dictionary with all that stand in it, and not on their own.
fn dictionaries_of(object: &Object, depth: u32) -> Vec<&Dictionary> {
    match object {
        _ if depth > DEPTH => Vec::new(),
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

/// The fonts among resources.
fn named(document: &Document, of: &Dictionary, resources: &[u8]) -> Vec<ObjectId> {
    let fonts = member(document, of, resources);
    let fonts = fonts.and_then(|resources| member(document, resources, b"Font"));
    let fonts = fonts.into_iter().flatten();
    fonts
        .filter_map(|(_, font)| font.as_reference().ok())
        .collect()
}

/// Whether an annotation is a field that takes text or a choice, or a note that is text itself.
fn is_written_on(document: &Document, annotation: &Dictionary) -> bool {
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
