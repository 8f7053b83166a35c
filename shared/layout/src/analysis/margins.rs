//! Where the lines of a document's pages begin and end at most.

use std::collections::BTreeMap;

use super::line::Line;
use crate::model::geometry::Rect;

/// How near to the outermost place lines end that tell where lines may end, points.
const NEAR: u32 = 36;
/// The fewest of these, and which part of the lines they are at least.
const FEWEST: usize = 4;
const PART: usize = 8;

/// Where the lines of pages of one width begin and end.
#[derive(Clone, Debug, Default)]
pub(super) struct Margins {
    all: Places,
    /// Without what is set apart at the edges of pages: headers and footers may reach farther than text does.
    inner: Places,
}

/// How many lines begin and end at each place.
#[derive(Clone, Debug, Default)]
struct Places {
    left: BTreeMap<u32, usize>,
    right: BTreeMap<u32, usize>,
    lines: usize,
}

impl Margins {
    /// Pages of one width have one key.
    pub(super) fn key(page: &Rect) -> u32 {
        whole(page.width())
    }

    /// Takes a line into account, which stands within what is set apart at the edges of its page or not.
    pub(super) fn note(&mut self, line: &Line, is_inner: bool) {
        self.all.note(line);
        if is_inner {
            self.inner.note(line);
        }
    }

    /// The outermost places at which more than stray lines begin and end, points.
    pub(super) fn edges(&self) -> Option<(f32, f32)> {
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

    /// Whether enough lines begin and end near these places: a few that are short do not tell.
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

/// The first place by which more lines than stray ones are met.
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
