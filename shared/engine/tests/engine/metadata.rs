//! Metadata are set, and told.

use domain::format::Format;
use domain::operation::{MetadataOptions, Operation};

use crate::documents::{numbered, pdf, stream};
use crate::{corpus, poppler, rig};

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
fn what_is_set_is_found_and_the_rest_stays() {
    let source = corpus::file("pdf-text/text_only_pdfa1b.pdf");
    let producer = poppler::field(&source, "Producer");
    let step = titled("Übersicht – 概要", "A & <B>");
    let made = rig::run(&source, Format::Pdf, &[step]).unwrap();
    assert_eq!(poppler::field(made.path(), "Title"), "Übersicht – 概要");
    assert_eq!(poppler::field(made.path(), "Author"), "A & <B>");
    assert_eq!(poppler::field(made.path(), "Producer"), producer);
    assert_eq!(poppler::texts(made.path()), poppler::texts(&source));
    let packet = poppler::packet(made.path());
    assert!(packet.contains("Übersicht – 概要</rdf:li>"), "{packet}");
    assert!(packet.contains("A &amp; &lt;B&gt;</rdf:li>"), "{packet}");
    assert!(packet.contains("pdfaid"), "{packet}");
    assert_eq!(made.warnings(), Vec::<&str>::new());
}

#[test]
fn a_document_without_metadata_gets_some_and_an_empty_text_removes() {
    let made = rig::run_bytes(&numbered("page", 1), Format::Pdf, &[titled("T", "Me")]).unwrap();
    assert_eq!(poppler::field(made.path(), "Title"), "T");
    let made = rig::run(made.path(), Format::Pdf, &[titled("New", "")]).unwrap();
    assert_eq!(poppler::field(made.path(), "Title"), "New");
    assert!(poppler::maybe_field(made.path(), "Author").is_none());
}

#[test]
fn a_packet_that_cannot_be_read_goes() {
    let document = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R/Metadata 4 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R>>".to_vec(),
        stream("/Type/Metadata/Subtype/XML", b"<x:xmpmeta>broken"),
    ]);
    let made = rig::run_bytes(&document, Format::Pdf, &[titled("T", "A")]).unwrap();
    assert_eq!(made.warnings(), ["metadata_packet_dropped"]);
    assert_eq!(poppler::packet(made.path()), "");
}
