//! Characters of a page, their text state, and fonts.

use std::ffi::{c_char, c_int};

use pdfium_render::prelude::{FPDF_FONT, FS_MATRIX, PdfiumLibraryBindings};
use task::matrix::Matrix;

use super::{PageHandle, PageObject, empty_rect};

/// `FPDF_TEXTRENDERMODE_INVISIBLE` and `FPDF_TEXTRENDERMODE_CLIP`.
const HIDDEN: [c_int; 2] = [3, 7];
/// `FPDF_TEXTRENDERMODE_STROKE`.
const OUTLINED: c_int = 1;
/// Maximum length of a font name.
const MAX_NAME: usize = 256;
/// Maximum size of a font program in bytes.
const MAX_PROGRAM: usize = 64 * 1024 * 1024;

/// A character as PDFium extracts it, in user space.
pub(in super::super) struct Glyph<'p> {
    /// Its Unicode code point, or its character code if the font has no mapping.
    pub(in super::super) code: u32,
    /// Whether the font maps the code to Unicode.
    pub(in super::super) is_known: bool,
    /// The origin on the baseline.
    pub(in super::super) origin: (f64, f64),
    /// Rotation and scale of its font.
    pub(in super::super) matrix: Matrix,
    /// Its bounds by advance, ascent and descent, valid for horizontal text only: left, bottom, right, top.
    pub(in super::super) loose_bounds: [f32; 4],
    /// The ink bounds: left, bottom, right, top.
    pub(in super::super) ink_bounds: [f64; 4],
    /// The text object, shared by all its characters.
    pub(in super::super) object: PageObject<'p>,
}

/// Text state of a text object.
pub(in super::super) struct TextState<'p> {
    /// Font size before scaling by the matrix.
    pub(in super::super) size: f32,
    /// The font.
    pub(in super::super) font: FontHandle<'p>,
    /// Red, green and blue.
    pub(in super::super) color: [u8; 3],
    /// Whether the rendering mode paints nothing.
    pub(in super::super) is_hidden: bool,
}

/// A font of an open page; null if a text object has none.
#[derive(Clone, Copy)]
pub(in super::super) struct FontHandle<'p> {
    page: &'p PageHandle<'p>,
    handle: FPDF_FONT,
}

/// Properties of a font.
#[derive(Default)]
pub(in super::super) struct FontDescription {
    /// The name in the document.
    pub(in super::super) name: String,
    /// The family name in the font itself.
    pub(in super::super) family: String,
    /// The font descriptor flags.
    pub(in super::super) flags: u32,
    /// 400 is regular, 700 is bold; 0 or less is unknown.
    pub(in super::super) weight: i32,
    /// Italic angle in degrees; negative for slanted fonts.
    pub(in super::super) slant: i32,
}

impl PageHandle<'_> {
    /// Number of characters, including those that PDFium generates.
    pub(in super::super) fn glyphs(&self) -> i32 {
        if self.text.is_null() {
            return 0;
        }
        // SAFETY: the text is open.
        unsafe { self.bindings().FPDFText_CountChars(self.text) }
    }

    /// Returns a character; `None` for line ends and spaces that PDFium generates without a text object.
    pub(in super::super) fn glyph(&self, index: i32) -> Option<Glyph<'_>> {
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
        let object = PageObject::of(self, object)?;
        let matrix = self.matrix(index)?;
        let origin = self.origin(index);
        let (loose_bounds, ink_bounds) = (self.loose_bounds(index), self.ink_bounds(index));
        Some(Glyph {
            code,
            is_known: unknown != 1,
            origin,
            matrix,
            loose_bounds,
            ink_bounds,
            object,
        })
    }

    /// Whether it is a space that PDFium generated between two text objects: it drops text objects that are only spaces.
    pub(in super::super) fn is_generated_space(&self, index: i32) -> bool {
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
        // SAFETY: the text is open and the matrix is a local variable.
        let known = unsafe { bindings.FPDFText_GetMatrix(self.text, index, &raw mut matrix) };
        (known != 0).then(|| super::drawing::matrix(&matrix))
    }

    fn origin(&self, index: i32) -> (f64, f64) {
        let (mut x, mut y) = (0.0, 0.0);
        let bindings = self.bindings();
        // SAFETY: the text is open and the numbers are local variables.
        unsafe { bindings.FPDFText_GetCharOrigin(self.text, index, &raw mut x, &raw mut y) };
        (x, y)
    }

    fn loose_bounds(&self, index: i32) -> [f32; 4] {
        let mut rect = empty_rect();
        let bindings = self.bindings();
        // SAFETY: the text is open and the rectangle is a local variable.
        unsafe { bindings.FPDFText_GetLooseCharBox(self.text, index, &raw mut rect) };
        [rect.left, rect.bottom, rect.right, rect.top]
    }

    fn ink_bounds(&self, index: i32) -> [f64; 4] {
        let (mut left, mut right, mut bottom, mut top) = (0.0, 0.0, 0.0, 0.0);
        // SAFETY: the text is open and the numbers are local variables.
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
}

