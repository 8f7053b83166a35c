//! The markers of list items that lines begin with.

use crate::analysis::glyphs::piece::Piece;
use crate::analysis::lines::column::Margins;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::marker::{self, Marker};
use crate::analysis::lines::text_style::TextStyle;
use crate::analysis::lines::typed::ends_with_leader_and_number;
use crate::analysis::survey::statistics::DocumentStatistics;

/// Minimum gap after a marker, as a fraction of the font size.
const TOUCHING: f32 = 0.05;
/// Bullets that are also signs of numbers.
const SIGNS: &str = "-–+";
/// A bullet that is also a sign of sums, and one that is also a word.
const SUM: &str = "+";
const WORD: &str = "o";
/// Maximum width of one space between monospaced words, as a multiple of the character width.
const ONE_SPACE: f32 = 1.5;

/// Returns the markers of the lines that begin list items.
pub(super) fn markers(
    lines: &[Line],
    margins: Margins,
    statistics: &DocumentStatistics,
) -> Vec<Option<(Marker, String)>> {
    let found: Vec<Option<Candidate>> = lines
        .iter()
        .map(|line| Candidate::of(line, margins, statistics))
        .collect();
    let candidates: Vec<&Candidate> = found.iter().flatten().collect();
    let mut sure: Vec<bool> = candidates
        .iter()
        .map(|candidate| candidate.is_sure)
        .collect();
    // If only a space follows a marker, a successor or predecessor must confirm it.
    for (index, candidate) in candidates.iter().enumerate() {
        let ahead = candidates.iter().enumerate().skip(index + 1).take(24);
        let next = ahead
            .filter(|(_, next)| next.follows(candidate))
            .map(|(place, _)| place)
            .next();
        for place in next.into_iter().flat_map(|next| [index, next]) {
            sure.get_mut(place)
                .into_iter()
                .for_each(|sure| *sure = true);
        }
    }
    let mut sure = sure.into_iter();
    found
        .into_iter()
        .map(|found| {
            found
                .filter(|_| sure.next() == Some(true))
                .map(|found| (found.marker, found.text))
        })
        .collect()
}

struct Candidate {
    marker: Marker,
    text: String,
    start: f32,
    is_sure: bool,
    /// Whether it may be the sign of a number or sum, as in `- 5 °C`.
    is_sign: bool,
}

impl Candidate {
    fn of(line: &Line, margins: Margins, statistics: &DocumentStatistics) -> Option<Self> {
        if line.is_turned()
            || TextStyle::of_all([line]).is_some_and(|look| statistics.levels.has(&look))
        {
            return None;
        }
        let (first, next) = ends(line)?;
        let start = margins.start_of(line);
        let begin = first.glyphs.first().filter(|_| first.glyphs.len() > 1);
        if let Some(bullet) = begin.filter(|glyph| marker::is_plain_bullet(glyph.text)) {
            let text = bullet.text.to_string();
            return Some(Self {
                marker: Marker::Bullet,
                text,
                start,
                is_sure: true,
                is_sign: false,
            });
        }
        let (text, next) = (as_read(first, line), next?);
        // Numbers of entries of contents are no markers.
        if is_around(&text, line) || ends_with_leader_and_number(line) {
            return None;
        }
        let gap = match margins.from_right {
            false => next.bounds.left - first.bounds.right,
            true => first.bounds.left - next.bounds.right,
        };
        let is_wide = gap > (line.size * 0.45).max(usual_gap(line) * 1.4);
        let clause = || marker::clause(&text).filter(|_| text.contains('.') && is_wide);
        let marker = marker::parse(&text)
            .filter(|_| gap > line.size * TOUCHING)
            .or_else(clause)?;
        let is_monospaced = line.glyphs().all(|glyph| glyph.font.is_monospaced);
        if is_monospaced && !statistics.is_typewritten() && marker::is_ambiguous_bullet(&text) {
            // An operator or a name of code.
            return None;
        }
        let is_set_off = is_other_font(first, next)
            || match is_monospaced {
                true => gap > first.bounds.width() * ONE_SPACE,
                false => is_wide,
            };
        if text == WORD && !is_set_off {
            return None;
        }
        let is_before_number = next
            .glyphs
            .first()
            .is_some_and(|glyph| glyph.text.is_numeric());
        let is_sign = text.chars().all(|sign| SIGNS.contains(sign)) && is_before_number
            || text == SUM && !is_set_off;
        let is_sure = is_wide || text.chars().all(marker::is_plain_bullet) || !marker.is_ordered();
        Some(Self {
            marker,
            text,
            start,
            is_sure: is_sure && !is_sign,
            is_sign,
        })
    }

