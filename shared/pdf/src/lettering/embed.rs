//! The part of a font that a PDF gets: the glyphs that its lines use, each with the characters that it stands for.

use std::collections::BTreeMap;

use lopdf::{Dictionary, Document, Object, ObjectId, Stream, StringFormat, dictionary};
use skrifa::FontRef;
use subsetter::GlyphRemapper;
use task::Outcome;

use super::faces::{self, File};
use super::shape::Shaped;
use super::{Cluster, Set, hexadecimal, unreadable};

/// What lines use of a font.
pub(super) struct Part {
    /// The font.
    pub(super) face: usize,
    /// The glyphs. One that stands for other characters elsewhere has another code there: the code of the first is 1.
    used: Vec<Used>,
    codes: BTreeMap<(u16, String), u16>,
}

struct Used {
    glyph: u16,
    text: String,
    width: f32,
}

impl Part {
    /// Nothing yet of a font.
    pub(super) fn of(face: usize) -> Self {
        Self {
            face,
            used: Vec::new(),
            codes: BTreeMap::new(),
        }
    }

    /// Takes up the glyphs of a part of a line, and tells where they stand.
    pub(super) fn set(&mut self, glyphs: &[Shaped]) -> Vec<Cluster> {
        // How far the pen of PDF is behind where it would have to be.
        let mut behind = 0.0;
        let mut set = Vec::new();
        for cluster in glyphs.chunk_by(|one, other| one.text == other.text) {
            let whole = cluster.first().map(|first| &first.text.characters);
            let mut placed = Vec::new();
            for glyph in cluster {
                placed.push(Set {
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

    fn code(&mut self, glyph: &Shaped) -> u16 {
        let text = &glyph.text.characters;
        let key = (glyph.glyph, text.clone());
        *self.codes.entry(key).or_insert_with(|| {
            self.used.push(Used {
                glyph: glyph.glyph,
                text: text.clone(),
                width: glyph.width,
            });
            u16::try_from(self.used.len()).unwrap_or(0)
        })
    }

    /// Puts the part into a document.
    pub(super) fn embed(&self, file: &File, document: &mut Document) -> Outcome<ObjectId> {
        let font = file.font().ok_or_else(unreadable)?;
        let mut mapper = GlyphRemapper::new();
        // The glyph of what is missing has the code 0.
        let mut glyphs = vec![0, 0];
        for used in &self.used {
            glyphs.extend(mapper.remap(used.glyph).to_be_bytes());
        }
        let program = subsetter::subset(&file.bytes, 0, &mapper).map_err(|_| unreadable())?;
        let length = i64::try_from(program.len()).unwrap_or(i64::MAX);
        let program = add(document, dictionary! { "Length1" => length }, program);
        let glyphs = add(document, Dictionary::new(), glyphs);
        let characters = add(document, Dictionary::new(), self.characters().into_bytes());
        // The tag of six letters says that it is a part of the font.
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

    /// Which characters each code stands for, so that the text can be found and copied [ISO 32000-1, 9.10.3].
    fn characters(&self) -> String {
        let told = (1_u16..).zip(&self.used);
        let lines: Vec<String> = told
            .filter(|(_, used)| !used.text.is_empty())
            .map(|(code, used)| format!("<{code:04x}> <{}>", hexadecimal(&used.text)))
            .collect();
        // No more than a hundred in one list.
        let lists = lines.chunks(100).map(|lines| {
            let count = lines.len();
            format!("{count} beginbfchar\n{}\nendbfchar\n", lines.join("\n"))
        });
        let lists: String = lists.collect();
        format!("{CHARACTERS_BEGIN}{lists}{CHARACTERS_END}")
    }
}

fn add(document: &mut Document, about: Dictionary, content: Vec<u8>) -> ObjectId {
    let mut stream = Stream::new(about, content);
    // Left as it is when it does not become smaller.
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
        // Symbolic: it is no font of Latin letters only.
        "Flags" => 4,
        "FontBBox" => bounds.map(|bound| Object::from(bound * scale)).to_vec(),
        "ItalicAngle" => 0,
        "Ascent" => metrics.ascent * scale,
        "Descent" => metrics.descent * scale,
        "CapHeight" => faces::capitals(font),
        "StemV" => 80,
    }
}

const CHARACTERS_BEGIN: &str = "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap\n\
    /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def\n\
    /CMapName /Adobe-Identity-UCS def\n/CMapType 2 def\n\
    1 begincodespacerange\n<0000> <ffff>\nendcodespacerange\n";
const CHARACTERS_END: &str = "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend\n";
