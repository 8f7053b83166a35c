//! Conversions of PDF with a fixed layout, as rendered by other programs.

mod drawings;
mod real_documents;

use std::collections::BTreeMap;
use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use engine::EngineError;
use serde_json::json;

use crate::sample_documents::{numbered, pdf, stream};
use crate::structured::{reopened, step};
use crate::{corpus, harness, poppler};

/// Fixed-layout formats that another program renders.
const RENDERED_FORMATS: [(&str, Format); 3] = [
    ("docx", Format::Docx),
    ("pptx", Format::Pptx),
    ("html", Format::Html),
];

/// Largest allowed displacement of a word in points: substituted fonts have the same widths as the source's.
const TOLERANCE: f64 = 5.0;

fn convert_fixed(source: &Path, to: &str) -> harness::Converted {
    let result = harness::run(source, Format::Pdf, &[step(to, json!({"mode": "layout"}))]);
    result.unwrap_or_else(|error| panic!("{} to {to}: {error:?}", source.display()))
}

/// Prints a result to PDF with another program.
fn printed(result: &harness::Converted, format: Format) -> harness::Converted {
    harness::run(result.path(), format, &[harness::convert(Format::Pdf)]).unwrap()
}

/// The words that occur once on a page, with their centers.
fn once(words: &[(String, [f64; 4])]) -> BTreeMap<&str, (f64, f64)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    words
        .iter()
        .for_each(|(word, _)| *counts.entry(word).or_default() += 1);
    let middle =
        |[left, top, right, bottom]: [f64; 4]| ((left + right) / 2.0, (top + bottom) / 2.0);
    let single = words.iter().filter(|(word, _)| counts[word.as_str()] == 1);
    single
        .map(|(word, place)| (word.as_str(), middle(*place)))
        .collect()
}

/// The number of words that kept their position on the page, and the words that moved.
fn kept(source: &Path, visible: &Path) -> (usize, Vec<String>) {
    let (source, visible) = (poppler::word_boxes(source), poppler::word_boxes(visible));
    assert_eq!(source.len(), visible.len());
    let (mut kept, mut lost) = (0, Vec::new());
    for (source, visible) in source.iter().zip(&visible) {
        let visible = once(visible);
        for (word, from) in once(source) {
            match visible.get(word) {
                Some(to)
                    if (from.0 - to.0).abs() < TOLERANCE && (from.1 - to.1).abs() < TOLERANCE =>
                {
                    kept += 1
                }
                to => lost.push(format!("{word} from {from:?} to {to:?}")),
            }
        }
    }
    (kept, lost)
}

fn saved(document: &[u8]) -> tempfile::NamedTempFile {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), document).unwrap();
    file
}

/// A page with this content, with Helvetica, Helvetica Bold and Times as `F1`, `F2` and `F3`.
fn page(contents: &str) -> Vec<u8> {
    let fonts = ["Helvetica", "Helvetica-Bold", "Times-Roman"];
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R/F2 6 0 R/F3 7 0 R>>>>>>".to_vec(),
        stream("", contents.as_bytes()),
    ];
    objects.extend(fonts.map(|font| {
        format!("<</Type/Font/Subtype/Type1/BaseFont/{font}/Encoding/WinAnsiEncoding>>")
            .into_bytes()
    }));
    pdf(&objects)
}

/// White text on a colored area, two columns, a form line, and vertical text along the edges.
const FLYER: &str = "0.1 0.3 0.6 rg 0 742 595 100 re f
BT /F2 36 Tf 1 g 40 780 Td (Summer Festival) Tj ET
BT /F3 11 Tf 0 g 50 300 Td (The walk begins at noon along the quay) Tj 0 -14 Td (where boats are open to visitors and) Tj 0 -14 Td (children are welcome everywhere.) Tj ET
BT /F3 11 Tf 310 300 Td (In the evening there is music on two) Tj 0 -14 Td (stages. Food and drink are sold by those) Tj 0 -14 Td (clubs of our town which come.) Tj ET
0.5 w 0 G 50 180 m 250 180 l S BT /F1 10 Tf 50 183 Td (Name:) Tj ET
BT /F3 11 Tf 310 180 Td 8 Tw (Words set wide apart) Tj ET
BT /F1 11 Tf 0 1 -1 0 585 100 Tm (Upwards) Tj ET
BT /F1 11 Tf 0 -1 1 0 12 400 Tm (Downwards) Tj ET";

