//! Comments, headers and footers of sheets, and texts of slide masters: not read, but counted.

use std::io::Write as _;

use domain::format::Format;
use markup::{Options, comments};

use crate::made::{archive, docx, odf, opened, p, part, relations, warnings};

/// The number of comments that a reader warns of, and that are counted without reading the document.
fn counts(bytes: &[u8], format: Format) -> (u32, u32) {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    let counted = comments(file.path(), format, &Options::default()).unwrap();
    (count(bytes, format, "comments_left_out"), counted)
}

fn count(bytes: &[u8], format: Format, code: &str) -> u32 {
    let document = opened(bytes, format).unwrap();
    let warnings = warnings(&document).into_iter();
    warnings
        .filter(|(other, _)| *other == code)
        .map(|(_, count)| count)
        .sum()
}

fn workbook(sheet: &str, comments: &str) -> Vec<u8> {
    archive(&[
        (
            "_rels/.rels",
            &relations(&[("r", "officeDocument", "xl/workbook.xml")]),
        ),
        (
            "xl/workbook.xml",
            &part("workbook", "<sheets><sheet name='One' r:id='s1'/></sheets>"),
        ),
        (
            "xl/_rels/workbook.xml.rels",
            &relations(&[("s1", "worksheet", "sheet1.xml")]),
        ),
        ("xl/sheet1.xml", &part("worksheet", sheet)),
        (
            "xl/_rels/sheet1.xml.rels",
            &relations(&[("c", "comments", "comments1.xml")]),
        ),
        (
            "xl/comments1.xml",
            &part(
                "comments",
                &format!("<authors/><commentList>{comments}</commentList>"),
            ),
        ),
    ])
}

const ROWS: &str = "<sheetData><row><c><v>1</v></c></row></sheetData>";

fn presentation(slide: &str, master: &str) -> Vec<u8> {
    let root = |name: &str, attributes: &str, shapes: &str| {
        let tree = format!("<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>");
        part(name, &tree).replacen(&format!("<{name} "), &format!("<{name} {attributes} "), 1)
    };
    let text = |placeholder: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )
    };
    let shapes =
        text("", "Company") + &text("<p:ph type='title'/>", "Click to edit") + &text("", " ");
    let slides: Vec<String> = (1..=2)
        .map(|number| format!("<p:sldId r:id='s{number}'/>"))
        .collect();
    archive(&[
        (
            "_rels/.rels",
            &relations(&[("r", "officeDocument", "ppt/presentation.xml")]),
        ),
        (
            "ppt/presentation.xml",
            &part(
                "p:presentation",
                &format!("<p:sldIdLst>{}</p:sldIdLst>", slides.concat()),
            ),
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            &relations(&[("s1", "slide", "slide1.xml"), ("s2", "slide", "slide2.xml")]),
        ),
        ("ppt/slide1.xml", &root("p:sld", slide, &text("", "one"))),
        ("ppt/slide2.xml", &root("p:sld", slide, &text("", "two"))),
        (
            "ppt/_rels/slide1.xml.rels",
            &relations(&[
                ("l", "slideLayout", "layout.xml"),
                ("c", "comments", "comment1.xml"),
            ]),
        ),
        (
            "ppt/_rels/slide2.xml.rels",
            &relations(&[
                ("l", "slideLayout", "layout.xml"),
                ("c", "comments", "comment2.xml"),
            ]),
        ),
        ("ppt/layout.xml", &root("p:sldLayout", master, &shapes)),
        (
            "ppt/_rels/layout.xml.rels",
            &relations(&[("m", "slideMaster", "master.xml")]),
        ),
        ("ppt/master.xml", &root("p:sldMaster", "", &shapes)),
        (
            "ppt/comment1.xml",
            &part("p:cmLst", "<p:cm><p:text>remark</p:text></p:cm>"),
        ),
        (
            "ppt/comment2.xml",
            "<n:cmLst xmlns:n='http://schemas.microsoft.com/office/powerpoint/2018/8/main'><n:cm/><n:cm/></n:cmLst>",
        ),
    ])
}

