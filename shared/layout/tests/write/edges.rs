//! Headers and footers that differ between pages, and empty pages, as LibreOffice prints the docx.

use layout::Page;

use crate::document::{PORTRAIT, heading, page, paragraph, run};
use crate::printed::by_libreoffice;

/// Creates a page with this header, and optionally a heading.
fn under(number: u32, header: &str, has_text: bool) -> Page {
    let blocks = has_text.then(|| heading(1, &format!("Part {number}")));
    let mut page = page(number, PORTRAIT, blocks.into_iter().collect());
    page.header.clear();
    page.footer.clear();
    if !header.is_empty() {
        page.header = vec![paragraph(vec![run(header)])];
    }
    page
}

/// Returns the text of the printed pages without white space.
fn printed(pages: Vec<Page>) -> Vec<String> {
    let printed = by_libreoffice(&crate::docx::made(pages), "docx");
    let texts = printed
        .iter()
        .map(|page| page.text().split_whitespace().collect());
    texts.collect()
}

#[test]
fn the_first_page_has_a_different_header() {
    for (headers, expected) in [
        (
            ["Title", "Rest", "Rest"],
            ["TitlePart1", "RestPart2", "RestPart3"],
        ),
        (["", "Rest", "Rest"], ["Part1", "RestPart2", "RestPart3"]),
        (
            ["Page 1", "Page 2", "Page 3"],
            ["Page1Part1", "Page2Part2", "Page3Part3"],
        ),
        (
            ["", "Book", "Chapter"],
            ["Part1", "BookPart2", "ChapterPart3"],
        ),
    ] {
        let pages = (1..)
            .zip(headers)
            .map(|(number, header)| under(number, header, true));
        assert_eq!(printed(pages.collect()), expected);
    }
}

#[test]
fn even_and_odd_pages_have_different_headers() {
    // The first section has the same header on all pages.
    let headers = ["One", "One", "One", "Book", "Two", "Book", "Two", "Book"];
    // The pages of the document that is written count, not those of its source.
    for first in [1, 2] {
        let pages = (first..).zip(headers);
        let pages = pages.map(|(number, header)| under(number, header, true));
        let expected = (first..).zip(headers);
        let expected = expected.map(|(number, header)| format!("{header}Part{number}"));
        assert_eq!(printed(pages.collect()), expected.collect::<Vec<_>>());
    }
}

#[test]
fn a_page_break_with_another_header_keeps_the_header() {
    let headers = ["One", "One", "Two", "Two", "", "Three"];
    let pages = (1..)
        .zip(headers)
        .map(|(number, header)| under(number, header, true));
    let expected = [
        "OnePart1",
        "OnePart2",
        "TwoPart3",
        "TwoPart4",
        "Part5",
        "ThreePart6",
    ];
    assert_eq!(printed(pages.collect()), expected);
}

#[test]
fn empty_pages_are_kept() {
    let pages = (1..=4).map(|number| under(number, &format!("Page {number}"), false));
    assert_eq!(
        printed(pages.collect()),
        ["Page1", "Page2", "Page3", "Page4"]
    );
    let pages = [(1, true), (2, false), (3, true), (4, false)];
    let pages = pages.map(|(number, has_text)| under(number, "", has_text));
    assert_eq!(printed(pages.to_vec()), ["Part1", "", "Part3", ""]);
}
