//! The text that is laid under the picture of a page: drawn invisibly, each line in one piece, each word where it is seen.
//!
//! All characters of a document get a number in the order in which they come, whatever their script, one for each width
//! that they take, and one font without glyphs maps the numbers back to characters [ISO 32000-1, 9.7 and 9.10.3]. Readers
//! that sort what a page draws leave the words of a line in their order so, also where the page lies on its head. The font
//! file is the one that Tesseract brings for the same purpose.

mod sizes;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use task::matrix::Matrix;

use super::layout::{Layer, Line, Rectangle};

/// What widths are multiples of, in thousandths of the size of letters.
const STEP: f64 = 25.0;
/// The widest character, in steps.
const WIDEST: f64 = 200.0;
/// Width of a space at the end of a piece, in steps.
const SPACE: u16 = 10;
/// Widest gap between words of one piece, in sizes of letters.
const GAP: f64 = 2.0;
/// By how much a word may begin before the end of the one before, in sizes of letters.
const OVERLAP: f64 = 0.2;
/// Smallest size of letters, in pixels of the picture.
const SMALLEST: f64 = 1.0;

/// A character and how many steps it is wide.
type Wide = (char, u16);

/// The characters of a document, numbered from 1.
#[derive(Default)]
pub(super) struct Characters {
    numbers: BTreeMap<Wide, u16>,
    known: Vec<Wide>,
}

impl Characters {
    /// The number of a character. Once all numbers are given away, that of the same character in another width, if any.
    fn number(&mut self, wide: Wide) -> Option<u16> {
        if let Some(number) = self.numbers.get(&wide) {
            return Some(*number);
        }
        let Ok(number) = u16::try_from(self.known.len() + 1) else {
            let widths = self.numbers.range((wide.0, 0)..=(wide.0, u16::MAX));
            return widths.map(|(_, number)| *number).next();
        };
        self.numbers.insert(wide, number);
        self.known.push(wide);
        Some(number)
    }

    /// A text as a string of PDF.
    fn encode(&mut self, text: &[Wide]) -> String {
        let mut encoded = String::new();
        for number in text.iter().filter_map(|wide| self.number(*wide)) {
            write!(encoded, "{number:04X}").ok();
        }
        encoded
    }

    /// Adds the font for all characters so far. `file` is that of a font with one empty glyph after the first.
    pub(super) fn font(&self, document: &mut Document, file: &[u8]) -> ObjectId {
        let lengths = dictionary! { "Length1" => i64::try_from(file.len()).unwrap_or(0) };
        let file = document.add_object(compressed(lengths, file.to_vec()));
        let descriptor = document.add_object(dictionary! {
            "Type" => "FontDescriptor",
            "FontName" => "GlyphLessFont",
            "FontFile2" => file,
            "FontBBox" => vec![0.into(), (-200).into(), 500.into(), 800.into()],
            "Ascent" => 800,
            "Descent" => -200,
            "CapHeight" => 800,
            "Flags" => 5,
            "ItalicAngle" => 0,
            "StemV" => 80,
        });
        let glyphs = [0, 1].repeat(self.known.len() + 1);
        let glyphs = document.add_object(compressed(Dictionary::new(), glyphs));
        let descendant = document.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "CIDFontType2",
            "BaseFont" => "GlyphLessFont",
            "CIDSystemInfo" => dictionary! {
                "Registry" => Object::string_literal("Adobe"),
                "Ordering" => Object::string_literal("Identity"),
                "Supplement" => 0,
            },
            "FontDescriptor" => descriptor,
            "W" => vec![1.into(), self.widths()],
            "CIDToGIDMap" => glyphs,
        });
        let characters = compressed(Dictionary::new(), self.map().into_bytes());
        let characters = document.add_object(characters);
        document.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "Type0",
            "BaseFont" => "GlyphLessFont",
            "Encoding" => "Identity-H",
            "DescendantFonts" => vec![descendant.into()],
            "ToUnicode" => characters,
        })
    }

    /// The width of each, from the first on.
    fn widths(&self) -> Object {
        #[expect(clippy::cast_possible_truncation, reason = "at most 5,000")]
        let width = |(_, steps): &Wide| Object::Integer((f64::from(*steps) * STEP) as i64);
        Object::Array(self.known.iter().map(width).collect())
    }

    /// From numbers to characters, in sections of at most 100 [Adobe technical note 5411].
    fn map(&self) -> String {
        let mut map = String::from(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
             /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n\
             /CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
             1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n",
        );
        let numbered: Vec<_> = (1_u32..).zip(&self.known).collect();
        for section in numbered.chunks(100) {
            writeln!(map, "{} beginbfchar", section.len()).ok();
            for (number, (character, _)) in section {
                write!(map, "<{number:04X}> <").ok();
                for unit in character.encode_utf16(&mut [0; 2]) {
                    write!(map, "{unit:04X}").ok();
                }
                map.push_str(">\n");
            }
            map.push_str("endbfchar\n");
        }
        map.push_str("endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n");
        map
    }
}

