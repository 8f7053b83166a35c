//! The response of an invocation. It may come from an engine that a hostile document has taken over.

use domain::format::{Category, Format};
use domain::job::{ARCHIVE_MIME_TYPE, ArchiveContents, JobError, JobErrorCode, JobWarning};
use domain::library::MAX_PAGE_NUMBER;
use domain::ocr_part::{OcrRanges, PAGES_EXTENSION, PAGES_MIME_TYPE, PageSpan};
use domain::plan::max_pages;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use thiserror::Error;

/// Maximum size of a response in bytes.
pub const MAX_RESPONSE_BYTES: usize = 1_000_000;

/// Maximum number of bytes of a message, a name or a fingerprint.
const MAX_TEXT_BYTES: usize = 4_096;
/// Maximum number of warnings.
const MAX_WARNINGS: usize = 100;

/// What an engine function responds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(
    rename_all = "camelCase",
    tag = "type",
    content = "value",
    deny_unknown_fields
)]
pub enum Response {
    /// The result was verified and uploaded.
    Completed(Box<RunResult>),
    /// OCR of the document takes several runs. Only in response to [`OcrPart::WholeOrRanges`].
    ///
    /// [`OcrPart::WholeOrRanges`]: domain::ocr_part::OcrPart::WholeOrRanges
    TooLong(OcrRanges),
    /// The document or the request is invalid; a retry fails the same way.
    Rejected(JobError),
    /// No result, but another attempt may succeed.
    Interrupted(Interruption),
    /// The fingerprint of the engines; `None` if no engine supports the operation.
    Fingerprint(Option<String>),
}

/// An uploaded result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct RunResult {
    /// Media type.
    pub content_type: String,
    /// File extension, without the dot.
    pub extension: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the file, lower-case hexadecimal.
    pub sha256: String,
    /// CRC-64/NVME of the file in Base64, as S3 computes it for every upload.
    pub crc64nvme: String,
    /// Number of pages or images.
    pub pages: u32,
    /// Contents of the archive, if the result is one.
    pub contents: Option<ArchiveContents>,
    /// Warnings for the customer.
    pub warnings: Vec<JobWarning>,
    /// Engines, versions and font set that produced it.
    pub engine: String,
    /// CPU time of the engine's processes, in milliseconds.
    pub cpu_ms: u64,
}

/// Why an engine function has no result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub enum Interruption {
    /// An input cannot be used.
    Input {
        /// Index of the attachment; `None` for the document.
        attachment: Option<usize>,
        /// Why.
        failure: FailedInput,
    },
    /// The result could not be uploaded.
    Upload,
    /// The function cannot serve the request: it has another version, no engine for the operation, or its engines do not
    /// start.
    Unsupported,
    /// The time is over.
    TimedOut,
    /// A failure of the service, with the reason for the log.
    Service(String),
}

/// Why an input cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum FailedInput {
    /// It no longer exists, or was replaced (404, 412).
    Changed,
    /// The presigned URL is not accepted (403): most likely it has expired.
    Expired,
    /// Its SHA-256 is not the expected one.
    Damaged,
    /// The download failed for another reason.
    Interrupted,
}

/// A response that an engine function never sends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum InvalidResponse {
    /// The response is too large.
    #[error("the response has more than {MAX_RESPONSE_BYTES} bytes")]
    TooLarge,
    /// The response is not JSON of the expected shape.
    #[error("the response cannot be parsed")]
    Malformed,
    /// A member has a value that does not fit the request.
    #[error("the response has an invalid {0}")]
    Member(&'static str),
}

impl Response {
    /// Parses a response strictly.
    ///
    /// # Errors
    /// [`InvalidResponse`] if the response is too large, malformed, or implausible.
    pub fn parse(payload: &[u8]) -> Result<Self, InvalidResponse> {
        if payload.len() > MAX_RESPONSE_BYTES {
            return Err(InvalidResponse::TooLarge);
        }
        let response: Self =
            serde_json::from_slice(payload).map_err(|_| InvalidResponse::Malformed)?;
        response.check()?;
        Ok(response)
    }

