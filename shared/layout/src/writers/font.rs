//! Generic font families by name, and the base size of text.

use crate::{Run, Script};

/// Returns the base size: of letters on the baseline, because programs shrink superscripts and subscripts themselves; 0 if
/// unknown.
pub(super) fn base_size(runs: &[Run]) -> f32 {
    let upright = runs.iter().filter(|run| run.style.script == Script::None);
    upright.map(|run| run.style.size).fold(0.0, f32::max)
}

/// Returns the generic CSS family, as a fallback.
pub(super) fn generic_family(family: &str, is_monospaced: bool) -> &'static str {
    // The name of a foundry, not of a style.
    let name = family.to_ascii_lowercase().replace("monotype", "");
    let is_named = |names: &[&str]| names.iter().any(|one| name.contains(one));
    if is_monospaced || is_named(MONOSPACED) {
        "monospace"
    } else if is_named(SERIFS) && !name.contains("sans") {
        "serif"
    } else {
        "sans-serif"
    }
}

const MONOSPACED: &[&str] = &[
    "mono",
    "courier",
    "consolas",
    "typewriter",
    "inconsolata",
    "menlo",
    "cousine",
    "cmtt",
];

/// Parts of the names of serif fonts; those of TeX are abbreviations.
const SERIFS: &[&str] = &[
    "serif",
    "times",
    "georgia",
    "garamond",
    "cambria",
    "caladea",
    "roman",
    "palatino",
    "minion",
    "bookman",
    "century schoolbook",
    "antiqua",
    "baskerville",
    "bodoni",
    "caslon",
    "charter",
    "constantia",
    "didot",
    "gelasio",
    "goudy",
    "nimbusrom",
    "pagella",
    "palladio",
    "rockwell",
    "stix",
    "termes",
    "tinos",
    "computer modern",
    "cmbx",
    "cmr",
    "cmti",
    "sfrm",
    "mincho",
    "simsun",
];

#[cfg(test)]
mod tests {
    use super::generic_family;

    #[test]
    fn generic_families_are_inferred_from_names() {
        let names = ["Noto Serif", "Noto Sans", "PT Sans Serif", "Courier New"];
        let kinds = names.map(|name| generic_family(name, false));
        assert_eq!(kinds, ["serif", "sans-serif", "sans-serif", "monospace"]);
        assert_eq!(generic_family("Times", true), "monospace");
        let names = ["CMR10", "Monotype Corsiva", "Century Gothic", "Menlo"];
        let kinds = names.map(|name| generic_family(name, false));
        assert_eq!(kinds, ["serif", "sans-serif", "sans-serif", "monospace"]);
    }
}
