//! Check boxes of forms.

use layout::{CheckBox, Rect, Stroke};

use crate::pen::Pen;

fn boxed(pen: &mut Pen, x: f32, y: f32, is_set: bool) {
    let bounds = Rect {
        left: x,
        top: y - 9.0,
        right: x + 11.0,
        bottom: y + 2.0,
    };
    // The drawing of the box: its border, and a letter of a symbol font.
    for (from, to) in [
        ((bounds.left, bounds.top), (bounds.right, bounds.top + 0.5)),
        (
            (bounds.left, bounds.bottom - 0.5),
            (bounds.right, bounds.bottom),
        ),
        (
            (bounds.left, bounds.top),
            (bounds.left + 0.5, bounds.bottom),
        ),
        (
            (bounds.right - 0.5, bounds.top),
            (bounds.right, bounds.bottom),
        ),
    ] {
        let bounds = Rect::between(from, to);
        pen.sheet.strokes.push(Stroke { bounds });
    }
    if is_set {
        pen.write(x + 3.0, y, "4");
    }
    pen.sheet.check_boxes.push(CheckBox {
        bounds,
        is_set,
        ..CheckBox::default()
    });
}

#[test]
fn check_boxes_precede_their_labels() {
    let mut pen = Pen::new();
    pen.write(60.0, 100.0, "Membership of the club:");
    boxed(&mut pen, 200.0, 100.0, true);
    pen.write(215.0, 100.0, "Full");
    boxed(&mut pen, 260.0, 100.0, false);
    pen.write(271.5, 100.0, "Student");
    pen.write(60.0, 130.0, "Signed on the last page.");
    assert_eq!(
        pen.read(),
        "p Membership of the club: ☑ Full ☐ Student\np Signed on the last page.\n"
    );
}

#[test]
fn a_box_over_its_label_drops_no_words() {
    let mut pen = Pen::new();
    pen.write(60.0, 100.0, "I have read all of it and I agree");
    pen.write(240.0, 100.0, "to what it says");
    let bounds = Rect {
        left: 58.0,
        top: 90.0,
        right: 228.0,
        bottom: 104.0,
    };
    pen.sheet.check_boxes.push(CheckBox {
        bounds,
        is_set: true,
        ..CheckBox::default()
    });
    assert!(pen.read().contains("I have read all of it and I agree"));
}

/// Writes questions with an option line below each, in bold, and text.
fn questions(option: impl Fn(&mut Pen, f32)) -> Pen {
    let mut pen = Pen::new();
    pen.bold(true).sized(16.0).write(60.0, 60.0, "Application");
    pen.bold(false).sized(10.0);
    for row in 0..4_u8 {
        let y = 100.0 + 40.0 * f32::from(row);
        pen.write(60.0, y, "Are you a resident of the valley?");
        pen.bold(true);
        option(&mut pen, y + 16.0);
        pen.bold(false);
    }
    let line = "The mill by the river and the lane to the house of the miller";
    pen.lines(60.0, 300.0, &[line; 12]);
    pen
}

#[test]
fn options_with_check_boxes_are_not_headings() {
    let read = questions(|pen, y| {
        pen.write(60.0, y, "☑ Yes ☐ No");
    });
    let read = read.read();
    assert!(read.starts_with("h1 Application\n"), "{read}");
    assert_eq!(read.matches("p ☑ Yes ☐ No\n").count(), 4, "{read}");
    let read = questions(|pen, y| {
        boxed(pen, 60.0, y, true);
        pen.write(75.0, y, "Yes");
        boxed(pen, 120.0, y, false);
        pen.write(135.0, y, "No");
    });
    let read = read.read();
    assert_eq!(read.matches("p ☑ Yes ☐ No\n").count(), 4, "{read}");
}

#[test]
fn check_boxes_of_wingdings_are_not_bullets() {
    let read = questions(|pen, y| {
        pen.write(60.0, y, "\u{f0a8} Yes \u{f0fe} No");
    });
    let read = read.read();
    assert_eq!(read.matches("p ☐ Yes ☑ No\n").count(), 4, "{read}");
}

#[test]
fn a_line_that_begins_with_a_check_box_is_a_paragraph() {
    let mut pen = Pen::new();
    for (row, text) in (0_u8..).zip(["First of all", "Second of all", "The third one"]) {
        let y = 60.0 + f32::from(row) * 12.0;
        boxed(&mut pen, 60.0, y, row == 1);
        pen.write(75.0, y, text);
    }
    assert_eq!(
        pen.read(),
        "p ☐ First of all\np ☑ Second of all\np ☐ The third one\n"
    );
}
