//! Tells which fonts of a document were replaced, and by what.

use office::FontUse;
use task::{Remark, Replaced};

/// Fonts whose letters are as wide as those of others, so that lines break as they did; and fonts of symbols that are put in
/// the place of others sign by sign.
const ALIKE: [(&str, &str); 14] = [
    ("Arial", "Liberation Sans"),
    ("Arial Narrow", "Liberation Sans Narrow"),
    ("Calibri", "Carlito"),
    ("Cambria", "Caladea"),
    ("Courier", "Liberation Mono"),
    ("Courier New", "Liberation Mono"),
    ("Georgia", "Gelasio"),
    ("Helvetica", "Liberation Sans"),
    ("Symbol", "OpenSymbol"),
    ("Times", "Liberation Serif"),
    ("Times New Roman", "Liberation Serif"),
    ("Webdings", "OpenSymbol"),
    ("Wingdings", "OpenSymbol"),
    ("ZapfDingbats", "OpenSymbol"),
];

/// Most fonts that are told, and most characters of a name: a document may ask for thousands.
const TOLD: usize = 20;
const LETTERS: usize = 60;

/// What is worth knowing about the fonts; nothing if none was replaced by one that is unlike it.
pub(super) fn remark(uses: &[FontUse]) -> Option<Remark> {
    let mut replaced: Vec<Replaced> = uses.iter().filter_map(replacement).collect();
    replaced.sort();
    replaced.dedup();
    replaced.truncate(TOLD);
    let unlike = replaced.iter().any(|replaced| !replaced.alike);
    unlike.then_some(Remark::FontsReplaced(replaced))
}

/// Several names at once are a choice that LibreOffice makes for itself.
fn replacement(found: &FontUse) -> Option<Replaced> {
    let asked = found.asked.trim();
    if asked.is_empty() || asked.contains(';') {
        return None;
    }
    let mut families = found.used.iter().filter_map(|used| used.split('/').next());
    let used = families.find(|used| !used.is_empty())?;
    if is(used, asked) {
        return None;
    }
    let alike = |(one, other): &(&str, &str)| is(one, asked) && is(other, used);
    Some(Replaced {
        alike: ALIKE.iter().any(alike),
        asked: asked.chars().take(LETTERS).collect(),
        used: used.to_owned(),
    })
}

fn is(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(asked: &str, used: &str) -> FontUse {
        FontUse {
            asked: asked.to_owned(),
            used: vec![used.to_owned()],
        }
    }

    #[test]
    fn fonts_as_wide_are_told_beside_others_only() {
        let alike = used("calibri", "Carlito/Bold");
        let same = used("DejaVu Sans", "DejaVu Sans/Book");
        let choice = used("Segoe UI;Tahoma", "Noto Sans/Regular");
        let unlike = used("Verdana", "DejaVu Sans/Book");
        assert_eq!(remark(&[alike.clone(), same, choice]), None);
        let told = |asked: &str, used: &str, alike| Replaced {
            asked: asked.to_owned(),
            used: used.to_owned(),
            alike,
        };
        let expected = vec![
            told("Verdana", "DejaVu Sans", false),
            told("calibri", "Carlito", true),
        ];
        let uses = [alike, unlike.clone(), unlike];
        assert_eq!(remark(&uses), Some(Remark::FontsReplaced(expected)));
    }
}
