//! Pages that are drawn, and scans that were read before: what shows their words stays, or their words do.

use std::fmt::Write as _;

use domain::format::Format;
use domain::operation::Operation;
use serde_json::json;

use super::photographs::with_photograph;
use super::{made, model, scan, told};
use crate::documents::{pdf, stream};
use crate::structured::{blocks, of_kind, reopened};
use crate::{poppler, rig};

/// A page on which this is drawn.
fn page(contents: &str) -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R>>".to_vec(),
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

/// Words whose letters are bars.
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

fn said(made: &rig::Made, format: &str) -> String {
    reopened(made.path(), format)["text"]
        .as_str()
        .unwrap()
        .to_owned()
}

#[test]
fn lines_that_are_taken_for_letters_are_no_text() {
    for options in [json!({"mode": "layout"}), json!({})] {
        let result = made(&fan(), "docx", options);
        assert_eq!(said(&result, "docx").trim(), "");
        assert_eq!(result.warnings(), ["no_text_layer"]);
    }
    let result = made(&fan(), "txt", json!({}));
    assert_eq!(String::from_utf8(result.bytes()).unwrap().trim(), "");
}

#[test]
fn words_that_drawings_show_are_found_and_not_seen_twice() {
    let source = bars("THE LITTLE FILE");
    let result = made(&source, "html", json!({"mode": "layout"}));
    assert_eq!(result.warnings()[0], "text_recognised");
    let html = String::from_utf8(result.bytes()).unwrap();
    for word in ["THE", "LITTLE", "FILE"] {
        let unseen = format!("color:transparent\">{word}<");
        assert!(html.contains(&unseen), "{word} is not in {html}");
    }
    let docx = made(&source, "docx", json!({"mode": "layout"}));
    let printed = rig::run(docx.path(), Format::Docx, &[rig::convert(Format::Pdf)]).unwrap();
    let ink = |pdf: &std::path::Path| {
        let picture = poppler::picture(pdf, 1, 40);
        picture.pixels().filter(|pixel| pixel.0[0] < 128).count()
    };
    let drawn = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(drawn.path(), &source).unwrap();
    let (before, after) = (ink(drawn.path()), ink(printed.path()));
    assert!(
        before > 100 && after.abs_diff(before) * 10 < before,
        "{before} {after}"
    );
    // What flows anew has the words alone.
    assert!(said(&made(&source, "docx", json!({})), "docx").contains("LITTLE"));
}

#[test]
fn a_scan_that_was_read_before_flows_as_one_that_is_read_now() {
    let read_now = scan(&[with_photograph()]);
    let ocr = json!({"operation": "ocr", "output": "pdf"});
    let ocr = Operation::read(&ocr, "$").unwrap();
    let read_before = rig::run_bytes(&read_now, Format::Pdf, &[ocr])
        .unwrap()
        .bytes();
    let (made_before, made_now) = (
        made(&read_before, "json", json!({})),
        made(&read_now, "json", json!({})),
    );
    let bounds = |made: &rig::Made| {
        let found = blocks(&model(made));
        assert_eq!(of_kind(&found, "image").count(), 1);
        let image = found.last().unwrap();
        let edge = |name: &str| image["bounds"][name].as_f64().unwrap();
        ["left", "top", "right", "bottom"].map(edge)
    };
    let off = bounds(&made_before).into_iter().zip(bounds(&made_now));
    assert!(
        off.into_iter()
            .all(|(before, now)| (before - now).abs() < 2.0)
    );
    let told = told(&made_before, "text_recognised_before");
    assert!(
        told.contains("a photograph was cut from the scan"),
        "{told}"
    );

    // Where everything keeps its place, the picture shows it.
    let placed = made(&read_before, "html", json!({"mode": "layout"}));
    assert_eq!(placed.warnings(), ["text_recognised_before"]);
    let html = String::from_utf8(placed.bytes()).unwrap();
    assert_eq!(html.matches("data:image/").count(), 1);
    assert!(html.contains("color:transparent"));
}
