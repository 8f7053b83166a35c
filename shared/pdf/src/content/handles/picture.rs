//! Pictures of a page as files hold them, or as pixels.

use std::ffi::{c_int, c_ulong, c_void};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ptr::null_mut;

use image::RgbaImage;
use pdfium_render::prelude::{FPDF_BITMAP, FPDF_IMAGEOBJ_METADATA, FPDF_PAGEOBJECT, FS_MATRIX};

use super::Leaf;
use crate::content::likeness;
use crate::content::view::View;

/// Most pixels of a picture; larger ones are made smaller.
const PIXELS: f64 = 40_000_000.0;
/// The sides of what tells what a picture looks like, and whether something of it is transparent.
const TRIED: (u32, u32) = (64, 64);
const TRIED_WIDTH: usize = 64;
/// `FPDF_COLORSPACE_DEVICEGRAY`, `FPDF_COLORSPACE_DEVICERGB` and `FPDF_COLORSPACE_ICCBASED`: what is meant by a JPEG file of
/// one or three colours that says nothing of them.
const PLAIN: [c_int; 3] = [1, 2, 7];
/// Most bytes of a file in a document.
const BYTES: usize = 256 << 20;
/// `FPDFBitmap_Gray`, `FPDFBitmap_BGR`, `FPDFBitmap_BGRx` and `FPDFBitmap_BGRA`, and the bytes of a pixel.
const FORMATS: [(c_int, usize); 4] = [(1, 1), (2, 3), (3, 4), (4, 4)];
const WITH_ALPHA: c_int = 4;

/// A picture.
pub(in super::super) enum Image {
    /// A JPEG file of one or three colours, with nothing transparent.
    Jpeg {
        bytes: Vec<u8>,
        width: u32,
        height: u32,
    },
    /// A PNG file.
    Png {
        bytes: Vec<u8>,
        width: u32,
        height: u32,
    },
    /// Red, green, blue and alpha of each pixel, row by row.
    Pixels {
        rgba: Vec<u8>,
        width: u32,
        height: u32,
    },
}

/// What is known of a picture before it is read.
pub(in super::super) struct Sight {
    sides: (u32, u32),
    /// What the document holds, unless that is too much.
    data: Option<Vec<u8>>,
    /// It made small: red, green, blue and alpha of each pixel.
    small: Vec<u8>,
}

impl Sight {
    /// What tells the picture from others, shown like this; none where only all of its pixels do, as masks are their own data.
    pub(in super::super) fn key(&self, view: &View) -> Option<u64> {
        let mut hasher = DefaultHasher::new();
        let data = self.data.as_ref().filter(|_| self.is_opaque())?;
        (self.sides, data, &self.small, view).hash(&mut hasher);
        Some(hasher.finish())
    }

    fn is_opaque(&self) -> bool {
        let mut pixels = self.small.chunks_exact(4);
        pixels.all(|pixel| pixel.last() == Some(&u8::MAX))
    }
}

