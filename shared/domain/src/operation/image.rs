//! Options of image operations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::color::Color;
use super::number::{Pixels, Quality};
use super::pdf::OptimizeLevel;
use crate::field;
use crate::format::Format;

/// Options of `compress`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct CompressOptions {
    /// Encoder quality, from 1 (smallest) to 100 (best). Ignored for PNG and for WebP from a lossless WebP, which are encoded
    /// losslessly. Default: 80.
    pub quality: Option<Quality>,
    /// Image format of the result. Images only. Default: the format of the source.
    pub format: Option<Format>,
    /// Maximum width in pixels. A wider image is scaled down with its aspect ratio. Images only. Default: no limit.
    pub max_width: Option<Pixels>,
    /// Maximum height in pixels. A taller image is scaled down with its aspect ratio. Images only. Default: no limit.
    pub max_height: Option<Pixels>,
    /// How much quality may be lost, as in `optimize`. PDF only. Default: `balanced`.
    pub level: Option<OptimizeLevel>,
    /// Whether the PDF is linearized, so that a viewer can show the first page before the rest is loaded. PDF only. Default:
    /// `false`.
    pub linearize: Option<bool>,
    /// Whether EXIF and XMP metadata are kept, including the GPS position of a photograph. JPEG, PNG and WebP only. Default:
    /// `false`.
    pub keep_metadata: Option<bool>,
}

/// How an image is scaled to the requested width and height.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fit {
    /// Scales to the largest size within both sides, keeping the aspect ratio.
    #[default]
    Contain,
    /// Scales to the smallest size that covers both sides, keeping the aspect ratio, and crops the excess.
    Cover,
    /// Scales to exactly both sides, ignoring the aspect ratio.
    Fill,
    /// Scales to the smallest size that covers both sides, keeping the aspect ratio, without cropping.
    Outside,
    /// Scales to the largest size within both sides, keeping the aspect ratio, and fills the rest with the background.
    Pad,
}

/// Which part of the image `cover` keeps, and where `pad` places the image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Position {
    /// Centered.
    #[default]
    Center,
    /// Top edge, centered horizontally.
    Top,
    /// Bottom edge, centered horizontally.
    Bottom,
    /// Left edge, centered vertically.
    Left,
    /// Right edge, centered vertically.
    Right,
    /// Top left corner.
    TopLeft,
    /// Top right corner.
    TopRight,
    /// Bottom left corner.
    BottomLeft,
    /// Bottom right corner.
    BottomRight,
}

/// Options of `resize`. At least one of `width` and `height` is required; the fits `cover`, `fill` and `pad` require both.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct ResizeOptions {
    /// Width in pixels. Default: follows from `height` and the aspect ratio.
    pub width: Option<Pixels>,
    /// Height in pixels. Default: follows from `width` and the aspect ratio.
    pub height: Option<Pixels>,
    /// How the image is scaled to `width` and `height`. Default: `contain`.
    pub fit: Option<Fit>,
    /// Which part `cover` keeps, and where `pad` places the image. Default: `center`.
    pub position: Option<Position>,
    /// Whether an image smaller than the requested size is scaled up. Default: `false`.
    pub enlarge: Option<bool>,
    /// Color of the area that `pad` fills. Default: `#ffffff`.
    pub background: Option<Color>,
    /// Whether EXIF and XMP metadata are kept, including the GPS position of a photograph. JPEG, PNG and WebP only. Default:
    /// `false`.
    pub keep_metadata: Option<bool>,
}

/// Options of `crop`: a rectangle in pixels, measured from the top left corner of the image as displayed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CropOptions {
    /// Distance from the left edge of the image in pixels. Required.
    #[schemars(range(max = 65_535))]
    pub x: u16,
    /// Distance from the top edge of the image in pixels. Required.
    #[schemars(range(max = 65_535))]
    pub y: u16,
    /// Width of the rectangle in pixels. Required.
    pub width: Pixels,
    /// Height of the rectangle in pixels. Required.
    pub height: Pixels,
}

/// Options of `cleanup`. At least one must be `true`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct CleanupOptions {
    /// Whether a scanned page is rotated so that its lines of text are horizontal. Default: `false`.
    pub deskew: Option<bool>,
    /// Whether specks are removed. Default: `false`.
    pub denoise: Option<bool>,
    /// Whether the image is converted to black and white. Default: `false`.
    pub binarize: Option<bool>,
    /// Whether empty margins are cut off. Default: `false`.
    pub trim: Option<bool>,
}