    fn follows(&self, before: &Self) -> bool {
        let is_next = match self.marker.is_ordered() {
            true => self.marker.follows(before.marker),
            // A sign of a number is a bullet if other items have it.
            false => (self.is_sign || before.is_sign) && self.text == before.text,
        };
        is_next && (self.start - before.start).abs() < 12.0
    }
}

/// Whether a marker is in another font than the text after it.
fn is_other_font(marker: &Piece, next: &Piece) -> bool {
    let family = |piece: &Piece| piece.glyphs.first().map(|glyph| glyph.font.family.clone());
    family(marker) != family(next)
}

/// Returns the median gap between the pieces of a line.
fn usual_gap(line: &Line) -> f32 {
    let pairs = line.pieces.iter().zip(line.pieces.iter().skip(1));
    let gaps = pairs.map(|(one, other)| other.bounds.left - one.bounds.right);
    let mut gaps: Vec<f32> = gaps.collect();
    gaps.sort_by(f32::total_cmp);
    let usual = gaps.get(gaps.len() / 2).filter(|_| gaps.len() > 2);
    usual.copied().unwrap_or(0.0)
}

/// Returns the text of the first piece of a line, in logical order.
fn as_read(first: &Piece, line: &Line) -> String {
    match line.is_from_right() != line.is_mirrored() {
        true => marker::from_right(&first.text()),
        false => first.text(),
    }
}

/// Returns the first two pieces of a line in reading direction.
fn ends(line: &Line) -> Option<(&Piece, Option<&Piece>)> {
    let from_right = line.is_from_right();
    let mut pieces: Box<dyn Iterator<Item = &Piece>> = match from_right {
        false => Box::new(line.pieces.iter()),
        true => Box::new(line.pieces.iter().rev()),
    };
    Some((pieces.next()?, pieces.next()))
}

/// Returns a line without its marker.
pub(in crate::analysis) fn without_marker(line: &Line) -> Line {
    let mut line = line.clone();
    let from_right = line.is_from_right();
    let first = if from_right {
        line.pieces.len().saturating_sub(1)
    } else {
        0
    };
    match line.pieces.get_mut(first) {
        Some(piece)
            if piece.glyphs.len() > 1
                && piece
                    .glyphs
                    .first()
                    .is_some_and(|glyph| marker::is_plain_bullet(glyph.text)) =>
        {
            piece.glyphs.remove(0);
        }
        Some(_) => drop(line.pieces.remove(first)),
        None => {}
    }
    line
}

/// Returns the text of the marker that a line begins with.
pub(in crate::analysis) fn marker_of(line: &Line) -> Option<String> {
    let (first, next) = ends(line)?;
    let begin = first.glyphs.first().filter(|_| first.glyphs.len() > 1);
    if let Some(bullet) = begin.filter(|glyph| marker::is_plain_bullet(glyph.text)) {
        return Some(bullet.text.to_string());
    }
    let text = as_read(first, line);
    (next.is_some() && marker::is_marker(&text) && !is_around(&text, line)).then_some(text)
}

/// Whether a line ends with the sign that it begins with, as in `– 5 –` and `* * *`: then it is no bullet.
fn is_around(sign: &str, line: &Line) -> bool {
    let mut ends = [line.pieces.first(), line.pieces.last()]
        .into_iter()
        .flatten();
    marker::parse(sign) == Some(Marker::Bullet) && ends.all(|end| end.text() == sign)
}
