//! Features of the style of a heading candidate against the style of the body text.

use crate::analysis::candidates::weights::Feature;
use crate::analysis::lines::text_style::TextStyle;

use super::flag;

/// Returns the features of a style with this number of lines per page.
pub(in crate::analysis) fn features(
    look: &TextStyle,
    frequency: f32,
    body: &TextStyle,
) -> Vec<Feature> {
    let ratio = look.points().max(1.0) / body.points().max(1.0);
    vec![
        ("size", ratio.log2().clamp(-0.5, 1.0)),
        ("bold", flag(look.is_bold && !body.is_bold)),
        (
            "monospaced",
            flag(look.is_monospaced && !body.is_monospaced),
        ),
        ("style_frequency", (1.0 + frequency).log2().min(6.0) / 6.0),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(size: u32, is_bold: bool) -> TextStyle {
        TextStyle {
            size,
            is_bold,
            ..TextStyle::default()
        }
    }

    #[test]
    fn the_size_is_relative_to_the_body() {
        let size = |look: &TextStyle| features(look, 1.0, &self::look(20, false))[0];
        assert_eq!(size(&look(20, true)), ("size", 0.0));
        assert_eq!(size(&look(40, false)), ("size", 1.0));
        assert_eq!(size(&look(2, false)), ("size", -0.5));
    }

    #[test]
    fn bold_counts_against_a_regular_body_only() {
        let bold = |body: &TextStyle| features(&look(20, true), 1.0, body)[1];
        assert_eq!(bold(&look(20, false)), ("bold", 1.0));
        assert_eq!(bold(&look(20, true)), ("bold", 0.0));
    }

    #[test]
    fn a_monospaced_style_counts_in_a_proportional_document_only() {
        let code = TextStyle {
            is_monospaced: true,
            ..look(20, false)
        };
        let monospaced = |body: &TextStyle| features(&code, 1.0, body)[2];
        assert_eq!(monospaced(&look(20, false)), ("monospaced", 1.0));
        assert_eq!(monospaced(&code), ("monospaced", 0.0));
    }
}
