//! An image as its file stores it.

use image::DynamicImage;
use image::metadata::Orientation;

/// A decoded image, not yet turned.
pub struct Picture {
    /// The pixels as they are stored.
    pub pixels: DynamicImage,
    /// How they have to be turned to stand upright.
    pub orientation: Orientation,
    /// The colour profile of the pixels.
    pub profile: Option<Vec<u8>>,
    /// Whether some of the pixels could not be read.
    pub is_damaged: bool,
}
