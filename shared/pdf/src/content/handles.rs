//! Documents and pages through PDFium's C functions: the object wrappers of `pdfium-render` are several times slower per
//! character.
//!
//! Each handle borrows what it belongs to, so none outlives its page or document, and none leaves its thread: PDFium shares
//! state between the handles of a document without locks.
#![expect(
    unsafe_code,
    reason = "PDFium has a C interface only; all pointers are checked in this module"
)]

mod drawing;
mod fields;
mod link_areas;
mod outline;
mod picture;
mod region;
mod structure;
mod text;

use std::path::Path;
use std::ptr::null_mut;

use pdfium_render::prelude::{
    FPDF_DOCUMENT, FPDF_PAGE, FPDF_PAGEOBJECT, FPDF_TEXTPAGE, FS_RECTF, Pdfium,
    PdfiumLibraryBindings, PdfiumLibraryBindingsAccessor as _,
};
use task::{TaskError, TaskResult};

pub(super) use self::drawing::{Drawing, Segment, Shape};
use self::fields::FieldArea;
pub(super) use self::link_areas::{LinkAreas, Target};
pub(super) use self::picture::Image;
pub(super) use self::text::{FontDescription, FontHandle, Glyph, TextState};

/// `FPDF_ERR_PASSWORD` and `FPDF_ERR_SECURITY`.
const PASSWORD_ERRORS: [u64; 2] = [4, 5];

/// `FLAT_PRINT` and `FLATTEN_SUCCESS`.
const FLATTEN_FOR_PRINT: i32 = 1;
const FLATTEN_SUCCESS: i32 = 1;
/// `FPDF_ANNOT_FLAG_HIDDEN`, `FPDF_ANNOT_FLAG_PRINT` and `FPDF_ANNOT_FLAG_NOVIEW`.
const HIDDEN: i32 = 1 << 1;
const PRINTED: i32 = 1 << 2;
const NOT_VIEWED: i32 = 1 << 5;

/// An open document.
pub(super) struct Document {
    bindings: &'static dyn PdfiumLibraryBindings,
    handle: FPDF_DOCUMENT,
}

impl Document {
    /// Opens a file, with a password if it is encrypted. The library must be loaded.
    pub(super) fn open(source: &Path, password: Option<&str>) -> TaskResult<Self> {
        let bindings = Pdfium::default().bindings();
        let source = source.to_str().ok_or_else(TaskError::input_corrupt)?;
        // SAFETY: the bindings copy the path and the password; the handle is closed once, on drop.
        let handle = unsafe { bindings.FPDF_LoadDocument(source, password) };
        if handle.is_null() {
            // SAFETY: takes nothing.
            let error = unsafe { bindings.FPDF_GetLastError() };
            return Err(match PASSWORD_ERRORS.contains(&error) {
                true => TaskError::password_required(),
                false => TaskError::input_corrupt(),
            });
        }
        Ok(Self { bindings, handle })
    }

    /// Number of pages.
    pub(super) fn pages(&self) -> u32 {
        // SAFETY: the document is open.
        let pages = unsafe { self.bindings.FPDF_GetPageCount(self.handle) };
        u32::try_from(pages).unwrap_or(0)
    }

    /// Loads a page, counted from 0, with form fields and annotations flattened into its content. The page stays changed as
    /// long as the document is open: it has no link areas when it is loaded again.
    pub(super) fn page(&self, index: u32) -> TaskResult<PageHandle<'_>> {
        let index = i32::try_from(index).map_err(|_| TaskError::input_corrupt())?;
        let mut page = self.load(index)?;
        let (areas, fields) = (page.read_link_areas(), page.read_fields());
        page.draw_free_texts();
        if page.flatten() {
            page = self.load(index)?;
        }
        // SAFETY: the page is open.
        page.text = unsafe { self.bindings.FPDFText_LoadPage(page.handle) };
        page.areas = areas;
        page.fields = fields;
        Ok(page)
    }

    fn load(&self, index: i32) -> TaskResult<PageHandle<'_>> {
        // SAFETY: the document is open.
        let handle = unsafe { self.bindings.FPDF_LoadPage(self.handle, index) };
        if handle.is_null() {
            return Err(TaskError::input_corrupt());
        }
        Ok(PageHandle {
            document: self,
            handle,
            text: null_mut(),
            areas: LinkAreas::default(),
            fields: Vec::new(),
        })
    }
}

impl Drop for Document {
    fn drop(&mut self) {
        // SAFETY: it was opened once, and pages of it borrow it.
        unsafe { self.bindings.FPDF_CloseDocument(self.handle) };
    }
}

