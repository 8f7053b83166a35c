//! Damaged PDF is mended, and forms become part of the pages.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{NoOptions, Operation};

use crate::documents::numbered;
use crate::{corpus, poppler, qpdf, rig};

fn repair() -> Operation {
    Operation::Repair(NoOptions {})
}

fn flatten() -> Operation {
    Operation::Flatten(NoOptions {})
}

#[test]
fn a_damaged_document_is_mended_or_refused() {
    let entries = corpus::entries(
        &["pdf-broken"],
        &["ok", "repairable", "input_corrupt", "safe"],
    );
    rig::each(entries, |(entry, _)| {
        match rig::code(rig::run(&entry.path(), Format::Pdf, &[repair()])) {
            Ok(made) => {
                qpdf::check(made.path(), "");
                assert_eq!(
                    poppler::pages(made.path()),
                    made.artifact.pages,
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
fn what_was_damaged_is_said() {
    let whole = numbered("page", 3);
    let made = rig::run_bytes(&whole, Format::Pdf, &[repair()]).unwrap();
    assert_eq!(made.warnings(), Vec::<&str>::new());
    // Without its table of objects.
    let end = whole
        .windows(5)
        .rposition(|window| window == b"xref\n")
        .unwrap();
    let made = rig::run_bytes(&whole[..end], Format::Pdf, &[repair()]).unwrap();
    assert_eq!(made.warnings(), ["damage_repaired"]);
    assert_eq!(poppler::texts(made.path()), ["page 1", "page 2", "page 3"]);
}

#[test]
fn forms_become_part_of_the_pages() {
    rig::each(corpus::good(&["pdf-forms"], 7), |(entry, _)| {
        let made = rig::run(&entry.path(), Format::Pdf, &[flatten()]);
        let made = made.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        qpdf::check(made.path(), "");
        assert_eq!(
            poppler::field(made.path(), "Form"),
            "none",
            "{}",
            entry.file
        );
        let expected = poppler::picture(&entry.path(), 1, 60);
        let found = poppler::picture(made.path(), 1, 60);
        let difference = crate::likeness::difference(&expected, &found, 60);
        assert!(difference < 4.0, "{}: {difference}", entry.file);
    });
}

#[test]
fn links_stay_links_when_the_rest_is_flattened() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let links = |path: &std::path::Path| {
        let objects = qpdf::json(path, "qpdf").to_string();
        objects.matches("\"/Subtype\":\"/Link\"").count()
    };
    let made = rig::run(&source, Format::Pdf, &[flatten()]).unwrap();
    assert_eq!(links(made.path()), links(&source));
    assert_eq!(qpdf::outline(made.path()), qpdf::outline(&source));
}
