//! Form fields that cannot be flattened: they stay interactive, with the form entries that they need [ISO 32000-1, 12.7.2].

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::fields::FieldAppearances;
use crate::object_copier::ObjectCopier;
use crate::objects::{is_a, items, member};
use crate::patch::Patch;

/// Temporary subtype and appearance key, which hide a field from libqpdf while it flattens the others.
const HIDDEN_SUBTYPE: &[u8] = b"FieldSetAside";
const HIDDEN_APPEARANCE: &[u8] = b"PictureSetAside";
/// Maximum number of ancestors of a field.
const MAX_DEPTH: usize = 100;
/// Form entries that fields inherit.
const SHARED: [&[u8]; 4] = [b"DA", b"DR", b"Q", b"NeedAppearances"];

/// Hides from libqpdf the fields that must not be flattened.
pub(super) fn hide_unflattened(document: &Document, drawn: &mut FieldAppearances) {
    for id in &drawn.kept {
        let Ok(field) = document.get_dictionary(*id) else {
            continue;
        };
        let mut field = field.clone();
        field.set("Subtype", Object::Name(HIDDEN_SUBTYPE.to_vec()));
        if let Some(picture) = field.remove(b"AP") {
            field.set(HIDDEN_APPEARANCE, picture);
        }
        drawn.patch.set(*id, &field.into());
    }
}

/// Returns the dictionary of an annotation.
pub(super) fn dictionary<'d>(
    document: &'d Document,
    annotation: &'d Object,
) -> Option<&'d Dictionary> {
    document.dereference(annotation).ok()?.1.as_dict().ok()
}

/// The fields that were set aside.
#[derive(Default)]
pub(super) struct UnflattenedFields {
    fields: Vec<ObjectId>,
}

impl UnflattenedFields {
    /// Restores the fields among a page's annotations.
    pub(super) fn restore(&mut self, flat: &Document, annotations: &[Object], patch: &mut Patch) {
        for annotation in annotations {
            let (Ok(id), Some(field)) = (annotation.as_reference(), dictionary(flat, annotation))
            else {
                continue;
            };
            if is_a(field, HIDDEN_SUBTYPE) {
                let mut field = field.clone();
                field.set("Subtype", "Widget");
                if let Some(picture) = field.remove(HIDDEN_APPEARANCE) {
                    field.set("AP", picture);
                }
                patch.set(id, &field.into());
                self.fields.push(id);
            }
        }
    }

    /// Creates a form of these fields, with the entries of the original form in `before`.
    pub(super) fn form(
        &self,
        (before, flat): (&Document, &Document),
        object_copier: &mut ObjectCopier<'_>,
        patch: &mut Patch,
    ) {
        let root = flat.trailer.get(b"Root").and_then(Object::as_reference);
        let (Ok(root), Ok(catalog), false) = (root, flat.catalog(), self.fields.is_empty()) else {
            return;
        };
        let mut form = Dictionary::new();
        let known = before.catalog().ok();
        if let Some(known) = known.and_then(|catalog| member(before, catalog, b"AcroForm")) {
            for key in SHARED {
                if let Ok(value) = known.get(key) {
                    form.set(key, object_copier.copy(value, patch));
                }
            }
        }
        form.set("Fields", self.roots(flat, patch));
        let mut catalog = catalog.clone();
        catalog.set("AcroForm", patch.add(&form.into()));
        patch.set(root, &catalog.into());
    }

    /// Returns the root fields, without removed children.
    fn roots(&self, flat: &Document, patch: &mut Patch) -> Vec<Object> {
        let mut roots = Vec::new();
        let mut staying: HashSet<ObjectId> = self.fields.iter().copied().collect();
        let mut above = Vec::new();
        for field in &self.fields {
            let mut top = *field;
            for _ in 0..MAX_DEPTH {
                let dict = flat.get_dictionary(top);
                match dict.and_then(|dict| dict.get(b"Parent")?.as_reference()) {
                    Ok(parent) => top = parent,
                    Err(_) => break,
                }
                if staying.insert(top) {
                    above.push(top);
                }
            }
            if !roots.contains(&Object::Reference(top)) {
                roots.push(Object::Reference(top));
            }
        }
        for id in above {
            if let Ok(field) = flat.get_dictionary(id) {
                let kids = items(flat, field, b"Kids").iter();
                let kids =
                    kids.filter(|kid| kid.as_reference().is_ok_and(|kid| staying.contains(&kid)));
                let mut field = field.clone();
                field.set("Kids", kids.cloned().collect::<Vec<_>>());
                patch.set(id, &field.into());
            }
        }
        roots
    }
}
