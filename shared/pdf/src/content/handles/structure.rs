//! What a document says of the structure of a page, and of what is drawn on it.

use std::ffi::{c_ulong, c_void};

use layout::{Alignment, Element, Kid, Role, Tag};
use pdfium_render::prelude::{
    FPDF_PAGEOBJECT, FPDF_STRUCTELEMENT, FPDF_STRUCTELEMENT_ATTR, FPDF_STRUCTTREE,
};

use super::Leaf;

/// Deepest nesting of elements that is followed.
const DEPTH: u8 = 64;
/// Most attributes of an element that are looked at.
const ATTRIBUTES: i32 = 16;
/// Most marks of an object that are looked at.
const MARKS: c_ulong = 8;
/// Most empty rows or cells that follow each other.
const EMPTY: usize = 64;
/// Longest text of an element that is read, bytes.
const TEXT: usize = 65_536;
/// Most bytes of text that all elements of a page have: they may share one text, and each has a copy.
const TEXTS: usize = 4 << 20;

/// The elements of a page and how many there are steps to them, those to other pages included.
pub(in super::super) struct Structure {
    pub(in super::super) elements: Vec<Element>,
    pub(in super::super) steps: usize,
    /// Whether it is nested too deeply, in itself, or too large.
    pub(in super::super) is_broken: bool,
}

impl Leaf<'_> {
    /// The structure of the page, as far as so many steps lead; nothing where the document has none.
    pub(in super::super) fn structure(&self, most: usize) -> Structure {
        let mut walk = Walk {
            leaf: self,
            left: most,
            texts: TEXTS,
            is_broken: false,
        };
        // SAFETY: the page is open; the tree is closed below, once.
        let tree = unsafe { self.bindings().FPDF_StructTree_GetForPage(self.handle) };
        let elements = match tree.is_null() {
            true => Vec::new(),
            false => walk.roots(tree),
        };
        if !tree.is_null() {
            // SAFETY: it was opened above, and nothing of it is left.
            unsafe { self.bindings().FPDF_StructTree_Close(tree) };
        }
        Structure {
            elements,
            steps: most - walk.left,
            is_broken: walk.is_broken,
        }
    }

    /// What the document says of something that is drawn.
    pub(in super::super) fn tag(&self, object: FPDF_PAGEOBJECT) -> Tag {
        let bindings = self.bindings();
        // SAFETY: the object is one of this page, which is open.
        let (id, marks) = unsafe {
            let id = bindings.FPDFPageObj_GetMarkedContentID(object);
            (id, bindings.FPDFPageObj_CountMarks(object))
        };
        let marks = c_ulong::try_from(marks).unwrap_or(0).min(MARKS);
        match u32::try_from(id) {
            Ok(id) => Tag::Content(id),
            Err(_) if (0..marks).any(|index| self.is_artifact(object, index)) => Tag::Artifact,
            Err(_) => Tag::None,
        }
    }

    fn is_artifact(&self, object: FPDF_PAGEOBJECT, index: c_ulong) -> bool {
        let name = written(|buffer, length| {
            let mut needed = 0;
            // SAFETY: the object is one of this page, which is open; the buffer is as long as said and the number is ours.
            let known = unsafe {
                let mark = self.bindings().FPDFPageObj_GetMark(object, index);
                !mark.is_null()
                    && self.bindings().FPDFPageObjMark_GetName(
                        mark,
                        buffer.cast(),
                        length,
                        &raw mut needed,
                    ) != 0
            };
            if known { needed } else { 0 }
        });
        name.is_some_and(|name| name == "Artifact")
    }
}

/// A walk over elements that ends.
struct Walk<'a> {
    leaf: &'a Leaf<'a>,
    left: usize,
    /// How many bytes of text may still be read.
    texts: usize,
    is_broken: bool,
}

