//! Mirrors pages of mostly right-to-left text, so that lines and columns of all pages begin on the left.

use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::clean;
use crate::analysis::glyphs::piece::UPRIGHT;
use crate::analysis::glyphs::turn;
use crate::model::block::Block;
use crate::model::geometry::Rect;
use crate::model::page_content::PageContent;

/// Returns the mirrored page; `None` if most of its letters are left-to-right.
pub(in crate::analysis) fn mirrored(sheet: &PageContent) -> Option<PageContent> {
    let texts = sheet.characters.iter().map(|character| character.text);
    bidi::is_text_from_right(texts).then(|| {
        let mut mirrored = sheet.clone();
        let width = clean::page(sheet).width();
        turn::place(&mut mirrored, |rect| mirror(rect, width));
        for character in &mut mirrored.characters {
            character.start = width - character.start;
            let angle = character.angle.rem_euclid(360.0);
            if (UPRIGHT..360.0 - UPRIGHT).contains(&angle) {
                character.angle = (180.0 - angle).rem_euclid(360.0);
            }
        }
        mirrored
    })
}

/// Mirrors the bounds of blocks back to the original page of this width.
pub(in crate::analysis) fn back(blocks: &mut [Block], width: f32) {
    turn::place_blocks(blocks, &|bounds| mirror(bounds, width));
}

/// Returns the mirror image of a rectangle on a page of this width.
pub(in crate::analysis) fn mirror(rect: Rect, width: f32) -> Rect {
    Rect {
        left: width - rect.right,
        right: width - rect.left,
        ..rect
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::block::Content;

    #[test]
    fn positions_are_mirrored_and_back() {
        let place = Rect {
            left: 10.0,
            top: 20.0,
            right: 40.0,
            bottom: 30.0,
        };
        let mut blocks = [Block {
            bounds: Some(mirror(place, 100.0)),
            ..Block::from(Content::Rule)
        }];
        assert_eq!(
            blocks[0].bounds.map(|bounds| (bounds.left, bounds.right)),
            Some((60.0, 90.0))
        );
        back(&mut blocks, 100.0);
        assert_eq!(blocks[0].bounds, Some(place));
    }
}