    /// Shortens texts and lists to what [`Response::parse`] accepts. For the sender: texts come from engines and libraries.
    #[must_use]
    pub fn within_limits(self) -> Self {
        match self {
            Self::Completed(mut result) => {
                result.engine = plain_text(&result.engine);
                result.warnings.truncate(MAX_WARNINGS);
                for warning in &mut result.warnings {
                    warning.message = plain_text(&warning.message);
                    if !is_bounded(&warning.data) {
                        warning.data.clear();
                    }
                }
                Self::Completed(result)
            }
            Self::Rejected(error) if is_from_an_engine(error.code) => {
                Self::Rejected(JobError::new(error.code, plain_text(&error.message)))
            }
            Self::Rejected(error) => Self::Interrupted(Interruption::Service(format!(
                "an engine reported {:?}",
                error.code
            ))),
            Self::Interrupted(Interruption::Service(reason)) => {
                Self::Interrupted(Interruption::Service(plain_text(&reason)))
            }
            Self::TooLong(_) | Self::Interrupted(_) => self,
            Self::Fingerprint(engine) => Self::Fingerprint(engine.as_deref().map(plain_text)),
        }
    }

    fn check(&self) -> Result<(), InvalidResponse> {
        match self {
            Self::Completed(result) => result.check(),
            Self::TooLong(ranges) => require(ranges.is_valid(max_pages()), "page ranges"),
            Self::Rejected(error) => {
                require(is_from_an_engine(error.code), "error code")?;
                require(is_text(&error.message), "message")
            }
            Self::Interrupted(Interruption::Service(reason)) => require(is_text(reason), "reason"),
            Self::Interrupted(_) => Ok(()),
            Self::Fingerprint(engine) => {
                require(engine.as_deref().is_none_or(is_text), "fingerprint")
            }
        }
    }
}

impl RunResult {
    /// Checks that the result is the file of the pages of a range.
    ///
    /// # Errors
    /// [`InvalidResponse::Member`] names the member that does not fit.
    pub fn check_pages(&self, span: PageSpan) -> Result<(), InvalidResponse> {
        require(self.contents.is_none(), "contents")?;
        require(self.content_type == PAGES_MIME_TYPE, "content type")?;
        require(self.extension == PAGES_EXTENSION, "extension")?;
        require(self.pages == span.count(), "number of pages")
    }

    /// Checks that the result is of the expected format, alone or as an archive of such files.
    ///
    /// # Errors
    /// [`InvalidResponse::Member`] names the member that does not fit.
    pub fn check_format(&self, expected: Format) -> Result<(), InvalidResponse> {
        let (content_type, extension) = match &self.contents {
            None => (expected.mime_type(), expected.extension()),
            Some(contents) => {
                require(contents.format == expected, "format of files")?;
                let images = contents.images.as_ref();
                let is_bundle = images.is_some_and(|images| {
                    images
                        .iter()
                        .all(|image| image.spec().category == Category::Image)
                });
                require(
                    is_bundle == (expected == Format::Markdown),
                    "images of files",
                )?;
                require(is_bundle || images.is_none(), "images of files")?;
                require(contents.is_consistent(), "number of images")?;
                (ARCHIVE_MIME_TYPE, "zip")
            }
        };
        require(self.content_type == content_type, "content type")?;
        require(self.extension == extension, "extension")
    }

    fn check(&self) -> Result<(), InvalidResponse> {
        require(is_hexadecimal(&self.sha256, 64), "SHA-256")?;
        require(is_base64_of_64_bits(&self.crc64nvme), "checksum")?;
        require(is_text(&self.engine), "engine")?;
        require(self.warnings.len() <= MAX_WARNINGS, "number of warnings")?;
        for warning in &self.warnings {
            require(is_code(&warning.code), "warning code")?;
            require(is_text(&warning.message), "warning message")?;
            require(is_bounded(&warning.data), "warning data")?;
        }
        // The worksheets of a result count as pages. There may be more of them than pages in the largest plan.
        require(self.pages <= MAX_PAGE_NUMBER, "number of pages")?;
        let files = self.contents.as_ref().map(|contents| contents.sizes.len());
        require(
            files.is_none_or(|count| (1..=max_pages() as usize).contains(&count)),
            "number of files",
        )
    }
}

