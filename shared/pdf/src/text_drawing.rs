//! Draws text with embedded fonts: selects fonts that have the characters, shapes the text, and embeds font subsets [ISO
//! 32000-1, 9.7; Unicode Standard Annex 9].

mod embed;
mod faces;
mod items;
mod shape;

use std::fmt::Write as _;

use domain::job::JobErrorCode;
use lopdf::{Dictionary, Document};
use task::{TaskError, TaskResult, engine_versions};

use self::embed::FontSubset;
use self::faces::Faces;
use crate::unicode_map::hexadecimal;

/// The fonts of a document, with the glyphs that its lines use.
#[derive(Default)]
pub struct FontSet {
    faces: Faces,
    /// The subset of each font that is used.
    subsets: Vec<FontSubset>,
}

/// A shaped line of text.
pub struct Line {
    pieces: Vec<GlyphRun>,
    /// Width at font size 1.
    pub width: f32,
    /// Cap height at font size 1.
    pub height: f32,
}

/// Glyphs of one font, from left to right.
struct GlyphRun {
    font: usize,
    clusters: Vec<Cluster>,
}

/// Glyphs that represent the same characters.
struct Cluster {
    /// The characters, if several glyphs represent them together.
    together: Option<String>,
    glyphs: Vec<PositionedGlyph>,
}

/// A positioned glyph. Lengths are thousandths of the font size.
struct PositionedGlyph {
    /// The character code in the font subset.
    code: u16,
    /// Horizontal offset from the end of the previous glyph.
    gap: f32,
    /// Vertical offset from the baseline.
    rise: f32,
}

impl FontSet {
    /// Shapes a line of text.
    ///
    /// # Errors
    /// [`TaskError::Document`] that lists the characters that no font has.
    pub fn line(&mut self, text: &str) -> TaskResult<Line> {
        let items = items::shaping_runs(text, &mut self.faces)?;
        let mut line = Line {
            pieces: Vec::new(),
            width: 0.0,
            height: 0.0,
        };
        for item in items {
            let file = self.faces.get(item.face)?;
            let font = file.font().ok_or_else(unreadable)?;
            let glyphs = shape::shape(&font, &item)?;
            line.width += glyphs.iter().map(|glyph| glyph.advance).sum::<f32>() / 1000.0;
            line.height = line.height.max(faces::cap_height(&font) / 1000.0);
            let font = self.part(item.face);
            if let Some(part) = self.subsets.get_mut(font) {
                let clusters = part.set(&glyphs);
                line.pieces.push(GlyphRun { font, clusters });
            }
        }
        Ok(line)
    }

    /// Returns the index of the subset of a font, which is created if necessary.
    fn part(&mut self, face: usize) -> usize {
        let found = self.subsets.iter().position(|part| part.face == face);
        found.unwrap_or_else(|| {
            self.subsets.push(FontSubset::of(face));
            self.subsets.len() - 1
        })
    }

    /// Embeds the subsets and returns the font resources, with the names that [`Line::operators`] uses.
    ///
    /// # Errors
    /// [`TaskError::Installation`] if a font cannot be parsed.
    pub fn embed(&self, document: &mut Document) -> TaskResult<Dictionary> {
        let mut fonts = Dictionary::new();
        for (index, part) in self.subsets.iter().enumerate() {
            let font = part.embed(self.faces.get(part.face)?, document)?;
            fonts.set(name(index), font);
        }
        Ok(fonts)
    }
}

impl Line {
    /// Returns the operators that show the line at the current text position, to be used between `BT` and `ET`.
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
                let glyphs: Vec<&PositionedGlyph> =
                    clusters.iter().flat_map(|c| &c.glyphs).collect();
                text += &show_operators(&glyphs, size);
                if together.is_some() {
                    text.push_str("EMC ");
                }
            }
        }
        text
    }
}

/// Returns the operators that show glyphs of one font.
fn show_operators(glyphs: &[&PositionedGlyph], size: f32) -> String {
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

/// Identifies the text shaping engine and the installed fonts.
pub fn fingerprint() -> String {
    format!("{} {}", engine_versions::HARFRUST, faces::fingerprint())
}

fn name(font: usize) -> String {
    format!("F{font}")
}

/// An installed font is unreadable.
fn unreadable() -> TaskError {
    TaskError::Installation("a font cannot be parsed".to_owned())
}

/// No font has these characters, or can shape this sequence of them.
fn missing_characters(missing: &str) -> TaskError {
    /// Maximum number of characters in the message.
    const MAX_LISTED: usize = 10;
    let named = missing.chars().take(MAX_LISTED).map(|character| {
        let number = u32::from(character);
        format!("{character} (U+{number:04X})")
    });
    let named: Vec<String> = named.collect();
    let message = format!(
        "No available font has these characters of the text: {}. Remove them, or use an image.",
        named.join(", ")
    );
    TaskError::document(JobErrorCode::OutputInvalid, &message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn embedded(text: &str) -> (String, Document) {
        let mut lettering = FontSet::default();
        let line = lettering.line(text).unwrap();
        let mut document = Document::new();
        lettering.embed(&mut document).unwrap();
        (line.operators(10.0), document)
    }

    #[test]
    fn characters_without_a_font_are_listed() {
        let refused = FontSet::default().line("a \u{1f648} b \u{e000}\u{1f648}");
        let Err(TaskError::Document(error)) = refused else {
            panic!("written");
        };
        assert_eq!(error.code, JobErrorCode::OutputInvalid);
        let named = "the text: \u{1f648} (U+1F648), \u{e000} (U+E000).";
        assert!(error.message.contains(named), "{}", error.message);
    }

    #[test]
    fn a_font_subset_is_small() {
        let mut lettering = FontSet::default();
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
    fn glyphs_are_in_visual_order_in_any_script() {
        let codes = |text: &str| embedded(text).0;
        // Alef and bet get the codes 1 and 2 in visual order: bet is to the left.
        assert_eq!(codes("\u{5d0}\u{5d1}"), "/F0 10 Tf [<0001><0002>] TJ ");
        let mixed = codes("a\u{5d0}\u{5d1}b");
        assert_eq!(mixed.matches("Tf").count(), 3, "{mixed}");
        // Lam and alef form one ligature glyph.
        assert_eq!(codes("\u{644}\u{627}"), "/F0 10 Tf [<0001>] TJ ");
        // The vowel sign precedes its consonant visually, and both are one cluster.
        let syllable = codes("\u{915}\u{93f}");
        let span = "/Span <</ActualText <feff0915093f>>> BDC [<0001><0002>] TJ EMC ";
        assert_eq!(syllable, format!("/F0 10 Tf {span}"));
    }

    #[test]
    fn a_glyph_has_one_code_per_text_it_represents() {
        // The accent is a separate glyph above both letters.
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
