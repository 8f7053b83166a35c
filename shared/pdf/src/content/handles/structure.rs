//! Structure tree and marked content of a page [ISO 32000-1, 14.7].

use std::ffi::{c_ulong, c_void};

use layout::{Alignment, Element, Role, StructureChild, Tag};
use pdfium_render::prelude::{FPDF_STRUCTELEMENT, FPDF_STRUCTELEMENT_ATTR, FPDF_STRUCTTREE};

use super::{PageHandle, PageObject};

/// Maximum depth of structure elements.
const MAX_DEPTH: u8 = 64;
/// Maximum number of attributes of an element.
const MAX_ATTRIBUTES: i32 = 16;
/// Maximum number of content marks of an object.
const MAX_MARKS: c_ulong = 8;
/// Maximum length of a declared text that is read, in bytes.
const MAX_DECLARED: usize = 32;
/// Maximum number of consecutive empty rows or cells.
const MAX_EMPTY: usize = 64;
/// Maximum length of a text of an element, in bytes.
const MAX_TEXT: usize = 65_536;
/// Maximum total length of the texts on a page, in bytes: elements may share one text, but each gets a copy.
const MAX_ALL_TEXTS: usize = 4 << 20;

/// The structure elements of a page, and the number of steps to them, including elements of other pages.
pub(in super::super) struct Structure {
    pub(in super::super) elements: Vec<Element>,
    pub(in super::super) steps: usize,
    /// Whether a limit of depth or size was exceeded, as by a cycle.
    pub(in super::super) is_incomplete: bool,
}

impl PageHandle<'_> {
    /// Returns the structure of the page, within `most` steps; empty if the document is not tagged.
    pub(in super::super) fn structure(&self, most: usize) -> Structure {
        let tree = Tree::of(self);
        let mut walk = Walk {
            tree: &tree,
            left: most,
            texts: MAX_ALL_TEXTS,
            is_incomplete: false,
        };
        let elements = walk.roots();
        Structure {
            elements,
            steps: most - walk.left,
            is_incomplete: walk.is_incomplete,
        }
    }
}

impl PageObject<'_> {
    /// Returns the tag of the object.
    pub(in super::super) fn tag(self) -> Tag {
        let (bindings, object) = (self.bindings(), self.handle);
        // SAFETY: the page of the object is open.
        let (id, marks) = unsafe {
            let id = bindings.FPDFPageObj_GetMarkedContentID(object);
            (id, bindings.FPDFPageObj_CountMarks(object))
        };
        let marks = c_ulong::try_from(marks).unwrap_or(0).min(MAX_MARKS);
        match u32::try_from(id) {
            Ok(id) => Tag::Content(id),
            Err(_) if (0..marks).any(|index| self.is_artifact(index)) => Tag::Artifact,
            Err(_) => Tag::None,
        }
    }

    /// Returns the short text in UTF-16 that the document declares for the marked content of the object (`ActualText`), and an
    /// identifier of the innermost marked-content sequence that does.
    pub(in super::super) fn declared_text(self) -> Option<(usize, String)> {
        // SAFETY: the page of the object is open.
        let marks = unsafe { self.bindings().FPDFPageObj_CountMarks(self.handle) };
        let marks = c_ulong::try_from(marks).unwrap_or(0).min(MAX_MARKS);
        (0..marks).rev().find_map(|index| {
            let mut text = [0; MAX_DECLARED];
            let mut length = 0;
            // SAFETY: the page of the object is open; the mark belongs to it, the buffer has the given length, and the number is
            // a local variable.
            let mark = unsafe {
                let mark = self.bindings().FPDFPageObj_GetMark(self.handle, index);
                let is_known = !mark.is_null()
                    && self.bindings().FPDFPageObjMark_GetParamBlobValue(
                        mark,
                        "ActualText",
                        text.as_mut_ptr(),
                        c_ulong::try_from(MAX_DECLARED).unwrap_or(0),
                        &raw mut length,
                    ) != 0;
                is_known.then_some(mark)
            };
            // Nothing is written if the buffer is too small.
            let text = text.get(..usize::try_from(length).ok()?)?;
            Some((mark?.addr(), utf16_be(text)?))
        })
    }

    fn is_artifact(self, index: c_ulong) -> bool {
        let name = utf16_text(|buffer, length| {
            let mut needed = 0;
            // SAFETY: the page of the object is open; the buffer has the given length, and the number is a local variable.
            let known = unsafe {
                let mark = self.bindings().FPDFPageObj_GetMark(self.handle, index);
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

/// The structure tree of an open page; null if it has none.
struct Tree<'p> {
    page: &'p PageHandle<'p>,
    handle: FPDF_STRUCTTREE,
}

impl<'p> Tree<'p> {
    fn of(page: &'p PageHandle<'_>) -> Self {
        // SAFETY: the page is open; the tree is closed once, on drop.
        let handle = unsafe { page.bindings().FPDF_StructTree_GetForPage(page.handle) };
        Self { page, handle }
    }
}

impl Drop for Tree<'_> {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: it has no other owner, and its elements are used during a walk that borrows it only.
            unsafe { self.page.bindings().FPDF_StructTree_Close(self.handle) };
        }
    }
}

