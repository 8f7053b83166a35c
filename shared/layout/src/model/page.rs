//! A page and what its structure was taken from.

use serde::{Deserialize, Serialize};

use super::block::Block;
use crate::model::geometry::Size;

/// A page of a document, or what stands for one: a sheet of a spreadsheet, a slide.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Page {
    /// Its place in the document, from 1.
    pub number: u32,
    /// Its extent as it is shown, points.
    pub size: Size,
    /// What its structure was taken from.
    pub basis: Basis,
    /// What is repeated at the upper edge of many pages, in reading order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub header: Vec<Block>,
    /// What it says, in reading order.
    pub blocks: Vec<Block>,
    /// What is repeated at the lower edge of many pages, in reading order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub footer: Vec<Block>,
}

/// What a page's structure was taken from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// From the structure that the document says it has.
    Structure,
    /// From where its characters and lines stand.
    Geometry,
    /// From what was recognised in its picture.
    Recognition,
}
