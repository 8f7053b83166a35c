//! Page objects other than text: paths, images, and form XObjects.

use pdfium_render::prelude::{
    FPDF_CLIPPATH, FPDF_PAGEOBJ_FORM, FPDF_PAGEOBJ_IMAGE, FPDF_PAGEOBJ_PATH, FPDF_PAGEOBJ_TEXT,
    FS_MATRIX,
};
use task::matrix::Matrix;

use super::{PageHandle, PageObject};

/// `FPDF_SEGMENT_LINETO` and `FPDF_SEGMENT_MOVETO`.
const LINE: i32 = 0;
const MOVE: i32 = 2;
/// Maximum number of clip paths of an object, and of segments of such a path.
const MAX_CLIPS: i32 = 8;
const MAX_CLIP_SEGMENTS: i32 = 64;
/// `FPDF_FILLMODE_ALTERNATE`.
const EVEN_ODD: i32 = 1;
/// Maximum number of dashes and gaps of a dash pattern.
const MAX_DASHES: usize = 16;

/// A page object.
pub(in super::super) enum Drawing<'p> {
    /// A path, and the matrix of its coordinates.
    Shape(Shape<'p>, Matrix),
    /// An image, and the matrix of the unit square.
    Picture(PageObject<'p>, Matrix),
    /// A form XObject, and its matrix.
    Form(PageObject<'p>, Matrix),
    /// A text object.
    Text(PageObject<'p>),
    /// A shading, or an unknown object.
    Other,
}

/// Painting of a path.
pub(in super::super) struct Shape<'p> {
    pub(in super::super) object: PageObject<'p>,
    /// The fill color, if it is filled.
    pub(in super::super) fill: Option<[u8; 3]>,
    /// Whether it is filled by the even-odd rule.
    pub(in super::super) is_even_odd: bool,
    /// Color and width of the stroke, if it is stroked.
    pub(in super::super) line: Option<([u8; 3], f32)>,
    /// Alternating lengths of dashes and gaps; empty for a solid line.
    pub(in super::super) dashes: Vec<f32>,
    /// Number of segments.
    pub(in super::super) segments: i32,
}

/// A path segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in super::super) enum Segment {
    /// Starts a subpath at this point.
    Move((f64, f64)),
    /// A straight line to this point.
    Line((f64, f64)),
    /// A point of a cubic Bézier curve: two control points and the end point follow each other.
    Curve((f64, f64)),
    /// Closes the subpath.
    Close,
}

impl PageHandle<'_> {
    /// Number of page objects.
    pub(in super::super) fn object_count(&self) -> i32 {
        // SAFETY: the page is open.
        unsafe { self.bindings().FPDFPage_CountObjects(self.handle) }
    }

    /// Returns a page object.
    pub(in super::super) fn object(&self, index: i32) -> Drawing<'_> {
        // SAFETY: the page is open, and an index that is out of bounds has no object.
        let object = unsafe { self.bindings().FPDFPage_GetObject(self.handle, index) };
        PageObject::of(self, object).map_or(Drawing::Other, PageObject::drawing)
    }
}

impl<'p> PageObject<'p> {
    /// Number of page objects of a form XObject.
    pub(in super::super) fn object_count(self) -> i32 {
        // SAFETY: the page of the form is open.
        unsafe { self.bindings().FPDFFormObj_CountObjects(self.handle) }
    }

