//! What else than text is drawn on a page: paths, pictures, and forms that hold more of all.

use pdfium_render::prelude::{
    FPDF_PAGEOBJ_FORM, FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_PATH, FPDF_PAGEOBJ_TEXT, FPDF_PAGEOBJECT,
    FS_MATRIX,
};

use super::Leaf;
use crate::matrix::Matrix;

/// `FPDF_SEGMENT_LINETO` and `FPDF_SEGMENT_MOVETO`.
const LINE: i32 = 0;
const MOVE: i32 = 2;

/// Something drawn that is not text.
pub(in super::super) enum Drawing {
    /// A path; the matrix is of its own coordinates.
    Shape(Shape, Matrix),
    /// The unit square by this matrix.
    Picture(FPDF_PAGEOBJECT, Matrix),
    /// More by this matrix.
    Form(FPDF_PAGEOBJECT, Matrix),
    /// A piece of text.
    Text(FPDF_PAGEOBJECT),
    /// Shadings.
    Other,
}

/// How a path is drawn.
pub(in super::super) struct Shape {
    object: FPDF_PAGEOBJECT,
    /// The colour of its area, if it is filled.
    pub(in super::super) fill: Option<[u8; 3]>,
    /// The colour and the width of its line, if it has one.
    pub(in super::super) line: Option<([u8; 3], f32)>,
    /// How many steps it takes.
    pub(in super::super) segments: i32,
}

/// One step of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Segment {
    /// Begins anew here.
    Move((f64, f64)),
    /// Straight to here.
    Line((f64, f64)),
    /// Otherwise to here.
    Curve((f64, f64)),
    /// Straight back to where it began.
    Close,
}

impl Leaf<'_> {
    /// How many things are drawn on the page, or within a form.
    pub(in super::super) fn things(&self, form: Option<FPDF_PAGEOBJECT>) -> i32 {
        // SAFETY: the page is open, and the form is on it.
        unsafe {
            match form {
                None => self.bindings().FPDFPage_CountObjects(self.handle),
                Some(form) => self.bindings().FPDFFormObj_CountObjects(form),
            }
        }
    }

    /// One of them.
    pub(in super::super) fn thing(&self, form: Option<FPDF_PAGEOBJECT>, index: i32) -> Drawing {
        let bindings = self.bindings();
        // SAFETY: the page is open, the form is on it, and an index that is out of bounds has no object.
        let object = unsafe {
            match form {
                None => bindings.FPDFPage_GetObject(self.handle, index),
                Some(form) => bindings.FPDFFormObj_GetObject(form, index.unsigned_abs().into()),
            }
        };
        if object.is_null() {
            return Drawing::Other;
        }
        // SAFETY: the object is one of this page, which is open.
        let kind = unsafe { bindings.FPDFPageObj_GetType(object) };
        match u32::try_from(kind).unwrap_or(0) {
            FPDF_PAGEOBJ_PATH => Drawing::Shape(self.shape(object), self.matrix_of(object)),
            FPDF_PAGEOBJ_IMAGE => Drawing::Picture(object, self.matrix_of(object)),
            FPDF_PAGEOBJ_TEXT => Drawing::Text(object),
            FPDF_PAGEOBJ_FORM => Drawing::Form(object, self.matrix_of(object)),
            _ => Drawing::Other,
        }
    }

    fn matrix_of(&self, object: FPDF_PAGEOBJECT) -> Matrix {
        let mut found = FS_MATRIX {
            a: 1.0,
            b: 0.0,
            c: 0.0,
            d: 1.0,
            e: 0.0,
            f: 0.0,
        };
        // SAFETY: the object is one of this page, which is open, and the matrix is ours.
        unsafe {
            self.bindings()
                .FPDFPageObj_GetMatrix(object, &raw mut found)
        };
        matrix(&found)
    }

    fn shape(&self, object: FPDF_PAGEOBJECT) -> Shape {
        let bindings = self.bindings();
        let (mut mode, mut stroked, mut width) = (0, 0, 0.0);
        // SAFETY: the object is a path of this page, which is open, and the numbers are ours.
        let segments = unsafe {
            bindings.FPDFPath_GetDrawMode(object, &raw mut mode, &raw mut stroked);
            bindings.FPDFPageObj_GetStrokeWidth(object, &raw mut width);
            bindings.FPDFPath_CountSegments(object)
        };
        let fill = (mode != 0).then(|| self.colour(object, false)).flatten();
        let line = (stroked != 0).then(|| self.colour(object, true)).flatten();
        let line = line.map(|colour| (colour, width));
        Shape {
            object,
            fill,
            line,
            segments,
        }
    }

    /// A step of a path, and the way back if the path is closed by it.
    pub(in super::super) fn segment(
        &self,
        shape: &Shape,
        index: i32,
    ) -> Option<(Segment, Option<Segment>)> {
        let bindings = self.bindings();
        let (mut x, mut y) = (0.0, 0.0);
        // SAFETY: the path is one of this page, which is open; an index that is out of bounds has no segment.
        let (kind, closes) = unsafe {
            let segment = bindings.FPDFPath_GetPathSegment(shape.object, index);
            if segment.is_null() {
                return None;
            }
            bindings.FPDFPathSegment_GetPoint(segment, &raw mut x, &raw mut y);
            let kind = bindings.FPDFPathSegment_GetType(segment);
            (kind, bindings.FPDFPathSegment_GetClose(segment) != 0)
        };
        let point = (f64::from(x), f64::from(y));
        let segment = match kind {
            MOVE => Segment::Move(point),
            LINE => Segment::Line(point),
            _ => Segment::Curve(point),
        };
        Some((segment, closes.then_some(Segment::Close)))
    }

    /// The colour of an object's area or of its line; none where nothing of it is seen.
    pub(super) fn colour(&self, object: FPDF_PAGEOBJECT, line: bool) -> Option<[u8; 3]> {
        let [mut red, mut green, mut blue, mut alpha] = [0, 0, 0, 255];
        let bindings = self.bindings();
        let (r, g, b, a) = (&raw mut red, &raw mut green, &raw mut blue, &raw mut alpha);
        // SAFETY: the object is one of this page, which is open, and the numbers are ours.
        unsafe {
            match line {
                false => bindings.FPDFPageObj_GetFillColor(object, r, g, b, a),
                true => bindings.FPDFPageObj_GetStrokeColor(object, r, g, b, a),
            };
        }
        let colour = [red, green, blue].map(|part| u8::try_from(part).unwrap_or(u8::MAX));
        (alpha > 0).then_some(colour)
    }
}

/// A matrix of the library.
pub(super) fn matrix(found: &FS_MATRIX) -> Matrix {
    Matrix([found.a, found.b, found.c, found.d, found.e, found.f].map(f64::from))
}
