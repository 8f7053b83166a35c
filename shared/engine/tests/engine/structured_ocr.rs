//! Scans become documents that can be worked on: documents whose structure is known are made pictures, skewed and turned, and
//! read again.

mod drawings;
mod garbled;
mod photographs;

use std::f64::consts::PI;

use domain::format::Format;
use domain::job::JobErrorCode;
use image::{GrayImage, ImageFormat, Luma, imageops};
use serde_json::{Value, json};

use crate::documents::{pdf, stream};
use crate::structured::{blocks, of_kind, reopened, rows, step, text, truth};
use crate::{corpus, poppler, rig};

/// Pixels an inch of the scans.
const RESOLUTION: u32 = 200;
/// A page of letters.
const LETTERS: &str =
    "BT /F 12 Tf 60 700 Td (These words were written, so nobody has to read them.) Tj ET";

/// The pages of a known document as a scanner sees them.
fn scanned(name: &str) -> Vec<GrayImage> {
    let source = corpus::file(&format!("layout-truth/{name}.docx"));
    let made = rig::run(&source, Format::Docx, &[rig::convert(Format::Pdf)]).unwrap();
    let pages = 1..=poppler::pages(made.path());
    let picture = |page| poppler::picture(made.path(), page, RESOLUTION);
    pages
        .map(|page| imageops::grayscale(&picture(page)))
        .collect()
}

/// A picture turned about its middle, clockwise.
fn skewed(picture: &GrayImage, degrees: f64) -> GrayImage {
    let (width, height) = picture.dimensions();
    GrayImage::from_fn(width, height, |x, y| {
        Luma([skewed_sample(picture, (x, y), degrees)])
    })
}

/// A sample of it.
fn skewed_sample(picture: &GrayImage, (x, y): (u32, u32), degrees: f64) -> u8 {
    let (sine, cosine) = (degrees * PI / 180.0).sin_cos();
    let (width, height) = picture.dimensions();
    let (middle_x, middle_y) = (f64::from(width) / 2.0, f64::from(height) / 2.0);
    let (x, y) = (f64::from(x) - middle_x, f64::from(y) - middle_y);
    let (u, v) = (
        middle_x + x * cosine + y * sine,
        middle_y + y * cosine - x * sine,
    );
    let at = |u: f64, v: f64| {
        let is_inside =
            (0.0..f64::from(width)).contains(&u) && (0.0..f64::from(height)).contains(&v);
        match is_inside {
            true => f64::from(picture.get_pixel(u as u32, v as u32).0[0]),
            false => 255.0,
        }
    };
    let (left, top) = (u.floor(), v.floor());
    let (across, down) = (u - left, v - top);
    let above = at(left, top) * (1.0 - across) + at(left + 1.0, top) * across;
    let below = at(left, top + 1.0) * (1.0 - across) + at(left + 1.0, top + 1.0) * across;
    (above * (1.0 - down) + below * down).round() as u8
}

/// A page: written, or scanned.
enum Leaf<'a> {
    Letters,
    Scan(&'a GrayImage),
}

/// A document of these pages.
fn document(leaves: &[Leaf<'_>]) -> Vec<u8> {
    let number = |index: usize| 3 + 3 * index;
    let kids: String = (0..leaves.len())
        .map(|index| format!("{} 0 R ", number(index)))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {}>>", leaves.len()).into_bytes(),
    ];
    for (index, leaf) in leaves.iter().enumerate() {
        let blank = GrayImage::new(1, 1);
        let (content, picture, sides) = match leaf {
            Leaf::Letters => (LETTERS.to_owned(), &blank, (595.0, 842.0)),
            Leaf::Scan(picture) => {
                let points = |pixels: u32| f64::from(pixels) * 72.0 / f64::from(RESOLUTION);
                let (width, height) = (points(picture.width()), points(picture.height()));
                let content = format!("q {width} 0 0 {height} 0 0 cm /I Do Q");
                (content, *picture, (width, height))
            }
        };
        let (page, (width, height)) = (number(index), sides);
        let mut coded = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut coded, ImageFormat::Jpeg).unwrap();
        let about = format!(
            "/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Width {}/Height {}",
            picture.width(),
            picture.height()
        );
        objects.extend([
            format!(
                "<</Type/Page/Parent 2 0 R/Contents {} 0 R/MediaBox[0 0 {width} {height}]/Resources<</XObject<</I {} 0 R>>/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
                page + 1,
                page + 2
            )
            .into_bytes(),
            stream("", content.as_bytes()),
            stream(&about, coded.get_ref()),
        ]);
    }
    pdf(&objects)
}

