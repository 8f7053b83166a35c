//! Text of many scripts, and the detection of its language.

use domain::format::Format;
use domain::operation::{OcrOptions, OcrOutput, Operation};
use image::{ImageFormat, imageops};
use serde_json::{Value, json};

use super::{edit_distance, encoded, length, read, text};
use crate::harness::{self, Converted};
use crate::{corpus, poppler};

const KOREAN: &str = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았으며 \
                      서로 형제애의 정신으로 행동하여야 한다. 계약 번호 2024-118, 회사 Octavo Software.";
const JAPANESE: &str = "すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。人間は、理性と良心とを授けられて\
                        おり、互いに同胞の精神をもって行動しなければならない。";
const HEBREW: &str = "כל בני האדם נולדו בני חורין ושווים בערכם ובזכויותיהם. כולם חוננו בתבונה ובמצפון, לפיכך חובה עליהם לנהוג איש ברעהו \
                      ברוח של אחווה. חברת Octavo Software מיום 14 במרץ 2024.";
const THAI: &str = "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม และควรปฏิบัติต่อกันด้วยเจตนารมณ์แห่งภราดรภาพ";

/// A page of few pixels with a text.
fn page(text: &str, style: &str) -> Vec<u8> {
    let page = format!(
        "<meta charset=utf-8><style>@page {{ size: 148mm 105mm }} body {{ font: 11pt/1.6 'Liberation Sans', sans-serif; {style} }}\
         </style><p>{text}</p>"
    );
    let steps = [harness::convert(Format::Pdf)];
    let shown = harness::run_bytes(page.as_bytes(), Format::Html, &steps).unwrap();
    let picture = imageops::grayscale(&poppler::picture(shown.path(), 1, 150));
    encoded(&picture, ImageFormat::Png)
}

fn recognized(page: &[u8]) -> Converted {
    let step = Operation::Ocr(OcrOptions {
        output: Some(OcrOutput::Text),
        ..OcrOptions::default()
    });
    harness::run_bytes(page, Format::Png, &[step]).unwrap()
}

/// The data of the warnings of a code.
fn data(result: &Converted, code: &str) -> Vec<Value> {
    let warnings = result.artifact.warnings.iter();
    warnings
        .filter(|warning| warning.code == code)
        .map(|warning| Value::Object(warning.data.clone()))
        .collect()
}

#[test]
fn every_script_is_detected_and_read_in_order() {
    let cases = vec![
        (KOREAN, "kor", "direction: ltr"),
        (
            JAPANESE,
            "jpn",
            "font-family: 'Noto Serif CJK JP'; writing-mode: vertical-rl",
        ),
        (HEBREW, "heb", "direction: rtl"),
        (THAI, "tha", "direction: ltr"),
    ];
    harness::each(cases, |(truth, language, style)| {
        let result = recognized(&page(truth, style));
        let found = text(&result);
        let (wrong, all) = (edit_distance(&found, truth), length(truth));
        // Tesseract misreads some characters of short vertical texts.
        let most = if language == "jpn" { all / 5 } else { all / 20 };
        assert!(wrong <= most, "{language}: {wrong} of {all}: {found}");
        let recognized = data(&result, "text_recognized");
        assert_eq!(recognized[0]["languages"], json!([language]));
        assert!(
            recognized[0]["confidence"].as_u64() >= Some(80),
            "{recognized:?}"
        );
        // Words have the spaces of the text.
        if language == "kor" {
            assert!(found.contains("모든 인간은 태어날 때부터"), "{found}");
            assert!(found.contains("회사 Octavo Software."), "{found}");
        }
    });
}

#[test]
fn detected_languages_are_those_of_the_page() {
    harness::each(
        vec![
            ("deu-brief-300.jpg", "deu"),
            ("rus-pismo-300.jpg", "rus"),
            ("fra-lettre-200.jpg", "fra"),
        ],
        |(name, language)| {
            let page = std::fs::read(corpus::file(&format!("ocr-truth/{name}"))).unwrap();
            let step = Operation::Ocr(OcrOptions::default());
            let result = harness::run_bytes(&page, Format::Jpeg, &[step]).unwrap();
            let recognized = data(&result, "text_recognized");
            assert_eq!(recognized[0]["languages"], json!([language]), "{name}");
            assert_eq!(data(&result, "language_mismatch"), Vec::<Value>::new());
        },
    );
}

#[test]
fn text_in_another_language_than_requested_is_reported() {
    harness::each(
        vec![("deu-brief-300.jpg", "deu"), ("rus-pismo-300.jpg", "rus")],
        |(name, language)| {
            let result = read(
                &corpus::file(&format!("ocr-truth/{name}")),
                "eng",
                OcrOutput::Text,
            );
            assert_eq!(
                data(&result, "language_mismatch"),
                [json!({"pages": [1], "detected": language, "used": ["eng"]})],
                "{name}"
            );
        },
    );
}

#[test]
fn blank_pages_are_reported() {
    let white = image::GrayImage::from_pixel(600, 800, image::Luma([255]));
    let result = recognized(&encoded(&white, ImageFormat::Png));
    assert_eq!(result.warnings(), ["no_text_layer"]);
    assert_eq!(data(&result, "no_text_layer"), [json!({"pages": [1]})]);
}
