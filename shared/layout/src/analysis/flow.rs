//! Decides whether text side by side is in columns of prose or in rows of a table.

use super::atom::Atom;
use super::band::{Band, Span, column};
use super::line::Line;
use super::marker;

/// Minimum ratio of title size to text size.
const LARGER: f32 = 1.15;
/// Minimum number of differences between columns.
const OFTEN: usize = 2;
/// Minimum number of rows of a table.
const ROWS: usize = 3;
/// Number of consecutive rows with running text in nearly all columns that excludes table cells.
const LINES: usize = 4;
/// Maximum difference of baselines in one row, as a fraction of the font size.
const STAGGERED: f32 = 0.2;
/// Maximum line pitch of running text, as a fraction of the font size.
const STEP: f32 = 2.6;

/// Tolerance for the edges of full lines, points.
const FLUSH: f32 = 1.0;
/// Minimum length of a full line, as a fraction of the font size, if no capital letters show where it continues.
const WIDE: f32 = 9.0;

/// Whether bands crossed by these gaps are columns of text: they contain titles and items, or text continues in one column
/// where it begins in another.
pub(super) fn is_flow(run: &[Band], gaps: &[Span], size: f32) -> bool {
    has_titles(run, gaps, size)
        || items(run) >= OFTEN
        || differing(run, gaps) + broken(run, gaps) >= OFTEN
        || is_running(run, gaps)
}

/// Whether bands are lines with wide word spaces that fill a column, as adjacent lines or most lines of the column do;
/// `measure` is its left and right edge.
pub(super) fn is_justified(
    run: &[Band],
    measure: Option<Span>,
    before: Option<&Atom>,
    after: Option<&Band>,
) -> bool {
    let span = |band: &Band| Some((band.taken.first()?.0, band.taken.last()?.1));
    let Some((left, right)) = run.first().and_then(span) else {
        return false;
    };
    let is_full = |span: Option<(f32, f32)>| {
        span.is_some_and(|(from, to)| (from - left).abs() < FLUSH && (to - right).abs() < FLUSH)
    };
    let before = before
        .and_then(Atom::line)
        .map(|line| (line.bounds.left, line.bounds.right));
    let after = after.filter(|band| band.taken.len() == 1).and_then(span);
    let lines = || {
        run.iter()
            .flat_map(|band| &band.atoms)
            .filter_map(Atom::line)
    };
    let says = |line: &Line| line.glyphs().any(|glyph| glyph.text.is_alphabetic());
    run.iter()
        .filter(|band| band.taken.len() > 1)
        .all(|band| is_full(span(band)))
        && (is_full(before) || is_full(after) || is_full(measure))
        && lines().filter(|line| !says(line)).count() * 4 <= lines().count()
}

/// Whether a line below the first ones is larger than the text and has text next to it.
fn has_titles(run: &[Band], gaps: &[Span], size: f32) -> bool {
    let lines = |band: &Band| -> Vec<f32> {
        let lines = band.atoms.iter().filter_map(|atom| atom.line());
        lines.map(|line| line.size).collect()
    };
    let mut sizes: Vec<f32> = run.iter().flat_map(lines).collect();
    sizes.sort_by(f32::total_cmp);
    let usual = sizes
        .get(sizes.len() / 2)
        .copied()
        .unwrap_or(size)
        .max(size * 0.8);
    run.iter()
        .skip(1)
        .filter(|band| band.columns(gaps).len() > 1)
        .any(|band| {
            let sizes = lines(band);
            let is_title = |size: &f32| *size > usual * LARGER;
            sizes.iter().any(is_title) && !sizes.iter().all(is_title)
        })
}

/// Returns the number of lines that begin with a bullet.
fn items(run: &[Band]) -> usize {
    let lines = run.iter().flat_map(|band| &band.atoms);
    let lines = lines.filter_map(|atom| atom.line());
    lines
        .filter(|line| {
            let glyphs = line.pieces.first().map(|piece| piece.glyphs.as_slice());
            line.pieces.len() > 1
                && matches!(glyphs, Some([bullet]) if marker::is_plain_bullet(bullet.text))
        })
        .count()
}

/// Returns the number of columns that end within a word which continues in another column.
fn broken(run: &[Band], gaps: &[Span]) -> usize {
    let mut last: Vec<Option<&Line>> = vec![None; gaps.len() + 1];
    for line in run
        .iter()
        .flat_map(|band| &band.atoms)
        .filter_map(|atom| atom.line())
    {
        let place = last.get_mut(column(&line.bounds, gaps));
        place.into_iter().for_each(|place| *place = Some(line));
    }
    let is_broken = |line: &&Line| {
        let mut glyphs = line
            .pieces
            .last()
            .into_iter()
            .flat_map(|piece| piece.glyphs.iter().rev());
        glyphs
            .next()
            .is_some_and(|glyph| matches!(glyph.text, '-' | '\u{ad}' | '\u{2010}'))
            && glyphs.next().is_some_and(|glyph| glyph.text.is_lowercase())
    };
    last.into_iter().flatten().filter(is_broken).count()
}

/// Counts the cases in which a line continues the one above it next to a line that does not.
fn differing(run: &[Band], gaps: &[Span]) -> usize {
    let steps = steps(run, gaps);
    let differs = steps
        .iter()
        .filter(|step| step.going_on > 0 && step.beginning > 0);
    differs.count()
}

