//! Broken, protected and hostile documents, and documents that are not what they claim.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use domain::operation::is_worked_on;

use crate::corpus::{self, Entry};
use crate::documents::{binary_workbook, pdf};
use crate::rig::{self, refused};

/// What a document of a format is asked to become.
fn step(from: Format) -> Operation {
    rig::convert(match from {
        Format::Pdf => Format::Png,
        _ => Format::Pdf,
    })
}

/// The codes that are right for what the manifest expects; `None` is a result.
fn right(entry: &Entry) -> Vec<Option<JobErrorCode>> {
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
fn every_bad_document_ends_as_is_known_of_it() {
    let kinds = ["hostile", "office-encrypted", "pdf-broken", "pdf-encrypted"];
    let expected = [
        "ok",
        "password_required",
        "input_corrupt",
        "repairable",
        "limit_exceeded",
        "safe",
    ];
    rig::each(corpus::entries(&kinds, &expected), |(entry, format)| {
        let found = rig::code(rig::run(&entry.path(), format, &[step(format)])).err();
        let right = right(&entry);
        assert!(
            right.contains(&found),
            "{}: {found:?}, not {right:?}",
            entry.file
        );
    });
}

#[test]
fn a_document_of_another_format_than_it_claims_is_refused() {
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
            refused(&read(name), claimed),
            mismatch,
            "{name} as {claimed}"
        );
    }
}

#[test]
fn every_format_refuses_nothing_noise_and_a_half() {
    let noise: Vec<u8> = (0..4000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    for format in Format::ALL.iter().filter(|format| is_worked_on(**format)) {
        assert_eq!(
            refused(b"", *format),
            Some(JobErrorCode::InputEmpty),
            "{format}"
        );
        let expected = match format {
            Format::Txt | Format::Csv | Format::Tsv | Format::Html | Format::Markdown => {
                JobErrorCode::ContentMismatch
            }
            _ => JobErrorCode::InputCorrupt,
        };
        assert_eq!(refused(&noise, *format), Some(expected), "{format}");
    }
    for name in [
        "docx/word_sample.docx",
        "odt/feature_images.odt",
        "xls/merge_cells.xls",
        "images/png/basn6a16.png",
    ] {
        let bytes = std::fs::read(corpus::file(name)).unwrap();
        let format = Format::from_extension(name.rsplit('.').next().unwrap()).unwrap();
        let half = refused(&bytes[..bytes.len() / 2], format);
        assert_eq!(half, Some(JobErrorCode::InputCorrupt), "{name}");
    }
}

#[test]
fn an_encrypted_binary_workbook_asks_for_its_password() {
    let (begin, file_pass, end) = (0x0809, 0x002F, 0x000A);
    let encrypted = binary_workbook(&[(begin, &[0; 16]), (file_pass, &[1, 0]), (end, &[])]);
    assert_eq!(
        refused(&encrypted, Format::Xls),
        Some(JobErrorCode::PasswordRequired)
    );
    assert_eq!(
        refused(&encrypted, Format::Doc),
        Some(JobErrorCode::ContentMismatch)
    );
    let afterwards = binary_workbook(&[(begin, &[0; 16]), (end, &[]), (file_pass, &[1, 0])]);
    assert_ne!(
        refused(&afterwards, Format::Xls),
        Some(JobErrorCode::PasswordRequired)
    );
}

#[test]
fn a_blank_text_becomes_a_blank_page() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b" \n").unwrap();
    let made = rig::run(file.path(), Format::Txt, &[rig::convert(Format::Pdf)]).unwrap();
    assert_eq!(made.artifact.pages, 1);
}

#[test]
fn a_document_without_pages_is_empty() {
    let document = pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[]/Count 0>>".to_owned(),
    ]);
    let refused = refused(&document, Format::Pdf);
    assert_eq!(refused, Some(JobErrorCode::InputEmpty));
}
