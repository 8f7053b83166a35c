//! Merging keeps large streams unchanged.

use std::path::Path;

use lopdf::{Document, Stream};

use super::Files;
use crate::qpdf;
use crate::sample_documents::{pdf, stream};

/// Size of a large stream in bytes.
const SIZE: usize = 17_000_000;

/// A page with this stream attached, and a link to a destination named `here`.
fn with_large_stream(about: &str, content: &[u8]) -> Vec<u8> {
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

/// The attached streams of all pages, in order.
fn attached_streams(path: &Path) -> Vec<Stream> {
    let document = Document::load(path).unwrap();
    let pages = document.get_pages().into_values();
    let streams = pages.map(|page| {
        let page = document.get_dictionary(page).unwrap();
        let attached_streams = page.get_deref(b"Ballast", &document).unwrap();
        attached_streams.as_stream().unwrap().clone()
    });
    streams.collect()
}

#[test]
fn large_streams_are_kept_and_compressed_if_that_saves_bytes() {
    let (noise, pattern) = (noise(), pattern());
    let compressed = deflated(&pattern);
    let files = Files::new(&[
        with_large_stream("", &noise),
        with_large_stream("", &pattern),
        with_large_stream("/Filter/FlateDecode", &compressed),
        with_large_stream("", b"small"),
    ]);
    let result = files.merge().unwrap();
    qpdf::check(result.path(), "");
    let found = attached_streams(result.path());
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
    // Stored block [RFC 1951, 3.2.3].
    assert_eq!(first.content[2] & 0b110, 0);
    assert!(first.content.len() < noise.len() + noise.len() / 1_000);
    assert!(second.content.len() < pattern.len() / 100);
    assert!(third.content == compressed);
    assert_eq!(
        files.merge().unwrap().artifact.sha256,
        result.artifact.sha256
    );
}
