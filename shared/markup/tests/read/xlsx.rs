//! Workbooks and CSV by feature.

use domain::format::Format;

use crate::made::{archive, lines, opened, part, relations, warnings};

fn workbook(sheets: &str, rows: &str, more: &str) -> Vec<u8> {
    let strings = part(
        "sst",
        "<si><t>plain</t></si><si><r><t>rich </t></r><r><rPr><b/></rPr><t>text</t></r><rPh><t>read</t></rPh></si>",
    );
    let styles = part(
        "styleSheet",
        "<numFmts><numFmt numFmtId='164' formatCode='#,##0.00 \"€\"'/></numFmts><fonts><font/><font><i/></font></fonts>\
         <cellXfs><xf/><xf numFmtId='14'/><xf numFmtId='10'/><xf numFmtId='164' fontId='1'/></cellXfs>",
    );
    let book = part("workbook", &format!("<sheets>{sheets}</sheets>"));
    let sheet = part("worksheet", &format!("{more}<sheetData>{rows}</sheetData>"));
    archive(&[
        (
            "_rels/.rels",
            &relations(&[("r", "officeDocument", "xl/workbook.xml")]),
        ),
        ("xl/workbook.xml", &book),
        (
            "xl/_rels/workbook.xml.rels",
            &relations(&[
                ("s1", "worksheet", "sheet1.xml"),
                ("s2", "chartsheet", "chart.xml"),
                ("t", "sharedStrings", "strings.xml"),
                ("y", "styles", "styles.xml"),
            ]),
        ),
        ("xl/sheet1.xml", &sheet),
        ("xl/strings.xml", &strings),
        ("xl/styles.xml", &styles),
        (
            "xl/_rels/sheet1.xml.rels",
            &relations(&[("web", "hyperlink", "https://a.example/")]),
        ),
    ])
}

const ONE: &str = "<sheet name='One' r:id='s1'/>";

#[test]
fn values_are_read_as_displayed() {
    let rows = "<row r='1'><c r='A1' t='s'><v>0</v></c><c r='C1' t='s'><v>1</v></c><c t='s'><v>9</v></c></row>\
        <row r='3'><c><v>0.5</v></c><c s='1'><v>45356</v></c><c s='2'><v>0.125</v></c><c s='3'><f>A1</f><v>-1234.5</v></c>\
        <c t='b'><v>1</v></c><c t='e'><v>#N/A</v></c><c t='str'><v>so</v></c><c t='inlineStr'><is><t>in</t></is></c><c s='1'/></row>";
    let document = opened(&workbook(ONE, rows, ""), Format::Xlsx).unwrap();
    let expected = [
        "h1: One",
        "table 3 × [48 48 48 48 48 48 48 48] heads 0 ruled",
        "  0,0 p: plain",
        "  0,2 p: rich ⟨text|b⟩",
        "  2,0 p: 0.5",
        "  2,1 p: 3/5/2024",
        "  2,2 p: 12.50%",
        "  2,3 p: ⟨-1,234.50 €|i⟩",
        "  2,4 p: TRUE",
        "  2,5 p: #N/A",
        "  2,6 p: so",
        "  2,7 p: in",
    ];
    assert_eq!(lines(&document), expected);
}

#[test]
fn hidden_sheets_rows_and_columns_are_dropped_and_reported() {
    let rows = "<row><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c></row><row hidden='1'><c><v>4</v></c></row>\
        <row><c><v>5</v></c><c><v>6</v></c><c><v>7</v></c></row>";
    let sheets = format!(
        "<sheet name='No' state='veryHidden' r:id='s1'/><sheet name='Chart' r:id='s2'/>{ONE}"
    );
    let columns =
        "<cols><col min='2' max='2' hidden='1' width='9'/><col min='3' max='3' width='15'/></cols>";
    let document = opened(&workbook(&sheets, rows, columns), Format::Xlsx).unwrap();
    let expected = [
        "h1: One",
        "table 2 × [48 82] heads 0 ruled",
        "  0,0 p: 1",
        "  0,1 p: 3",
        "  1,0 p: 5",
        "  1,1 p: 7",
    ];
    assert_eq!(lines(&document), expected);
    assert_eq!(
        warnings(&document),
        [
            ("hidden_left_out", 1),
            ("hidden_left_out", 2),
            ("chart_left_out", 1)
        ]
    );
}