impl Leaf<'_> {
    /// A first look at a picture that is drawn on the page; none where it cannot be read.
    pub(in super::super) fn sight(&self, object: FPDF_PAGEOBJECT) -> Option<Sight> {
        Some(Sight {
            sides: self.sides(object)?,
            data: self.data(object),
            small: self.rendered(object, TRIED)?,
        })
    }

    /// Such a picture as it is shown; none where it cannot be read.
    pub(in super::super) fn image(
        &self,
        object: FPDF_PAGEOBJECT,
        sight: Sight,
        view: &View,
    ) -> Option<Image> {
        let (width, height) = sight.sides;
        let is_file = view.is_plain() && self.is_file(object, &sight);
        if let Some(bytes) = sight.data.filter(|_| is_file) {
            return Some(Image::Jpeg {
                bytes,
                width,
                height,
            });
        }
        let pixels = f64::from(width) * f64::from(height);
        let scale = (PIXELS / pixels).sqrt().min(1.0);
        let side = |side: u32| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "it is no more than it was"
            )]
            let side = (f64::from(side) * scale).round() as u32;
            side.max(1)
        };
        let (width, height) = (side(width), side(height));
        let rgba = self.rendered(object, (width, height))?;
        let shown = view.applied(RgbaImage::from_raw(width, height, rgba)?);
        let (width, height) = shown.dimensions();
        Some(Image::Pixels {
            rgba: shown.into_raw(),
            width,
            height,
        })
    }

    fn sides(&self, object: FPDF_PAGEOBJECT) -> Option<(u32, u32)> {
        let (mut width, mut height) = (0, 0);
        // SAFETY: the object is an image of this page, which is open, and the numbers are ours.
        let known = unsafe {
            self.bindings()
                .FPDFImageObj_GetImagePixelSize(object, &raw mut width, &raw mut height)
        };
        (known != 0 && width > 0 && height > 0).then_some((width, height))
    }

    /// Whether what the document holds is a file that everything shows like the picture.
    fn is_file(&self, object: FPDF_PAGEOBJECT, sight: &Sight) -> bool {
        let shows = |data: &Vec<u8>| {
            matches!(colours(data), Some(1 | 3)) && likeness::shows(data, &sight.small, TRIED_WIDTH)
        };
        self.filter(object).as_deref() == Some("DCTDecode")
            && self.has_plain_colours(object)
            && sight.is_opaque()
            && sight.data.as_ref().is_some_and(shows)
    }

    fn has_plain_colours(&self, object: FPDF_PAGEOBJECT) -> bool {
        let mut facts = FPDF_IMAGEOBJ_METADATA {
            width: 0,
            height: 0,
            horizontal_dpi: 0.0,
            vertical_dpi: 0.0,
            bits_per_pixel: 0,
            colorspace: 0,
            marked_content_id: 0,
        };
        let bindings = self.bindings();
        // SAFETY: the object is an image of this page, which is open, and the facts are ours.
        let known = unsafe {
            bindings.FPDFImageObj_GetImageMetadata(object, self.handle, &raw mut facts) != 0
        };
        known && PLAIN.contains(&facts.colorspace)
    }

    fn data(&self, object: FPDF_PAGEOBJECT) -> Option<Vec<u8>> {
        let bindings = self.bindings();
        // SAFETY: the object is an image of this page, which is open.
        let length = unsafe { bindings.FPDFImageObj_GetImageDataRaw(object, null_mut(), 0) };
        let size = usize::try_from(length).ok().filter(|size| *size <= BYTES)?;
        let mut bytes = vec![0; size];
        // SAFETY: the object is an image of this page, which is open; the buffer is as long as said.
        let written = unsafe {
            bindings.FPDFImageObj_GetImageDataRaw(object, bytes.as_mut_ptr().cast(), length)
        };
        (written == length).then_some(bytes)
    }

    /// The only filter of a picture.
    fn filter(&self, object: FPDF_PAGEOBJECT) -> Option<String> {
        let bindings = self.bindings();
        let mut name = [0_u8; 32];
        let length = c_ulong::try_from(name.len()).ok()?;
        // SAFETY: the object is an image of this page, which is open; the buffer is as long as said.
        let length = unsafe {
            if bindings.FPDFImageObj_GetImageFilterCount(object) != 1 {
                return None;
            }
            bindings.FPDFImageObj_GetImageFilter(object, 0, name.as_mut_ptr().cast(), length)
        };
        let name = name.get(..usize::try_from(length).ok()?.checked_sub(1)?)?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// The pixels of a picture upright, with what its mask leaves out transparent.
    fn rendered(&self, object: FPDF_PAGEOBJECT, (width, height): (u32, u32)) -> Option<Vec<u8>> {
        let bindings = self.bindings();
        let (mut own, upright) = (scaled(1, 1), scaled(width, height));
        // SAFETY: the object is an image of this page, which is open, and gets its own place back; the bitmap is closed below.
        let bitmap = unsafe {
            bindings.FPDFPageObj_GetMatrix(object, &raw mut own);
            bindings.FPDFPageObj_SetMatrix(object, &raw const upright);
            let bitmap =
                bindings.FPDFImageObj_GetRenderedBitmap(self.document.handle, self.handle, object);
            bindings.FPDFPageObj_SetMatrix(object, &raw const own);
            bitmap
        };
        if bitmap.is_null() {
            return None;
        }
        let pixels = self.read(bitmap, (width, height));
        // SAFETY: it was made above, and nothing of it is left.
        unsafe { bindings.FPDFBitmap_Destroy(bitmap) };
        pixels
    }

    fn read(&self, bitmap: FPDF_BITMAP, (width, height): (u32, u32)) -> Option<Vec<u8>> {
        let bindings = self.bindings();
        // SAFETY: the bitmap is open.
        let (format, stride, sides, buffer) = unsafe {
            let sides = (
                bindings.FPDFBitmap_GetWidth(bitmap),
                bindings.FPDFBitmap_GetHeight(bitmap),
            );
            (
                bindings.FPDFBitmap_GetFormat(bitmap),
                usize::try_from(bindings.FPDFBitmap_GetStride(bitmap)).ok()?,
                sides,
                bindings.FPDFBitmap_GetBuffer(bitmap),
            )
        };
        let (_, bytes) = FORMATS.into_iter().find(|(known, _)| *known == format)?;
        let is_whole = sides == (i32::try_from(width).ok()?, i32::try_from(height).ok()?);
        let (width, height) = (usize::try_from(width).ok()?, usize::try_from(height).ok()?);
        if !is_whole || buffer.is_null() || stride < width * bytes {
            return None;
        }
        let mut rgba = Vec::with_capacity(width * height * 4);
        for row in 0..height {
            // SAFETY: the bitmap is open and has so many rows, each as long as its stride, which is no less than its pixels.
            let row = unsafe { row_of(buffer, row * stride, width * bytes) };
            rgba.extend(
                row.chunks_exact(bytes)
                    .flat_map(|pixel| colour(pixel, format)),
            );
        }
        Some(rgba)
    }
}