fn scan(pages: &[GrayImage]) -> Vec<u8> {
    let leaves: Vec<_> = pages.iter().map(Leaf::Scan).collect();
    document(&leaves)
}

fn made(source: &[u8], to: &str, options: Value) -> rig::Made {
    let made = rig::run_bytes(source, Format::Pdf, &[step(to, options)]);
    made.unwrap_or_else(|error| panic!("{to}: {error:?}"))
}

fn model(made: &rig::Made) -> Value {
    serde_json::from_slice(&made.bytes()).unwrap()
}

fn headings(blocks: &[Value]) -> Vec<(Value, String)> {
    let headings = of_kind(blocks, "heading");
    let told = headings.map(|heading| {
        let said = match heading["runs"].is_array() && heading["text"].is_null() {
            true => text(&heading["runs"]),
            false => heading["text"].as_str().unwrap().to_owned(),
        };
        (heading["level"].clone(), said)
    });
    told.collect()
}

fn paragraphs(blocks: &[Value]) -> Vec<String> {
    let paragraphs = of_kind(blocks, "paragraph");
    paragraphs
        .map(|paragraph| text(&paragraph["runs"]))
        .collect()
}

/// Whether a table has the rows and columns of another, and nearly all of its cells: single letters are misread at times.
fn is_like(found: &[Vec<String>], wanted: &[Vec<String>]) -> bool {
    let shape = |table: &[Vec<String>]| table.iter().map(Vec::len).collect::<Vec<_>>();
    let cells = found.concat();
    let right = cells.iter().zip(wanted.concat());
    let right = right.filter(|(found, wanted)| *found == wanted).count();
    shape(found) == shape(wanted) && right * 10 >= cells.len() * 9
}

/// The message of a warning.
fn told(made: &rig::Made, code: &str) -> String {
    let mut warnings = made.artifact.warnings.iter();
    let warning = warnings.find(|warning| warning.code == code);
    warning.map_or_else(String::new, |warning| warning.message.clone())
}

#[test]
fn a_skewed_scan_becomes_the_document_that_it_was() {
    let pages: Vec<_> = scanned("05-report-eng")
        .iter()
        .map(|page| skewed(page, 1.0))
        .collect();
    let source = scan(&pages);
    let result = made(&source, "json", json!({}));
    let (found, wanted) = (blocks(&model(&result)), truth("05-report-eng"));
    assert_eq!(headings(&found), headings(&wanted));
    let wanted_tables: Vec<Vec<Vec<String>>> = of_kind(&wanted, "table")
        .map(|table| serde_json::from_value(table["rows"].clone()).unwrap())
        .collect();
    let tables: Vec<_> = of_kind(&found, "table").map(rows).collect();
    let alike = tables.iter().zip(&wanted_tables);
    assert_eq!(tables.len(), wanted_tables.len());
    assert!(
        alike
            .into_iter()
            .all(|(found, wanted)| is_like(found, wanted)),
        "{tables:?}"
    );
    assert_eq!(of_kind(&found, "image").count(), 1);
    let sizes: std::collections::BTreeSet<String> = of_kind(&found, "paragraph")
        .map(|paragraph| paragraph["runs"][0]["size"].to_string())
        .collect();
    assert!(sizes.len() <= 2, "{sizes:?}");
    assert_eq!(model(&result)["pages"][0]["basis"], "recognition");
    assert!(
        told(&result, "text_recognised").contains("pages 1, 2, 3"),
        "{:?}",
        result.warnings()
    );

    // Of what is between looking into the source and checking the result, reading is most and writing the rest.
    let steps = [30, 60, 90, 93, 96, 100].map(|percent: u32| (5 + percent * 80 / 100) as u8);
    let steps = [&steps[..], &[100]].concat();
    assert!(
        result.progress.is_sorted() && result.progress.iter().all(|told| steps.contains(told)),
        "{:?}",
        result.progress
    );
    assert_eq!(result.progress.last(), Some(&100));

    let result = made(&source, "docx", json!({}));
    let read = reopened(result.path(), "docx");
    let said = read["text"].as_str().unwrap();
    for paragraph in of_kind(&wanted, "paragraph").filter_map(|one| one["text"].as_str()) {
        assert!(said.contains(paragraph), "{paragraph} is not in {said}");
    }
}

