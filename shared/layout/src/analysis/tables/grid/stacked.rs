//! Splits adjacent tables whose borders touch.

use crate::analysis::tables::strokes::Lines;
use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;

/// Distance of the borders of adjacent tables, points.
const LEAST: f32 = 0.4;
const MOST: f32 = 3.0;
/// Tolerance for equal positions, points.
const SAME: f32 = 3.0;
/// Maximum number of lines that are tried, and of strokes of a page with such tables.
pub(super) const TRIED: usize = 1_000;
const STROKES: usize = 20_000;

/// Splits touching lines into tables; `strokes` reveal double lines, and each tried line takes one of `tries`.
pub(super) fn parted(lines: Lines, strokes: &[Stroke], tries: &mut usize) -> Vec<Lines> {
    let strokes = strokes.get(..STROKES).unwrap_or(strokes);
    let mut parted = Vec::new();
    let mut rest = lines;
    while let Some(seam) = seam(&rest, strokes, tries) {
        let (upper, lower) = seam.parts(&rest);
        parted.push(upper);
        rest = lower;
    }
    parted.push(rest);
    parted
}

/// Returns the first position where two tables meet; each tried line takes one of `tries`.
fn seam(lines: &Lines, strokes: &[Stroke], tries: &mut usize) -> Option<Seam> {
    let level = lines.level.iter().filter(|line| line.height() > LEAST);
    let mut seams = level.take(*tries).filter_map(|line| {
        *tries -= 1;
        let seam = Seam::of(line, strokes)?;
        seam.is_between(&lines.upright).then_some(seam)
    });
    seams.next()
}

/// The last line of a table and the first line of the next.
struct Seam {
    upper: Rect,
    lower: Rect,
}

impl Seam {
    /// Returns the two lines that a double line consists of; `None` if it is single.
    fn of(line: &Rect, strokes: &[Stroke]) -> Option<Self> {
        let parts = || {
            let level = strokes.iter().filter(|stroke| stroke.is_horizontal());
            level
                .map(|stroke| stroke.bounds)
                .filter(|part| line.grown(LEAST).contains(part.center()))
        };
        let ys = || parts().map(|part| part.center().1);
        let (top, bottom) = (
            ys().fold(f32::INFINITY, f32::min),
            ys().fold(f32::NEG_INFINITY, f32::max),
        );
        let at = |y: f32| {
            let near = parts().filter(|part| (part.center().1 - y).abs() < LEAST / 2.0);
            Rect::around(near)
        };
        let is_two = (LEAST..MOST).contains(&(bottom - top));
        Some(Self {
            upper: at(top).filter(|_| is_two)?,
            lower: at(bottom)?,
        })
    }

    /// Whether the content above and below are different tables: the lines have their widths, one is wider, and no column
    /// boundaries coincide.
    fn is_between(&self, upright: &[Rect]) -> bool {
        let xs = |y: f32| -> Vec<f32> {
            let crossing = upright
                .iter()
                .filter(|line| line.top < y && y < line.bottom);
            let mut xs: Vec<f32> = crossing.map(|line| line.center().0).collect();
            xs.sort_by(f32::total_cmp);
            xs
        };
        let (above, below) = (xs(self.upper.top - SAME), xs(self.lower.bottom + SAME));
        let (
            [above_left, inner_above @ .., above_right],
            [below_left, inner_below @ .., below_right],
        ) = (above.as_slice(), below.as_slice())
        else {
            return false;
        };
        let is_same = |one: f32, other: f32| (one - other).abs() <= SAME;
        let is_wide = |line: &Rect, left: f32, right: f32| {
            is_same(line.left, left) && is_same(line.right, right)
        };
        is_wide(&self.upper, *above_left, *above_right)
            && is_wide(&self.lower, *below_left, *below_right)
            && !(is_same(*above_left, *below_left) && is_same(*above_right, *below_right))
            && !inner_above
                .iter()
                .any(|x| inner_below.iter().any(|other| is_same(*x, *other)))
    }

    /// Splits the lines into those above and those below.
    fn parts(&self, lines: &Lines) -> (Lines, Lines) {
        let middle = f32::midpoint(self.upper.center().1, self.lower.center().1);
        let level = |is_above: bool, edge: &Rect| {
            let own = lines.level.iter().filter(|line| {
                (line.center().1 < middle) == is_above && (line.center().1 - middle).abs() > MOST
            });
            own.chain([edge]).copied().collect()
        };
        let upright = |top: f32, bottom: f32| {
            let cut = lines.upright.iter().map(|line| Rect {
                top: line.top.max(top),
                bottom: line.bottom.min(bottom),
                ..*line
            });
            cut.filter(|line| line.height() > SAME).collect()
        };
        let upper = Lines {
            level: level(true, &self.upper),
            upright: upright(f32::NEG_INFINITY, self.upper.bottom),
        };
        let lower = Lines {
            level: level(false, &self.lower),
            upright: upright(self.lower.top, f32::INFINITY),
        };
        (upper, lower)
    }
}
