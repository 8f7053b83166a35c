//! Positions the characters of a recognized line; Tesseract reports positions of words only.

use pdf::content::is_legible;

use super::ocr_page::{Line, Rectangle, Word};
use super::straight::Straight;

/// Ascent and descent of a font, in multiples of its size.
const ASCENT: f64 = 0.88;
const DESCENT: f64 = 0.22;
/// Below this confidence, words without letters and digits are specks.
const SPECK: f32 = 50.0;
/// Characters that vertical and horizontal rules are misread as.
const UPRIGHT: &str = "|[]{}()!Il1ij:;'‘’\"“”/\\";
const LEVEL: &str = "_-—–=~.,'";
/// Maximum distance of a vertical rule from the word it was misread as, in multiples of the height.
const NEAR: f64 = 0.15;
/// Characters that cell borders are misread as when attached to a word.
const EDGES: &str = "|[]";
/// Characters that list bullets are misread as.
const BULLETS: &str = "eo¢©«»*®°¥@●■▪◦+";
/// Maximum height of a bullet, and minimum height above the baseline, in multiples of the font size.
const BULLET: f64 = 0.46;
const ABOVE: f64 = 0.06;
/// Maximum gap within text written without spaces, in font sizes: characters may fill only half of their cell.
const UNSPACED: f64 = 0.9;

/// A character in pixels of the deskewed page.
pub(super) struct Letter {
    pub(super) text: char,
    /// Its cell: advance width times font height.
    pub(super) place: Rectangle,
    pub(super) baseline: f64,
    pub(super) size: f64,
    /// Clockwise rotation against the page in degrees.
    pub(super) angle: f64,
    pub(super) begins_word: bool,
    /// Index of its word in the line; for a space, of the word before.
    pub(super) word: usize,
}

/// Returns the characters of a line of the upright page, with spaces between words. `rules` are the rules of the deskewed page,
/// `size` is the font size in pixels.
pub(super) fn letters(
    line: &Line,
    straight: &Straight,
    rules: &[Rectangle],
    size: f64,
) -> Vec<Letter> {
    let standing = Standing::of(line, straight, size);
    let mut letters: Vec<Letter> = Vec::new();
    let mut is_spaced = false;
    for (index, word, space) in whole(line, size) {
        let mut place = standing.place(&word);
        let mut text: Vec<char> = word.text.chars().filter(|c| is_legible(*c)).collect();
        trim(&mut text, &mut place, rules);
        if !text.is_empty() && !is_speck(&word) && !is_rule(&text, &place, rules) {
            if index == 0 && standing.is_bullet(&text, &word) {
                text = vec!['•'];
            }
            if let Some(last) = letters.last().filter(|_| is_spaced) {
                letters.push(standing.space(last, &place));
            }
            letters.extend(
                standing
                    .word(&text, &place)
                    .into_iter()
                    .map(|letter| Letter {
                        word: index,
                        ..letter
                    }),
            );
        }
        is_spaced = space;
    }
    letters
}

/// Returns the words of a line with their index and whether a space follows. Words of text written without spaces are merged,
/// because their reported boxes overlap.
fn whole(line: &Line, size: f64) -> Vec<(usize, Word, bool)> {
    let mut whole: Vec<(usize, Word, bool)> = Vec::new();
    for (index, (word, space)) in line.spaced().enumerate() {
        let goes_on = |(_, last, is_spaced): &&mut (usize, Word, bool)| {
            let gap = word.rectangle.left - last.rectangle.right;
            !*is_spaced && line.to_upright() == 0 && gap <= UNSPACED * size
        };
        match whole.last_mut().filter(goes_on) {
            Some((_, last, is_spaced)) => {
                last.text.push_str(&word.text);
                last.rectangle = last.rectangle.union(word.rectangle);
                *is_spaced = space;
            }
            None => whole.push((index, word.clone(), space)),
        }
    }
    whole
}

/// Geometry of a line.
struct Standing<'a> {
    straight: &'a Straight,
    /// Clockwise rotation that makes the line upright.
    degrees: u32,
    /// Start and slope of the baseline on the upright page.
    begin: (f64, f64),
    fall: f64,
    /// Baseline on the deskewed page.
    baseline: f64,
    size: f64,
}

