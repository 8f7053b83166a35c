//! Verification of content: mutations. For every pair of formats that can be made here, a result that lacks a paragraph, a row, a
//! table, an image, a page or a slide of its source is found; for a sample of the pairs, one that lacks a cell or has two parts in
//! another order.

mod binary_sources;
mod cells;
mod corpus_documents;
mod drawn_text;
mod floating;
mod numbers;
mod pdf_readers;
mod running_headers;
mod scripts;
mod slides;
mod swapped;
mod tables;

use std::io::Write as _;
use std::path::{Path, PathBuf};

use domain::format::{Category, Format};
use domain::operation::CONVERSIONS;
use task::{DroppedContent, OUTPUT, Places, Product, Warning};

use crate::harness::{self, Converted};

/// A page with two paragraphs and a table.
const PAGE: [&str; 3] = [
    "<h1>Ferries</h1><p>The boat leaves the northern pier at noon and returns before dusk with letters, milk and bread.</p>",
    "<p>Every passenger carries one suitcase; bicycles cost extra during summer weekends, dogs travel free.</p>",
    "<table><tr><th>Island</th><th>Passengers</th></tr><tr><td>Juist</td><td>Many</td></tr></table>",
];
const ADDED_TEXT: &str = "<p>Nobody expected seventeen travellers yesterday.</p>";
const ADDED_ROW: &str =
    "<table><tr><td>Nobody expected</td><td>seventeen travellers yesterday</td></tr></table>";
const ADDED_WORDS: u64 = 5;
const ADDED_IMAGE: &str = "<p><img src='data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQAY3Y2wAAAAAElFTkSuQmCC'></p>";
const PAGE_BREAK: &str = "<div style='break-before: page'></div>";

/// A table, and a further row with three words and two numbers.
const TABLE: &str = "Island,Passengers,Freight\nJuist town with lighthouse and dunes,1204,88.5\nBaltrum village between two beaches,310,12.25\n";
const ADDED_LINE: &str = "Norderney harbour office,5520,610.75\n";
const SWAPPED_TABLE: &str = "Island,Passengers,Freight\nBaltrum village between two beaches,310,12.25\nJuist town with lighthouse and dunes,1204,88.5\n";

/// Cells of numbers: whole, with decimals, a percentage, an amount and a date.
const NUMBERS: [[&str; 5]; 4] = [
    ["1,204", "88.50", "12.5%", "$48.90", "2024-03-05"],
    ["3,310", "12.25", "7.1%", "$21.00", "2024-04-16"],
    ["2,847", "93.75", "63.4%", "$77.35", "2023-11-29"],
    ["5,520", "61.75", "35.9%", "$19.95", "2025-12-17"],
];

/// What a source has and its result does not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    /// A paragraph, or a page or slide with one.
    Text,
    /// A row of a table.
    Row,
    /// A cell with text.
    Cell,
    /// A cell with a number.
    Number,
    /// An image.
    Image,
    /// A table.
    Table,
    /// Two parts in the order of the source.
    Order,
}

/// A document, and changed ones.
struct Family {
    format: Format,
    plain: PathBuf,
    changed: Vec<(Change, PathBuf)>,
}

impl Family {
    fn written<B: AsRef<[u8]>>(
        directory: &Path,
        format: Format,
        plain: impl AsRef<[u8]>,
        changed: &[(Change, B)],
    ) -> Self {
        let write = |name: &str, text: &[u8]| {
            let path = directory.join(format!("{name}.{}", format.extension()));
            std::fs::write(&path, text).unwrap();
            path
        };
        let changed = changed.iter();
        Self {
            format,
            plain: write("plain", plain.as_ref()),
            changed: changed
                .map(|(change, text)| (*change, write(&format!("{change:?}"), text.as_ref())))
                .collect(),
        }
    }

    fn converted(&self, format: Format) -> Self {
        let convert = |source: &Path| {
            let path = source.with_extension(format.extension());
            std::fs::copy(convert(source, self.format, format).path(), &path).unwrap();
            path
        };
        let changed = self.changed.iter();
        Self {
            format,
            plain: convert(&self.plain),
            changed: changed
                .map(|(change, path)| (*change, convert(path)))
                .collect(),
        }
    }

    /// The family, and those converted to each format, each from the one before.
    fn chain(self, formats: &[Format]) -> Vec<Self> {
        let mut families = vec![self];
        for format in formats {
            families.push(families.last().unwrap().converted(*format));
        }
        families
    }
}

