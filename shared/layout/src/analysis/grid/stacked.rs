//! Tables that stand on each other without space between: the last line of one touches the first of the next.

use crate::analysis::strokes::Lines;
use crate::model::geometry::Rect;
use crate::model::page_content::Stroke;

/// How far apart the lines are where tables meet, points.
const LEAST: f32 = 0.4;
const MOST: f32 = 3.0;
/// How unlike places are that are one, points.
const SAME: f32 = 3.0;
/// Most lines at which tables may meet that are looked at, and most strokes of a page with such tables.
pub(super) const TRIED: usize = 1_000;
const STROKES: usize = 20_000;

/// Each table of what touches by itself; `strokes` tell which lines are two that seem one, and each that is looked at takes one
/// of `tries`.
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

/// The first place at which two tables meet; each line that is tried takes one of `tries`.
fn seam(lines: &Lines, strokes: &[Stroke], tries: &mut usize) -> Option<Seam> {
    let level = lines.level.iter().filter(|line| line.height() > LEAST);
    let mut seams = level.take(*tries).filter_map(|line| {
        *tries -= 1;
        let seam = Seam::of(line, strokes)?;
        seam.is_between(&lines.upright).then_some(seam)
    });
    seams.next()
}

/// The last line of a table and the first one of the next.
struct Seam {
    upper: Rect,
    lower: Rect,
}

impl Seam {
    /// The lines that one is made of; none where it is not of two.
    fn of(line: &Rect, strokes: &[Stroke]) -> Option<Self> {
        let parts = || {
            let level = strokes.iter().filter(|stroke| stroke.is_level());
            level
                .map(|stroke| stroke.bounds)
                .filter(|part| line.grown(LEAST).contains(part.centre()))
        };
        let ys = || parts().map(|part| part.centre().1);
        let (top, bottom) = (
            ys().fold(f32::INFINITY, f32::min),
            ys().fold(f32::NEG_INFINITY, f32::max),
        );
        let at = |y: f32| {
            let near = parts().filter(|part| (part.centre().1 - y).abs() < LEAST / 2.0);
            Rect::around(near)
        };
        let is_two = (LEAST..MOST).contains(&(bottom - top));
        Some(Self {
            upper: at(top).filter(|_| is_two)?,
            lower: at(bottom)?,
        })
    }

    /// Whether what is above and what is below are different tables: each has its line as wide as it is, one is wider, and no
    /// column is parted where one of the other is.
    fn is_between(&self, upright: &[Rect]) -> bool {
        let xs = |y: f32| -> Vec<f32> {
            let crossing = upright
                .iter()
                .filter(|line| line.top < y && y < line.bottom);
            let mut xs: Vec<f32> = crossing.map(|line| line.centre().0).collect();
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

    /// What is above and what is below.
    fn parts(&self, lines: &Lines) -> (Lines, Lines) {
        let middle = f32::midpoint(self.upper.centre().1, self.lower.centre().1);
        let level = |is_above: bool, edge: &Rect| {
            let own = lines.level.iter().filter(|line| {
                (line.centre().1 < middle) == is_above && (line.centre().1 - middle).abs() > MOST
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
