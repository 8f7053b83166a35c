//! Pictures and lines across the text: where they come in what is read.

use super::atom::Atom;
use crate::geometry::Rect;
use crate::model::block::{Block, Content};
use crate::sheet::{Picture, Stroke};

/// The shortest line across the text, in parts of the page's width.
const SHORTEST: f32 = 0.2;
/// Most lines across the text of one page.
const RULES: usize = 200;

/// Adds the pictures to what stands on a page, but for those that it stands upon, which are handed back.
pub(super) fn pictures(pictures: &[Picture], atoms: &mut Vec<Atom>) -> Vec<Block> {
    let mut behind = Vec::new();
    let mut beside = Vec::new();
    for picture in pictures {
        let Picture { bounds, image, .. } = *picture;
        let block = Block {
            bounds: Some(bounds),
            content: Content::Image {
                image,
                alternative: None,
            },
        };
        match atoms.iter().any(|atom| {
            bounds.contains(atom.bounds().centre()) || atom.bounds().contains(bounds.centre())
        }) {
            true => behind.push(block),
            false => beside.push(Atom::Block(block, bounds)),
        }
    }
    atoms.extend(beside);
    behind
}

/// Puts blocks before the first one that stands below where they begin.
pub(super) fn insert(blocks: &mut Vec<Block>, loose: Vec<Block>) {
    for block in loose {
        let top = block.bounds.map_or(0.0, |bounds| bounds.top);
        let place = blocks
            .iter()
            .position(|other| other.bounds.is_some_and(|bounds| bounds.top >= top));
        blocks.insert(place.unwrap_or(blocks.len()), block);
    }
}

/// Puts lines across the text where they are: between blocks, not at their edges.
pub(super) fn rules(blocks: &mut Vec<Block>, strokes: &[Stroke], page: &Rect) {
    let long = strokes
        .iter()
        .filter(|stroke| stroke.is_level() && stroke.bounds.width() >= page.width() * SHORTEST);
    let free = long.filter(|stroke| {
        let (_, y) = stroke.bounds.centre();
        let meets = |bounds: &Rect| {
            bounds.top - 4.0 < y
                && y < bounds.bottom + 4.0
                && bounds.shared_width(&stroke.bounds) > 0.0
        };
        let is_table =
            |block: &&Block| matches!(block.content, Content::Table(_) | Content::Image { .. });
        !blocks
            .iter()
            .filter(is_table)
            .filter_map(|block| block.bounds)
            .any(|bounds| meets(&bounds))
            && blocks
                .iter()
                .filter_map(|block| block.bounds)
                .any(|bounds| bounds.top < y)
            && blocks
                .iter()
                .filter_map(|block| block.bounds)
                .any(|bounds| bounds.bottom > y)
    });
    let rules: Vec<Block> = free
        .take(RULES)
        .map(|stroke| Block {
            bounds: Some(stroke.bounds),
            content: Content::Rule,
        })
        .collect();
    for rule in rules {
        let (_, y) = rule.bounds.unwrap_or_default().centre();
        let below = |block: &Block| {
            block.bounds.is_some_and(|bounds| {
                bounds.centre().1 > y
                    && rule
                        .bounds
                        .is_some_and(|rule| rule.shared_width(&bounds) > 0.0)
            })
        };
        let place = blocks.iter().position(below);
        blocks.insert(place.unwrap_or(blocks.len()), rule);
    }
}
