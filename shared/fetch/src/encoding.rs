//! Content encodings (gzip, Brotli) that requests accept and responses are decoded from.

use async_compression::tokio::bufread::{BrotliDecoder, GzipDecoder};
use http::header::{CONTENT_ENCODING, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName};
use tokio::io::{AsyncBufRead, AsyncRead};

/// Value of `Accept-Encoding`. Without `deflate`: servers disagree on its format [RFC 9110, section 8.4.1.2].
pub(crate) const ACCEPTED: &str = "gzip, br";

/// The content encoding of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Encoding {
    Identity,
    Gzip,
    Brotli,
}

impl Encoding {
    /// The encoding stated by the headers; `None` if it was not requested or there are several.
    pub(crate) fn of(headers: &HeaderMap) -> Option<Self> {
        let transfer = single_value(headers, &TRANSFER_ENCODING)?;
        if !matches!(transfer.as_str(), "" | "chunked") {
            return None;
        }
        match single_value(headers, &CONTENT_ENCODING)?.as_str() {
            "" | "identity" => Some(Self::Identity),
            "gzip" | "x-gzip" => Some(Self::Gzip),
            "br" => Some(Self::Brotli),
            _ => None,
        }
    }

    /// Decodes the body. Memory is bounded by the format's window, at most 16 MB.
    pub(crate) fn decode<'a>(
        self,
        body: impl AsyncBufRead + Send + Unpin + 'a,
    ) -> Box<dyn AsyncRead + Send + Unpin + 'a> {
        match self {
            Self::Identity => Box::new(body),
            Self::Gzip => {
                let mut decoder = GzipDecoder::new(body);
                decoder.multiple_members(true);
                Box::new(decoder)
            }
            Self::Brotli => Box::new(BrotliDecoder::new(body)),
        }
    }
}

/// The header's value in lower case, empty if it is missing; `None` if it occurs twice or is not visible ASCII.
fn single_value(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let mut values = headers.get_all(name).iter();
    let value = values.next();
    if values.next().is_some() {
        return None;
    }
    value.map_or(Some(String::new()), |value| {
        Some(value.to_str().ok()?.trim().to_ascii_lowercase())
    })
}

#[cfg(test)]
mod tests {
    use super::Encoding;
    use http::HeaderMap;

    fn of(lines: &[(&'static str, &str)]) -> Option<Encoding> {
        let mut headers = HeaderMap::new();
        for (name, value) in lines {
            headers.append(*name, value.parse().unwrap());
        }
        Encoding::of(&headers)
    }

    #[test]
    fn only_requested_encodings_are_decoded() {
        assert_eq!(of(&[]), Some(Encoding::Identity));
        assert_eq!(
            of(&[("content-encoding", "identity")]),
            Some(Encoding::Identity)
        );
        assert_eq!(of(&[("content-encoding", "GZip")]), Some(Encoding::Gzip));
        assert_eq!(of(&[("content-encoding", "x-gzip")]), Some(Encoding::Gzip));
        assert_eq!(of(&[("content-encoding", " br ")]), Some(Encoding::Brotli));
        for unknown in [
            "deflate",
            "zstd",
            "compress",
            "gzip, gzip",
            "br, gzip",
            "\u{e9}",
        ] {
            assert_eq!(of(&[("content-encoding", unknown)]), None, "{unknown}");
        }
        assert_eq!(
            of(&[("content-encoding", "gzip"), ("content-encoding", "gzip")]),
            None
        );
    }

    #[test]
    fn a_transfer_encoding_other_than_chunked_is_rejected() {
        assert_eq!(
            of(&[("transfer-encoding", "chunked")]),
            Some(Encoding::Identity)
        );
        assert_eq!(of(&[("transfer-encoding", "gzip, chunked")]), None);
    }
}
