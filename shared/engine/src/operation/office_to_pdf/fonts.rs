//! Warns about substituted fonts.

use office::FontUsage;
use task::{FontSubstitution, Warning};

/// Metric-compatible substitutes, which keep line breaks, and symbol fonts that are mapped glyph by glyph.
const METRIC_COMPATIBLE: [(&str, &str); 14] = [
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

/// Maximum number of fonts in a warning, and of characters of a font name: a document may use thousands.
const MAX_FONTS: usize = 20;
const MAX_NAME_LENGTH: usize = 60;

/// Returns the warning; `None` if all substitutes are metric-compatible.
pub(super) fn warning(usage: &[FontUsage]) -> Option<Warning> {
    let mut replaced: Vec<FontSubstitution> = usage.iter().filter_map(substitution).collect();
    replaced.sort();
    replaced.dedup();
    replaced.truncate(MAX_FONTS);
    let unlike = replaced.iter().any(|replaced| !replaced.same_metrics);
    unlike.then_some(Warning::FontsSubstituted(replaced))
}

/// Returns the substitution of a font, if it was substituted. A requested list of several families is LibreOffice's own
/// fallback choice, not the document's font.
fn substitution(found: &FontUsage) -> Option<FontSubstitution> {
    let requested = found.requested.trim();
    if requested.is_empty() || requested.contains(';') {
        return None;
    }
    let mut families = found.used.iter().filter_map(|used| used.split('/').next());
    let used = families.find(|used| !used.is_empty()).unwrap_or_default();
    if is(used, requested) || (used.is_empty() && !found.used.is_empty()) {
        return None;
    }
    let alike =
        |(one, other): &(&str, &str)| is(one, requested) && (used.is_empty() || is(other, used));
    Some(FontSubstitution {
        same_metrics: METRIC_COMPATIBLE.iter().any(alike),
        requested: requested.chars().take(MAX_NAME_LENGTH).collect(),
        substitute: used.to_owned(),
    })
}

fn is(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(requested: &str, used: &str) -> FontUsage {
        FontUsage {
            requested: requested.to_owned(),
            used: vec![used.to_owned()],
        }
    }

    #[test]
    fn metric_compatible_fonts_are_listed_only_with_others() {
        let alike = used("calibri", "Carlito/Bold");
        let same = used("DejaVu Sans", "DejaVu Sans/Book");
        let choice = used("Segoe UI;Tahoma", "Noto Sans/Regular");
        let unlike = used("Verdana", "DejaVu Sans/Book");
        assert_eq!(warning(&[alike.clone(), same, choice]), None);
        let replaced = |requested: &str, used: &str, alike| FontSubstitution {
            requested: requested.to_owned(),
            substitute: used.to_owned(),
            same_metrics: alike,
        };
        let expected = vec![
            replaced("Verdana", "DejaVu Sans", false),
            replaced("calibri", "Carlito", true),
        ];
        let usage = [alike, unlike.clone(), unlike];
        assert_eq!(warning(&usage), Some(Warning::FontsSubstituted(expected)));
        let unknown = |requested: &str| FontUsage {
            requested: requested.to_owned(),
            used: Vec::new(),
        };
        assert_eq!(warning(&[unknown("Calibri")]), None);
        let expected = vec![replaced("Verdana", "", false)];
        assert_eq!(
            warning(&[unknown("Verdana")]),
            Some(Warning::FontsSubstituted(expected))
        );
    }
}
