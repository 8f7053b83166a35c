//! Checks plain text and CSV: what encoding, and what stands between the fields.

use std::fs::File;
use std::io::{ErrorKind, Read, Write};
use std::path::Path;

use chardetng::{EncodingDetector, Iso2022JpDetection, Utf8Detection};
use domain::format::Format;
use encoding_rs::{CoderResult, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};

use super::magic::Container;
use crate::fault::{Fault, Outcome};
use crate::task::{Inspection, Task, TextFacts};

/// Bytes that are read at once.
const CHUNK: usize = 64 * 1024;
/// Bytes that the kind of text is told from.
const SAMPLE: u64 = 1024 * 1024;
/// Most cells of a sheet.
const CELLS: u64 = 2_000_000;
/// What may stand between fields.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// Checks a source that claims to be text or CSV.
pub(super) fn check(task: &Task, found: Container) -> Outcome<Inspection> {
    if found != Container::Unknown {
        return Err(Fault::mismatch());
    }
    let encoding = detect(&task.source)?;
    let mut counts = Counts::default();
    let mut sample = String::new();
    decode(&task.source, encoding, |piece| {
        counts.add(piece);
        if sample.len() < CHUNK {
            sample.push_str(piece);
        }
        Ok(())
    })?;
    if counts.characters == 0 {
        return Err(super::empty());
    }
    // Noise, or a format that is not known here.
    if counts.controls * 100 > counts.characters {
        return Err(Fault::mismatch());
    }
    let separator = (task.from == Format::Csv).then(|| separator(&sample));
    check_cells(&counts, separator)?;
    Ok(Inspection {
        pages: None,
        text: Some(TextFacts {
            encoding: encoding.name().to_owned(),
            separator,
        }),
    })
}

/// Writes a text as UTF-8 without a byte order mark. Lines of text that is no table end with a line feed each.
pub(crate) fn write_utf8(source: &Path, facts: &TextFacts, target: &Path) -> Outcome<()> {
    let encoding = Encoding::for_label(facts.encoding.as_bytes()).unwrap_or(UTF_8);
    let mut file = File::create(target)?;
    let mut after_return = false;
    decode(source, encoding, |piece| match facts.separator {
        Some(_) => file.write_all(piece.as_bytes()),
        None => file.write_all(with_line_feeds(piece, &mut after_return).as_bytes()),
    })
}

/// Turns every end of line into a line feed: a carriage return alone would end none.
fn with_line_feeds(piece: &str, after_return: &mut bool) -> String {
    let mut text = String::with_capacity(piece.len());
    for character in piece.chars() {
        match character {
            '\r' => text.push('\n'),
            '\n' if *after_return => {}
            other => text.push(other),
        }
        *after_return = character == '\r';
    }
    text
}

/// A byte order mark tells; else valid UTF-8 is UTF-8; else a detector guesses from the sample.
fn detect(path: &Path) -> std::io::Result<&'static Encoding> {
    let mut sample = Vec::new();
    File::open(path)?.take(SAMPLE).read_to_end(&mut sample)?;
    if let Some((encoding, _)) = Encoding::for_bom(&sample) {
        return Ok(encoding);
    }
    if let Some(encoding) = unmarked_utf16(&sample) {
        return Ok(encoding);
    }
    let mut detector = EncodingDetector::new(Iso2022JpDetection::Deny);
    detector.feed(&sample, true);
    Ok(detector.guess(None, Utf8Detection::Allow))
}

/// Latin text in UTF-16 has a zero in every other byte.
fn unmarked_utf16(sample: &[u8]) -> Option<&'static Encoding> {
    let zeros = |parity: usize| {
        let bytes = sample.iter().skip(parity).step_by(2);
        bytes.filter(|byte| **byte == 0).count()
    };
    let (even, odd) = (zeros(0), zeros(1));
    let most = sample.len() * 2 / 5;
    match (even, odd) {
        (0, odd) if odd > most => Some(UTF_16LE),
        (even, 0) if even > most => Some(UTF_16BE),
        _ => None,
    }
}

/// Decodes a file piece by piece; what cannot be decoded becomes U+FFFD.
fn decode(
    path: &Path,
    encoding: &'static Encoding,
    mut take: impl FnMut(&str) -> std::io::Result<()>,
) -> Outcome<()> {
    let mut file = File::open(path)?;
    let mut decoder = encoding.new_decoder_with_bom_removal();
    let mut chunk = vec![0; CHUNK];
    loop {
        let count = match file.read(&mut chunk) {
            Ok(count) => count,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error.into()),
        };
        let bytes = chunk.get(..count).unwrap_or_default();
        decode_piece(&mut decoder, bytes, count == 0, &mut take)?;
        if count == 0 {
            return Ok(());
        }
    }
}

fn decode_piece(
    decoder: &mut Decoder,
    mut bytes: &[u8],
    last: bool,
    take: &mut impl FnMut(&str) -> std::io::Result<()>,
) -> std::io::Result<()> {
    let mut piece = String::with_capacity(CHUNK);
    loop {
        piece.clear();
        let (result, read, _) = decoder.decode_to_string(bytes, &mut piece, last);
        take(&piece)?;
        bytes = bytes.get(read..).unwrap_or_default();
        if result == CoderResult::InputEmpty {
            return Ok(());
        }
    }
}

