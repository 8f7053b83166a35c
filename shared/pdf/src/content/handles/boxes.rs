//! Boxes of forms that are ticked or not: check boxes and radio buttons.

use std::ffi::c_ulong;

use pdfium_render::prelude::{FPDF_ANNOTATION, FPDF_WCHAR};

use super::{Leaf, nowhere};

/// `FPDF_ANNOT_WIDGET`.
const WIDGET: i32 = 20;
/// `FPDF_ANNOT_FLAG_INVISIBLE`, `_HIDDEN` and `_NOVIEW`.
const UNSEEN: i32 = 1 | 1 << 1 | 1 << 5;
/// What a field that shows one of several states shows, and what it is called where that is nothing.
const STATE: &str = "AS";
const OFF: &str = "Off";
/// Most annotations of a page that are looked at.
const MOST: i32 = 10_000;
/// Longest name of a state, UTF-16 units with a zero behind it.
const NAME: usize = 128;

/// Where a box is, left, bottom, right and top, and whether it is ticked.
pub(in super::super) type TickBox = ([f32; 4], bool);

impl Leaf<'_> {
    /// Those of a page, as it had them when it was read first.
    pub(in super::super) fn boxes(&self) -> &[TickBox] {
        &self.boxes
    }

    pub(super) fn find_boxes(&self) -> Vec<TickBox> {
        // SAFETY: the page is open.
        let count = unsafe { self.bindings().FPDFPage_GetAnnotCount(self.handle) };
        let boxes = (0..count.min(MOST)).filter_map(|index| {
            // SAFETY: the page is open, and an annotation is closed once.
            let annotation = unsafe { self.bindings().FPDFPage_GetAnnot(self.handle, index) };
            if annotation.is_null() {
                return None;
            }
            let found = self.tick_box(annotation);
            // SAFETY: as above.
            unsafe { self.bindings().FPDFPage_CloseAnnot(annotation) };
            found
        });
        boxes.collect()
    }

    fn tick_box(&self, annotation: FPDF_ANNOTATION) -> Option<TickBox> {
        let bindings = self.bindings();
        let mut rect = nowhere();
        // SAFETY: the annotation is open, and the rectangle is ours.
        let is_seen = unsafe {
            bindings.FPDFAnnot_GetSubtype(annotation) == WIDGET
                && bindings.FPDFAnnot_GetFlags(annotation) & UNSEEN == 0
                && bindings.FPDFAnnot_GetRect(annotation, &raw mut rect) != 0
        };
        let state = is_seen.then(|| self.state(annotation)).flatten()?;
        let bounds = [rect.left, rect.bottom, rect.right, rect.top];
        Some((bounds, state != OFF))
    }

    /// The state that a field shows, if it has several.
    fn state(&self, annotation: FPDF_ANNOTATION) -> Option<String> {
        let mut name = [0_u16; NAME];
        let room = c_ulong::try_from(size_of_val(&name)).ok()?;
        let buffer: *mut FPDF_WCHAR = name.as_mut_ptr().cast();
        // SAFETY: the annotation is open, and the buffer is as long as said.
        let length = unsafe {
            self.bindings()
                .FPDFAnnot_GetStringValue(annotation, STATE, buffer, room)
        };
        let units = usize::try_from(length).ok()? / size_of::<u16>();
        let name = name.get(..units.checked_sub(1)?)?;
        (!name.is_empty()).then(|| String::from_utf16_lossy(name))
    }
}
