//! A decoded image as stored in its file.

use image::DynamicImage;
use image::metadata::Orientation;

/// A decoded image whose orientation has not been applied.
pub struct DecodedImage {
    /// The pixels as stored.
    pub pixels: DynamicImage,
    /// The EXIF orientation to apply.
    pub orientation: Orientation,
    /// ICC profile of the pixels.
    pub profile: Option<Vec<u8>>,
    /// Whether some pixels could not be decoded.
    pub is_damaged: bool,
}
