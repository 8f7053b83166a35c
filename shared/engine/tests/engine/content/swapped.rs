//! Mutations of order: two short paragraphs, two cells of a row, and two slides with little text.

use domain::format::Format;

use super::{Change, Family, binary_sources, check_sample};

const PARAGRAPHS: [&str; 4] = [
    "Ferries leave at noon.",
    "Every passenger carries one suitcase.",
    "Dogs travel free.",
    "Bicycles cost extra.",
];

#[test]
fn two_short_paragraphs_in_another_order_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let [one, two, three, four] = PARAGRAPHS;
    let page = |paragraphs: [&str; 4]| paragraphs.map(|text| format!("<p>{text}</p>")).concat();
    let (plain, swapped) = (page(PARAGRAPHS), page([one, two, four, three]));
    let changed = [(Change::Order, swapped)];
    let page = Family::written(directory.path(), Format::Html, plain, &changed);
    let mut families = page.chain(&[Format::Docx, Format::Odt, Format::Rtf]);
    families.push(families[1].saved(Format::Doc));
    check_sample(3, &families, |_, _, to, found| {
        let has_text = !matches!(to, Format::Xlsx | Format::Csv);
        has_text.then_some(found.reordered > 0)
    });
}

#[test]
fn two_cells_of_a_row_in_another_order_are_found() {
    let directory = tempfile::tempdir().unwrap();
    let rows = |row: &str| format!("Island,Harbour,Ferry\n{row}\nNorderney,eastern quay,daily\n");
    let family = |format| {
        let table = |row| binary_sources::table(&rows(row), format);
        let changed = [(Change::Order, table("Juist,summer,northern pier"))];
        let plain = table("Juist,northern pier,summer");
        Family::written(directory.path(), format, plain, &changed)
    };
    let mut families = family(Format::Csv).chain(&[Format::Xlsx, Format::Ods]);
    families.push(families[1].saved(Format::Xls));
    families.extend([Format::Xlsb, Format::Tsv].map(family));
    check_sample(6, &families, |_, _, to, found| {
        // The columns of a wide table are on several pages.
        (to != Format::Pdf).then_some(found.reordered > 0)
    });
}

#[test]
fn two_slides_with_few_words_in_another_order_are_found() {
    const PAGE_BREAK: &str = "<div style='break-before: page'></div>";
    let directory = tempfile::tempdir().unwrap();
    let pages = |pages: [&str; 4]| pages.map(|text| format!("<p>{text}")).join(PAGE_BREAK);
    let [one, two, three, four] = PARAGRAPHS;
    let changed = [(Change::Order, pages([one, two, four, three]))];
    let plain = pages(PARAGRAPHS);
    let document = Family::written(directory.path(), Format::Html, plain, &changed);
    let mut families = document.chain(&[Format::Pdf, Format::Pptx, Format::Odp]);
    families.push(families[2].saved(Format::Ppt));
    check_sample(9, &families[2..], |_, _, _, found| {
        Some(found.reordered > 0)
    });
}