/// The matrix that makes the unit square so many units wide and high.
fn scaled(width: u32, height: u32) -> FS_MATRIX {
    #[expect(clippy::cast_precision_loss, reason = "pictures are smaller")]
    let (a, d) = (width as f32, height as f32);
    FS_MATRIX {
        a,
        b: 0.0,
        c: 0.0,
        d,
        e: 0.0,
        f: 0.0,
    }
}

/// # Safety
/// So many bytes are there, and stay as they are while they are read.
unsafe fn row_of<'b>(buffer: *const c_void, from: usize, length: usize) -> &'b [u8] {
    // SAFETY: as said above.
    unsafe { std::slice::from_raw_parts(buffer.cast::<u8>().add(from), length) }
}

fn colour(pixel: &[u8], format: c_int) -> [u8; 4] {
    match *pixel {
        [blue, green, red, alpha] if format == WITH_ALPHA => [red, green, blue, alpha],
        [blue, green, red, ..] => [red, green, blue, u8::MAX],
        [grey, ..] => [grey, grey, grey, u8::MAX],
        [] => [u8::MAX; 4],
    }
}

/// How many colours a JPEG file has: what its first frame says.
fn colours(bytes: &[u8]) -> Option<u8> {
    let mut rest = bytes.strip_prefix(&[0xff, 0xd8])?;
    loop {
        let [0xff, marker, behind @ ..] = rest else {
            return None;
        };
        match marker {
            0xff => rest = rest.get(1..)?,
            0x01 | 0xd0..=0xd8 => rest = behind,
            0xc0..=0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => {
                return behind.get(7).copied();
            }
            0xd9 | 0xda => return None,
            _ => {
                let [high, low, ..] = behind else { return None };
                rest = behind.get(usize::from(u16::from_be_bytes([*high, *low])).max(2)..)?;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_frame_tells_how_many_colours_there_are() {
        let file = |colours: u8| {
            let mut file = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc0];
            file.extend([0, 17, 8, 0, 9, 0, 9, colours]);
            file
        };
        assert_eq!(colours(&file(3)), Some(3));
        assert_eq!(colours(&file(4)), Some(4));
        assert_eq!(colours(&file(4)[..12]), None);
        assert_eq!(colours(&[0xff, 0xd8, 0xff, 0xe0, 0, 0]), None);
        assert_eq!(colours(b"GIF89a"), None);
    }
}
