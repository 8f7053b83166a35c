//! The text that is laid under the picture of a page: drawn invisibly, each word where it is seen.
//!
//! All characters of a document get a number in the order in which they come, whatever their script, and one font without
//! glyphs, half an em wide each, maps the numbers back to characters [ISO 32000-1, 9.7 and 9.10.3]. The font file is the
//! one that Tesseract brings for the same purpose.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};

use super::layout::{Layer, Line, Rectangle, Word};

/// Width of every character in thousandths of the size.
const WIDTH: f64 = 500.0;
/// Smallest size of letters, in pixels of the picture.
const SMALLEST: f64 = 1.0;

/// The characters of a document, numbered from 1.
#[derive(Default)]
pub(super) struct Characters {
    numbers: BTreeMap<char, u16>,
    known: Vec<char>,
}

impl Characters {
    /// The number of a character; none once all numbers are given away.
    fn number(&mut self, character: char) -> Option<u16> {
        if let Some(number) = self.numbers.get(&character) {
            return Some(*number);
        }
        let number = u16::try_from(self.known.len() + 1).ok()?;
        self.numbers.insert(character, number);
        self.known.push(character);
        Some(number)
    }

    /// A text as a string of PDF.
    fn encode(&mut self, text: &str) -> String {
        let mut encoded = String::new();
        for number in text.chars().filter_map(|character| self.number(character)) {
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
            "DW" => 500,
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
            for (number, character) in section {
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
    let lines = layer.blocks.iter().flat_map(|block| &block.lines);
    for line in lines {
        let axis = Axis::of(line);
        let heights = line.words.iter().map(|word| axis.across(word.rectangle));
        let size = heights.fold(SMALLEST, |most, (low, high)| most.max(high - low));
        writeln!(content, "/F {} Tf", number(size)).ok();
        for (word, space) in line.spaced() {
            write_word(&mut content, characters, &axis, (word, space), size);
        }
    }
    content.push_str("ET Q\n");
    content
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
        // Not `hypot`, which is new in glibc 2.35: Lambda's runtime has 2.34.
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

    fn ahead(&self, rectangle: Rectangle) -> (f64, f64) {
        self.reach(rectangle, self.along)
    }

    fn across(&self, rectangle: Rectangle) -> (f64, f64) {
        let (cosine, sine) = self.along;
        self.reach(rectangle, (-sine, cosine))
    }
}

/// A word along its line, stretched to the width that it has in the picture; one that is read leftward begins at its
/// right end.
fn write_word(
    content: &mut String,
    characters: &mut Characters,
    axis: &Axis,
    (word, space): (&Word, bool),
    size: f64,
) {
    let text = match space {
        true => word.text.clone() + " ",
        false => word.text.clone(),
    };
    let encoded = characters.encode(&text);
    let letters = u32::try_from(word.text.chars().count()).unwrap_or(u32::MAX);
    let (from, to) = axis.ahead(word.rectangle);
    let (start, forward) = match axis.leftward {
        true => (to, -1.0),
        false => (from, 1.0),
    };
    let (cosine, sine) = axis.along;
    let matrix = [
        cosine * forward,
        sine * forward,
        sine,
        -cosine,
        axis.origin.0 + start * cosine,
        axis.origin.1 + start * sine,
    ];
    let matrix = matrix.map(number).join(" ");
    let natural = f64::from(letters) * size * WIDTH / 1000.0;
    let stretch = number(100.0 * (to - from).max(SMALLEST) / natural.max(f64::EPSILON));
    writeln!(content, "{matrix} Tm {stretch} Tz <{encoded}> Tj").ok();
}

/// A number as PDF writes it, without exponent.
fn number(number: f64) -> String {
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