/// A walk over structure elements within limits.
struct Walk<'t> {
    tree: &'t Tree<'t>,
    left: usize,
    /// Remaining bytes of text.
    texts: usize,
    is_incomplete: bool,
}

impl Walk<'_> {
    fn roots(&mut self) -> Vec<Element> {
        let (bindings, tree) = (self.tree.page.bindings(), self.tree.handle);
        if tree.is_null() {
            return Vec::new();
        }
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
                elements.push(self.element(root, MAX_DEPTH));
            }
        }
        elements
    }

    fn step(&mut self) -> bool {
        self.is_incomplete |= self.left == 0;
        self.left = self.left.saturating_sub(1);
        !self.is_incomplete
    }

    fn take(&mut self, bytes: usize) {
        self.is_incomplete |= self.texts < bytes;
        self.texts = self.texts.saturating_sub(bytes);
    }

    fn element(&mut self, handle: FPDF_STRUCTELEMENT, depth: u8) -> Element {
        let bindings = self.tree.page.bindings();
        // SAFETY: the element is one of an open tree; buffers have the given lengths.
        let (role, alternative, actual) = unsafe {
            (
                utf16_text(|buffer, length| {
                    bindings.FPDF_StructElement_GetType(handle, buffer, length)
                }),
                utf16_text(|buffer, length| {
                    bindings.FPDF_StructElement_GetAltText(handle, buffer, length)
                }),
                utf16_text(|buffer, length| {
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

    fn kids(
        &mut self,
        handle: FPDF_STRUCTELEMENT,
        depth: u8,
        is_table: bool,
    ) -> Vec<StructureChild> {
        let bindings = self.tree.page.bindings();
        // SAFETY: the element is one of an open tree.
        let count = unsafe { bindings.FPDF_StructElement_CountChildren(handle) };
        if depth == 0 {
            self.is_incomplete |= count > 0;
            return Vec::new();
        }
        let mut kids: Vec<StructureChild> = Vec::new();
        for index in 0..count {
            if !self.step() {
                break;
            }
            // SAFETY: the element is one of an open tree; an index without an element or content of this page returns null or
            // -1.
            let (inner, content) = unsafe {
                (
                    bindings.FPDF_StructElement_GetChildAtIndex(handle, index),
                    bindings.FPDF_StructElement_GetChildMarkedContentID(handle, index),
                )
            };
            let kid = match u32::try_from(content) {
                _ if !inner.is_null() => StructureChild::Element(self.element(inner, depth - 1)),
                Ok(content) => StructureChild::Content(content),
                Err(_) => StructureChild::Elsewhere,
            };
            // Empty elements belong to other pages: there may be many, and one is enough. Empty rows and cells are kept.
            let known = kids
                .iter()
                .rev()
                .take(MAX_EMPTY)
                .take_while(|kid| **kid == StructureChild::Elsewhere);
            let most = if is_table { MAX_EMPTY } else { 1 };
            if kid != StructureChild::Elsewhere || known.count() < most {
                kids.push(kid);
            }
        }
        kids
    }

    fn attributes(&self, handle: FPDF_STRUCTELEMENT, element: &mut Element) {
        let bindings = self.tree.page.bindings();
        // SAFETY: the element is one of an open tree.
        let count = unsafe { bindings.FPDF_StructElement_GetAttributeCount(handle) };
        for index in 0..count.min(MAX_ATTRIBUTES) {
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

    /// Returns a numeric attribute, if it is at least 1.
    fn number(&self, attributes: FPDF_STRUCTELEMENT_ATTR, name: &str) -> Option<usize> {
        let bindings = self.tree.page.bindings();
        let mut number = 0.0;
        // SAFETY: the attributes are those of an element of an open tree, and the number is a local variable.
        let known = unsafe {
            let value = bindings.FPDF_StructElement_Attr_GetValue(attributes, name);
            !value.is_null()
                && bindings.FPDF_StructElement_Attr_GetNumberValue(value, &raw mut number) != 0
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "clamped above"
        )]
        let number = (known && number >= 1.0).then(|| number.min(100_000.0) as usize);
        number
    }

    fn name(&self, attributes: FPDF_STRUCTELEMENT_ATTR, name: &str) -> Option<String> {
        let bindings = self.tree.page.bindings();
        // SAFETY: the attributes are those of an element of an open tree.
        let value = unsafe { bindings.FPDF_StructElement_Attr_GetValue(attributes, name) };
        if value.is_null() {
            return None;
        }
        utf16_text(|buffer, length| {
            let mut needed = 0;
            // SAFETY: the value is one of an open tree; the buffer has the given length, and the number is a local variable.
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

/// Decodes a text string in UTF-16 [ISO 32000-1, 7.9.2.2].
fn utf16_be(text: &[u8]) -> Option<String> {
    let units = text.strip_prefix(&[0xfe, 0xff])?.chunks_exact(2);
    let units = units.filter_map(|pair| pair.try_into().ok().map(u16::from_be_bytes));
    String::from_utf16(&Vec::from_iter(units)).ok()
}

fn alignment(name: &str) -> Option<Alignment> {
    Some(match name {
        "Start" => Alignment::Start,
        "Center" => Alignment::Center,
        "End" => Alignment::End,
        "Justify" => Alignment::Justified,
        _ => return None,
    })
}

/// Returns the null-terminated UTF-16 text that `fill` writes, with its length in bytes as the result; `None` if it is empty.
pub(super) fn utf16_text(fill: impl Fn(*mut c_void, c_ulong) -> c_ulong) -> Option<String> {
    let mut bytes = vec![0_u8; 64];
    let length = |bytes: &[u8]| c_ulong::try_from(bytes.len()).unwrap_or(0);
    let mut needed = fill(bytes.as_mut_ptr().cast(), length(&bytes));
    let wanted = usize::try_from(needed).ok()?.min(MAX_TEXT);
    if wanted > bytes.len() {
        bytes.resize(wanted, 0);
        needed = fill(bytes.as_mut_ptr().cast(), length(&bytes));
    }
    // Nothing is written if the buffer is too small.
    let needed = usize::try_from(needed).ok()?;
    let written = needed.checked_sub(2).filter(|_| needed <= bytes.len())?;
    let units = bytes.get(..written)?.chunks_exact(2);
    let units = units.filter_map(|pair| pair.try_into().ok().map(u16::from_le_bytes));
    let units: Vec<u16> = units.collect();
    Some(String::from_utf16_lossy(&units)).filter(|text| !text.is_empty())
}
