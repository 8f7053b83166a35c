//! The options of operations on PDF.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::number::{PageCount, Percent, Quality};
use super::page_range::PageRanges;
use crate::field;
use crate::id::SourceKey;

/// Options of `merge`: the document itself comes first. An image becomes a page, each page of a TIFF one of its own.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct MergeOptions {
    /// The uploads that follow it, in order: PDF and images.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>", length(min = 1, max = 19))]
    pub source_keys: Vec<SourceKey>,
}

/// Options of `split`: at most one of them; neither makes one file a page.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct SplitOptions {
    /// One file for each of these, such as `1-2`.
    pub ranges: Option<Vec<PageRanges>>,
    /// One file for each so many pages.
    pub every: Option<PageCount>,
}

/// Options of `extract-pages` and `delete-pages`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct PagesOptions {
    /// The pages, such as `1-4`, `3,1`, `last` or `-3` for the last three.
    pub pages: PageRanges,
}

/// Options of `reorder`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ReorderOptions {
    /// Every page of the document once, in its new order.
    #[schemars(length(min = 1, max = 5_000), inner(range(min = 1, max = 5_000)))]
    pub order: Vec<u32>,
}

/// How far a rotation turns, clockwise, in degrees.
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

/// Options of `rotate`, for images, too.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct RotateOptions {
    /// How far, clockwise, in degrees.
    pub angle: Angle,
    /// Only these pages; all when not given. PDF only.
    pub pages: Option<PageRanges>,
}

/// How much `optimise` may lose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptimiseLevel {
    /// Nothing.
    Lossless,
    /// What nobody sees at usual sizes.
    #[default]
    Balanced,
    /// What is seen only when looking for it.
    Small,
}

/// Options of `optimise`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct OptimiseOptions {
    /// How much may be lost; `balanced` when not given.
    pub level: Option<OptimiseLevel>,
    /// Quality of pictures; follows from the level when not given.
    pub quality: Option<Quality>,
    /// Whether a viewer can show the first page before the rest has come; `false` when not given.
    pub linearize: Option<bool>,
}

/// Options of `watermark`: either a text or a source.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct WatermarkOptions {
    /// What is written across the pages.
    pub text: Option<WatermarkText>,
    /// An upload that is laid over the pages: a PNG, a JPEG, or the first page of a PDF.
    #[schemars(with = "String")]
    pub source_key: Option<SourceKey>,
    /// How much it covers, in percent; 30 when not given.
    pub opacity: Option<Percent>,
    /// Only these pages; all when not given.
    pub pages: Option<PageRanges>,
}

/// Where page numbers stand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Corner {
    /// At the top, to the left.
    TopLeft,
    /// At the top, in the middle.
    TopCenter,
    /// At the top, to the right.
    TopRight,
    /// At the bottom, to the left.
    BottomLeft,
    /// At the bottom, in the middle.
    #[default]
    BottomCenter,
    /// At the bottom, to the right.
    BottomRight,
}

/// Options of `page-numbers`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct PageNumbersOptions {
    /// Where they stand; `bottom-center` when not given.
    pub position: Option<Corner>,
    /// The number of the first page that gets one; 1 when not given.
    pub start: Option<PageCount>,
    /// Only these pages; all when not given.
    pub pages: Option<PageRanges>,
}

/// Options of `metadata`; at least one. An empty text removes what is there.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present", skip_serializing_if = "Option::is_none")])]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct MetadataOptions {
    /// The document's title.
    pub title: Option<MetadataText>,
    /// Who wrote it.
    pub author: Option<MetadataText>,
    /// What it is about.
    pub subject: Option<MetadataText>,
    /// Words to find it by.
    pub keywords: Option<MetadataText>,
}

/// The options of an operation that has none.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct NoOptions {}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident, $least:literal to $most:literal;)*) => {
        $($(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
        #[serde(try_from = "String", into = "String")]
        #[schemars(with = "String", extend("minLength" = $least, "maxLength" = $most))]
        pub struct $name(String);

        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl TryFrom<String> for $name {
            type Error = String;

            fn try_from(text: String) -> Result<Self, String> {
                let length = text.chars().count();
                match ($least..=$most).contains(&length) && !text.contains(char::is_control) {
                    true => Ok(Self(text)),
                    false => Err(format!(
                        "must be a text of {} to {} characters without control characters",
                        $least, $most
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
    /// The text of a watermark.
    WatermarkText, 1 to 200;
    /// A text of a document's metadata.
    MetadataText, 0 to 1_000;
}