#[test]
fn only_pages_without_text_are_read() {
    let pages = scanned("01-headings-eng");
    let source = document(&[Leaf::Letters, Leaf::Scan(&pages[0])]);
    let result = made(&source, "json", json!({}));
    let whole = model(&result);
    let bases: Vec<_> = whole["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| &page["basis"])
        .collect();
    assert_eq!(bases, ["geometry", "recognition"]);
    let found = blocks(&whole);
    assert_eq!(
        paragraphs(&found)[0],
        "These words were written, so nobody has to read them."
    );
    let wanted = headings(&truth("01-headings-eng"));
    assert_eq!(headings(&found)[0].1, wanted[0].1);
    assert!(told(&result, "text_recognised").contains("of page 2 "));
    assert_eq!(told(&result, "no_text_layer"), "");

    let unread = made(&source, "json", json!({"ocr": "off"}));
    let whole = model(&unread);
    let page = whole["pages"][1]["blocks"].as_array().unwrap();
    assert!(
        page.iter().all(|block| block["type"] == "image"),
        "{page:?}"
    );
    assert_eq!(unread.warnings(), ["no_text_layer"]);
    assert!(unread.artifact.engine.contains("layout"));

    // What is not asked for is not read.
    let first = made(&source, "json", json!({"pages": "1"}));
    assert_eq!(first.warnings(), [""; 0]);
}

#[test]
fn a_page_on_its_side_is_read_in_its_language() {
    let page = &scanned("02-lists-deu")[0];
    let source = scan(&[imageops::rotate90(page)]);
    let result = made(&source, "md", json!({"language": "de"}));
    let said = String::from_utf8(result.bytes()).unwrap();
    let items = truth("02-lists-deu");
    let items = of_kind(&items, "list").flat_map(|list| list["items"].as_array().unwrap());
    let items: Vec<&str> = items.filter_map(|item| item["text"].as_str()).collect();
    assert!(items.iter().any(|item| item.contains(['ä', 'ö', 'ü', 'ß'])));
    for item in items {
        assert!(said.contains(item), "{item} is not in {said}");
    }
}

#[test]
fn bullets_that_are_read_as_letters_are_bullets() {
    let page = skewed(&scanned("02-lists-deu")[0], 1.0);
    let result = made(&scan(&[page]), "json", json!({"language": "de"}));
    let items = |blocks: &[Value], said: fn(&Value) -> String| -> Vec<(Value, String)> {
        let items = of_kind(blocks, "list").flat_map(|list| list["items"].as_array().unwrap());
        items
            .map(|item| (item["level"].clone(), said(item)))
            .collect()
    };
    let found = items(&blocks(&model(&result)), |item| text(&item["runs"]));
    let wanted = items(&truth("02-lists-deu"), |item| {
        item["text"].as_str().unwrap().to_owned()
    });
    let bullets = 6;
    assert_eq!(found[..bullets], wanted[..bullets]);
}

#[test]
fn a_page_without_anything_on_it_stays_a_picture() {
    let blank = GrayImage::from_pixel(1654, 2339, Luma([250]));
    let result = made(&scan(&[blank]), "docx", json!({}));
    assert_eq!(result.warnings(), ["no_text_layer"]);
    assert_eq!(
        told(&result, "no_text_layer"),
        "OCR found no text on page 1."
    );
}

#[test]
fn pictures_of_pages_become_documents() {
    let page = skewed(&scanned("03-tables-eng")[0], 0.5);
    let truth = truth("03-tables-eng");
    let wanted: Vec<Vec<String>> =
        serde_json::from_value(of_kind(&truth, "table").next().unwrap()["rows"].clone()).unwrap();
    for (format, coded) in [
        (Format::Png, ImageFormat::Png),
        (Format::Tiff, ImageFormat::Tiff),
    ] {
        let mut bytes = std::io::Cursor::new(Vec::new());
        page.write_to(&mut bytes, coded).unwrap();
        let result = rig::run_bytes(bytes.get_ref(), format, &[step("json", json!({}))]).unwrap();
        let whole = model(&result);
        let found: Vec<_> = of_kind(&blocks(&whole), "table").map(rows).collect();
        assert!(is_like(&found[0], &wanted), "{format}: {found:?}");
        // Nobody says how large the paper was.
        assert_eq!(whole["pages"][0]["size"]["height"], 842.0);
        assert_eq!(result.warnings()[0], "text_recognised", "{format}");
    }
}

#[test]
fn what_an_annotation_says_is_read_once() {
    let form = "BT /F 24 Tf 5 10 Td (Received yesterday) Tj ET";
    let page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Annots[4 0 R]>>";
    let note =
        "<</Type/Annot/Subtype/FreeText/Rect[100 500 400 540]/F 4/Contents(x)/AP<</N 5 0 R>>>>";
    let font = "/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>";
    let source = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        page.into(),
        note.into(),
        stream(
            &format!("/Type/XObject/Subtype/Form/BBox[0 0 300 40]{font}"),
            form.as_bytes(),
        ),
    ]);
    let said = String::from_utf8(made(&source, "md", json!({})).bytes()).unwrap();
    assert_eq!(said.trim(), "Received yesterday");
}

