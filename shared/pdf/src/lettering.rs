//! Text as it is drawn: fonts that have its characters, its glyphs in the order in which they stand, and the fonts' parts
//! that a PDF gets of them [ISO 32000-1, 9.7; Unicode Standard Annex 9].

mod embed;
mod faces;
mod items;
mod shape;

use std::fmt::Write as _;

use domain::job::JobErrorCode;
use lopdf::{Dictionary, Document};
use task::{Fault, Outcome, linked};

use self::embed::Part;
use self::faces::Faces;

/// The fonts of a document in the making, with the glyphs that its lines use.
#[derive(Default)]
pub struct Lettering {
    faces: Faces,
    /// What is used of each face.
    parts: Vec<Part>,
}

/// A line of text, ready to be drawn.
pub struct Line {
    pieces: Vec<Piece>,
    /// How wide it is at size 1.
    pub width: f32,
    /// How far its capitals rise above the base line at size 1.
    pub height: f32,
}

/// Glyphs of one font, from left to right.
struct Piece {
    font: usize,
    clusters: Vec<Cluster>,
}

/// Glyphs that stand for characters.
struct Cluster {
    /// The characters, where several glyphs stand for them together.
    together: Option<String>,
    glyphs: Vec<Set>,
}

/// A glyph where it stands. Lengths are thousandths of the size.
struct Set {
    /// Its code in the part of the font.
    code: u16,
    /// How far it stands from where the glyph before has left the pen.
    gap: f32,
    /// How far it stands above the base line.
    rise: f32,
}

impl Lettering {
    /// The line of a text.
    ///
    /// # Errors
    /// [`Fault::Document`] that names the characters that no font has.
    pub fn line(&mut self, text: &str) -> Outcome<Line> {
        let items = items::items(text, &mut self.faces)?;
        let mut line = Line {
            pieces: Vec::new(),
            width: 0.0,
            height: 0.0,
        };
        for item in items {
            let file = self.faces.get(item.face)?;
            let font = file.font().ok_or_else(unreadable)?;
            let glyphs = shape::shaped(&font, &item)?;
            line.width += glyphs.iter().map(|glyph| glyph.advance).sum::<f32>() / 1000.0;
            line.height = line.height.max(faces::capitals(&font) / 1000.0);
            let font = self.part(item.face);
            if let Some(part) = self.parts.get_mut(font) {
                let clusters = part.set(&glyphs);
                line.pieces.push(Piece { font, clusters });
            }
        }
        Ok(line)
    }

    /// The place of the part of a face, which is begun if there is none.
    fn part(&mut self, face: usize) -> usize {
        let found = self.parts.iter().position(|part| part.face == face);
        found.unwrap_or_else(|| {
            self.parts.push(Part::of(face));
            self.parts.len() - 1
        })
    }

    /// Puts the fonts into a document: by the names that [`Line::operators`] uses.
    pub fn embed(&self, document: &mut Document) -> Outcome<Dictionary> {
        let mut fonts = Dictionary::new();
        for (index, part) in self.parts.iter().enumerate() {
            let font = part.embed(self.faces.get(part.face)?, document)?;
            fonts.set(name(index), font);
        }
        Ok(fonts)
    }
}

impl Line {
    /// Operators that show it at a size, from the pen on; between `BT` and `ET`.
    pub fn operators(&self, size: f32) -> String {
        let mut text = String::new();
        for piece in &self.pieces {
            write!(text, "/{} {size} Tf ", name(piece.font)).ok();
            let alone = |cluster: &Cluster| cluster.together.is_none();
            let groups = piece.clusters.chunk_by(|a, b| alone(a) && alone(b));
            for clusters in groups {
                let together = clusters
                    .iter()
                    .find_map(|cluster| cluster.together.as_ref());
                if let Some(characters) = together {
                    let characters = hexadecimal(characters);
                    write!(text, "/Span <</ActualText <feff{characters}>>> BDC ").ok();
                }
                let glyphs: Vec<&Set> = clusters.iter().flat_map(|c| &c.glyphs).collect();
                text += &shown(&glyphs, size);
                if together.is_some() {
                    text.push_str("EMC ");
                }
            }
        }
        text
    }
}