impl<'p> PageObject<'p> {
    /// Returns the ink bounds: left, bottom, right, top, in the coordinates of its page or form XObject.
    pub(in super::super) fn ink(self) -> [f64; 4] {
        let (mut left, mut bottom, mut right, mut top) = (0.0, 0.0, 0.0, 0.0);
        // SAFETY: the page of the object is open, and the numbers are local variables.
        unsafe {
            self.bindings().FPDFPageObj_GetBounds(
                self.handle,
                &raw mut left,
                &raw mut bottom,
                &raw mut right,
                &raw mut top,
            );
        }
        [left, bottom, right, top].map(f64::from)
    }

    /// Returns the origin of the first character of a text object, in the coordinates of its page or form XObject.
    pub(in super::super) fn origin(self) -> (f64, f64) {
        let Matrix([_, _, _, _, x, y]) = self.matrix();
        (x, y)
    }

    /// Returns the text state of a text object.
    pub(in super::super) fn text_state(self) -> TextState<'p> {
        let (bindings, object) = (self.bindings(), self.handle);
        let mut size = 0.0;
        // SAFETY: the page of the object is open, and the number is a local variable.
        let (font, mode) = unsafe {
            bindings.FPDFTextObj_GetFontSize(object, &raw mut size);
            let font = bindings.FPDFTextObj_GetFont(object);
            (font, bindings.FPDFTextObj_GetTextRenderMode(object))
        };
        TextState {
            size,
            font: FontHandle {
                page: self.page,
                handle: font,
            },
            color: self.color(mode == OUTLINED).unwrap_or_default(),
            is_hidden: HIDDEN.contains(&mode),
        }
    }
}

impl FontHandle<'_> {
    /// Identifies the font as long as the page is open.
    pub(in super::super) fn address(self) -> usize {
        self.handle.addr()
    }

    fn bindings(self) -> &'static dyn PdfiumLibraryBindings {
        self.page.bindings()
    }

    /// Returns the advance width of a character relative to the font size, if the font has it.
    pub(in super::super) fn width(self, code: u32) -> Option<f32> {
        if self.handle.is_null() {
            return None;
        }
        let mut width = 0.0;
        // SAFETY: the page of the font is open, and the number is a local variable.
        unsafe {
            self.bindings()
                .FPDFFont_GetGlyphWidth(self.handle, code, 1.0, &raw mut width)
        };
        (width > 0.0).then_some(width)
    }

    /// Returns the size of the embedded font program in bytes; 0 without one.
    pub(in super::super) fn program_size(self) -> usize {
        self.read_program(&mut [])
    }

    /// Returns the embedded font program; empty without one.
    pub(in super::super) fn program(self) -> Vec<u8> {
        let mut program = vec![0; self.program_size().min(MAX_PROGRAM)];
        let size = self.read_program(&mut program);
        if size != program.len() {
            program.clear();
        }
        program
    }

    /// Writes the font program to a buffer that is large enough, and returns its size.
    fn read_program(self, buffer: &mut [u8]) -> usize {
        if self.handle.is_null() {
            return 0;
        }
        let (bindings, font) = (self.bindings(), self.handle);
        let mut size = 0;
        // SAFETY: the page of the font is open; the buffer has the given length, and the number is a local variable.
        unsafe {
            // Otherwise, PDFium returns the program of a substitute.
            if bindings.FPDFFont_GetIsEmbedded(font) == 1 {
                let (start, length) = (buffer.as_mut_ptr(), buffer.len());
                bindings.FPDFFont_GetFontData(font, start, length, &raw mut size);
            }
        }
        size
    }

    /// Returns the properties of the font.
    pub(in super::super) fn description(self) -> FontDescription {
        if self.handle.is_null() {
            return FontDescription::default();
        }
        let (bindings, font) = (self.bindings(), self.handle);
        let mut slant = 0;
        // SAFETY: the page of the font is open; the buffers have the given lengths, the number is local.
        unsafe {
            bindings.FPDFFont_GetItalicAngle(font, &raw mut slant);
            FontDescription {
                name: name(|buffer| bindings.FPDFFont_GetBaseFontName(font, buffer, MAX_NAME)),
                family: name(|buffer| bindings.FPDFFont_GetFamilyName(font, buffer, MAX_NAME)),
                flags: u32::try_from(bindings.FPDFFont_GetFlags(font)).unwrap_or(0),
                weight: bindings.FPDFFont_GetWeight(font),
                slant,
            }
        }
    }
}

/// Returns the null-terminated name that `fill` writes, with its length as the result.
fn name(fill: impl FnOnce(*mut c_char) -> usize) -> String {
    let mut bytes = [0_u8; MAX_NAME];
    let length = fill(bytes.as_mut_ptr().cast());
    let bytes = bytes.get(..length.saturating_sub(1)).unwrap_or_default();
    String::from_utf8_lossy(bytes).into_owned()
}
