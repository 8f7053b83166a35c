//! Keeps the annotations that mark up a page, link, or are fields [ISO 32000-2, 12.5.6].

use domain::operation::SanitizedPart;
use lopdf::{Dictionary, Object};

use super::places::ANNOTATION;
use super::walk::{Walk, is_listed};
use crate::objects::{is_a, member};

/// Subtypes that stay.
const KEPT: &str = "Text Link FreeText Line Square Circle Polygon PolyLine Highlight Underline Squiggly StrikeOut Caret Stamp \
    Ink Popup Widget PrinterMark TrapNet Watermark Redact Projection";
/// Subtypes of media, whose picture stays.
const MEDIA: &str = "Sound Movie Screen 3D RichMedia";
/// Members of the annotation that shows the picture of a medium.
const PICTURE: &str = "Type Rect P NM F AP AS Border StructParent";

/// Why an annotation does not stay as it is.
enum Removal {
    Whole(Option<SanitizedPart>),
    Medium,
}

impl Walk<'_> {
    /// Returns what stays of an annotation.
    pub(super) fn annotation(&mut self, item: Object, depth: u32) -> Option<Object> {
        let Ok((_, Object::Dictionary(annotation))) = self.document.dereference(&item) else {
            return None;
        };
        let mut annotation = annotation.clone();
        let id = item.as_reference().ok();
        match self.removal(&annotation) {
            None => {}
            Some(Removal::Medium) if annotation.has(b"AP") => {
                self.count(None, 1);
                let members = annotation.into_iter();
                annotation = members.filter(|(key, _)| is_listed(key, PICTURE)).collect();
                annotation.set("Subtype", "Stamp");
                if let Some(id) = id {
                    self.set(id, annotation.clone().into());
                }
            }
            Some(removal) => {
                let part = match removal {
                    Removal::Whole(part) => part,
                    Removal::Medium => None,
                };
                self.count(part, 1);
                if let Some(id) = id {
                    self.set(id, Object::Null);
                }
                return None;
            }
        }
        self.annotations.extend(id);
        let item = if id.is_some() {
            item
        } else {
            annotation.into()
        };
        let kept = self.clean(item, &ANNOTATION, depth + 1);
        (!kept.is_null()).then_some(kept)
    }

    fn removal(&self, annotation: &Dictionary) -> Option<Removal> {
        if let Ok(owner) = annotation.get(b"OC")
            && self.layers.hides(&self.document, owner)
        {
            return Some(Removal::Whole(Some(SanitizedPart::HiddenLayers)));
        }
        let subtype = annotation.get_deref(b"Subtype", &self.document);
        match subtype.and_then(Object::as_name).unwrap_or_default() {
            b"FileAttachment" if self.removes(SanitizedPart::Attachments) => {
                Some(Removal::Whole(Some(SanitizedPart::Attachments)))
            }
            b"FileAttachment" => None,
            b"Popup" => {
                let parent = member(&self.document, annotation, b"Parent")?;
                let is_popup = is_a(parent, b"Popup");
                self.removal(parent).filter(|_| !is_popup)
            }
            subtype if is_listed(subtype, MEDIA) => Some(Removal::Medium),
            subtype if is_listed(subtype, KEPT) => None,
            _ => Some(Removal::Whole(None)),
        }
    }
}
