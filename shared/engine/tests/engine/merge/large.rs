//! Large content of documents stays what it is when they become one.

use std::path::Path;

use lopdf::{Document, Stream};

use super::Files;
use crate::documents::{pdf, stream};
use crate::qpdf;

/// Bytes of content that is large.
const SIZE: usize = 17_000_000;

/// A page that this content belongs to, with a link to a place that is named `here`.
fn laden(about: &str, content: &[u8]) -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R/Names<</Dests<</Names[(here)[3 0 R/Fit]]>>>>>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Ballast 4 0 R/Annots[5 0 R]>>".to_vec(),
        stream(about, content),
        b"<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/Dest(here)>>".to_vec(),
    ])
}

fn noise() -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let numbers = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    });
    let bytes = numbers.take(SIZE / 8).flat_map(u64::to_le_bytes);
    bytes.collect()
}

fn pattern() -> Vec<u8> {
    b"0 0 m 10 10 l S\n".repeat(SIZE / 16)
}

fn deflated(content: &[u8]) -> Vec<u8> {
    use std::io::Write as _;
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::none());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// What the pages of a document carry, in order.
fn ballast(path: &Path) -> Vec<Stream> {
    let document = Document::load(path).unwrap();
    let pages = document.get_pages().into_values();
    let streams = pages.map(|page| {
        let page = document.get_dictionary(page).unwrap();
        let ballast = page.get_deref(b"Ballast", &document).unwrap();
        ballast.as_stream().unwrap().clone()
    });
    streams.collect()
}

#[test]
fn large_content_stays_what_it_is_and_is_compressed_where_that_is_of_use() {
    let (noise, pattern) = (noise(), pattern());
    let compressed = deflated(&pattern);
    let files = Files::new(&[
        laden("", &noise),
        laden("", &pattern),
        laden("/Filter/FlateDecode", &compressed),
        laden("", b"small"),
    ]);
    let made = files.merge().unwrap();
    qpdf::check(made.path(), "");
    let found = ballast(made.path());
    let [first, second, third, last] = found.as_slice() else {
        panic!("{} pages", found.len());
    };
    for (stream, expected) in [
        (first, &noise),
        (second, &pattern),
        (third, &pattern),
        (last, &b"small".to_vec()),
    ] {
        let content = stream.decompressed_content().unwrap();
        assert!(content == *expected, "{} bytes", content.len());
    }
    // Stored as it is [RFC 1951, 3.2.3].
    assert_eq!(first.content[2] & 0b110, 0);
    assert!(first.content.len() < noise.len() + noise.len() / 1_000);
    assert!(second.content.len() < pattern.len() / 100);
    assert!(third.content == compressed);
    assert_eq!(files.merge().unwrap().artifact.sha256, made.artifact.sha256);
}
