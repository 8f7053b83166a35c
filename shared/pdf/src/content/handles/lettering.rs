//! Characters of a page, what they are lettered in, and fonts.

use std::ffi::{c_char, c_int};

use pdfium_render::prelude::{FPDF_FONT, FPDF_PAGEOBJECT, FS_MATRIX};
use task::matrix::Matrix;

use super::{Leaf, nowhere};

/// `FPDF_TEXTRENDERMODE_INVISIBLE` and `FPDF_TEXTRENDERMODE_CLIP`.
const HIDDEN: [c_int; 2] = [3, 7];
/// `FPDF_TEXTRENDERMODE_STROKE`.
const OUTLINED: c_int = 1;
/// Longest name of a font.
const NAME: usize = 256;

/// A character as the library found it, in the coordinates of the page before it is turned.
pub(in super::super) struct Glyph {
    /// Its code point, or the code that its font draws it by.
    pub(in super::super) code: u32,
    /// Whether the font says of that code what it means.
    pub(in super::super) is_known: bool,
    /// Where it stands.
    pub(in super::super) origin: (f64, f64),
    /// How its font's space is turned and scaled.
    pub(in super::super) matrix: Matrix,
    /// Its advance by the font's ascent and descent, for upright text only: left, bottom, right, top.
    pub(in super::super) loose: [f32; 4],
    /// What is inked: left, bottom, right, top.
    pub(in super::super) tight: [f64; 4],
    /// What it was drawn with; the same for all characters of one piece of text.
    pub(in super::super) object: FPDF_PAGEOBJECT,
}

/// How a piece of text is lettered.
pub(in super::super) struct Lettering {
    /// Before it is scaled by the matrix.
    pub(in super::super) size: f32,
    /// Which font, for as long as the page is open.
    pub(in super::super) font: FPDF_FONT,
    /// Red, green and blue.
    pub(in super::super) colour: [u8; 3],
    /// Whether it is drawn invisibly.
    pub(in super::super) is_hidden: bool,
}

/// What a document says of a font.
#[derive(Default)]
pub(in super::super) struct Face {
    /// As the document names it.
    pub(in super::super) name: String,
    /// As the font names its family.
    pub(in super::super) family: String,
    /// The flags of its descriptor.
    pub(in super::super) flags: u32,
    /// 400 is regular, 700 bold; 0 or less is unknown.
    pub(in super::super) weight: i32,
    /// Degrees; slanted fonts have less than 0.
    pub(in super::super) slant: i32,
}

