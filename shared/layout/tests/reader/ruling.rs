//! Horizontal rules, and tables that are not detected because of the options.

use layout::analysis::{Options, Reader, Survey, Tables};

use crate::pen::{Pen, pages, shown};

/// Reads a page with this table detection.
fn read(pen: &Pen, tables: Tables) -> String {
    let mut survey = Survey::default();
    survey.note(&pen.sheet);
    let facts = survey.finish();
    let options = Options {
        tables,
        ..Options::default()
    };
    let reading = Reader::new(&facts, options).read(&pen.sheet);
    assert!(reading.warnings.is_empty(), "{:?}", reading.warnings);
    shown(&reading.page.blocks)
}

/// Creates three rows of two cells with horizontal rules, and vertical ones if `is_ruled`.
fn table(is_ruled: bool) -> Pen {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "What the harbour has:");
    for (row, (name, count)) in (0_u8..).zip([("Name", "Count"), ("Boats", "12"), ("Lamps", "1")]) {
        let y = 100.0 + f32::from(row) * 20.0;
        pen.write(55.0, y, name).write(305.0, y, count);
        pen.line((50.0, y - 14.0), (550.0, y - 14.0));
    }
    pen.line((50.0, 146.0), (550.0, 146.0));
    if is_ruled {
        for x in [50.0, 300.0, 550.0] {
            pen.line((x, 86.0), (x, 146.0));
        }
    }
    pen.write(50.0, 190.0, "That is all.");
    pen
}

const TEXT: &str =
    "p What the harbour has:\np Name\np Count\np Boats\np 12\np Lamps\np 1\np That is all.\n";

#[test]
fn without_table_detection_cells_are_text_and_rules_are_dropped() {
    for is_ruled in [true, false] {
        assert_eq!(read(&table(is_ruled), Tables::Off), TEXT, "{is_ruled}");
    }
}

#[test]
fn with_ruled_detection_only_borderless_tables_are_text() {
    let ruled = read(&table(true), Tables::Ruled);
    assert!(ruled.contains("t 3x2"), "{ruled}");
    assert_eq!(read(&table(false), Tables::Ruled), TEXT);
}

#[test]
fn a_line_that_is_drawn_twice_is_one() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "The old lighthouse");
    for _ in 0..2 {
        pen.line((50.0, 75.0), (550.0, 75.0));
    }
    pen.write(50.0, 100.0, "has been looked after for many years.");
    pen.line((50.0, 120.0), (550.0, 120.0))
        .line((50.0, 124.0), (550.0, 124.0));
    pen.write(50.0, 150.0, "That is all.");
    assert_eq!(pen.read().matches("rule").count(), 3);
}

#[test]
fn pages_with_only_a_table_have_headers() {
    let sheet = |number: u32| {
        let mut pen = table(true);
        pen.sheet
            .characters
            .retain(|character| (80.0..150.0).contains(&character.baseline));
        pen.sheet.number = number;
        pen.write(50.0, 40.0, "The harbour")
            .write(280.0, 780.0, &format!("Page {number}"));
        pen.sheet
    };
    let sheets: Vec<_> = (1..=3).map(sheet).collect();
    for page in pages(&sheets) {
        assert_eq!(shown(&page.header), "p The harbour\n");
        assert_eq!(shown(&page.footer), format!("p Page {}\n", page.number));
    }
}
