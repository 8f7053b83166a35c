//! Embeds font subsets: the glyphs in use, and a ToUnicode CMap.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, StringFormat, dictionary};
use skrifa::FontRef;
use subsetter::GlyphRemapper;
use task::TaskResult;

use super::faces::{self, FontFile};
use super::shape::ShapedGlyph;
use super::{Cluster, PositionedGlyph, unreadable};
use crate::unicode_map;

/// The subset of a font.
pub(super) struct FontSubset {
    /// The index of the font.
    pub(super) face: usize,
    /// The glyphs. A glyph that represents different characters gets a code for each; codes start at 1.
    used: Vec<UsedGlyph>,
    codes: BTreeMap<(u16, String), u16>,
}

struct UsedGlyph {
    glyph: u16,
    text: String,
    width: f32,
}

impl FontSubset {
    /// An empty subset of a font.
    pub(super) fn of(face: usize) -> Self {
        Self {
            face,
            used: Vec::new(),
            codes: BTreeMap::new(),
        }
    }

    /// Adds the glyphs of a shaping run and returns their positions.
    pub(super) fn set(&mut self, glyphs: &[ShapedGlyph]) -> Vec<Cluster> {
        // Difference between the shaped pen position and that of PDF.
        let mut behind = 0.0;
        let mut set = Vec::new();
        for cluster in glyphs.chunk_by(|one, other| one.text == other.text) {
            let whole = cluster.first().map(|first| &first.text.characters);
            let mut placed = Vec::new();
            for glyph in cluster {
                placed.push(PositionedGlyph {
                    code: self.code(glyph),
                    gap: behind + glyph.offset.0,
                    rise: glyph.offset.1,
                });
                behind = glyph.advance - glyph.width - glyph.offset.0;
            }
            set.push(Cluster {
                together: whole.filter(|_| placed.len() > 1).cloned(),
                glyphs: placed,
            });
        }
        set
    }

    fn code(&mut self, glyph: &ShapedGlyph) -> u16 {
        let text = &glyph.text.characters;
        let key = (glyph.glyph, text.clone());
        *self.codes.entry(key).or_insert_with(|| {
            self.used.push(UsedGlyph {
                glyph: glyph.glyph,
                text: text.clone(),
                width: glyph.width,
            });
            u16::try_from(self.used.len()).unwrap_or(0)
        })
    }

    /// Writes the subset into a document.
    pub(super) fn embed(&self, file: &FontFile, document: &mut Document) -> TaskResult<ObjectId> {
        let font = file.font().ok_or_else(unreadable)?;
        let mut mapper = GlyphRemapper::new();
        // Code 0 is the missing glyph.
        let mut glyphs = vec![0, 0];
        for used in &self.used {
            glyphs.extend(mapper.remap(used.glyph).to_be_bytes());
        }
        let program = subsetter::subset(&file.bytes, 0, &mapper).map_err(|_| unreadable())?;
        let length = i64::try_from(program.len()).unwrap_or(i64::MAX);
        let program = add(document, dictionary! { "Length1" => length }, program);
        let glyphs = add(document, Dictionary::new(), glyphs);
        let characters = add(document, Dictionary::new(), self.characters().into_bytes());
        // The six-letter tag marks a subset.
        let name = format!("OCTAVO+{}", file.name);
        let mut descriptor = descriptor(&font, &name);
        descriptor.set("FontFile2", program);
        let descriptor = document.add_object(descriptor);
        let text = |text: &str| Object::String(text.into(), StringFormat::Literal);
        let descendant = document.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "CIDFontType2",
            "BaseFont" => name.as_str(),
            "CIDSystemInfo" => dictionary! {
                "Registry" => text("Adobe"), "Ordering" => text("Identity"), "Supplement" => 0,
            },
            "FontDescriptor" => descriptor,
            "W" => vec![1.into(), Object::Array(self.widths())],
            "CIDToGIDMap" => glyphs,
        });
        Ok(document.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "Type0",
            "BaseFont" => name.as_str(),
            "Encoding" => "Identity-H",
            "DescendantFonts" => vec![descendant.into()],
            "ToUnicode" => characters,
        }))
    }

    fn widths(&self) -> Vec<Object> {
        self.used.iter().map(|used| used.width.into()).collect()
    }

    /// Returns the ToUnicode CMap, for search and copy of the text [ISO 32000-1, 9.10.3].
    fn characters(&self) -> String {
        let codes = (1_u16..).zip(&self.used);
        let texts = codes.filter(|(_, used)| !used.text.is_empty());
        unicode_map::write(2, texts.map(|(code, used)| (code, used.text.as_str())))
    }
}

fn add(document: &mut Document, dict: Dictionary, content: Vec<u8>) -> ObjectId {
    let mut stream = Stream::new(dict, content);
    // Compression fails if it does not reduce the size.
    stream.compress().ok();
    document.add_object(stream)
}

fn descriptor(font: &FontRef<'_>, name: &str) -> Dictionary {
    let (metrics, scale) = (faces::metrics(font), faces::scale(font));
    let bounds = metrics.bounds.unwrap_or_default();
    let bounds = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max];
    dictionary! {
        "Type" => "FontDescriptor",
        "FontName" => name,
        // Symbolic: the font is not limited to the standard Latin character set.
        "Flags" => 4,
        "FontBBox" => bounds.map(|bound| Object::from(bound * scale)).to_vec(),
        "ItalicAngle" => 0,
        "Ascent" => metrics.ascent * scale,
        "Descent" => metrics.descent * scale,
        "CapHeight" => faces::cap_height(font),
        "StemV" => 80,
    }
}
