//! Bodies about one document: convert it, recognise its text, make it smaller.

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::operation::{OptimiseLevel, Pixels, Quality};
use domain::source::SourceUrl;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::with_source;

/// Body of `POST /convert`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("oneOf" = [{"required": ["sourceKey"]}, {"required": ["url"]}]))]
#[schemars(transform = field::without_null)]
pub struct ConvertDocument {
    /// The format that is wanted, as `GET /formats` names it.
    pub format: String,
    /// The `sourceKey` of an upload; the answer is then a job. Either this or `url`.
    pub source_key: Option<String>,
    /// The public HTTPS address of the source; the answer is then the converted file. Either this or `sourceKey`.
    #[schemars(with = "String", length(max = 2048), extend("format" = "uri"))]
    pub url: Option<SourceUrl>,
    /// The name of the source; the result is named after it. When missing, what the address ends with.
    pub filename: Option<Filename>,
    /// The format of the source. When missing, its type, its name or its address has to tell.
    pub input_format: Option<String>,
}

impl ConvertDocument {
    /// Reads the body of `POST /convert`.
    ///
    /// # Errors
    /// Every member that is missing, of a wrong type or too large.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        with_source(body)
    }
}

/// Body of `POST /ocr`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(extend("oneOf" = [{"required": ["sourceKey"]}, {"required": ["url"]}]))]
#[schemars(transform = field::without_null)]
pub struct RecogniseText {
    /// The `sourceKey` of an upload; the answer is then a job. Either this or `url`.
    pub source_key: Option<String>,
    /// The public HTTPS address of the source; the answer is then its text. Either this or `sourceKey`.
    #[schemars(with = "String", length(max = 2048), extend("format" = "uri"))]
    pub url: Option<SourceUrl>,
    /// The name of the source; the result is named after it. When missing, what the address ends with.
    pub filename: Option<Filename>,
    /// The format of the source. When missing, its type, its name or its address has to tell.
    pub input_format: Option<String>,
    /// What is written: `text` (when not given), `json`, `hocr` or `pdf`; with `url` only `text`.
    pub format: Option<String>,
    /// The languages of the text, as `de`, `pt-BR` or `eng+deu`; English when not given.
    pub language: Option<String>,
}

impl RecogniseText {
    /// Reads the body of `POST /ocr`.
    ///
    /// # Errors
    /// Every member that is missing, of a wrong type or too large.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        with_source(body)
    }
}

/// The text of a document.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecognisedText {
    /// All of it, page after page.
    pub text: String,
    /// How many pages the document has.
    pub pages: u32,
    /// The languages that it was read in, as the request named them.
    pub language: String,
}

/// Body of `POST /compress`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct CompressDocument {
    /// The `sourceKey` of an upload: an image, or a PDF.
    pub source_key: String,
    /// The name of the source; the result is named after it.
    pub filename: Option<Filename>,
    /// The format of the source. When missing, its type or its name has to tell.
    pub input_format: Option<String>,
    /// Another image format for the result; the source's own when not given.
    pub format: Option<String>,
    /// Quality of a lossy encoder; 80 when not given.
    pub quality: Option<Quality>,
    /// Most pixels across. Images only.
    pub max_width: Option<Pixels>,
    /// Most pixels down. Images only.
    pub max_height: Option<Pixels>,
    /// How much may be lost. PDF only.
    pub level: Option<OptimiseLevel>,
    /// Whether a viewer can show the first page before the rest has come. PDF only.
    pub linearize: Option<bool>,
}

impl CompressDocument {
    /// Reads the body of `POST /compress`.
    ///
    /// # Errors
    /// Every member that is missing, of a wrong type or outside its bounds.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        field::read(body, "$")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn faults<T: std::fmt::Debug>(read: Result<T, Vec<FieldError>>) -> Vec<(String, String)> {
        let faults = read.unwrap_err().into_iter();
        faults.map(|fault| (fault.path, fault.code)).collect()
    }

    fn fault(path: &str, code: &str) -> (String, String) {
        (path.to_owned(), code.to_owned())
    }

    #[test]
    fn unknown_members_count_for_nothing() {
        let url = "https://example.org/a.docx?secret";
        let body = json!({"url": url, "format": "pdf", "colour": "red", "created": null});
        let request = ConvertDocument::read(&body).unwrap();
        assert_eq!(request.url, Some(SourceUrl::new(url)));
        assert!(!format!("{request:?}").contains("secret"));
        let body = json!({"url": url, "colour": "red"});
        assert!(RecogniseText::read(&body).is_ok());
        let body = json!({"sourceKey": "src_1", "colour": "red"});
        assert!(CompressDocument::read(&body).is_ok());
    }

    #[test]
    fn exactly_one_source_is_asked_for() {
        let both = json!({"url": "https://example.org/a", "sourceKey": "src_1", "format": "pdf"});
        let expected = [fault("$.url", "invalid_value")];
        assert_eq!(faults(ConvertDocument::read(&both)), expected);
        assert_eq!(faults(RecogniseText::read(&both)), expected);
        let neither = json!({});
        let missing = [
            fault("$.format", "missing_field"),
            fault("$.sourceKey", "missing_field"),
        ];
        assert_eq!(faults(ConvertDocument::read(&neither)), missing);
        assert_eq!(
            faults(RecogniseText::read(&neither)),
            [fault("$.sourceKey", "missing_field")]
        );
    }

    #[test]
    fn each_member_is_judged() {
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
            let expected = [fault(&format!("$.{name}"), "invalid_value")];
            assert_eq!(faults(CompressDocument::read(&body)), expected, "{body}");
        }
    }
}