#[test]
fn mutations_of_texts_are_found_for_every_pair() {
    let directory = tempfile::tempdir().unwrap();
    let [first, second, table] = PAGE;
    let plain = PAGE.concat();
    let with = |added: &str| format!("{plain}{added}");
    let page = Family::written(
        directory.path(),
        Format::Html,
        &plain,
        &[
            (Change::Text, &with(ADDED_TEXT)),
            (Change::Row, &with(ADDED_ROW)),
            (Change::Image, &with(ADDED_IMAGE)),
            (Change::Order, &format!("{second}{first}{table}")),
        ],
    );
    let mut families = page.chain(&[Format::Docx, Format::Odt, Format::Rtf]);
    families.push(families[1].saved(Format::Doc));
    let [first, second, added] = [first, second, ADDED_TEXT].map(without_tags);
    for format in [Format::Markdown, Format::Txt] {
        families.push(Family::written(
            directory.path(),
            format,
            format!("{first}{second}"),
            &[
                (Change::Text, &format!("{first}{second}{added}")),
                (Change::Order, &format!("{second}{first}")),
            ],
        ));
    }
    check(&families, |change, _, to, found| match change {
        Change::Text if keeps_tables_only(to) => None,
        Change::Order if keeps_tables_only(to) => None,
        Change::Image => keeps_images(to).then_some(found.images == 1),
        Change::Order => Some(found.reordered > 0),
        _ => Some(found.words == ADDED_WORDS),
    });
}

#[test]
fn mutations_of_pages_and_slides_are_found_for_every_pair() {
    let directory = tempfile::tempdir().unwrap();
    let [first, second, _] = PAGE;
    let pages = |pages: &[&str]| pages.join(PAGE_BREAK);
    let document = Family::written(
        directory.path(),
        Format::Html,
        pages(&[first, second]),
        &[
            (Change::Text, &pages(&[first, second, ADDED_TEXT])),
            (Change::Order, &pages(&[second, first])),
        ],
    );
    let mut families = document.chain(&[Format::Pdf, Format::Pptx, Format::Odp]);
    families.push(families[2].saved(Format::Ppt));
    check(&families[1..], |change, from, to, found| match change {
        Change::Order if from == Format::Pdf => None,
        Change::Order => Some(found.reordered > 0),
        _ if keeps_tables_only(to) => None,
        _ => Some(found.words == ADDED_WORDS && found.places == third(from)),
    });
}

/// The third page or slide of a document.
fn third(format: Format) -> Places {
    match format {
        Format::Pdf => Places::Pages(vec![3]),
        _ => Places::Slides(vec![3]),
    }
}

#[test]
fn mutations_of_workbooks_are_found_for_every_pair() {
    let directory = tempfile::tempdir().unwrap();
    let table = |format| {
        let text = |rows: &str| binary_sources::table(rows, format);
        let added = text(&format!("{TABLE}{ADDED_LINE}"));
        let changed = [(Change::Row, added), (Change::Order, text(SWAPPED_TABLE))];
        let changed = changed
            .each_ref()
            .map(|(change, rows)| (*change, &rows[..]));
        Family::written(directory.path(), format, text(TABLE), &changed)
    };
    let mut families = table(Format::Csv).chain(&[Format::Xlsx, Format::Ods]);
    families.extend([
        families[1].saved(Format::Xls),
        table(Format::Xlsb),
        table(Format::Tsv),
    ]);
    check(&families, |change, from, to, found| {
        let (words, numbers) = (found.words, found.numbers);
        // A text has the digits of its numbers as words; names of sheets and page numbers have digits of their own.
        Some(match (from, to) {
            (_, Format::Pdf) if change == Change::Order => return None,
            _ if change == Change::Order => found.reordered > 0,
            (_, Format::Pdf | Format::Html | Format::Markdown | Format::Json) => words >= 3,
            (from, to) if from.is_delimited_text() && !matches!(to, Format::Xlsx | Format::Ods) => {
                words > 3
            }
            // The texts of a row with typed cells are in one cell.
            (from, _) if from.is_delimited_text() => (words, numbers) == (3, 2),
            _ => (words, numbers) == (3, 2) && is_cell(&found.places, "A4"),
        })
    });
}

/// Whether the first place is a cell, on any sheet.
fn is_cell(places: &Places, name: &str) -> bool {
    match places {
        Places::Cells(cells) => {
            matches!(&cells[..], [cell, ..] if cell.ends_with(&format!("!{name}")))
        }
        _ => false,
    }
}

#[test]
fn a_row_of_numbers_that_a_result_of_a_pdf_misses_is_found() {
    let directory = tempfile::tempdir().unwrap();
    let table = |rows: &[[&str; 5]]| {
        let rows = rows
            .iter()
            .map(|row| format!("<tr><td>{}</tr>", row.join("<td>")));
        format!("<table border=1>{}</table>", rows.collect::<String>())
    };
    let document = Family::written(
        directory.path(),
        Format::Html,
        table(&NUMBERS[..3]),
        &[(Change::Row, &table(&NUMBERS))],
    );
    let families = document.chain(&[Format::Pdf]);
    check(&families[1..], |_, _, to, found| {
        // Where a row has typed cells, each cell is a word.
        Some(match to {
            Format::Xlsx => found.words == 5,
            _ => found.words > 5,
        })
    });
}

#[test]
fn images_that_a_warning_names_are_not_missing() {
    let directory = tempfile::tempdir().unwrap();
    let page = Family::written(
        directory.path(),
        Format::Html,
        PAGE[0],
        &[(
            Change::Image,
            &format!("{}{ADDED_IMAGE}{ADDED_IMAGE}", PAGE[0]),
        )],
    );
    let made = convert(&page.plain, Format::Html, Format::Docx);
    let (_, changed) = &page.changed[0];
    let missing = |named: u32| {
        let product = Product {
            warnings: vec![Warning::Dropped(DroppedContent::Pictures, named)],
            ..Product::default()
        };
        found_with(&product, made.path(), (changed, Format::Html), Format::Docx).images
    };
    assert_eq!([0, 1, 2, 3].map(missing), [2, 1, 0, 0]);
}

