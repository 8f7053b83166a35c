//! Finds the characters that no installed font has. Renderers draw boxes for them.

use std::collections::BTreeMap;
use std::fs::File;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

use skrifa::raw::tables::cmap::Cmap;
use skrifa::raw::{FontData, FontRead as _};
use task::Warning;
use unicode_normalization::char::{decompose_canonical, is_combining_mark, is_public_assigned};

/// Directories where distribution packages install fonts.
pub const FONTS: [&str; 2] = ["/usr/share/fonts", "/usr/local/share/fonts"];

/// The first character that is looked up: fonts have the Latin ones before it.
const FIRST: char = '\u{250}';
/// Fonts that have most characters, which are searched first.
const COMMON: [&str; 3] = ["DejaVuSans.ttf", "NotoSans-Regular.ttf", "wqy-microhei.ttc"];
/// Maximum number of pages that are remembered of a character.
const MAX_PAGES: usize = 100;
/// Maximum number of characters in the warning.
const MAX_CHARACTERS: usize = 20;
/// Maximum number of fonts of a collection.
const MAX_FONTS: u64 = 100;
/// Maximum size of a character map in bytes.
const MAX_CHARMAP: u64 = 8 * 1024 * 1024;

/// The characters of a document, and their pages.
#[derive(Default)]
pub struct DrawnCharacters(BTreeMap<char, Vec<u32>>);

impl DrawnCharacters {
    /// Adds the text of a page, if it has one. Pages are added in order; adding them again changes nothing.
    pub fn add(&mut self, text: &str, page: Option<u32>) {
        if text.is_ascii() {
            return;
        }
        for character in text.chars().filter(|character| *character >= FIRST) {
            let pages = self.0.entry(character).or_default();
            if page > pages.last().copied() && pages.len() < MAX_PAGES {
                pages.extend(page);
            }
        }
    }

    /// Returns the warning about the characters that no installed font has.
    pub fn warning(mut self) -> Option<Warning> {
        self.0.retain(|character, _| has_glyph(*character));
        let mut files = match self.0.is_empty() {
            true => Vec::new(),
            false => font_files(),
        };
        files.sort_by_cached_key(|path| {
            let rank = COMMON.iter().position(|name| path.ends_with(name));
            (rank.unwrap_or(COMMON.len()), path.clone())
        });
        for file in files {
            if self.0.is_empty() {
                break;
            }
            for charmap in charmaps(&file) {
                if let Ok(charmap) = Cmap::read(FontData::new(&charmap)) {
                    self.0.retain(|character, _| !draws(&charmap, *character));
                }
            }
        }
        let mut pages: Vec<u32> = self.0.values().flatten().copied().collect();
        pages.sort_unstable();
        pages.dedup();
        let count = u32::try_from(self.0.len()).unwrap_or(u32::MAX);
        let characters = self.0.into_keys().take(MAX_CHARACTERS).collect();
        (count > 0).then_some(Warning::GlyphsMissing(characters, count, pages))
    }
}

/// Whether a character has a glyph of its own in a font: marks and parts of Korean syllables are composed with others, and
/// others are invisible [Unicode Standard, 5.21].
fn has_glyph(character: char) -> bool {
    let is_composed = is_combining_mark(character)
        || matches!(character, '\u{1100}'..='\u{11ff}' | '\u{a960}'..='\u{a97c}' | '\u{d7b0}'..='\u{d7fb}');
    let is_invisible = character.is_whitespace()
        || character.is_control()
        || matches!(
            character,
            '\u{61c}'
                | '\u{180b}'..='\u{180f}'
                | '\u{200b}'..='\u{200f}'
                | '\u{202a}'..='\u{202e}'
                | '\u{2060}'..='\u{206f}'
                | '\u{3164}'
                | '\u{fe00}'..='\u{fe0f}'
                | '\u{feff}'
                | '\u{ffa0}'
                | '\u{fff9}'..='\u{fffc}'
                | '\u{1bca0}'..='\u{1bca3}'
                | '\u{1d173}'..='\u{1d17a}'
                | '\u{e0000}'..='\u{e0fff}'
        );
    is_public_assigned(character) && !is_composed && !is_invisible
}

