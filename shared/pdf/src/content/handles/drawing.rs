//! What else than text is drawn on a page: paths, pictures, and forms that hold more of all.

use pdfium_render::prelude::{
    FPDF_CLIPPATH, FPDF_PAGEOBJ_FORM, FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_PATH, FPDF_PAGEOBJ_TEXT,
    FPDF_PAGEOBJECT, FS_MATRIX,
};
use task::matrix::Matrix;

use super::Leaf;

/// `FPDF_SEGMENT_LINETO` and `FPDF_SEGMENT_MOVETO`.
const LINE: i32 = 0;
const MOVE: i32 = 2;
/// Most paths that cut one, and most steps of such a path, that are looked at.
const CLIPS: i32 = 8;
const STEPS: i32 = 64;
/// `FPDF_FILLMODE_ALTERNATE`.
const EVEN_ODD: i32 = 1;
/// Most dashes and gaps of a line that are looked at.
const DASHES: usize = 16;

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
    pub(in super::super) object: FPDF_PAGEOBJECT,
    /// The colour of its area, if it is filled.
    pub(in super::super) fill: Option<[u8; 3]>,
    /// Whether what lies within two of its outlines is not filled.
    pub(in super::super) is_even_odd: bool,
    /// The colour and the width of its line, if it has one.
    pub(in super::super) line: Option<([u8; 3], f32)>,
    /// How long its line is drawn and not drawn by turns; empty for one without gaps.
    pub(in super::super) dashes: Vec<f32>,
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
    /// A point of a curve: of each three the first two are what it tends to, and it ends at the third.
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
        let fill = (mode != 0).then(|| self.shade(object, false)).flatten();
        let line = (stroked != 0).then(|| self.shade(object, true)).flatten();
        let line = line.map(|colour| (colour, width));
        Shape {
            object,
            fill,
            is_even_odd: mode == EVEN_ODD,
            dashes: line.map_or_else(Vec::new, |_| self.dashes(object)),
            line,
            segments,
        }
    }

    fn dashes(&self, object: FPDF_PAGEOBJECT) -> Vec<f32> {
        let bindings = self.bindings();
        let mut dashes = [0.0; DASHES];
        // SAFETY: the object is a path of this page, which is open, and there is room for as many numbers as are asked for.
        let count = unsafe {
            let count = bindings.FPDFPageObj_GetDashCount(object);
            let count = usize::try_from(count).unwrap_or(0);
            match (1..=DASHES).contains(&count)
                && bindings.FPDFPageObj_GetDashArray(object, dashes.as_mut_ptr(), count) != 0
            {
                true => count,
                false => 0,
            }
        };
        let dashes = dashes.get(..count).unwrap_or_default();
        match dashes.iter().any(|dash| *dash > 0.0) {
            true => dashes.to_vec(),
            false => Vec::new(),
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

    /// What an object is cut to: for each path that cuts it, opposite corners of the rectangle around that, where it is drawn.
    pub(in super::super) fn clips(&self, object: FPDF_PAGEOBJECT) -> Vec<[(f64, f64); 2]> {
        let bindings = self.bindings();
        // SAFETY: the object is one of this page, which is open; what cuts it belongs to it.
        let (clip, count) = unsafe {
            let clip = bindings.FPDFPageObj_GetClipPath(object);
            (clip, bindings.FPDFClipPath_CountPaths(clip))
        };
        let paths = (0..count.min(CLIPS)).filter_map(|path| self.clip(clip, path));
        paths.collect()
    }

    fn clip(&self, clip: FPDF_CLIPPATH, path: i32) -> Option<[(f64, f64); 2]> {
        let bindings = self.bindings();
        // SAFETY: what cuts belongs to an object of this page, which is open.
        let count = unsafe { bindings.FPDFClipPath_CountPathSegments(clip, path) };
        let points = (0..count.min(STEPS)).filter_map(|index| {
            let (mut x, mut y) = (0.0, 0.0);
            // SAFETY: as above, and the numbers are ours; an index that is out of bounds has no segment.
            let known = unsafe {
                let segment = bindings.FPDFClipPath_GetPathSegment(clip, path, index);
                !segment.is_null()
                    && bindings.FPDFPathSegment_GetPoint(segment, &raw mut x, &raw mut y) != 0
            };
            known.then_some((f64::from(x), f64::from(y)))
        });
        let corners = points.map(|point| [point, point]);
        let around = corners.reduce(|[least, most], [(x, y), _]| {
            [
                (least.0.min(x), least.1.min(y)),
                (most.0.max(x), most.1.max(y)),
            ]
        });
        // Where there are more steps than are looked at, it is not known how far it reaches.
        around.filter(|_| count <= STEPS)
    }

    /// The colour of an object's area or of its line as it is on white paper; none where nothing of it is seen.
    fn shade(&self, object: FPDF_PAGEOBJECT, line: bool) -> Option<[u8; 3]> {
        let ([red, green, blue], alpha) = self.paint(object, line);
        let on_white = |part: u32| u8::try_from(255 - (255 - part) * alpha / 255).unwrap_or(0);
        (alpha > 0).then(|| [red, green, blue].map(on_white))
    }

    /// The colour of an object's area or of its line; none where nothing of it is seen.
    pub(super) fn colour(&self, object: FPDF_PAGEOBJECT, line: bool) -> Option<[u8; 3]> {
        let (colour, alpha) = self.paint(object, line);
        let colour = colour.map(|part| u8::try_from(part).unwrap_or(u8::MAX));
        (alpha > 0).then_some(colour)
    }

    /// Red, green and blue, and how little is seen through them, from 0 to 255.
    fn paint(&self, object: FPDF_PAGEOBJECT, line: bool) -> ([u32; 3], u32) {
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
        ([red, green, blue].map(|part| part.min(255)), alpha.min(255))
    }
}

/// A matrix of the library.
pub(super) fn matrix(found: &FS_MATRIX) -> Matrix {
    Matrix([found.a, found.b, found.c, found.d, found.e, found.f].map(f64::from))
}
