//! Text runs and their style.

use serde::{Deserialize, Serialize};

/// The link target of a reference to a footnote of the same page; the text of the run is the footnote's label.
pub const NOTE: &str = "#note";

/// A run of characters with the same style and link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// Text in reading order.
    pub text: String,
    /// Character style.
    #[serde(flatten)]
    pub style: Style,
    /// Link target, a URL; `#page=7` is page 7 of the same document, [`NOTE`] the footnote of the page whose label is the text
    /// of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// Character style.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Style {
    /// Font family without subset prefix, weight and slant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub font: String,
    /// Font size, points; 0 is unknown.
    pub size: f32,
    /// Heavier than regular weight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bold: bool,
    /// Italic or oblique.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub italic: bool,
    /// Underlined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub underlined: bool,
    /// Struck through.
    #[serde(rename = "struck", default, skip_serializing_if = "std::ops::Not::not")]
    pub strikethrough: bool,
    /// Monospaced.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub monospaced: bool,
    /// Invisible, as OCR text over the scanned picture.
    #[serde(rename = "unseen", default, skip_serializing_if = "std::ops::Not::not")]
    pub invisible: bool,
    /// Superscript or subscript.
    #[serde(default, skip_serializing_if = "Script::is_none")]
    pub script: Script,
    /// Color (RGB); `None` is black.
    #[serde(rename = "colour", default, skip_serializing_if = "Option::is_none")]
    pub color: Option<[u8; 3]>,
    /// Color of a marker or bar behind the text (RGB).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub highlight: Option<[u8; 3]>,
}

/// Superscript or subscript.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Script {
    /// On the baseline.
    #[default]
    None,
    /// Superscript.
    Super,
    /// Subscript.
    Sub,
}

impl Script {
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// Returns the text of runs without style.
#[must_use]
pub fn plain(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}
