//! Dates, numbers and amounts of a workbook in a locale: the same in PDF and CSV, which LibreOffice writes, and in Markdown, HTML
//! and JSON.

use domain::format::Format;
use domain::operation::{ConvertOptions, LOCALES, Operation};

use crate::sample_documents::{content_types, package, relationship};
use crate::{harness, poppler};

const SPREADSHEET: &str = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const RELATIONSHIPS: &str = "http://schemas.openxmlformats.org/package/2006/relationships";

/// Format codes of the cells, with a value each. The empty ones are the built-in formats of [`BUILT_IN`].
const CELLS: [(&str, f64); 12] = [
    ("", 36_925.170_891),
    ("", 36_925.170_891),
    ("", -1_234.5),
    ("General", 1_234.5),
    ("#,##0.00", 1_234_567.5),
    ("d mmmm yyyy", 36_925.0),
    ("dddd", 36_925.0),
    ("mmm", 36_925.0),
    ("m/d/yyyy", 36_925.0),
    ("[$-40C]d mmmm yyyy", 36_925.0),
    ("[$-F800]dddd, mmmm dd, yyyy", 36_925.0),
    ("0.0%", 0.125),
];
/// Short date, date with time, amount [ECMA-376-1, 18.8.30].
const BUILT_IN: [u32; 3] = [14, 22, 7];

