//! A font for marks: DejaVu Sans, of which a PDF gets the characters that it needs [ISO 32000-1, 9.7].

use std::collections::BTreeMap;

use domain::job::JobErrorCode;
use lopdf::{Document, Object, ObjectId, Stream, StringFormat, dictionary};
use subsetter::GlyphRemapper;
use ttf_parser::Face;
use unicode_normalization::UnicodeNormalization as _;

use crate::fault::{Fault, Outcome};

/// A font with the glyphs of a text.
pub(super) struct Font {
    /// Thousandths of the size that capitals rise above the base line.
    capitals: f32,
    glyphs: BTreeMap<char, Glyph>,
    program: Vec<u8>,
    descriptor: lopdf::Dictionary,
}

#[derive(Clone, Copy)]
struct Glyph {
    /// Its number in the part of the font that is embedded.
    id: u16,
    /// How far it moves on, in thousandths of the size.
    advance: f32,
}

/// Scripts that are written from the right, or whose letters join: they take more than one glyph after the other.
const JOINED: [std::ops::RangeInclusive<char>; 6] = [
    '\u{300}'..='\u{36f}',
    '\u{590}'..='\u{10ff}',
    '\u{1780}'..='\u{18af}',
    '\u{200c}'..='\u{200f}',
    '\u{202a}'..='\u{202e}',
    '\u{fb1d}'..='\u{feff}',
];

impl Font {
    /// The font with the characters of a text.
    ///
    /// # Errors
    /// [`Fault::Document`] that names the characters that it cannot write.
    pub(super) fn for_text(text: &str) -> Outcome<Self> {
        let broken = |_| Fault::Installation("the font cannot be read".to_owned());
        let file = dejavu::sans::regular();
        let face = Face::parse(file, 0).map_err(broken)?;
        let scale = 1000.0 / f32::from(face.units_per_em());
        let mut mapper = GlyphRemapper::new();
        let (mut glyphs, mut missing) = (BTreeMap::new(), String::new());
        for character in text.nfc() {
            let joined = JOINED.iter().any(|script| script.contains(&character));
            match face.glyph_index(character).filter(|_| !joined) {
                Some(glyph) => {
                    let advance = f32::from(face.glyph_hor_advance(glyph).unwrap_or(0)) * scale;
                    let id = mapper.remap(glyph.0);
                    glyphs.insert(character, Glyph { id, advance });
                }
                None if missing.contains(character) => {}
                None => missing.push(character),
            }
        }
        if !missing.is_empty() {
            return Err(unwritable(&missing));
        }
        let program = subsetter::subset(file, 0, &mapper);
        let program =
            program.map_err(|_| Fault::Installation("the font cannot be cut".to_owned()))?;
        let scaled = |value: i16| f32::from(value) * scale;
        let capitals = scaled(height_of_capitals(&face));
        let bounds = face.global_bounding_box();
        let bounds = [bounds.x_min, bounds.y_min, bounds.x_max, bounds.y_max];
        let descriptor = dictionary! {
            "Type" => "FontDescriptor",
            "FontName" => NAME,
            // Symbolic: it is no font of Latin letters only.
            "Flags" => 4,
            "FontBBox" => bounds.map(|bound| Object::from(scaled(bound))).to_vec(),
            "ItalicAngle" => 0,
            "Ascent" => scaled(face.ascender()),
            "Descent" => scaled(face.descender()),
            "CapHeight" => capitals,
            "StemV" => 80,
        };
        Ok(Self {
            capitals,
            glyphs,
            program,
            descriptor,
        })
    }

    /// How wide a text is at size 1, and how far its capitals rise.
    pub(super) fn sides(&self, text: &str) -> (f32, f32) {
        let advances = text
            .nfc()
            .filter_map(|character| self.glyphs.get(&character));
        let width: f32 = advances.map(|glyph| glyph.advance).sum();
        (width / 1000.0, self.capitals / 1000.0)
    }

    /// A text as operand of `Tj`.
    pub(super) fn encoded(&self, text: &str) -> String {
        let glyphs = text
            .nfc()
            .filter_map(|character| self.glyphs.get(&character));
        let codes: String = glyphs.map(|glyph| format!("{:04x}", glyph.id)).collect();
        format!("<{codes}>")
    }

