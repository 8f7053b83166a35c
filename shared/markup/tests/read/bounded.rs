//! Content that is repeated by reference is charged against the limits.

use domain::format::Format;
use domain::job::JobErrorCode;
use layout::{Content, Page, Run};
use markup::{Limits, Options};

use crate::made::{docx, lines, odf, opened, opened_with, p, part};

fn code(bytes: &[u8], format: Format) -> Option<JobErrorCode> {
    opened(bytes, format).err().and_then(|error| error.code())
}

fn runs(page: &Page) -> Vec<&Run> {
    let mut found = Vec::new();
    for block in &page.blocks {
        match &block.content {
            Content::Paragraph { runs, .. } => found.extend(runs),
            Content::List { items } => found.extend(items.iter().flat_map(|item| &item.runs)),
            _ => {}
        }
    }
    found
}

/// Creates numbering in which the items display this text.
fn numbering(text: &str, lists: &str) -> String {
    let level =
        format!("<w:lvl w:ilvl='0'><w:numFmt w:val='decimal'/><w:lvlText w:val='{text}'/></w:lvl>");
    let scheme = format!("<w:abstractNum w:abstractNumId='0'>{level}</w:abstractNum>");
    part("w:numbering", &(scheme + lists))
}

#[test]
fn repeated_strings_are_truncated() {
    let long = "a".repeat(100_000);
    let list = numbering(
        &format!("%1{long}"),
        "<w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num>",
    );
    let fonts = format!("<w:rPr><w:rFonts w:ascii='{long}'/></w:rPr>");
    let item = p("<w:numPr><w:numId w:val='1'/></w:numPr>", "x");
    let body = format!(
        "{item}<w:p><w:hyperlink r:id='l'><w:r>{fonts}<w:t>y</w:t></w:r></w:hyperlink></w:p>"
    );
    let target = format!("http://a.example/{long}");
    let bytes = docx(
        &body,
        &[("numbering", &list)],
        &[("l", "hyperlink", &target)],
    );
    let document = opened(&bytes, Format::Docx).unwrap();
    let Content::List { items } = &document.pages[0].blocks[0].content else {
        panic!("no list");
    };
    assert_eq!(items[0].marker.chars().count(), 254);
    let last = *runs(&document.pages[0]).last().unwrap();
    assert_eq!((last.style.font.len(), &last.link), (64, &None));
    let style = format!(
        "<text:list-style style:name='L'><text:list-level-style-bullet text:level='1' text:bullet-char='{long}'/></text:list-style>"
    );
    let list = "<text:list text:style-name='L'><text:list-item><text:p>x</text:p></text:list-item></text:list>";
    let document = opened(&odf("text", &style, list, ""), Format::Odt).unwrap();
    let Content::List { items } = &document.pages[0].blocks[0].content else {
        panic!("no list");
    };
    assert_eq!(items[0].marker.len(), 255);
    let page = format!("<p style='font-family:{long}'>x");
    let document = opened(page.as_bytes(), Format::Html).unwrap();
    assert_eq!(runs(&document.pages[0])[0].style.font.len(), 64);
}

#[test]
fn lists_share_their_scheme() {
    let lists: String = (0..20_000)
        .map(|id| format!("<w:num w:numId='{id}'><w:abstractNumId w:val='0'/></w:num>"))
        .collect();
    let body = p("<w:numPr><w:numId w:val='7'/></w:numPr>", "x");
    let linked: String = (1..20_000)
        .map(|id| format!("<w:abstractNum w:abstractNumId='{id}'><w:numStyleLink w:val='z'/></w:abstractNum><w:num w:numId='n{id}'><w:abstractNumId w:val='{id}'/></w:num>"))
        .collect();
    let list = numbering("%1.", &(lists + &linked));
    let document = opened(&docx(&body, &[("numbering", &list)], &[]), Format::Docx).unwrap();
    assert_eq!(lines(&document), ["o0 0.: x"]);
}

#[test]
fn many_pieces_of_one_run_or_paragraph_are_read_once() {
    let run = format!("<w:p><w:r>{}</w:r></w:p>", "<w:t>x</w:t>".repeat(200_000));
    let document = opened(&docx(&run, &[], &[]), Format::Docx).unwrap();
    assert_eq!(runs(&document.pages[0])[0].text.len(), 200_000);
    let blank = "<w:r><w:t> </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t> </w:t></w:r>";
    let body = format!(
        "<w:p>{}<w:r><w:t>x</w:t></w:r></w:p>",
        blank.repeat(100_000)
    );
    let document = opened(&docx(&body, &[], &[]), Format::Docx).unwrap();
    assert_eq!(runs(&document.pages[0]).len(), 1);
}

