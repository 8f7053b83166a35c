//! Tables in structure trees: positions, spans, and rows across pages.

use layout::{Content, Role, StructureChild};

use super::{cell, element, read, tagged, write};
use crate::pen::{Pen, readings, shown};

#[test]
fn cells_take_the_remaining_positions_and_empty_ones_count() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "Season");
    write(&mut pen, 1, 150.0, 60.0, "Weekday");
    write(&mut pen, 2, 150.0, 80.0, "Early");
    write(&mut pen, 3, 250.0, 80.0, "Late");
    write(&mut pen, 4, 50.0, 100.0, "Summer");
    write(&mut pen, 5, 250.0, 100.0, "9");
    let row = |cells| element(Role::Row, cells);
    let rows = vec![
        row(vec![
            cell(Role::HeaderCell, (2, 1), 0),
            cell(Role::HeaderCell, (1, 2), 1),
        ]),
        row(vec![
            cell(Role::HeaderCell, (1, 1), 2),
            cell(Role::HeaderCell, (1, 1), 3),
        ]),
        row(vec![
            cell(Role::Cell, (1, 1), 4),
            StructureChild::Elsewhere,
            cell(Role::Cell, (1, 1), 5),
        ]),
    ];
    tagged(
        &mut pen,
        vec![element(Role::Table, vec![element(Role::Group, rows)])],
    );
    let (page, _) = read(&pen);
    let expected = "t 3x3 header 2\n  0,0 over 2x1: p Season\n  0,1 over 1x2: p Weekday\n  1,1: p Early\n  1,2: p Late\n  2,0: p Summer\n  2,2: p 9\n";
    assert_eq!(shown(&page.blocks), expected);
    let Content::Table(table) = &page.blocks[0].content else {
        panic!("no table");
    };
    assert!((table.confidence - 1.0).abs() < f32::EPSILON && !table.ruled);
    assert_eq!(table.widths.len(), 3);
}

/// Reads a table split within a row, with the rest on the page with this number; returns the lines and whether the table
/// continues.
fn split_row(number: u32) -> (Vec<String>, bool) {
    let page = |kids: Vec<StructureChild>, texts: &[(u32, f32, &str)], number| {
        let mut pen = Pen::new();
        for (id, x, text) in texts {
            write(&mut pen, *id, *x, 60.0, text);
        }
        tagged(&mut pen, kids);
        pen.sheet.number = number;
        pen.sheet
    };
    let row = |cells| element(Role::Table, vec![element(Role::Row, cells)]);
    let first = page(
        vec![row(vec![
            cell(Role::Cell, (1, 1), 0),
            cell(Role::Cell, (1, 1), 1),
        ])],
        &[(0, 50.0, "Name"), (1, 150.0, "It begins")],
        1,
    );
    let rest = element(
        Role::Paragraph,
        vec![StructureChild::Elsewhere, StructureChild::Content(0)],
    );
    let table = element(
        Role::Table,
        vec![
            StructureChild::Elsewhere,
            element(
                Role::Row,
                vec![StructureChild::Elsewhere, element(Role::Cell, vec![rest])],
            ),
            element(
                Role::Row,
                vec![cell(Role::Cell, (1, 1), 1), cell(Role::Cell, (1, 1), 2)],
            ),
        ],
    );
    let next = page(
        vec![table],
        &[
            (0, 150.0, "and ends."),
            (1, 50.0, "Next"),
            (2, 250.0, "row"),
        ],
        number,
    );
    let pages = readings(&[first, next]);
    let blocks = pages.iter().map(|reading| shown(&reading.page.blocks));
    let continues = match &pages[1].page.blocks[0].content {
        Content::Table(table) => table.continues,
        _ => panic!("no table"),
    };
    (blocks.collect(), continues)
}

#[test]
fn a_row_split_across_pages_is_merged() {
    let expected = [
        "t 1x2 header 0\n  0,0: p Name\n  0,1: p It begins and ends.\n",
        "t 1x2 header 0\n  0,0: p Next\n  0,1: p row\n",
    ];
    assert_eq!(split_row(2), (expected.map(str::to_owned).to_vec(), true));
}

#[test]
fn nothing_continues_across_a_skipped_page() {
    let expected = [
        "t 1x2 header 0\n  0,0: p Name\n  0,1: p It begins\n",
        "t 2x2 header 0\n  0,1: p and ends.\n  1,0: p Next\n  1,1: p row\n",
    ];
    assert_eq!(split_row(3), (expected.map(str::to_owned).to_vec(), false));
}

#[test]
fn rows_of_the_previous_page_are_not_empty_rows() {
    let mut pen = Pen::new();
    for (id, x, y, text) in [
        (0, 50.0, 60.0, "Date"),
        (1, 150.0, 60.0, "Amount"),
        (2, 50.0, 80.0, "21 Oct"),
        (3, 150.0, 80.0, "777.99"),
        (4, 50.0, 100.0, "22 Oct"),
        (5, 150.0, 100.0, "887.86"),
    ] {
        write(&mut pen, id, x, y, text);
    }
    let repeated = |content| {
        let inner = element(
            Role::Group,
            vec![StructureChild::Elsewhere, StructureChild::Content(content)],
        );
        element(Role::HeaderCell, vec![inner])
    };
    let row = |first| {
        let cells = [first, first + 1].map(|id| cell(Role::Cell, (1, 1), id));
        element(Role::Row, cells.to_vec())
    };
    let mut rows = vec![element(Role::Row, vec![repeated(0), repeated(1)])];
    rows.extend(vec![StructureChild::Elsewhere; 44]);
    rows.extend([row(2), StructureChild::Elsewhere, row(4)]);
    tagged(&mut pen, vec![element(Role::Table, rows)]);
    let (page, _) = read(&pen);
    let expected = "t 4x2 header 1\n  0,0: p Date\n  0,1: p Amount\n  1,0: p 21 Oct\n  1,1: p 777.99\n\
        \x20 3,0: p 22 Oct\n  3,1: p 887.86\n";
    assert_eq!(shown(&page.blocks), expected);
}
