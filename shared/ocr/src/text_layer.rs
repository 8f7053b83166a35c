//! The invisible text layer of a page: each line is shown by one string if possible, with each word at its position.
//!
//! All characters of a document, in any script, are numbered in order of use, once per distinct width, and a single
//! font without glyphs maps the numbers to Unicode [ISO 32000-1, 9.7 and 9.10.3]. This way, readers that sort text by
//! position keep the words of a line in order, even on pages that are upside down. The font file is Tesseract's own for the
//! same purpose.

mod font_sizes;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use task::matrix::Matrix;

use super::ocr_page::{Line, Rectangle, TextLayer};

/// Granularity of character widths, in thousandths of the font size.
const WIDTH_STEP: f64 = 25.0;
/// Maximum character width, in steps.
const MAX_STEPS: f64 = 200.0;
/// Width of a space at the end of a string, in steps.
const SPACE_STEPS: u16 = 10;
/// Maximum gap between words of one string, in font sizes.
const MAX_GAP: f64 = 2.0;
/// Maximum overlap of adjacent words of one string, in font sizes.
const MAX_OVERLAP: f64 = 0.2;
/// Bytes of the entry that names the filter of a stream.
const FILTER_ENTRY: usize = 20;
/// Minimum font size, in pixels of the picture.
const MIN_SIZE: f64 = 1.0;

/// A character and its width in steps.
type SizedCharacter = (char, u16);

/// The characters of a document with their codes, from 1.
#[derive(Default)]
pub(super) struct CharacterCodes {
    numbers: BTreeMap<SizedCharacter, u16>,
    characters: Vec<SizedCharacter>,
}

impl CharacterCodes {
    /// Returns the code of a character. When no codes are left, that of the same character with another width, if any.
    fn code(&mut self, character: SizedCharacter) -> Option<u16> {
        if let Some(number) = self.numbers.get(&character) {
            return Some(*number);
        }
        let Ok(number) = u16::try_from(self.characters.len() + 1) else {
            let widths = self
                .numbers
                .range((character.0, 0)..=(character.0, u16::MAX));
            return widths.map(|(_, number)| *number).next();
        };
        self.numbers.insert(character, number);
        self.characters.push(character);
        Some(number)
    }

    /// Encodes a text as a hexadecimal string.
    fn encode(&mut self, text: &[SizedCharacter]) -> String {
        let mut encoded = String::new();
        for number in text.iter().filter_map(|character| self.code(*character)) {
            write!(encoded, "{number:04X}").ok();
        }
        encoded
    }

