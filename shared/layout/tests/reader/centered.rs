//! Tables as browsers lay them out: vertically centered cells, with rules drawn cell by cell, if at all.

use layout::{Rect, Stroke};

use crate::pen::Pen;

/// Column boundaries of the tables.
const XS: [f32; 4] = [50.0, 100.0, 300.0, 380.0];

/// The table on most of these pages.
const TABLE: &str = "  0,0: p No
  0,1: p Name
  0,2: p Price
  1,0: p 1
  1,1: p Rope of the old boat and its anchor
  1,2: p 12.50
  2,0: p 2
  2,1: p Lamp
  2,2: p 7.00
  3,0: p 3
  3,1: p Bell of the new house and the door
  3,2: p 3.20
";

/// Writes the cells of a row at one height; empty ones are skipped.
fn row(pen: &mut Pen, y: f32, cells: [&str; 3]) {
    for (x, text) in XS.iter().zip(cells) {
        pen.write(x + 4.0, y, text);
    }
}

/// Draws a horizontal rule in one part per column.
fn rule(pen: &mut Pen, y: f32) {
    for pair in XS.windows(2) {
        let bounds = Rect::between((pair[0], y), (pair[1], y + 0.75));
        pen.sheet.strokes.push(Stroke { bounds });
    }
}

/// Draws both side rules of a row.
fn sides(pen: &mut Pen, top: f32, bottom: f32) {
    for x in [XS[0], XS[3] - 0.75] {
        let bounds = Rect::between((x, top), (x + 0.75, bottom));
        pen.sheet.strokes.push(Stroke { bounds });
    }
}

/// Writes the rows of the table, with two lines in the first and the last one; shorter cells are centered.
fn rows(pen: &mut Pen) {
    row(pen, 80.0, ["No", "Name", "Price"]);
    row(pen, 98.0, ["", "Rope of the old boat and its", ""]);
    row(pen, 104.0, ["1", "", "12.50"]);
    row(pen, 110.0, ["", "anchor", ""]);
    row(pen, 128.0, ["2", "Lamp", "7.00"]);
    row(pen, 146.0, ["", "Bell of the new house and the", ""]);
    row(pen, 152.0, ["3", "", "3.20"]);
    row(pen, 158.0, ["", "door", ""]);
}

#[test]
fn rows_above_the_first_rule_are_detected() {
    let mut pen = Pen::new();
    rows(&mut pen);
    for y in [115.6, 133.6, 163.6] {
        rule(&mut pen, y);
    }
    assert_eq!(pen.read(), format!("t 4x3 header 0\n{TABLE}"));
}