/// Operators that show glyphs of one font.
fn shown(glyphs: &[&Set], size: f32) -> String {
    let mut text = String::new();
    for glyphs in glyphs.chunk_by(|a, b| a.rise == b.rise) {
        let rise = glyphs.first().map_or(0.0, |glyph| glyph.rise);
        if rise != 0.0 {
            write!(text, "{} Ts ", rise * size / 1000.0).ok();
        }
        text.push('[');
        for glyph in glyphs {
            if glyph.gap != 0.0 {
                write!(text, "{}", -glyph.gap).ok();
            }
            write!(text, "<{:04x}>", glyph.code).ok();
        }
        text.push_str("] TJ ");
        if rise != 0.0 {
            text.push_str("0 Ts ");
        }
    }
    text
}

/// Characters in UTF-16, high byte first.
fn hexadecimal(characters: &str) -> String {
    let units = characters.encode_utf16();
    units.map(|unit| format!("{unit:04x}")).collect()
}

/// What writes texts.
pub fn fingerprint() -> String {
    format!("{} {}", linked::HARFRUST, faces::fingerprint())
}

fn name(font: usize) -> String {
    format!("F{font}")
}

/// The installation lacks what it always has.
fn unreadable() -> Fault {
    Fault::Installation("a font cannot be read".to_owned())
}

/// No font has these characters, or writes them as they follow one another.
fn unwritable(missing: &str) -> Fault {
    /// Most characters that a message names.
    const NAMED: usize = 10;
    let named = missing.chars().take(NAMED).map(|character| {
        let number = u32::from(character);
        format!("{character} (U+{number:04X})")
    });
    let named: Vec<String> = named.collect();
    let message = format!(
        "No font here has these characters of the text: {}. Leave them out, or use a picture.",
        named.join(", ")
    );
    Fault::document(JobErrorCode::OutputInvalid, &message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded(text: &str) -> (String, Document) {
        let mut lettering = Lettering::default();
        let line = lettering.line(text).unwrap();
        let mut document = Document::new();
        lettering.embed(&mut document).unwrap();
        (line.operators(10.0), document)
    }

    #[test]
    fn characters_without_a_font_are_named() {
        let refused = Lettering::default().line("a \u{1f648} b \u{e000}\u{1f648}");
        let Err(Fault::Document(error)) = refused else {
            panic!("written");
        };
        assert_eq!(error.code, JobErrorCode::OutputInvalid);
        let named = "the text: \u{1f648} (U+1F648), \u{e000} (U+E000).";
        assert!(error.message.contains(named), "{}", error.message);
    }

    #[test]
    fn a_part_of_a_font_is_small() {
        let mut lettering = Lettering::default();
        let line = lettering.line("DRAFT").unwrap();
        assert!((2.0..4.0).contains(&line.width), "{}", line.width);
        assert!((0.6..0.8).contains(&line.height), "{}", line.height);
        for text in ["DRAFT", "機密"] {
            let (_, document) = embedded(text);
            let streams = document.objects.values().filter_map(|o| o.as_stream().ok());
            let size: usize = streams.map(|stream| stream.content.len()).sum();
            assert!(size < 30_000, "{text}: {size}");
        }
    }

    #[test]
    fn glyphs_stand_from_left_to_right_whatever_the_script() {
        let codes = |text: &str| embedded(text).0;
        // Alef and bet have the codes 1 and 2 in the order in which they stand: bet is to the left.
        assert_eq!(codes("\u{5d0}\u{5d1}"), "/F0 10 Tf [<0001><0002>] TJ ");
        let mixed = codes("a\u{5d0}\u{5d1}b");
        assert_eq!(mixed.matches("Tf").count(), 3, "{mixed}");
        // Lam and alef are one glyph.
        assert_eq!(codes("\u{644}\u{627}"), "/F0 10 Tf [<0001>] TJ ");
        // The vowel sign that is read after its consonant stands before it, and both are one syllable.
        let syllable = codes("\u{915}\u{93f}");
        let span = "/Span <</ActualText <feff0915093f>>> BDC [<0001><0002>] TJ EMC ";
        assert_eq!(syllable, format!("/F0 10 Tf {span}"));
    }

    #[test]
    fn a_glyph_has_a_code_for_each_text_that_it_stands_for() {
        // The accent is a glyph of its own over both letters.
        let (_, document) = embedded("q\u{301}x\u{301}");
        let streams = document.objects.values().filter_map(|o| o.as_stream().ok());
        let characters = streams.filter_map(|stream| {
            let content = stream.get_plain_content().ok()?;
            String::from_utf8(content).ok()
        });
        let characters: String = characters.collect();
        assert!(characters.contains("4 beginbfchar"), "{characters}");
    }
}
