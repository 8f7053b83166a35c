//! Text and how it looks.

use serde::{Deserialize, Serialize};

/// Where a run leads to that refers to a note of its page: the one whose label it says.
pub const NOTE: &str = "#note";

/// Characters that look the same and lead to the same place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    /// In the order in which they are read.
    pub text: String,
    /// How they look.
    #[serde(flatten)]
    pub style: Style,
    /// Where they lead to, as a URL; `#page=7` is page 7 of the same document, and [`NOTE`] the note of
    /// the page that has this text as its label.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
}

/// How characters look.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Style {
    /// The family of their font, without a subset's prefix and without the words for weight and slant.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub font: String,
    /// The font's size, points; 0 is unknown.
    pub size: f32,
    /// Heavier than the regular weight.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bold: bool,
    /// Slanted.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub italic: bool,
    /// Underlined.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub underlined: bool,
    /// Struck through.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub struck: bool,
    /// Of one width, as code is.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub monospaced: bool,
    /// Not to be seen, as recognised text over the picture that shows it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unseen: bool,
    /// Above or below the line.
    #[serde(default, skip_serializing_if = "Script::is_none")]
    pub script: Script,
    /// Red, green and blue; `None` is black.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<[u8; 3]>,
}

/// Above or below the line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Script {
    /// On it.
    #[default]
    None,
    /// Raised and smaller.
    Super,
    /// Lowered and smaller.
    Sub,
}

impl Script {
    fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// What runs say, without how it looks.
#[must_use]
pub fn plain(runs: &[Run]) -> String {
    runs.iter().map(|run| run.text.as_str()).collect()
}