/// Whether engines report errors with this code; the others are the service's own.
fn is_from_an_engine(code: JobErrorCode) -> bool {
    !matches!(
        code,
        JobErrorCode::Cancelled | JobErrorCode::InternalError | JobErrorCode::SourceMissing
    )
}

fn require(holds: bool, member: &'static str) -> Result<(), InvalidResponse> {
    match holds {
        true => Ok(()),
        false => Err(InvalidResponse::Member(member)),
    }
}

fn is_text(text: &str) -> bool {
    text.len() <= MAX_TEXT_BYTES && !text.chars().any(char::is_control)
}

/// Whether the data of a warning is small and flat: texts, numbers, and lists of them.
fn is_bounded(data: &Map<String, Value>) -> bool {
    let is_scalar = |value: &Value| match value {
        Value::String(text) => is_text(text),
        value => value.is_number() || value.is_boolean(),
    };
    let is_allowed = |value: &Value| match value {
        Value::Array(items) => items.iter().all(is_scalar),
        Value::Object(members) => members
            .iter()
            .all(|(name, value)| is_text(name) && is_scalar(value)),
        value => is_scalar(value),
    };
    let size = |data| serde_json::to_string(data).map_or(usize::MAX, |text| text.len());
    data.values().all(is_allowed) && size(data) <= MAX_TEXT_BYTES
}

/// The text without control characters, cut to the maximum size.
fn plain_text(text: &str) -> String {
    let plain: String = text
        .chars()
        .map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect();
    plain
        .get(..plain.floor_char_boundary(MAX_TEXT_BYTES))
        .unwrap_or_default()
        .to_owned()
}

fn is_code(text: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_lowercase() || byte == b'_';
    (1..=64).contains(&text.len()) && text.bytes().all(is_allowed)
}

fn is_hexadecimal(text: &str, length: usize) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    text.len() == length && text.bytes().all(is_digit)
}

