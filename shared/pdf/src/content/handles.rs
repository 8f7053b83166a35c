//! Documents and pages of pdfium by its own functions: asked character by character, its objects are several times slower.
#![expect(
    unsafe_code,
    reason = "a C library has no other interface; every pointer that goes out or comes in is looked after here"
)]

mod areas;
mod boxes;
mod drawing;
mod lettering;
mod picture;
mod structure;

use std::path::Path;
use std::ptr::null_mut;

use pdfium_render::prelude::{
    FPDF_DOCUMENT, FPDF_PAGE, FPDF_TEXTPAGE, FS_RECTF, Pdfium, PdfiumLibraryBindings,
    PdfiumLibraryBindingsAccessor as _,
};
use task::{Fault, Outcome};

pub(super) use self::areas::{Areas, Target};
use self::boxes::TickBox;
pub(super) use self::drawing::{Drawing, Segment, Shape};
pub(super) use self::lettering::{Face, Glyph, Lettering};
pub(super) use self::picture::Image;

/// `FPDF_ERR_PASSWORD` and `FPDF_ERR_SECURITY`.
const PROTECTED: [u64; 2] = [4, 5];

/// `FLAT_PRINT` and `FLATTEN_SUCCESS`.
const PRINTED: i32 = 1;
const CHANGED: i32 = 1;

/// An open document.
pub(super) struct Document {
    bindings: &'static dyn PdfiumLibraryBindings,
    handle: FPDF_DOCUMENT,
}

impl Document {
    /// Opens a file, with a password if it is protected; the library has to be loaded.
    pub(super) fn open(source: &Path, password: Option<&str>) -> Outcome<Self> {
        let bindings = Pdfium::default().bindings();
        let source = source.to_str().ok_or_else(Fault::corrupt)?;
        // SAFETY: the bindings copy the path and the password; the handle is closed once, when it is dropped.
        let handle = unsafe { bindings.FPDF_LoadDocument(source, password) };
        if handle.is_null() {
            // SAFETY: takes nothing.
            let error = unsafe { bindings.FPDF_GetLastError() };
            return Err(match PROTECTED.contains(&error) {
                true => Fault::password_required(),
                false => Fault::corrupt(),
            });
        }
        Ok(Self { bindings, handle })
    }

    /// How many pages it has.
    pub(super) fn pages(&self) -> u32 {
        // SAFETY: the document is open.
        let pages = unsafe { self.bindings.FPDF_GetPageCount(self.handle) };
        u32::try_from(pages).unwrap_or(0)
    }

    /// Reads a page, counted from 0, with what its forms hold and its annotations say drawn on it. That changes the page for
    /// as long as the document is open: it has no areas any more when it is read again.
    pub(super) fn leaf(&self, index: u32) -> Outcome<Leaf<'_>> {
        let index = i32::try_from(index).map_err(|_| Fault::corrupt())?;
        let mut leaf = self.bare(index)?;
        let (areas, boxes) = (leaf.find_areas(), leaf.find_boxes());
        if leaf.flatten() {
            leaf = self.bare(index)?;
        }
        // SAFETY: the page is open.
        leaf.text = unsafe { self.bindings.FPDFText_LoadPage(leaf.handle) };
        leaf.areas = areas;
        leaf.boxes = boxes;
        Ok(leaf)
    }

    fn bare(&self, index: i32) -> Outcome<Leaf<'_>> {
        // SAFETY: the document is open.
        let handle = unsafe { self.bindings.FPDF_LoadPage(self.handle, index) };
        if handle.is_null() {
            return Err(Fault::corrupt());
        }
        Ok(Leaf {
            document: self,
            handle,
            text: null_mut(),
            areas: Areas::default(),
            boxes: Vec::new(),
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
pub(super) struct Leaf<'a> {
    document: &'a Document,
    handle: FPDF_PAGE,
    /// Null where the text could not be read.
    text: FPDF_TEXTPAGE,
    areas: Areas,
    boxes: Vec<TickBox>,
}

impl Leaf<'_> {
    /// What of the page is shown before it is turned: left, bottom, right and top, points.
    pub(super) fn extent(&self) -> [f32; 4] {
        let mut rect = nowhere();
        // SAFETY: the page is open and the rectangle is ours.
        unsafe {
            self.bindings()
                .FPDF_GetPageBoundingBox(self.handle, &raw mut rect)
        };
        [rect.left, rect.bottom, rect.right, rect.top]
    }

    /// By how many quarters the page is turned clockwise, from 0 to 3.
    pub(super) fn quarters(&self) -> u8 {
        // SAFETY: the page is open.
        let quarters = unsafe { self.bindings().FPDFPage_GetRotation(self.handle) };
        u8::try_from(quarters.rem_euclid(4)).unwrap_or(0)
    }

    /// Draws what forms hold and annotations say; whether the page has to be read anew to have it.
    fn flatten(&self) -> bool {
        // SAFETY: the page is open.
        unsafe {
            self.bindings().FPDFPage_GetAnnotCount(self.handle) > 0
                && self.bindings().FPDFPage_Flatten(self.handle, PRINTED) == CHANGED
        }
    }

    fn bindings(&self) -> &'static dyn PdfiumLibraryBindings {
        self.document.bindings
    }
}

impl Drop for Leaf<'_> {
    fn drop(&mut self) {
        if !self.text.is_null() {
            // SAFETY: it was opened once, for this page.
            unsafe { self.bindings().FPDFText_ClosePage(self.text) };
        }
        // SAFETY: it was opened once, and nothing of it is left.
        unsafe { self.bindings().FPDF_ClosePage(self.handle) };
    }
}

fn nowhere() -> FS_RECTF {
    FS_RECTF {
        left: 0.0,
        top: 0.0,
        right: 0.0,
        bottom: 0.0,
    }
}
