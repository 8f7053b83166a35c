//! Fields that cannot be drawn: they stay what they are, with as much of their form as they need [ISO 32000-1, 12.7.2].

use std::collections::HashSet;

use lopdf::{Dictionary, Document, Object, ObjectId};

use super::fields::Drawn;
use crate::graft::Graft;
use crate::objects::{is_a, items, member};
use crate::patch::Patch;

/// The subtype by which libqpdf does not know a field while it draws all others, and where its picture lies then.
const ASIDE: &[u8] = b"FieldSetAside";
const PICTURE: &[u8] = b"PictureSetAside";
/// Most fields that stand above one another.
const DEPTH: usize = 100;
/// What fields take from their form.
const SHARED: [&[u8]; 4] = [b"DA", b"DR", b"Q", b"NeedAppearances"];

/// Hides the fields that are kept from whoever draws fields.
pub(super) fn set_aside(document: &Document, drawn: &mut Drawn) {
    for id in &drawn.kept {
        let Ok(field) = document.get_dictionary(*id) else {
            continue;
        };
        let mut field = field.clone();
        field.set("Subtype", Object::Name(ASIDE.to_vec()));
        if let Some(picture) = field.remove(b"AP") {
            field.set(PICTURE, picture);
        }
        drawn.patch.set(*id, &field.into());
    }
}

/// An annotation itself.
pub(super) fn dictionary<'d>(
    document: &'d Document,
    annotation: &'d Object,
) -> Option<&'d Dictionary> {
    document.dereference(annotation).ok()?.1.as_dict().ok()
}

/// The fields that were set aside.
#[derive(Default)]
pub(super) struct Kept {
    fields: Vec<ObjectId>,
}

impl Kept {
    /// Makes those among a page's annotations fields again.
    pub(super) fn put_back(&mut self, flat: &Document, annotations: &[Object], patch: &mut Patch) {
        for annotation in annotations {
            let (Ok(id), Some(field)) = (annotation.as_reference(), dictionary(flat, annotation))
            else {
                continue;
            };
            if is_a(field, ASIDE) {
                let mut field = field.clone();
                field.set("Subtype", "Widget");
                if let Some(picture) = field.remove(PICTURE) {
                    field.set("AP", picture);
                }
                patch.set(id, &field.into());
                self.fields.push(id);
            }
        }
    }

    /// Gives them a form of their own, after that of the document `before`.
    pub(super) fn form(
        &self,
        (before, flat): (&Document, &Document),
        graft: &mut Graft<'_>,
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
                    form.set(key, graft.copy(value, patch));
                }
            }
        }
        form.set("Fields", self.highest(flat, patch));
        let mut catalog = catalog.clone();
        catalog.set("AcroForm", patch.add(&form.into()));
        patch.set(root, &catalog.into());
    }

    /// The fields at the top, without those below them that are gone.
    fn highest(&self, flat: &Document, patch: &mut Patch) -> Vec<Object> {
        let mut highest = Vec::new();
        let mut staying: HashSet<ObjectId> = self.fields.iter().copied().collect();
        let mut above = Vec::new();
        for field in &self.fields {
            let mut top = *field;
            for _ in 0..DEPTH {
                let about = flat.get_dictionary(top);
                match about.and_then(|about| about.get(b"Parent")?.as_reference()) {
                    Ok(parent) => top = parent,
                    Err(_) => break,
                }
                if staying.insert(top) {
                    above.push(top);
                }
            }
            if !highest.contains(&Object::Reference(top)) {
                highest.push(Object::Reference(top));
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
        highest
    }
}
