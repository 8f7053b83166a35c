//! Rotates pages until most of their text is upright.

use crate::model::block::{Block, Content};
use crate::model::fixed::PathSegment;
use crate::model::geometry::{Rect, Size};
use crate::model::page_content::{Drawing, PageContent};

/// Number of counterclockwise quarter turns, from 0 to 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::analysis) struct Turn(u8);

impl Turn {
    /// Returns the rotation that makes most characters of a page upright.
    pub(in crate::analysis) fn of(sheet: &PageContent) -> Self {
        let mut counts = [0_usize; 4];
        for character in &sheet.characters {
            if let Some(count) = counts.get_mut(usize::from(quarter(character.angle))) {
                *count += 1;
            }
        }
        let upright = counts[0];
        let most = (0_u8..4)
            .zip(counts)
            .max_by_key(|(quarter, count)| (*count, 4 - quarter));
        Self(
            most.filter(|(_, count)| *count > upright * 2)
                .map_or(0, |(quarter, _)| quarter),
        )
    }

    /// Returns the rotated page; `None` if it is upright.
    pub(in crate::analysis) fn sheet(self, sheet: &PageContent) -> Option<PageContent> {
        (self.0 > 0).then(|| {
            let mut turned = sheet.clone();
            turned.size = self.size(sheet.size);
            place(&mut turned, |rect| self.rect(rect, sheet.size));
            for character in &mut turned.characters {
                character.angle = (character.angle - 90.0 * f32::from(self.0)).rem_euclid(360.0);
                // The baseline is that of the original direction; it is estimated from the descent.
                character.baseline = character.bounds.bottom - 0.2 * character.size;
            }
            turned
        })
    }

    /// Rotates the bounds of a rotated page back to the original page of this size.
    pub(in crate::analysis) fn back_from(self, bounds: Rect, size: Size) -> Rect {
        Self(4 - self.0).rect(bounds, self.size(size))
    }

    /// Rotates the bounds of blocks back to the original page of this size.
    pub(in crate::analysis) fn back(self, blocks: &mut [Block], size: Size) {
        if self.0 == 0 {
            return;
        }
        place_blocks(blocks, &|bounds| self.back_from(bounds, size));
    }

    fn size(self, Size { width, height }: Size) -> Size {
        match self.0 % 2 {
            0 => Size { width, height },
            _ => Size {
                width: height,
                height: width,
            },
        }
    }

    fn rect(self, rect: Rect, Size { width, height }: Size) -> Rect {
        let Rect {
            left,
            top,
            right,
            bottom,
        } = rect;
        match self.0 % 4 {
            0 => rect,
            1 => Rect::between((top, width - left), (bottom, width - right)),
            2 => Rect::between(
                (width - left, height - top),
                (width - right, height - bottom),
            ),
            _ => Rect::between((height - top, left), (height - bottom, right)),
        }
    }
}

/// Changes the position of everything on a page, characters included.
pub(super) fn place(sheet: &mut PageContent, place: impl Fn(Rect) -> Rect) {
    let strokes = sheet.strokes.iter_mut().map(|stroke| &mut stroke.bounds);
    let pictures = sheet.pictures.iter_mut().chain(&mut sheet.figures);
    let links = sheet.links.iter_mut().map(|link| &mut link.bounds);
    let check_boxes = sheet.check_boxes.iter_mut();
    let characters = sheet.characters.iter_mut();
    strokes
        .chain(&mut sheet.fills)
        .chain(&mut sheet.fields)
        .chain(pictures.map(|picture| &mut picture.bounds))
        .chain(links)
        .chain(check_boxes.map(|one| &mut one.bounds))
        .chain(characters.map(|character| &mut character.bounds))
        .for_each(|bounds| *bounds = place(*bounds));
    for drawing in &mut sheet.drawings {
        match drawing {
            Drawing::Area(area) => area.bounds = place(area.bounds),
            Drawing::Picture(_, bounds) => *bounds = place(*bounds),
            Drawing::Shape(shape, clip) => {
                *clip = place(*clip);
                let segments = shape.segments.iter_mut();
                segments
                    .flat_map(PathSegment::points_mut)
                    .for_each(|point| {
                        let Rect { left, top, .. } = place(Rect::between(*point, *point));
                        *point = (left, top);
                    });
            }
        }
    }
}

/// Changes the position of blocks, those in tables included.
pub(super) fn place_blocks(blocks: &mut [Block], place: &impl Fn(Rect) -> Rect) {
    for block in blocks {
        block.bounds = block.bounds.map(place);
        if let Content::Table(table) = &mut block.content {
            let cells = table.cells.iter_mut();
            cells.for_each(|cell| place_blocks(&mut cell.blocks, place));
        }
    }
}

/// Returns the nearest quarter turn of an angle.
fn quarter(angle: f32) -> u8 {
    match angle.rem_euclid(360.0) {
        angle if (45.0..135.0).contains(&angle) => 1,
        angle if (135.0..225.0).contains(&angle) => 2,
        angle if (225.0..315.0).contains(&angle) => 3,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::page_content::CheckBox;

    #[test]
    fn rotation_is_reversible() {
        let size = Size {
            width: 100.0,
            height: 200.0,
        };
        let place = Rect {
            left: 10.0,
            top: 20.0,
            right: 40.0,
            bottom: 30.0,
        };
        for quarters in 0..4 {
            let turn = Turn(quarters);
            let turned = turn.rect(place, size);
            let back = Turn((4 - quarters) % 4).rect(turned, turn.size(size));
            assert_eq!(back, place);
        }
        let first = Turn(1).rect(place, size);
        assert_eq!(
            first,
            Rect {
                left: 20.0,
                top: 60.0,
                right: 30.0,
                bottom: 90.0
            }
        );
    }

    #[test]
    fn check_boxes_are_rotated() {
        let bounds = Rect::between((10.0, 20.0), (40.0, 30.0));
        let mut sheet = PageContent {
            check_boxes: vec![CheckBox {
                bounds,
                is_set: true,
                ..CheckBox::default()
            }],
            ..PageContent::default()
        };
        place(&mut sheet, |rect| {
            Turn(1).rect(
                rect,
                Size {
                    width: 100.0,
                    height: 200.0,
                },
            )
        });
        let turned = Rect::between((20.0, 60.0), (30.0, 90.0));
        assert_eq!(sheet.check_boxes[0].bounds, turned);
    }
}
