//! Pages whose text is vector drawings, and scans with an existing text layer: either the drawing or its text is kept.

use std::fmt::Write as _;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::json;

use super::photographs::with_photograph;
use super::{converted, model, scan, warning_message};
use crate::sample_documents::{pdf, stream};
use crate::structured::{blocks, of_kind, reopened, step};
use crate::{harness, poppler};

/// A page with this content stream.
fn page(contents: &str) -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>".to_vec(),
        stream("", contents.as_bytes()),
    ])
}

/// Lines that fan out over a page.
fn fan() -> Vec<u8> {
    let mut contents = String::new();
    for line in 0..200 {
        let (from, to) = (28.0 + 2.5 * f64::from(line), 567.0 - 1.4 * f64::from(line));
        writeln!(contents, "{from} 814 m {to} 48 l S").unwrap();
    }
    page(&contents)
}

/// Words whose letters are drawn as bars.
fn bars(words: &str) -> Vec<u8> {
    let (mut contents, mut x) = (String::new(), 60.0);
    for letter in words.chars() {
        let bars: &[[f64; 4]] = match letter {
            'E' => &[
                [0.0, 0.0, 6.0, 40.0],
                [0.0, 0.0, 24.0, 6.0],
                [0.0, 17.0, 20.0, 6.0],
                [0.0, 34.0, 24.0, 6.0],
            ],
            'F' => &[
                [0.0, 0.0, 6.0, 40.0],
                [0.0, 17.0, 20.0, 6.0],
                [0.0, 34.0, 24.0, 6.0],
            ],
            'H' => &[
                [0.0, 0.0, 6.0, 40.0],
                [20.0, 0.0, 6.0, 40.0],
                [0.0, 17.0, 26.0, 6.0],
            ],
            'I' => &[[0.0, 0.0, 6.0, 40.0]],
            'L' => &[[0.0, 0.0, 6.0, 40.0], [0.0, 0.0, 24.0, 6.0]],
            'T' => &[[10.0, 0.0, 6.0, 40.0], [0.0, 34.0, 26.0, 6.0]],
            _ => &[],
        };
        for [left, bottom, width, height] in bars {
            writeln!(
                contents,
                "{} {} {width} {height} re f",
                x + left,
                600.0 + bottom
            )
            .unwrap();
        }
        x += if letter == 'I' { 14.0 } else { 34.0 };
    }
    page(&contents)
}

/// A page with lines of text, and a logo of rings around these words, whose letters are outlines.
fn logo(words: &[&str]) -> Vec<u8> {
    let mut contents = String::from("0 0 0.6 RG 2 w ");
    for radius in [100.0, 106.0, 112.0, 118.0] {
        contents.push_str(&ring((300.0, 650.0), radius));
    }
    for (line, word) in words.iter().enumerate() {
        writeln!(
            contents,
            "BT /F 18 Tf 255 {} Td ({word}) Tj ET",
            700 - 26 * line
        )
        .unwrap();
    }
    let drawn = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(drawn.path(), page(&contents)).unwrap();
    let mut text = String::new();
    for line in 0..5 {
        let y = 500 + 14 * line;
        writeln!(
            text,
            r#"<text x="60" y="{y}" font-family="Liberation Sans" font-size="10">The keeper of the lamp wrote line {line} for all the readers of the report</text>"#
        )
        .unwrap();
    }
    // An SVG of Poppler has glyphs as outlines.
    let svg = poppler::svg(drawn.path(), 1).replace("</svg>", &(text + "</svg>"));
    let steps = [harness::convert(Format::Pdf)];
    let printed = harness::run_bytes(svg.as_bytes(), Format::Svg, &steps);
    printed.unwrap().bytes()
}

/// A circle of four curves.
fn ring((x, y): (f64, f64), radius: f64) -> String {
    let arm = radius * 0.5523;
    let (left, right, bottom, top) = (x - radius, x + radius, y - radius, y + radius);
    let (west, east, south, north) = (x - arm, x + arm, y - arm, y + arm);
    format!(
        "{right} {y} m {right} {north} {east} {top} {x} {top} c {west} {top} {left} {north} {left} {y} c {left} {south} {west} {bottom} {x} {bottom} c {east} {bottom} {right} {south} {right} {y} c S\n"
    )
}

