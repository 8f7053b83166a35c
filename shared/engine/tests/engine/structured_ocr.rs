//! Conversions of scans to editable documents: documents with known structure are rendered, skewed and rotated, and
//! recognized.

mod drawings;
mod garbled;
mod photographs;
mod unread_ink;

use std::f64::consts::PI;

use domain::format::Format;
use domain::job::JobErrorCode;
use image::{GrayImage, ImageFormat, Luma, imageops};
use serde_json::{Value, json};

use crate::sample_documents::{pdf, stream};
use crate::structured::{blocks, of_kind, reopened, rows, step, text, truth};
use crate::{corpus, harness, poppler};

/// Resolution of the scans in dpi.
const RESOLUTION: u32 = 200;
/// Content of a page of text.
const LETTERS: &str =
    "BT /F 12 Tf 60 700 Td (These words were written, so nobody has to read them.) Tj ET";

/// The pages of a known document as scans.
fn scanned(name: &str) -> Vec<GrayImage> {
    let source = corpus::file(&format!("layout-truth/{name}.docx"));
    let output = harness::run(&source, Format::Docx, &[harness::convert(Format::Pdf)]).unwrap();
    let pages = 1..=poppler::pages(output.path());
    let picture = |page| poppler::picture(output.path(), page, RESOLUTION);
    pages
        .map(|page| imageops::grayscale(&picture(page)))
        .collect()
}

/// An image rotated clockwise about its center.
fn skewed(picture: &GrayImage, degrees: f64) -> GrayImage {
    let (width, height) = picture.dimensions();
    GrayImage::from_fn(width, height, |x, y| {
        Luma([skewed_sample(picture, (x, y), degrees)])
    })
}

/// A sample of the rotated image.
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

/// A page: text or scan.
enum PageSource<'a> {
    Letters,
    Scan(&'a GrayImage),
}

