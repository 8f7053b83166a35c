//! Bullets drawn as shapes.

use std::sync::Arc;

use layout::{Drawing, Font, PathSegment, Rect, Shape, StrokeStyle};

use crate::pen::Pen;

/// Reads lines, some with a dot at this distance before them; `from_right` mirrors them.
fn read(lines: &[(&str, Option<f32>)], from_right: bool) -> String {
    let mut pen = Pen::new();
    for (index, (text, dot)) in (0_u8..).zip(lines) {
        let y = 100.0 + f32::from(index) * 12.0;
        let width = 5.0 * f32::from(u16::try_from(text.chars().count()).unwrap());
        let (x, side) = match from_right {
            false => (70.0, -1.0),
            true => (530.0 - width, 1.0),
        };
        let drawn: String = match from_right {
            false => (*text).to_owned(),
            true => text.chars().rev().collect(),
        };
        pen.write(x, y, &drawn);
        if let Some(gap) = dot {
            let near = if from_right { x + width } else { x };
            let near = near + side * gap;
            pen.sheet
                .fills
                .push(Rect::between((near, y - 5.0), (near + side * 3.0, y - 2.0)));
        }
    }
    pen.read()
}

#[test]
fn dots_at_one_distance_before_lines_are_bullets() {
    let lines = [
        ("English, which is spoken at home", Some(6.0)),
        ("German, as it is spoken in towns and", Some(6.0)),
        ("in villages", None),
        ("Polish", Some(6.0)),
    ];
    let items = "• English, which is spoken at home\n• German, as it is spoken in towns and in villages\n• Polish\n";
    assert_eq!(read(&lines, false), items);
}

#[test]
fn dots_to_the_right_of_right_to_left_text_are_bullets() {
    let lines = [("אנגלית", Some(6.0)), ("גרמנית", Some(6.0))];
    assert_eq!(read(&lines, true), "• אנגלית\n• גרמנית\n");
}

/// Reads two lines, each after an outline of a circle, of which only what is in an area from these points is visible.
fn read_circles(from: (f32, f32), to: (f32, f32)) -> String {
    let mut pen = Pen::new();
    for (text, y) in [("English", 100.0), ("German", 112.0)] {
        pen.write(70.0, y, text);
        let (left, right, middle) = (61.0, 64.0, y - 3.5);
        let (top, bottom) = (middle - 1.5, middle + 1.5);
        let circle = Shape {
            segments: vec![
                PathSegment::Move((left, middle)),
                PathSegment::Curve((left, top), (right, top), (right, middle)),
                PathSegment::Curve((right, bottom), (left, bottom), (left, middle)),
                PathSegment::Close,
            ],
            fill: None,
            is_even_odd: false,
            stroke: Some(StrokeStyle::default()),
        };
        let clip = Rect::between(from, to);
        pen.sheet.drawings.push(Drawing::Shape(circle, clip));
    }
    pen.read()
}

#[test]
fn circles_drawn_as_outlines_are_bullets() {
    let read = read_circles((61.0, 90.0), (64.0, 120.0));
    assert_eq!(read, "• English\n• German\n");
}

#[test]
fn circles_that_a_clip_path_hides_are_not_bullets() {
    for (from, to) in [((0.0, 90.0), (62.0, 120.0)), ((0.0, 0.0), (64.0, 90.0))] {
        assert_eq!(read_circles(from, to), "p English German\n", "{from:?}");
    }
}

#[test]
fn latin_markers_of_right_to_left_items_are_read_whatever_order_they_are_drawn_in() {
    let mut pen = Pen::new();
    for (marker, y) in [("i", 100.0), ("ii", 112.0), ("iii", 124.0)] {
        // Its punctuation is on its left, and the text begins before that.
        pen.write(530.0, y, marker);
        pen.write(525.0, y, ".");
        pen.write(470.0, y, "תילגנא");
    }
    assert_eq!(pen.read(), "i. אנגלית\nii. אנגלית\niii. אנגלית\n");
}