#[test]
fn repeated_cells_count_repeatedly() {
    let row = |cell: &str| {
        format!(
            "<table:table><table:table-row table:number-rows-repeated='100'><table:table-cell \
             table:number-columns-repeated='1000'>{cell}</table:table-cell></table:table-row></table:table>"
        )
    };
    let long = row(&format!("<text:p>{}</text:p>", "a".repeat(50_000)));
    let many = row(&"<text:p>a</text:p>".repeat(1_000));
    for (kind, body, format) in [
        ("spreadsheet", &long, Format::Ods),
        ("text", &long, Format::Odt),
        ("text", &many, Format::Odt),
    ] {
        let code = code(&odf(kind, "", body, ""), format);
        assert_eq!(code, Some(JobErrorCode::InputTooLarge), "{format:?}");
    }
    let short = row("<text:p>a</text:p>");
    assert!(opened(&odf("spreadsheet", "", &short, ""), Format::Ods).is_ok());
}

#[test]
fn columns_without_cells_are_charged() {
    let limits = Limits {
        elements: 500_000,
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    let tables = "<table><tr><td colspan=1000>x</table>".repeat(1_000);
    let refused = opened_with(tables.as_bytes(), Format::Html, &options);
    assert_eq!(
        refused.err().and_then(|error| error.code()),
        Some(JobErrorCode::InputTooLarge)
    );
    let before = "<w:trPr><w:gridBefore w:val='18446744073709551615'/></w:trPr>";
    let cell = format!("<w:tc>{}</w:tc>", p("", "x"));
    let table = format!("<w:tbl><w:tr>{before}{cell}{cell}</w:tr></w:tbl>");
    assert_eq!(
        code(&docx(&table, &[], &[]), Format::Docx),
        Some(JobErrorCode::InputTooLarge)
    );
}

#[test]
fn elements_in_memory_are_limited() {
    let limits = Limits {
        elements_at_once: 1_000,
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    let read = |page: &str| opened_with(page.as_bytes(), Format::Html, &options);
    assert!(read(&"<p>a".repeat(400)).is_ok());
    assert_eq!(
        read(&"<p>a".repeat(600))
            .err()
            .and_then(|error| error.code()),
        Some(JobErrorCode::InputTooLarge)
    );
    let attributes = format!("<p {}hidden>x", "a ".repeat(300));
    assert_eq!(lines(&read(&attributes).unwrap()), ["p: x"]);
}

#[test]
fn markdown_markup_characters_are_limited() {
    let options = Options {
        limits: Limits {
            elements_at_once: 20,
            ..Limits::default()
        },
        ..Options::default()
    };
    // Escaped characters create no elements but are still held one by one.
    for (times, expected) in [(5, None), (6, Some(JobErrorCode::InputTooLarge))] {
        let text = "\\* ".repeat(times) + "a";
        let read = opened_with(text.as_bytes(), Format::Markdown, &options);
        assert_eq!(
            read.err().and_then(|error| error.code()),
            expected,
            "{text}"
        );
    }
}

/// Returns the nesting depth of tables and the number of blocks in the innermost one.
fn deepest(blocks: &[layout::Block]) -> (usize, usize) {
    let tables = blocks.iter().filter_map(|block| match &block.content {
        Content::Table(table) => Some(table),
        _ => None,
    });
    let cells = tables.flat_map(|table| &table.cells);
    let below = cells.map(|cell| deepest(&cell.blocks)).max();
    below.map_or((0, blocks.len()), |(depth, blocks)| (depth + 1, blocks))
}

#[test]
fn text_of_deeply_nested_tables_is_kept() {
    const DEPTH: usize = 40;
    let page = "<table><tr><td>word".repeat(DEPTH);
    let document = opened(page.as_bytes(), Format::Html).unwrap();
    let room = domain::limits::NESTED_TABLES;
    assert_eq!(deepest(&document.pages[0].blocks), (room, DEPTH - room + 1));
    assert_eq!(
        crate::made::warnings(&document),
        [("nested_tables_dissolved", (DEPTH - room) as u32)]
    );
}
