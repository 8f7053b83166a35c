//! Office documents become PDF.

use domain::format::Format;

use crate::{corpus, poppler, rig};

const KINDS: &[&str] = &[
    "docx", "doc", "odt", "rtf", "txt", "xlsx", "xls", "ods", "csv", "pptx", "ppt", "odp",
];

#[test]
fn every_kind_becomes_pdf_with_the_known_pages() {
    rig::each(corpus::good(KINDS, 2), |(entry, format)| {
        let made = rig::run(&entry.path(), format, &[rig::convert(Format::Pdf)]);
        let made = made.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        let pages = poppler::pages(made.path());
        assert_eq!(made.artifact.pages, pages, "{}", entry.file);
        assert_eq!(made.artifact.content_type, "application/pdf");
        assert_eq!(made.artifact.extension, "pdf");
        if let Some(known) = entry.pages {
            assert_eq!(pages, known, "{}", entry.file);
        } else if let Some(hint) = entry.pages_libreoffice {
            let most = hint + 2 + hint / 5;
            assert!(
                (1..=most).contains(&pages),
                "{}: {pages}, not {hint}",
                entry.file
            );
        }
        assert!(
            made.artifact.engine.starts_with("libreoffice "),
            "{}",
            made.artifact.engine
        );
    });
}

#[test]
fn a_table_in_text_keeps_its_columns_and_characters() {
    let directory = tempfile::tempdir().unwrap();
    let cases: [(&str, Format, &[u8]); 4] = [
        (
            "semicolons",
            Format::Csv,
            "Größe;\"x;y\";3,5\n1;2;3\n".as_bytes(),
        ),
        (
            "commas",
            Format::Csv,
            "Größe,\"x;y\",\"3,5\"\n1,2,3\n".as_bytes(),
        ),
        ("latin", Format::Csv, b"Gr\xf6\xdfe\tx;y\t3,5\n1\t2\t3\n"),
        ("text", Format::Txt, "Größe x;y 3,5\n".as_bytes()),
    ];
    for (name, format, bytes) in cases {
        let path = directory.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        let made = rig::run(&path, format, &[rig::convert(Format::Pdf)]).unwrap();
        let words = poppler::words(made.path());
        for word in ["Größe", "x;y", "3,5"] {
            assert!(words.iter().any(|found| found == word), "{name}: {words:?}");
        }
    }
}

#[test]
fn paper_is_a4_and_the_result_is_tagged() {
    for file in [
        "csv/csv-semicolon.csv",
        "xlsx/merged_range.xlsx",
        "txt/unicode_polish_utf8.txt",
    ] {
        let source = corpus::file(file);
        let format = Format::from_extension(file.rsplit('.').next().unwrap()).unwrap();
        let made = rig::run(&source, format, &[rig::convert(Format::Pdf)]).unwrap();
        assert_eq!(poppler::field(made.path(), "Tagged"), "yes", "{file}");
        let size = poppler::field(made.path(), "Page size");
        assert!(size.ends_with("(A4)"), "{file}: {size}");
    }
}

#[test]
fn charts_equations_and_the_text_of_links_that_are_not_followed_are_there() {
    for (file, expected) in [
        ("docx/testWORD_charts.docx", ["January", "August"]),
        ("docx/equations.docx", ["F=ma", "Pythagorean"]),
        (
            "hostile/testExternalRefs.docx",
            ["INCLUDEPICTURE:[Image", "LINK:[Link"],
        ),
    ] {
        let source = corpus::file(file);
        let made = rig::run(&source, Format::Docx, &[rig::convert(Format::Pdf)]).unwrap();
        let words = poppler::words(made.path());
        for word in expected {
            assert!(words.iter().any(|found| found == word), "{file}: {words:?}");
        }
    }
}

#[test]
fn the_same_document_becomes_the_same_bytes() {
    let files = [
        "docx/word_sample.docx",
        "xlsx/WithThreeCharts.xlsx",
        "pptx/powerpoint_sample.pptx",
        "odt/feature_images.odt",
    ];
    rig::each(files.to_vec(), |file| {
        let format = Format::from_extension(file.rsplit('.').next().unwrap()).unwrap();
        let make = || rig::run(&corpus::file(file), format, &[rig::convert(Format::Pdf)]).unwrap();
        assert_eq!(make().artifact.sha256, make().artifact.sha256, "{file}");
    });
}
