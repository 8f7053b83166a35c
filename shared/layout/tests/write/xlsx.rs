//! xlsx: consistent packages in schema order, which other programs read as intended.

use layout::writers::{WriteReport, xlsx};
use layout::{Content, Item, Page};
use serde_json::json;

use crate::archive::{archive, assert_consistent, assert_order};
use crate::document::{
    PORTRAIT, block, facts, heading, item, linked, page, paragraph, rich, run, table,
};
use crate::golden::compare;
use crate::office::{converted, reopened};

pub(crate) const ORDERS: &[(&str, &[&str])] = &[
    ("workbook", &["bookViews", "sheets"]),
    (
        "worksheet",
        &[
            "sheetViews",
            "cols",
            "sheetData",
            "mergeCells",
            "hyperlinks",
        ],
    ),
    (
        "styleSheet",
        &[
            "numFmts",
            "fonts",
            "fills",
            "borders",
            "cellStyleXfs",
            "cellXfs",
            "cellStyles",
        ],
    ),
    ("font", &["b", "sz", "name"]),
];

/// LibreOffice filter for CSV of formatted cells, UTF-8.
const SHOWN: &str = "csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true";

pub(crate) fn made(pages: Vec<Page>) -> (Vec<u8>, WriteReport) {
    let mut made = Vec::new();
    let written = archive(pages, |output| xlsx(output, &facts()), &mut made);
    (made, written)
}

#[test]
fn python_reads_the_intended_content() {
    let (made, _) = made(rich());
    assert_consistent(&made);
    assert_order(&made, ORDERS);
    let read = reopened(&made, "xlsx");
    compare("rich.xlsx.json", format!("{read:#}\n").as_bytes());
}

#[test]
fn libreoffice_displays_values_in_their_format() {
    let rows: &[&[&str]] = &[
        &["Amount", "Share", "Day", "Name"],
        &["1,234.50", "12.5%", "2024-03-05", "0042"],
        &["=1+1", "_x0041_", " ", "-0.5"],
    ];
    let (made, _) = made(vec![page(
        1,
        PORTRAIT,
        vec![block(Content::Table(table(4, 1, rows)))],
    )]);
    let text = converted(&made, "xlsx", SHOWN);
    assert_eq!(
        text,
        "Amount,Share,Day,Name\n\"1,234.50\",12.5%,2024-03-05,0042\n=1+1,_x0041_,,-0.5\n"
    );
}

#[test]
fn columns_decide_about_dates_amounts_and_identifiers() {
    let rows: &[&[&str]] = &[
        &[
            "Date",
            "Ambiguous",
            "Amount",
            "Code",
            "Note",
            "List",
            "Spaced",
        ],
        &[
            "01/02/2024",
            "01/02/2024",
            "$1,234.50",
            "02134",
            "7",
            "413,417",
            "1 000",
        ],
        &[
            "13/02/2024",
            "03/04/2024",
            "($12.00)",
            "90210",
            "(5)",
            "413,417 421",
            "12 500",
        ],
        &[
            "28/02/2024",
            "05/06/2024",
            "-$3.00",
            "10001",
            "(6)",
            "411",
            "900",
        ],
    ];
    let (made, _) = made(vec![page(
        1,
        PORTRAIT,
        vec![block(Content::Table(table(7, 1, rows)))],
    )]);
    let read = reopened(&made, "xlsx");
    let values = format!("{read}");
    assert_eq!(values.matches("2024-02-01").count(), 1, "{values}");
    let shown = converted(&made, "xlsx", SHOWN);
    let lines: Vec<&str> = shown.lines().skip(1).collect();
    assert_eq!(
        lines,
        [
            "01/02/2024,01/02/2024,\"$1,234.50\",02134,7,\"413,417\",\"1,000\"",
            "13/02/2024,03/04/2024,($12.00),90210,(5),\"413,417 421\",\"12,500\"",
            "28/02/2024,05/06/2024,-$3.00,10001,(6),411,900",
        ]
    );
}

#[test]
fn a_cell_has_the_link_of_its_text_if_it_has_one() {
    let mut table = table(4, 0, &[&["", "", "", ""]]);
    let texts = [
        vec![
            run("see "),
            linked("the ", "../a b.html#c"),
            linked("page", "../a b.html#c"),
        ],
        vec![
            linked("one", "https://one.example/"),
            linked("two", "https://two.example/"),
        ],
        vec![linked("page", "#page=1"), linked("script", "javascript:a")],
        vec![linked("5", "https://one.example/")],
    ];
    for (cell, runs) in table.cells.iter_mut().zip(texts) {
        cell.blocks = vec![paragraph(runs)];
    }
    let list = Content::List {
        items: vec![
            item(0, "1.", "first"),
            Item {
                runs: vec![linked("second", "https://two.example/")],
                ..item(0, "2.", "")
            },
        ],
    };
    let pages = vec![
        page(1, PORTRAIT, vec![block(Content::Table(table))]),
        page(2, PORTRAIT, vec![block(list)]),
    ];
    let (made, _) = made(pages);
    assert_consistent(&made);
    assert_order(&made, ORDERS);
    let read = reopened(&made, "xlsx");
    let links = |sheet: &str| read[sheet]["links"].clone();
    assert_eq!(
        links("Table 1"),
        json!({"A1": "../a%20b.html#c", "D1": "https://one.example/"})
    );
    assert_eq!(links("Page 2"), json!({"A2": "https://two.example/"}));
}

#[test]
fn worksheets_have_unique_names() {
    let named = |name: &str| {
        vec![
            heading(1, name),
            block(Content::Table(table(1, 0, &[&["a"]]))),
        ]
    };
    let long = "A heading that is longer than names of sheets may be";
    let pages = [
        named("Sales: [2024]"),
        named("sales 2024"),
        named(long),
        named(long),
        named("'?'"),
        named("Sales 2024 (3)"),
        named("Sales 2024"),
        vec![paragraph(vec![run("Text")])],
    ];
    let pages: Vec<_> = pages
        .into_iter()
        .zip(1..)
        .map(|(blocks, number)| page(number, PORTRAIT, blocks))
        .collect();
    let read = reopened(&made(pages).0, "xlsx");
    let names: Vec<_> = read.as_object().unwrap().keys().collect();
    assert_eq!(
        names,
        [
            "Sales 2024",
            "sales 2024 (2)",
            "A heading that is longer than n",
            "A heading that is longer th (2)",
            "Table",
            "Sales 2024 (3)",
            "Sales 2024 (4)",
            "Page 8"
        ]
    );
}

#[test]
fn long_texts_are_truncated_and_reported() {
    let text = "é".repeat(32_768);
    let (made, written) = made(vec![page(
        1,
        PORTRAIT,
        vec![block(Content::Table(table(1, 0, &[&[&text]])))],
    )]);
    assert_eq!(written.truncated_cells, 1);
    assert_eq!(
        reopened(&made, "xlsx")["Table 1"]["rows"][0][0],
        text.chars().skip(1).collect::<String>()
    );
}

#[test]
fn documents_without_pages_have_a_worksheet() {
    let (made, _) = made(Vec::new());
    assert_consistent(&made);
    assert_eq!(reopened(&made, "xlsx")["Sheet1"]["merged"], json!([]));
}