#[test]
fn comments_are_counted() {
    let comments = part("w:comments", "<w:comment><w:p/></w:comment><w:comment/>");
    let document = docx(&p("", "text"), &[("comments", &comments)], &[]);
    assert_eq!(counts(&document, Format::Docx), (2, 2));
    assert_eq!(
        counts(&docx(&p("", "text"), &[], &[]), Format::Docx),
        (0, 0)
    );
    let book = workbook(
        ROWS,
        "<comment ref='A1'/><comment ref='B1'/><comment ref='B2'/>",
    );
    assert_eq!(counts(&book, Format::Xlsx), (3, 3));
    assert_eq!(counts(&presentation("", ""), Format::Pptx), (3, 3));
    let note = "<office:annotation office:name='a'><text:p>remark</text:p></office:annotation>";
    let text = format!("<text:p>text{note}<office:annotation-end office:name='a'/></text:p>");
    assert_eq!(counts(&odf("text", "", &text, ""), Format::Odt), (1, 1));
    let cell = format!(
        "<table:table><table:table-row><table:table-cell>{note}<text:p>1</text:p></table:table-cell></table:table-row></table:table>"
    );
    assert_eq!(
        counts(&odf("spreadsheet", "", &cell, ""), Format::Ods),
        (1, 1)
    );
    let slide = format!("<draw:page>{note}{note}</draw:page>");
    assert_eq!(
        counts(&odf("presentation", "", &slide, ""), Format::Odp),
        (2, 2)
    );
    let rich = br"{\rtf1 text{\*\annotation{\*\atnref 1} remark}}";
    assert_eq!(counts(rich, Format::Rtf), (1, 1));
}

#[test]
fn headers_and_footers_of_sheets_are_counted() {
    let header = |attributes: &str, inner: &str| {
        let sheet = format!("{ROWS}<headerFooter {attributes}>{inner}</headerFooter>");
        count(&workbook(&sheet, ""), Format::Xlsx, "headers_left_out")
    };
    let both =
        "<oddHeader>&amp;CDraft</oddHeader><oddFooter>&amp;LSecret&amp;RPage &amp;P</oddFooter>";
    assert_eq!(header("", both), 2);
    assert_eq!(
        header(
            "",
            "<oddHeader>&amp;A</oddHeader><oddFooter>Page &amp;P</oddFooter>"
        ),
        0
    );
    let first = "<firstHeader>Cover</firstHeader>";
    assert_eq!(header("", first), 0);
    assert_eq!(header("differentFirst='1'", first), 1);

    let sheets = |styles: &str| {
        let table = "<table:table table:style-name='t'><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell></table:table-row></table:table>";
        let automatic =
            "<style:style style:name='t' style:family='table' style:master-page-name='M'/>";
        let masters = format!(
            "<office:master-styles><style:master-page style:name='M'>{styles}</style:master-page>\
             <style:master-page style:name='Other'><style:header><text:p>unused</text:p></style:header></style:master-page></office:master-styles>"
        );
        let bytes = odf("spreadsheet", automatic, table, &masters);
        count(&bytes, Format::Ods, "headers_left_out")
    };
    let region = "<style:header><style:region-left><text:p>Draft</text:p></style:region-left></style:header>";
    assert_eq!(sheets(region), 1);
    let usual = "<style:header><text:p><text:sheet-name>One</text:sheet-name></text:p></style:header>\
        <style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer>";
    assert_eq!(sheets(usual), 0);
    let confidential = usual.replace("Page", "Confidential, page");
    assert_eq!(sheets(&confidential), 1);
    assert_eq!(
        sheets("<style:header style:display='false'><text:p>Draft</text:p></style:header>"),
        0
    );
}

#[test]
fn texts_of_masters_and_layouts_are_counted_once() {
    let texts = |slide, layout| {
        let bytes = presentation(slide, layout);
        count(&bytes, Format::Pptx, "master_text_left_out")
    };
    assert_eq!(texts("", ""), 2);
    assert_eq!(texts("", "showMasterSp='0'"), 1);
    assert_eq!(texts("showMasterSp='0'", ""), 0);

    let slide = "<draw:page draw:master-page-name='M'/>".repeat(2);
    let frame = |attributes: &str| {
        format!(
            "<draw:frame {attributes}><draw:text-box><text:p>Company</text:p></draw:text-box></draw:frame>"
        )
    };
    let master = |name: &str| {
        let shapes = frame("") + &frame("presentation:class='footer'");
        format!("<style:master-page style:name='{name}'>{shapes}</style:master-page>")
    };
    let styles = format!(
        "<office:master-styles>{}{}</office:master-styles>",
        master("M"),
        master("Other")
    );
    let bytes = odf("presentation", "", &slide, &styles);
    assert_eq!(count(&bytes, Format::Odp, "master_text_left_out"), 1);
}
