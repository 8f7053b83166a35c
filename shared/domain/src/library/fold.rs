//! Normalization of text for comparison: NFKC and case folding.

use unicode_normalization::UnicodeNormalization;

/// Applies NFKC and case folding. Converting to upper case and back approximates full case folding [Unicode, section 3.13]
/// with the standard library: `ß` equals `ss`, and a final sigma equals any other.
pub(super) fn fold(text: &str) -> String {
    let compatible: String = text.nfkc().collect();
    let folded = compatible.to_uppercase().to_lowercase().replace('ς', "σ");
    folded.nfkc().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_and_compatibility_forms_make_no_difference() {
        assert_eq!(fold("STRASSE"), fold("Straße"));
        assert_eq!(fold("ﬁle"), "file");
        assert_eq!(fold("Ä"), fold("A\u{308}"));
        assert_eq!(fold("ΟΔΟΣ"), fold("οδος"));
        assert_eq!(fold("①"), "1");
    }
}