#[test]
fn words_keep_their_position() {
    let (flyer, form) = (
        saved(&page(FLYER)),
        corpus::file("pdf-forms/form_dd0293.pdf"),
    );
    harness::each(RENDERED_FORMATS.to_vec(), |(to, format)| {
        for (source, most) in [(flyer.path(), 0), (form.as_path(), 12)] {
            let result = convert_fixed(source, to);
            let (kept, lost) = kept(source, printed(&result, format).path());
            assert!(
                lost.len() * 100 <= kept * most,
                "{to}: {kept} and not {lost:#?}"
            );
        }
    });
}

/// Bounding box of dark pixels on the first page, in points.
fn ink(document: &Path) -> [u32; 4] {
    let picture = poppler::picture(document, 1, 72);
    let dark = picture
        .enumerate_pixels()
        .filter(|(_, _, pixel)| pixel.0[0] < 128);
    dark.fold(
        [u32::MAX, u32::MAX, 0, 0],
        |[left, top, right, bottom], (x, y, _)| {
            [left.min(x), top.min(y), right.max(x), bottom.max(y)]
        },
    )
}

#[test]
fn rotated_words_keep_their_position() {
    let turned = |angle: f64| {
        let (sine, cosine) = angle.to_radians().sin_cos();
        let matrix = format!("{cosine} {sine} {} {cosine} 300 400 Tm", -sine);
        saved(&page(&format!(
            "BT /F1 24 Tf {matrix} (Turned words) Tj ET"
        )))
    };
    harness::each(vec![0.0, 30.0, 90.0, 135.0, 180.0, 300.0], |angle| {
        let source = turned(angle);
        for (to, format) in &RENDERED_FORMATS {
            let visible = printed(&convert_fixed(source.path(), to), *format);
            let (from, to_place) = (ink(source.path()), ink(visible.path()));
            let difference = from
                .iter()
                .zip(to_place)
                .map(|(from, to)| from.abs_diff(to));
            assert!(
                difference.max() < Some(6),
                "{to} at {angle}: {from:?} to {to_place:?}"
            );
        }
    });
}

#[test]
fn independent_libraries_read_every_word() {
    let flyer = saved(&page(FLYER));
    for (to, _) in RENDERED_FORMATS {
        let result = convert_fixed(flyer.path(), to);
        let read = reopened(result.path(), to);
        let text = read["text"].as_str().unwrap();
        for words in [
            "Summer Festival",
            "The walk begins at noon",
            "Upwards",
            "Name:",
            "apart",
        ] {
            assert!(text.contains(words), "{to}: {words} is not in {text}");
        }
        assert_eq!(
            (result.artifact.pages, result.warnings()),
            (1, vec![]),
            "{to}"
        );
    }
}

/// Two columns of `lines` lines.
fn columns(lines: i32) -> Vec<u8> {
    let line = |line: i32| {
        let y = 700 - line * 13;
        format!(
            "BT /F3 11 Tf 50 {y} Td (left {line} goes on with more words in every one) Tj ET
BT /F3 11 Tf 310 {y} Td (right {line} goes on with more words than others) Tj ET\n"
        )
    };
    page(&(0..lines).map(line).collect::<String>())
}

#[test]
fn text_keeps_columns_or_reading_order() {
    let columns = saved(&columns(20));
    let text = |mode| {
        let step = step("txt", json!({"mode": mode}));
        let result = harness::run(columns.path(), Format::Pdf, &[step]).unwrap();
        String::from_utf8(result.bytes()).unwrap()
    };
    let (flow, layout) = (text("flow"), text("layout"));
    let next_to = layout
        .lines()
        .filter(|line| line.starts_with("left ") || line.contains(" left "));
    let next_to = next_to.filter(|line| line.contains("  right "));
    assert_eq!(next_to.count(), 20, "{layout}");
    let place = |words: &str| {
        flow.find(words)
            .unwrap_or_else(|| panic!("{words} is not in {flow}"))
    };
    assert!(place("left 19") < place("right 0"), "{flow}");
    for text in [&flow, &layout] {
        assert!(text.ends_with('\n') && !text.contains('\u{c}'));
    }
}

