//! Operations `repair` and `flatten`.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{NoOptions, Operation};

use crate::sample_documents::numbered;
use crate::{corpus, harness, poppler, qpdf};

fn repair() -> Operation {
    Operation::Repair(NoOptions {})
}

fn flatten() -> Operation {
    Operation::Flatten(NoOptions {})
}

#[test]
fn damaged_documents_are_repaired_or_rejected() {
    let entries = corpus::entries(
        &["pdf-broken"],
        &["ok", "repairable", "input_corrupt", "safe"],
    );
    harness::each(entries, |(entry, _)| {
        match harness::code(harness::run(&entry.path(), Format::Pdf, &[repair()])) {
            Ok(result) => {
                qpdf::check(result.path(), "");
                assert_eq!(
                    poppler::pages(result.path()),
                    result.artifact.pages,
                    "{}",
                    entry.file
                );
            }
            Err(code) => {
                assert_eq!(code, JobErrorCode::InputCorrupt, "{}", entry.file);
                assert_ne!(entry.expect, "ok", "{}", entry.file);
            }
        }
    });
}

#[test]
fn repairs_get_a_warning() {
    let original = numbered("page", 3);
    let result = harness::run_bytes(&original, Format::Pdf, &[repair()]).unwrap();
    assert_eq!(result.warnings(), Vec::<&str>::new());
    // Without its xref table.
    let end = original
        .windows(5)
        .rposition(|window| window == b"xref\n")
        .unwrap();
    let result = harness::run_bytes(&original[..end], Format::Pdf, &[repair()]).unwrap();
    assert_eq!(result.warnings(), ["damage_repaired"]);
    assert_eq!(
        poppler::texts(result.path()),
        ["page 1", "page 2", "page 3"]
    );
}

#[test]
fn flatten_merges_forms_into_pages() {
    harness::each(corpus::good(&["pdf-forms"], 7), |(entry, _)| {
        let result = harness::run(&entry.path(), Format::Pdf, &[flatten()]);
        let result = result.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        qpdf::check(result.path(), "");
        assert_eq!(
            poppler::field(result.path(), "Form"),
            "none",
            "{}",
            entry.file
        );
        let expected = poppler::picture(&entry.path(), 1, 60);
        let found = poppler::picture(result.path(), 1, 60);
        let difference = crate::similarity::difference(&expected, &found, 60);
        assert!(difference < 4.0, "{}: {difference}", entry.file);
    });
}

#[test]
fn flatten_keeps_links() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let links = |path: &std::path::Path| {
        let objects = qpdf::json(path, "qpdf").to_string();
        objects.matches("\"/Subtype\":\"/Link\"").count()
    };
    let result = harness::run(&source, Format::Pdf, &[flatten()]).unwrap();
    assert_eq!(links(result.path()), links(&source));
    assert_eq!(qpdf::outline(result.path()), qpdf::outline(&source));
}