    /// Adds the font of all characters so far. `file` is a font program with one empty glyph besides `.notdef`.
    pub(super) fn font(&self, document: &mut Document, file: &[u8]) -> ObjectId {
        let lengths = dictionary! { "Length1" => i64::try_from(file.len()).unwrap_or(0) };
        let file = document.add_object(compressed_stream(lengths, file.to_vec()));
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
        let glyphs = [0, 1].repeat(self.characters.len() + 1);
        let glyphs = document.add_object(compressed_stream(Dictionary::new(), glyphs));
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
        let characters = compressed_stream(Dictionary::new(), self.to_unicode().into_bytes());
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

    /// Returns the widths of all codes.
    fn widths(&self) -> Object {
        #[expect(clippy::cast_possible_truncation, reason = "at most 5,000")]
        let width =
            |(_, steps): &SizedCharacter| Object::Integer((f64::from(*steps) * WIDTH_STEP) as i64);
        Object::Array(self.characters.iter().map(width).collect())
    }

    /// Returns the `ToUnicode` CMap, in sections of at most 100 [Adobe technical note 5411].
    fn to_unicode(&self) -> String {
        let mut map = String::from(
            "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
             /CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def\n\
             /CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
             1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange\n",
        );
        let numbered: Vec<_> = (1_u32..).zip(&self.characters).collect();
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

/// Returns the content of a form that draws a layer in the user space of its page, with the font `/F`.
pub(super) fn content(layer: &TextLayer, characters: &mut CharacterCodes) -> String {
    let place = layer.to_user_space.0.map(format_number).join(" ");
    let mut content = format!("q {place} cm BT 3 Tr\n");
    for (line, size) in font_sizes::lines(&layer.blocks) {
        let axis = Axis::of(line);
        writeln!(content, "/F {} Tf", format_number(size)).ok();
        // Readers sort lines by their start, and vertical lines start side by side.
        let separate_words = axis.is_vertical(layer.back);
        for run in text_runs(line, &axis, size, separate_words) {
            let (matrix, text) = (axis.matrix(run.start), characters.encode(&run.text));
            writeln!(
                content,
                "{} Tm <{text}> Tj",
                matrix.map(format_number).join(" ")
            )
            .ok();
        }
    }
    content.push_str("ET Q\n");
    content
}

/// A string of a line without wide gaps.
struct TextRun {
    /// Start position along the line.
    start: f64,
    text: Vec<SizedCharacter>,
}

/// Splits a line into as few strings as possible, or into words if `separate_words`. Characters share
/// the width of their word.
fn text_runs(line: &Line, axis: &Axis, size: f64, separate_words: bool) -> Vec<TextRun> {
    let mut text_runs: Vec<TextRun> = Vec::new();
    // End of the last string, and whether a space follows.
    let (mut end, mut spaced) = (0.0, false);
    for (word, space) in line.spaced() {
        let (from, to) = axis.extent_along(word.rectangle);
        let gap = from - end;
        let continues = !separate_words && gap <= MAX_GAP * size && gap >= -MAX_OVERLAP * size;
        match text_runs.last_mut() {
            Some(run) if continues && spaced => {
                end += push(run, ' ', gap, size);
            }
            Some(_) if continues => {}
            before => {
                if let Some(before) = before.filter(|_| spaced) {
                    before.text.push((' ', SPACE_STEPS));
                }
                end = from;
                text_runs.push(TextRun {
                    start: from,
                    text: Vec::new(),
                });
            }
        }
        let letters = u32::try_from(word.text.chars().count()).unwrap_or(u32::MAX);
        if let Some(run) = text_runs.last_mut() {
            for (letter, left) in word.text.chars().zip((1..=letters).rev()) {
                end += push(run, letter, (to - end) / f64::from(left), size);
            }
        }
        spaced = space;
    }
    text_runs
}

/// Adds a character of about the given width; returns its quantized width.
fn push(run: &mut TextRun, character: char, width: f64, size: f64) -> f64 {
    let step = size * WIDTH_STEP / 1000.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "clamped"
    )]
    let steps = (width / step).round().clamp(1.0, MAX_STEPS) as u16;
    run.text.push((character, steps));
    f64::from(steps) * step
}

/// The direction of a line in a picture, whose axes point right and down.
struct Axis {
    /// A point on the baseline.
    origin: (f64, f64),
    /// Unit vector along the baseline, in the direction of left-to-right text.
    along: (f64, f64),
    /// Whether the text is right-to-left.
    right_to_left: bool,
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
            right_to_left: line.right_to_left,
        }
    }

    /// Returns whether the line is vertical on the displayed page.
    fn is_vertical(&self, back: Matrix) -> bool {
        let [a, b, c, d, _, _] = back.0;
        let (x, y) = self.along;
        (b * x + d * y).abs() > (a * x + c * y).abs()
    }

    /// Returns the extent of a rectangle in a direction, relative to the origin.
    fn extent(&self, rectangle: Rectangle, (x, y): (f64, f64)) -> (f64, f64) {
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

    /// Returns the extent of a rectangle along the line, in reading direction.
    fn extent_along(&self, rectangle: Rectangle) -> (f64, f64) {
        let (from, to) = self.extent(rectangle, self.along);
        match self.right_to_left {
            true => (-to, -from),
            false => (from, to),
        }
    }

    /// Returns the text matrix at a distance along the line, mirrored for right-to-left text.
    fn matrix(&self, start: f64) -> [f64; 6] {
        let forward = if self.right_to_left { -1.0 } else { 1.0 };
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

    fn extent_across(&self, rectangle: Rectangle) -> (f64, f64) {
        let (cosine, sine) = self.along;
        self.extent(rectangle, (-sine, cosine))
    }
}

/// Formats a number for PDF, without exponent.
pub(super) fn format_number(number: f64) -> String {
    let text = format!("{number:.5}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "" | "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

thread_local! {
    /// The compressor of all streams. Each one has 300 KB, and small objects that are kept between such allocations would
    /// fragment the heap by that much for each page.
    static ENCODER: RefCell<ZlibEncoder<Vec<u8>>> =
        RefCell::new(ZlibEncoder::new(Vec::new(), Compression::best()));
}

/// Creates a stream, compressed if that is smaller.
pub(super) fn compressed_stream(mut dictionary: Dictionary, content: Vec<u8>) -> Stream {
    let compressed = ENCODER.with_borrow_mut(|encoder| {
        encoder.write_all(&content)?;
        encoder.reset(Vec::new())
    });
    match compressed {
        Ok(compressed) if compressed.len() + FILTER_ENTRY < content.len() => {
            dictionary.set("Filter", "FlateDecode");
            Stream::new(dictionary, compressed)
        }
        _ => Stream::new(dictionary, content),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ocr_page::Word;
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

    fn drawn_as(line: &Line, separate_words: bool) -> Vec<(f64, String, f64)> {
        let text_runs = text_runs(line, &Axis::of(line), 20.0, separate_words);
        let drawn = text_runs.iter().map(|run| {
            let steps: u32 = run.text.iter().map(|(_, steps)| u32::from(*steps)).sum();
            let text = run.text.iter().map(|(character, _)| *character).collect();
            (
                run.start,
                text,
                f64::from(steps) * WIDTH_STEP * 20.0 / 1000.0,
            )
        });
        drawn.collect()
    }

    #[test]
    fn words_of_a_line_are_one_string_at_their_positions() {
        let found = drawn(&line(&[("The", 10.0, 43.3), ("museum", 50.0, 130.0)]));
        let [(start, text, width)] = found.as_slice() else {
            panic!("{found:?}");
        };
        assert_eq!((*start, text.as_str()), (10.0, "The museum"));
        assert!((start + width - 130.0).abs() < 0.5, "{found:?}");
        let words = drawn_as(&line(&[("The", 10.0, 43.3), ("museum", 50.0, 130.0)]), true);
        assert_eq!((words.len(), words[1].0), (2, 50.0));
        let separate_words = drawn(&line(&[("left", 0.0, 40.0), ("right", 400.0, 450.0)]));
        let texts: Vec<_> = separate_words
            .iter()
            .map(|(_, text, _)| text.as_str())
            .collect();
        assert_eq!(texts, ["left ", "right"]);
        assert!((separate_words[1].0 - 400.0).abs() < 1e-9);
    }

    #[test]
    fn right_to_left_text_starts_on_the_right() {
        let mut line = line(&[("one", 100.0, 130.0), ("two", 50.0, 90.0)]);
        line.right_to_left = true;
        let found = drawn(&line);
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].1, "one two");
        assert_eq!(Axis::of(&line).matrix(found[0].0)[4], 130.0);
    }

    #[test]
    fn codes_of_other_widths_are_used_when_codes_run_out() {
        let mut characters = CharacterCodes::default();
        for steps in 1..=u16::MAX {
            assert!(characters.code(('a', steps)).is_some());
        }
        assert!(characters.code(('a', 0)).is_some());
        assert_eq!(characters.code(('b', 1)), None);
    }
}
