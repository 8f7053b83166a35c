//! What is broken, protected or hostile is refused, and nothing outside of a document is in a result.

use std::net::TcpListener;

use domain::format::Format;
use domain::job::JobErrorCode;
use serde_json::json;

use super::{made, pairs, source};
use crate::outside::{SECRET, calculated, written};
use crate::structured::step;
use crate::web_outside::references;
use crate::{corpus, rig};

/// The code that a document is refused with when it is to become JSON.
fn refused(document: &[u8], from: Format) -> Option<JobErrorCode> {
    rig::code(rig::run_bytes(document, from, &[step("json", json!({}))])).err()
}

/// Formats that are read.
fn formats() -> Vec<Format> {
    let mut formats: Vec<_> = pairs().into_iter().map(|(from, _)| from).collect();
    formats.sort_unstable();
    formats.dedup();
    formats
}

#[test]
fn every_bad_document_ends_as_is_known_of_it() {
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
        assert_eq!(refused(&bytes, format), expected, "{name}");
    }
}

#[test]
fn every_format_refuses_nothing_noise_and_others() {
    let noise: Vec<u8> = (0..4000_u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8)
        .collect();
    let pdf = std::fs::read(corpus::file("pdf-text/vector.pdf")).unwrap();
    for format in formats() {
        assert_eq!(
            refused(b"", format),
            Some(JobErrorCode::InputEmpty),
            "{format}"
        );
        let expected = match format.is_plain_text() {
            true => JobErrorCode::ContentMismatch,
            false => JobErrorCode::InputCorrupt,
        };
        assert_eq!(refused(&noise, format), Some(expected), "{format}");
        let other = refused(&pdf, format);
        assert_eq!(other, Some(JobErrorCode::ContentMismatch), "{format}");
    }
}

#[test]
fn half_a_document_is_refused_where_its_format_has_an_end() {
    for format in formats()
        .into_iter()
        .filter(|format| !format.is_plain_text())
    {
        let bytes = std::fs::read(corpus::file(source(format).0)).unwrap();
        let half = refused(&bytes[..bytes.len() / 2], format);
        // Rich text goes on to its end, wherever that is.
        let expected = (format != Format::Rtf).then_some(JobErrorCode::InputCorrupt);
        assert_eq!(half, expected, "{format}");
    }
}

#[test]
fn what_is_nested_or_repeated_without_end_is_refused() {
    let deep = "<div>".repeat(100_000) + "x";
    let list = "- ".repeat(50_000) + "x";
    let cells = "<table><tr><td colspan=65535 rowspan=65535>x</table>".repeat(40);
    for (name, document, format) in [
        ("deep", deep, Format::Html),
        ("list", list, Format::Markdown),
        ("cells", cells, Format::Html),
    ] {
        let found = refused(document.as_bytes(), format);
        assert!(
            matches!(found, None | Some(JobErrorCode::InputTooLarge)),
            "{name}: {found:?}"
        );
    }
}

#[test]
fn the_list_of_users_is_in_no_result() {
    let documents = written().into_iter().chain(calculated()).collect();
    rig::each(documents, |(name, format, document)| {
        let read = made(&document, format, "json", json!({}));
        let warned = read.warnings().contains(&"external_link_blocked");
        assert!(warned, "{name} in {format}");
        let text = String::from_utf8(read.bytes()).unwrap();
        assert!(text.contains("besides"), "{name} in {format}: {text}");
        assert!(!text.contains(SECRET), "{name} in {format}: {text}");
    });
}

#[test]
fn nothing_goes_out_whatever_a_page_shows() {
    let tcp = TcpListener::bind("127.0.0.1:0").unwrap();
    tcp.set_nonblocking(true).unwrap();
    let port = tcp.local_addr().unwrap().port();
    let own = format!("<p>here<img src='http://127.0.0.1:{port}/m.svg'>");
    let page = own + &references(&format!("http://127.0.0.1:{port}")).concat();
    for from in [Format::Html, Format::Markdown] {
        for to in ["docx", "json", "txt"] {
            let read = made(page.as_bytes(), from, to, json!({}));
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