/// Whether text continues in several columns so often that too few rows remain for a table, whose rows all begin together.
fn is_running(run: &[Band], gaps: &[Span]) -> bool {
    let steps = steps(run, gaps);
    let rows = 1 + steps.iter().filter(|step| step.going_on == 0).count();
    let running = steps.iter().filter(|step| step.going_on > 1).count();
    let is_whole = |step: &Counts| step.going_on >= gaps.len().max(2);
    let mut longest = steps.chunk_by(|one, other| is_whole(one) && is_whole(other));
    running >= OFTEN && (rows < ROWS || longest.any(|steps| steps.len() >= LINES))
}

/// Whether the lines of adjacent columns have different baselines, unlike those of table rows.
pub(super) fn is_staggered(run: &[Band], gaps: &[Span]) -> bool {
    let places = run.iter().filter_map(|band| {
        let lines = by_column(band, gaps);
        let lines = || lines.iter().flatten();
        let places = || lines().map(|line| line.baseline);
        let apart =
            places().fold(f32::NEG_INFINITY, f32::max) - places().fold(f32::INFINITY, f32::min);
        let size = lines().map(|line| line.size).fold(0.0, f32::max);
        (lines().count() > 1).then_some(apart > size * STAGGERED)
    });
    let places: Vec<bool> = places.collect();
    let apart = places.iter().filter(|apart| **apart).count();
    apart * 2 > places.len()
}

/// Between consecutive bands: the number of columns in which text continues, and in which new text begins.
struct Counts {
    going_on: usize,
    beginning: usize,
}

fn steps(run: &[Band], gaps: &[Span]) -> Vec<Counts> {
    let columns: Vec<Vec<Option<&Line>>> = run.iter().map(|band| by_column(band, gaps)).collect();
    let mut ends = vec![f32::NEG_INFINITY; gaps.len() + 1];
    let mut starts = vec![f32::INFINITY; gaps.len() + 1];
    for lines in &columns {
        for ((line, start), end) in lines.iter().zip(&mut starts).zip(&mut ends) {
            let bounds = line.map(|line| line.bounds);
            *start = bounds.map_or(*start, |bounds| bounds.left.min(*start));
            *end = bounds.map_or(*end, |bounds| bounds.right.max(*end));
        }
    }
    let pairs = columns.iter().zip(columns.iter().skip(1));
    let steps = pairs.map(|(above, here)| {
        let mut counts = Counts {
            going_on: 0,
            beginning: 0,
        };
        let spans = starts.iter().zip(&ends);
        for ((above, line), (start, end)) in above.iter().zip(here).zip(spans) {
            if let (Some(above), Some(line)) = (above, line) {
                let step = Step {
                    above,
                    line,
                    start: *start,
                    end: *end,
                };
                counts.going_on += usize::from(step.goes_on());
                counts.beginning += usize::from(step.begins());
            }
        }
        counts
    });
    steps.collect()
}

/// Returns the line of each column; `None` if there are none or several.
fn by_column<'b>(band: &'b Band, gaps: &[Span]) -> Vec<Option<&'b Line>> {
    let mut lines: Vec<(usize, Option<&Line>)> = vec![(0, None); gaps.len() + 1];
    for line in band.atoms.iter().filter_map(|atom| atom.line()) {
        if let Some((count, place)) = lines.get_mut(column(&line.bounds, gaps)) {
            *count += 1;
            *place = Some(line).filter(|_| *count == 1);
        }
    }
    lines.into_iter().map(|(_, line)| line).collect()
}

/// Two consecutive lines of a column, which reaches from `start` to `end`.
struct Step<'a> {
    above: &'a Line,
    line: &'a Line,
    start: f32,
    end: f32,
}

impl Step<'_> {
    /// Whether the lower line continues a sentence that did not fit in the upper line.
    fn goes_on(&self) -> bool {
        self.is_near() && !self.had_room() && !self.is_ended() && self.is_rest()
    }

    /// Whether the lower line certainly begins something new.
    fn begins(&self) -> bool {
        self.is_near() && self.had_room()
    }

    fn is_near(&self) -> bool {
        let apart = self.line.baseline - self.above.baseline;
        let unlike = (self.line.size - self.above.size).abs();
        apart < self.above.size * STEP && unlike < self.above.size * 0.05
    }

    fn had_room(&self) -> bool {
        let from_right = super::bidi::is_mostly_from_right(self.texts());
        let word = match from_right {
            false => self.line.pieces.first(),
            true => self.line.pieces.last(),
        };
        let needed = super::unruled::first_word(word) + self.above.size * 0.3;
        let beside = match from_right {
            false => self.end - self.above.bounds.right,
            true => self.above.bounds.left - self.start,
        };
        // Centered text has space on both sides.
        beside.min(self.end - self.start - self.above.bounds.width()) > needed
    }

    fn is_ended(&self) -> bool {
        let last = self.above.glyphs().last().map(|glyph| glyph.text);
        last.is_some_and(super::survey::ends_sentence)
    }

    /// Whether it begins like the continuation of a sentence, as far as its script shows it.
    fn is_rest(&self) -> bool {
        let first = self.texts().next();
        first.is_some_and(|first| {
            first.is_lowercase()
                || first.is_alphabetic()
                    && !first.is_uppercase()
                    && self.above.bounds.width() > self.above.size * WIDE
        })
    }

    fn texts(&self) -> impl Iterator<Item = char> {
        self.line.glyphs().map(|glyph| glyph.text)
    }
}