#[test]
fn a_picture_without_words_is_told() {
    let grey = GrayImage::from_fn(400, 300, |x, _| Luma([(x / 2) as u8]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    grey.write_to(&mut bytes, ImageFormat::Png).unwrap();
    let made = |to| rig::run_bytes(bytes.get_ref(), Format::Png, &[step(to, json!({}))]);
    let result = made("docx").unwrap();
    assert_eq!(result.warnings(), ["no_text_layer"]);
    let refused = rig::code(made("csv")).err();
    assert_eq!(refused, Some(JobErrorCode::OutputInvalid));
}

#[test]
fn a_picture_without_words_among_others_is_a_page() {
    let pages = [
        scanned("05-report-eng")[0].clone(),
        GrayImage::from_pixel(400, 300, Luma([250])),
    ];
    let bytes = many_paged_tiff(&pages);
    for mode in ["flow", "layout"] {
        let made = |to| rig::run_bytes(&bytes, Format::Tiff, &[step(to, json!({"mode": mode}))]);
        let result = made("pptx").unwrap();
        assert_eq!(result.artifact.pages, 2);
        assert_eq!(result.warnings(), ["text_recognised", "no_text_layer"]);
    }
}

fn many_paged_tiff(pages: &[GrayImage]) -> Vec<u8> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut encoder = tiff::encoder::TiffEncoder::new(&mut bytes).unwrap();
    for page in pages {
        let (width, height) = page.dimensions();
        encoder
            .write_image::<tiff::encoder::colortype::Gray8>(width, height, page.as_raw())
            .unwrap();
    }
    bytes.into_inner()
}

/// So many pages that show the same blank scan.
fn blank_scans(count: usize) -> Vec<u8> {
    let blank = GrayImage::from_pixel(1700, 2200, Luma([255]));
    let mut coded = std::io::Cursor::new(Vec::new());
    blank.write_to(&mut coded, ImageFormat::Jpeg).unwrap();
    let kids: String = (0..count)
        .map(|page| format!("{} 0 R ", 5 + page))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {count}/MediaBox[0 0 612 792]/Resources<</XObject<</I 4 0 R>>>>>>").into_bytes(),
        stream("", b"q 612 0 0 792 0 0 cm /I Do Q"),
        stream("/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Width 1700/Height 2200", coded.get_ref()),
    ];
    objects.extend((0..count).map(|_| b"<</Type/Page/Parent 2 0 R/Contents 3 0 R>>".to_vec()));
    pdf(&objects)
}

#[test]
fn more_scans_than_there_is_time_for_are_refused() {
    let asked = |options| rig::run_bytes(&blank_scans(800), Format::Pdf, &[step("md", options)]);
    let refused = rig::code(asked(json!({}))).err();
    assert_eq!(refused, Some(JobErrorCode::TooManyPages));
    assert!(asked(json!({"ocr": "off"})).is_ok());
    assert!(asked(json!({"pages": "1-3"})).is_ok());
}
