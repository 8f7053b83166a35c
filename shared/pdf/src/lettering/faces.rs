//! The fonts that texts are written with: DejaVu Sans, which is linked in, and those of other scripts where they are
//! installed or lie beside the executable.

use std::borrow::Cow;
use std::path::PathBuf;

use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::Metrics;
use skrifa::{FontRef, MetadataProvider as _, Tag};
use task::Outcome;

use super::unreadable;

/// Where fonts may lie, beside the directory `fonts` next to the executable.
const DIRECTORIES: [&str; 4] = [
    "/usr/share/fonts/truetype/noto",
    "/usr/share/fonts/truetype/wqy",
    "/usr/share/fonts/noto",
    "/usr/local/share/fonts",
];

/// The fonts that are looked at for what DejaVu Sans does not have, in this order: a text looks the same wherever the
/// same ones are installed, whatever else is.
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

/// The fonts, each read when it is looked at first.
#[derive(Default)]
pub(crate) struct Faces {
    /// `None` for one that is not installed, or is of no use.
    loaded: Vec<Option<File>>,
}

/// The file of a font.
pub(super) struct File {
    /// What it holds.
    pub(super) bytes: Cow<'static, [u8]>,
    /// What PDF calls it.
    pub(super) name: String,
}

impl Faces {
    /// The first font that has all these characters, if there is one.
    pub(super) fn find(&mut self, characters: &str) -> Option<usize> {
        (0..=FILES.len()).find(|index| self.has(*index, characters))
    }

    /// Whether a font has all these characters.
    pub(super) fn has(&mut self, index: usize, characters: &str) -> bool {
        while self.loaded.len() <= index {
            self.loaded.push(load(self.loaded.len()));
        }
        let file = self.loaded.get(index).and_then(Option::as_ref);
        let font = file.and_then(File::font);
        font.is_some_and(|font| {
            let charmap = font.charmap();
            let mut characters = characters.chars();
            characters.all(|character| charmap.map(character).is_some())
        })
    }

    /// A font that was found.
    pub(super) fn get(&self, index: usize) -> Outcome<&File> {
        let face = self.loaded.get(index).and_then(Option::as_ref);
        face.ok_or_else(unreadable)
    }
}

impl File {
    /// The font, the first of a collection.
    pub(super) fn font(&self) -> Option<FontRef<'_>> {
        FontRef::from_index(&self.bytes, 0).ok()
    }
}

/// Which of the fonts are there: texts look different where others are.
pub(super) fn fingerprint() -> String {
    let is_there = |name: &&&str| directories().any(|directory| directory.join(name).is_file());
    let count = FILES.iter().filter(is_there).count();
    format!("{count} of {} fonts", FILES.len())
}

/// Metrics in font units.
pub(super) fn metrics(font: &FontRef<'_>) -> Metrics {
    font.metrics(Size::unscaled(), LocationRef::default())
}

/// Thousandths of the size per font unit.
pub(super) fn scale(font: &FontRef<'_>) -> f32 {
    1000.0 / f32::from(metrics(font).units_per_em.max(1))
}

/// The cap height in thousandths of the size. Older fonts do not have it: it is that of an H.
pub(super) fn capitals(font: &FontRef<'_>) -> f32 {
    let metrics = metrics(font);
    let of_h = || {
        let glyphs = font.glyph_metrics(Size::unscaled(), LocationRef::default());
        Some(glyphs.bounds(font.charmap().map('H')?)?.y_max)
    };
    let cap_height = metrics.cap_height.filter(|height| *height > 0.0);
    cap_height.or_else(of_h).unwrap_or(metrics.ascent) * scale(font)
}

fn load(index: usize) -> Option<File> {
    let file = match index.checked_sub(1) {
        None => File {
            bytes: Cow::Borrowed(dejavu::sans::regular()),
            name: "DejaVuSans".to_owned(),
        },
        Some(index) => {
            let name = FILES.get(index)?;
            let bytes =
                directories().find_map(|directory| std::fs::read(directory.join(name)).ok())?;
            let name = name.split(['-', '.']).next().unwrap_or(name);
            File {
                bytes: Cow::Owned(bytes),
                name: name.to_owned(),
            }
        }
    };
    // What is embedded has outlines of TrueType.
    let outlines = file.font()?.table_data(Tag::new(b"glyf"));
    outlines.is_some().then_some(file)
}

fn directories() -> impl Iterator<Item = PathBuf> {
    let executable = std::env::current_exe().ok();
    let beside = executable.and_then(|path| Some(path.parent()?.join("fonts")));
    beside
        .into_iter()
        .chain(DIRECTORIES.iter().map(PathBuf::from))
}
