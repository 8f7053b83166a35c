//! Monospaced text, and signs that belong to letters.

use std::sync::Arc;

use layout::{Font, Rect};

use crate::pen::Pen;

/// Reads monospaced lines, one below the other.
fn read(lines: &[&str]) -> String {
    let mut pen = Pen::new();
    pen.font = Arc::new(Font {
        is_monospaced: true,
        ..(*pen.font).clone()
    });
    pen.lines(50.0, 100.0, lines);
    pen.read()
}

#[test]
fn rules_of_characters_and_lines_with_columns_are_separate_paragraphs() {
    let lines = [
        "VAT no. IE1234567X of 2026",
        "--------------------------",
        "VAT 0%    4.04   13%  1.48",
        "14/11/2026 18:03 till 3 at",
        "==========================",
    ];
    let said = "p VAT no. IE1234567X of 2026\np --------------------------\np VAT 0% 4.04 13% 1.48\np 14/11/2026 18:03 till 3 at\n\
                p ==========================\n";
    assert_eq!(read(&lines), said);
}

#[test]
fn monospaced_text_forms_paragraphs_like_other_text() {
    let lines = [
        "The keeper of the old lighthouse",
        "looked after it for many years -",
        "and none of the boats is his.",
    ];
    assert_eq!(read(&lines).lines().count(), 1);
}

#[test]
fn dependent_signs_of_indic_scripts_have_no_space_before_them() {
    for gap in [0.0, 2.0, 5.0] {
        let mut pen = Pen::new();
        let mut x = 50.0;
        for letter in "क\u{93e}म क\u{940}".chars() {
            let is_sign = matches!(letter, '\u{93e}' | '\u{940}');
            if is_sign && gap > 0.0 {
                pen.character(' ', Rect::between((x, 51.0), (x + gap, 62.0)), 60.0, 0.0);
            }
            x += if is_sign { gap } else { 0.0 };
            pen.character(letter, Rect::between((x, 51.0), (x + 5.0, 62.0)), 60.0, 0.0);
            x += 5.0;
        }
        assert_eq!(pen.read(), "p क\u{93e}म क\u{940}\n");
    }
}
