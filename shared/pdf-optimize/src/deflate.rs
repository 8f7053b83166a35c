//! Recompresses Flate streams at a higher level. The uncompressed data, including predictors, stay the same.

use std::io::Read as _;

use flate2::read::ZlibDecoder;
use libdeflater::{CompressionLvl, Compressor};
use lopdf::{Object, Stream};

/// Maximum uncompressed size of a stream, in bytes.
const MAX_INFLATED: usize = 32 * 1024 * 1024;
/// Maximum size for the best compression level, which is slow.
const MAX_BEST: usize = 4 * 1024 * 1024;

/// Recompresses the content of a stream; `None` if that saves nothing.
pub(super) fn recompress(stream: &Stream) -> Option<Vec<u8>> {
    let filter = stream.dict.get(b"Filter").and_then(Object::as_name);
    if !filter.is_ok_and(|filter| filter == b"FlateDecode") {
        return None;
    }
    let mut inflated = Vec::new();
    let reader = ZlibDecoder::new(stream.content.as_slice());
    let most = u64::try_from(MAX_INFLATED).unwrap_or(u64::MAX) + 1;
    reader.take(most).read_to_end(&mut inflated).ok()?;
    if inflated.len() > MAX_INFLATED {
        return None;
    }
    let deflated = compress(&inflated)?;
    (deflated.len() < stream.content.len()).then_some(deflated)
}

/// Compresses content (zlib format).
pub(super) fn compress(content: &[u8]) -> Option<Vec<u8>> {
    let level = match content.len() {
        0..=MAX_BEST => CompressionLvl::best(),
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
    fn fast_compressed_streams_shrink_and_keep_their_data() {
        let text: Vec<u8> = (0..20_000_u32)
            .flat_map(|n| (n * n % 997).to_string().into_bytes())
            .collect();
        let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&text).unwrap();
        let content = encoder.finish().unwrap();
        let dictionary = dictionary! { "Filter" => "FlateDecode" };
        let found = recompress(&Stream::new(dictionary.clone(), content.clone())).unwrap();
        assert!(found.len() < content.len());
        let mut inflated = Vec::new();
        ZlibDecoder::new(found.as_slice())
            .read_to_end(&mut inflated)
            .unwrap();
        assert_eq!(inflated, text);
        assert_eq!(recompress(&Stream::new(dictionary, found)), None);
    }
}
