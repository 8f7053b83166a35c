//! Operation `pdfa`.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::json;

use crate::attachments::{document, info, invoice};
use crate::{corpus, harness, poppler, qpdf};

const LEVELS: [(&str, &str, &str); 4] = [
    ("1b", "1", "B"),
    ("2b", "2", "B"),
    ("2u", "2", "U"),
    ("3b", "3", "B"),
];

fn archived(document: &[u8], level: &str) -> harness::Converted {
    let step = Operation::read(&json!({"operation": "pdfa", "level": level}), "$").unwrap();
    let result = harness::run_bytes(document, Format::Pdf, &[step]);
    let result = result.unwrap_or_else(|error| panic!("{level}: {error:?}"));
    qpdf::check(result.path(), "");
    result
}

#[test]
fn each_level_has_its_identification_and_keeps_the_document() {
    let file = "pdf-text/multi_page.pdf";
    let source = std::fs::read(corpus::file(file)).unwrap();
    let words = poppler::words(&corpus::file(file));
    for (level, part, conformance) in LEVELS {
        let result = archived(&source, level);
        let packet = poppler::packet(result.path());
        let part = format!("<pdfaid:part>{part}</pdfaid:part>");
        let conformance = format!("<pdfaid:conformance>{conformance}</pdfaid:conformance>");
        assert!(
            packet.contains(&part) && packet.contains(&conformance),
            "{packet}"
        );
        assert_eq!(poppler::words(result.path()), words, "{level}");
        // The columns of pdffonts: name, type, encoding, emb, sub, uni, object.
        for font in poppler::fonts(result.path()).lines().skip(2) {
            let embedded = font.split_whitespace().rev().nth(4);
            assert_eq!(embedded, Some("yes"), "{level}: {font}");
        }
        let text = String::from_utf8_lossy(&result.bytes()).into_owned();
        assert_eq!(text.contains("/ObjStm"), level != "1b", "{level}");
        assert!(text.starts_with(if level == "1b" {
            "%PDF-1.4"
        } else {
            "%PDF-1.7"
        }));
    }
}

#[test]
fn metadata_language_bookmarks_and_page_labels_are_kept() {
    let file = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let titled =
        json!({"operation": "metadata", "title": "\u{dc}bersicht <1>", "author": "\u{6f22}"});
    let titled = Operation::read(&titled, "$").unwrap();
    let source = harness::run(&file, Format::Pdf, &[titled]).unwrap();
    let result = archived(&source.bytes(), "2b");
    let (before, after) = (info(&source.bytes()), info(&result.bytes()));
    for key in ["title", "author", "created", "pages", "pageSizes"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!(after["title"], "\u{dc}bersicht <1>");
    assert_eq!(qpdf::outline(result.path()), qpdf::outline(source.path()));
    let labels = |pdf| qpdf::json(pdf, "pagelabels");
    assert_eq!(labels(result.path()), labels(source.path()));
}

#[test]
fn attached_files_are_kept_in_level_3b_only() {
    let xml = invoice("urn:cen.eu:en16931:2017", "");
    let source = document("factur-x.xml", xml.as_bytes());
    for (level, _, _) in LEVELS {
        let result = archived(&source, level);
        let is_kept = level == "3b";
        let info = info(&result.bytes());
        assert_eq!(
            info["attachmentCount"],
            if is_kept { 2 } else { 0 },
            "{level}"
        );
        let warnings = result.warnings();
        assert_eq!(
            warnings.contains(&"attachments_left_out"),
            !is_kept,
            "{level}"
        );
        if is_kept {
            assert_eq!(info["eInvoice"]["grossTotal"], "119.00");
            assert_eq!(info["attachments"][0]["relationship"], "Alternative");
        }
    }
}

#[test]
fn values_of_forms_become_page_content() {
    let source = std::fs::read(corpus::file("pdf-forms/annotation-text-widget.pdf")).unwrap();
    let result = archived(&source, "2b");
    assert!(
        result.warnings().contains(&"fields_flattened"),
        "{:?}",
        result.warnings()
    );
    assert_eq!(info(&result.bytes())["forms"], false);
    let words = poppler::words(result.path());
    assert!(words.iter().any(|word| word == "Multiline"), "{words:?}");
}

#[test]
fn a_result_is_reproducible() {
    let source = std::fs::read(corpus::file("pdf-text/multi_page.pdf")).unwrap();
    assert_eq!(
        archived(&source, "2b").bytes(),
        archived(&source, "2b").bytes()
    );
}

#[test]
fn real_documents_are_converted() {
    let documents = corpus::good(&["pdf-text", "pdf-scan", "pdf-forms"], 6);
    harness::each(documents, |(entry, _)| {
        let step = Operation::read(&json!({"operation": "pdfa"}), "$").unwrap();
        let result = harness::run(&entry.path(), Format::Pdf, &[step]);
        let result = match harness::code(result) {
            // The owner of this form does not permit changes.
            Err(code) => {
                assert_eq!(code, JobErrorCode::PermissionDenied, "{}", entry.file);
                assert_eq!(entry.file, "pdf-forms/form_dd0293.pdf");
                return;
            }
            Ok(result) => result,
        };
        qpdf::check(result.path(), "");
        assert_eq!(
            poppler::pages(result.path()),
            poppler::pages(&entry.path()),
            "{}",
            entry.file
        );
    });
}
