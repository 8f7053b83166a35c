//! Tables of Word documents: spans, merged cells, and borders.

use domain::format::Format;

use super::read;
use crate::made::{docx, lines, opened, p};

#[test]
fn merged_cells_have_spans() {
    let cell = |properties: &str, text: &str| {
        format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p("", text))
    };
    let rows = [
        cell("<w:gridSpan w:val='2'/>", "wide") + &cell("<w:vMerge w:val='restart'/>", "high"),
        cell("", "a") + &cell("", "b") + &cell("<w:vMerge/>", ""),
        cell("", "c") + &cell("", "") + &cell("", "d"),
    ];
    let head = "<w:trPr><w:tblHeader/></w:trPr>";
    let body = format!(
        "<w:tbl><w:tblPr><w:tblBorders><w:insideV w:val='single'/></w:tblBorders></w:tblPr>\
         <w:tblGrid><w:gridCol w:w='200'/><w:gridCol w:w='400'/><w:gridCol w:w='600'/></w:tblGrid>\
         <w:tr>{head}{}</w:tr><w:tr>{}</w:tr><w:sdt><w:sdtContent><w:tr>{}</w:tr></w:sdtContent></w:sdt>\
         <w:tr><w:trPr><w:del/></w:trPr>{}</w:tr></w:tbl>",
        rows[0], rows[1], rows[2], rows[2]
    );
    let expected = [
        "table 3 × [10 20 30] heads 1 ruled",
        "  0,0 (1, 2) p: wide",
        "  0,2 (2, 1) p: high",
        "  1,0 p: a",
        "  1,1 p: b",
        "  2,0 p: c",
        "  2,2 p: d",
    ];
    assert_eq!(read(&body), expected);
}

#[test]
fn legacy_horizontal_merges_are_read() {
    let cell = |properties: &str, text: &str| {
        format!("<w:tc><w:tcPr>{properties}</w:tcPr>{}</w:tc>", p("", text))
    };
    let merged = cell("<w:hMerge w:val='restart'/>", "wide") + &cell("<w:hMerge/>", "hidden");
    let lined = cell(
        "<w:tcBorders><w:bottom w:val='single'/></w:tcBorders>",
        "lined",
    );
    let body = format!(
        "<w:tbl><w:tr>{merged}{}</w:tr><w:tr>{}{}{lined}</w:tr></w:tbl>",
        cell("", "a"),
        cell("", "b"),
        cell("", "c")
    );
    let expected = [
        "table 2 × [72 72 72] heads 0",
        "  0,0 (1, 2) p: wide",
        "  0,0 (1, 2) p: hidden",
        "  0,2 p: a",
        "  1,0 p: b",
        "  1,1 p: c",
        "  1,2 p: lined",
    ];
    assert_eq!(read(&body), expected);
}

#[test]
fn tables_with_lines_between_cells_are_ruled() {
    let line = |side: &str| format!("<w:{side} w:val='single'/>");
    let table = |borders: &[&str], cells: [&[&str]; 4]| {
        let borders: String = borders.iter().map(|side| line(side)).collect();
        let cell = |sides: &&[&str]| {
            let sides: String = sides.iter().map(|side| line(side)).collect();
            let properties = format!("<w:tcPr><w:tcBorders>{sides}</w:tcBorders></w:tcPr>");
            format!("<w:tc>{properties}{}</w:tc>", p("", "x"))
        };
        let rows = cells.chunks(2).map(|row| {
            let row: String = row.iter().map(cell).collect();
            format!("<w:tr>{row}</w:tr>")
        });
        let rows: String = rows.collect();
        format!("<w:tbl><w:tblPr><w:tblBorders>{borders}</w:tblBorders></w:tblPr>{rows}</w:tbl>")
    };
    let none: [&[&str]; 4] = [&[]; 4];
    let underlined: [&[&str]; 4] = [&["bottom"], &["bottom"], &[], &[]];
    let all: [&[&str]; 4] = [&["top", "left", "bottom"]; 4];
    for (borders, cells, ruled) in [
        (&["top", "bottom", "left", "right"][..], none, false),
        (&["top", "bottom"], underlined, false),
        (&["insideH"], none, true),
        (&[], all, true),
    ] {
        let document = opened(&docx(&table(borders, cells), &[], &[]), Format::Docx).unwrap();
        let layout::Content::Table(table) = &document.pages[0].blocks[0].content else {
            panic!("no table");
        };
        assert_eq!(table.ruled, ruled, "{borders:?} {cells:?}");
    }
    let one = format!(
        "<w:tbl><w:tblPr><w:tblBorders>{}</w:tblBorders></w:tblPr><w:tr><w:tc>{}</w:tc></w:tr></w:tbl>",
        line("top"),
        p("", "x")
    );
    assert!(lines(&opened(&docx(&one, &[], &[]), Format::Docx).unwrap())[0].ends_with("ruled"));
}
