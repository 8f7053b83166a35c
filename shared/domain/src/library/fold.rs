//! Text as it is compared: compatibility forms and case make no difference.

use unicode_normalization::UnicodeNormalization;

/// NFKC and case folding. Upper case and back is the full folding of [Unicode, section 3.13] as far as the standard
/// library goes: `ß` equals `ss`, and a final sigma any other.
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
