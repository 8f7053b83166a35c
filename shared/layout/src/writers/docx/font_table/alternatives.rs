//! Fonts that can replace others. Unlike the substitutes of the server, these are fonts that readers of a document probably have.

/// Families of equal advance widths; the most common one is first.
const SAME_METRICS: [&[&str]; 9] = [
    &["Arial", "Liberation Sans", "Arimo", "Helvetica"],
    &[
        "Arial Narrow",
        "Liberation Sans Narrow",
        "Helvetica Narrow",
        "Nimbus Sans Narrow",
    ],
    &["Times New Roman", "Liberation Serif", "Tinos", "Times"],
    &["Courier New", "Liberation Mono", "Cousine", "Courier"],
    &["Calibri", "Carlito"],
    &["Cambria", "Caladea"],
    &["Georgia", "Gelasio"],
    &["Verdana", "DejaVu Sans", "Bitstream Vera Sans"],
    &["Palatino Linotype", "Palatino", "TeX Gyre Pagella"],
];

/// Families of about the same proportions as the first family of a group above.
const SIMILAR: [(&str, &[&str]); 7] = [
    (
        "Arial",
        &[
            "ArialMT",
            "Arial Unicode MS",
            "Avenir",
            "Avenir Next",
            "Franklin Gothic Book",
            "Frutiger",
            "Geneva",
            "Helvetica Neue",
            "Inter",
            "Microsoft Sans Serif",
            "Myriad Pro",
            "Nimbus Sans",
            "Nimbus Sans L",
            "Noto Sans",
            "Open Sans",
            "Optima",
            "Roboto",
            "SF Pro Text",
            "Swiss 721",
            "TeX Gyre Heros",
            "Univers",
        ],
    ),
    (
        "Verdana",
        &["DejaVu Sans Condensed", "Lucida Grande", "Lucida Sans"],
    ),
    (
        "Calibri",
        &[
            "Aptos",
            "Calibri Light",
            "Gill Sans",
            "Gill Sans MT",
            "Lato",
        ],
    ),
    (
        "Times New Roman",
        &[
            "Computer Modern",
            "Latin Modern Roman",
            "LM Roman 10",
            "Minion Pro",
            "Nimbus Roman",
            "Nimbus Roman No9 L",
            "Noto Serif",
            "STIX Two Text",
            "TeX Gyre Termes",
            "TimesNewRomanPSMT",
            "DejaVu Serif",
        ],
    ),
    (
        "Cambria",
        &["Bookman Old Style", "Charter", "Constantia", "Rockwell"],
    ),
    (
        "Palatino Linotype",
        &["Book Antiqua", "EB Garamond", "Garamond", "URW Palladio L"],
    ),
    (
        "Courier New",
        &[
            "Andale Mono",
            "Consolas",
            "DejaVu Sans Mono",
            "Inconsolata",
            "Lucida Console",
            "Menlo",
            "Monaco",
            "Nimbus Mono L",
            "Nimbus Mono PS",
            "Noto Sans Mono",
            "OCR A Extended",
        ],
    ),
];

/// Maximum number of alternatives of a font.
const MOST: usize = 2;

/// Returns the fonts that can replace a font, the best one first.
pub(super) fn alternatives(name: &str) -> Vec<&'static str> {
    let wanted = key(name);
    let is_wanted = |other: &str| key(other) == wanted;
    let similar = SIMILAR.iter();
    let similar = similar
        .filter(|(_, names)| names.iter().any(|other| is_wanted(other)))
        .map(|(first, _)| *first)
        .next();
    let group = SAME_METRICS.iter().find(|group| {
        let is_similar = || similar.is_some() && group.first().copied() == similar;
        group.iter().any(|other| is_wanted(other)) || is_similar()
    });
    let group = group.into_iter().flat_map(|group| group.iter().copied());
    group.filter(|other| !is_wanted(other)).take(MOST).collect()
}

/// Returns the letters and digits of a name, because fonts of PDFs often lack the spaces.
pub(in crate::writers::docx) fn key(name: &str) -> String {
    let letters = name.chars().filter(|letter| letter.is_alphanumeric());
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{SAME_METRICS, SIMILAR, alternatives, key};

    #[test]
    fn alternatives_have_the_same_metrics_or_similar_proportions() {
        assert_eq!(alternatives("Carlito"), ["Calibri"]);
        assert_eq!(alternatives("Calibri"), ["Carlito"]);
        assert_eq!(alternatives("LiberationSans"), ["Arial", "Arimo"]);
        assert_eq!(alternatives("Menlo"), ["Courier New", "Liberation Mono"]);
        assert!(alternatives("No Such Font").is_empty());
    }

    #[test]
    fn every_font_is_in_one_group() {
        let same = SAME_METRICS.iter().flat_map(|group| group.iter());
        let similar = SIMILAR.iter().flat_map(|(_, names)| names.iter());
        let mut seen = HashSet::new();
        for name in same.chain(similar) {
            assert!(seen.insert(key(name)), "{name} is in two groups");
        }
        for (first, _) in SIMILAR {
            let mut groups = SAME_METRICS.iter();
            assert!(groups.any(|group| group.first() == Some(&first)), "{first}");
        }
    }
}