/// Whether a font draws a character, or the characters that it is composed of.
fn draws(charmap: &Cmap<'_>, character: char) -> bool {
    let has = |character: char| {
        let glyph = charmap.map_codepoint(character);
        glyph.is_some_and(|glyph| glyph.to_u32() != 0)
    };
    let mut has_parts = true;
    decompose_canonical(character, |part| has_parts &= has(part));
    has_parts || has(character)
}

/// Paths of the installed fonts.
fn font_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut pending: Vec<PathBuf> = FONTS.iter().map(PathBuf::from).collect();
    while let Some(directory) = pending.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            // Packages link directories.
            match entry.path() {
                path if path.is_dir() => pending.push(path),
                path => files.push(path),
            }
        }
    }
    files
}

/// Reads the character maps of a font, or of those of a collection [OpenType, Font File].
fn charmaps(path: &Path) -> Vec<Vec<u8>> {
    let Ok(file) = File::open(path) else {
        return Vec::new();
    };
    let starts = collection(&file).unwrap_or_else(|| vec![0]);
    starts
        .into_iter()
        .filter_map(|start| charmap(&file, start))
        .collect()
}

/// The offsets of the fonts of a collection.
fn collection(file: &File) -> Option<Vec<u64>> {
    let head = read(file, 0, 12)?;
    if !head.starts_with(b"ttcf") {
        return None;
    }
    let count = number(head.get(8..)?)?.min(MAX_FONTS);
    let offsets = read(file, 12, count * 4)?;
    offsets.chunks_exact(4).map(number).collect()
}

/// Reads the character map of the font at an offset.
fn charmap(file: &File, start: u64) -> Option<Vec<u8>> {
    // The number of tables is in the upper half.
    let count = number(&read(file, start + 4, 4)?)? >> 16;
    let tables = read(file, start + 12, count * 16)?;
    let mut tables = tables.chunks_exact(16);
    let table = tables.find(|table| table.starts_with(b"cmap"))?;
    read(file, number(table.get(8..12)?)?, number(table.get(12..)?)?)
}

fn read(file: &File, offset: u64, length: u64) -> Option<Vec<u8>> {
    let mut bytes = vec![0; usize::try_from(length.min(MAX_CHARMAP)).ok()?];
    file.read_exact_at(&mut bytes, offset).ok()?;
    Some(bytes)
}

fn number(bytes: &[u8]) -> Option<u64> {
    let bytes = bytes.try_into().ok()?;
    Some(u32::from_be_bytes(bytes).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_without_a_font_are_found_with_their_pages() {
        let mut drawn = DrawnCharacters::default();
        drawn.add(
            "Grüße Привет Ελλ שלום مرحبا 中文 日本 한국 नमस्ते e\u{301} \u{f0b7}",
            Some(1),
        );
        for page in [1, 2, 4, 2] {
            drawn.add("\u{16a70}\u{fe0f} \u{10570}", Some(page));
        }
        let expected = Warning::GlyphsMissing(vec!['\u{10570}', '\u{16a70}'], 2, vec![1, 2, 4]);
        assert_eq!(drawn.warning(), Some(expected));
    }

    #[test]
    fn at_most_twenty_characters_are_named() {
        let mut drawn = DrawnCharacters::default();
        drawn.add(&('\u{10570}'..='\u{10595}').collect::<String>(), None);
        let Some(Warning::GlyphsMissing(characters, count, pages)) = drawn.warning() else {
            panic!("no warning");
        };
        assert!(characters.len() == 20 && count > 20 && pages.is_empty());
    }

    #[test]
    fn scripts_with_fonts_have_no_warning() {
        let mut drawn = DrawnCharacters::default();
        drawn.add(
            "Ελληνικά Кириллица العربية עברית 漢字かな交じり文 한국어 ไทย தமிழ் ქართული “–…” ₿ ∑ ☃ \u{1f680}",
            None,
        );
        assert_eq!(drawn.warning(), None);
    }
}
