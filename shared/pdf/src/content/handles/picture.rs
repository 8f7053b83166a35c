//! Images of a page as stored files, or as pixels.

use std::ffi::{c_int, c_ulong, c_void};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ptr::null_mut;

use image::RgbaImage;
use pdfium_render::prelude::{
    FPDF_BITMAP, FPDF_IMAGEOBJ_METADATA, FS_MATRIX, PdfiumLibraryBindings,
};

use super::PageObject;
use crate::content::similarity;
use crate::content::view::View;

/// Maximum number of pixels. Larger images are scaled down.
const MAX_PIXELS: f64 = 40_000_000.0;
/// Size of the thumbnail that identifies an image and shows whether it has transparency.
const THUMBNAIL: (u32, u32) = (64, 64);
const THUMBNAIL_WIDTH: usize = 64;
/// `FPDF_COLORSPACE_DEVICEGRAY`, `FPDF_COLORSPACE_DEVICERGB` and `FPDF_COLORSPACE_ICCBASED`: the color spaces that match a JPEG
/// file of one or three components without a color space of its own.
const DEFAULT_COLOR_SPACES: [c_int; 3] = [1, 2, 7];
/// Maximum size of an embedded file, in bytes.
const MAX_FILE_SIZE: usize = 256 << 20;
/// `FPDFBitmap_Gray`, `FPDFBitmap_BGR`, `FPDFBitmap_BGRx` and `FPDFBitmap_BGRA`, with their bytes per pixel.
const FORMATS: [(c_int, usize); 4] = [(1, 1), (2, 3), (3, 4), (4, 4)];
pub(super) const WITHOUT_ALPHA: c_int = 3;
const WITH_ALPHA: c_int = 4;

/// An image.
pub(in super::super) enum Image {
    /// A JPEG file of one or three components, without transparency.
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
    /// RGBA pixels, row by row.
    Pixels {
        rgba: Vec<u8>,
        width: u32,
        height: u32,
    },
}

/// Properties of an image before decoding.
pub(in super::super) struct PicturePreview {
    sides: (u32, u32),
    /// The embedded data, unless it exceeds the limit.
    data: Option<Vec<u8>>,
    /// RGBA pixels of the thumbnail.
    small: Vec<u8>,
}

impl PicturePreview {
    /// Returns a key that identifies the image in this view; `None` for images with transparency, whose mask is not part of the
    /// data, and for images without data.
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

impl PageObject<'_> {
    /// Reads the properties of an image; `None` if it is unreadable.
    pub(in super::super) fn preview(self) -> Option<PicturePreview> {
        Some(PicturePreview {
            sides: self.sides()?,
            data: self.data(),
            small: self.rendered(THUMBNAIL)?,
        })
    }

    /// Returns the image as displayed; `None` if it is unreadable.
    pub(in super::super) fn image(self, preview: PicturePreview, view: &View) -> Option<Image> {
        let (width, height) = preview.sides;
        let is_file = view.is_plain() && self.is_usable_jpeg(&preview);
        if let Some(bytes) = preview.data.filter(|_| is_file) {
            return Some(Image::Jpeg {
                bytes,
                width,
                height,
            });
        }
        let (width, height) = scaled_down((width, height), MAX_PIXELS);
        let rgba = self.rendered((width, height))?;
        let shown = view.applied(RgbaImage::from_raw(width, height, rgba)?);
        let (width, height) = shown.dimensions();
        Some(Image::Pixels {
            rgba: shown.into_raw(),
            width,
            height,
        })
    }

    /// Returns the image as displayed with at most this number of pixels; `None` if it is unreadable.
    pub(in super::super) fn sample(self, pixels: f64, view: &View) -> Option<RgbaImage> {
        let (width, height) = self.sides()?;
        let (width, height) = scaled_down((width, height), pixels);
        let rgba = self.rendered((width, height))?;
        Some(view.applied(RgbaImage::from_raw(width, height, rgba)?))
    }

    /// Returns width and height of an image in pixels.
    pub(in super::super) fn sides(self) -> Option<(u32, u32)> {
        let (mut width, mut height) = (0, 0);
        // SAFETY: the object is an image whose page is open, and the numbers are local variables.
        let known = unsafe {
            self.bindings().FPDFImageObj_GetImagePixelSize(
                self.handle,
                &raw mut width,
                &raw mut height,
            )
        };
        (known != 0 && width > 0 && height > 0).then_some((width, height))
    }

    /// Whether the embedded data is a JPEG file that looks like the image by itself.
    fn is_usable_jpeg(self, preview: &PicturePreview) -> bool {
        let shows = |data: &Vec<u8>| {
            matches!(component_count(data), Some(1 | 3))
                && similarity::is_similar(data, &preview.small, THUMBNAIL_WIDTH)
        };
        self.filter().as_deref() == Some("DCTDecode")
            && self.has_plain_colors()
            && preview.is_opaque()
            && preview.data.as_ref().is_some_and(shows)
    }

    fn has_plain_colors(self) -> bool {
        let mut metadata = FPDF_IMAGEOBJ_METADATA {
            width: 0,
            height: 0,
            horizontal_dpi: 0.0,
            vertical_dpi: 0.0,
            bits_per_pixel: 0,
            colorspace: 0,
            marked_content_id: 0,
        };
        let (bindings, page) = (self.bindings(), self.page.handle);
        // SAFETY: the object is an image whose page is open, and the metadata is a local variable.
        let known = unsafe {
            bindings.FPDFImageObj_GetImageMetadata(self.handle, page, &raw mut metadata) != 0
        };
        known && DEFAULT_COLOR_SPACES.contains(&metadata.colorspace)
    }

