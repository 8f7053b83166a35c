//! Places pictures and horizontal rules in the reading order.

use crate::analysis::regions::atom::Atom;
use crate::model::block::{Block, Content};
use crate::model::geometry::Rect;
use crate::model::page_content::{Picture, Stroke};

/// Minimum length of a horizontal rule, as a fraction of the page width.
const SHORTEST: f32 = 0.2;
/// Maximum number of rules of a page.
const RULES: usize = 200;

/// Tolerance for the ends of a rule drawn twice, points.
const SAME: f32 = 1.0;

/// Maximum number of pictures of a page that are checked for text on top of them; others are placed at their upper edge.
const TRIED: usize = 500;

/// Adds pictures to the atoms, except for those with text on top of them, which are returned.
pub(in crate::analysis) fn pictures(pictures: &[Picture], atoms: &mut Vec<Atom>) -> Vec<Block> {
    let mut behind = Vec::new();
    let mut beside = Vec::new();
    for (number, picture) in pictures.iter().enumerate() {
        let Picture { bounds, image, .. } = *picture;
        let block = Block {
            bounds: Some(bounds),
            ..Block::from(Content::Image {
                image,
                alternative: None,
            })
        };
        let is_upon = |atom: &Atom| {
            bounds.contains(atom.bounds().center()) || atom.bounds().contains(bounds.center())
        };
        match number >= TRIED || atoms.iter().any(is_upon) {
            true => behind.push(block),
            false => beside.push(Atom::Block(block, bounds)),
        }
    }
    atoms.extend(beside);
    behind
}

/// Inserts blocks before the first block below their upper edge.
pub(in crate::analysis) fn insert(blocks: &mut Vec<Block>, mut loose: Vec<Block>) {
    let top = |block: &Block| block.bounds.map_or(0.0, |bounds| bounds.top);
    loose.sort_by(|one, other| top(one).total_cmp(&top(other)));
    let mut all = Vec::with_capacity(blocks.len() + loose.len());
    let mut loose = loose.into_iter().peekable();
    for block in blocks.drain(..) {
        if let Some(bounds) = block.bounds {
            while let Some(above) = loose.next_if(|above| top(above) <= bounds.top) {
                all.push(above);
            }
        }
        all.push(block);
    }
    all.extend(loose);
    *blocks = all;
}

/// Inserts horizontal rules between blocks, not at the edges of blocks.
pub(in crate::analysis) fn rules(blocks: &mut Vec<Block>, strokes: &[Stroke], page: &Rect) {
    let long = strokes.iter().filter(|stroke| {
        stroke.is_horizontal() && stroke.bounds.width() >= page.width() * SHORTEST
    });
    let free = long.filter(|stroke| {
        let (_, y) = stroke.bounds.center();
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
    let mut drawn: Vec<Rect> = Vec::new();
    for stroke in free {
        let is_same = |known: &Rect| is_same(known, &stroke.bounds);
        if !drawn.iter().any(is_same) {
            drawn.push(stroke.bounds);
        }
        if drawn.len() >= RULES {
            break;
        }
    }
    let rules: Vec<Block> = drawn
        .into_iter()
        .map(|bounds| Block {
            bounds: Some(bounds),
            ..Block::from(Content::Rule)
        })
        .collect();
    for rule in rules {
        let (_, y) = rule.bounds.unwrap_or_default().center();
        let below = |block: &Block| {
            block.bounds.is_some_and(|bounds| {
                bounds.center().1 > y
                    && rule
                        .bounds
                        .is_some_and(|rule| rule.shared_width(&bounds) > 0.0)
            })
        };
        let place = blocks.iter().position(below);
        blocks.insert(place.unwrap_or(blocks.len()), rule);
    }
}

/// Whether a rule was drawn before: some programs draw rules twice.
fn is_same(known: &Rect, line: &Rect) -> bool {
    (known.center().1 - line.center().1).abs() < SAME
        && (known.left - line.left).abs() < SAME
        && (known.right - line.right).abs() < SAME
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::structure::Tag;

    fn picture(top: f32, image: usize) -> Picture {
        Picture {
            bounds: Rect::between((0.0, top), (10.0, top + 5.0)),
            image,
            tag: Tag::None,
        }
    }

    fn block(top: f32, image: usize) -> Block {
        let mut atoms = Vec::new();
        pictures(&[picture(top, image)], &mut atoms);
        match atoms.remove(0) {
            Atom::Block(block, _) => block,
            Atom::Line(_) => panic!("no picture"),
        }
    }

    fn images(blocks: &[Block]) -> Vec<usize> {
        let image = |block: &Block| match block.content {
            Content::Image { image, .. } => Some(image),
            _ => None,
        };
        blocks.iter().filter_map(image).collect()
    }

    #[test]
    fn blocks_are_inserted_before_the_first_block_below_them() {
        let mut blocks = vec![block(100.0, 0), block(50.0, 1), block(300.0, 2)];
        let loose = [(400.0, 13), (60.0, 10), (100.0, 11), (200.0, 12)];
        let loose = loose.map(|(top, image)| block(top, image)).to_vec();
        insert(&mut blocks, loose);
        assert_eq!(images(&blocks), [10, 11, 0, 1, 12, 2, 13]);
    }

    #[test]
    fn examined_pictures_are_limited_and_none_is_lost() {
        let many: Vec<Picture> = (0..2_000_u16)
            .map(|image| picture(f32::from(image) * 6.0, image.into()))
            .collect();
        let mut atoms = Vec::new();
        let behind = pictures(&many, &mut atoms);
        assert_eq!(atoms.len(), TRIED);
        assert_eq!(images(&behind), (TRIED..2_000).collect::<Vec<_>>());
    }
}
