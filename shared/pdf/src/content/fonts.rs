//! Font family, weight and slant from font names and descriptors.

mod computer_modern;

use std::ops::RangeInclusive;

use layout::Font;

use self::computer_modern::design;
use super::handles::FontDescription;

/// `FixedPitch`, `Italic` and `ForceBold` of the font descriptor flags.
const FIXED_PITCH: u32 = 1;
const ITALIC: u32 = 1 << 6;
const BOLD: u32 = 1 << 18;
/// Bold weights. Wider stems than those of the boldest fonts are errors of the writer.
const BOLD_WEIGHTS: RangeInclusive<i32> = 600..=1_000;
/// Name parts of bold weights; others end in `bold`.
const BOLD_WORDS: [&str; 6] = ["bold", "black", "heavy", "demi", "medi", "fett"];
/// Name parts of regular weights and of styles that have one, which override the stem width: stems of some scripts are thick.
const REGULAR_WORDS: [&str; 10] = [
    "regular", "regu", "roman", "normal", "book", "light", "thin", "italic", "oblique", "ital",
];
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

/// The family of monospaced Computer Modern.
const TYPEWRITER: &str = "Computer Modern Typewriter";

/// Beginnings and parts of the names of fonts for formulas.
const MATH_BEGINNINGS: [&str; 40] = [
    "cmmi",
    "cmsy",
    "cmex",
    "cmbsy",
    "msam",
    "msbm",
    "eufm",
    "eufb",
    "eusm",
    "eurm",
    "euex",
    "rsfs",
    "stmary",
    "esint",
    "bbm",
    "dsrom",
    "txsy",
    "txmi",
    "txex",
    "txbsy",
    "txbex",
    "rtxmi",
    "rtxbmi",
    "rntxmi",
    "ntxmi",
    "ntxsy",
    "ntxex",
    "newtxmi",
    "pxsy",
    "pxmi",
    "pxex",
    "rpxmi",
    "yhcmex",
    "mtsy",
    "mtmi",
    "mtextra",
    "mt extra",
    "symbol",
    "standardsym",
    "mnsymbol",
];
const MATH_PARTS: [&str; 6] = [
    "math",
    "euclidsymbol",
    "euclidextra",
    "euclidfraktur",
    "fdsymbol",
    "mtextra",
];

/// Returns family and style of a font of the document.
pub(super) fn font(face: &FontDescription) -> Font {
    let name = without_prefix(&face.name);
    let (base, style) = name.split_once([',', '-']).unwrap_or((name, ""));
    let words: Vec<String> = words(style).chain(words(base).skip(1)).collect();
    let is_any = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let lower = name.to_ascii_lowercase();
    let design = design(name);
    let is_monospaced = design.map_or_else(
        || {
            face.flags & FIXED_PITCH != 0
                || FIXED_PITCH_WORDS.iter().any(|word| lower.contains(word))
        },
        |design| design.is_monospaced,
    );
    // Writers derive the stems of monospaced fonts from their width.
    let is_thick = BOLD_WEIGHTS.contains(&face.weight) && !is_monospaced && !is_any(&REGULAR_WORDS);
    Font {
        is_bold: design.map_or_else(
            || {
                let is_bold = words.iter().any(|word| is_bold(word));
                is_bold || face.flags & BOLD != 0 || is_thick
            },
            |design| design.is_bold,
        ),
        is_italic: face.slant != 0 || face.flags & ITALIC != 0 || is_any(&ITALIC_WORDS),
        is_monospaced,
        is_math: is_math(&lower),
        family: match design {
            // All of its fonts have the family of the one with serifs.
            Some(design) if design.is_monospaced => TYPEWRITER.to_owned(),
            _ => family(base, &face.family),
        },
    }
}

/// Whether a part of a name is a bold weight.
fn is_bold(word: &str) -> bool {
    word.ends_with("bold") || BOLD_WORDS.contains(&word)
}

/// Whether a name in lower case, without subset tag, is that of a font for formulas.
fn is_math(name: &str) -> bool {
    let begins = MATH_BEGINNINGS.iter().any(|begin| name.starts_with(begin));
    begins || MATH_PARTS.iter().any(|part| name.contains(part))
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
        let others = [&ITALIC_WORDS[..], &OTHER_WORDS];
        let is_style = is_bold(word) || others.iter().any(|known| known.contains(&word));
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
    fn fonts_for_formulas_are_known_by_their_names() {
        for name in [
            "ABCDEF+CMEX10",
            "CMMI7",
            "LMMathItalic10-Regular",
            "CambriaMath",
            "SymbolMT",
        ] {
            assert!(named(name).is_math, "{name}");
        }
        for name in [
            "CMR10",
            "CMTI10",
            "NotoSansSymbols2",
            "Times-Italic",
            "Arial",
        ] {
            assert!(!named(name).is_math, "{name}");
        }
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
            flags: ITALIC,
            weight: 700,
            ..FontDescription::default()
        };
        let found = font(&face);
        assert!(found.is_bold && found.is_italic && !found.is_monospaced);
        let found = font(&FontDescription {
            flags: FIXED_PITCH,
            ..face
        });
        assert!(!found.is_bold && found.is_monospaced);
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
        assert!(!heavy("BeraSansMono-Roman") && !heavy("LMRoman10-Italic"));
        assert!(!heavy("DejaVuSansMono") && heavy("DejaVuSansMono-Bold"));
        assert!(!heavy("CMR10") && heavy("NimbusRomNo9L-MediItal"));
    }

    #[test]
    fn bold_computer_modern_has_thin_stems() {
        let face = FontDescription {
            name: "ABCDEF+CMBX12".to_owned(),
            weight: 545,
            ..FontDescription::default()
        };
        assert!(font(&face).is_bold);
    }

    #[test]
    fn all_bold_weights_are_bold() {
        for name in ["Inter-ExtraBold", "Machina-Ultrabold", "Roboto-Black"] {
            assert!(named(name).is_bold, "{name}");
        }
        assert!(!named("Inter-Medium").is_bold);
    }
}