/// An open page and its text.
pub(super) struct PageHandle<'a> {
    document: &'a Document,
    handle: FPDF_PAGE,
    /// Null if the text could not be extracted.
    text: FPDF_TEXTPAGE,
    areas: LinkAreas,
    fields: Vec<FieldArea>,
}

impl PageHandle<'_> {
    /// Returns the displayed area before rotation: left, bottom, right and top, in points.
    pub(super) fn extent(&self) -> [f32; 4] {
        let mut rect = empty_rect();
        // SAFETY: the page is open, and the rectangle is a local variable.
        unsafe {
            self.bindings()
                .FPDF_GetPageBoundingBox(self.handle, &raw mut rect)
        };
        [rect.left, rect.bottom, rect.right, rect.top]
    }

    /// Returns the clockwise rotation in quarter turns, from 0 to 3.
    pub(super) fn quarter_turns(&self) -> u8 {
        // SAFETY: the page is open.
        let quarters = unsafe { self.bindings().FPDFPage_GetRotation(self.handle) };
        u8::try_from(quarters.rem_euclid(4)).unwrap_or(0)
    }

    /// Flattens form fields and annotations. Returns whether the page has to be reloaded.
    fn flatten(&self) -> bool {
        let bindings = self.bindings();
        // SAFETY: the page is open, and each annotation until it is closed.
        unsafe {
            let count = bindings.FPDFPage_GetAnnotCount(self.handle);
            for index in 0..count {
                let annotation = bindings.FPDFPage_GetAnnot(self.handle, index);
                let flags = bindings.FPDFAnnot_GetFlags(annotation);
                // What is displayed is flattened, whether or not it is printed.
                let flags = match flags & (HIDDEN | NOT_VIEWED) {
                    0 => flags | PRINTED,
                    _ => flags & !PRINTED,
                };
                bindings.FPDFAnnot_SetFlags(annotation, flags);
                bindings.FPDFPage_CloseAnnot(annotation);
            }
            count > 0
                && bindings.FPDFPage_Flatten(self.handle, FLATTEN_FOR_PRINT) == FLATTEN_SUCCESS
        }
    }

    fn bindings(&self) -> &'static dyn PdfiumLibraryBindings {
        self.document.bindings
    }
}

impl Drop for PageHandle<'_> {
    fn drop(&mut self) {
        if !self.text.is_null() {
            // SAFETY: it was opened once, for this page.
            unsafe { self.bindings().FPDFText_ClosePage(self.text) };
        }
        // SAFETY: it was opened once, and nothing refers to it any more.
        unsafe { self.bindings().FPDF_ClosePage(self.handle) };
    }
}

/// An object of an open page, or of a form XObject on it.
#[derive(Clone, Copy)]
pub(super) struct PageObject<'p> {
    page: &'p PageHandle<'p>,
    /// Not null.
    handle: FPDF_PAGEOBJECT,
}

impl<'p> PageObject<'p> {
    fn of(page: &'p PageHandle<'_>, handle: FPDF_PAGEOBJECT) -> Option<Self> {
        (!handle.is_null()).then_some(Self { page, handle })
    }

    /// Identifies the object as long as the page is open.
    pub(super) fn address(self) -> usize {
        self.handle.addr()
    }

    fn bindings(self) -> &'static dyn PdfiumLibraryBindings {
        self.page.bindings()
    }
}

fn empty_rect() -> FS_RECTF {
    FS_RECTF {
        left: 0.0,
        top: 0.0,
        right: 0.0,
        bottom: 0.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qpdf::{PendingWrite, QpdfDocument};

    /// Implemented once for every type and once more for those that are `Send` or `Sync`, so that naming the implementation
    /// of such a type without its parameter does not compile.
    trait StaysOnThread<A> {
        fn holds() {}
    }

    struct Sent;
    struct Shared;
    impl<T: ?Sized> StaysOnThread<()> for T {}
    impl<T: ?Sized + Send> StaysOnThread<Sent> for T {}
    impl<T: ?Sized + Sync> StaysOnThread<Shared> for T {}

    #[test]
    fn no_handle_leaves_its_thread() {
        <Document as StaysOnThread<_>>::holds();
        <PageHandle<'_> as StaysOnThread<_>>::holds();
        <PageObject<'_> as StaysOnThread<_>>::holds();
        <FontHandle<'_> as StaysOnThread<_>>::holds();
        <Glyph<'_> as StaysOnThread<_>>::holds();
        <Shape<'_> as StaysOnThread<_>>::holds();
        <QpdfDocument as StaysOnThread<_>>::holds();
        <PendingWrite as StaysOnThread<_>>::holds();
    }
}
