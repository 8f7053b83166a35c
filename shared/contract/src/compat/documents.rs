//! Bodies of the compatibility routes that process one document: `/convert`, `/ocr` and `/compress`.

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::operation::{OptimizeLevel, Pixels, Quality};
use domain::source::SourceUrl;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::with_source;

/// Body of `POST /convert`. Exactly one of `sourceKey` and `url` is required.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("oneOf" = [{"required": ["sourceKey"]}, {"required": ["url"]}]))]
#[schemars(transform = field::without_null)]
pub struct ConvertDocument {
    /// Target format, as listed by `GET /formats`.
    pub format: String,
    /// The `sourceKey` of an upload. The response is a job.
    pub source_key: Option<String>,
    /// Public HTTPS URL of the source. The response is the converted file.
    #[schemars(with = "String", length(max = 2048), extend("format" = "uri"))]
    pub url: Option<SourceUrl>,
    /// File name of the source; the result is named after it. Default: the last segment of the URL.
    pub filename: Option<Filename>,
    /// Format of the source, or the extension of its files, such as `docm`. Default: inferred from the content type, the
    /// filename or the URL.
    pub input_format: Option<String>,
}

impl ConvertDocument {
    /// Parses the body of `POST /convert`.
    ///
    /// # Errors
    /// Every missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        with_source(body)
    }
}

/// Body of `POST /ocr`. Exactly one of `sourceKey` and `url` is required.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("oneOf" = [{"required": ["sourceKey"]}, {"required": ["url"]}]))]
#[schemars(transform = field::without_null)]
pub struct RecognizeText {
    /// The `sourceKey` of an upload. The response is a job.
    pub source_key: Option<String>,
    /// Public HTTPS URL of the source. The response is its text.
    #[schemars(with = "String", length(max = 2048), extend("format" = "uri"))]
    pub url: Option<SourceUrl>,
    /// File name of the source; the result is named after it. Default: the last segment of the URL.
    pub filename: Option<Filename>,
    /// Format of the source, or the extension of its files, such as `docm`. Default: inferred from the content type, the
    /// filename or the URL.
    pub input_format: Option<String>,
    /// Output: `text`, `json`, `hocr` or `pdf`; with `url` only `text`. Default: `text`.
    pub format: Option<String>,
    /// Languages of the text, such as `de`, `pt-BR` or `eng+deu`. Default: detected on some of the pages.
    pub language: Option<String>,
}

impl RecognizeText {
    /// Parses the body of `POST /ocr`.
    ///
    /// # Errors
    /// Every missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        with_source(body)
    }
}

/// The recognized text of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecognizedText {
    /// Text of all pages in order.
    pub text: String,
    /// Number of pages.
    pub pages: u32,
    /// Languages as given in the request.
    pub language: String,
}

/// Body of `POST /compress`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct CompressDocument {
    /// The `sourceKey` of an upload: an image or a PDF.
    pub source_key: String,
    /// File name of the source; the result is named after it.
    pub filename: Option<Filename>,
    /// Format of the source. Default: inferred from the content type or the filename.
    pub input_format: Option<String>,
    /// Image format of the result. Default: the format of the source.
    pub format: Option<String>,
    /// Encoder quality, from 1 (smallest) to 100 (best). Default: 80.
    pub quality: Option<Quality>,
    /// Maximum width in pixels. Images only. Default: no limit.
    pub max_width: Option<Pixels>,
    /// Maximum height in pixels. Images only. Default: no limit.
    pub max_height: Option<Pixels>,
    /// How much quality may be lost. PDF only. Default: `balanced`.
    pub level: Option<OptimizeLevel>,
    /// Whether the PDF is linearized, so that a viewer can show the first page before the rest is loaded. PDF only. Default:
    /// `false`.
    pub linearize: Option<bool>,
}

impl CompressDocument {
    /// Parses the body of `POST /compress`.
    ///
    /// # Errors
    /// Every missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        field::read(body, "$")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn errors<T: std::fmt::Debug>(read: Result<T, Vec<FieldError>>) -> Vec<(String, String)> {
        let errors = read.unwrap_err().into_iter();
        errors.map(|error| (error.path, error.code)).collect()
    }

    fn error(path: &str, code: &str) -> (String, String) {
        (path.to_owned(), code.to_owned())
    }

    #[test]
    fn unknown_members_are_ignored() {
        let url = "https://example.org/a.docx?secret";
        let body = json!({"url": url, "format": "pdf", "colour": "red", "created": null});
        let request = ConvertDocument::read(&body).unwrap();
        assert_eq!(request.url, Some(SourceUrl::new(url)));
        assert!(!format!("{request:?}").contains("secret"));
        let body = json!({"url": url, "colour": "red"});
        assert!(RecognizeText::read(&body).is_ok());
        let body = json!({"sourceKey": "src_1", "colour": "red"});
        assert!(CompressDocument::read(&body).is_ok());
    }

    #[test]
    fn exactly_one_source_is_required() {
        let both = json!({"url": "https://example.org/a", "sourceKey": "src_1", "format": "pdf"});
        let expected = [error("$.url", "invalid_value")];
        assert_eq!(errors(ConvertDocument::read(&both)), expected);
        assert_eq!(errors(RecognizeText::read(&both)), expected);
        let neither = json!({});
        let missing = [
            error("$.format", "missing_field"),
            error("$.sourceKey", "missing_field"),
        ];
        assert_eq!(errors(ConvertDocument::read(&neither)), missing);
        assert_eq!(
            errors(RecognizeText::read(&neither)),
            [error("$.sourceKey", "missing_field")]
        );
    }

    #[test]
    fn every_member_is_validated() {
        for (name, value) in [
            ("sourceKey", json!(null)),
            ("filename", json!("a".repeat(256))),
            ("inputFormat", json!(7)),
            ("format", json!([])),
            ("quality", json!(0)),
            ("quality", json!("80")),
            ("maxWidth", json!(-1)),
            ("level", json!("huge")),
            ("linearize", json!("yes")),
        ] {
            let mut body = json!({"sourceKey": "src_1"});
            body[name] = value;
            let expected = [error(&format!("$.{name}"), "invalid_value")];
            assert_eq!(errors(CompressDocument::read(&body)), expected, "{body}");
        }
    }
}
