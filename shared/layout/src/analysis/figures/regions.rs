//! Marks → regions: marks that touch when each is grown by some distance.

use super::marks::Mark;
use super::setting::Setting;
use crate::analysis::tables::connect::Sets;
use crate::model::geometry::Rect;

/// Distances by which marks are grown, as fractions of the text size.
const REACHES: [f32; 4] = [0.25, 0.75, 1.5, 2.5];
/// Side of a cell of the bitmap of a page, points, and maximum number of cells on a side.
const CELL: f32 = 3.0;
const CELLS: f32 = 600.0;
/// Minimum longer and shorter side of a region, as fractions of the text size.
const LONGER: f32 = 3.0;
const SHORTER: f32 = 1.5;
/// Maximum number of regions for one distance.
const REGIONS: usize = 40;

/// Returns the regions of all distances, without order, and those of the largest distance beyond the limit.
pub(super) fn regions(setting: &Setting<'_>) -> (Vec<Rect>, Vec<Rect>) {
    let Setting { page, size, .. } = *setting;
    let (mut regions, mut further): (Vec<Rect>, Vec<Rect>) = (Vec::new(), Vec::new());
    for reach in REACHES {
        let mut found = grouped(setting.marks, page, reach * size);
        found.retain(|region| {
            let (width, height) = (region.width(), region.height());
            width.max(height) >= LONGER * size && width.min(height) >= SHORTER * size
        });
        let area = |region: &Rect| region.width() * region.height();
        found.sort_by(|one, other| area(other).total_cmp(&area(one)));
        further = found.split_off(found.len().min(REGIONS));
        found.retain(|region| !regions.contains(region));
        regions.extend(found);
    }
    (regions, further)
}

/// Returns the bounds of the groups of marks.
fn grouped(marks: &[Mark], page: &Rect, reach: f32) -> Vec<Rect> {
    let around = Rect::around(marks.iter().map(|mark| mark.bounds));
    let Some(around) = around.and_then(|around| around.grown(reach).within(page)) else {
        return Vec::new();
    };
    let mut bitmap = Bitmap::new(page, &around);
    for mark in marks {
        bitmap.cover(&mark.bounds.grown(reach));
    }
    let strips = bitmap.strips();
    let mut groups = strips.groups();
    let mut bounds: Vec<Option<Rect>> = vec![None; strips.all.len()];
    for mark in marks {
        let strip = strips.at(bitmap.place(mark.bounds.center()));
        if let Some(bounds) = strip.and_then(|strip| bounds.get_mut(groups.first(strip))) {
            let known = bounds.unwrap_or(mark.bounds);
            *bounds = Some(known.union(&mark.bounds));
        }
    }
    bounds.into_iter().flatten().collect()
}

/// Cells of a part of a page. Covered areas are added as differences at their corners, so that an area takes constant time.
struct Bitmap {
    cell: f32,
    /// Column and row of its first cell on the page.
    first: (usize, usize),
    /// Cells in a row, and rows, one more than the part has.
    width: usize,
    height: usize,
    changes: Vec<i32>,
}

/// Adjacent covered cells of one row: the first and the last column.
type Strip = (usize, usize);

/// The strips from top to bottom, and the index of the first one of each row.
struct Strips {
    all: Vec<Strip>,
    rows: Vec<usize>,
}

impl Strips {
    /// Returns the connected groups of strips.
    fn groups(&self) -> Sets {
        let mut groups = Sets::new(self.all.len());
        for row in self.rows.windows(3) {
            let &[above, row, end] = row else { continue };
            let (mut upper, mut lower) = (above, row);
            while upper < row
                && lower < end
                && let Some((one, other)) = self.all.get(upper).zip(self.all.get(lower))
            {
                if one.0 <= other.1 && other.0 <= one.1 {
                    groups.join(upper, lower);
                }
                match one.1 < other.1 {
                    true => upper += 1,
                    false => lower += 1,
                }
            }
        }
        groups
    }

