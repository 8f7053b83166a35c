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

#[test]
fn a_list_below_a_page_label_and_a_rule_is_not_notes() {
    for size in [9.0, 10.0] {
        let mut pen = page();
        pen.sized(10.0)
            .write(50.0, 646.0, "Page 1 of 3")
            .sized(size);
        for (y, item) in [(664.0, "1. Bring boots"), (676.0, "2. Bring a coat")] {
            pen.write(50.0, y, item);
        }
        let has_notes = pen.read().contains("note 1: Bring boots");
        assert_eq!(has_notes, size < 10.0, "{}", pen.read());
    }
}

#[test]
fn notes_of_the_size_of_the_text_have_a_mark_in_it() {
    let mut pen = page();
    pen.sized(10.0).write(50.0, 300.0, "The mill");
    pen.sized(6.0).write(90.0, 296.0, "1");
    pen.sized(10.0).write(98.0, 300.0, "by the river is old");
    pen.write(50.0, 664.0, "1. It was built before the bridge");
    let read = pen.read();
    assert!(
        read.ends_with("note 1: It was built before the bridge\n"),
        "{read}"
    );
}