/// The form that draws a layer in the user space of its page, with the font named `/F`.
pub(super) fn content(layer: &Layer, characters: &mut Characters) -> String {
    let place = layer.place.0.map(number).join(" ");
    let mut content = format!("q {place} cm BT 3 Tr\n");
    for (line, size) in sizes::lines(&layer.blocks) {
        let axis = Axis::of(line);
        writeln!(content, "/F {} Tf", number(size)).ok();
        // Readers sort lines by where they begin, and those that run up or down the page begin side by side.
        let apart = axis.is_sideways(layer.back);
        for piece in pieces(line, &axis, size, apart) {
            let (matrix, text) = (axis.matrix(piece.start), characters.encode(&piece.text));
            writeln!(content, "{} Tm <{text}> Tj", matrix.map(number).join(" ")).ok();
        }
    }
    content.push_str("ET Q\n");
    content
}

/// A part of a line without wide gaps.
struct Piece {
    /// Where it begins, along the line.
    start: f64,
    text: Vec<Wide>,
}

/// A line in as few pieces as there can be, or its words `apart`. Characters share the width of their words.
fn pieces(line: &Line, axis: &Axis, size: f64, apart: bool) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    // Where the last piece ends, and whether a space is to follow.
    let (mut end, mut spaced) = (0.0, false);
    for (word, space) in line.spaced() {
        let (from, to) = axis.ahead(word.rectangle);
        let gap = from - end;
        let goes_on = !apart && gap <= GAP * size && gap >= -OVERLAP * size;
        match pieces.last_mut() {
            Some(piece) if goes_on && spaced => {
                end += push(piece, ' ', gap, size);
            }
            Some(_) if goes_on => {}
            before => {
                if let Some(before) = before.filter(|_| spaced) {
                    before.text.push((' ', SPACE));
                }
                end = from;
                pieces.push(Piece {
                    start: from,
                    text: Vec::new(),
                });
            }
        }
        let letters = u32::try_from(word.text.chars().count()).unwrap_or(u32::MAX);
        if let Some(piece) = pieces.last_mut() {
            for (letter, left) in word.text.chars().zip((1..=letters).rev()) {
                end += push(piece, letter, (to - end) / f64::from(left), size);
            }
        }
        spaced = space;
    }
    pieces
}

/// Adds a character that is about so wide; how wide it is.
fn push(piece: &mut Piece, character: char, width: f64, size: f64) -> f64 {
    let step = size * STEP / 1000.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped"
    )]
    let steps = (width / step).round().clamp(1.0, WIDEST) as u16;
    piece.text.push((character, steps));
    f64::from(steps) * step
}

/// Where a line runs in a picture, whose own axes point right and down.
struct Axis {
    /// A point that letters stand on.
    origin: (f64, f64),
    /// One pixel on, in the direction in which left-to-right text is read.
    along: (f64, f64),
    /// Whether the text is read against it.
    leftward: bool,
}

impl Axis {
    fn of(line: &Line) -> Self {
        let Rectangle { left, bottom, .. } = line.rectangle;
        let [x, y, u, v] = line.baseline.unwrap_or([left, bottom, left + 1.0, bottom]);
        let length = ((u - x) * (u - x) + (v - y) * (v - y)).sqrt();
        Self {
            origin: (x, y),
            along: match length > 0.0 {
                true => ((u - x) / length, (v - y) / length),
                false => (1.0, 0.0),
            },
            leftward: line.leftward,
        }
    }

    /// Whether it runs up or down where these pixels are shown.
    fn is_sideways(&self, back: Matrix) -> bool {
        let [a, b, c, d, _, _] = back.0;
        let (x, y) = self.along;
        (b * x + d * y).abs() > (a * x + c * y).abs()
    }

