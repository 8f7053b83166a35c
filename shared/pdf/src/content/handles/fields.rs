//! Form fields (check boxes, radio buttons and others), and texts that annotations add to a page.

use std::ffi::{c_int, c_ulong};
use std::ptr::null_mut;

use pdfium_render::prelude::{FPDF_ANNOTATION, FPDF_WCHAR};

use super::picture::{Bitmap, WITHOUT_ALPHA};
use super::{PageHandle, empty_rect};

/// `FPDF_ANNOT_FREETEXT` and `FPDF_ANNOT_WIDGET`.
const FREE_TEXT: i32 = 3;
const WIDGET: i32 = 20;
/// `FPDF_ANNOT_APPEARANCEMODE_NORMAL`.
const NORMAL: c_int = 0;
/// Length in bytes of an empty UTF-16 string.
const EMPTY: c_ulong = 2;
/// `FPDF_ANNOT`.
const WITH_ANNOTATIONS: c_int = 1;
/// `FPDF_ANNOT_FLAG_INVISIBLE`, `_HIDDEN` and `_NOVIEW`.
const INVISIBLE_FLAGS: i32 = 1 | 1 << 1 | 1 << 5;
/// The appearance state of an annotation, and its name if the box is off.
const STATE: &str = "AS";
const KIND: &str = "FT";
const OFF: &str = "Off";
/// Maximum number of annotations of a page.
const MAX_ANNOTATIONS: i32 = 10_000;
/// Maximum length of a state name, in UTF-16 units including the null terminator.
const MAX_NAME: usize = 128;

/// Bounds of a form field (left, bottom, right, top), and whether it is checked; `None` if it is no check box.
pub(in super::super) type FieldArea = ([f32; 4], Option<bool>);

impl PageHandle<'_> {
    /// The form fields of the page, as they were before flattening.
    pub(in super::super) fn fields(&self) -> &[FieldArea] {
        &self.fields
    }

    pub(super) fn read_fields(&self) -> Vec<FieldArea> {
        let annotations = self.annotations();
        let fields = annotations.filter_map(|annotation| annotation.field());
        fields.collect()
    }

    /// Gives free texts without an appearance one, so that they are flattened: PDFium generates appearances when it renders.
    pub(super) fn draw_free_texts(&self) {
        let undrawn = self.annotations().filter(Annotation::is_undrawn_free_text);
        // An empty appearance would be kept.
        if undrawn.map(|text| text.remove_appearance()).count() == 0 {
            return;
        }
        let bindings = self.bindings();
        // SAFETY: PDFium allocates the pixel, and the page is open; the bitmap has no other owner.
        unsafe {
            let handle = bindings.FPDFBitmap_CreateEx(1, 1, WITHOUT_ALPHA, null_mut(), 0);
            let bitmap = Bitmap { bindings, handle };
            if !bitmap.handle.is_null() {
                bindings.FPDF_RenderPageBitmap(
                    bitmap.handle,
                    self.handle,
                    0,
                    0,
                    1,
                    1,
                    0,
                    WITH_ANNOTATIONS,
                );
            }
        }
    }

    fn annotations(&self) -> impl Iterator<Item = Annotation<'_>> {
        // SAFETY: the page is open.
        let count = unsafe { self.bindings().FPDFPage_GetAnnotCount(self.handle) };
        (0..count.min(MAX_ANNOTATIONS)).filter_map(|index| Annotation::of(self, index))
    }
}

/// An open annotation of a page.
struct Annotation<'p> {
    page: &'p PageHandle<'p>,
    /// Not null.
    handle: FPDF_ANNOTATION,
}

impl<'p> Annotation<'p> {
    fn of(page: &'p PageHandle<'_>, index: i32) -> Option<Self> {
        // SAFETY: the page is open; the annotation is closed once, on drop.
        let handle = unsafe { page.bindings().FPDFPage_GetAnnot(page.handle, index) };
        (!handle.is_null()).then_some(Self { page, handle })
    }

    fn field(&self) -> Option<FieldArea> {
        let (bindings, annotation) = (self.page.bindings(), self.handle);
        let mut rect = empty_rect();
        // SAFETY: the annotation is open, and the rectangle is a local variable.
        let is_seen = unsafe {
            bindings.FPDFAnnot_GetSubtype(annotation) == WIDGET
                && bindings.FPDFAnnot_GetFlags(annotation) & INVISIBLE_FLAGS == 0
                && bindings.FPDFAnnot_GetRect(annotation, &raw mut rect) != 0
        };
        let bounds = [rect.left, rect.bottom, rect.right, rect.top];
        let state = self.string(STATE).map(|state| state != OFF);
        // A signature or a push button may contain any drawing.
        let kind = self.string(KIND);
        let has_value = state.is_some() || !matches!(kind.as_deref(), Some("Sig" | "Btn"));
        (is_seen && has_value).then_some((bounds, state))
    }

    /// Whether it is a free text that is shown without an appearance, or with an empty one.
    fn is_undrawn_free_text(&self) -> bool {
        let (bindings, annotation) = (self.page.bindings(), self.handle);
        // SAFETY: the annotation is open, and no buffer is written.
        unsafe {
            let is_shown = bindings.FPDFAnnot_GetSubtype(annotation) == FREE_TEXT
                && bindings.FPDFAnnot_GetFlags(annotation) & INVISIBLE_FLAGS == 0;
            is_shown && bindings.FPDFAnnot_GetAP(annotation, NORMAL, null_mut(), 0) <= EMPTY
        }
    }

    fn remove_appearance(&self) {
        // SAFETY: the annotation is open; no value removes the appearance.
        unsafe {
            let bindings = self.page.bindings();
            bindings.FPDFAnnot_SetAP(self.handle, NORMAL, null_mut());
        }
    }

    /// Returns a string or name of the annotation, if it has one.
    fn string(&self, key: &str) -> Option<String> {
        let mut name = [0_u16; MAX_NAME];
        let room = c_ulong::try_from(size_of_val(&name)).ok()?;
        let buffer: *mut FPDF_WCHAR = name.as_mut_ptr().cast();
        // SAFETY: the annotation is open, and the buffer has the given length.
        let length = unsafe {
            self.page
                .bindings()
                .FPDFAnnot_GetStringValue(self.handle, key, buffer, room)
        };
        let units = usize::try_from(length).ok()? / size_of::<u16>();
        let name = name.get(..units.checked_sub(1)?)?;
        (!name.is_empty()).then(|| String::from_utf16_lossy(name))
    }
}

impl Drop for Annotation<'_> {
    fn drop(&mut self) {
        // SAFETY: it has no other owner.
        unsafe { self.page.bindings().FPDFPage_CloseAnnot(self.handle) };
    }
}
