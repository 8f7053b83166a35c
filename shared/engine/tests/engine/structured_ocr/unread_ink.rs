//! Pages with some text of their own whose other words are outlines or pictures, and pages with charts.

use std::collections::HashSet;
use std::fmt::Write as _;

use domain::format::Format;
use image::ImageFormat;
use serde_json::{Value, json};
use task::{OUTPUT, Product, Warning};

use super::{RESOLUTION, converted, model};
use crate::sample_documents::{pdf, stream};
use crate::structured::{blocks, of_kind};
use crate::{corpus, harness, poppler};

/// The words that the source has as text, enough for a page of text.
const OWN: &str = "Confidential copy for registered subscribers of the library";

fn page(contents: &str, resources: &str, image: Option<Vec<u8>>) -> Vec<u8> {
    let own = format!("BT /F 9 Tf 60 825 Td ({OWN}) Tj ET\n{contents}");
    let objects: Vec<Vec<u8>> = image.into_iter().collect();
    document(("", "", resources), &own, &objects)
}

/// A document of one page with these further entries of the catalog, the page and its resources, and further objects from
/// number 6.
fn document(
    (catalog, page, resources): (&str, &str, &str),
    contents: &str,
    objects: &[Vec<u8>],
) -> Vec<u8> {
    let resources = format!("/Resources<</Font<</F 5 0 R>>{resources}>>");
    let mut all = vec![
        format!("<</Type/Catalog/Pages 2 0 R{catalog}>>").into_bytes(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]{page}{resources}/Contents 4 0 R>>"
        )
        .into_bytes(),
        stream("", contents.as_bytes()),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
    ];
    all.extend_from_slice(objects);
    pdf(&all)
}

/// The first page of a known document.
fn known() -> harness::Converted {
    let source = corpus::file("layout-truth/01-headings-eng.docx");
    harness::run(&source, Format::Docx, &[harness::convert(Format::Pdf)]).unwrap()
}

/// The known page as an image of this width and height in points, below the text.
fn pictured(width: u32, height: u32) -> Vec<u8> {
    let contents = format!("q {width} 0 0 {height} 20 {} cm /I Do Q", 810 - height);
    page(&contents, "/XObject<</I 6 0 R>>", Some(picture()))
}

/// The known page as an image.
fn picture() -> Vec<u8> {
    let picture = image::imageops::grayscale(&poppler::picture(known().path(), 1, RESOLUTION));
    let mut jpeg = std::io::Cursor::new(Vec::new());
    picture.write_to(&mut jpeg, ImageFormat::Jpeg).unwrap();
    let (across, down) = picture.dimensions();
    let entries = format!(
        "/Type/XObject/Subtype/Image/Width {across}/Height {down}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode"
    );
    stream(&entries, jpeg.get_ref())
}

/// A tagged page with a paragraph, a figure of text, and a heading that only its tag shows.
fn tagged() -> Vec<u8> {
    let contents = format!(
        "/P<</MCID 0>>BDC BT /F 9 Tf 60 825 Td ({OWN}) Tj ET EMC
        /Figure<</MCID 1>>BDC q 340 0 0 480 20 330 cm /I Do Q EMC
        /H2<</MCID 2>>BDC BT /F 9 Tf 60 300 Td (Closing remarks) Tj ET EMC"
    );
    let element = |role: &str, content: u32| {
        format!("<</Type/StructElem/S/{role}/P 8 0 R/Pg 3 0 R/K {content}>>").into_bytes()
    };
    let objects = [
        picture(),
        b"<</Type/StructTreeRoot/K 8 0 R/ParentTree 12 0 R>>".to_vec(),
        b"<</Type/StructElem/S/Document/P 7 0 R/K[9 0 R 10 0 R 11 0 R]>>".to_vec(),
        element("P", 0),
        element("Figure", 1),
        element("H2", 2),
        b"<</Nums[0[9 0 R 10 0 R 11 0 R]]>>".to_vec(),
    ];
    let catalog = "/MarkInfo<</Marked true>>/StructTreeRoot 7 0 R";
    document(
        (catalog, "/StructParents 0", "/XObject<</I 6 0 R>>"),
        &contents,
        &objects,
    )
}

/// The known page with its glyphs as outlines, which an SVG of Poppler has.
fn outlined() -> Vec<u8> {
    let svg = poppler::svg(known().path(), 1);
    let own = format!(
        r#"<text x="60" y="16" font-family="Liberation Sans" font-size="9">{OWN}</text></svg>"#
    );
    let svg = svg.replace("</svg>", &own);
    let steps = [harness::convert(Format::Pdf)];
    let printed = harness::run_bytes(svg.as_bytes(), Format::Svg, &steps);
    printed.unwrap().bytes()
}

fn text(output: &harness::Converted) -> String {
    String::from_utf8(output.bytes()).unwrap()
}

/// The share of the words of the known page that a text has.
fn found(text: &str) -> f64 {
    let words = |text: &str| -> HashSet<String> {
        let words = text.split(|c: char| !c.is_alphanumeric());
        let words = words.filter(|word| word.len() > 3).map(str::to_lowercase);
        words.collect()
    };
    let (known, found) = (words(&poppler::texts(known().path())[0]), words(text));
    known.intersection(&found).count() as f64 / known.len() as f64
}

