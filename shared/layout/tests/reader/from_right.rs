//! Right-to-left pages, and layouts that such pages share with others.

use layout::{Rect, Size};

use crate::pen::Pen;

const WORDS: [&str; 8] = [
    "ספר",
    "ספינה",
    "הדרך",
    "גשרים",
    "נמל",
    "ירושלמי",
    "בוקר",
    "מכתבים",
];

/// Writes right-to-left text that ends at `right`.
fn write(pen: &mut Pen, right: f32, y: f32, text: &str) {
    let drawn: String = text.chars().rev().collect();
    let count = u16::try_from(text.chars().count()).unwrap();
    pen.write(right - f32::from(count) * pen.size / 2.0, y, &drawn);
}

/// Returns words that fill a line of about this number of characters, from the word with this index on.
fn line(first: usize, length: usize) -> String {
    let mut line = String::new();
    for word in WORDS.iter().cycle().skip(first) {
        if line.chars().count() + word.chars().count() >= length {
            return line;
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

#[test]
fn columns_of_prose_without_case_are_not_a_table() {
    let mut pen = Pen::new();
    for row in 0..16_u8 {
        for (column, right) in [(0, 560.0), (1, 370.0), (2, 180.0)] {
            let text = line(usize::from(row) * 3 + column * 5, 30);
            write(&mut pen, right, 60.0 + f32::from(row) * 13.0, &text);
        }
    }
    let read = pen.read();
    assert!(read.lines().all(|line| line.starts_with("p ")), "{read}");
}

#[test]
fn pairs_of_names_and_amounts_are_a_table_without_rules_and_header() {
    let mut pen = Pen::new();
    let names = ["הספר הישן", "השוק הגדול", "הנמל", "הדרך שלנו", "המכתבים"];
    for (row, name) in (0_u8..).zip(names) {
        let y = 60.0 + f32::from(row) * 16.0;
        write(&mut pen, 550.0, y, name);
        pen.write(455.0, y, &format!("{}1.50", row + 3));
    }
    let read = pen.read();
    let expected = "t 5x2 header 0\n  0,0: p הספר הישן\n  0,1: p 31.50\n";
    assert!(read.starts_with(expected), "{read}");
}

#[test]
fn a_table_is_read_as_its_page_though_one_column_runs_the_other_way() {
    let mut pen = Pen::new();
    for row in 0..4_u8 {
        let y = 200.0 + f32::from(row) * 12.0;
        write(&mut pen, 550.0, y, &line(usize::from(row), 80));
    }
    for y in [60.0, 80.0, 100.0, 120.0] {
        pen.line((100.0, y), (550.0, y));
    }
    for x in [100.0, 250.0, 450.0, 550.0] {
        pen.line((x, 60.0), (x, 120.0));
    }
    for (row, name) in (0_u8..).zip(["ספר", "נמל", "בוקר"]) {
        let y = 75.0 + f32::from(row) * 20.0;
        write(&mut pen, 540.0, y, name);
        pen.write(260.0, y, "Mountain lantern of the harbour")
            .write(110.0, y, "12.50");
    }
    let read = pen.read();
    assert!(
        read.contains("  0,0: p ספר\n  0,1: p Mountain lantern"),
        "{read}"
    );
}

#[test]
fn an_item_may_begin_with_a_word_that_runs_the_other_way() {
    let mut pen = Pen::new();
    for (row, name) in (0_u8..).zip(["Lantern", "Harbour"]) {
        let y = 100.0 + f32::from(row) * 12.0;
        pen.write(495.0, y, name);
        write(&mut pen, 490.0, y, &line(usize::from(row), 40));
        let dot = Rect::between((536.0, y - 5.0), (539.0, y - 2.0));
        pen.sheet.fills.push(dot);
    }
    let read = pen.read();
    assert!(read.starts_with("• Lantern ספר"), "{read}");
    assert_eq!(read.matches("• ").count(), 2, "{read}");
}

/// Writes two columns of prose with a title above the second half of both.
fn titled(pen: &mut Pen) {
    let lines = ["of the old keeper who had", "seen all boats of the old"];
    for half in [0.0, 130.0] {
        for row in 0..6_u8 {
            let (y, text) = (
                60.0 + half + f32::from(row) * 12.0,
                lines[usize::from(row % 2)],
            );
            pen.write(
                50.0,
                y,
                &format!("{text} {}", if half > 0.0 { "east" } else { "west" }),
            );
            pen.write(
                230.0,
                y + 2.0,
                &format!("{text} {}", if half > 0.0 { "south" } else { "north" }),
            );
        }
    }
    pen.sized(18.0).write(50.0, 160.0, "Boats").sized(10.0);
}

#[test]
fn a_title_ends_the_columns_above_it_though_it_is_narrow() {
    let mut pen = Pen::new();
    titled(&mut pen);
    let read = pen.read();
    let place = |text: &str| {
        read.find(text)
            .unwrap_or_else(|| panic!("{text} in {read}"))
    };
    assert!(place("west") < place("north"), "{read}");
    assert!(place("north") < place("Boats"), "{read}");
    assert!(place("Boats") < place("east"), "{read}");
    assert!(place("east") < place("south"), "{read}");
}

#[test]
fn a_column_that_begins_below_the_others_is_one_of_them() {
    let mut pen = Pen::new();
    pen.sheet.size = Size {
        width: 700.0,
        height: 800.0,
    };
    let text = [
        "of the old keeper who had seen",
        "all boats of the old town that",
    ];
    for row in 0..12_u8 {
        let space = if row > 1 { 12.0 } else { 0.0 };
        let y = 60.0 + space + f32::from(row) * 12.0;
        let text = text[usize::from(row % 2)];
        for (x, name) in [(50.0, "west"), (250.0, "middle"), (450.0, "east")] {
            if row > 1 || x > 50.0 {
                pen.write(x, y, &format!("{text} {name}"));
            }
        }
    }
    let read = pen.read();
    let place = |text: &str| {
        read.find(text)
            .unwrap_or_else(|| panic!("{text} in {read}"))
    };
    assert!(read.rfind("west") < Some(place("middle")), "{read}");
    assert!(read.rfind("middle") < Some(place("east")), "{read}");
}

#[test]
fn words_with_narrow_spaces_between_them_stay_apart() {
    let mut pen = Pen::new();
    let mut right = 550.0;
    for letter in "ספר ישן מאד".chars() {
        let width = if letter == ' ' { 0.0 } else { 5.0 };
        let bounds = Rect::between((right - width, 51.0), (right, 62.0));
        pen.character(letter, bounds, 60.0, 0.0);
        right -= if letter == ' ' { 1.0 } else { 5.0 };
    }
    assert_eq!(pen.read(), "p ספר ישן מאד\n");
}
