//! Lengthening strokes (kashida) of justified Arabic text, which some programs draw as glyphs without a meaning.

use unicode_bidi::{BidiClass, bidi_class};

use crate::analysis::glyphs::glyph::Glyph;

/// Letters that do not connect with the next one.
const ENDING: &str = "اأإآٱدذرزژوؤةىءڈڑۃے";
/// The character of glyphs that have no text.
const UNKNOWN: char = '\u{fffd}';
/// Signs that may be written between two letters without spaces.
const SIGNS: &str = "-–—/\\.,:;'\"&+*=_@()[]{}«»؛،";
/// Maximum gap or overlap of a stroke and the letters that it connects, and minimum overlap with one of them, also of one that
/// looks like a sign, as fractions of the font size: strokes overlap, so that no gap is visible; letters of other scripts do
/// not.
const TOUCHING: f32 = 0.12;
const OVERLAP: f32 = 0.005;
const SIGN_OVERLAP: f32 = 0.015;

/// Removes the strokes: signs of other scripts that connect two Arabic letters. The letter before a stroke takes its place.
pub(in crate::analysis) fn remove(glyphs: &mut Vec<Glyph>) {
    if !glyphs.iter().any(is_arabic) {
        return;
    }
    let mut order: Vec<usize> = (0..glyphs.len()).collect();
    let place = |index: &usize| {
        glyphs
            .get(*index)
            .map(|glyph| (glyph.baseline, glyph.bounds.left))
    };
    let none = (0.0, 0.0);
    order.sort_by(|one, other| {
        let ((one, left), (other, right)) =
            (place(one).unwrap_or(none), place(other).unwrap_or(none));
        one.total_cmp(&other).then(left.total_cmp(&right))
    });
    order.retain(|index| glyphs.get(*index).is_some_and(|glyph| !glyph.is_attached()));
    let mut is_gone = vec![false; glyphs.len()];
    let mut lengthened: Vec<(usize, f32, f32)> = Vec::new();
    let mut rest = order.as_slice();
    while let [first, others @ ..] = rest {
        rest = others;
        let strokes = others
            .iter()
            .take_while(|index| is_stroke(glyphs, **index, others.first()));
        let count = strokes.count();
        let (Some(strokes), Some(last)) = (others.get(..count), others.get(count)) else {
            continue;
        };
        let run = std::iter::once(first).chain(strokes).chain([last]);
        let run: Vec<&Glyph> = run.filter_map(|index| glyphs.get(*index)).collect();
        if count == 0 || !connects(&run) {
            continue;
        }
        for index in strokes {
            is_gone
                .get_mut(*index)
                .into_iter()
                .for_each(|gone| *gone = true);
        }
        let edges = run.iter().rev().skip(1).map(|glyph| glyph.bounds.right);
        lengthened.push((
            *first,
            run.first().map_or(0.0, |glyph| glyph.bounds.left),
            edges.fold(f32::MIN, f32::max),
        ));
        rest = others.get(count..).unwrap_or_default();
    }
    for (index, left, right) in lengthened {
        if let Some(letter) = glyphs.get_mut(index) {
            (letter.bounds.left, letter.bounds.right) = (left, right);
        }
    }
    let mut gone = is_gone.into_iter();
    glyphs.retain(|_| gone.next() != Some(true));
}

fn is_arabic(glyph: &Glyph) -> bool {
    bidi_class(glyph.text) == BidiClass::AL
}

/// Whether a character may be a stroke like the first of its run.
fn is_stroke(glyphs: &[Glyph], index: usize, first: Option<&usize>) -> bool {
    let first = first.and_then(|first| glyphs.get(*first));
    glyphs.get(index).zip(first).is_some_and(|(glyph, first)| {
        glyph.text == first.text
            && (u32::from(glyph.text) < 0x250 || glyph.text == UNKNOWN)
            && !glyph.text.is_whitespace()
            && !glyph.text.is_numeric()
    })
}

/// Whether characters from left to right touch one another, and the first and the last are Arabic letters that connect.
fn connects(run: &[&Glyph]) -> bool {
    let (Some(first), Some(last)) = (run.first(), run.last()) else {
        return false;
    };
    let connects = |glyph: &Glyph| !ENDING.contains(glyph.text);
    let touch = |pair: &[&Glyph]| match pair {
        [one, other] => {
            let gap = other.bounds.left - one.bounds.right;
            // Strokes overlap one another freely.
            (gap.abs() < one.size * TOUCHING || one.text == other.text && gap < 0.0)
                && (one.baseline - other.baseline).abs() < 0.1
                && one.font == other.font
        }
        _ => false,
    };
    let least = match run.iter().any(|glyph| SIGNS.contains(glyph.text)) {
        true => SIGN_OVERLAP,
        false => OVERLAP,
    };
    let overlap = |pair: &[&Glyph]| match pair {
        [one, other] => one.bounds.right - other.bounds.left > one.size * least,
        _ => false,
    };
    // The first letter in reading order is the first one only on mirrored pages.
    is_arabic(first)
        && is_arabic(last)
        && (connects(first) || connects(last))
        && run.windows(2).all(touch)
        && run.windows(2).any(overlap)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::glyphs::sample;

    #[test]
    fn strokes_between_connected_letters_are_removed() {
        let read = |text| read(text, 0.2);
        assert_eq!(read("ةZZيب"), "ةيب");
        assert_eq!(read("ة:يب"), "ةيب");
        assert_eq!(read("ة2يب"), "ة2يب");
        assert_eq!(read("ةZ"), "ةZ");
        assert_eq!(read("دZر"), "دZر");
    }

    #[test]
    fn letters_that_touch_without_overlap_are_kept() {
        assert_eq!(read("بZب", 0.0), "بZب");
        assert_eq!(read("ة/يب", 0.1), "ة/يب");
        assert_eq!(read("بllب", -0.1), "بllب");
    }

    /// Reads characters that overlap one another, from left to right.
    fn read(text: &str, overlap: f32) -> String {
        let places = (0_u8..).map(|place| 10.0 + f32::from(place) * 5.0);
        let drawn = text.chars().zip(places);
        let drawn = drawn.map(|(text, left)| (text, left, left + 5.0 + overlap, 10.0, 22.0, 20.0));
        let mut glyphs = sample::glyphs(&drawn.collect::<Vec<_>>());
        remove(&mut glyphs);
        glyphs.iter().map(|glyph| glyph.text).collect()
    }
}