#[test]
fn merged_cells_and_links_are_read() {
    let rows = "<row><c><v>1</v></c><c><v>covered</v></c><c><v>3</v></c></row><row><c r='C2'><v>4</v></c></row>";
    let more = "<sheetViews><sheetView><pane ySplit='1' state='frozen'/></sheetView></sheetViews>\
        <mergeCells><mergeCell ref='A1:B2'/></mergeCells><hyperlinks><hyperlink ref='C2' r:id='web'/></hyperlinks>";
    let document = opened(&workbook(ONE, rows, more), Format::Xlsx).unwrap();
    let expected = [
        "h1: One",
        "table 2 × [48 48 48] heads 1 ruled",
        "  0,0 (2, 2) p: 1",
        "  0,2 p: 3",
        "  1,2 p: ⟨4|→https://a.example/⟩",
    ];
    assert_eq!(lines(&document), expected);
}

#[test]
fn csv_and_tsv_are_tables() {
    let document = opened(
        "name;amount\r\n\"Müller; Söhne\";1,5\r\n".as_bytes(),
        Format::Csv,
    )
    .unwrap();
    let expected = [
        "table 2 × [72 72] heads 0 ruled",
        "  0,0 p: name",
        "  0,1 p: amount",
        "  1,0 p: Müller; Söhne",
        "  1,1 p: 1,5",
    ];
    assert_eq!(lines(&document), expected);
    let document = opened(b"a,b\tc", Format::Tsv).unwrap();
    assert_eq!(
        lines(&document),
        [
            "table 1 × [72 72] heads 0 ruled",
            "  0,0 p: a,b",
            "  0,1 p: c"
        ]
    );
}

#[test]
fn formulas_without_a_current_result_are_reported() {
    let rows = "<row><c><f>1+1</f><v></v></c><c><f>A1</f><v>2</v></c><c t='str'><f>\"\"</f><v></v></c><c><v>3</v></c></row>";
    let whole = workbook(ONE, rows, "");
    let reported = |bytes: &[u8]| warnings(&opened(bytes, Format::Xlsx).unwrap());
    assert_eq!(reported(&whole), [("formulas_not_calculated", 1)]);
    // Elements after the sheets belong to the workbook.
    let one = format!("{ONE}</sheets><calcPr fullCalcOnLoad='1'/><sheets>");
    let recalculated = workbook(&one, rows, "");
    assert_eq!(reported(&recalculated), [("formulas_not_calculated", 3)]);
}

#[test]
fn links_within_the_workbook_and_of_formulas_are_read() {
    let rows = r##"<row><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c>
        <c t='str'><f>HYPERLINK("https://b.example/","web")</f><v>web</v></c>
        <c t='str'><f>HYPERLINK(A1)</f><v>no</v></c></row>"##;
    let links = "<hyperlinks><hyperlink ref='A1' location=\"'One'!B2\"/><hyperlink ref='B1' location='Gone!A1'/>\
        <hyperlink ref='C1' location='B7'/></hyperlinks>";
    let document = opened(&workbook(ONE, rows, links), Format::Xlsx).unwrap();
    assert_eq!(
        lines(&document)[2..],
        [
            "  0,0 p: ⟨1|→#page=1⟩",
            "  0,1 p: 2",
            "  0,2 p: ⟨3|→#page=1⟩",
            "  0,3 p: ⟨web|→https://b.example/⟩",
            "  0,4 p: no",
        ]
    );
    assert_eq!(warnings(&document), [("links_left_out", 2)]);
}

#[test]
fn links_of_shared_formulas_are_read() {
    let rows = r#"<row><c t='str'><f t='shared' si='0'>IF(B1="","",HYPERLINK(B1))</f><v>a</v></c>
        <c t='str'><f t='shared' si='1'>HYPERLINK("https://b.example/")</f><v>b</v></c><c><f t='shared' si='2'>1+1</f><v>2</v></c></row>
        <row><c t='str'><f t='shared' si='0'/><v>c</v></c><c t='str'><f t='shared' si='1'/><v>d</v></c><c><f t='shared' si='2'/><v>2</v></c></row>"#;
    let document = opened(&workbook(ONE, rows, ""), Format::Xlsx).unwrap();
    assert_eq!(
        lines(&document)[2..],
        [
            "  0,0 p: a",
            "  0,1 p: ⟨b|→https://b.example/⟩",
            "  0,2 p: 2",
            "  1,0 p: c",
            "  1,1 p: ⟨d|→https://b.example/⟩",
            "  1,2 p: 2",
        ]
    );
    assert_eq!(warnings(&document), [("links_left_out", 2)]);
}
