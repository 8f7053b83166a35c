//! Operation `info`.

use domain::format::Format;
use domain::operation::{NoOptions, Operation};
use serde_json::{Value, json};

use crate::{corpus, harness, poppler};

fn info(file: &str, format: Format) -> Value {
    let step = Operation::Info(NoOptions {});
    let result = harness::run(&corpus::file(file), format, &[step]);
    let result = result.unwrap_or_else(|error| panic!("{file}: {error:?}"));
    assert_eq!(result.artifact.content_type, "application/json");
    assert_eq!(result.artifact.extension, "json");
    serde_json::from_slice(&result.bytes()).unwrap()
}

#[test]
fn pdf_info_matches_poppler() {
    harness::each(
        corpus::good(&["pdf-text", "pdf-scan", "pdf-forms"], 8),
        |(entry, _)| {
            let info = info(&entry.file, Format::Pdf);
            let path = entry.path();
            assert_eq!(info["pages"], poppler::pages(&path), "{}", entry.file);
            assert_eq!(info["pdfVersion"], poppler::field(&path, "PDF version"));
            let tagged = poppler::field(&path, "Tagged") == "yes";
            assert_eq!(info["tagged"], tagged, "{}", entry.file);
            let encrypted = poppler::field(&path, "Encrypted") != "no";
            assert_eq!(info["encrypted"], encrypted, "{}", entry.file);
            assert_eq!(
                info["forms"],
                poppler::field(&path, "Form") != "none",
                "{}",
                entry.file
            );
            let title = poppler::maybe_field(&path, "Title").filter(|title| !title.is_empty());
            assert_eq!(info["title"].as_str(), title.as_deref(), "{}", entry.file);
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
            let first = &info["pageSizes"][0];
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
                info["pageSizes"].as_array().unwrap().len() as u64,
                info["pages"]
            );
        },
    );
}

#[test]
fn permissions_of_protected_documents_are_listed() {
    let info = info("pdf-encrypted/enc-R3,V2,O=master.pdf", Format::Pdf);
    assert_eq!(info["encrypted"], true);
    assert_eq!(info["permissions"], json!(["annotate", "fill-forms"]));
}

#[test]
fn image_info_is_read_from_the_file() {
    let expected = json!({"format": "jpeg", "pages": 1, "width": 1800, "height": 1200});
    let info = info("images/jpeg/Landscape_6.jpg", Format::Jpeg);
    for (key, value) in expected.as_object().unwrap() {
        assert_eq!(&info[key], value, "{key}");
    }
}