/// Eight bytes are twelve characters, of which the last is padding.
fn is_base64_of_64_bits(text: &str) -> bool {
    let digits = text.strip_suffix('=').unwrap_or_default();
    let is_digit = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'+' || byte == b'/';
    digits.len() == 11 && digits.bytes().all(is_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn completed() -> Value {
        json!({"type": "completed", "value": {
            "contentType": "application/pdf", "extension": "pdf", "sizeBytes": 7, "sha256": "ab".repeat(32),
            "crc64nvme": "AAAAAAAAAAA=", "pages": 1, "contents": null,
            "warnings": [{"code": "limited_by_plan", "message": "smaller"}], "engine": "qpdf 12", "cpuMs": 5}})
    }

    fn too_long(spans: &[(u32, u32)]) -> Value {
        let spans = spans.iter();
        let spans: Vec<Value> = spans
            .map(|(first, last)| json!({"first": first, "last": last}))
            .collect();
        json!({"type": "tooLong", "value": {"languages": "eng", "spans": spans}})
    }

    fn parse(value: &Value) -> Result<Response, InvalidResponse> {
        Response::parse(&serde_json::to_vec(value).unwrap())
    }

    fn result(value: &Value) -> RunResult {
        match parse(value).unwrap() {
            Response::Completed(result) => *result,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn responses_round_trip() {
        for response in [
            parse(&completed()).unwrap(),
            Response::Rejected(JobError::new(JobErrorCode::InputCorrupt, "damaged")),
            parse(&too_long(&[(1, 60), (61, 100)])).unwrap(),
            Response::Interrupted(Interruption::Input {
                attachment: Some(1),
                failure: FailedInput::Expired,
            }),
            Response::Fingerprint(None),
        ] {
            let text = serde_json::to_vec(&response).unwrap();
            assert_eq!(Response::parse(&text), Ok(response));
        }
    }

    #[test]
    fn implausible_responses_are_refused() {
        let changes: [(&str, Value); 16] = [
            ("sha256", json!("AB".repeat(32))),
            ("sha256", json!("ab")),
            ("crc64nvme", json!("AAAA")),
            ("crc64nvme", json!("AAAAAAAAAAAA")),
            ("engine", json!("a\nb")),
            ("engine", json!("x".repeat(5_000))),
            ("warnings", json!([{"code": "A b", "message": ""}])),
            ("warnings", json!([{"code": "a", "message": "\u{1b}[2J"}])),
            (
                "warnings",
                json!([{"code": "a", "message": "", "data": {"pages": [[[1]]]}}]),
            ),
            (
                "warnings",
                json!([{"code": "a", "message": "", "data": {"name": "x".repeat(5_000)}}]),
            ),
            ("contents", json!({"format": "png", "sizes": []})),
            (
                "contents",
                json!({"format": "png", "sizes": vec![1; 5_001]}),
            ),
            ("sizeBytes", json!(-1)),
            ("pages", json!("one")),
            ("pages", json!(1 << 20)),
            ("more", json!(1)),
        ];
        for (member, value) in changes {
            let mut response = completed();
            response["value"][member] = value;
            assert!(parse(&response).is_err(), "{response}");
        }
        for other in [
            json!({"type": "rejected", "value": {"code": "cancelled", "message": "m"}}),
            json!({"type": "rejected", "value": {"code": "internal_error", "message": "m"}}),
            json!({"type": "approved", "value": {}}),
            too_long(&[(1, 60), (62, 100)]),
            too_long(&[(1, 60), (61, 5_001)]),
            json!([]),
            json!(null),
        ] {
            assert!(parse(&other).is_err(), "{other}");
        }
        let large = format!("\"{}\"", "x".repeat(MAX_RESPONSE_BYTES));
        assert_eq!(
            Response::parse(large.as_bytes()),
            Err(InvalidResponse::TooLarge)
        );
    }

    #[test]
    fn texts_of_engines_are_shortened_to_what_is_accepted() {
        let long = "\u{1b}[2J\nä".repeat(2_000);
        let warning = JobWarning {
            code: "limited_by_plan".to_owned(),
            message: long.clone(),
            data: Map::from_iter([("name".to_owned(), json!(long))]),
        };
        let completed = RunResult {
            engine: long.clone(),
            warnings: vec![warning; 200],
            ..result(&completed())
        };
        for response in [
            Response::Completed(Box::new(completed)),
            Response::Rejected(JobError::new(JobErrorCode::FetchBlocked, long.clone())),
            Response::Rejected(JobError::new(JobErrorCode::Cancelled, "m")),
            Response::Interrupted(Interruption::Service(long.clone())),
            Response::Interrupted(Interruption::TimedOut),
            Response::Fingerprint(Some(long)),
        ] {
            let sent = response.within_limits();
            let text = serde_json::to_vec(&sent).unwrap();
            assert_eq!(Response::parse(&text), Ok(sent));
        }
    }

    #[test]
    fn a_result_has_the_requested_format_alone_or_in_an_archive() {
        let pdf = result(&completed());
        assert_eq!(pdf.check_format(Format::Pdf), Ok(()));
        assert!(pdf.check_format(Format::Docx).is_err());
        let archive = RunResult {
            content_type: ARCHIVE_MIME_TYPE.to_owned(),
            extension: "zip".to_owned(),
            contents: Some(ArchiveContents {
                format: Format::Png,
                sizes: vec![1],
                images: None,
            }),
            ..pdf.clone()
        };
        assert_eq!(archive.check_format(Format::Png), Ok(()));
        assert!(archive.check_format(Format::Jpeg).is_err());
        let bundle = |format, image| RunResult {
            contents: Some(ArchiveContents {
                format,
                sizes: vec![1, 2],
                images: Some(vec![image]),
            }),
            ..archive.clone()
        };
        let markdown = bundle(Format::Markdown, Format::Png);
        assert_eq!(markdown.check_format(Format::Markdown), Ok(()));
        let other = bundle(Format::Markdown, Format::Pdf);
        assert!(other.check_format(Format::Markdown).is_err());
        let png = bundle(Format::Png, Format::Png);
        assert!(png.check_format(Format::Png).is_err());
        let unpacked = RunResult {
            contents: None,
            ..archive
        };
        assert!(unpacked.check_format(Format::Png).is_err());
    }
}
