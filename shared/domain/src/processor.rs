//! Processors: a queue and the function that consumes it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// The part of the service that processes a job: a queue and the function that consumes it.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    IntoStaticStr,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case")]
pub enum Processor {
    /// Office documents.
    ProcessOffice,
    /// PDF.
    ProcessPdf,
    /// Images.
    ProcessImage,
    /// Text recognition.
    ProcessOcr,
    /// Web pages, rendered by a browser.
    ProcessWeb,
    /// Pipelines, and other jobs whose steps belong to several processors.
    ProcessPipeline,
}

impl Processor {
    /// Every processor.
    pub const ALL: &'static [Self] = Self::VARIANTS;

    /// Returns the name of the function and its queue.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Parses a name, with or without `process-`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        let matches = |processor: &Self| {
            processor.name() == name || processor.name().strip_prefix("process-") == Some(name)
        };
        Self::ALL.iter().copied().find(matches)
    }
}
