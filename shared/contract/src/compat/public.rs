//! Bodies of the routes that anonymous clients may call: `/webpage-to-pdf` and `/sandbox/convert`.

use domain::field::{self, FieldError};
use domain::filename::Filename;
use domain::source::SourceUrl;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

/// Body of `POST /webpage-to-pdf`.
#[serde_with::apply(Option => #[serde(default, deserialize_with = "field::present")])]
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(transform = field::without_null)]
pub struct RenderWebPage {
    /// Public URL of the page.
    #[schemars(with = "String", length(max = 2048), extend("format" = "uri"))]
    pub url: SourceUrl,
    /// File name of the PDF. Default: the host of the page.
    pub filename: Option<Filename>,
}

impl RenderWebPage {
    /// Parses the body of `POST /webpage-to-pdf`.
    ///
    /// # Errors
    /// Every missing or invalid member.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        field::read(body, "$")
    }
}

/// Body of `POST /sandbox/convert`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ConvertSample {
    /// Target format of the built-in sample document, a DOCX.
    pub format: String,
}

impl ConvertSample {
    /// Parses the body of `POST /sandbox/convert`.
    ///
    /// # Errors
    /// `format` is missing or not a string.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        field::read(body, "$")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn required_members_are_reported() {
        let paths = |errors: Vec<FieldError>| errors[0].path.clone();
        let empty = json!({"colour": "red"});
        assert_eq!(paths(RenderWebPage::read(&empty).unwrap_err()), "$.url");
        assert_eq!(paths(ConvertSample::read(&empty).unwrap_err()), "$.colour");
        let missing = ConvertSample::read(&json!({})).unwrap_err();
        assert_eq!(paths(missing), "$.format");
        let page = json!({"url": "http://example.org/?secret", "colour": "red"});
        let page = RenderWebPage::read(&page).unwrap();
        assert!(!format!("{page:?}").contains("secret"));
        assert_eq!(
            ConvertSample::read(&json!({"format": "pdf"}))
                .unwrap()
                .format,
            "pdf"
        );
    }
}
