//! Scored candidates: what a part of a page may be, and the features that decide it.

use serde::Serialize;

use super::geometry::Rect;

/// A named property of a candidate, usually between 0 and 1.
pub type Feature = (&'static str, f32);

/// What a part of a page may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A heading.
    Heading,
    /// A table.
    Table,
    /// A chart or another vector drawing.
    Figure,
    /// A formula that is more than a line of text.
    Formula,
    /// Columns of text, read one after another.
    Columns,
    /// Entries of contents, each with a page number at its end.
    Contents,
}

/// A part of a page with the score of one interpretation.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Candidate {
    /// The interpretation.
    pub kind: Kind,
    /// Its generator, such as `ruled` for tables.
    pub source: &'static str,
    /// Bounding box on the page, points.
    pub bounds: Rect,
    /// The features by name.
    pub features: Vec<Feature>,
    /// Log-odds that the interpretation is right: the base plus the weighted distances of the features from their centers.
    pub score: f32,
    /// Whether the interpretation was chosen.
    pub is_chosen: bool,
}
