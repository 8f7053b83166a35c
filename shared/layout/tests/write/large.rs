//! Documents larger than their formats allow.

use std::io::Cursor;

use layout::writers::{
    NoPictures, Result, TableSelection, WriteReport, Writer, csv, docx, html, json, markdown, pptx,
    text, xlsx,
};
use layout::{Alignment, Block, Cell, Content, Page, Run, Style, Table};

use crate::archive::assert_consistent;
use crate::document::{OnePicture, PORTRAIT, block, facts, paragraph, run, table};
use crate::golden::written;
use crate::office::reopened;

/// Creates a writer into memory.
type Make = dyn for<'a> Fn(Cursor<&'a mut Vec<u8>>) -> Result<Box<dyn Writer + 'a>>;

/// Returns the document of each writer: name, report and bytes.
fn all(pages: &[Page]) -> Vec<(&'static str, WriteReport, Vec<u8>)> {
    let writers: [(&str, &Make); 8] = [
        ("text", &|output| text(output)),
        ("markdown", &|output| {
            markdown(output, &facts(), &NoPictures)
        }),
        ("html", &|output| html(output, &facts(), &OnePicture)),
        ("json", &|output| json(output, &facts(), &OnePicture)),
        ("csv", &|output| csv(output, TableSelection::All)),
        ("docx", &|output| {
            docx(output, &facts(), &OnePicture, &std::env::temp_dir())
        }),
        ("xlsx", &|output| xlsx(output, &facts())),
        ("pptx", &|output| pptx(output, &facts(), &OnePicture)),
    ];
    let made = |(name, make): (_, &Make)| {
        let mut made = Vec::new();
        let report = written(
            pages.to_vec(),
            |output| make(Cursor::new(output)),
            &mut made,
        );
        (name, report, made)
    };
    writers.into_iter().map(made).collect()
}

/// Returns the part with the text, or the whole document.
fn body(name: &str, made: &[u8]) -> String {
    match name {
        "docx" => part(made, "word/document.xml"),
        "xlsx" => part(made, "xl/worksheets/sheet1.xml"),
        "pptx" => part(made, "ppt/slides/slide1.xml"),
        _ => String::from_utf8(made.to_vec()).unwrap(),
    }
}

/// Returns a part without parsing it, which would need a gigabyte.
fn part(made: &[u8], name: &str) -> String {
    let mut archive = zip::ZipArchive::new(Cursor::new(made)).unwrap();
    std::io::read_to_string(archive.by_name(name).unwrap()).unwrap()
}

fn alone(blocks: Vec<Block>) -> Vec<Page> {
    let mut page = crate::document::page(1, PORTRAIT, blocks);
    page.header.clear();
    page.footer.clear();
    vec![page]
}

#[test]
fn a_hundred_thousand_runs_are_written() {
    let run = |number: usize| Run {
        text: "§".to_owned(),
        style: Style {
            bold: number.is_multiple_of(2),
            ..Style::default()
        },
        link: None,
    };
    let runs = (0..100_000).map(run).collect();
    let content = Content::Paragraph {
        runs,
        alignment: Alignment::Start,
        continues: false,
        preformatted: false,
    };
    for (name, _, made) in all(&alone(vec![block(content)])) {
        // Cells have a maximum length, and only tables are written.
        let expected = match name {
            "xlsx" => 32_767,
            "csv" => 0,
            _ => 100_000,
        };
        let found = body(name, &made).matches('§').count();
        assert_eq!(found, expected, "{name}");
    }
}

fn rows(count: usize, tall: bool, continues: bool) -> Table {
    let cell = |index: usize| {
        let (row, column) = (index / 2, index % 2);
        let row_span = if tall && column == 0 && row.is_multiple_of(2) {
            2
        } else {
            1
        };
        Cell {
            row,
            column,
            row_span,
            blocks: vec![paragraph(vec![run("§")])],
            ..Cell::default()
        }
    };
    let is_covered = |cell: &Cell| tall && cell.column == 0 && !cell.row.is_multiple_of(2);
    Table {
        rows: count,
        cells: (0..count * 2)
            .map(cell)
            .filter(|cell| !is_covered(cell))
            .collect(),
        continues,
        ..table(2, 0, &[])
    }
}