impl<'a> Standing<'a> {
    fn of(line: &Line, straight: &'a Straight, size: f64) -> Self {
        let place = line.rectangle;
        let [x, y, u, v] =
            line.baseline
                .unwrap_or([place.left, place.bottom, place.right, place.bottom]);
        let fall = if u > x { (v - y) / (u - x) } else { 0.0 };
        let degrees = line.to_upright();
        let middle = (f64::midpoint(x, u), f64::midpoint(y, v));
        let (_, baseline) = straight.level.apply(middle);
        Self {
            straight,
            degrees,
            begin: (x, y),
            fall,
            baseline,
            size,
        }
    }

    /// Returns the point of the baseline below the center of a word, on the upright page.
    fn at(&self, word: &Word) -> (f64, f64) {
        let x = f64::midpoint(word.rectangle.left, word.rectangle.right);
        (x, self.begin.1 + self.fall * (x - self.begin.0))
    }

    /// Returns the cell of a word on the deskewed page.
    fn place(&self, word: &Word) -> Rectangle {
        if self.degrees != 0 {
            return word.rectangle.transformed(self.straight.level);
        }
        let (x, _) = self.straight.level.apply(self.at(word));
        let half = (word.rectangle.right - word.rectangle.left) / 2.0;
        Rectangle {
            left: x - half,
            top: self.baseline - ASCENT * self.size,
            right: x + half,
            bottom: self.baseline + DESCENT * self.size,
        }
    }

    /// Returns whether a list bullet was misread as this character.
    fn is_bullet(&self, text: &[char], word: &Word) -> bool {
        let (_, line) = self.at(word);
        let Rectangle { top, bottom, .. } = word.rectangle;
        let is_known = matches!(text, [sign] if BULLETS.contains(*sign));
        is_known && bottom - top <= BULLET * self.size && line - bottom >= ABOVE * self.size
    }

    fn word(&self, text: &[char], place: &Rectangle) -> Vec<Letter> {
        let from_right = text.iter().filter(|c| is_from_right(**c)).count() * 2 > text.len();
        let parts = text.len();
        let letters = text.iter().enumerate().map(|(index, character)| {
            let index_shown = if from_right { parts - 1 - index } else { index };
            Letter {
                begins_word: index == 0,
                ..self.letter(*character, self.part(place, index_shown, parts))
            }
        });
        letters.collect()
    }

    /// Returns the space between a character and the next word.
    fn space(&self, last: &Letter, next: &Rectangle) -> Letter {
        let (before, after) = match next.left >= last.place.left {
            true => (last.place.right, next.left),
            false => (next.right, last.place.left),
        };
        let place = Rectangle {
            left: before.min(after),
            right: before.max(after),
            ..last.place
        };
        Letter {
            word: last.word,
            ..self.letter(' ', place)
        }
    }

    fn letter(&self, text: char, place: Rectangle) -> Letter {
        Letter {
            text,
            place,
            baseline: match self.degrees {
                0 => self.baseline,
                _ => place.bottom,
            },
            size: self.size,
            angle: f64::from(360 - self.degrees % 360),
            begins_word: false,
            word: 0,
        }
    }

    /// Returns one of equal parts of a word, in the direction of the line.
    fn part(&self, word: &Rectangle, index: usize, parts: usize) -> Rectangle {
        let index = match self.degrees {
            90 | 180 => parts - 1 - index,
            _ => index,
        };
        let share = |index: usize| {
            let share = |count: usize| f64::from(u32::try_from(count).unwrap_or(u32::MAX));
            share(index) / share(parts).max(1.0)
        };
        let between = |from: f64, to: f64, share: f64| from + (to - from) * share;
        let (begin, end) = (share(index), share(index + 1));
        match self.degrees {
            90 | 270 => Rectangle {
                top: between(word.top, word.bottom, begin),
                bottom: between(word.top, word.bottom, end),
                ..*word
            },
            _ => Rectangle {
                left: between(word.left, word.right, begin),
                right: between(word.left, word.right, end),
                ..*word
            },
        }
    }
}

