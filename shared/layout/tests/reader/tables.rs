//! Tables with few lines or none.

use crate::pen::Pen;

/// Writes a row of cells below each other at these places.
fn row(pen: &mut Pen, y: f32, cells: &[(f32, &str)]) {
    for (x, text) in cells {
        pen.write(*x, y, text);
    }
}

fn rule(pen: &mut Pen, y: f32) {
    pen.line((45.0, y), (500.0, y));
}

#[test]
fn lines_above_and_below_bound_a_table_whose_cells_have_several_lines() {
    let mut pen = Pen::new();
    pen.write(50.0, 40.0, "A sentence stands above it.");
    rule(&mut pen, 60.0);
    row(
        &mut pen,
        72.0,
        &[(50.0, "Name"), (150.0, "What it says"), (420.0, "Price")],
    );
    rule(&mut pen, 77.0);
    row(
        &mut pen,
        90.0,
        &[
            (50.0, "Lamp"),
            (150.0, "It is cleaned every Monday, and now and then on a"),
            (420.0, "12.50"),
        ],
    );
    row(&mut pen, 102.0, &[(150.0, "Tuesday.")]);
    row(
        &mut pen,
        116.0,
        &[(50.0, "Rope"), (150.0, "It is grey."), (420.0, "7.00")],
    );
    rule(&mut pen, 122.0);
    pen.write(50.0, 150.0, "A sentence stands below it.");
    let expected = "p A sentence stands above it.
t 3x3 header 1
  0,0: p Name
  0,1: p What it says
  0,2: p Price
  1,0: p Lamp
  1,1: p It is cleaned every Monday, and now and then on a Tuesday.
  1,2: p 12.50
  2,0: p Rope
  2,1: p It is grey.
  2,2: p 7.00
p A sentence stands below it.
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn a_line_below_each_row_tells_rows_apart() {
    let mut pen = Pen::new();
    for (index, (one, other, number)) in [
        ("Lamp", "white", "1"),
        ("Rope", "grey", "2"),
        ("Bell", "", "3"),
        ("Boat", "red", ""),
    ]
    .into_iter()
    .enumerate()
    {
        #[expect(clippy::cast_precision_loss, reason = "there are four")]
        let y = 80.0 + index as f32 * 20.0;
        rule(&mut pen, y - 14.0);
        row(&mut pen, y, &[(50.0, one), (200.0, other), (400.0, number)]);
    }
    rule(&mut pen, 146.0);
    let expected = "t 4x3 header 0
  0,0: p Lamp
  0,1: p white
  0,2: p 1
  1,0: p Rope
  1,1: p grey
  1,2: p 2
  2,0: p Bell
  2,2: p 3
  3,0: p Boat
  3,1: p red
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn lines_at_the_edges_of_columns_of_text_make_no_table() {
    let mut pen = Pen::new();
    rule(&mut pen, 50.0);
    for index in 0_u16..12 {
        let y = 64.0 + f32::from(index) * 12.0;
        pen.write(50.0, y, "this is a line of text in a column alone");
        pen.write(290.0, y, "and this is one in the column beside it");
    }
    rule(&mut pen, 64.0 + 12.0 * 11.0 + 6.0);
    assert!(!pen.read().starts_with("t "), "{}", pen.read());
}

#[test]
fn rows_that_begin_at_once_in_all_columns_are_a_table_of_texts() {
    let mut pen = Pen::new();
    row(
        &mut pen,
        60.0,
        &[
            (50.0, "Lamp of glass with"),
            (250.0, "It is cleaned every Monday, and looked"),
        ],
    );
    row(
        &mut pen,
        72.0,
        &[
            (50.0, "a wick"),
            (250.0, "after in the night by one who is not"),
        ],
    );
    row(&mut pen, 84.0, &[(250.0, "asleep.")]);
    row(
        &mut pen,
        99.0,
        &[(50.0, "Rope that is long"), (250.0, "It lies in the boat.")],
    );
    row(&mut pen, 111.0, &[(50.0, "enough for all")]);
    row(
        &mut pen,
        126.0,
        &[
            (50.0, "Bell"),
            (250.0, "It is rung when there is fog, and when"),
        ],
    );
    row(&mut pen, 138.0, &[(250.0, "it is noon.")]);
    let expected = "t 3x2 header 0
  0,0: p Lamp of glass with a wick
  0,1: p It is cleaned every Monday, and looked after in the night by one who is not asleep.
  1,0: p Rope that is long enough for all
  1,1: p It lies in the boat.
  2,0: p Bell
  2,1: p It is rung when there is fog, and when it is noon.
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn a_head_over_several_columns_is_a_row_of_the_table() {
    let mut pen = Pen::new();
    row(&mut pen, 60.0, &[(180.0, "Winter"), (380.0, "Summer")]);
    row(
        &mut pen,
        74.0,
        &[
            (50.0, "Day"),
            (150.0, "Early"),
            (250.0, "Late"),
            (350.0, "Early"),
            (450.0, "Late"),
        ],
    );
    for (index, day) in ["Monday", "Tuesday", "Friday"].into_iter().enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "there are three")]
        let y = 88.0 + index as f32 * 14.0;
        row(
            &mut pen,
            y,
            &[
                (50.0, day),
                (150.0, "07.15"),
                (250.0, "19.15"),
                (350.0, "06.15"),
                (450.0, "21.15"),
            ],
        );
    }
    let read = pen.read();
    assert!(
        read.starts_with("t 5x5 header 0\n  0,1: p Winter\n  0,"),
        "{read}"
    );
    assert_eq!(read.lines().count(), 1 + 2 + 5 * 4, "{read}");
}

#[test]
fn columns_of_a_table_that_is_read_from_the_right_count_from_there() {
    let mut pen = Pen::new();
    for (y, number, name) in [
        (60.0, "12.50", "שלום"),
        (74.0, "7.00", "לילה"),
        (88.0, "3.20", "בוקר"),
    ] {
        let name: String = name.chars().rev().collect();
        row(
            &mut pen,
            y,
            &[(150.0, "1"), (300.0, number), (500.0, &name)],
        );
    }
    let expected = "t 3x3 header 0
  0,0: p שלום
  0,1: p 12.50
  0,2: p 1
  1,0: p לילה
  1,1: p 7.00
  1,2: p 1
  2,0: p בוקר
  2,1: p 3.20
  2,2: p 1
";
    assert_eq!(pen.read(), expected);
}
