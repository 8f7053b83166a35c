//! Compresses what is deflated more thoroughly. What is deflated stays as it is, predictors included.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use libdeflater::{CompressionLvl, Compressor};
use lopdf::{Object, Stream};

/// Most bytes that a stream inflates to.
const INFLATED: usize = 32 * 1024 * 1024;
/// Bytes up to which the best compression has time enough.
const SMALL: usize = 4 * 1024 * 1024;

/// The content of a stream in fewer bytes, if there are fewer.
pub(super) fn smaller(stream: &Stream) -> Option<Vec<u8>> {
    let filter = stream.dict.get(b"Filter").and_then(Object::as_name);
    if !filter.is_ok_and(|filter| filter == b"FlateDecode") {
        return None;
    }
    let mut inflated = Vec::new();
    let reader = ZlibDecoder::new(stream.content.as_slice());
    let most = u64::try_from(INFLATED).unwrap_or(u64::MAX) + 1;
    reader.take(most).read_to_end(&mut inflated).ok()?;
    if inflated.len() > INFLATED {
        return None;
    }
    let deflated = compressed(&inflated)?;
    (deflated.len() < stream.content.len()).then_some(deflated)
}

/// Some content deflated.
pub(super) fn compressed(content: &[u8]) -> Option<Vec<u8>> {
    let level = match content.len() {
        0..=SMALL => CompressionLvl::best(),
        _ => CompressionLvl::default(),
    };
    let mut compressor = Compressor::new(level);
    let mut deflated = vec![0; compressor.zlib_compress_bound(content.len())];
    let size = compressor.zlib_compress(content, &mut deflated).ok()?;
    deflated.truncate(size);
    Some(deflated)
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;
    use lopdf::dictionary;

    use super::*;

    #[test]
    fn what_was_deflated_in_haste_becomes_smaller_and_stays_the_same() {
        let text: Vec<u8> = (0..20_000_u32)
            .flat_map(|n| (n * n % 997).to_string().into_bytes())
            .collect();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&text).unwrap();
        let content = encoder.finish().unwrap();
        let about = dictionary! { "Filter" => "FlateDecode" };
        let found = smaller(&Stream::new(about.clone(), content.clone())).unwrap();
        assert!(found.len() < content.len());
        let mut inflated = Vec::new();
        ZlibDecoder::new(found.as_slice())
            .read_to_end(&mut inflated)
            .unwrap();
        assert_eq!(inflated, text);
        assert_eq!(smaller(&Stream::new(about, found)), None);
    }
}
