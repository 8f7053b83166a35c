//! Contract clauses with numbers far before the text.

use crate::pen::{Pen, pages, shown};

const LONG: &str = "Either party may end it by giving not less than ninety days of notice to the";

#[test]
fn numbers_stay_with_the_text_of_their_clauses() {
    let mut pen = Pen::new();
    for (y, number) in [(60.0, "1.1"), (120.0, "1.2")] {
        pen.write(50.0, y, number);
        pen.lines(90.0, y, &[LONG, LONG, "in writing."]);
        pen.write(90.0, y + 36.0, "(a)");
        pen.write(
            130.0,
            y + 36.0,
            "the notice is sent by registered mail; and",
        );
        pen.write(90.0, y + 48.0, "(b)");
        pen.write(130.0, y + 48.0, "the fees are paid to the end of the term.");
    }
    let items = "  (a) the notice is sent by registered mail; and\n  (b) the fees are paid to the end of the term.\n";
    assert_eq!(
        pen.read(),
        format!("1.1 {LONG} {LONG} in writing.\n{items}1.2 {LONG} {LONG} in writing.\n{items}")
    );
}

#[test]
fn the_number_of_a_title_above_clauses_is_not_a_column() {
    let mut pen = Pen::new();
    for (y, number) in [(60.0, "1"), (120.0, "2")] {
        pen.write(50.0, y, number).write(74.0, y, "Term and notice");
        pen.write(74.0, y + 12.0, &format!("{number}.1"));
        pen.lines(114.0, y + 12.0, &[LONG, LONG, LONG, "other."]);
    }
    let text = format!("{LONG} {LONG} {LONG} other.");
    assert_eq!(
        pen.read(),
        format!("p 1 Term and notice\n1.1 {text}\np 2 Term and notice\n2.1 {text}\n")
    );
}

#[test]
fn numbers_below_a_title_of_their_own_are_a_column() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "Grade")
        .write(90.0, 60.0, "What it is for");
    for (index, number) in (0_u8..).zip(["1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "1.7"]) {
        let y = 72.0 + f32::from(index) * 24.0;
        pen.write(50.0, y, number).write(90.0, y, LONG);
        pen.write(90.0, y + 12.0, "other.");
    }
    assert!(!pen.read().contains("1.1 Either"), "{}", pen.read());
}

#[test]
fn items_on_the_next_page_keep_their_levels() {
    let mut first = Pen::new();
    first
        .write(50.0, 60.0, "1.")
        .write(74.0, 60.0, "The tenant shall at all times of the term:");
    first
        .write(70.0, 72.0, "(b)")
        .write(94.0, 72.0, "not do what is:");
    first
        .write(90.0, 84.0, "(i)")
        .write(120.0, 84.0, "a nuisance; or");
    let mut second = Pen::new();
    second.sheet.number = 2;
    second
        .write(90.0, 60.0, "(ii)")
        .write(120.0, 60.0, "a breach.");
    second
        .write(70.0, 72.0, "(c)")
        .write(94.0, 72.0, "permit entry.");
    second
        .write(50.0, 84.0, "2.")
        .write(74.0, 84.0, "The landlord shall:");
    let mut third = Pen::new();
    third.sheet.number = 3;
    third
        .write(70.0, 60.0, "(a)")
        .write(94.0, 60.0, "insure the house;");
    third
        .write(70.0, 72.0, "(b)")
        .write(94.0, 72.0, "repair it.");
    third
        .write(50.0, 84.0, "3.")
        .write(74.0, 84.0, "Both shall pay.");
    let read = pages(&[first.sheet, second.sheet, third.sheet]);
    assert_eq!(
        shown(&read[1].blocks),
        "    (ii) a breach.\n  (c) permit entry.\n2. The landlord shall:\n"
    );
    assert_eq!(
        shown(&read[2].blocks),
        "  (a) insure the house;\n  (b) repair it.\n3. Both shall pay.\n"
    );
}

#[test]
fn equal_bullets_on_all_levels_determine_no_level() {
    let mut first = Pen::new();
    first
        .write(50.0, 60.0, "• upper")
        .write(70.0, 72.0, "• lower");
    let mut second = Pen::new();
    second.sheet.number = 2;
    second.write(50.0, 60.0, "• upper");
    let read = pages(&[first.sheet, second.sheet]);
    assert_eq!(shown(&read[1].blocks), "• upper\n");
}