    /// Returns a page object of a form XObject.
    pub(in super::super) fn object(self, index: i32) -> Drawing<'p> {
        let index = index.unsigned_abs().into();
        // SAFETY: the page of the form is open, and an index that is out of bounds has no object.
        let object = unsafe { self.bindings().FPDFFormObj_GetObject(self.handle, index) };
        PageObject::of(self.page, object).map_or(Drawing::Other, PageObject::drawing)
    }

    fn drawing(self) -> Drawing<'p> {
        // SAFETY: the page of the object is open.
        let kind = unsafe { self.bindings().FPDFPageObj_GetType(self.handle) };
        match u32::try_from(kind).unwrap_or(0) {
            FPDF_PAGEOBJ_PATH => Drawing::Shape(self.shape(), self.matrix()),
            FPDF_PAGEOBJ_IMAGE => Drawing::Picture(self, self.matrix()),
            FPDF_PAGEOBJ_TEXT => Drawing::Text(self),
            FPDF_PAGEOBJ_FORM => Drawing::Form(self, self.matrix()),
            _ => Drawing::Other,
        }
    }

    /// Returns the matrix of the object.
    pub(super) fn matrix(self) -> Matrix {
        let mut found = FS_MATRIX {
            a: 1.0,
            b: 0.0,
            c: 0.0,
            d: 1.0,
            e: 0.0,
            f: 0.0,
        };
        // SAFETY: the page of the object is open, and the matrix is a local variable.
        unsafe {
            self.bindings()
                .FPDFPageObj_GetMatrix(self.handle, &raw mut found)
        };
        matrix(&found)
    }

    fn shape(self) -> Shape<'p> {
        let (bindings, object) = (self.bindings(), self.handle);
        let (mut mode, mut stroked, mut width) = (0, 0, 0.0);
        // SAFETY: the object is a path whose page is open, and the numbers are local variables.
        let segments = unsafe {
            bindings.FPDFPath_GetDrawMode(object, &raw mut mode, &raw mut stroked);
            bindings.FPDFPageObj_GetStrokeWidth(object, &raw mut width);
            bindings.FPDFPath_CountSegments(object)
        };
        let fill = (mode != 0).then(|| self.color_on_white(false)).flatten();
        let line = (stroked != 0).then(|| self.color_on_white(true)).flatten();
        let line = line.map(|color| (color, width));
        Shape {
            object: self,
            fill,
            is_even_odd: mode == EVEN_ODD,
            dashes: line.map_or_else(Vec::new, |_| self.dashes()),
            line,
            segments,
        }
    }

    fn dashes(self) -> Vec<f32> {
        let (bindings, object) = (self.bindings(), self.handle);
        let mut dashes = [0.0; MAX_DASHES];
        // SAFETY: the object is a path whose page is open, and the buffer has room for `count` numbers.
        let count = unsafe {
            let count = bindings.FPDFPageObj_GetDashCount(object);
            let count = usize::try_from(count).unwrap_or(0);
            match (1..=MAX_DASHES).contains(&count)
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

    /// Returns a segment of a path, and a `Close` if it closes the subpath.
    pub(in super::super) fn segment(self, index: i32) -> Option<(Segment, Option<Segment>)> {
        let bindings = self.bindings();
        let (mut x, mut y) = (0.0, 0.0);
        // SAFETY: the page of the path is open; an index that is out of bounds has no segment.
        let (kind, closes) = unsafe {
            let segment = bindings.FPDFPath_GetPathSegment(self.handle, index);
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

    /// Returns the clip of the object: opposite corners of the bounding box of each clip path, in user space.
    pub(in super::super) fn clips(self) -> Vec<[(f64, f64); 2]> {
        let bindings = self.bindings();
        // SAFETY: the page of the object is open; its clip path belongs to it.
        let (clip, count) = unsafe {
            let clip = bindings.FPDFPageObj_GetClipPath(self.handle);
            (clip, bindings.FPDFClipPath_CountPaths(clip))
        };
        let paths = (0..count.min(MAX_CLIPS)).filter_map(|path| self.clip(clip, path));
        paths.collect()
    }

    fn clip(self, clip: FPDF_CLIPPATH, path: i32) -> Option<[(f64, f64); 2]> {
        let bindings = self.bindings();
        // SAFETY: the clip path belongs to this object, whose page is open.
        let count = unsafe { bindings.FPDFClipPath_CountPathSegments(clip, path) };
        let points = (0..count.min(MAX_CLIP_SEGMENTS)).filter_map(|index| {
            let (mut x, mut y) = (0.0, 0.0);
            // SAFETY: as above, and the numbers are local variables; an index that is out of bounds has no segment.
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
        // With more segments than the limit, the extent is unknown.
        around.filter(|_| count <= MAX_CLIP_SEGMENTS)
    }

    /// Returns the fill or stroke color, blended with white paper; `None` if it is fully transparent.
    fn color_on_white(self, line: bool) -> Option<[u8; 3]> {
        let ([red, green, blue], alpha) = self.paint(line);
        let on_white = |part: u32| u8::try_from(255 - (255 - part) * alpha / 255).unwrap_or(0);
        (alpha > 0).then(|| [red, green, blue].map(on_white))
    }

    /// Returns the fill or stroke color; `None` if it is fully transparent.
    pub(super) fn color(self, line: bool) -> Option<[u8; 3]> {
        let (color, alpha) = self.paint(line);
        let color = color.map(|part| u8::try_from(part).unwrap_or(u8::MAX));
        (alpha > 0).then_some(color)
    }

    /// Returns the color and the opacity, from 0 to 255.
    fn paint(self, line: bool) -> ([u32; 3], u32) {
        let [mut red, mut green, mut blue, mut alpha] = [0, 0, 0, 255];
        let (bindings, object) = (self.bindings(), self.handle);
        let (r, g, b, a) = (&raw mut red, &raw mut green, &raw mut blue, &raw mut alpha);
        // SAFETY: the page of the object is open, and the numbers are local variables.
        unsafe {
            match line {
                false => bindings.FPDFPageObj_GetFillColor(object, r, g, b, a),
                true => bindings.FPDFPageObj_GetStrokeColor(object, r, g, b, a),
            };
        }
        ([red, green, blue].map(|part| part.min(255)), alpha.min(255))
    }
}

/// Converts a matrix of PDFium.
pub(super) fn matrix(found: &FS_MATRIX) -> Matrix {
    Matrix([found.a, found.b, found.c, found.d, found.e, found.f].map(f64::from))
}
