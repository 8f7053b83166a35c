//! The processors: a queue and the function behind it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A queue and the function behind it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "kebab-case")]
pub enum Processor {
    /// Office documents.
    ProcessOffice,
    /// PDF.
    ProcessPdf,
    /// Images.
    ProcessImage,
    /// Recognises text.
    ProcessOcr,
    /// Web pages, in a browser.
    ProcessWeb,
    /// Jobs whose steps belong to several of the others.
    ProcessPipeline,
}

impl Processor {
    /// Every processor.
    pub const ALL: [Processor; 6] = [
        Self::ProcessOffice,
        Self::ProcessPdf,
        Self::ProcessImage,
        Self::ProcessOcr,
        Self::ProcessWeb,
        Self::ProcessPipeline,
    ];

    /// The name of the function and its queue.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ProcessOffice => "process-office",
            Self::ProcessPdf => "process-pdf",
            Self::ProcessImage => "process-image",
            Self::ProcessOcr => "process-ocr",
            Self::ProcessWeb => "process-web",
            Self::ProcessPipeline => "process-pipeline",
        }
    }

    /// Reads a name, with or without `process-`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let matches = |processor: &Self| {
            processor.name() == name || processor.name().strip_prefix("process-") == Some(name)
        };
        Self::ALL.into_iter().find(matches)
    }
}
