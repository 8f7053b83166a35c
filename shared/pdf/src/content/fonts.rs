//! What the names and the flags of a font say of it.

use layout::Font;

use super::handles::Face;

/// `FixedPitch`, `Italic` and `ForceBold` of a font descriptor's flags.
const FIXED: u32 = 1;
const ITALIC: u32 = 1 << 6;
const BOLD: u32 = 1 << 18;
/// The least weight that is heavier than the regular one.
const HEAVY: i32 = 600;
/// Words of weight that make bold, as names have them.
const BOLD_WORDS: [&str; 7] = [
    "bold", "black", "heavy", "semibold", "demibold", "demi", "fett",
];
/// Words of weight that a font has which is not bold, whatever its stems say: those of some scripts are thick.
const LIGHT_WORDS: [&str; 5] = ["regular", "normal", "book", "light", "thin"];
/// Words of slant.
const ITALIC_WORDS: [&str; 4] = ["italic", "oblique", "kursiv", "ital"];
/// Words of weight that do not make bold, and of form.
const OTHER_WORDS: [&str; 9] = [
    "regular", "roman", "normal", "medium", "light", "book", "mt", "psmt", "ps",
];
/// Parts of families of which every letter is as wide as the next.
const FIXED_WORDS: [&str; 7] = [
    "mono",
    "courier",
    "consolas",
    "menlo",
    "typewriter",
    "inconsolata",
    "monaco",
];

/// How the families begin that the library has for fonts that are not in the document.
const STAND_IN: &str = "Chrom ";
/// Families that are known by names with spaces, and how the names of their fonts begin.
const SPACED: [(&str, &str); 2] = [
    ("TimesNewRoman", "Times New Roman"),
    ("CourierNew", "Courier New"),
];

/// The font that a document describes so.
pub(super) fn font(face: &Face) -> Font {
    let name = without_prefix(&face.name);
    let (base, style) = name.split_once([',', '-']).unwrap_or((name, ""));
    let words: Vec<String> = words(style).chain(words(base).skip(1)).collect();
    let is_any = |known: &[&str]| words.iter().any(|word| known.contains(&word.as_str()));
    let lower = name.to_ascii_lowercase();
    Font {
        is_bold: is_any(&BOLD_WORDS)
            || face.flags & BOLD != 0
            || face.weight >= HEAVY && !is_any(&LIGHT_WORDS),
        is_italic: face.slant != 0 || face.flags & ITALIC != 0 || is_any(&ITALIC_WORDS),
        is_monospaced: face.flags & FIXED != 0
            || FIXED_WORDS.iter().any(|word| lower.contains(word)),
        family: family(base, &face.family),
    }
}

/// A name without the letters and the plus sign before it by which subsets are told apart.
fn without_prefix(name: &str) -> &str {
    match name.split_once('+') {
        Some((prefix, rest)) if prefix.len() == 6 => rest,
        _ => name,
    }
}

/// The words of a name that are written together, in lower case: a capital letter begins one.
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

/// The family by the font itself, else by the name that the document has for it.
fn family(base: &str, own: &str) -> String {
    let own = own.trim();
    let is_own = !own.is_empty() && own.chars().all(|character| !character.is_control());
    if is_own && !own.starts_with(STAND_IN) {
        return without_prefix(own).to_owned();
    }
    if let Some((_, name)) = SPACED.iter().find(|(begin, _)| base.starts_with(begin)) {
        return (*name).to_owned();
    }
    // Who made it is written in capitals.
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
        font(&Face {
            name,
            ..Face::default()
        })
    }

    #[test]
    fn names_say_family_weight_and_slant() {
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
    fn a_font_that_stands_in_for_another_has_its_name() {
        let found = font(&Face {
            name: "Helvetica-Bold".to_owned(),
            family: "Chrom Sans OTF".to_owned(),
            ..Face::default()
        });
        assert_eq!((found.family.as_str(), found.is_bold), ("Helvetica", true));
        assert_eq!(named("ArialMT").family, "Arial");
    }

    #[test]
    fn flags_and_weight_say_so_where_names_do_not() {
        let face = Face {
            name: "F1".to_owned(),
            flags: ITALIC | FIXED,
            weight: 700,
            ..Face::default()
        };
        let found = font(&face);
        assert!(found.is_bold && found.is_italic && found.is_monospaced);
    }

    #[test]
    fn thick_stems_make_no_font_bold_that_calls_itself_regular() {
        let heavy = |name: &str| {
            let name = name.to_owned();
            let face = Face {
                name,
                weight: 700,
                ..Face::default()
            };
            font(&face).is_bold
        };
        assert!(!heavy("BAAAAA+NotoNaskhArabic-Regular"));
        assert!(heavy("BAAAAA+NotoNaskhArabic-Bold") && heavy("BAAAAA+Naskh"));
    }
}
