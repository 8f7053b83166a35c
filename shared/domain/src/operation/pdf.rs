//! Options of PDF operations.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number::{PageCount, Percent, Quality};
use super::page_range::PageRanges;
use crate::field;
use crate::id::SourceKey;

/// Options of `merge`. The document of the job comes first. An image becomes one page, a multi-page TIFF one page per image.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MergeOptions {
    /// Keys of 1 to 19 uploads to append, in order: PDF or images. Required.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>", length(min = 1, max = 19))]
    pub source_keys: Vec<SourceKey>,
}

/// Options of `split`: either `ranges` or `every`. Without options, each page becomes one file.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct SplitOptions {
    /// Page ranges, such as `1-2`. Each becomes one file.
    pub ranges: Option<Vec<PageRanges>>,
    /// Number of pages per file.
    pub every: Option<PageCount>,
}

/// Options of `extract-pages` and `delete-pages`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PagesOptions {
    /// Pages, such as `1-4`, `3,1`, `last`, or `-3` for the last three. Required.
    pub pages: PageRanges,
}

/// Options of `reorder`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReorderOptions {
    /// Every page number of the document exactly once, in the new order. Required.
    #[schemars(length(min = 1, max = 5_000), inner(range(min = 1, max = 5_000)))]
    pub order: Vec<u32>,
}

/// Clockwise rotation in degrees.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "i64", into = "i64")]
#[schemars(with = "i64", extend("enum" = [90, 180, 270]))]
pub enum Angle {
    /// 90 degrees.
    Quarter,
    /// 180 degrees.
    Half,
    /// 270 degrees.
    ThreeQuarters,
}

impl TryFrom<i64> for Angle {
    type Error = String;

    fn try_from(degrees: i64) -> Result<Self, String> {
        match degrees {
            90 => Ok(Self::Quarter),
            180 => Ok(Self::Half),
            270 => Ok(Self::ThreeQuarters),
            _ => Err("must be 90, 180 or 270".to_owned()),
        }
    }
}

impl From<Angle> for i64 {
    fn from(angle: Angle) -> i64 {
        match angle {
            Angle::Quarter => 90,
            Angle::Half => 180,
            Angle::ThreeQuarters => 270,
        }
    }
}

/// Options of `rotate`, for images and PDF.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct RotateOptions {
    /// Clockwise rotation in degrees. Required.
    pub angle: Angle,
    /// Pages to rotate. PDF only. Default: all pages.
    pub pages: Option<PageRanges>,
}

/// How much quality `optimize` may lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptimizeLevel {
    /// No quality loss.
    Lossless,
    /// Image quality is reduced without a visible difference at usual sizes.
    #[default]
    Balanced,
    /// Image quality is reduced further; differences are visible on close inspection.
    Small,
}

/// Options of `optimize`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct OptimizeOptions {
    /// How much quality may be lost. Default: `balanced`.
    pub level: Option<OptimizeLevel>,
    /// Encoder quality of images, from 1 (smallest) to 100 (best). Default: follows from `level`.
    pub quality: Option<Quality>,
    /// Whether the PDF is linearized, so that a viewer can show the first page before the rest is loaded. Default: `false`.
    pub linearize: Option<bool>,
}

/// Options of `watermark`. Either `text` or `sourceKey` is required.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct WatermarkOptions {
    /// Text to write across each page.
    pub text: Option<WatermarkText>,
    /// Key of an upload to draw over each page: a PNG, a JPEG, or a PDF, whose first page is used.
    #[schemars(with = "String")]
    pub source_key: Option<SourceKey>,
    /// Opacity of the watermark in percent. Default: 30.
    pub opacity: Option<Percent>,
    /// Pages to mark. Default: all pages.
    pub pages: Option<PageRanges>,
}

/// Where page numbers are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PageNumberPosition {
    /// Top left.
    TopLeft,
    /// Top center.
    TopCenter,
    /// Top right.
    TopRight,
    /// Bottom left.
    BottomLeft,
    /// Bottom center.
    #[default]
    BottomCenter,
    /// Bottom right.
    BottomRight,
}

/// Options of `page-numbers`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct PageNumbersOptions {
    /// Where the numbers are drawn. Default: `bottom-center`.
    pub position: Option<PageNumberPosition>,
    /// Number of the first numbered page. Default: 1.
    pub start: Option<PageCount>,
    /// Pages to number. Default: all pages.
    pub pages: Option<PageRanges>,
}

/// Options of `metadata`. At least one is required. An empty string removes the entry.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct MetadataOptions {
    /// Title of the document. Default: unchanged.
    pub title: Option<MetadataText>,
    /// Author of the document. Default: unchanged.
    pub author: Option<MetadataText>,
    /// Subject of the document. Default: unchanged.
    pub subject: Option<MetadataText>,
    /// Keywords of the document. Default: unchanged.
    pub keywords: Option<MetadataText>,
}

/// Options of an operation without options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NoOptions {}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident, $min:literal to $max:literal;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String", extend("minLength" = $min, "maxLength" = $max))]
        pub struct $name(String);

        impl $name {
            /// Returns the text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                let length = text.chars().count();
                match ($min..=$max).contains(&length) && !text.contains(char::is_control) {
                    true => Ok(Self(text)),
                    false => Err(format!(
                        "must be a string of {} to {} characters without control characters",
                        $min, $max
                    )),
                }
            }
        }

        impl From<$name> for String {
            fn from(text: $name) -> String {
                text.0
            }
        })*
    };
}

texts! {
    /// Text of a watermark.
    WatermarkText, 1 to 200;
    /// Entry of a document's metadata.
    MetadataText, 0 to 1_000;
}
