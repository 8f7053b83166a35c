//! Tables drawn cell by cell: joints of rules and edges of fills are the boundaries of columns and rows.

use layout::Rect;

use crate::pen::Pen;

/// Column boundaries of the tables.
const XS: [f32; 4] = [50.0, 200.0, 290.0, 380.0];

/// Writes the cells of a row.
fn row(pen: &mut Pen, y: f32, cells: [&str; 3]) {
    for (x, text) in XS.iter().zip(cells) {
        pen.write(x + 6.0, y, text);
    }
}

/// Draws a horizontal rule in one part per column, from column `first` on.
fn rule(pen: &mut Pen, y: f32, first: usize) {
    for pair in XS[first..].windows(2) {
        pen.sheet.strokes.push(layout::Stroke {
            bounds: Rect::between((pair[0], y), (pair[1], y + 0.75)),
        });
    }
}

#[test]
fn joints_of_rules_are_column_boundaries() {
    let mut pen = Pen::new();
    pen.write(
        50.0,
        40.0,
        "A sentence stands above it and is read by itself.",
    );
    // The gap between the numbers is no wider than a word space, and there is no rule above the header.
    row(&mut pen, 80.0, ["Name", "First", "Second"]);
    row(&mut pen, 99.0, ["Lamp", "123456789.00", "1"]);
    row(&mut pen, 118.0, ["Rope of the old boat and its", "2", ""]);
    pen.write(56.0, 130.0, "anchor");
    row(&mut pen, 149.0, ["Bell", "", "3"]);
    for y in [86.0, 105.0, 136.0, 155.0] {
        rule(&mut pen, y, 0);
    }
    let expected = "p A sentence stands above it and is read by itself.
t 4x3 header 0
  0,0: p Name
  0,1: p First
  0,2: p Second
  1,0: p Lamp
  1,1: p 123456789.00
  1,2: p 1
  2,0: p Rope of the old boat and its anchor
  2,1: p 2
  2,2: 
  3,0: p Bell
  3,1: 
  3,2: p 3
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn a_cell_continues_where_the_rule_below_it_is_missing() {
    let mut pen = Pen::new();
    for (y, first) in [(66.0, 0), (85.0, 0), (104.0, 1), (123.0, 0)] {
        rule(&mut pen, y, first);
    }
    row(&mut pen, 79.0, ["Name", "First", "Second"]);
    row(&mut pen, 98.0, ["Lamp", "1", "2"]);
    row(&mut pen, 117.0, ["", "3", "4"]);
    let expected = "t 3x3 header 0
  0,0: p Name
  0,1: p First
  0,2: p Second
  1,0 over 2x1: p Lamp
  1,1: p 1
  1,2: p 2
  2,1: p 3
  2,2: p 4
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn joints_of_side_rules_are_row_boundaries() {
    let mut pen = Pen::new();
    rule(&mut pen, 60.0, 0);
    rule(&mut pen, 127.0, 0);
    for x in [XS[0], XS[3] - 0.75] {
        for (top, bottom) in [(60.0, 79.0), (79.0, 110.0), (110.0, 127.0)] {
            pen.sheet.strokes.push(layout::Stroke {
                bounds: Rect::between((x, top), (x + 0.75, bottom)),
            });
        }
    }
    row(&mut pen, 73.0, ["Name", "First", "Second"]);
    row(&mut pen, 92.0, ["Lamp", "white", "or"]);
    row(&mut pen, 104.0, ["", "gray", "red"]);
    row(&mut pen, 123.0, ["Bell", "", "green"]);
    let expected = "t 3x3 header 0
  0,0: p Name
  0,1: p First
  0,2: p Second
  1,0: p Lamp
  1,1: p white / p gray
  1,2: p or / p red
  2,0: p Bell
  2,1: 
  2,2: p green
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn cell_fills_of_every_other_row_give_a_table_of_all_rows() {
    let mut pen = Pen::new();
    for top in [60.0, 98.0] {
        for pair in XS.windows(2) {
            let fill = Rect::between((pair[0], top), (pair[1], top + 19.0));
            pen.sheet.fills.push(fill);
        }
    }
    row(&mut pen, 73.0, ["Name", "First", "Second"]);
    row(&mut pen, 92.0, ["Lamp", "123456789.00", "1"]);
    row(&mut pen, 111.0, ["Rope", "", "2"]);
    row(&mut pen, 130.0, ["Bell", "3", "4"]);
    let expected = "t 4x3 header 1
  0,0: p Name
  0,1: p First
  0,2: p Second
  1,0: p Lamp
  1,1: p 123456789.00
  1,2: p 1
  2,0: p Rope
  2,2: p 2
  3,0: p Bell
  3,1: p 3
  3,2: p 4
";
    assert_eq!(pen.read(), expected);
}
