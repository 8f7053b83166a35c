//! Damaged, protected and hostile documents are rejected, and no result contains external resources.

use std::net::TcpListener;

use domain::format::Format;
use domain::job::JobErrorCode;
use serde_json::json;

use super::{converted, pairs, source};
use crate::external_resources::{SECRET, spreadsheets, text_documents};
use crate::structured::step;
use crate::web_external_resources::references;
use crate::{corpus, harness};

/// The error code of converting a document to JSON.
fn rejected(document: &[u8], from: Format) -> Option<JobErrorCode> {
    harness::code(harness::run_bytes(
        document,
        from,
        &[step("json", json!({}))],
    ))
    .err()
}

/// Formats that our readers parse.
fn formats() -> Vec<Format> {
    let mut formats: Vec<_> = pairs().into_iter().map(|(from, _)| from).collect();
    formats.sort_unstable();
    formats.dedup();
    formats
}

#[test]
fn every_bad_document_fails_with_its_known_code() {
    use JobErrorCode::{InputCorrupt, PasswordRequired};
    for (name, expected) in [
        (
            "office-encrypted/example_password.docx",
            Some(PasswordRequired),
        ),
        (
            "office-encrypted/ecma376standard_password.docx",
            Some(PasswordRequired),
        ),
        (
            "office-encrypted/example_password.xlsx",
            Some(PasswordRequired),
        ),
        (
            "office-encrypted/testPPT_protected_passtika.pptx",
            Some(PasswordRequired),
        ),
        (
            "office-encrypted/testODTEncrypted.odt",
            Some(PasswordRequired),
        ),
        (
            "office-encrypted/pass_protected.ods",
            Some(PasswordRequired),
        ),
        ("hostile/poc-xmlbomb.xlsx", Some(InputCorrupt)),
        ("hostile/ExternalEntityInText.docx", Some(InputCorrupt)),
        ("hostile/truncated62886.docx", Some(InputCorrupt)),
        (
            "hostile/clusterfuzz-testcase-minimized-POIXWPFFuzzer-5313273089884160.docx",
            Some(InputCorrupt),
        ),
        ("hostile/testODTnotaZipFile.odt", Some(InputCorrupt)),
        ("hostile/testExternalRefs.docx", None),
    ] {
        let format = Format::from_extension(name.rsplit('.').next().unwrap()).unwrap();
        let bytes = std::fs::read(corpus::file(name)).unwrap();
        assert_eq!(rejected(&bytes, format), expected, "{name}");
    }
}

#[test]
fn every_format_rejects_empty_files_noise_and_other_formats() {
    let noise: Vec<u8> = (0..4000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let pdf = std::fs::read(corpus::file("pdf-text/vector.pdf")).unwrap();
    for format in formats() {
        assert_eq!(
            rejected(b"", format),
            Some(JobErrorCode::InputEmpty),
            "{format}"
        );
        let expected = match format.is_plain_text() {
            true => JobErrorCode::ContentMismatch,
            false => JobErrorCode::InputCorrupt,
        };
        assert_eq!(rejected(&noise, format), Some(expected), "{format}");
        let other = rejected(&pdf, format);
        assert_eq!(other, Some(JobErrorCode::ContentMismatch), "{format}");
    }
}

#[test]
fn truncated_documents_are_rejected_if_the_format_has_an_end_marker() {
    for format in formats()
        .into_iter()
        .filter(|format| !format.is_plain_text())
    {
        let bytes = std::fs::read(corpus::file(source(format).0)).unwrap();
        let half = rejected(&bytes[..bytes.len() / 2], format);
        // A truncated RTF is still valid.
        let expected = (format != Format::Rtf).then_some(JobErrorCode::InputCorrupt);
        assert_eq!(half, expected, "{format}");
    }
}

#[test]
fn unbounded_nesting_and_repetition_are_rejected() {
    let deep = "<div>".repeat(100_000) + "x";
    let list = "- ".repeat(50_000) + "x";
    let cells = "<table><tr><td colspan=65535 rowspan=65535>x</table>".repeat(40);
    for (name, document, format) in [
        ("deep", deep, Format::Html),
        ("list", list, Format::Markdown),
        ("cells", cells, Format::Html),
    ] {
        let found = rejected(document.as_bytes(), format);
        assert!(
            matches!(found, None | Some(JobErrorCode::InputTooLarge)),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn no_result_contains_etc_passwd() {
    let documents = text_documents().into_iter().chain(spreadsheets()).collect();
    harness::each(documents, |(name, format, document)| {
        let read = converted(&document, format, "json", json!({}));
        let warned = read.warnings().contains(&"external_link_blocked");
        assert!(warned, "{name} in {format}");
        let text = String::from_utf8(read.bytes()).unwrap();
        assert!(text.contains("besides"), "{name} in {format}: {text}");
        assert!(!text.contains(SECRET), "{name} in {format}: {text}");
    });
}

#[test]
fn no_page_causes_network_requests() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    let port = tcp.local_addr().unwrap().port();
    let own = format!("<p>here<img src='http://127.0.0.1:{port}/m.svg'>");
    let page = own + &references(&format!("http://127.0.0.1:{port}")).concat();
    for from in [Format::Html, Format::Markdown] {
        for to in ["docx", "json", "txt"] {
            let read = converted(page.as_bytes(), from, to, json!({}));
            assert!(
                read.warnings().contains(&"external_link_blocked"),
                "{from} to {to}"
            );
            assert!(
                tcp.accept().is_err(),
                "a connection was made by {from} to {to}"
            );
        }
    }
}