/// What is counted over a whole text.
#[derive(Default)]
struct Counts {
    characters: u64,
    /// Characters that no text holds: controls beside white space, and what could not be decoded.
    controls: u64,
    lines: u64,
    /// Of each separator: in this line, and in the line that has most of it.
    separators: [(u64, u64); SEPARATORS.len()],
    /// Whether this is a field in quotation marks, in which nothing is divided.
    quoted: bool,
    /// Whether a field has begun, so that a quotation mark is a character of it.
    inside_field: bool,
}

impl Counts {
    fn add(&mut self, piece: &str) {
        for character in piece.chars() {
            self.characters += 1;
            self.divide(character);
            match character {
                '\n' | '\t' | '\r' | '\u{c}' | '\u{1a}' | '\u{1b}' => {}
                '\u{fffd}' => self.controls += 1,
                other if other.is_control() && !matches!(other, '\u{80}'..='\u{9f}') => {
                    self.controls += 1;
                }
                _ => {}
            }
        }
    }

    /// Counts lines and fields. A quotation mark begins a quotation at the beginning of a field only, and a doubled one
    /// within it ends it and begins it again.
    fn divide(&mut self, character: char) {
        let index = SEPARATORS.iter().position(|known| *known == character);
        match character {
            '"' if self.quoted => (self.quoted, self.inside_field) = (false, false),
            '"' if !self.inside_field => self.quoted = true,
            _ if self.quoted => {}
            '\n' => self.end_line(),
            _ => self.inside_field = index.is_none(),
        }
        if let Some((here, most)) = index
            .filter(|_| !self.quoted)
            .and_then(|index| self.separators.get_mut(index))
        {
            *here += 1;
            *most = (*most).max(*here);
        }
    }

    fn end_line(&mut self) {
        self.inside_field = false;
        self.lines += 1;
        for (here, _) in &mut self.separators {
            *here = 0;
        }
    }
}

fn check_cells(counts: &Counts, separator: Option<char>) -> Outcome<()> {
    let index = SEPARATORS
        .iter()
        .position(|known| Some(*known) == separator);
    let most = index.and_then(|index| counts.separators.get(index));
    let columns = most.map_or(0, |(_, most)| *most) + 1;
    if separator.is_some() && (counts.lines + 1).saturating_mul(columns) > CELLS {
        return Err(Fault::too_large("The table has more than 2,000,000 cells."));
    }
    Ok(())
}

/// The separator that divides most lines into the same number of fields, outside quotation marks.
fn separator(sample: &str) -> char {
    let score = |separator: char| {
        let mut counts = Vec::new();
        let (mut quoted, mut here) = (false, 0_usize);
        for character in sample.chars() {
            match character {
                '"' => quoted = !quoted,
                '\n' if !quoted => counts.push(std::mem::take(&mut here)),
                other if other == separator && !quoted => here += 1,
                _ => {}
            }
        }
        counts.push(here);
        let most = counts.first().copied().unwrap_or(0);
        let same = counts
            .iter()
            .filter(|count| **count == most && most > 0)
            .count();
        (same, counts.iter().sum::<usize>())
    };
    let best = SEPARATORS
        .iter()
        .rev()
        .max_by_key(|separator| score(**separator));
    best.copied().unwrap_or(',')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_separator_is_what_divides_lines_alike() {
        for (text, expected) in [
            ("a;b;c\n1,5;2,5;3\n", ';'),
            ("a,b\n1,2\n", ','),
            ("a\tb\n\"x,y,z\"\t2\n", '\t'),
            ("name|size\nx|1\n", '|'),
            ("single\ncolumn\n", ','),
        ] {
            assert_eq!(separator(text), expected, "{text}");
        }
    }

    #[test]
    fn fields_in_quotation_marks_are_one_each() {
        let columns = |text: &str| {
            let mut counts = Counts::default();
            counts.add(text);
            (counts.lines, counts.separators[0].1 + 1)
        };
        assert_eq!(columns("a,b\n1,2\n"), (2, 2));
        assert_eq!(columns("\"a,b\nc,\"\"d,e\"\"\",2\n1,2,3\n"), (2, 3));
        assert_eq!(columns("5\",6,7\n8,9,10\n"), (2, 3));
    }

    #[test]
    fn every_end_of_line_becomes_one_line_feed() {
        let mut after_return = false;
        let pieces = ["a\r", "\nb\rc\n\nd\r\r\n"];
        let text: String = pieces
            .map(|piece| with_line_feeds(piece, &mut after_return))
            .concat();
        assert_eq!(text, "a\nb\nc\n\nd\n\n");
    }

    #[test]
    fn encodings_are_told_apart() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("text");
        let utf16: Vec<u8> = "plain words"
            .encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect();
        let cases: [(&[u8], &str); 6] = [
            (b"plain", "UTF-8"),
            ("Gr\u{fc}\u{df}e".as_bytes(), "UTF-8"),
            (b"\xff\xfea\0b\0", "UTF-16LE"),
            (&utf16, "UTF-16LE"),
            (b"Gr\xfc\xdfe aus K\xf6ln, sch\xf6n und gut", "windows-1252"),
            (
                b"\x93\xfa\x96{\x8c\xea\x82\xcc\x83e\x83L\x83X\x83g",
                "Shift_JIS",
            ),
        ];
        for (bytes, expected) in cases {
            std::fs::write(&path, bytes).unwrap();
            assert_eq!(detect(&path).unwrap().name(), expected);
        }
    }
}
