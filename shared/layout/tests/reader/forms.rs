//! Form fields, lines to sign on, and signs of numbers.

use layout::Rect;

use crate::pen::Pen;

#[test]
fn values_of_fields_are_not_headings() {
    let form = |has_fields: bool| {
        let mut pen = Pen::new();
        pen.sized(10.0);
        let line = "The mill by the river and the lane to the house of the miller";
        pen.lines(60.0, 300.0, &[line; 12]);
        for (y, label, value) in [
            (60.0, "Given name", "Ada"),
            (120.0, "Family name", "Lovelace"),
        ] {
            pen.bold(false).sized(10.0).write(60.0, y, label);
            pen.bold(true).sized(18.0).write(60.0, y + 28.0, value);
            if has_fields {
                let field = Rect::between((55.0, y + 8.0), (255.0, y + 36.0));
                pen.sheet.fields.push(field);
            }
        }
        pen.read()
    };
    assert!(form(false).contains("h1 Ada\n"), "{}", form(false));
    assert!(form(true).contains("p Ada\n"), "{}", form(true));
    assert!(!form(true).contains("\nh"), "{}", form(true));
}

#[test]
fn a_check_box_far_from_its_question_is_on_its_line() {
    let mut pen = Pen::new();
    for (y, question, is_set) in [
        (60.0, "Are you the owner?", true),
        (84.0, "Is the house old?", false),
    ] {
        pen.write(60.0, y, question);
        let bounds = Rect::between((400.0, y - 9.0), (411.0, y + 2.0));
        pen.sheet.check_boxes.push(layout::CheckBox {
            bounds,
            is_set,
            ..layout::CheckBox::default()
        });
    }
    let read = pen.read();
    let places = ["owner?", "☑", "Is the", "☐"].map(|text| read.find(text));
    assert!(places.iter().all(Option::is_some), "{read}");
    assert!(places.is_sorted(), "{read}");
}

#[test]
fn signs_of_numbers_are_no_bullets() {
    let mut pen = Pen::new();
    pen.write(
        50.0,
        60.0,
        "Keep the room at the temperature that the label names:",
    );
    pen.write(50.0, 90.0, "- 5 °C");
    assert!(pen.read().ends_with("p - 5 °C\n"), "{}", pen.read());
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "Take with you:");
    pen.lines(50.0, 80.0, &["- 5 ropes", "- 3 lamps"]);
    assert!(
        pen.read().ends_with("- 5 ropes\n- 3 lamps\n"),
        "{}",
        pen.read()
    );
}