/// A document of these pages.
fn document(page_sources: &[PageSource<'_>]) -> Vec<u8> {
    let number = |index: usize| 3 + 3 * index;
    let kids: String = (0..page_sources.len())
        .map(|index| format!("{} 0 R ", number(index)))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {}>>", page_sources.len()).into_bytes(),
    ];
    for (index, leaf) in page_sources.iter().enumerate() {
        let blank = GrayImage::new(1, 1);
        let (content, picture, sides) = match leaf {
            PageSource::Letters => (LETTERS.to_owned(), &blank, (595.0, 842.0)),
            PageSource::Scan(picture) => {
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
    let page_sources: Vec<_> = pages.iter().map(PageSource::Scan).collect();
    document(&page_sources)
}

fn converted(source: &[u8], to: &str, options: Value) -> harness::Converted {
    let output = harness::run_bytes(source, Format::Pdf, &[step(to, options)]);
    output.unwrap_or_else(|error| panic!("{to}: {error:?}"))
}

fn model(output: &harness::Converted) -> Value {
    serde_json::from_slice(&output.bytes()).unwrap()
}

fn headings(blocks: &[Value]) -> Vec<(Value, String)> {
    let headings = of_kind(blocks, "heading");
    let warning_message = headings.map(|heading| {
        let printed = match heading["runs"].is_array() && heading["text"].is_null() {
            true => text(&heading["runs"]),
            false => heading["text"].as_str().unwrap().to_owned(),
        };
        (heading["level"].clone(), printed)
    });
    warning_message.collect()
}

fn paragraphs(blocks: &[Value]) -> Vec<String> {
    let paragraphs = of_kind(blocks, "paragraph");
    paragraphs
        .map(|paragraph| text(&paragraph["runs"]))
        .collect()
}

/// Whether a table has the dimensions of another and nearly all of its cells: OCR misreads single letters.
fn is_similar_table(found: &[Vec<String>], wanted: &[Vec<String>]) -> bool {
    let shape = |table: &[Vec<String>]| table.iter().map(Vec::len).collect::<Vec<_>>();
    let cells = found.concat();
    let right = cells.iter().zip(wanted.concat());
    let right = right.filter(|(found, wanted)| *found == wanted).count();
    shape(found) == shape(wanted) && right * 10 >= cells.len() * 9
}

/// The message of a warning.
fn warning_message(output: &harness::Converted, code: &str) -> String {
    let mut warnings = output.artifact.warnings.iter();
    let warning = warnings.find(|warning| warning.code == code);
    warning.map_or_else(String::new, |warning| warning.message.clone())
}

#[test]
fn skewed_scans_convert_with_their_structure() {
    let pages: Vec<_> = scanned("05-report-eng")
        .iter()
        .map(|page| skewed(page, 1.0))
        .collect();
    let source = scan(&pages);
    let result = converted(&source, "json", json!({}));
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
            .all(|(found, wanted)| is_similar_table(found, wanted)),
        "{tables:?}"
    );
    assert_eq!(of_kind(&found, "image").count(), 1);
    let sizes: std::collections::BTreeSet<String> = of_kind(&found, "paragraph")
        .map(|paragraph| paragraph["runs"][0]["size"].to_string())
        .collect();
    assert!(sizes.len() <= 2, "{sizes:?}");
    assert_eq!(model(&result)["pages"][0]["basis"], "recognition");
    assert!(
        warning_message(&result, "text_recognized").contains("pages 1, 2, 3"),
        "{:?}",
        result.warnings()
    );

    // Between inspection and verification, OCR is most of the progress and writing the rest.
    let steps = [30, 60, 90, 93, 96, 100].map(|percent: u32| (5 + percent * 80 / 100) as u8);
    let steps = [&steps[..], &[100]].concat();
    assert!(
        result.progress.is_sorted()
            && result
                .progress
                .iter()
                .all(|warning_message| steps.contains(warning_message)),
        "{:?}",
        result.progress
    );
    assert_eq!(result.progress.last(), Some(&100));

    let result = converted(&source, "docx", json!({}));
    let read = reopened(result.path(), "docx");
    let printed = read["text"].as_str().unwrap();
    for paragraph in of_kind(&wanted, "paragraph").filter_map(|one| one["text"].as_str()) {
        assert!(
            printed.contains(paragraph),
            "{paragraph} is not in {printed}"
        );
    }
}

#[test]
fn only_pages_without_text_go_through_ocr() {
    let pages = scanned("01-headings-eng");
    let source = document(&[PageSource::Letters, PageSource::Scan(&pages[0])]);
    let result = converted(&source, "json", json!({}));
    let original = model(&result);
    let bases: Vec<_> = original["pages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| &page["basis"])
        .collect();
    assert_eq!(bases, ["geometry", "recognition"]);
    let found = blocks(&original);
    assert_eq!(
        paragraphs(&found)[0],
        "These words were written, so nobody has to read them."
    );
    let wanted = headings(&truth("01-headings-eng"));
    assert_eq!(headings(&found)[0].1, wanted[0].1);
    assert!(warning_message(&result, "text_recognized").contains("of page 2 "));
    assert_eq!(warning_message(&result, "no_text_layer"), "");

    let unread = converted(&source, "json", json!({"ocr": "off"}));
    let original = model(&unread);
    let page = original["pages"][1]["blocks"].as_array().unwrap();
    assert!(
        page.iter().all(|block| block["type"] == "image"),
        "{page:?}"
    );
    assert_eq!(unread.warnings(), ["no_text_layer"]);
    assert!(unread.artifact.engine.contains("layout"));

    // Pages that are not selected are not recognized.
    let first = converted(&source, "json", json!({"pages": "1"}));
    assert_eq!(first.warnings(), [""; 0]);
}

/// Draws a row of striped letters, which are of no script.
fn draw_unknown_letters(page: &mut GrayImage, (left, top): (u32, u32)) {
    let letters = (0..14).map(|letter| left + 24 * letter);
    for (left, x, y) in letters.flat_map(|left| {
        let points = (0..18).flat_map(|x| (0..26).map(move |y| (x, y)));
        points.map(move |(x, y)| (left, x, y))
    }) {
        if (x + 2 * y) % 9 < 3 {
            page.put_pixel(left + x, top + y, Luma([0]));
        }
    }
}

#[test]
fn rows_of_scans_that_ocr_does_not_read_are_reported() {
    let read = scanned("01-headings-eng")[0].clone();
    let mut partly = read.clone();
    for row in 0..3 {
        draw_unknown_letters(&mut partly, (300, 1750 + 80 * row));
    }
    let result = converted(&scan(&[read, partly]), "txt", json!({}));
    assert_eq!(
        result.warnings(),
        ["text_recognized", "text_not_recognized"]
    );
    assert_eq!(result.artifact.warnings[1].data["pages"], json!([2]));
}

#[test]
fn rotated_pages_are_recognized_in_their_language() {
    let page = &scanned("02-lists-deu")[0];
    let source = scan(&[imageops::rotate90(page)]);
    let result = converted(&source, "md", json!({"language": "de"}));
    let printed = String::from_utf8(result.bytes()).unwrap();
    let items = truth("02-lists-deu");
    let items = of_kind(&items, "list").flat_map(|list| list["items"].as_array().unwrap());
    let items: Vec<&str> = items.filter_map(|item| item["text"].as_str()).collect();
    assert!(items.iter().any(|item| item.contains(['ä', 'ö', 'ü', 'ß'])));
    for item in items {
        assert!(printed.contains(item), "{item} is not in {printed}");
    }
}

#[test]
fn bullets_misread_as_letters_become_list_items() {
    let page = skewed(&scanned("02-lists-deu")[0], 1.0);
    let result = converted(&scan(&[page]), "json", json!({"language": "de"}));
    let items = |blocks: &[Value], printed: fn(&Value) -> String| -> Vec<(Value, String)> {
        let items = of_kind(blocks, "list").flat_map(|list| list["items"].as_array().unwrap());
        items
            .map(|item| (item["level"].clone(), printed(item)))
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
fn blank_scans_stay_images() {
    let blank = GrayImage::from_pixel(1654, 2339, Luma([250]));
    let result = converted(&scan(&[blank]), "docx", json!({}));
    assert_eq!(result.warnings(), ["no_text_layer"]);
    assert_eq!(
        warning_message(&result, "no_text_layer"),
        "OCR recognized no text on page 1."
    );
}

#[test]
fn images_of_pages_convert_to_documents() {
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
        let result =
            harness::run_bytes(bytes.get_ref(), format, &[step("json", json!({}))]).unwrap();
        let original = model(&result);
        let found: Vec<_> = of_kind(&blocks(&original), "table").map(rows).collect();
        assert!(is_similar_table(&found[0], &wanted), "{format}: {found:?}");
        // The paper size is unknown.
        assert_eq!(original["pages"][0]["size"]["height"], 842.0);
        assert_eq!(result.warnings()[0], "text_recognized", "{format}");
    }
}

#[test]
fn annotation_text_is_not_duplicated() {
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
    let printed = String::from_utf8(converted(&source, "md", json!({})).bytes()).unwrap();
    assert_eq!(printed.trim(), "Received yesterday");
}

#[test]
fn images_without_text_get_a_warning() {
    let gray = GrayImage::from_fn(400, 300, |x, _| Luma([(x / 2) as u8]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    gray.write_to(&mut bytes, ImageFormat::Png).unwrap();
    let converted = |to| harness::run_bytes(bytes.get_ref(), Format::Png, &[step(to, json!({}))]);
    let result = converted("docx").unwrap();
    assert_eq!(result.warnings(), ["no_text_layer"]);
    let rejected = harness::code(converted("csv")).err();
    assert_eq!(rejected, Some(JobErrorCode::OutputInvalid));
}

#[test]
fn images_without_text_become_pages_of_their_own() {
    let pages = [
        scanned("05-report-eng")[0].clone(),
        GrayImage::from_pixel(400, 300, Luma([250])),
    ];
    let bytes = many_paged_tiff(&pages);
    for mode in ["flow", "layout"] {
        let converted =
            |to| harness::run_bytes(&bytes, Format::Tiff, &[step(to, json!({"mode": mode}))]);
        let result = converted("pptx").unwrap();
        assert_eq!(result.artifact.pages, 2);
        assert_eq!(result.warnings(), ["text_recognized", "no_text_layer"]);
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

/// `count` pages that show the same blank scan.
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
fn too_many_scans_are_rejected() {
    let requested =
        |options| harness::run_bytes(&blank_scans(800), Format::Pdf, &[step("json", options)]);
    let rejected = harness::code(requested(json!({}))).err();
    assert_eq!(rejected, Some(JobErrorCode::TooManyPages));
    assert!(requested(json!({"ocr": "off"})).is_ok());
    assert!(requested(json!({"pages": "1-3"})).is_ok());
}
