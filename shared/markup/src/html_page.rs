//! Documents that are read as one HTML page, which the reader of HTML parses and a browser prints.

use crate::error::Result;
use crate::html;
use crate::limits::{Budget, Limits};
use crate::source::{LoadedDocument, Metadata};
use crate::warning::Warning;

/// A document as HTML.
#[derive(Clone, Debug, Default)]
pub struct HtmlPage {
    /// Title and language.
    pub metadata: Metadata,
    /// The content of the `body` element. It loads nothing and has no scripts.
    pub body: String,
    /// Dropped content.
    pub warnings: Vec<Warning>,
}

impl HtmlPage {
    /// Reads the page into the model.
    pub(crate) fn open(self, limits: Limits) -> Result<LoadedDocument> {
        let mut page = html::read(&self.body, Budget::new(limits), false)?;
        page.metadata = self.metadata;
        page.warnings.extend(self.warnings);
        Ok(page)
    }
}