#[test]
fn single_or_irregular_dots_are_not_bullets() {
    let lines = [
        ("English", Some(6.0)),
        ("German", Some(14.0)),
        ("Polish", None),
    ];
    assert!(!read(&lines, false).contains('•'));
    let mut pen = Pen::new();
    for y in [100.0, 112.0, 124.0] {
        pen.write(70.0, y, "Skill");
        for dot in 0..5_u8 {
            let x = 40.0 + f32::from(dot) * 5.0;
            pen.sheet
                .fills
                .push(Rect::between((x, y - 5.0), (x + 3.0, y - 2.0)));
        }
    }
    assert!(!pen.read().contains('•'));
}

#[test]
fn years_next_to_titles_are_read_with_them() {
    let mut pen = Pen::new();
    let lines = [
        ("Lead Engineer, Northern Ledger Ltd", Some("2019 - 2026")),
        (
            "Moved all of the nightly jobs to streams, and cut their time.",
            None,
        ),
        (
            "Hired and mentored a team of six people, all of whom stayed.",
            None,
        ),
        ("Data Engineer, Pharos Health", Some("2015 - 2019")),
        (
            "Built the register of trials that fourteen hospitals have used.",
            None,
        ),
        (
            "Wrote what hides names, since published as open source for all.",
            None,
        ),
        ("Junior Developer, Royal Post", Some("2013 - 2015")),
        (
            "Maintained how addresses are matched, in a language of its own.",
            None,
        ),
    ];
    for (index, (text, years)) in (0_u8..).zip(lines) {
        let y = 100.0 + f32::from(index) * 12.0;
        match years {
            Some(years) => {
                pen.write(50.0, y, text).write(495.0, y, years);
            }
            None => {
                pen.write(65.0, y, text);
                pen.sheet
                    .fills
                    .push(Rect::between((56.0, y - 5.0), (59.0, y - 2.0)));
            }
        }
    }
    let read = pen.read();
    let titles: Vec<&str> = read.lines().filter(|line| line.starts_with("p ")).collect();
    assert_eq!(
        titles,
        [
            "p Lead Engineer, Northern Ledger Ltd 2019 - 2026",
            "p Data Engineer, Pharos Health 2015 - 2019",
            "p Junior Developer, Royal Post 2013 - 2015"
        ],
        "{read}"
    );
    assert_eq!(read.matches("• ").count(), 5, "{read}");
}

#[test]
fn signs_around_a_text_are_no_bullets() {
    let mut pen = Pen::new();
    pen.write(50.0, 40.0, "* * *");
    pen.write(50.0, 80.0, "\u{2013} 5 \u{2013}");
    assert_eq!(pen.read(), "p * * *\np \u{2013} 5 \u{2013}\n");
}

/// Reads lines of prose, then these lines in a font of this pitch.
fn read_after_prose(lines: &[&str], is_monospaced: bool) -> String {
    let mut pen = Pen::new();
    let prose = ["The keeper of the harbour had seen all boats of the town"; 12];
    let y = pen.lines(50.0, 60.0, &prose);
    pen.font = Arc::new(Font {
        family: "Other".to_owned(),
        is_monospaced,
        ..Font::default()
    });
    pen.lines(50.0, y + 24.0, lines);
    let read = pen.read();
    let (_, rest) = read.split_once('\n').unwrap();
    rest.to_owned()
}

#[test]
fn operators_and_names_of_code_are_no_bullets() {
    for line in [
        "o = open(path)",
        "- removed = true",
        "+ added = true",
        "> make",
    ] {
        assert_eq!(read_after_prose(&[line], true), format!("p {line}\n"));
    }
}

#[test]
fn words_and_signs_of_sums_are_no_bullets() {
    let lines = ["o livro que li", "+ shipping and tax"];
    assert_eq!(
        read_after_prose(&lines, false),
        "p o livro que li\np + shipping and tax\n"
    );
}

#[test]
fn letters_and_signs_before_a_gap_are_bullets() {
    let mut pen = Pen::new();
    for (sign, x, y) in [("o", 50.0, 60.0), ("o", 50.0, 72.0), ("+", 50.0, 84.0)] {
        pen.write(x, y, sign)
            .write(x + 14.0, y, "Boats of the town");
    }
    // One space after them, but several items.
    pen.write(50.0, 110.0, "+ Boats")
        .write(50.0, 122.0, "+ Ships");
    let items = "o Boats of the town\no Boats of the town\n+ Boats of the town\n+ Boats\n+ Ships\n";
    assert_eq!(pen.read(), items);
}