/// The text of a page, a line for each element.
fn without_tags(html: &str) -> String {
    let texts = html.split('<').filter_map(|part| part.split_once('>'));
    let texts = texts.filter(|(_, text)| !text.is_empty());
    texts.map(|(_, text)| format!("{text}\n\n")).collect()
}

/// What verification finds of a change.
#[derive(Debug, Default)]
struct Found {
    words: u64,
    numbers: u64,
    images: u64,
    tables: u64,
    reordered: u64,
    places: Places,
}

/// Converts the plain document of each family to each format, and compares the result with each changed document. A change that is
/// not expected to be found, for which `is_found` returns `None`, is not compared.
fn check(
    families: &[Family],
    is_found: impl Fn(Change, Format, Format, &Found) -> Option<bool> + Sync,
) {
    harness::each(cases(families, &is_found), |case| {
        check_case(case, &is_found);
    });
}

/// Like [`check`], for a sample of the pairs, which starts at `first`; see [`harness::sample`].
fn check_sample(
    first: usize,
    families: &[Family],
    is_found: impl Fn(Change, Format, Format, &Found) -> Option<bool> + Sync,
) {
    let kinds = |(family, to): &(&Family, Format)| harness::formats(&(family.format, *to));
    harness::sample(cases(families, &is_found), first, kinds, |case| {
        check_case(case, &is_found);
    });
}

/// The pairs for which a change is expected to be found.
fn cases<'f>(
    families: &'f [Family],
    is_found: &impl Fn(Change, Format, Format, &Found) -> Option<bool>,
) -> Vec<(&'f Family, Format)> {
    let pairs = families
        .iter()
        .flat_map(|family| targets(family.format).map(move |to| (family, to)));
    let is_compared = |(family, to): &(&Family, Format)| {
        let mut changes = family.changed.iter().map(|(change, _)| *change);
        changes.any(|change| is_found(change, family.format, *to, &Found::default()).is_some())
    };
    pairs.filter(is_compared).collect()
}

fn check_case(
    (family, to): (&Family, Format),
    is_found: &impl Fn(Change, Format, Format, &Found) -> Option<bool>,
) {
    let pair = format!("{} to {to}", family.format);
    let made = convert(&family.plain, family.format, to);
    for warning in ["content_missing", "content_reordered"] {
        assert!(!made.warnings().contains(&warning), "{pair}: {warning}");
    }
    for (change, source) in &family.changed {
        if is_found(*change, family.format, to, &Found::default()).is_none() {
            continue;
        }
        let found = found(made.path(), (source, family.format), to);
        let line = format!("{pair}: {change:?} {found:?}");
        writeln!(std::io::stdout(), "{line}").ok();
        let is_found = is_found(*change, family.format, to, &found);
        assert_eq!(is_found, Some(true), "{line}");
    }
}

/// Formats with text that a format is converted to.
fn targets(from: Format) -> impl Iterator<Item = Format> {
    let rows = CONVERSIONS
        .iter()
        .filter(move |row| row.from.contains(&from));
    let is_text = |to: &Format| to.spec().category != Category::Image;
    rows.map(|row| row.to).filter(is_text)
}

fn keeps_tables_only(to: Format) -> bool {
    matches!(to, Format::Xlsx | Format::Csv)
}

fn keeps_images(to: Format) -> bool {
    matches!(
        to,
        Format::Pdf | Format::Docx | Format::Odt | Format::Pptx | Format::Odp | Format::Html
    )
}

fn convert(source: &Path, from: Format, to: Format) -> Converted {
    let result = harness::run(source, from, &[harness::convert(to)]);
    result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"))
}

/// What verification finds if a result is said to be of another source.
fn found(result: &Path, source: (&Path, Format), to: Format) -> Found {
    found_with(&Product::default(), result, source, to)
}

/// Like [`found`], with the warnings of a product.
fn found_with(
    product: &Product,
    result: &Path,
    (source, from): (&Path, Format),
    to: Format,
) -> Found {
    let directory = tempfile::tempdir().unwrap();
    std::fs::copy(result, directory.path().join(OUTPUT)).unwrap();
    let task = harness::conversion_task((source, from), to, directory.path());
    let mut found = Found::default();
    let Ok(warnings) = verify::content(&task, product) else {
        // The result is incomplete.
        found.words = u64::MAX;
        return found;
    };
    for warning in warnings {
        match warning {
            Warning::ContentMissing(missing) => {
                found.words = missing.words.missing;
                found.numbers = missing.numbers.missing;
                found.images = missing.images.missing;
                found.tables = missing.tables.missing;
                found.places = missing.places;
            }
            Warning::ContentReordered(words) => found.reordered = words.missing,
            other => panic!("{other:?}"),
        }
    }
    found
}