#[test]
fn joints_of_rule_segments_separate_cells_whose_texts_nearly_touch() {
    let mut pen = Pen::new();
    pen.write(86.0, 80.0, "No").write(101.0, 80.0, "Name");
    pen.write(304.0, 80.0, "Price");
    for (y, cells) in [
        (99.0, ["1", "Rope", "12.50"]),
        (118.0, ["2", "Lamp", "7.00"]),
    ] {
        row(&mut pen, y, cells);
    }
    for y in [66.0, 85.0, 104.0, 123.0] {
        rule(&mut pen, y);
    }
    let expected = "t 3x3 header 0
  0,0: p No
  0,1: p Name
  0,2: p Price
  1,0: p 1
  1,1: p Rope
  1,2: p 12.50
  2,0: p 2
  2,1: p Lamp
  2,2: p 7.00
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn one_rule_below_the_header_gives_the_columns_of_all_rows() {
    let mut pen = Pen::new();
    row(&mut pen, 80.0, ["No", "Name", "Price"]);
    rule(&mut pen, 86.0);
    row(
        &mut pen,
        99.0,
        ["1", "Rope of the old boat and its", "12.50"],
    );
    row(&mut pen, 111.0, ["", "anchor", ""]);
    row(&mut pen, 129.0, ["2", "Lamp", "7.00"]);
    // The columns are closer than columns without rules can be.
    pen.write(94.0, 147.0, "3");
    row(
        &mut pen,
        147.0,
        ["", "Bell of the new house and the", "3.20"],
    );
    row(&mut pen, 159.0, ["", "door", ""]);
    pen.write(50.0, 184.0, "A sentence stands below it.");
    let expected = format!("t 4x3 header 1\n{TABLE}p A sentence stands below it.\n");
    assert_eq!(pen.read(), expected);
}

#[test]
fn a_frame_open_at_the_bottom_separates_rows_by_its_side_rules() {
    let mut pen = Pen::new();
    rows(&mut pen);
    rule(&mut pen, 67.0);
    for (top, bottom) in [(67.0, 85.6), (85.6, 115.6), (115.6, 133.6), (133.6, 163.6)] {
        sides(&mut pen, top, bottom);
    }
    assert_eq!(pen.read(), format!("t 4x3 header 0\n{TABLE}"));
}

#[test]
fn rows_separated_by_side_rules_are_complete_despite_wide_line_pitch() {
    let mut pen = Pen::new();
    rule(&mut pen, 67.0);
    for (top, bottom) in [(67.0, 80.0), (80.0, 93.0), (93.0, 118.0)] {
        sides(&mut pen, top, bottom);
    }
    row(&mut pen, 77.0, ["No", "Name", "Price"]);
    row(&mut pen, 90.0, ["1", "Lamp", "7.00"]);
    row(&mut pen, 103.0, ["2", "Rope of the old boat", "12.50"]);
    row(&mut pen, 115.0, ["", "and its anchor", ""]);
    let expected = "t 3x3 header 0
  0,0: p No
  0,1: p Name
  0,2: p Price
  1,0: p 1
  1,1: p Lamp
  1,2: p 7.00
  2,0: p 2
  2,1: p Rope of the old boat / p and its anchor
  2,2: p 12.50
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn close_lines_continue_rows_if_all_rows_fill_the_first_column() {
    let mut pen = Pen::new();
    row(&mut pen, 80.0, ["Day", "What was said", "Price"]);
    row(&mut pen, 100.0, ["Mon", "Transfer", "1.00"]);
    row(&mut pen, 111.0, ["", "Reference 17", ""]);
    row(
        &mut pen,
        127.0,
        ["Tue", "A payment by card of the bank", "2.00"],
    );
    row(&mut pen, 143.0, ["Wed", "Transfer", "3.00"]);
    row(&mut pen, 154.0, ["", "Reference 18", ""]);
    row(&mut pen, 170.0, ["Thu", "Transfer", "4.00"]);
    let read = pen.read();
    let cells: Vec<&str> = read.lines().filter(|line| line.contains(",1: ")).collect();
    assert_eq!(
        cells,
        [
            "  0,1: p What was said",
            "  1,1: p Transfer / p Reference 17",
            "  2,1: p A payment by card of the bank",
            "  3,1: p Transfer / p Reference 18",
            "  4,1: p Transfer",
        ]
    );
}

#[test]
fn adjacent_tables_with_different_columns_are_separate() {
    let mut pen = Pen::new();
    for (xs, ys) in [
        ([50.0, 120.0, 200.0], [60.0, 80.0, 100.0]),
        ([50.0, 95.0, 160.0], [100.75, 120.0, 140.0]),
    ] {
        for y in ys {
            let bounds = Rect::between((xs[0], y - 0.375), (xs[2], y + 0.375));
            pen.sheet.strokes.push(Stroke { bounds });
        }
        for x in xs {
            let bounds = Rect::between((x - 0.375, ys[0]), (x + 0.375, ys[2]));
            pen.sheet.strokes.push(Stroke { bounds });
        }
    }
    for (y, left, right) in [(74.0, "a", "b"), (94.0, "c", "d")] {
        pen.write(60.0, y, left).write(130.0, y, right);
    }
    for (y, left, right) in [(115.0, "e", "f"), (135.0, "g", "h")] {
        pen.write(60.0, y, left).write(110.0, y, right);
    }
    let table = |[a, b, c, d]: [char; 4]| {
        format!("t 2x2 header 0\n  0,0: p {a}\n  0,1: p {b}\n  1,0: p {c}\n  1,1: p {d}\n")
    };
    let expected = table(['a', 'b', 'c', 'd']) + &table(['e', 'f', 'g', 'h']);
    assert_eq!(pen.read(), expected);
}

#[test]
fn dates_continue_after_a_hyphen_without_a_space() {
    let mut pen = Pen::new();
    let first = "A sentence that is as long as its line is wide, of the day 2026-02-";
    let other = "11, and another one that is as long as its line and goes on, item 3 -";
    pen.lines(50.0, 80.0, &[first, other, "4 rows."]);
    assert_eq!(pen.read(), format!("p {first}{other} 4 rows.\n"));
}