#[test]
fn outlined_text_and_pictures_of_text_are_recognized_beside_real_text() {
    let sources = [
        ("outlines", outlined()),
        ("scan", pictured(555, 785)),
        ("picture", pictured(340, 480)),
    ];
    for (name, source) in sources {
        let result = converted(&source, "txt", json!({}));
        let shown = text(&result);
        assert!(found(&shown) > 0.9, "{name}: {} {shown}", found(&shown));
        assert_eq!(
            shown.matches("registered subscribers").count(),
            1,
            "{name}: {shown}"
        );
        assert_eq!(result.warnings()[0], "text_recognized", "{name}");
        assert!(!result.warnings().contains(&"drawings_left_out"), "{name}");
    }
}

#[test]
fn outlined_text_and_pictures_of_text_are_reported_without_ocr() {
    for source in [outlined(), pictured(340, 480)] {
        let result = converted(&source, "txt", json!({"ocr": "off"}));
        assert!(found(&text(&result)) < 0.1);
        assert_eq!(result.warnings(), ["text_not_recognized"]);
        assert_eq!(result.artifact.warnings[0].data["pages"], json!([1]));
    }
}

#[test]
fn structure_tags_are_kept_beside_a_recognized_picture() {
    let result = converted(&tagged(), "md", json!({}));
    let shown = text(&result);
    assert!(found(&shown) > 0.9, "{shown}");
    let (before, _) = shown.split_once("## Closing remarks").unwrap();
    assert!(before.contains("registered subscribers"), "{shown}");
    assert!(found(before) > 0.9, "{shown}");
    assert_eq!(result.warnings(), ["text_recognized"]);
}

#[test]
fn text_beside_recognized_text_is_verified() {
    let result = converted(&pictured(340, 480), "txt", json!({}));
    let product = Product {
        warnings: vec![Warning::TextRecognizedInPart(vec![1])],
        ..Product::default()
    };
    let verified = |text: &str| {
        let directory = tempfile::tempdir().unwrap();
        let source = directory.path().join("source.pdf");
        std::fs::write(&source, pictured(340, 480)).unwrap();
        std::fs::write(directory.path().join(OUTPUT), text).unwrap();
        let task = harness::conversion_task((&source, Format::Pdf), Format::Txt, directory.path());
        verify::content(&task, &product).unwrap()
    };
    let shown = text(&result);
    assert_eq!(verified(&shown), []);
    let own = OWN.split(' ');
    let without = own.fold(shown, |shown, word| shown.replace(word, ""));
    let warning = verified(&without);
    assert!(
        matches!(warning[..], [Warning::ContentMissing(_)]),
        "{warning:?}"
    );
}

#[test]
fn charts_are_kept_or_reported_and_rules_and_boxes_are_not() {
    let mut chart = String::from("1 0 0 RG 2 w 100 400 m ");
    for point in 1..=30 {
        let height = 400 + (point * 37) % 110;
        writeln!(chart, "{} {height} l", 100 + 10 * point).unwrap();
    }
    chart.push('S');
    let mut bars = String::from("0 0 1 rg ");
    for bar in 0..6 {
        writeln!(bars, "{} 300 20 {} re f", 100 + 40 * bar, 30 + 25 * bar).unwrap();
    }
    let pages = |source: &[u8], options: Value| -> Vec<Value> {
        let result = converted(source, "docx", options);
        let warnings = result.artifact.warnings.iter();
        let dropped = warnings.filter(|warning| warning.code == "drawings_left_out");
        dropped
            .map(|warning| warning.data["pages"].clone())
            .collect()
    };
    for drawing in [&chart, &bars] {
        let source = page(drawing, "", None);
        let dropped = json!({"images": "drop"});
        assert_eq!(pages(&source, dropped), [json!([1])], "{drawing}");
        assert!(pages(&source, json!({})).is_empty(), "{drawing}");
        let kept = blocks(&model(&converted(&source, "json", json!({}))));
        assert_eq!(of_kind(&kept, "image").count(), 1, "{drawing}");
        assert!(pages(&source, json!({"mode": "layout"})).is_empty());
        let plain = converted(&source, "txt", json!({"mode": "layout"}));
        assert!(plain.warnings().contains(&"drawings_left_out"));
    }
    // A result of tables has no drawings either, unless one table is requested.
    let table = |options: Value| {
        let mut contents = format!("{bars}0 G ");
        for (index, row) in ["North", "South", "West"].into_iter().enumerate() {
            let top = 600 + 20 * index;
            writeln!(
                contents,
                "60 {top} 100 20 re 160 {top} 100 20 re S BT /F 9 Tf 65 {0} Td ({row}) Tj 100 0 Td (12{index}) Tj ET",
                top + 6
            )
            .unwrap();
        }
        let result = converted(&page(&contents, "", None), "csv", options);
        assert!(text(&result).contains("North"), "{}", text(&result));
        result.warnings().contains(&"drawings_left_out")
    };
    assert!(table(json!({})) && !table(json!({"table": 1})));
    let mut plain = String::from("0.8 g 60 600 400 30 re f 0 G ");
    for row in 0..8 {
        writeln!(plain, "60 {0} m 460 {0} l S", 400 + 25 * row).unwrap();
        // A rounded box.
        writeln!(
            plain,
            "70 {0} m 440 {0} l 450 {0} 450 {0} 450 {1} c 450 {2} l 70 {2} l h S",
            100 + 30 * row,
            108 + 30 * row,
            124 + 30 * row
        )
        .unwrap();
    }
    assert!(pages(&page(&plain, "", None), json!({})).is_empty());
}
