//! The result of the operation `compare`.

use serde::{Deserialize, Serialize};

/// The differences of two versions of a PDF.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comparison {
    /// Whether all pages have the same words and look the same.
    pub identical: bool,
    /// Number of pages of the earlier version.
    pub pages_before: u32,
    /// Number of pages of the later version.
    pub pages_after: u32,
    /// Number of words that only the earlier version has.
    pub words_deleted: u64,
    /// Number of words that only the later version has.
    pub words_inserted: u64,
    /// The pages in order, with their differences.
    pub pages: Vec<PagePair>,
}

/// A page of the earlier version and the page of the later version that corresponds to it.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PagePair {
    /// Number of the page in the earlier version, from 1; `None` if the page was inserted.
    pub before: Option<u32>,
    /// Number of the page in the later version, from 1; `None` if the page was deleted.
    pub after: Option<u32>,
    /// Share of the pixels that differ, from 0 to 1; 1 if a page was inserted or deleted.
    pub changed_pixels: f32,
    /// Areas that look different.
    pub regions: Vec<Area>,
    /// Whether there are more such areas than are listed.
    pub more_regions: bool,
    /// Text on the page of the earlier version that the later version does not have at this place.
    pub deleted: Vec<ChangedText>,
    /// Text on the page of the later version that the earlier version does not have at this place.
    pub inserted: Vec<ChangedText>,
}

/// Consecutive words of a page.
#[derive(Debug, Serialize, Deserialize)]
pub struct ChangedText {
    /// The words, in Unicode normalization form NFKC.
    pub text: String,
    /// Where the words are: one area for each line.
    pub areas: Vec<Area>,
}

/// A rectangle on a page as displayed, in points from its upper left corner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Area {
    /// Left edge.
    pub left: f32,
    /// Upper edge.
    pub top: f32,
    /// Right edge.
    pub right: f32,
    /// Lower edge.
    pub bottom: f32,
}
