//! Tagged tables with untagged empty cells: cells are assigned to columns by position.

use layout::analysis::Warning;
use layout::{Basis, Element, Page, Role, StructureChild, Tag};

use crate::pen::{Pen, readings, shown};

/// A cell: spans, start and text.
type Cell<'a> = ((usize, usize), f32, &'a str);

/// Returns a row of cells without spans.
fn row<'a>(cells: &[(f32, &'a str)]) -> Vec<Cell<'a>> {
    cells.iter().map(|(x, text)| ((1, 1), *x, *text)).collect()
}

/// Reads a table of these rows, 20 points apart.
fn read(rows: &[Vec<Cell<'_>>]) -> (Page, Vec<Warning>) {
    let mut pen = Pen::new();
    let (mut id, mut y) = (0, 100.0);
    let mut tagged = Vec::new();
    for row in rows {
        let mut cells = Vec::new();
        for ((row_span, column_span), x, text) in row {
            pen.tag = Tag::Content(id);
            pen.write(*x, y, text);
            cells.push(StructureChild::Element(Element {
                role: Role::Cell,
                row_span: *row_span,
                column_span: *column_span,
                kids: vec![StructureChild::Content(id)],
                ..Element::default()
            }));
            id += 1;
        }
        tagged.push(StructureChild::Element(Element {
            role: Role::Row,
            kids: cells,
            ..Element::default()
        }));
        y += 20.0;
    }
    let table = Element {
        role: Role::Table,
        kids: tagged,
        ..Element::default()
    };
    pen.sheet.structure = vec![table];
    let reading = readings(std::slice::from_ref(&pen.sheet)).remove(0);
    (reading.page, reading.warnings)
}

/// Returns the lines read from such a table from line `from` on.
fn rest(rows: &[Vec<Cell<'_>>], from: usize) -> Vec<String> {
    let (page, warnings) = read(rows);
    assert_eq!((page.basis, warnings), (Basis::Structure, vec![]));
    let shown = shown(&page.blocks);
    shown.lines().skip(from).map(str::to_owned).collect()
}

fn head() -> Vec<Cell<'static>> {
    row(&[
        (50.0, "Pos"),
        (100.0, "Description"),
        (285.0, "Qty"),
        (350.0, "Unit price"),
        (470.0, "Amount"),
    ])
}

fn line() -> Vec<Cell<'static>> {
    row(&[
        (50.0, "1"),
        (100.0, "Consulting service on site"),
        (295.0, "8"),
        (370.0, "120.00"),
        (470.0, "960.00"),
    ])
}

#[test]
fn cells_are_assigned_to_columns_by_position() {
    let rows = [
        head(),
        line(),
        row(&[(50.0, "3"), (100.0, "Goodwill rebate"), (470.0, "-50.00")]),
        row(&[(385.0, "Net"), (460.0, "3,121.50")]),
        row(&[(450.0, "93,121.50")]),
        row(&[(5.0, "Carried over")]),
    ];
    let expected = [
        "  2,0: p 3",
        "  2,1: p Goodwill rebate",
        "  2,4: p -50.00",
        "  3,3: p Net",
        "  3,4: p 3,121.50",
        "  4,4: p 93,121.50",
        "  5,0: p Carried over",
    ];
    assert_eq!(rest(&rows, 11), expected);
}

#[test]
fn spans_are_kept_and_block_positions_below() {
    let rows = [
        head(),
        vec![
            ((2, 1), 50.0, "1"),
            ((1, 1), 100.0, "Consulting"),
            ((1, 1), 295.0, "8"),
            ((2, 1), 370.0, "120.00"),
            ((1, 1), 470.0, "960.00"),
        ],
        row(&[(475.0, "12.00")]),
        vec![((1, 2), 275.0, "Total"), ((1, 1), 470.0, "972.00")],
        vec![((1, 2), 50.0, "Thanks"), ((1, 1), 370.0, "by us")],
    ];
    let expected = [
        "  2,4: p 12.00",
        "  3,1 over 1x2: p Total",
        "  3,4: p 972.00",
        "  4,0 over 1x2: p Thanks",
        "  4,3: p by us",
    ];
    assert_eq!(rest(&rows, 11), expected);
}

#[test]
fn columns_of_right_to_left_tables_count_from_the_right() {
    let rows = [
        row(&[(500.0, "אחת"), (300.0, "שתיים"), (100.0, "שלוש")]),
        row(&[(505.0, "12"), (110.0, "34")]),
        row(&[(110.0, "56")]),
    ];
    let expected = ["  1,0: p 12", "  1,2: p 34", "  2,2: p 56"];
    assert_eq!(rest(&rows, 4), expected);
}

#[test]
fn a_title_over_all_columns_stays_in_the_first() {
    let rows = [
        head(),
        line(),
        row(&[(200.0, "What was delivered in the first months")]),
    ];
    let expected = ["  2,0: p What was delivered in the first months"];
    assert_eq!(rest(&rows, 11), expected);
}

#[test]
fn tables_whose_cell_positions_contradict_the_order_are_read_by_geometry() {
    let rows = [
        head(),
        line(),
        row(&[(470.0, "-50.00"), (100.0, "Goodwill")]),
    ];
    let (page, warnings) = read(&rows);
    assert_eq!(page.basis, Basis::Geometry);
    assert!(warnings.contains(&Warning::TagsIgnored), "{warnings:?}");
    let text = shown(&page.blocks);
    assert!(text.contains("2,1: p Goodwill\n  2,4: p -50.00"), "{text}");
}

/// Cells of different numbers of lines that begin on one baseline are rows, also without rules and amounts.
#[test]
fn prose_in_cells_without_rules_is_a_table() {
    let rows: [(&[&str], &[&str]); 3] = [
        (
            &["An old bridge over", "the river in town."],
            &[
                "It was built after the flood of that year and",
                "has seven arches, of which two were rebuilt",
                "by the masons of the town.",
            ],
        ),
        (
            &["A market hall near", "the harbour, with", "three gates."],
            &["Traders from all villages around meet there", "every week."],
        ),
        (
            &["The mill of the lord", "of the valley."],
            &[
                "It grinds the corn of the farms, and in most",
                "winters it stands still for the ice, so that",
                "bread is dear.",
            ],
        ),
    ];
    let mut pen = Pen::new();
    pen.bold(true)
        .write(50.0, 60.0, "What there is")
        .write(200.0, 60.0, "What is known of it")
        .bold(false);
    let mut y = 76.0;
    for (left, right) in rows {
        pen.lines(50.0, y, left);
        pen.lines(200.0, y, right);
        y += 12.0 * 3.0 + 4.0;
    }
    assert!(pen.read().starts_with("t 4x2 "), "{}", pen.read());
}