/// Returns whether a character is Hebrew or Arabic.
pub(super) fn is_from_right(character: char) -> bool {
    matches!(character, '\u{590}'..='\u{8ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

fn is_speck(word: &Word) -> bool {
    let says = word.text.chars().any(char::is_alphanumeric);
    !says && word.confidence.is_some_and(|sure| sure < SPECK)
}

/// Removes misread cell borders from the ends of a word.
fn trim(text: &mut Vec<char>, place: &mut Rectangle, rules: &[Rectangle]) {
    let height = place.bottom - place.top;
    let edge = |x: f64| {
        let near = |rule: &&Rectangle| {
            let (middle, _) = rule.center();
            is_upright(rule) && is_level_with(rule, place) && (middle - x).abs() < 0.3 * height
        };
        rules.iter().find(near).copied()
    };
    let (before, after) = (edge(place.left), edge(place.right));
    let is_edge = |c: Option<&char>| c.is_some_and(|c| EDGES.contains(*c));
    if let Some(rule) = before.filter(|_| text.len() > 1 && is_edge(text.first())) {
        text.remove(0);
        place.left = rule.right.min(place.right);
    }
    if let Some(rule) = after.filter(|_| text.len() > 1 && is_edge(text.last())) {
        text.pop();
        place.right = rule.left.max(place.left);
    }
}

/// Returns whether a rule was misread as this word.
fn is_rule(text: &[char], place: &Rectangle, rules: &[Rectangle]) -> bool {
    let is_all = |signs: &str| text.iter().all(|c| signs.contains(*c));
    let width = place.right - place.left;
    let near = NEAR * (place.bottom - place.top);
    let upright = |rule: &Rectangle| {
        let (x, _) = rule.center();
        is_upright(rule)
            && is_level_with(rule, place)
            && (place.left - near..=place.right + near).contains(&x)
    };
    let level = |rule: &Rectangle| {
        let (_, y) = rule.center();
        let shared = rule.right.min(place.right) - rule.left.max(place.left);
        !is_upright(rule) && (place.top..=place.bottom).contains(&y) && shared > 0.6 * width
    };
    (is_all(UPRIGHT) && rules.iter().any(upright)) || (is_all(LEVEL) && rules.iter().any(level))
}

fn is_upright(rule: &Rectangle) -> bool {
    rule.bottom - rule.top > rule.right - rule.left
}

/// Returns whether a rule overlaps most of the height of a word.
fn is_level_with(rule: &Rectangle, word: &Rectangle) -> bool {
    let shared = rule.bottom.min(word.bottom) - rule.top.max(word.top);
    shared > 0.6 * (word.bottom - word.top)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Positions of the characters of a line of two words with a gap.
    fn places(words: [&str; 2], gap: f64) -> Vec<(char, f64, f64)> {
        let place = |left: f64| Rectangle {
            left,
            top: 0.0,
            right: left + 20.0,
            bottom: 20.0,
        };
        let places = [place(0.0), place(20.0 + gap)];
        let words = words.iter().zip(places);
        let line = Line {
            rectangle: places[0].union(places[1]),
            words: words
                .filter_map(|(text, place)| Word::new(text, place, Some(90.0)))
                .collect(),
            ..Line::default()
        };
        let letters = letters(&line, &Straight::of(&[], (100, 100)), &[], 20.0);
        let letters = letters.iter();
        letters
            .map(|letter| (letter.text, letter.place.left, letter.place.right))
            .collect()
    }

    #[test]
    fn no_gap_is_left_where_no_space_is_written() {
        let whole = [('第', 0.0, 26.0), ('三', 26.0, 52.0)];
        assert_eq!(places(["第", "三"], 12.0), whole);
        let over = [('第', 0.0, 15.0), ('三', 15.0, 30.0)];
        assert_eq!(places(["第", "三"], -10.0), over);
        let apart = [('第', 0.0, 20.0), ('三', 60.0, 80.0)];
        assert_eq!(places(["第", "三"], 40.0), apart);
        let spaced = [('제', 0.0, 20.0), (' ', 20.0, 32.0), ('삼', 32.0, 52.0)];
        assert_eq!(places(["제", "삼"], 12.0), spaced);
    }
}
