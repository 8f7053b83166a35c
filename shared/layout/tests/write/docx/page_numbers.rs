//! Page numbers in headers and footers of DOCX: fields, and the numbering of sections.

use layout::Page;

use super::made;
use crate::archive::{part, parts};
use crate::document::{PORTRAIT, heading, page, paragraph, run};
use crate::printed::by_libreoffice;

/// Creates pages of the source from `first` on, each with a heading and the footer of its printed number.
fn numbered(first: u32, numbers: &[&str]) -> Vec<Page> {
    let page = |(number, text): (u32, &&str)| {
        let mut page = page(number, PORTRAIT, vec![heading(1, &format!("Part{number}"))]);
        page.header.clear();
        page.footer.clear();
        if !text.is_empty() {
            page.footer = vec![paragraph(vec![run(text)])];
        }
        page
    };
    (first..).zip(numbers).map(page).collect()
}

/// Returns the page numberings of the sections, and whether all numbers of footers are fields.
fn numbering(pages: Vec<Page>) -> (Vec<String>, bool) {
    let made = made(pages);
    let document = part(&made, "word/document.xml");
    let found = document.split("<w:sectPr>").skip(1).map(|section| {
        let (_, start) = section.split_once("<w:pgNumType").unwrap_or_default();
        let (attributes, _) = start.split_once("/>").unwrap_or_default();
        attributes.trim().to_owned()
    });
    let parts = parts(&made);
    let mut footers = parts
        .iter()
        .filter(|(name, _)| name.starts_with("word/footer"));
    let is_field = footers.all(|(_, text)| text.contains("PAGE") || !text.contains("<w:t"));
    (found.collect(), is_field)
}

#[test]
fn page_numbers_that_differ_from_page_indices_are_fields() {
    for (first, numbers, expected) in [
        (1, &["1", "2", "3", "4"][..], vec![""]),
        (1, &["37", "38", "39", "40"], vec!["w:start=\"37\""]),
        (5, &["5", "6", "7", "8"], vec!["w:start=\"5\""]),
        (
            1,
            &["Page 0", "Page 1", "Page 2", "Page 3"],
            vec!["w:start=\"0\""],
        ),
        (1, &["i", "ii", "iii", "iv"], vec!["w:fmt=\"lowerRoman\""]),
        (
            1,
            &["– IX –", "– X –", "– XI –", "– XII –"],
            vec!["w:fmt=\"upperRoman\" w:start=\"9\""],
        ),
        (
            1,
            &["ii", "iii", "1", "2"],
            vec!["w:fmt=\"lowerRoman\" w:start=\"2\"", "w:start=\"1\""],
        ),
        (
            1,
            &["ii Preface", "Preface iii", "", "2", "3"],
            vec!["w:fmt=\"lowerRoman\" w:start=\"2\"", "w:start=\"1\""],
        ),
    ] {
        let found = numbering(numbered(first, numbers));
        let expected: Vec<_> = expected.into_iter().map(str::to_owned).collect();
        assert_eq!(found.0, expected, "{numbers:?}");
    }
    let found = numbering(numbered(1, &["37", "38", "39", "40"]));
    assert!(found.1);
}

#[test]
fn numbers_that_do_not_count_pages_are_text() {
    for (numbers, count) in [
        (["Part 7", "Part 7", "Part 9", "Part 9"], 2),
        (["2024", "2024", "2024", "2024"], 1),
        (["Unit c", "Unit c", "Unit x", "Unit x"], 2),
    ] {
        let (sections, is_field) = numbering(numbered(1, &numbers));
        assert_eq!(
            (sections, is_field),
            (vec![String::new(); count], false),
            "{numbers:?}"
        );
    }
}

#[test]
fn libreoffice_prints_the_numbers_of_the_source() {
    for numbers in [
        ["ii", "iii", "1", "2", "3", "4", "5"],
        ["38", "39", "40", "41", "42", "43", "44"],
        ["37 A", "B 38", "39 A", "B 40", "41 A", "B 42", "43 A"],
    ] {
        let printed = by_libreoffice(&made(numbered(1, &numbers)), "docx");
        let texts: Vec<_> = printed.iter().map(|page| page.text()).collect();
        let expected = (1..).zip(numbers);
        let expected: Vec<_> = expected
            .map(|(number, text)| format!("Part{number} {text}"))
            .collect();
        assert_eq!(texts, expected);
    }
}

#[test]
fn even_numbers_have_the_even_footer() {
    for (numbers, even) in [
        (["37 A", "B 38", "39 A", "B 40", "41 A"], "B "),
        (["38 A", "B 39", "40 A", "B 41", "42 A"], " A"),
    ] {
        let made = made(numbered(1, &numbers));
        let document = part(&made, "word/document.xml");
        let (_, reference) = document
            .split_once("<w:footerReference w:type=\"even\" r:id=\"")
            .unwrap();
        let (relation, _) = reference.split_once('"').unwrap();
        let relations = part(&made, "word/_rels/document.xml.rels");
        let parsed = roxmltree::Document::parse(&relations).unwrap();
        let mut nodes = parsed.root_element().children();
        let related = nodes.find(|node| node.attribute("Id") == Some(relation));
        let target = related.unwrap().attribute("Target").unwrap();
        let footer = part(&made, &format!("word/{target}"));
        assert!(footer.contains(&format!(">{even}<")), "{footer}");
    }
}
