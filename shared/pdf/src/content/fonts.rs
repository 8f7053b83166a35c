//! Font family, weight and slant from font names and descriptors.

use layout::Font;

use super::handles::FontDescription;

/// `FixedPitch`, `Italic` and `ForceBold` of the font descriptor flags.
const FIXED_PITCH: u32 = 1;
const ITALIC: u32 = 1 << 6;
const BOLD: u32 = 1 << 18;
/// Minimum bold weight.
const MIN_BOLD_WEIGHT: i32 = 600;
/// Name parts of bold weights.
const BOLD_WORDS: [&str; 7] = [
    "bold", "black", "heavy", "semibold", "demibold", "demi", "fett",
];
/// Name parts of regular weights, which override the stem width: stems of some scripts are thick.
const LIGHT_WORDS: [&str; 5] = ["regular", "normal", "book", "light", "thin"];
/// Name parts of slanted styles.
const ITALIC_WORDS: [&str; 4] = ["italic", "oblique", "kursiv", "ital"];
/// Name parts of other weights and widths, which are not part of the family.
const OTHER_WORDS: [&str; 9] = [
    "regular", "roman", "normal", "medium", "light", "book", "mt", "psmt", "ps",
];
/// Name parts of monospaced families.
const FIXED_PITCH_WORDS: [&str; 7] = [
    "mono",
    "courier",
    "consolas",
    "menlo",
    "typewriter",
    "inconsolata",
    "monaco",
];

/// Prefix of PDFium's substitute families for fonts that are not embedded.
const SUBSTITUTE_PREFIX: &str = "Chrom ";
/// Families whose usual names have spaces, and the prefixes of their PostScript names.
const FAMILY_NAMES: [(&str, &str); 2] = [
    ("TimesNewRoman", "Times New Roman"),
    ("CourierNew", "Courier New"),
];

/// Returns family and style of a font of the document.
pub(super) fn font(face: &FontDescription) -> Font {
    let name = without_prefix(&face.name);
    let (base, style) = name.split_once([',', '-']).unwrap_or((name, ""));
    let words: Vec<String> = words(style).chain(words(base).skip(1)).collect();
    let is_any = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let lower = name.to_ascii_lowercase();
    Font {
        is_bold: is_any(&BOLD_WORDS)
            || face.flags & BOLD != 0
            || face.weight >= MIN_BOLD_WEIGHT && !is_any(&LIGHT_WORDS),
        is_italic: face.slant != 0 || face.flags & ITALIC != 0 || is_any(&ITALIC_WORDS),
        is_monospaced: face.flags & FIXED_PITCH != 0
            || FIXED_PITCH_WORDS.iter().any(|word| lower.contains(word)),
        family: family(base, &face.family),
    }
}

/// Removes the subset tag, such as `ABCDEF+`.
pub(super) fn without_prefix(name: &str) -> &str {
    match name.split_once('+') {
        Some((prefix, rest)) if prefix.len() == 6 => rest,
        _ => name,
    }
}

/// Splits a name in camel case into lower-case words.
fn words(name: &str) -> impl Iterator<Item = String> {
    let mut words = vec![String::new()];
    let mut was_lower = true;
    for character in name.chars() {
        let begins = character.is_uppercase() && was_lower;
        if begins || !character.is_alphanumeric() {
            words.push(String::new());
        }
        was_lower = character.is_lowercase();
        let written = character.is_alphanumeric().then_some(character);
        if let (Some(word), Some(character)) = (words.last_mut(), written) {
            word.extend(character.to_lowercase());
        }
    }
    words.into_iter().filter(|word| !word.is_empty())
}

/// The family of the font itself, otherwise of the name in the document.
fn family(base: &str, own: &str) -> String {
    let own = own.trim();
    let is_own = !own.is_empty() && own.chars().all(|character| !character.is_control());
    if is_own && !own.starts_with(SUBSTITUTE_PREFIX) {
        return without_prefix(own).to_owned();
    }
    if let Some((_, name)) = FAMILY_NAMES
        .iter()
        .find(|(begin, _)| base.starts_with(begin))
    {
        return (*name).to_owned();
    }
    // Vendor tags are in capitals.
    let stem = base.strip_suffix("MT").unwrap_or(base);
    let stem = stem.strip_suffix("PS").unwrap_or(stem);
    let base = if stem.is_empty() { base } else { stem };
    let mut end = base.len();
    loop {
        let rest = base.get(..end).unwrap_or_default();
        let begin = rest.rfind(char::is_uppercase).unwrap_or(0);
        let word = rest.get(begin..).unwrap_or_default().to_ascii_lowercase();
        let word = word.trim_matches(|character: char| !character.is_alphanumeric());
        let is_style = [&BOLD_WORDS[..], &ITALIC_WORDS, &OTHER_WORDS]
            .iter()
            .any(|known| known.contains(&word));
        if begin == 0 || !is_style {
            return rest.trim().to_owned();
        }
        end = begin;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> Font {
        let name = name.to_owned();
        font(&FontDescription {
            name,
            ..FontDescription::default()
        })
    }

    #[test]
    fn names_give_family_weight_and_slant() {
        let found = named("ABCDEF+Cambria-BoldItalic");
        assert_eq!(
            (found.family.as_str(), found.is_bold, found.is_italic),
            ("Cambria", true, true)
        );
        let found = named("TimesNewRomanPS-ItalicMT");
        assert_eq!(
            (found.family.as_str(), found.is_bold, found.is_italic),
            ("Times New Roman", false, true)
        );
        let found = named("CourierNew,Bold");
        assert_eq!((found.is_bold, found.is_monospaced), (true, true));
        let found = named("Blackadder");
        assert_eq!(
            (found.family.as_str(), found.is_bold),
            ("Blackadder", false)
        );
    }

    #[test]
    fn a_substitute_font_keeps_the_original_name() {
        let found = font(&FontDescription {
            name: "Helvetica-Bold".to_owned(),
            family: "Chrom Sans OTF".to_owned(),
            ..FontDescription::default()
        });
        assert_eq!((found.family.as_str(), found.is_bold), ("Helvetica", true));
        assert_eq!(named("ArialMT").family, "Arial");
    }

    #[test]
    fn flags_and_weight_apply_if_the_name_has_no_style() {
        let face = FontDescription {
            name: "F1".to_owned(),
            flags: ITALIC | FIXED_PITCH,
            weight: 700,
            ..FontDescription::default()
        };
        let found = font(&face);
        assert!(found.is_bold && found.is_italic && found.is_monospaced);
    }

    #[test]
    fn thick_stems_do_not_make_a_regular_font_bold() {
        let heavy = |name: &str| {
            let name = name.to_owned();
            let face = FontDescription {
                name,
                weight: 700,
                ..FontDescription::default()
            };
            font(&face).is_bold
        };
        assert!(!heavy("BAAAAA+NotoNaskhArabic-Regular"));
        assert!(heavy("BAAAAA+NotoNaskhArabic-Bold") && heavy("BAAAAA+Naskh"));
    }
}
