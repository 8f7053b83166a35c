//! Hyphens at the ends of lines.

use crate::pen::Pen;

#[test]
fn line_end_hyphens_are_removed_unless_the_word_has_one() {
    let mut pen = Pen::new();
    pen.lines(
        50.0,
        60.0,
        &[
            "This line is nearly as long as the lines of this page are at most, and it is hyphen-",
            "ated, but what is well-known stays so, for it is written so elsewhere, it is so well-",
            "known that it stays.",
        ],
    );
    let read = pen.read();
    assert!(read.contains("hyphenated, but"), "{read}");
    assert!(read.contains("so well-known that"), "{read}");
}

#[test]
fn hyphens_of_parts_that_form_other_compounds_are_kept() {
    let line =
        "This line is nearly as long as the lines of this page are at most, and it is space-";
    for (before, next, expected) in [
        (
            "A fee that is user-defined is one.",
            "defined.",
            "it is space-defined.",
        ),
        (
            "A fee that is space-bound is one.",
            "defined.",
            "it is space-defined.",
        ),
        (
            "A fee that is user-defined is one.",
            "craft.",
            "it is spacecraft.",
        ),
        (
            "A user-defined fee is spacedefined.",
            "defined.",
            "it is spacedefined.",
        ),
        // Short parts are often parts of hyphenated words.
        ("An all-red fee is one.", "red.", "it is spacered."),
    ] {
        let mut pen = Pen::new();
        pen.lines(50.0, 60.0, &[before, line, next]);
        let read = pen.read();
        assert!(read.trim_end().ends_with(expected), "{read}");
    }
}

#[test]
fn suspended_hyphens_are_kept() {
    for (line, next, expected) in [
        (
            "Dieser Absatz ist so lang wie die Zeilen dieser Seite und nennt alle wichtigen Vor-",
            "und Nachteile davon.",
            "alle wichtigen Vor- und Nachteile davon.",
        ),
        (
            "This line is nearly as long as the lines of this page are at most, says the short-",
            "and long-term plan.",
            "says the short- and long-term plan.",
        ),
        (
            "This line is nearly as long as the lines of this page are at most, and so golden gold-",
            "en, it goes on.",
            "golden golden, it goes on.",
        ),
        (
            "This line is as long as those of this page are at most, a golden one, and as gold-",
            "en as any.",
            "and as golden as any.",
        ),
    ] {
        let mut pen = Pen::new();
        pen.lines(50.0, 60.0, &[line, next]);
        let read = pen.read();
        assert!(read.trim_end().ends_with(expected), "{read}");
    }
}
