//! Selects the sample documents of each format.

use serde_json::Value;
use tests::corpus::{self, Entry, runs_all_cases};

/// A few of each kind: text in several scripts, images, tables, many pages, an old format version.
const CHOSEN: &[&str] = &[
    "docx/Special_Chars_ß.docx",
    "docx/word_sample.docx",
    "layout-truth/05-report-eng.docx",
    "doc/Lists.doc",
    "doc/greek_heading_styles.doc",
    "doc/testWORD_various.doc",
    "odt/feature_images.odt",
    "odt/Electra.odt",
    "rtf/testRTFWord2010CzechCharacters.rtf",
    "rtf/testRTFVarious.rtf",
    "txt/unicode_polish_utf8.txt",
    "txt/fake-text-utf-16.txt",
    "xlsx/WithThreeCharts.xlsx",
    "xlsx/right-to-left.xlsx",
    "xls/merge_cells.xls",
    "xls/WithThreeCharts.xls",
    "ods/OOCalcTest.ods",
    "ods/chinese_spreadsheet.ods",
    "csv/csv-semicolon.csv",
    "csv/premiere.utf16lebom.csv",
    "csv/stanley-cups-with-emoji.tsv",
    "pptx/AllSlidesConverterTC.pptx",
    "pptx/powerpoint_sample.pptx",
    "ppt/bullets.ppt",
    "ppt/54880_chinese.ppt",
    "odp/odf_presentation_01.odp",
    "odp/SlideTest1.odp",
    "pdf-text/multi_page.pdf",
    "pdf-text/rotation.pdf",
    "pdf-text/nics-background-checks-2015-11.pdf",
    "pdf-forms/form-filled-by-acrobat.pdf",
    "images/png/basn6a16.png",
    "images/png/tbbn3p08.png",
    "images/jpeg/pil_sample_cmyk.jpg",
    "images/jpeg/Landscape_6.jpg",
    "images/webp/simple-rgb.webp",
    "images/webp/lossy_alpha.webp",
    "images/avif/kodim03_yuv420_8bpc.avif",
    "images/avif/paris_icc_exif_xmp.avif",
    "images/heic/testHEIF.heic",
    "images/heic/hopper.heif",
    "images/svg/embedded-jpeg-as-image-jpeg.svg",
    "images/svg/important.svg",
    "images/tiff/testTIFF_multipage.tif",
    "images/tiff/g4-multi.tiff",
    "images/gif/interlaced.gif",
    "images/gif/dispose_none_load_end.gif",
    "images/bmp/rgb24.bmp",
    "images/bmp/pal8rle.bmp",
    "html/testHTML_utf8.html",
    "html/html_rich_table_cells.html",
    "md/inline_and_formatting.md",
    "md/eng_spa_mult.md",
];

/// Samples with tables, of formats that may have none.
const TABULAR: &[&str] = &[
    "pdf-text/nics-background-checks-2015-11.pdf",
    "docx/word_sample.docx",
    "layout-truth/05-report-eng.docx",
    "doc/testWORD_various.doc",
    "odt/feature_images.odt",
    "rtf/testRTFVarious.rtf",
    "html/html_rich_table_cells.html",
    "md/inline_and_formatting.md",
];

/// Image formats that OCR converts to documents, and the target formats.
const IMAGES: [&str; 7] = ["png", "jpeg", "webp", "avif", "tiff", "gif", "bmp"];
const DOCUMENTS: [&str; 8] = ["docx", "xlsx", "pptx", "html", "md", "csv", "json", "txt"];

/// The samples for a conversion: one of the source format's, or all with `OCTAVO_CASES=all`. For targets that contain
/// tables only, it has a table; for OCR, it is a small image with a table.
pub(crate) fn of_conversion(from: &str, to: &str) -> Vec<Entry> {
    if IMAGES.contains(&from) && DOCUMENTS.contains(&to) {
        return vec![scan(from)];
    }
    let mut samples = of(from);
    let needs_tables = match to {
        "csv" => ["pdf", "docx", "doc", "odt", "rtf", "html", "md"].contains(&from),
        "xlsx" => ["docx", "doc", "odt", "rtf", "html", "md"].contains(&from),
        _ => false,
    };
    samples.retain(|entry| !needs_tables || TABULAR.contains(&entry.file.as_str()));
    assert!(!samples.is_empty(), "no sample exists for {from} to {to}");
    if !runs_all_cases() {
        // A different sample for each target, so that each is used.
        let turn = to.bytes().map(usize::from).sum::<usize>() % samples.len();
        samples = vec![samples.swap_remove(turn)];
    }
    samples
}

fn scan(format: &str) -> Entry {
    let extension = match format {
        "jpeg" => "jpg",
        "tiff" => "tif",
        other => other,
    };
    let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/scans");
    Entry {
        file: format!("{directory}/fares.{extension}"),
        kind: format.to_owned(),
        expect: "ok".to_owned(),
        pages: Some(1),
        pages_libreoffice: None,
        facts: Value::Null,
    }
}

/// A BIFF12 workbook (XLSB), as the corpus has none.
pub(crate) const WORKBOOK: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/golden/workbooks/report.xlsb");

/// An EPUB book, as the corpus has none.
pub(crate) const BOOK: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/golden/books/report.epub");

/// Mails, as the corpus has none.
pub(crate) const MAILS: [&str; 2] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/golden/mails/report.eml"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/golden/mails/report.msg"),
];

/// A document that is not in the corpus.
fn own(file: &str, kind: &str, pages: u32) -> Entry {
    Entry {
        file: file.to_owned(),
        kind: kind.to_owned(),
        expect: "ok".to_owned(),
        pages: Some(pages),
        pages_libreoffice: None,
        facts: Value::Null,
    }
}

/// The samples of a format. Panics if there is none, as a listed format must be tested.
pub(crate) fn of(format: &str) -> Vec<Entry> {
    match format {
        "xlsb" => return vec![own(WORKBOOK, format, 2)],
        "epub" => return vec![own(BOOK, format, 3)],
        "eml" => return vec![own(MAILS[0], format, 1)],
        "msg" => return vec![own(MAILS[1], format, 1)],
        _ => {}
    }
    let mut samples = corpus::entries();
    samples.retain(|entry| entry.expect == "ok" && kinds(format).contains(&entry.kind.as_str()));
    // CSV and TSV are one kind of the corpus.
    samples.retain(|entry| entry.kind != "csv" || entry.file.ends_with(&format!(".{format}")));
    samples.retain(|entry| runs_all_cases() || CHOSEN.contains(&entry.file.as_str()));
    assert!(!samples.is_empty(), "no sample exists for {format}");
    samples
}

/// The kinds of the corpus with this format.
fn kinds(format: &str) -> Vec<&str> {
    match format {
        "pdf" => vec!["pdf-text", "pdf-scan", "pdf-forms"],
        "docx" => vec!["docx", "layout-truth"],
        "tsv" => vec!["csv"],
        other => vec![other],
    }
}
