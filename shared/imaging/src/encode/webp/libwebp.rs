//! Encodes one image through the libwebp C API: the wrapper crate needs 500 MB more memory at 100 megapixels.
#![expect(
    unsafe_code,
    reason = "the C API is called as documented in webp/encode.h; each call documents its soundness"
)]

use std::ffi::{c_int, c_void};

use image::DynamicImage;
use libwebp_sys::{
    WebPConfig, WebPEncode, WebPEncodingError, WebPPicture, WebPPictureFree, WebPPictureImportRGB,
    WebPPictureImportRGBA,
};
use task::{TaskError, TaskResult};

/// Pixels above which the low-memory mode is used, which is slower.
const LARGE: u64 = 40_000_000;

/// Encodes RGB or RGBA pixels of 8 bits per sample.
pub(super) fn encode(pixels: &DynamicImage, quality: u8, lossless: bool) -> TaskResult<Vec<u8>> {
    let failed = || TaskError::Installation("libwebp rejects the encoder settings".to_owned());
    let count = u64::from(pixels.width()) * u64::from(pixels.height());
    let mut config = WebPConfig::new().map_err(|()| failed())?;
    config.lossless = lossless.into();
    config.alpha_compression = (!lossless).into();
    config.quality = quality.into();
    config.low_memory = (count > LARGE && !lossless).into();
    let mut picture = Picture::of(pixels, lossless)?;
    let mut file = Vec::<u8>::new();
    picture.0.writer = Some(write);
    picture.0.custom_ptr = (&raw mut file).cast();
    // SAFETY: `config` and `picture` are valid; `file` is written only during the call and outlives it.
    match unsafe { WebPEncode(&raw const config, &raw mut picture.0) } {
        0 => Err(encoding_error(picture.0.error_code)),
        _ => Ok(file),
    }
}

fn encoding_error(error: WebPEncodingError) -> TaskError {
    match error {
        WebPEncodingError::VP8_ENC_ERROR_OUT_OF_MEMORY
        | WebPEncodingError::VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY => {
            TaskError::Io(std::io::ErrorKind::OutOfMemory.into())
        }
        other => TaskError::Installation(format!("an image cannot be encoded: {other:?}")),
    }
}

/// The pixels in the representation of libwebp: YUV for lossy, ARGB for lossless encoding.
struct Picture(WebPPicture);

impl Picture {
    fn of(pixels: &DynamicImage, lossless: bool) -> TaskResult<Self> {
        let failed = || TaskError::Installation("libwebp rejects the image".to_owned());
        let side = |side: u32| c_int::try_from(side).map_err(|_| failed());
        let mut picture = Self(WebPPicture::new().map_err(|()| failed())?);
        picture.0.use_argb = lossless.into();
        (picture.0.width, picture.0.height) = (side(pixels.width())?, side(pixels.height())?);
        let channels = pixels.color().channel_count();
        let row = picture.0.width * c_int::from(channels);
        let samples = pixels.as_bytes();
        let whole = u64::from(pixels.width()) * u64::from(pixels.height()) * u64::from(channels);
        if samples.len() as u64 != whole {
            return Err(failed());
        }
        // SAFETY: the number of samples matches height and row length, as checked above.
        let imported = unsafe {
            match channels {
                3 => WebPPictureImportRGB(&raw mut picture.0, samples.as_ptr(), row),
                4 => WebPPictureImportRGBA(&raw mut picture.0, samples.as_ptr(), row),
                _ => return Err(failed()),
            }
        };
        match imported {
            0 => Err(TaskError::Io(std::io::ErrorKind::OutOfMemory.into())),
            _ => Ok(picture),
        }
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        // SAFETY: libwebp initialized the picture, which is not used afterwards.
        unsafe { WebPPictureFree(&raw mut self.0) };
    }
}

/// Appends the next bytes to the file.
///
/// # Safety
/// `data` points to `size` bytes, and `custom_ptr` of the picture points to the file.
unsafe extern "C" fn write(data: *const u8, size: usize, picture: *const WebPPicture) -> c_int {
    // SAFETY: as above; there is no other reference to the file during the call.
    unsafe {
        let file: *mut c_void = (*picture).custom_ptr;
        let file = &mut *file.cast::<Vec<u8>>();
        file.extend_from_slice(std::slice::from_raw_parts(data, size));
    }
    1
}