fn said(converted: &harness::Converted, format: &str) -> String {
    reopened(converted.path(), format)["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn drawn_lines_are_not_recognized_as_text() {
    let result = converted(&fan(), "docx", json!({"mode": "layout"}));
    assert_eq!(said(&result, "docx").trim(), "");
    assert_eq!(result.warnings(), ["no_text_layer"]);
    for to in ["docx", "txt"] {
        let steps = [step(to, json!({}))];
        let result = harness::code(harness::run_bytes(&fan(), Format::Pdf, &steps));
        assert_eq!(result.err(), Some(JobErrorCode::OutputInvalid), "{to}");
    }
}

#[test]
fn text_of_drawings_is_searchable_and_not_duplicated() {
    let source = bars("THE LITTLE FILE");
    let result = converted(&source, "html", json!({"mode": "layout"}));
    assert_eq!(result.warnings()[0], "text_recognized");
    let html = String::from_utf8(result.bytes()).unwrap();
    for word in ["THE", "LITTLE", "FILE"] {
        let invisible = format!("color:transparent\">{word}<");
        assert!(html.contains(&invisible), "{word} is not in {html}");
    }
    let docx = converted(&source, "docx", json!({"mode": "layout"}));
    let printed =
        harness::run(docx.path(), Format::Docx, &[harness::convert(Format::Pdf)]).unwrap();
    let ink = |pdf: &std::path::Path| {
        let picture = poppler::picture(pdf, 1, 40);
        picture.pixels().filter(|pixel| pixel.0[0] < 128).count()
    };
    let rendered = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(rendered.path(), &source).unwrap();
    let (before, after) = (ink(rendered.path()), ink(printed.path()));
    assert!(
        before > 100 && after.abs_diff(before) * 10 < before,
        "{before} {after}"
    );
    // Flowing text contains only the words.
    assert!(said(&converted(&source, "docx", json!({})), "docx").contains("LITTLE"));
}

#[test]
fn searchable_scans_flow_like_newly_recognized_ones() {
    let read_now = scan(&[with_photograph()]);
    let ocr = json!({"operation": "ocr", "output": "pdf"});
    let ocr = Operation::read(&ocr, "$").unwrap();
    let read_before = harness::run_bytes(&read_now, Format::Pdf, &[ocr])
        .unwrap()
        .bytes();
    let (searchable, recognized) = (
        converted(&read_before, "json", json!({})),
        converted(&read_now, "json", json!({})),
    );
    let bounds = |converted: &harness::Converted| {
        let found = blocks(&model(converted));
        assert_eq!(of_kind(&found, "image").count(), 1);
        let image = found.last().unwrap();
        let edge = |name: &str| image["bounds"][name].as_f64().unwrap();
        ["left", "top", "right", "bottom"].map(edge)
    };
    let off = bounds(&searchable).into_iter().zip(bounds(&recognized));
    assert!(
        off.into_iter()
            .all(|(before, now)| (before - now).abs() < 2.0)
    );
    let message = warning_message(&searchable, "text_recognized_before");
    assert!(message.contains("1 photograph was cut"), "{message}");

    // With a fixed layout, the page image shows it.
    let placed = converted(&read_before, "html", json!({"mode": "layout"}));
    assert_eq!(placed.warnings(), ["text_recognized_before"]);
    let html = String::from_utf8(placed.bytes()).unwrap();
    assert_eq!(html.matches("data:image/").count(), 1);
    assert!(html.contains("color:transparent"));
}

#[test]
fn a_figure_with_recognized_words_is_complete_in_all_formats() {
    let words = ["Harbour", "Lighthouse", "Archives", "Boathouse"];
    let source = logo(&words);
    let result = converted(&source, "json", json!({}));
    assert_eq!(result.warnings(), ["text_recognized"]);
    let found = blocks(&model(&result));
    let figures: Vec<_> = of_kind(&found, "image").collect();
    assert_eq!(figures.len(), 1, "{found:?}");
    let alternative = figures[0]["alternative"].as_str().unwrap();
    assert_eq!(alternative.split(' ').collect::<Vec<_>>(), words);
    // The image shows them, so they are not repeated as text.
    for to in ["html", "docx"] {
        let result = converted(&source, to, json!({}));
        assert_eq!(result.warnings(), ["text_recognized"], "{to}");
        let text = said(&result, to);
        assert!(text.contains("The keeper of the lamp"), "{to}: {text}");
        assert!(!text.contains("Lighthouse"), "{to}: {text}");
    }
}
