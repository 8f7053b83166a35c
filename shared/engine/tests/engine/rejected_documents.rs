//! Damaged, protected, hostile and mislabeled documents are rejected.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use domain::operation::is_supported_input;
use engine::EngineError;

use crate::corpus::{self, Entry};
use crate::harness::{self, rejection_code};
use crate::sample_documents::{binary_workbook, pdf};

/// The conversion for a document of a format.
fn step(from: Format) -> Operation {
    harness::convert(match from {
        Format::Pdf => Format::Png,
        _ => Format::Pdf,
    })
}

/// The valid outcomes for an expectation of the manifest; `None` is a result.
fn expected_outcomes(entry: &Entry) -> Vec<Option<JobErrorCode>> {
    let corrupt = Some(JobErrorCode::InputCorrupt);
    match entry.expect.as_str() {
        "ok" => vec![None],
        "password_required" => vec![Some(JobErrorCode::PasswordRequired)],
        "input_corrupt" => vec![corrupt],
        "repairable" => vec![None, corrupt],
        "limit_exceeded" => vec![Some(JobErrorCode::InputTooLarge), corrupt],
        "safe" => vec![None, corrupt, Some(JobErrorCode::InputTooLarge)],
        other => panic!("{other}"),
    }
}

#[test]
fn every_bad_document_fails_with_its_known_code() {
    let kinds = ["hostile", "office-encrypted", "pdf-broken", "pdf-encrypted"];
    let expected = [
        "ok",
        "password_required",
        "input_corrupt",
        "repairable",
        "limit_exceeded",
        "safe",
    ];
    harness::each(corpus::entries(&kinds, &expected), |(entry, format)| {
        let found = harness::code(harness::run(&entry.path(), format, &[step(format)])).err();
        let expected_outcomes = expected_outcomes(&entry);
        assert!(
            expected_outcomes.contains(&found),
            "{}: {found:?}, not {expected_outcomes:?}",
            entry.file
        );
    });
}

#[test]
fn mislabeled_documents_are_rejected() {
    let read = |name: &str| std::fs::read(corpus::file(name)).unwrap();
    let cases = [
        ("docx/text-box.docx", Format::Xlsx),
        ("docx/text-box.docx", Format::Odt),
        ("docx/text-box.docx", Format::Pdf),
        ("docx/text-box.docx", Format::Txt),
        ("docx/text-box.docx", Format::Png),
        ("doc/Word6.doc", Format::Xls),
        ("xls/merge_cells.xls", Format::Docx),
        (corpus::XLSB, Format::Xlsx),
        (corpus::XLSB, Format::Xls),
        ("xlsx/merged_range.xlsx", Format::Xlsb),
        ("rtf/french.rtf", Format::Doc),
        ("rtf/french.rtf", Format::Txt),
        ("pdf-text/vector.pdf", Format::Docx),
        ("pdf-text/vector.pdf", Format::Csv),
        ("images/png/basn2c16.png", Format::Jpeg),
        ("images/png/basn2c16.png", Format::Pdf),
        ("images/jpeg/cat.jpg", Format::Pptx),
    ];
    for (name, claimed) in cases {
        let mismatch = Some(JobErrorCode::ContentMismatch);
        assert_eq!(
            rejection_code(&read(name), claimed),
            mismatch,
            "{name} as {claimed}"
        );
    }
}

#[test]
fn errors_name_the_declared_format_and_that_of_the_content() {
    let read = |name: &str| std::fs::read(corpus::file(name)).unwrap();
    let (text, page) = (b"some words\n".to_vec(), b"<!doctype html><p>a".to_vec());
    for (document, claimed, found) in [
        (text.clone(), Format::Pdf, "`txt`"),
        (text.clone(), Format::Docx, "`txt`"),
        (text.clone(), Format::Doc, "`txt`"),
        (text, Format::Png, "`txt`"),
        (page, Format::Pdf, "`html`"),
        (read("docx/text-box.docx"), Format::Pdf, "`docx`"),
        (read("xls/merge_cells.xls"), Format::Pdf, "`xls`"),
        (read("doc/Word6.doc"), Format::Docx, "`doc`"),
        (b"\x01\x02\xff".to_vec(), Format::Pdf, ""),
    ] {
        let to = harness::convert(match claimed {
            Format::Pdf => Format::Png,
            _ => Format::Pdf,
        });
        let Err(EngineError::Document(error)) = harness::run_bytes(&document, claimed, &[to])
        else {
            panic!("{claimed}");
        };
        for name in [&format!("`{claimed}`"), found] {
            assert!(error.message.contains(name), "{}", error.message);
        }
    }
}

#[test]
fn every_format_rejects_empty_files_noise_and_truncation() {
    let noise: Vec<u8> = (0..4000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    for format in Format::ALL
        .iter()
        .filter(|format| is_supported_input(**format))
    {
        assert_eq!(
            rejection_code(b"", *format),
            Some(JobErrorCode::InputEmpty),
            "{format}"
        );
        let expected = match format {
            Format::Txt
            | Format::Csv
            | Format::Tsv
            | Format::Html
            | Format::Markdown
            | Format::Eml => JobErrorCode::ContentMismatch,
            _ => JobErrorCode::InputCorrupt,
        };
        assert_eq!(rejection_code(&noise, *format), Some(expected), "{format}");
    }
    for name in [
        "docx/word_sample.docx",
        "odt/feature_images.odt",
        "xls/merge_cells.xls",
        "images/png/basn6a16.png",
    ] {
        let bytes = std::fs::read(corpus::file(name)).unwrap();
        let format = Format::from_extension(name.rsplit('.').next().unwrap()).unwrap();
        let half = rejection_code(&bytes[..bytes.len() / 2], format);
        assert_eq!(half, Some(JobErrorCode::InputCorrupt), "{name}");
    }
}

#[test]
fn encrypted_xls_requires_a_password() {
    let (begin, file_pass, end) = (0x0809, 0x002F, 0x000A);
    let encrypted = binary_workbook(&[(begin, &[0; 16]), (file_pass, &[1, 0]), (end, &[])]);
    assert_eq!(
        rejection_code(&encrypted, Format::Xls),
        Some(JobErrorCode::PasswordRequired)
    );
    assert_eq!(
        rejection_code(&encrypted, Format::Doc),
        Some(JobErrorCode::ContentMismatch)
    );
    let afterwards = binary_workbook(&[(begin, &[0; 16]), (end, &[]), (file_pass, &[1, 0])]);
    assert_ne!(
        rejection_code(&afterwards, Format::Xls),
        Some(JobErrorCode::PasswordRequired)
    );
}

#[test]
fn blank_text_becomes_a_blank_page() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b" \n").unwrap();
    let result = harness::run(file.path(), Format::Txt, &[harness::convert(Format::Pdf)]).unwrap();
    assert_eq!(result.artifact.pages, 1);
}

#[test]
fn documents_without_pages_are_empty() {
    let document = pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[]/Count 0>>".to_owned(),
    ]);
    let rejection_code = rejection_code(&document, Format::Pdf);
    assert_eq!(rejection_code, Some(JobErrorCode::InputEmpty));
}