fn workbook() -> Vec<u8> {
    let numbers = (0..).map(|index| BUILT_IN.get(index).copied().unwrap_or(200 + index as u32));
    let numbers: Vec<u32> = numbers.take(CELLS.len()).collect();
    let cells = CELLS.iter().zip(&numbers);
    let codes: String = cells
        .clone()
        .filter(|((code, _), _)| !code.is_empty())
        .map(|((code, _), number)| format!(r#"<numFmt numFmtId="{number}" formatCode="{code}"/>"#))
        .collect();
    let formats: String = numbers
        .iter()
        .map(|number| {
            format!(r#"<xf numFmtId="{number}" fontId="0" fillId="0" borderId="0" xfId="0"/>"#)
        })
        .collect();
    let rows: String = cells
        .enumerate()
        .map(|(index, ((_, value), _))| {
            let row = index + 1;
            format!(r#"<row r="{row}"><c r="A{row}" s="{index}"><v>{value}</v></c></row>"#)
        })
        .collect();
    let styles = format!(
        r#"<styleSheet xmlns="{SPREADSHEET}"><numFmts count="9">{codes}</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs>{formats}</cellXfs></styleSheet>"#
    );
    let related = |entries: &str| {
        format!(r#"<Relationships xmlns="{RELATIONSHIPS}">{entries}</Relationships>"#)
    };
    let (types_name, types) = content_types("xl/workbook.xml", "spreadsheetml.sheet");
    let part = |name: &str, text: String| (name.to_owned(), text);
    package([
        (types_name, types),
        part(
            "_rels/.rels",
            related(&relationship("rId1", "officeDocument", "xl/workbook.xml")),
        ),
        part(
            "xl/workbook.xml",
            format!(
                r#"<workbook xmlns="{SPREADSHEET}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="Dates" sheetId="1" r:id="rId1"/></sheets></workbook>"#
            ),
        ),
        part(
            "xl/_rels/workbook.xml.rels",
            related(
                &[
                    relationship("rId1", "worksheet", "worksheets/sheet1.xml"),
                    relationship("rId2", "styles", "styles.xml"),
                ]
                .concat(),
            ),
        ),
        part("xl/styles.xml", styles),
        part(
            "xl/worksheets/sheet1.xml",
            format!(
                r#"<worksheet xmlns="{SPREADSHEET}"><cols><col min="1" max="1" width="60" customWidth="1"/></cols><sheetData>{rows}</sheetData></worksheet>"#
            ),
        ),
    ])
}

fn convert(workbook: &[u8], from: Format, to: Format, locale: Option<&str>) -> harness::Converted {
    let mut options = ConvertOptions::to(to);
    options.locale = locale.map(|locale| locale.parse().unwrap());
    harness::run_bytes(workbook, from, &[Operation::Convert(options)]).unwrap()
}

/// The cells as Markdown shows them.
fn markdown_cells(workbook: &[u8], from: Format, locale: Option<&str>) -> Vec<String> {
    let text = convert(workbook, from, Format::Markdown, locale).bytes();
    let text = String::from_utf8(text).unwrap();
    let rows = text
        .lines()
        .filter_map(|line| line.strip_prefix('|')?.strip_suffix('|'));
    let cells = rows.map(|cell| cell.trim().replace('\\', ""));
    cells
        .filter(|cell| !cell.is_empty() && !cell.starts_with("---"))
        .collect()
}

/// Languages whose long date has an era or a calendar of their own, which Markdown replaces by the Gregorian year.
const OTHER_LONG_DATE: &[&str] = &[
    "ar", "bn", "gu", "hi", "kn", "lo", "ml", "mr", "pa", "sat", "ta", "te", "th",
];
/// Locales with digits of their own in dates, with currency marks that the other result does not have, or whose months LibreOffice
/// does not show.
const DIFFERENT: &[&str] = &[
    "bo-CN", "bo-IN", "dv-MV", "dz-BT", "en-GM", "fur-IT", "km-KH", "ne-NP",
];

/// In a sample, every 25th locale.
#[test]
fn every_locale_is_shown_as_libre_office_does() {
    let workbook = workbook();
    let step = if harness::runs_all_cases() { 1 } else { 25 };
    let compared = LOCALES.iter().filter(|locale| !DIFFERENT.contains(locale));
    let locales: Vec<&str> = compared.step_by(step).copied().collect();
    let wrong = std::sync::Mutex::new(Vec::new());
    harness::each(locales, |locale| {
        let language = locale.split('-').next().unwrap();
        let cells = markdown_cells(&workbook, Format::Xlsx, Some(locale));
        let written = convert(&workbook, Format::Xlsx, Format::Ods, Some(locale));
        let shown = open_document_texts(&written.bytes());
        for (cell, shown) in cells.iter().zip(&shown) {
            let is_long = cell == &cells[10] && OTHER_LONG_DATE.contains(&language);
            if normalized(cell) != normalized(shown) && !is_long {
                wrong
                    .lock()
                    .unwrap()
                    .push((locale, cell.clone(), shown.clone()));
            }
        }
        assert_eq!(cells.len(), shown.len(), "{locale}");
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// The workbook in another format. LibreOffice saved that of XLS.
fn saved_as(workbook: &[u8], format: Format) -> Vec<u8> {
    match format {
        Format::Ods => convert(workbook, Format::Xlsx, format, None).bytes(),
        Format::Xls => include_bytes!("locale/source.xls").to_vec(),
        _ => workbook.to_vec(),
    }
}

/// A text without marks of direction, with single spaces.
fn normalized(text: &str) -> String {
    let text = text.replace(['\u{200e}', '\u{200f}'], "");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// In a sample, every 50th locale.
#[test]
fn every_locale_is_shown_as_libre_office_does_from_ods_and_xls() {
    let workbook = workbook();
    let step = if harness::runs_all_cases() { 1 } else { 50 };
    // Turkmen dates of ODS have the time, and Burmese numbers have digits of their own.
    let others = ["tk-TM", "my-MM"];
    let compared = LOCALES
        .iter()
        .filter(|locale| !DIFFERENT.contains(locale) && !others.contains(locale));
    let locales: Vec<&str> = compared.step_by(step).copied().collect();
    for format in [Format::Ods, Format::Xls] {
        let source = saved_as(&workbook, format);
        let wrong = std::sync::Mutex::new(Vec::new());
        harness::each(locales.clone(), |locale| {
            let cells = markdown_cells(&source, format, Some(locale));
            let written = convert(&source, format, Format::Csv, Some(locale)).bytes();
            let written = String::from_utf8(written).unwrap();
            let shown: Vec<&str> = written.lines().map(|line| line.trim_matches('"')).collect();
            // LibreOffice shows an amount without a symbol of its own in marks instead of euros.
            let is_amount = |index: usize| index == 2 && format == Format::Ods;
            let pairs = cells.iter().zip(&shown).enumerate();
            let language = locale.split('-').next().unwrap();
            let is_long = |index: usize| index == 10 && OTHER_LONG_DATE.contains(&language);
            let pairs = pairs.filter(|(index, _)| !is_amount(*index) && !is_long(*index));
            let pairs = pairs.map(|(_, pair)| pair);
            let different = pairs.filter(|(cell, shown)| normalized(cell) != normalized(shown));
            wrong.lock().unwrap().extend(
                different.map(|(cell, shown)| format!("{locale}: {cell} instead of {shown}")),
            );
            assert_eq!(cells.len(), shown.len(), "{locale}");
        });
        let wrong = wrong.into_inner().unwrap();
        assert!(wrong.is_empty(), "{format}: {wrong:#?}");
    }
}

#[test]
fn all_results_of_a_workbook_follow_the_locale() {
    let workbook = workbook();
    for from in [Format::Xlsx, Format::Ods, Format::Xls] {
        let source = saved_as(&workbook, from);
        for to in [
            Format::Pdf,
            Format::Csv,
            Format::Markdown,
            Format::Html,
            Format::Json,
        ] {
            let result = convert(&source, from, to, Some("de-DE"));
            let text = match to {
                Format::Pdf => poppler::texts(result.path()).concat(),
                _ => String::from_utf8(result.bytes()).unwrap(),
            };
            for value in [
                "1.234.567,50",
                "3. Februar 2001",
                "Samstag",
                "12,5%",
                "3 février 2001",
            ] {
                let shown = text.replace('\\', "").contains(value)
                    || normalized(&text).contains(&normalized(value));
                assert!(shown, "{from} to {to}: {value}");
            }
            assert!(
                !result.warnings().contains(&"content_missing"),
                "{from} to {to}"
            );
        }
    }
}

/// The paragraphs of an OpenDocument spreadsheet.
fn open_document_texts(package: &[u8]) -> Vec<String> {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(package)).unwrap();
    let mut content = String::new();
    let mut part = archive.by_name("content.xml").unwrap();
    std::io::Read::read_to_string(&mut part, &mut content).unwrap();
    let paragraphs = content.split("<text:p>").skip(1);
    let texts = paragraphs.map(|rest| rest.split("</text:p>").next().unwrap());
    texts
        .map(|text| text.replace("&apos;", "'").replace("<text:s/>", " "))
        .collect()
}

#[test]
fn a_workbook_shows_the_same_dates_and_numbers_in_all_results() {
    let workbook = workbook();
    for (locale, date, number) in [
        (None, "2/3/2001", "1,234,567.50"),
        (Some("en-GB"), "03/02/2001", "1,234,567.50"),
        (Some("de-DE"), "03.02.2001", "1.234.567,50"),
        (Some("fr-FR"), "03/02/2001", "1\u{202f}234\u{202f}567,50"),
        (Some("pl-PL"), "2001-02-03", "1 234 567,50"),
        (Some("pt-BR"), "3/2/2001", "1.234.567,50"),
        (Some("ja-JP"), "2001/02/03", "1,234,567.50"),
        (Some("en-IN"), "03/02/2001", "12,34,567.50"),
        (Some("sv-SE"), "2001-02-03", "1 234 567,50"),
    ] {
        let cells = markdown_cells(&workbook, Format::Xlsx, locale);
        let same = |text: &str, other: &str| normalized(text) == normalized(other);
        assert!(same(&cells[0], date), "{locale:?}: {cells:?}");
        assert!(same(&cells[4], number), "{locale:?}: {cells:?}");
        let pdf = convert(&workbook, Format::Xlsx, Format::Pdf, locale);
        let printed = poppler::texts(pdf.path()).concat();
        let letters = |text: &str| normalized(text).replace(' ', "");
        assert_eq!(letters(&cells.concat()), letters(&printed), "{locale:?}");
    }
}
