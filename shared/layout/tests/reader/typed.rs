//! Monospaced text.

use std::sync::Arc;

use layout::Font;

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
