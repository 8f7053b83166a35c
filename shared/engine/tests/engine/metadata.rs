//! Operation `metadata`.

use domain::format::Format;
use domain::operation::{MetadataOptions, Operation};

use crate::sample_documents::{numbered, pdf, stream};
use crate::{corpus, harness, poppler};

fn text<T: TryFrom<String>>(text: &str) -> Option<T> {
    T::try_from(text.to_owned()).ok()
}

fn titled(title: &str, author: &str) -> Operation {
    Operation::Metadata(MetadataOptions {
        title: text(title),
        author: text(author),
        ..MetadataOptions::default()
    })
}

#[test]
fn given_fields_are_set_and_others_kept() {
    let source = corpus::file("pdf-text/text_only_pdfa1b.pdf");
    let producer = poppler::field(&source, "Producer");
    let step = titled("Übersicht – 概要", "A & <B>");
    let result = harness::run(&source, Format::Pdf, &[step]).unwrap();
    assert_eq!(poppler::field(result.path(), "Title"), "Übersicht – 概要");
    assert_eq!(poppler::field(result.path(), "Author"), "A & <B>");
    assert_eq!(poppler::field(result.path(), "Producer"), producer);
    assert_eq!(poppler::texts(result.path()), poppler::texts(&source));
    let packet = poppler::packet(result.path());
    assert!(packet.contains("Übersicht – 概要</rdf:li>"), "{packet}");
    assert!(packet.contains("A &amp; &lt;B&gt;</rdf:li>"), "{packet}");
    assert!(packet.contains("pdfaid"), "{packet}");
    assert_eq!(result.warnings(), Vec::<&str>::new());
}

#[test]
fn metadata_is_added_and_empty_text_removes_a_field() {
    let result =
        harness::run_bytes(&numbered("page", 1), Format::Pdf, &[titled("T", "Me")]).unwrap();
    assert_eq!(poppler::field(result.path(), "Title"), "T");
    let result = harness::run(result.path(), Format::Pdf, &[titled("New", "")]).unwrap();
    assert_eq!(poppler::field(result.path(), "Title"), "New");
    assert!(poppler::maybe_field(result.path(), "Author").is_none());
}

#[test]
fn unreadable_xmp_packet_is_removed() {
    let document = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R>>".to_vec(),
        stream("/Type/Metadata/Subtype/XML", b"<x:xmpmeta>broken"),
    ]);
    let result = harness::run_bytes(&document, Format::Pdf, &[titled("T", "A")]).unwrap();
    assert_eq!(result.warnings(), ["metadata_packet_dropped"]);
    assert_eq!(poppler::packet(result.path()), "");
}
