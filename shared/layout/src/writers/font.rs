//! What is known of fonts by their names, and of letters by their neighbours.

use crate::{Run, Script};

/// The size of a text's letters that stand on the line: programs make those that do not smaller than that. 0 if none is known.
pub(super) fn base_size(runs: &[Run]) -> f32 {
    let upright = runs.iter().filter(|run| run.style.script == Script::None);
    upright.map(|run| run.style.size).fold(0.0, f32::max)
}

/// The kind of a font in CSS, for programs that do not have it.
pub(super) fn kind(family: &str, is_monospaced: bool) -> &'static str {
    let name = family.to_ascii_lowercase();
    let is_named = |names: &[&str]| names.iter().any(|one| name.contains(one));
    if is_monospaced || is_named(&["mono", "courier", "consolas"]) {
        "monospace"
    } else if is_named(SERIFS) && !name.contains("sans") {
        "serif"
    } else {
        "sans-serif"
    }
}

const SERIFS: &[&str] = &[
    "serif", "times", "georgia", "garamond", "cambria", "caladea", "roman", "palatino", "minion",
    "bookman", "century",
];

#[cfg(test)]
mod tests {
    use super::kind;

    #[test]
    fn fonts_are_of_the_kind_that_their_names_say() {
        let names = ["Noto Serif", "Noto Sans", "PT Sans Serif", "Courier New"];
        let kinds = names.map(|name| kind(name, false));
        assert_eq!(kinds, ["serif", "sans-serif", "sans-serif", "monospace"]);
        assert_eq!(kind("Times", true), "monospace");
    }
}