#[test]
fn tens_of_thousands_of_rows_are_written() {
    for (name, _, made) in all(&alone(vec![block(Content::Table(rows(
        20_000, true, false,
    )))])) {
        let found = body(name, &made).matches('§').count();
        assert_eq!(found, 30_000, "{name}");
    }
}

#[test]
fn a_table_longer_than_a_worksheet_continues_on_another() {
    let pages = (1..=11).map(|number| {
        let table = rows(100_000, true, number > 1);
        let mut page = alone(vec![block(Content::Table(table))]).remove(0);
        page.number = number;
        page
    });
    let mut made = Vec::new();
    let mut writer = xlsx(Cursor::new(&mut made), &facts()).unwrap();
    pages.for_each(|page| writer.page(page).unwrap());
    let report = writer.finish().unwrap();
    assert_eq!((report.tables, report.truncated_cells), (1, 0));
    let (first, second) = (
        part(&made, "xl/worksheets/sheet1.xml"),
        part(&made, "xl/worksheets/sheet2.xml"),
    );
    assert_eq!(
        (
            first.matches("<row ").count(),
            second.matches("<row ").count()
        ),
        (1_048_576, 51_424)
    );
    assert!(first.contains("ref=\"A1048575:A1048576\"") && !first.contains("1048577"));
}

#[test]
fn columns_beyond_the_maximum_are_reported() {
    let cell = |column| Cell {
        row: 0,
        column,
        blocks: vec![paragraph(vec![run("§")])],
        ..Cell::default()
    };
    let mut wide = Table {
        rows: 1,
        cells: (0..20_000).map(cell).collect(),
        ..table(20_000, 0, &[])
    };
    wide.cells[16_383].column_span = 9;
    wide.cells.truncate(20_000);
    for (name, report, made) in all(&alone(vec![block(Content::Table(wide.clone()))])) {
        let (found, cut) = if name == "xlsx" {
            (16_384, 3_616)
        } else {
            (20_000, 0)
        };
        assert_eq!(
            (
                body(name, &made).matches('§').count(),
                report.truncated_cells
            ),
            (found, cut),
            "{name}"
        );
        if name == "xlsx" {
            assert!(
                !body(name, &made).contains("XFE") && body(name, &made).contains("max=\"16384\"")
            );
            assert_eq!(reopened(&made, "xlsx")["Table 1"]["rows"][0][16_383], "§");
        }
    }
}

#[test]
fn cells_with_invalid_positions_are_placed() {
    let cell = |(row, column)| Cell {
        row,
        column,
        row_span: usize::MAX,
        column_span: usize::MAX,
        blocks: vec![paragraph(vec![run("§")])],
        ..Cell::default()
    };
    let places = [
        (0, 0),
        (0, usize::MAX),
        (0, usize::MAX),
        (1, 0),
        (1, usize::MAX),
        (usize::MAX, 7),
    ];
    let table = Table {
        rows: 2,
        cells: places.into_iter().map(cell).collect(),
        ..table(2, usize::MAX, &[])
    };
    for (name, report, made) in all(&alone(vec![block(Content::Table(table))])) {
        let found = body(name, &made).matches('§').count() + report.truncated_cells as usize;
        assert_eq!(found, 6, "{name}");
    }
}

/// Creates nested tables.
fn nested(depth: usize) -> Block {
    let mut inner = paragraph(vec![run("§")]);
    for _ in 0..depth {
        let sibling = paragraph(vec![run("§")]);
        let cell = Cell {
            row: 0,
            column: 0,
            blocks: vec![sibling, inner],
            ..Cell::default()
        };
        inner = block(Content::Table(Table {
            rows: 1,
            cells: vec![cell],
            ..table(1, 0, &[])
        }));
    }
    inner
}

#[test]
fn tables_in_tables_are_written() {
    for (name, _, made) in all(&alone(vec![nested(60)])) {
        assert_eq!(body(name, &made).matches('§').count(), 61, "{name}");
        if matches!(name, "docx" | "xlsx" | "pptx") {
            assert_consistent(&made);
            reopened(&made, name);
        }
    }
}
