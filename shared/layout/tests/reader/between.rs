//! Content between two parts of a page that belongs to only one of them.

use layout::Rect;

use crate::pen::Pen;

/// Fills cells between these positions at a height.
fn filled(pen: &mut Pen, places: &[f32], top: f32) {
    for pair in places.windows(2) {
        pen.sheet
            .fills
            .push(Rect::between((pair[0], top), (pair[1], top + 16.0)));
    }
}

#[test]
fn rows_belong_to_one_table_only() {
    let mut pen = Pen::new();
    filled(&mut pen, &[50.0, 250.0, 350.0, 450.0, 550.0], 60.0);
    filled(&mut pen, &[50.0, 250.0, 350.0, 450.0, 550.0], 92.0);
    for (y, cells) in [
        (71.0, ["What", "Many", "Each", "Sum"]),
        (87.0, ["Hedges", "1", "2.00", "2.00"]),
        (103.0, ["Lawns", "2", "3.00", "6.00"]),
        (119.0, ["Trees", "3", "4.00", "12.00"]),
    ] {
        for (x, cell) in [54.0, 254.0, 354.0, 454.0].into_iter().zip(cells) {
            pen.write(x, y, cell);
        }
    }
    filled(&mut pen, &[330.0, 430.0, 550.0], 140.0);
    for (y, name, sum) in [
        (135.0, "Net", "20.00"),
        (151.0, "Tax", "4.00"),
        (167.0, "Total", "24.00"),
    ] {
        pen.write(334.0, y, name).write(440.0, y, sum);
    }
    let read = pen.read();
    let rows =
        "  3,0: p Trees\n  3,1: p 3\n  3,2: p 4.00\n  3,3: p 12.00\n  4,2: p Net\n  4,3: p 20.00\n";
    assert!(
        read.starts_with("t 7x4 header 1\n") && read.contains(rows),
        "{read}"
    );
    assert_eq!(read.matches("Net").count(), 1, "{read}");
}

#[test]
fn equation_numbers_are_not_markers_of_the_next_column() {
    let mut pen = Pen::new();
    let lines = [
        "the old miller walked down the lane to it",
        "and found a boat that was of no use at all",
        "since nobody had cared for its sails there",
        "so he went back home before the rain began",
    ];
    let line = |row: u8, side: usize| lines[(usize::from(row) + side) % 4];
    for row in 0..9_u8 {
        let y = 60.0 + f32::from(row) * 12.0;
        match row {
            4 => {
                pen.write(50.0, y, "h = a + b").write(245.0, y, "(1)");
                pen.write(280.0, y, "his dogs.");
            }
            _ => {
                pen.write(50.0, y, line(row, 0));
                pen.write(280.0, y + 1.0, line(row, 2));
            }
        }
    }
    let read = pen.read();
    let (formula, dogs) = (read.find("(1)").unwrap(), read.find("his dogs").unwrap());
    let count = |text: &str| {
        lines
            .iter()
            .map(|line| text.matches(line).count())
            .sum::<usize>()
    };
    assert_eq!(
        (count(&read[..formula]), formula < dogs),
        (4, true),
        "{read}"
    );
    assert!(count(&read[..dogs]) >= 12, "{read}");
}
