//! Assigns words to table cells: a rule through a word does not split it.

use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::is_turned;

/// Maximum gap between characters of an unsplit word, as a fraction of the font size.
const GAP: f32 = 0.1;

/// Assigns all characters of a word to the cell with most of its width.
pub(in crate::analysis) fn keep_words_whole(glyphs: &mut [Glyph]) {
    let mut begin = 0;
    while begin < glyphs.len() {
        let rest = glyphs.get(begin..).unwrap_or_default();
        let pairs = rest.iter().zip(rest.iter().skip(1));
        let length = 1 + pairs.take_while(|(one, next)| touches(one, next)).count();
        let word = glyphs.get_mut(begin..begin + length).unwrap_or_default();
        if let Some(zone) = zone(word) {
            word.iter_mut().for_each(|glyph| glyph.zone = zone);
        }
        begin += length;
    }
}

/// Returns the zone with most of a word; `None` if it is in a single zone.
fn zone(word: &[Glyph]) -> Option<usize> {
    let first = word.first()?.zone;
    if word.iter().all(|glyph| glyph.zone == first) {
        return None;
    }
    let mut widths: Vec<(usize, f32)> = Vec::new();
    let mut by_zone: Vec<(usize, f32)> = word
        .iter()
        .map(|glyph| (glyph.zone, glyph.bounds.width()))
        .collect();
    by_zone.sort_by_key(|(zone, _)| *zone);
    for (zone, width) in by_zone {
        match widths.last_mut().filter(|(known, _)| *known == zone) {
            Some((_, all)) => *all += width,
            None => widths.push((zone, width)),
        }
    }
    let most = widths
        .into_iter()
        .max_by(|(_, one), (_, other)| one.total_cmp(other));
    most.map(|(zone, _)| zone)
}

fn touches(one: &Glyph, next: &Glyph) -> bool {
    if one.text.is_whitespace() || next.text.is_whitespace() || is_turned(one) || is_turned(next) {
        return false;
    }
    let size = one.size;
    let gaps = [
        next.bounds.left - one.bounds.right,
        one.bounds.left - next.bounds.right,
    ];
    (one.baseline - next.baseline).abs() <= size * 0.08
        && gaps
            .iter()
            .any(|gap| (-size * 0.4..size * GAP).contains(gap))
}
