//! What is told about documents.

use domain::format::Format;
use domain::operation::{NoOptions, Operation};
use serde_json::{Value, json};

use crate::{corpus, poppler, rig};

fn told(file: &str, format: Format) -> Value {
    let step = Operation::Info(NoOptions {});
    let made = rig::run(&corpus::file(file), format, &[step]);
    let made = made.unwrap_or_else(|error| panic!("{file}: {error:?}"));
    assert_eq!(made.artifact.content_type, "application/json");
    assert_eq!(made.artifact.extension, "json");
    serde_json::from_slice(&made.bytes()).unwrap()
}

#[test]
fn a_pdf_is_told_as_poppler_tells_it() {
    rig::each(
        corpus::good(&["pdf-text", "pdf-scan", "pdf-forms"], 8),
        |(entry, _)| {
            let told = told(&entry.file, Format::Pdf);
            let path = entry.path();
            assert_eq!(told["pages"], poppler::pages(&path), "{}", entry.file);
            assert_eq!(told["pdfVersion"], poppler::field(&path, "PDF version"));
            let tagged = poppler::field(&path, "Tagged") == "yes";
            assert_eq!(told["tagged"], tagged, "{}", entry.file);
            let encrypted = poppler::field(&path, "Encrypted") != "no";
            assert_eq!(told["encrypted"], encrypted, "{}", entry.file);
            assert_eq!(
                told["forms"],
                poppler::field(&path, "Form") != "none",
                "{}",
                entry.file
            );
            let title = poppler::maybe_field(&path, "Title").filter(|title| !title.is_empty());
            assert_eq!(told["title"].as_str(), title.as_deref(), "{}", entry.file);
            let size = poppler::field(&path, "Page size");
            let size: Vec<f64> = size
                .split(' ')
                .filter_map(|word| word.parse().ok())
                .collect();
            let turned = poppler::field(&path, "Page rot").parse::<u32>().unwrap() % 180 != 0;
            let (wide, high) = if turned {
                (size[1], size[0])
            } else {
                (size[0], size[1])
            };
            let first = &told["pageSizes"][0];
            assert_eq!(first["number"], 1);
            assert!(
                (first["width"].as_f64().unwrap() - wide).abs() < 0.1,
                "{}",
                entry.file
            );
            assert!(
                (first["height"].as_f64().unwrap() - high).abs() < 0.1,
                "{}",
                entry.file
            );
            assert_eq!(
                told["pageSizes"].as_array().unwrap().len() as u64,
                told["pages"]
            );
        },
    );
}

#[test]
fn what_a_protected_document_allows_is_told() {
    let told = told("pdf-encrypted/enc-R3,V2,O=master.pdf", Format::Pdf);
    assert_eq!(told["encrypted"], true);
    assert_eq!(told["permissions"], json!(["annotate", "fill-forms"]));
}

#[test]
fn an_image_is_told_by_its_pixels() {
    let expected = json!({"format": "jpeg", "pages": 1, "width": 1800, "height": 1200});
    let told = told("images/jpeg/Landscape_6.jpg", Format::Jpeg);
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&told[key], value, "{key}");
    }
}