#[test]
fn hidden_text_is_searchable_and_invisible() {
    let contents = "q 500 0 0 500 50 250 cm BI /W 1 /H 1 /BPC 8 /CS /G ID z EI Q BT 3 Tr /F1 20 Tf 100 400 Td (Recognised) Tj \
                    0 -300 Td (Elsewhere) Tj ET";
    let scan = saved(&page(contents));
    for (to, format) in RENDERED_FORMATS {
        let result = convert_fixed(scan.path(), to);
        assert_eq!(result.warnings(), ["text_recognized_before"], "{to}");
        let visible = printed(&result, format);
        let picture = poppler::picture(visible.path(), 1, 40);
        let dark = picture
            .pixels()
            .filter(|pixel| pixel.0.iter().all(|part| *part < 60))
            .count();
        assert_eq!(dark, 0, "{to}");
        let read = reopened(result.path(), to);
        let output = read["text"].as_str().unwrap();
        assert!(
            output.contains("Recognised") && output.contains("Elsewhere"),
            "{to}: {output}"
        );
    }
}

#[test]
fn degenerate_content_is_tolerated() {
    let spot = "BT /F1 10 Tf 50 700 Td (w) Tj ET ";
    let spot = format!(
        "{}0 g -1e9 -1e9 2e9 2e9 re f BT /F1 1e7 Tf 0 0 Td (x) Tj ET",
        spot.repeat(10_000)
    );
    for (to, _) in RENDERED_FORMATS {
        let result = convert_fixed(saved(&page(&spot)).path(), to);
        assert_eq!(result.artifact.pages, 1, "{to}");
    }
    let many = saved(&numbered("Leaf", 5_000));
    for to in ["docx", "html", "txt"] {
        assert_eq!(convert_fixed(many.path(), to).artifact.pages, 5_000, "{to}");
    }
}

#[test]
fn presentations_with_too_many_slides_are_rejected_before_analysis() {
    let many = saved(&numbered("Leaf", 5_000));
    for options in [json!({}), json!({"mode": "layout"})] {
        let result = harness::run(many.path(), Format::Pdf, &[step("pptx", options)]);
        let Err(EngineError::Document(error)) = result else {
            panic!("it is not rejected");
        };
        assert_eq!(error.code, JobErrorCode::InputTooLarge);
        let message = error.message;
        assert!(
            message.contains("4995") && message.contains("5000"),
            "{message}"
        );
    }
}

/// A page with an image that has an alternative text in the structure tree.
fn figure() -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 5 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Contents 4 0 R/StructParents 0>>".to_vec(),
        stream("", b"/Figure <</MCID 0>> BDC q 100 0 0 100 50 50 cm BI /W 1 /H 1 /BPC 8 /CS /G ID z EI Q EMC"),
        b"<</Type/StructTreeRoot/K 6 0 R/ParentTree 7 0 R>>".to_vec(),
        b"<</Type/StructElem/S/Figure/P 5 0 R/Pg 3 0 R/K 0/Alt(A grey square)>>".to_vec(),
        b"<</Nums[0[6 0 R]]>>".to_vec(),
    ])
}

#[test]
fn pictures_keep_their_alternative_text() {
    let figure = saved(&figure());
    for (to, part, words) in [
        ("docx", "word/document.xml", "descr=\"A grey square\""),
        ("pptx", "ppt/slides/slide1.xml", "descr=\"A grey square\""),
        ("html", "", "alt=\"A grey square\""),
    ] {
        let result = harness::run(
            figure.path(),
            Format::Pdf,
            &[step(to, json!({"mode": "layout", "ocr": "off"}))],
        )
        .unwrap();
        let text = match part {
            "" => String::from_utf8(result.bytes()).unwrap(),
            part => {
                let file = std::fs::File::open(result.path()).unwrap();
                let mut package = zip::ZipArchive::new(file).unwrap();
                std::io::read_to_string(package.by_name(part).unwrap()).unwrap()
            }
        };
        assert!(text.contains(words), "{to}: {text}");
    }
}