impl Walk<'_> {
    fn roots(&mut self, tree: FPDF_STRUCTTREE) -> Vec<Element> {
        let bindings = self.leaf.bindings();
        // SAFETY: the tree is open.
        let count = unsafe { bindings.FPDF_StructTree_CountChildren(tree) };
        let mut elements = Vec::new();
        for index in 0..count {
            // SAFETY: the tree is open, and an index that is out of bounds or of another page has no element.
            let root = unsafe { bindings.FPDF_StructTree_GetChildAtIndex(tree, index) };
            if !self.step() {
                break;
            }
            if !root.is_null() {
                elements.push(self.element(root, DEPTH));
            }
        }
        elements
    }

    fn step(&mut self) -> bool {
        self.is_broken |= self.left == 0;
        self.left = self.left.saturating_sub(1);
        !self.is_broken
    }

    fn take(&mut self, bytes: usize) {
        self.is_broken |= self.texts < bytes;
        self.texts = self.texts.saturating_sub(bytes);
    }

    fn element(&mut self, handle: FPDF_STRUCTELEMENT, depth: u8) -> Element {
        let bindings = self.leaf.bindings();
        // SAFETY: the element is one of an open tree; buffers are as long as said.
        let (role, alternative, actual) = unsafe {
            (
                written(|buffer, length| {
                    bindings.FPDF_StructElement_GetType(handle, buffer, length)
                }),
                written(|buffer, length| {
                    bindings.FPDF_StructElement_GetAltText(handle, buffer, length)
                }),
                written(|buffer, length| {
                    bindings.FPDF_StructElement_GetActualText(handle, buffer, length)
                }),
            )
        };
        let texts = [&role, &alternative, &actual];
        self.take(texts.into_iter().flatten().map(String::len).sum());
        let mut element = Element {
            role: Role::of_type(&role.unwrap_or_default()),
            alternative,
            actual,
            row_span: 1,
            column_span: 1,
            ..Element::default()
        };
        self.attributes(handle, &mut element);
        let is_table = matches!(element.role, Role::Table | Role::Row);
        element.kids = self.kids(handle, depth, is_table);
        element
    }

    fn kids(&mut self, handle: FPDF_STRUCTELEMENT, depth: u8, is_table: bool) -> Vec<Kid> {
        let bindings = self.leaf.bindings();
        // SAFETY: the element is one of an open tree.
        let count = unsafe { bindings.FPDF_StructElement_CountChildren(handle) };
        if depth == 0 {
            self.is_broken |= count > 0;
            return Vec::new();
        }
        let mut kids: Vec<Kid> = Vec::new();
        for index in 0..count {
            if !self.step() {
                break;
            }
            // SAFETY: the element is one of an open tree, and what is no element of this page, or no content of it, has none.
            let (inner, content) = unsafe {
                (
                    bindings.FPDF_StructElement_GetChildAtIndex(handle, index),
                    bindings.FPDF_StructElement_GetChildMarkedContentID(handle, index),
                )
            };
            let kid = match u32::try_from(content) {
                _ if !inner.is_null() => Kid::Element(self.element(inner, depth - 1)),
                Ok(content) => Kid::Content(content),
                Err(_) => Kid::Elsewhere,
            };
            // Parts of other pages may be many, and say no more than one does; but empty rows and cells are as many as there are.
            let known = kids
                .iter()
                .rev()
                .take(EMPTY)
                .take_while(|kid| **kid == Kid::Elsewhere);
            let most = if is_table { EMPTY } else { 1 };
            if kid != Kid::Elsewhere || known.count() < most {
                kids.push(kid);
            }
        }
        kids
    }

    fn attributes(&self, handle: FPDF_STRUCTELEMENT, element: &mut Element) {
        let bindings = self.leaf.bindings();
        // SAFETY: the element is one of an open tree.
        let count = unsafe { bindings.FPDF_StructElement_GetAttributeCount(handle) };
        for index in 0..count.min(ATTRIBUTES) {
            // SAFETY: the element is one of an open tree, and an index that is out of bounds has none.
            let attributes =
                unsafe { bindings.FPDF_StructElement_GetAttributeAtIndex(handle, index) };
            if attributes.is_null() {
                continue;
            }
            if let Some(span) = self.number(attributes, "RowSpan") {
                element.row_span = span;
            }
            if let Some(span) = self.number(attributes, "ColSpan") {
                element.column_span = span;
            }
            element.alignment = self
                .name(attributes, "TextAlign")
                .and_then(|name| alignment(&name))
                .or(element.alignment);
        }
    }

    /// A number of attributes that is 1 or more.
    fn number(&self, attributes: FPDF_STRUCTELEMENT_ATTR, name: &str) -> Option<usize> {
        let bindings = self.leaf.bindings();
        let mut number = 0.0;
        // SAFETY: the attributes are those of an element of an open tree, and the number is ours.
        let known = unsafe {
            let value = bindings.FPDF_StructElement_Attr_GetValue(attributes, name);
            !value.is_null()
                && bindings.FPDF_StructElement_Attr_GetNumberValue(value, &raw mut number) != 0
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is clamped before"
        )]
        let number = (known && number >= 1.0).then(|| number.min(100_000.0) as usize);
        number
    }

    fn name(&self, attributes: FPDF_STRUCTELEMENT_ATTR, name: &str) -> Option<String> {
        let bindings = self.leaf.bindings();
        // SAFETY: the attributes are those of an element of an open tree.
        let value = unsafe { bindings.FPDF_StructElement_Attr_GetValue(attributes, name) };
        if value.is_null() {
            return None;
        }
        written(|buffer, length| {
            let mut needed = 0;
            // SAFETY: the value is one of an open tree; the buffer is as long as said and the number is ours.
            let known = unsafe {
                bindings.FPDF_StructElement_Attr_GetStringValue(
                    value,
                    buffer,
                    length,
                    &raw mut needed,
                ) != 0
            };
            if known { needed } else { 0 }
        })
    }
}

fn alignment(name: &str) -> Option<Alignment> {
    Some(match name {
        "Start" => Alignment::Start,
        "Center" => Alignment::Centre,
        "End" => Alignment::End,
        "Justify" => Alignment::Justified,
        _ => return None,
    })
}

/// A text that `fill` writes in UTF-16 with a zero behind it, and answers with how many bytes it needs; none where it is empty.
fn written(fill: impl Fn(*mut c_void, c_ulong) -> c_ulong) -> Option<String> {
    let mut bytes = vec![0_u8; 64];
    let length = |bytes: &[u8]| c_ulong::try_from(bytes.len()).unwrap_or(0);
    let mut needed = fill(bytes.as_mut_ptr().cast(), length(&bytes));
    let wanted = usize::try_from(needed).ok()?.min(TEXT);
    if wanted > bytes.len() {
        bytes.resize(wanted, 0);
        needed = fill(bytes.as_mut_ptr().cast(), length(&bytes));
    }
    // Nothing is written where there is no room for all of it.
    let needed = usize::try_from(needed).ok()?;
    let written = needed.checked_sub(2).filter(|_| needed <= bytes.len())?;
    let units = bytes.get(..written)?.chunks_exact(2);
    let units = units.filter_map(|pair| pair.try_into().ok().map(u16::from_le_bytes));
    let units: Vec<u16> = units.collect();
    Some(String::from_utf16_lossy(&units)).filter(|text| !text.is_empty())
}