impl Leaf<'_> {
    /// How many characters there are, those that the library put in itself included.
    pub(in super::super) fn glyphs(&self) -> i32 {
        if self.text.is_null() {
            return 0;
        }
        // SAFETY: the text is open.
        unsafe { self.bindings().FPDFText_CountChars(self.text) }
    }

    /// A character; none where the library put it in itself to end a line. Spaces that it put in between words have no width.
    pub(in super::super) fn glyph(&self, index: i32) -> Option<Glyph> {
        let bindings = self.bindings();
        // SAFETY: the text is open, and an index that is out of bounds has no object.
        let (object, code, unknown) = unsafe {
            let object = bindings.FPDFText_GetTextObject(self.text, index);
            let code = bindings.FPDFText_GetUnicode(self.text, index);
            (
                object,
                code,
                bindings.FPDFText_HasUnicodeMapError(self.text, index),
            )
        };
        if object.is_null() {
            return None;
        }
        let matrix = self.matrix(index)?;
        let origin = self.origin(index);
        let (loose, tight) = (self.loose(index), self.tight(index));
        Some(Glyph {
            code,
            is_known: unknown != 1,
            origin,
            matrix,
            loose,
            tight,
            object,
        })
    }

    /// Whether it is a space that the library put in between two pieces of text: it drops those that are drawn alone.
    pub(in super::super) fn is_parting(&self, index: i32) -> bool {
        let bindings = self.bindings();
        // SAFETY: the text is open, and an index that is out of bounds has no object and no code.
        let (object, code) = unsafe {
            let object = bindings.FPDFText_GetTextObject(self.text, index);
            (object, bindings.FPDFText_GetUnicode(self.text, index))
        };
        object.is_null() && code == u32::from(' ')
    }

    fn matrix(&self, index: i32) -> Option<Matrix> {
        let mut matrix = FS_MATRIX {
            a: 1.0,
            b: 0.0,
            c: 0.0,
            d: 1.0,
            e: 0.0,
            f: 0.0,
        };
        let bindings = self.bindings();
        // SAFETY: the text is open and the matrix is ours.
        let known = unsafe { bindings.FPDFText_GetMatrix(self.text, index, &raw mut matrix) };
        (known != 0).then(|| super::drawing::matrix(&matrix))
    }

    fn origin(&self, index: i32) -> (f64, f64) {
        let (mut x, mut y) = (0.0, 0.0);
        let bindings = self.bindings();
        // SAFETY: the text is open and the numbers are ours.
        unsafe { bindings.FPDFText_GetCharOrigin(self.text, index, &raw mut x, &raw mut y) };
        (x, y)
    }

    fn loose(&self, index: i32) -> [f32; 4] {
        let mut rect = nowhere();
        let bindings = self.bindings();
        // SAFETY: the text is open and the rectangle is ours.
        unsafe { bindings.FPDFText_GetLooseCharBox(self.text, index, &raw mut rect) };
        [rect.left, rect.bottom, rect.right, rect.top]
    }

    fn tight(&self, index: i32) -> [f64; 4] {
        let (mut left, mut right, mut bottom, mut top) = (0.0, 0.0, 0.0, 0.0);
        // SAFETY: the text is open and the numbers are ours.
        unsafe {
            self.bindings().FPDFText_GetCharBox(
                self.text,
                index,
                &raw mut left,
                &raw mut right,
                &raw mut bottom,
                &raw mut top,
            );
        }
        [left, bottom, right, top]
    }

    /// How a piece of text of this page is lettered.
    pub(in super::super) fn lettering(&self, object: FPDF_PAGEOBJECT) -> Lettering {
        let bindings = self.bindings();
        let mut size = 0.0;
        // SAFETY: the object is one of this page, which is open, and the number is ours.
        let (font, mode) = unsafe {
            bindings.FPDFTextObj_GetFontSize(object, &raw mut size);
            let font = bindings.FPDFTextObj_GetFont(object);
            (font, bindings.FPDFTextObj_GetTextRenderMode(object))
        };
        Lettering {
            size,
            font,
            colour: self.colour(object, mode == OUTLINED).unwrap_or_default(),
            is_hidden: HIDDEN.contains(&mode),
        }
    }

    /// How wide a font of this page makes a character, in parts of its size; none where it does not know.
    pub(in super::super) fn width(&self, font: FPDF_FONT, code: u32) -> Option<f32> {
        if font.is_null() {
            return None;
        }
        let mut width = 0.0;
        // SAFETY: the font is one of this page, which is open, and the number is ours.
        unsafe {
            self.bindings()
                .FPDFFont_GetGlyphWidth(font, code, 1.0, &raw mut width)
        };
        (width > 0.0).then_some(width)
    }

    /// What the document says of a font of this page.
    pub(in super::super) fn face(&self, font: FPDF_FONT) -> Face {
        if font.is_null() {
            return Face::default();
        }
        let bindings = self.bindings();
        let mut slant = 0;
        // SAFETY: the font is one of this page, which is open; the buffers are as long as said, and the number is ours.
        unsafe {
            bindings.FPDFFont_GetItalicAngle(font, &raw mut slant);
            Face {
                name: name(|buffer| bindings.FPDFFont_GetBaseFontName(font, buffer, NAME)),
                family: name(|buffer| bindings.FPDFFont_GetFamilyName(font, buffer, NAME)),
                flags: u32::try_from(bindings.FPDFFont_GetFlags(font)).unwrap_or(0),
                weight: bindings.FPDFFont_GetWeight(font),
                slant,
            }
        }
    }
}

/// A name that `fill` writes with a zero behind it, and answers with how long it is.
fn name(fill: impl FnOnce(*mut c_char) -> usize) -> String {
    let mut bytes = [0_u8; NAME];
    let length = fill(bytes.as_mut_ptr().cast());
    let bytes = bytes.get(..length.saturating_sub(1)).unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}
