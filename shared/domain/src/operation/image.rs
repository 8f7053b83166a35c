//! The options of operations on images.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::colour::Colour;
use super::number::{Pixels, Quality};
use super::pdf::OptimiseLevel;
use crate::field;
use crate::format::Format;

/// Options of `compress`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct CompressOptions {
    /// Quality of a lossy encoder; 80 when not given. What becomes a PNG is encoded without loss, whatever it says, and so is
    /// a WebP that was.
    pub quality: Option<Quality>,
    /// Another image format for the result; the source's own when not given. Images only.
    pub format: Option<Format>,
    /// Most pixels across; a wider image is scaled down, keeping its aspect. Images only.
    pub max_width: Option<Pixels>,
    /// Most pixels down; a taller image is scaled down, keeping its aspect. Images only.
    pub max_height: Option<Pixels>,
    /// How much may be lost, as in `optimise`. PDF only.
    pub level: Option<OptimiseLevel>,
    /// Whether a viewer can show the first page before the rest has come, as in `optimise`. PDF only.
    pub linearize: Option<bool>,
    /// Whether EXIF and XMP stay, the place where a photograph was taken included; `false` when not given. JPEG, PNG and
    /// WebP only.
    pub keep_metadata: Option<bool>,
}

/// How an image is put into the sides that are asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Fit {
    /// As large as fits into both sides, keeping its aspect.
    #[default]
    Contain,
    /// As small as fills both sides, keeping its aspect; what hangs over is cut off evenly.
    Cover,
    /// Exactly both sides, whatever becomes of its aspect.
    Fill,
    /// As small as fills both sides, keeping its aspect; nothing is cut off.
    Outside,
    /// As large as fits into both sides, keeping its aspect; the background fills what is left of both.
    Pad,
}

/// Which part of an image stays where `cover` cuts off what hangs over, and where `pad` puts the image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Position {
    /// The middle.
    #[default]
    Center,
    /// The upper edge, in the middle across.
    Top,
    /// The lower edge, in the middle across.
    Bottom,
    /// The left edge, in the middle down.
    Left,
    /// The right edge, in the middle down.
    Right,
    /// The upper left corner.
    TopLeft,
    /// The upper right corner.
    TopRight,
    /// The lower left corner.
    BottomLeft,
    /// The lower right corner.
    BottomRight,
}

/// Options of `resize`; at least one side, and both for the fits `cover`, `fill` and `pad`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct ResizeOptions {
    /// Pixels across; follows from the height when not given.
    pub width: Option<Pixels>,
    /// Pixels down; follows from the width when not given.
    pub height: Option<Pixels>,
    /// How the image is put into both sides; `contain` when not given.
    pub fit: Option<Fit>,
    /// Which part stays where `cover` cuts something off, and where `pad` puts the image; `center` when not given.
    pub position: Option<Position>,
    /// Whether a smaller image is scaled up; `false` when not given.
    pub enlarge: Option<bool>,
    /// What `pad` fills with, white when not given.
    pub background: Option<Colour>,
    /// Whether EXIF and XMP stay, the place where a photograph was taken included; `false` when not given. JPEG, PNG and
    /// WebP only.
    pub keep_metadata: Option<bool>,
}

/// Options of `crop`: a rectangle in pixels from the upper left corner of the image as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct CropOptions {
    /// Pixels to the left of the rectangle.
    #[schemars(range(max = 65_535))]
    pub x: u16,
    /// Pixels above the rectangle.
    #[schemars(range(max = 65_535))]
    pub y: u16,
    /// Pixels across.
    pub width: Pixels,
    /// Pixels down.
    pub height: Pixels,
}

/// Options of `cleanup`; at least one of them `true`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct CleanupOptions {
    /// Whether the picture of a page is turned so that its lines of text are level.
    pub deskew: Option<bool>,
    /// Whether specks are removed.
    pub denoise: Option<bool>,
    /// Whether the image becomes black and white.
    pub binarize: Option<bool>,
    /// Whether the empty edge is cut off.
    pub trim: Option<bool>,
}
