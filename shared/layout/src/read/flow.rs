//! Whether what stands side by side is text that goes on in columns, and not the rows of a table.

use super::atom::Atom;
use super::band::{Band, Span, column};
use super::line::Line;
use super::marker;

/// How much larger a title is than the text, in parts of its size.
const LARGER: f32 = 1.15;
/// How often what columns say has to differ, at least.
const OFTEN: usize = 2;
/// The most space between lines that go on with each other, in parts of the size.
const STEP: f32 = 2.6;

/// How unlike the edges of full lines are, points.
const FLUSH: f32 = 1.0;
/// How wide a line is at least that is full, in parts of the size, where no capital letters show that it goes on.
const WIDE: f32 = 9.0;

/// Whether bands that these gaps go through are columns of text: titles and items stand in them, or text goes on in one where it
/// begins anew in another.
pub(super) fn is_flow(run: &[Band], gaps: &[Span], size: f32) -> bool {
    has_titles(run, gaps, size)
        || items(run) >= OFTEN
        || differing(run, gaps) + broken(run, gaps) >= OFTEN
}

/// Whether bands are lines of words with much space between them, which fill a column as the line before or after them does.
pub(super) fn is_justified(run: &[Band], before: Option<&Atom>, after: Option<&Band>) -> bool {
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
        && (is_full(before) || is_full(after))
        && lines().filter(|line| !says(line)).count() * 4 <= lines().count()
}

/// Whether a line below the first ones is larger than the text, and has some beside it.
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

/// How many lines begin with a bullet.
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

/// How many columns end within a word, which goes on in another one.
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

/// How often a line goes on with the one above it beside one that does not.
fn differing(run: &[Band], gaps: &[Span]) -> usize {
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
    let differs = pairs.filter(|(above, here)| {
        let (mut goes_on, mut begins) = (false, false);
        let spans = starts.iter().zip(&ends);
        for ((above, line), (start, end)) in above.iter().zip(*here).zip(spans) {
            if let (Some(above), Some(line)) = (above, line) {
                let step = Step {
                    above,
                    line,
                    start: *start,
                    end: *end,
                };
                goes_on |= step.goes_on();
                begins |= step.begins();
            }
        }
        goes_on && begins
    });
    differs.count()
}

/// The only line of each column; none where there is none, or more than one.
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

/// From a line to the one below it in the same column, which reaches from `start` to `end`.
struct Step<'a> {
    above: &'a Line,
    line: &'a Line,
    start: f32,
    end: f32,
}

impl Step<'_> {
    /// Whether the lower line is the rest of a sentence for which there was no room above.
    fn goes_on(&self) -> bool {
        self.is_near() && !self.had_room() && !self.is_ended() && self.is_rest()
    }

    /// Whether it is something else for sure.
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
        match from_right {
            false => self.above.bounds.right + needed < self.end,
            true => self.above.bounds.left - needed > self.start,
        }
    }

    fn is_ended(&self) -> bool {
        let last = self.above.glyphs().last().map(|glyph| glyph.text);
        last.is_some_and(super::survey::ends_sentence)
    }

    /// Whether it begins as the rest of a sentence does, if that can be seen.
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
