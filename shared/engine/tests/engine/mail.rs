//! Mails: sender, body with attached images and the list of attachments, without remote resources.

use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::CONVERSIONS;
use engine::EngineError;

use crate::office_content::content;
use crate::{harness, poppler};

/// A mail of the golden tests, written by other libraries: email of Python, and msgforge.
fn sample(format: Format) -> PathBuf {
    let mails = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden/mails");
    mails.join("report").with_extension(format.extension())
}

fn convert(mail: &[u8], from: Format, to: Format) -> harness::Converted {
    let result = harness::run_bytes(mail, from, &[harness::convert(to)]);
    result.unwrap_or_else(|error| panic!("{from} {to}: {error:?}"))
}

/// The text of a result, as another program reads it.
fn words(result: &harness::Converted, to: Format) -> String {
    match to {
        Format::Pdf => poppler::words(result.path()).join(" "),
        _ => content(result.path()),
    }
}

fn assert_verified(result: &harness::Converted, name: &str) {
    for code in [
        "content_missing",
        "content_reordered",
        "content_not_verified",
    ] {
        assert!(!result.warnings().contains(&code), "{name}: {code}");
    }
}

#[test]
fn every_conversion_keeps_the_parts_of_a_mail_in_order() {
    let pairs = CONVERSIONS.iter().flat_map(|row| {
        let from = row.from.iter().copied();
        let mails = from.filter(|from| matches!(from, Format::Eml | Format::Msg));
        mails.map(|from| (from, row.to))
    });
    let pairs: Vec<(Format, Format)> = pairs.collect();
    assert_eq!(pairs.len(), 12);
    harness::each(pairs, |(from, to)| {
        let name = format!("{from} {to}");
        let mail = std::fs::read(sample(from)).unwrap();
        let result = convert(&mail, from, to);
        let text = words(&result, to);
        let attached = match from {
            Format::Eml => ["winmail.dat", "Forwarded"],
            _ => ["plan.xlsx", "notes.txt"],
        };
        let wanted = ["timetable", "Petersen", "crew", "Northern", "Juist", "1204"];
        let wanted: Vec<&str> = wanted.into_iter().chain(attached).collect();
        let places = wanted.iter().map(|word| {
            let place = text.find(word);
            place.unwrap_or_else(|| panic!("{name}: {word} in {text}"))
        });
        let places: Vec<usize> = places.collect();
        assert!(places.is_sorted(), "{name}: {places:?}");
        for absent in ["scripted", "tracker", "plain alternative", "nested words"] {
            assert!(!text.contains(absent), "{name}: {absent}");
        }
        assert_verified(&result, &name);
        let blocked = result.warnings().contains(&"external_link_blocked");
        assert!(blocked, "{name}: {:?}", result.warnings());
        if to == Format::Html {
            assert_eq!(text.contains("data:image/png"), from == Format::Eml);
        }
    });
}

#[test]
fn remote_resources_are_not_fetched() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    let address = listener.local_addr().unwrap();
    let mail = format!(
        "From: a@b\r\nTo: c@d\r\nSubject: s\r\nContent-Type: text/html\r\n\r\n<link rel=stylesheet href=//{address}/a><style>@import 'http://{address}/b';</style><p style='background:url(http://{address}/c)'>shown words</p><img src='http://{address}/d' srcset='http://{address}/e 2x'><iframe src='http://{address}/f'></iframe><video src='http://{address}/g'></video><body background='http://{address}/h'>"
    );
    for to in [Format::Pdf, Format::Html] {
        let result = convert(mail.as_bytes(), Format::Eml, to);
        assert!(words(&result, to).contains("shown words"));
        let warnings = result.warnings();
        assert!(warnings.contains(&"external_link_blocked"), "{warnings:?}");
        assert!(!content(result.path()).contains(&address.to_string()));
    }
    assert!(listener.accept().is_err());
}

#[test]
fn unusual_mails_are_compared_with_their_source() {
    let mails = [
        // The last boundary is missing, and the text has no character set.
        &b"From: a@b\nTo: c@d\nContent-Type: multipart/mixed; boundary=x\n\n--x\n\nfirst part\n--x\nContent-Type: text/html\n\n<p>second fa\xe7ade and caf\xe9</p>\n"[..],
        // Without boundaries
        b"From: a@b\nTo: c@d\nContent-Type: multipart/mixed; boundary=x\n\nonly words here\n",
        b"From a@b Wed Dec 2\nFrom: =?koi8-r?B?8NLJ18XU?= <a@b>\nTo: c@d\nContent-Type: text/plain; charset=gb2312\nContent-Transfer-Encoding: base64\n\nxOO6w8rAvec=\n",
        b"From: a@b\nTo: c@d\nContent-Type: multipart/alternative; boundary=x\n\n--x\n\nplain words\n--x\nContent-Type: multipart/related; boundary=y\n\n--y\nContent-Type: text/html\n\n<p hidden>secret</p><p>rich words</p>\n--y\nContent-Type: text/css; name=a.css\n\np{}\n--y--\n--x--\n",
    ];
    harness::each(mails.to_vec(), |mail| {
        for to in [Format::Pdf, Format::Txt] {
            let result = convert(mail, Format::Eml, to);
            assert_verified(&result, &words(&result, to));
        }
    });
}

#[test]
fn encrypted_damaged_and_mislabeled_mails_are_rejected() {
    let fails = |mail: &[u8], from: Format| {
        let result = harness::run_bytes(mail, from, &[harness::convert(Format::Pdf)]);
        match result {
            Err(EngineError::Document(error)) => (error.code, error.message),
            other => panic!("{:?}", other.map(|_| ())),
        }
    };
    let encrypted = b"From: a@b\r\nTo: c@d\r\nContent-Type: application/pkcs7-mime; smime-type=enveloped-data\r\nContent-Transfer-Encoding: base64\r\n\r\nMIAGCSqGSIb3DQEHA6CAMIACAQAxggE=\r\n";
    let (code, message) = fails(encrypted, Format::Eml);
    assert_eq!(code, JobErrorCode::PermissionDenied);
    assert!(message.contains("encrypted with S/MIME"), "{message}");
    let (code, message) = fails(b"Some words.\n", Format::Eml);
    assert_eq!(code, JobErrorCode::ContentMismatch);
    assert!(message.contains("looks like `txt`"), "{message}");
    let msg = std::fs::read(sample(Format::Msg)).unwrap();
    let (code, message) = fails(&msg, Format::Doc);
    assert_eq!(code, JobErrorCode::ContentMismatch);
    assert!(message.contains("looks like `msg`"), "{message}");
    let eml = std::fs::read(sample(Format::Eml)).unwrap();
    let (code, message) = fails(&eml, Format::Docx);
    assert_eq!(code, JobErrorCode::InputCorrupt);
    assert!(message.contains("looks like `eml`"), "{message}");
    let damaged = msg.get(..600).unwrap();
    assert_eq!(fails(damaged, Format::Msg).0, JobErrorCode::InputCorrupt);
}