    fn data(self) -> Option<Vec<u8>> {
        let (bindings, object) = (self.bindings(), self.handle);
        // SAFETY: the object is an image whose page is open.
        let length = unsafe { bindings.FPDFImageObj_GetImageDataRaw(object, null_mut(), 0) };
        let size = usize::try_from(length)
            .ok()
            .filter(|size| *size <= MAX_FILE_SIZE)?;
        let mut bytes = vec![0; size];
        // SAFETY: the object is an image whose page is open; the buffer has the given length.
        let written = unsafe {
            bindings.FPDFImageObj_GetImageDataRaw(object, bytes.as_mut_ptr().cast(), length)
        };
        (written == length).then_some(bytes)
    }

    /// Returns the filter of the image, if it has exactly one.
    fn filter(self) -> Option<String> {
        let (bindings, object) = (self.bindings(), self.handle);
        let mut name = [0_u8; 32];
        let length = c_ulong::try_from(name.len()).ok()?;
        // SAFETY: the object is an image whose page is open; the buffer has the given length.
        let length = unsafe {
            if bindings.FPDFImageObj_GetImageFilterCount(object) != 1 {
                return None;
            }
            bindings.FPDFImageObj_GetImageFilter(object, 0, name.as_mut_ptr().cast(), length)
        };
        let name = name.get(..usize::try_from(length).ok()?.checked_sub(1)?)?;
        Some(String::from_utf8_lossy(name).into_owned())
    }

    /// Renders the image upright, with masked pixels transparent.
    fn rendered(self, (width, height): (u32, u32)) -> Option<Vec<u8>> {
        let (bindings, object) = (self.bindings(), self.handle);
        let (mut own, upright) = (scaled(1, 1), scaled(width, height));
        // SAFETY: the object is an image whose page is open, and its matrix is restored; the bitmap has no other owner.
        let bitmap = unsafe {
            bindings.FPDFPageObj_GetMatrix(object, &raw mut own);
            bindings.FPDFPageObj_SetMatrix(object, &raw const upright);
            let (document, page) = (self.page.document.handle, self.page.handle);
            let bitmap = bindings.FPDFImageObj_GetRenderedBitmap(document, page, object);
            bindings.FPDFPageObj_SetMatrix(object, &raw const own);
            bitmap
        };
        let bitmap = Bitmap {
            bindings,
            handle: bitmap,
        };
        bitmap.pixels((width, height))
    }
}

/// A rendered image; null if rendering failed.
pub(super) struct Bitmap {
    pub(super) bindings: &'static dyn PdfiumLibraryBindings,
    pub(super) handle: FPDF_BITMAP,
}

impl Bitmap {
    /// Returns its RGBA pixels, if it has this size.
    pub(super) fn pixels(&self, (width, height): (u32, u32)) -> Option<Vec<u8>> {
        let (bindings, bitmap) = (self.bindings, self.handle);
        if bitmap.is_null() {
            return None;
        }
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
            // SAFETY: the bitmap is open and has this many rows of `stride` bytes, which is at least the size of the pixels.
            let row = unsafe { row_of(buffer, row * stride, width * bytes) };
            rgba.extend(
                row.chunks_exact(bytes)
                    .flat_map(|pixel| color(pixel, format)),
            );
        }
        Some(rgba)
    }
}

impl Drop for Bitmap {
    fn drop(&mut self) {
        if !self.handle.is_null() {
            // SAFETY: it has no other owner, and nothing refers to its pixels any more.
            unsafe { self.bindings.FPDFBitmap_Destroy(self.handle) };
        }
    }
}

/// Returns dimensions with at most this number of pixels.
pub(super) fn scaled_down((width, height): (u32, u32), most: f64) -> (u32, u32) {
    let scale = (most / (f64::from(width) * f64::from(height)))
        .sqrt()
        .min(1.0);
    let side = |side: u32| {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "not larger than the original"
        )]
        let side = (f64::from(side) * scale).round() as u32;
        side.max(1)
    };
    (side(width), side(height))
}

/// Returns the matrix that scales the unit square to this size.
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
/// The buffer has `from + length` bytes, which do not change while they are read.
unsafe fn row_of<'b>(buffer: *const c_void, from: usize, length: usize) -> &'b [u8] {
    // SAFETY: the caller guarantees that the range is in the buffer and unchanged.
    unsafe { std::slice::from_raw_parts(buffer.cast::<u8>().add(from), length) }
}

fn color(pixel: &[u8], format: c_int) -> [u8; 4] {
    match *pixel {
        [blue, green, red, alpha] if format == WITH_ALPHA => [red, green, blue, alpha],
        [blue, green, red, ..] => [red, green, blue, u8::MAX],
        [gray, ..] => [gray, gray, gray, u8::MAX],
        [] => [u8::MAX; 4],
    }
}

/// Returns the number of components of a JPEG file, from its first frame header.
fn component_count(bytes: &[u8]) -> Option<u8> {
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
    fn the_first_frame_header_has_the_number_of_components() {
        let file = |colors: u8| {
            let mut file = vec![0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xff, 0xc0];
            file.extend([0, 17, 8, 0, 9, 0, 9, colors]);
            file
        };
        assert_eq!(component_count(&file(3)), Some(3));
        assert_eq!(component_count(&file(4)), Some(4));
        assert_eq!(component_count(&file(4)[..12]), None);
        assert_eq!(component_count(&[0xff, 0xd8, 0xff, 0xe0, 0, 0]), None);
        assert_eq!(component_count(b"GIF89a"), None);
    }
}
