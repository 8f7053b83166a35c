//! Fonts for text drawing: DejaVu Sans, which is linked in, and fonts of other scripts, if they are installed or packaged next
//! to the executable.

use std::borrow::Cow;
use std::path::PathBuf;

use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::Metrics;
use skrifa::{FontRef, MetadataProvider as _, Tag};
use task::TaskResult;

use super::unreadable;

/// Font directories, searched after the directory `fonts` next to the executable.
const DIRECTORIES: [&str; 4] = [
    "/usr/share/fonts/truetype/noto",
    "/usr/share/fonts/truetype/wqy",
    "/usr/share/fonts/noto",
    "/usr/local/share/fonts",
];

/// Fallback fonts for characters that DejaVu Sans does not have, in this order, so that the output depends on these fonts only.
const FILES: [&str; 38] = [
    "NotoSansDevanagari-Regular.ttf",
    "NotoSansBengali-Regular.ttf",
    "NotoSansGurmukhi-Regular.ttf",
    "NotoSansGujarati-Regular.ttf",
    "NotoSansOriya-Regular.ttf",
    "NotoSansTamil-Regular.ttf",
    "NotoSansTelugu-Regular.ttf",
    "NotoSansKannada-Regular.ttf",
    "NotoSansMalayalam-Regular.ttf",
    "NotoSansSinhala-Regular.ttf",
    "NotoSansThai-Regular.ttf",
    "NotoSansLao-Regular.ttf",
    "NotoSerifTibetan-Regular.ttf",
    "NotoSansMyanmar-Regular.ttf",
    "NotoSansKhmer-Regular.ttf",
    "NotoSansEthiopic-Regular.ttf",
    "NotoSansArabic-Regular.ttf",
    "NotoSansHebrew-Regular.ttf",
    "NotoSansArmenian-Regular.ttf",
    "NotoSansGeorgian-Regular.ttf",
    "NotoSansSyriac-Regular.ttf",
    "NotoSansThaana-Regular.ttf",
    "NotoSansNKo-Regular.ttf",
    "NotoSansTifinagh-Regular.ttf",
    "NotoSansCherokee-Regular.ttf",
    "NotoSansCanadianAboriginal-Regular.ttf",
    "NotoSansMongolian-Regular.ttf",
    "NotoSansYi-Regular.ttf",
    "NotoSansJavanese-Regular.ttf",
    "NotoSansBalinese-Regular.ttf",
    "NotoSansSundanese-Regular.ttf",
    "NotoSansMeeteiMayek-Regular.ttf",
    "NotoSansOlChiki-Regular.ttf",
    "NotoSans-Regular.ttf",
    "wqy-microhei.ttc",
    "NotoSansMath-Regular.ttf",
    "NotoSansSymbols-Regular.ttf",
    "NotoSansSymbols2-Regular.ttf",
];

/// The fonts, loaded on first use.
#[derive(Default)]
pub(crate) struct Faces {
    /// `None` if the font is not installed or not usable.
    loaded: Vec<Option<FontFile>>,
}

/// A font file.
pub(super) struct FontFile {
    /// The file content.
    pub(super) bytes: Cow<'static, [u8]>,
    /// The PostScript name.
    pub(super) name: String,
}

impl Faces {
    /// Returns the first font that has all these characters.
    pub(super) fn find(&mut self, characters: &str) -> Option<usize> {
        (0..=FILES.len()).find(|index| self.has(*index, characters))
    }

    /// Whether a font has all these characters.
    pub(super) fn has(&mut self, index: usize, characters: &str) -> bool {
        while self.loaded.len() <= index {
            self.loaded.push(load(self.loaded.len()));
        }
        let file = self.loaded.get(index).and_then(Option::as_ref);
        let font = file.and_then(FontFile::font);
        font.is_some_and(|font| {
            let charmap = font.charmap();
            let mut characters = characters.chars();
            characters.all(|character| charmap.map(character).is_some())
        })
    }

    /// Returns a font by its index.
    pub(super) fn get(&self, index: usize) -> TaskResult<&FontFile> {
        let face = self.loaded.get(index).and_then(Option::as_ref);
        face.ok_or_else(unreadable)
    }
}

impl FontFile {
    /// Parses the font, the first one of a collection.
    pub(super) fn font(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(&self.bytes, 0).ok()
    }
}

/// Identifies the installed fonts, because the output depends on them.
pub(super) fn fingerprint() -> String {
    let is_there = |name: &&&str| directories().any(|directory| directory.join(name).is_file());
    let count = FILES.iter().filter(is_there).count();
    format!("{count} of {} fonts", FILES.len())
}

/// Returns the metrics in font units.
pub(super) fn metrics(font: &FontRef<'_>) -> Metrics {
    font.metrics(Size::unscaled(), LocationRef::default())
}

/// Factor from font units to thousandths of the font size.
pub(super) fn scale(font: &FontRef<'_>) -> f32 {
    1000.0 / f32::from(metrics(font).units_per_em.max(1))
}

/// Returns the cap height in thousandths of the font size; if the font has none, the height of an H.
pub(super) fn cap_height(font: &FontRef<'_>) -> f32 {
    let metrics = metrics(font);
    let of_h = || {
        let glyphs = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        Some(glyphs.bounds(font.charmap().map('H')?)?.y_max)
    };
    let cap_height = metrics.cap_height.filter(|height| *height > 0.0);
    cap_height.or_else(of_h).unwrap_or(metrics.ascent) * scale(font)
}

fn load(index: usize) -> Option<FontFile> {
    let file = match index.checked_sub(1) {
        None => FontFile {
            bytes: Cow::Borrowed(dejavu::sans::regular()),
            name: "DejaVuSans".to_owned(),
        },
        Some(index) => {
            let name = FILES.get(index)?;
            let bytes =
                directories().find_map(|directory| std::fs::read(directory.join(name)).ok())?;
            let name = name.split(['-', '.']).next().unwrap_or(name);
            FontFile {
                bytes: Cow::Owned(bytes),
                name: name.to_owned(),
            }
        }
    };
    // Only TrueType outlines are embedded.
    let outlines = file.font()?.table_data(Tag::new(b"glyf"));
    outlines.is_some().then_some(file)
}

fn directories() -> impl Iterator<Item = PathBuf> {
    let executable = std::env::current_exe().ok();
    let next_to_executable = executable.and_then(|path| Some(path.parent()?.join("fonts")));
    next_to_executable
        .into_iter()
        .chain(DIRECTORIES.iter().map(PathBuf::from))
}
