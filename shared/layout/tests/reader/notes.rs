//! Footnotes with labels far before the text.

use crate::pen::Pen;

/// Creates a page of text with a rule above the notes.
fn page() -> Pen {
    let mut pen = Pen::new();
    for line in 0..20_u8 {
        let y = 60.0 + f32::from(line) * 12.0;
        pen.write(
            50.0,
            y,
            "The old miller walked down the lane to the house of his dogs",
        );
    }
    pen.line((50.0, 650.0), (170.0, 650.0)).sized(9.0);
    pen
}

#[test]
fn numbers_far_before_notes_are_their_labels() {
    let mut pen = page();
    pen.write(50.0, 662.0, "9")
        .write(70.0, 662.0, "A note that goes on in the");
    pen.write(70.0, 673.0, "next line.");
    pen.write(50.0, 684.0, "10")
        .write(70.0, 684.0, "Another note.");
    let read = pen.read();
    let notes = "note 9: A note that goes on in the next line.\nnote 10: Another note.\n";
    assert!(read.ends_with(notes), "{read}");
}

#[test]
fn nonconsecutive_numbers_are_not_labels() {
    let mut pen = page();
    for (y, number) in [(662.0, "9"), (673.0, "4"), (684.0, "7")] {
        pen.write(50.0, y, number)
            .write(70.0, y, "boxes of letters");
    }
    assert!(!pen.read().contains("note"), "{}", pen.read());
}