    /// Returns the index of the strip that contains a cell.
    fn at(&self, (column, row): (usize, usize)) -> Option<usize> {
        let (from, to) = (*self.rows.get(row)?, *self.rows.get(row + 1)?);
        let strips = self.all.get(from..to)?;
        let strip = strips.partition_point(|(_, right)| *right < column);
        (strips.get(strip)?.0 <= column).then_some(from + strip)
    }
}

impl Bitmap {
    fn new(page: &Rect, part: &Rect) -> Self {
        let cell = (page.width().max(page.height()) / CELLS).max(CELL);
        let first = (whole(part.left / cell), whole(part.top / cell));
        let width = whole(part.right / cell) + 2 - first.0;
        let height = whole(part.bottom / cell) + 2 - first.1;
        Self {
            cell,
            first,
            width,
            height,
            changes: vec![0; width * height],
        }
    }

    fn place(&self, (x, y): (f32, f32)) -> (usize, usize) {
        let column = whole(x / self.cell).saturating_sub(self.first.0);
        let row = whole(y / self.cell).saturating_sub(self.first.1);
        (column.min(self.width - 2), row.min(self.height - 2))
    }

    fn cover(&mut self, area: &Rect) {
        let (left, top) = self.place((area.left, area.top));
        let (right, bottom) = self.place((area.right, area.bottom));
        for (column, row, change) in [
            (left, top, 1),
            (right + 1, top, -1),
            (left, bottom + 1, -1),
            (right + 1, bottom + 1, 1),
        ] {
            let place = self.changes.get_mut(row * self.width + column);
            place.into_iter().for_each(|place| *place += change);
        }
    }

    /// Returns the covered cells.
    fn strips(&self) -> Strips {
        let mut strips = Strips {
            all: Vec::new(),
            rows: Vec::with_capacity(self.height + 1),
        };
        let mut above = vec![0_i32; self.width];
        for row in self.changes.chunks(self.width) {
            let before = strips.rows.last().copied();
            strips.rows.push(strips.all.len());
            if let Some(before) = before
                && row.iter().fold(0, |any, change| any | change) == 0
            {
                strips.all.extend_from_within(before..);
                continue;
            }
            let mut sum = 0;
            let mut left = None;
            for (column, (above, change)) in above.iter_mut().zip(row).enumerate() {
                sum += change;
                *above += sum;
                match left {
                    None if *above > 0 => left = Some(column),
                    Some(first) if *above <= 0 => {
                        strips.all.push((first, column - 1));
                        left = None;
                    }
                    _ => {}
                }
            }
        }
        strips.rows.push(strips.all.len());
        strips
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "places are limited, and the cast saturates"
)]
fn whole(value: f32) -> usize {
    value.max(0.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::figures::marks::MarkKind;

    fn mark(left: f32, top: f32) -> Mark {
        Mark {
            bounds: Rect::between((left, top), (left + 20.0, top + 40.0)),
            kind: MarkKind::Box,
            bends: 0,
            is_line: false,
        }
    }

    #[test]
    fn marks_within_a_distance_are_one_group() {
        let page = Rect::between((0.0, 0.0), (600.0, 800.0));
        let marks = [mark(100.0, 100.0), mark(130.0, 100.0), mark(400.0, 700.0)];
        let bounds = |reach| grouped(&marks, &page, reach).len();
        assert_eq!([bounds(1.0), bounds(6.0), bounds(900.0)], [3, 2, 1]);
        let pair = Rect::between((100.0, 100.0), (150.0, 140.0));
        assert!(grouped(&marks, &page, 6.0).contains(&pair));
    }

    #[test]
    fn many_marks_at_one_place_are_grouped_in_linear_time() {
        let page = Rect::between((0.0, 0.0), (100_000.0, 100_000.0));
        let marks = vec![mark(0.0, 0.0); 40_000];
        assert_eq!(grouped(&marks, &page, 50_000.0).len(), 1);
    }
}
