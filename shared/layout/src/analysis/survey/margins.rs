//! Left and right text margins of a document's pages.

use std::collections::BTreeMap;

use crate::analysis::lines::line::Line;
use crate::model::geometry::Rect;

/// Maximum distance from the margin of the line ends that count for it, points.
const NEAR: u32 = 36;
/// Minimum number and fraction of lines at a margin.
const FEWEST: usize = 4;
const PART: usize = 8;

/// Line starts and ends of pages of one width.
#[derive(Clone, Debug, Default)]
pub(in crate::analysis) struct Margins {
    all: Places,
    /// Without headers and footers, which may extend beyond the text.
    inner: Places,
}

/// Number of lines that begin and end at each position.
#[derive(Clone, Debug, Default)]
struct Places {
    left: BTreeMap<u32, usize>,
    right: BTreeMap<u32, usize>,
    lines: usize,
}

impl Margins {
    /// Returns the key of pages of this width.
    pub(in crate::analysis) fn key(page: &Rect) -> u32 {
        whole(page.width())
    }

    /// Counts a line; `is_inner` if it is not in a header or footer.
    pub(in crate::analysis) fn note(&mut self, line: &Line, is_inner: bool) {
        self.all.note(line);
        if is_inner {
            self.inner.note(line);
        }
    }

    /// Returns the outermost positions at which a significant number of lines begin and end, points.
    pub(in crate::analysis) fn edges(&self) -> Option<(f32, f32)> {
        let (left, right) = self
            .inner
            .edges()
            .filter(|edges| self.inner.tell(*edges))
            .or_else(|| self.all.edges())?;
        #[expect(clippy::cast_precision_loss, reason = "places are limited")]
        let edges = (left as f32, right as f32);
        Some(edges)
    }
}

impl Places {
    fn note(&mut self, line: &Line) {
        *self.left.entry(whole(line.bounds.left)).or_default() += 1;
        *self.right.entry(whole(line.bounds.right)).or_default() += 1;
        self.lines += 1;
    }

    fn edges(&self) -> Option<(u32, u32)> {
        let stray = self.lines / 100;
        let left = outermost(self.left.iter(), stray)?;
        let right = outermost(self.right.iter().rev(), stray)?;
        Some((left, right))
    }

    /// Whether enough lines begin and end near these positions.
    fn tell(&self, (left, right): (u32, u32)) -> bool {
        let begun: usize = self
            .left
            .range(..=left.saturating_add(NEAR))
            .map(|(_, count)| count)
            .sum();
        let ended: usize = self
            .right
            .range(right.saturating_sub(NEAR)..)
            .map(|(_, count)| count)
            .sum();
        let least = begun.min(ended);
        least >= FEWEST && least * PART >= self.lines
    }
}

/// Returns the first position at which the number of lines exceeds that of outliers.
fn outermost<'a>(
    mut counts: impl Iterator<Item = (&'a u32, &'a usize)>,
    stray: usize,
) -> Option<u32> {
    let mut met = 0;
    let found = counts.find(|(_, count)| {
        met += **count;
        met > stray
    });
    found.map(|(place, _)| *place)
}

fn whole(value: f32) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "places are limited, and the cast saturates"
    )]
    let whole = value.round() as u32;
    whole
}
