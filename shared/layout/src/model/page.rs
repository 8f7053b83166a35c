//! A page with its structure in reading order.

use serde::{Deserialize, Serialize};

use super::block::Block;
use crate::model::geometry::Size;

/// A page of a document; also a worksheet or a slide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Page number, from 1.
    pub number: u32,
    /// Size as displayed, points.
    pub size: Size,
    /// Source of the structure.
    pub basis: Basis,
    /// Running header: blocks repeated at the top of many pages, in reading order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub header: Vec<Block>,
    /// Body, in reading order.
    pub blocks: Vec<Block>,
    /// Running footer: blocks repeated at the bottom of many pages, in reading order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub footer: Vec<Block>,
}

/// The source of a page's structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// Declared by the document.
    Structure,
    /// Inferred from the positions of characters and lines.
    Geometry,
    /// Recognized by OCR.
    Recognition,
}
