//! Borderless tables, and tables with few rules.

use crate::pen::Pen;

/// Writes the cells of a row at these positions.
fn row(pen: &mut Pen, y: f32, cells: &[(f32, &str)]) {
    for (x, text) in cells {
        pen.write(*x, y, text);
    }
}

fn rule(pen: &mut Pen, y: f32) {
    pen.line((45.0, y), (500.0, y));
}

#[test]
fn rules_above_and_below_bound_a_table_with_multi_line_cells() {
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
        &[(50.0, "Rope"), (150.0, "It is gray."), (420.0, "7.00")],
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
  2,1: p It is gray.
  2,2: p 7.00
p A sentence stands below it.
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn a_rule_below_each_row_separates_rows() {
    let mut pen = Pen::new();
    for (index, (one, other, number)) in [
        ("Lamp", "white", "3"),
        ("Rope", "gray", "1"),
        ("Bell", "", "2"),
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
  0,2: p 3
  1,0: p Rope
  1,1: p gray
  1,2: p 1
  2,0: p Bell
  2,1: 
  2,2: p 2
  3,0: p Boat
  3,1: p red
  3,2: 
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn rules_at_text_columns_are_not_a_table() {
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
fn rows_that_begin_in_all_columns_at_once_are_a_table() {
    let mut pen = Pen::new();
    pen.bold(true);
    row(&mut pen, 45.0, &[(50.0, "Thing"), (250.0, "What is said")]);
    pen.bold(false);
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
            (50.0, "wicks inside"),
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
    let expected = "t 4x2 header 1
  0,0: p Thing
  0,1: p What is said
  1,0: p Lamp of glass with wicks inside
  1,1: p It is cleaned every Monday, and looked after in the night by one who is not asleep.
  2,0: p Rope that is long enough for all
  2,1: p It lies in the boat.
  3,0: p Bell
  3,1: p It is rung when there is fog, and when it is noon.
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn a_header_over_several_columns_is_a_row_of_the_table() {
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
        read.starts_with(
            "t 5x5 header 2\n  0,1 over 1x2: p Winter\n  0,3 over 1x2: p Summer\n  1,"
        ),
        "{read}"
    );
    assert_eq!(read.lines().count(), 1 + 2 + 5 * 4, "{read}");
}

#[test]
fn columns_of_a_right_to_left_table_count_from_the_right() {
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

/// Writes rows of names and numbers.
fn numbers(pen: &mut Pen, y: f32, names: &[&str]) {
    let mut y = y;
    for name in names {
        row(pen, y, &[(50.0, name), (200.0, "12.50"), (350.0, "7.00")]);
        y += 16.0;
    }
}

#[test]
fn row_group_headers_and_totals_span_their_columns() {
    let mut pen = Pen::new();
    row(
        &mut pen,
        44.0,
        &[(50.0, "Name"), (200.0, "Price"), (350.0, "Tax")],
    );
    pen.write(50.0, 60.0, "Indoors");
    numbers(&mut pen, 76.0, &["Lamp", "Rope"]);
    pen.write(50.0, 108.0, "Outdoors");
    numbers(&mut pen, 124.0, &["Tent", "Boat"]);
    row(&mut pen, 156.0, &[(50.0, "Together"), (350.0, "28.00")]);
    let read = pen.read();
    assert!(read.starts_with("t 8x3 header 0\n"), "{read}");
    for cell in [
        "1,0 over 1x3: p Indoors",
        "4,0 over 1x3: p Outdoors",
        "7,0 over 1x2: p Together",
    ] {
        assert!(read.contains(cell), "{cell} in {read}");
    }
}

#[test]
fn a_word_crossed_by_a_rule_is_in_one_cell() {
    let mut pen = Pen::new();
    for y in [40.0, 60.0, 80.0] {
        pen.line((40.0, y), (240.0, y));
    }
    for x in [40.0, 140.0, 240.0] {
        pen.line((x, 40.0), (x, 80.0));
    }
    row(
        &mut pen,
        54.0,
        &[(45.0, "Lighthousekeepers are"), (180.0, "here")],
    );
    row(&mut pen, 74.0, &[(45.0, "Lamp"), (145.0, "Rope")]);
    let expected = "t 2x2 header 0
  0,0: p Lighthousekeepers
  0,1: p are here
  1,0: p Lamp
  1,1: p Rope
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn words_spaced_to_fill_a_column_are_not_a_table() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "All day long the river ran on");
    for (y, left, right) in [
        (72.0, "slowly", "towards"),
        (84.0, "harbours", "and"),
        (96.0, "open", "waters"),
    ] {
        #[expect(clippy::cast_precision_loss, reason = "words are short")]
        let width = right.len() as f32 * 5.0;
        row(&mut pen, y, &[(50.0, left), (195.0 - width, right)]);
    }
    pen.write(50.0, 108.0, "beyond.");
    let read = pen.read();
    assert_eq!(
        read,
        "p All day long the river ran on slowly towards harbours and open waters beyond.\n"
    );
}

#[test]
fn text_that_continues_in_one_column_next_to_a_new_paragraph_is_read_by_columns() {
    let mut pen = Pen::new();
    let left = [
        "An orchard stood above the",
        "harbour for many years and",
        "belonged to the old miller.",
        "It was sold.",
        "A lighthouse keeper bought",
        "it all without a word to us",
        "and has lived there alone",
        "since the end of the war.",
    ];
    let right = [
        "Nobody came.",
        "In winter they all went on",
        "towards the northern coast",
        "and stayed in the harbours",
        "of the old towns and cities",
        "until the ice was gone and",
        "the boats could leave again.",
        "Nobody asked for them then.",
    ];
    for (index, (left, right)) in left.into_iter().zip(right).enumerate() {
        #[expect(clippy::cast_precision_loss, reason = "there are eight")]
        let y = 60.0 + index as f32 * 12.0;
        row(&mut pen, y, &[(50.0, left), (250.0, right)]);
    }
    let read = pen.read();
    assert!(!read.starts_with("t "), "{read}");
    assert!(read.find("sold") < read.find("Nobody"), "{read}");
}

#[test]
fn rows_repeated_on_the_next_page_are_its_header() {
    let page = |number: u32, names: &[&str]| {
        let mut pen = Pen::new();
        pen.sheet.number = number;
        row(
            &mut pen,
            44.0,
            &[(50.0, "Name"), (200.0, "Price"), (350.0, "Tax")],
        );
        numbers(&mut pen, 60.0, names);
        pen.sheet
    };
    let pages = crate::pen::pages(&[
        page(1, &["Lamp", "Rope", "Tent"]),
        page(2, &["Boat", "Sail", "Oars"]),
    ]);
    let read = crate::pen::shown(&pages[1].blocks);
    assert!(read.starts_with("t 4x3 header 1"), "{read}");
}

#[test]
fn columns_that_no_two_consecutive_rows_fill_are_columns() {
    let mut pen = Pen::new();
    row(
        &mut pen,
        40.0,
        &[(50.0, "Lamp"), (200.0, "12.50"), (350.0, "2.50")],
    );
    row(&mut pen, 54.0, &[(50.0, "Rope"), (200.0, "11.50")]);
    row(&mut pen, 68.0, &[(50.0, "Tent"), (350.0, "1.50")]);
    row(&mut pen, 82.0, &[(50.0, "Boat"), (200.0, "14.50")]);
    row(&mut pen, 96.0, &[(50.0, "Sail"), (200.0, "16.50")]);
    for y in [28.0, 102.0] {
        rule(&mut pen, y);
    }
    let read = pen.read();
    assert!(read.starts_with("t 5x3"), "{read}");
    assert!(read.contains("2,2: p 1.50"), "{read}");
}

#[test]
fn a_row_divided_by_a_page_break_is_one_row() {
    let sheet = |number: u32, last: &str| {
        let mut pen = Pen::new();
        pen.sheet.number = number;
        let head = [(50.0, "Name"), (200.0, "Price"), (350.0, "Tax")];
        row(&mut pen, 44.0, &head);
        pen.write(50.0, 60.0, last);
        let y = if number == 1 { 60.0 } else { 44.0 };
        if number == 1 {
            pen.write(200.0, y, "12.50").write(350.0, y, "2.50");
        }
        for (index, name) in ["Lamp", "Rope", "Tent"].iter().enumerate() {
            let y = [76.0, 92.0, 108.0][index];
            row(
                &mut pen,
                y,
                &[(50.0, name), (200.0, "12.50"), (350.0, "2.50")],
            );
        }
        if number == 1 {
            row(
                &mut pen,
                124.0,
                &[(50.0, "Boat"), (200.0, "14.50"), (350.0, "1.50")],
            );
        }
        pen.sheet
    };
    let pages = crate::pen::pages(&[sheet(1, "Sail"), sheet(2, "with oars")]);
    let read = crate::pen::shown(&pages[0].blocks);
    assert!(read.contains("5,0: p Boat with oars"), "{read}");
}

#[test]
fn tables_continue_in_the_next_column_below_a_repeated_header() {
    let mut pen = Pen::new();
    let prose = [
        "The lamp is cleaned every Monday",
        "and now and then on a Tuesday,",
        "which nobody minds at all, since",
    ];
    let y = pen.lines(50.0, 40.0, &[prose, prose, prose].concat());
    let mut part = |x: f32, y: f32, names: &[&str]| {
        let (left, right) = (x - 5.0, x + 200.0);
        pen.line((left, y - 12.0), (right, y - 12.0));
        pen.bold(true)
            .write(x, y, "Name")
            .write(x + 120.0, y, "Price")
            .bold(false);
        pen.line((left, y + 5.0), (right, y + 5.0));
        let mut y = y;
        for name in names {
            y += 16.0;
            pen.write(x, y, name).write(x + 120.0, y, "12.50");
        }
        pen.line((left, y + 5.0), (right, y + 5.0));
        y
    };
    part(50.0, y + 20.0, &["Lamp", "Rope", "Tent"]);
    let y = part(320.0, 40.0, &["Boat", "Sail"]);
    pen.lines(320.0, y + 40.0, &[prose, prose].concat());
    let read = pen.read();
    assert!(read.contains("t 6x2 header 1"), "{read}");
    assert!(read.contains("5,0: p Sail"), "{read}");
}

#[test]
fn a_title_above_addresses_side_by_side_is_not_a_row() {
    let mut pen = Pen::new();
    pen.sized(18.0).bold(true).write(50.0, 60.0, "Invoice 2231");
    pen.sized(10.0);
    let rows = [
        ("Bill to", "Ship to"),
        ("The lighthouse", "The harbour office"),
        ("12 Mill Lane", "140 Old Market Road"),
        ("Port Ellen", "Port Askaig"),
    ];
    for (row, (left, right)) in (0_u8..).zip(rows) {
        let y = 90.0 + f32::from(row) * 12.0;
        pen.bold(row == 0)
            .write(50.0, y, left)
            .write(300.0, y, right);
    }
    let read = pen.read();
    assert!(read.starts_with("h1 Invoice 2231\nt 4x2"), "{read}");
}