    /// From where to where a rectangle reaches in a direction, from the origin.
    fn reach(&self, rectangle: Rectangle, (x, y): (f64, f64)) -> (f64, f64) {
        let Rectangle {
            left,
            top,
            right,
            bottom,
        } = rectangle;
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
        let places = corners.map(|(u, v)| (u - self.origin.0) * x + (v - self.origin.1) * y);
        let low = places.into_iter().fold(f64::INFINITY, f64::min);
        (low, places.into_iter().fold(f64::NEG_INFINITY, f64::max))
    }

    /// From where to where a rectangle reaches along the line, in the direction in which it is read.
    fn ahead(&self, rectangle: Rectangle) -> (f64, f64) {
        let (from, to) = self.reach(rectangle, self.along);
        match self.leftward {
            true => (-to, -from),
            false => (from, to),
        }
    }

    /// Lays letters on the line so far from its origin, mirrored where they are read leftward.
    fn matrix(&self, start: f64) -> [f64; 6] {
        let forward = if self.leftward { -1.0 } else { 1.0 };
        let (cosine, sine) = self.along;
        let start = start * forward;
        [
            cosine * forward,
            sine * forward,
            sine,
            -cosine,
            self.origin.0 + start * cosine,
            self.origin.1 + start * sine,
        ]
    }

    fn across(&self, rectangle: Rectangle) -> (f64, f64) {
        let (cosine, sine) = self.along;
        self.reach(rectangle, (-sine, cosine))
    }
}

/// A number as PDF writes it, without exponent.
pub(super) fn number(number: f64) -> String {
    let text = format!("{number:.5}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "" | "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

/// A stream, deflated where that makes it smaller.
pub(super) fn compressed(about: Dictionary, content: Vec<u8>) -> Stream {
    let mut stream = Stream::new(about, content);
    stream.compress().ok();
    stream
}

#[cfg(test)]
mod tests {
    use super::super::layout::Word;
    use super::*;

    fn line(words: &[(&str, f64, f64)]) -> Line {
        let word = |(text, left, right): &(&str, f64, f64)| {
            let rectangle = Rectangle {
                left: *left,
                top: 0.0,
                right: *right,
                bottom: 20.0,
            };
            Word::new(text, rectangle, None).unwrap()
        };
        Line {
            words: words.iter().map(word).collect(),
            rectangle: Rectangle {
                left: 0.0,
                top: 0.0,
                right: 1000.0,
                bottom: 20.0,
            },
            ..Line::default()
        }
    }

    fn drawn(line: &Line) -> Vec<(f64, String, f64)> {
        drawn_as(line, false)
    }

    fn drawn_as(line: &Line, apart: bool) -> Vec<(f64, String, f64)> {
        let pieces = pieces(line, &Axis::of(line), 20.0, apart);
        let drawn = pieces.iter().map(|piece| {
            let steps: u32 = piece.text.iter().map(|(_, steps)| u32::from(*steps)).sum();
            let text = piece.text.iter().map(|(character, _)| *character).collect();
            (piece.start, text, f64::from(steps) * STEP * 20.0 / 1000.0)
        });
        drawn.collect()
    }

    #[test]
    fn words_of_a_line_are_one_piece_and_stand_where_they_are_seen() {
        let found = drawn(&line(&[("The", 10.0, 43.3), ("museum", 50.0, 130.0)]));
        let [(start, text, width)] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!((*start, text.as_str()), (10.0, "The museum"));
        assert!((start + width - 130.0).abs() < 0.5, "{found:?}");
        let words = drawn_as(&line(&[("The", 10.0, 43.3), ("museum", 50.0, 130.0)]), true);
        assert_eq!((words.len(), words[1].0), (2, 50.0));
        let apart = drawn(&line(&[("left", 0.0, 40.0), ("right", 400.0, 450.0)]));
        let texts: Vec<_> = apart.iter().map(|(_, text, _)| text.as_str()).collect();
        assert_eq!(texts, ["left ", "right"]);
        assert!((apart[1].0 - 400.0).abs() < 1e-9);
    }

    #[test]
    fn what_is_read_leftward_begins_on_the_right() {
        let mut line = line(&[("one", 100.0, 130.0), ("two", 50.0, 90.0)]);
        line.leftward = true;
        let found = drawn(&line);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, "one two");
        assert_eq!(Axis::of(&line).matrix(found[0].0)[4], 130.0);
    }

    #[test]
    fn characters_keep_coming_when_numbers_run_out() {
        let mut characters = Characters::default();
        for steps in 1..=u16::MAX {
            assert!(characters.number(('a', steps)).is_some());
        }
        assert!(characters.number(('a', 0)).is_some());
        assert_eq!(characters.number(('b', 1)), None);
    }
}
