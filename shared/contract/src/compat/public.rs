//! Bodies of the forms that are open to anybody.

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
    /// The public address of the page.
    #[schemars(with = "String", length(max = 2048), extend("format" = "uri"))]
    pub url: SourceUrl,
    /// The name of the PDF; when missing, the page's host.
    pub filename: Option<Filename>,
}

impl RenderWebPage {
    /// Reads the body of `POST /webpage-to-pdf`.
    ///
    /// # Errors
    /// Every member that is missing, of a wrong type or too large.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        field::read(body, "$")
    }
}

/// Body of `POST /sandbox/convert`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct ConvertSample {
    /// The format that the service's own sample, a docx, is converted to.
    pub format: String,
}

impl ConvertSample {
    /// Reads the body of `POST /sandbox/convert`.
    ///
    /// # Errors
    /// `format` is missing or no text.
    pub fn read(body: &Value) -> Result<Self, Vec<FieldError>> {
        field::read(body, "$")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_is_needed_is_asked_for() {
        let paths = |faults: Vec<FieldError>| faults[0].path.clone();
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