    /// Puts the font into a document.
    pub(super) fn embed(&self, document: &mut Document) -> ObjectId {
        let length = i64::try_from(self.program.len()).unwrap_or(i64::MAX);
        let mut program = Stream::new(dictionary! { "Length1" => length }, self.program.clone());
        // Left as it is when it does not become smaller.
        program.compress().ok();
        let program = document.add_object(program);
        let mut descriptor = self.descriptor.clone();
        descriptor.set("FontFile2", program);
        let descriptor = document.add_object(descriptor);
        let text = |text: &str| Object::String(text.into(), StringFormat::Literal);
        let descendant = document.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "CIDFontType2",
            "BaseFont" => NAME,
            "CIDSystemInfo" => dictionary! {
                "Registry" => text("Adobe"), "Ordering" => text("Identity"), "Supplement" => 0,
            },
            "FontDescriptor" => descriptor,
            "W" => self.widths(),
            "CIDToGIDMap" => "Identity",
        });
        let characters = Stream::new(dictionary! {}, self.characters().into_bytes());
        let characters = document.add_object(characters);
        document.add_object(dictionary! {
            "Type" => "Font",
            "Subtype" => "Type0",
            "BaseFont" => NAME,
            "Encoding" => "Identity-H",
            "DescendantFonts" => vec![descendant.into()],
            "ToUnicode" => characters,
        })
    }

    fn widths(&self) -> Vec<Object> {
        let widths = self.glyphs.values().flat_map(|glyph| {
            let width: Vec<Object> = vec![glyph.advance.into()];
            [Object::from(i64::from(glyph.id)), Object::Array(width)]
        });
        widths.collect()
    }

    /// Which character each glyph stands for, so that the text can be found and copied [ISO 32000-1, 9.10.3].
    fn characters(&self) -> String {
        let mut lines = Vec::new();
        for (character, glyph) in &self.glyphs {
            let mut units = [0; 2];
            let units = character.encode_utf16(&mut units).iter();
            let units: String = units.map(|unit| format!("{unit:04x}")).collect();
            lines.push(format!("<{:04x}> <{units}>", glyph.id));
        }
        // No more than a hundred in one list.
        let lists = lines.chunks(100);
        let lists: String = lists
            .map(|lines| {
                format!(
                    "{} beginbfchar\n{}\nendbfchar\n",
                    lines.len(),
                    lines.join("\n")
                )
            })
            .collect();
        format!("{CHARACTERS_BEGIN}{lists}{CHARACTERS_END}")
    }
}

/// Older fonts do not tell it: it is that of an H.
fn height_of_capitals(face: &Face<'_>) -> i16 {
    let of_h = || Some(face.glyph_bounding_box(face.glyph_index('H')?)?.y_max);
    let told = face.capital_height().filter(|height| *height > 0);
    told.or_else(of_h).unwrap_or(face.ascender())
}

/// The tag of six letters says that it is a part of the font.
const NAME: &str = "OCTAVO+DejaVuSans";

const CHARACTERS_BEGIN: &str = "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
    /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n\
    /CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
    1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n";
const CHARACTERS_END: &str = "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";

fn unwritable(missing: &str) -> Fault {
    let missing: String = missing.chars().take(10).collect();
    Fault::document(
        JobErrorCode::OutputInvalid,
        &format!("The text holds characters that cannot be written over a page: {missing}"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_cannot_be_written_right_is_refused() {
        for text in ["機密", "سري", "סודי", "क", "a\u{200f}b"] {
            assert!(Font::for_text(text).is_err(), "{text}");
        }
        for text in [
            "ENTWURF – streng geheim €",
            "Черновик",
            "Πρόχειρο",
            "e\u{301}",
        ] {
            assert!(Font::for_text(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn a_part_of_the_font_is_small() {
        let font = Font::for_text("DRAFT").unwrap();
        assert!(font.program.len() < 20_000, "{}", font.program.len());
        let (width, height) = font.sides("DRAFT");
        assert!((2.0..4.0).contains(&width) && (0.6..0.8).contains(&height));
    }
}
