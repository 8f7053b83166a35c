//! One image by libwebp, called itself: the crate over it takes half a gigabyte more for a hundred megapixels.
#![expect(
    unsafe_code,
    reason = "the library is called as webp/encode.h says; each call says why it is sound"
)]

use std::ffi::{c_int, c_void};

use image::DynamicImage;
use libwebp_sys::{
    WebPConfig, WebPEncode, WebPEncodingError, WebPPicture, WebPPictureFree, WebPPictureImportRGB,
    WebPPictureImportRGBA,
};
use task::{Fault, Outcome};

/// Pixels from which memory is saved at the cost of time.
const LARGE: u64 = 40_000_000;

/// Encodes pixels of red, green and blue, with transparency or without, of 8 bits a sample.
pub(super) fn encode(pixels: &DynamicImage, quality: u8, lossless: bool) -> Outcome<Vec<u8>> {
    let failed = || Fault::Installation("libwebp does not take its settings".to_owned());
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
    // SAFETY: settings and picture are valid, and the file outlives the call, in which alone it is written to.
    match unsafe { WebPEncode(&raw const config, &raw mut picture.0) } {
        0 => Err(refused(picture.0.error_code)),
        _ => Ok(file),
    }
}

fn refused(error: WebPEncodingError) -> Fault {
    match error {
        WebPEncodingError::VP8_ENC_ERROR_OUT_OF_MEMORY
        | WebPEncodingError::VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY => {
            Fault::Io(std::io::ErrorKind::OutOfMemory.into())
        }
        other => Fault::Installation(format!("an image cannot be encoded: {other:?}")),
    }
}

/// Pixels as the library takes them: as light and colours if they are to lose anything, else as they are.
struct Picture(WebPPicture);

impl Picture {
    fn of(pixels: &DynamicImage, lossless: bool) -> Outcome<Self> {
        let failed = || Fault::Installation("libwebp does not take an image".to_owned());
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
        // SAFETY: there are as many samples as rows of this length have, as was just seen.
        let imported = unsafe {
            match channels {
                3 => WebPPictureImportRGB(&raw mut picture.0, samples.as_ptr(), row),
                4 => WebPPictureImportRGBA(&raw mut picture.0, samples.as_ptr(), row),
                _ => return Err(failed()),
            }
        };
        match imported {
            0 => Err(Fault::Io(std::io::ErrorKind::OutOfMemory.into())),
            _ => Ok(picture),
        }
    }
}

impl Drop for Picture {
    fn drop(&mut self) {
        // SAFETY: the picture was made by the library and is not used after.
        unsafe { WebPPictureFree(&raw mut self.0) };
    }
}

/// Takes the next bytes of the file.
///
/// # Safety
/// `data` holds `size` bytes, and the picture's pointer of ours leads to the file.
unsafe extern "C" fn write(data: *const u8, size: usize, picture: *const WebPPicture) -> c_int {
    // SAFETY: as above; nobody else has the file while the library runs.
    unsafe {
        let file: *mut c_void = (*picture).custom_ptr;
        let file = &mut *file.cast::<Vec<u8>>();
        file.extend_from_slice(std::slice::from_raw_parts(data, size));
    }
    1
}
