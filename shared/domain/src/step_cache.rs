//! The step cache: artifacts of pipeline steps, reused by later attempts and jobs with the same input.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::filename::Filename;
use crate::format::Format;
use crate::id::AccountId;
use crate::idempotency::digest;
use crate::job::{ArchiveContents, JobLimits, JobWarning};
use crate::ocr_part::OcrPart;
use crate::operation::Operation;

/// Version of the cache: changes with the format of the metadata or the inputs of the key.
const CACHE_VERSION: &str = "3";

/// Everything that determines the artifact of a step.
#[derive(Clone, Copy, Debug)]
pub struct StepInput<'a> {
    /// Identity of the document's content: that of a source, or the SHA-256 of an artifact, lower-case hexadecimal.
    pub identity: &'a str,
    /// Format of the document.
    pub format: Format,
    /// Identity and format of each attachment of the step, in order.
    pub attachments: &'a [(String, Format)],
    /// The operation with its options.
    pub operation: &'a Operation,
    /// The part of the operation, if the artifact is not its result.
    pub part: Option<&'a OcrPart>,
    /// Limits of the plan.
    pub limits: JobLimits,
    /// Name of the job's source; entries of an archive are named after it.
    pub filename: &'a Filename,
    /// The engines that perform the operation, with their versions.
    pub engine: &'a str,
}

/// Returns the identity of a client's stored source: a hash of its object key and entity tag. Its SHA-256 is not available,
/// because a worker does not download it.
#[must_use]
pub fn source_identity(object: &str, etag: &str) -> String {
    digest(&[object, etag])
}

/// The cache key of a step within an account: a hash, which reveals nothing about the document or the options.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepKey(String);

impl StepKey {
    /// Computes the key of a step; `None` if its options cannot be serialized.
    #[must_use]
    pub fn of(input: &StepInput<'_>) -> Option<Self> {
        let operation = serde_json::to_string(input.operation).ok()?;
        let part = serde_json::to_string(&input.part).ok()?;
        let limits = serde_json::to_string(&input.limits).ok()?;
        let attachments = input.attachments.iter();
        let attachments: Vec<String> = attachments
            .map(|(identity, format)| format!("{identity} {format}"))
            .collect();
        let stem = match input.operation.produces_several_files(input.format) {
            true => input.filename.stem(),
            false => "",
        };
        Some(Self(digest(&[
            CACHE_VERSION,
            input.identity,
            &input.format.to_string(),
            &attachments.join(" "),
            &operation,
            &part,
            &limits,
            stem,
            input.engine,
        ])))
    }
}

impl fmt::Display for StepKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Returns the object key of the metadata of a step's artifact.
#[must_use]
pub fn step_artifact_metadata_object(account: &AccountId, key: &StepKey) -> String {
    format!("steps/{account}/{key}/facts.json")
}

/// Returns the object key of a step's artifact. It contains the hash of the content, because two workers may produce
/// different bytes for the same step.
#[must_use]
pub fn step_object(account: &AccountId, key: &StepKey, sha256: &str) -> String {
    format!("steps/{account}/{key}/{sha256}")
}

/// Metadata of a cached artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepArtifact {
    /// Media type.
    pub content_type: String,
    /// File extension, without the dot.
    pub extension: String,
    /// Size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of the content, lower-case hexadecimal.
    pub sha256: String,
    /// CRC-64/NVME of the content in Base64, as the store computes it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crc64nvme: Option<String>,
    /// Number of pages or images.
    pub pages: u32,
    /// The files in the archive, if the artifact is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<ArchiveContents>,
    /// Warnings about the artifact.
    #[serde(default)]
    pub warnings: Vec<JobWarning>,
    /// Engine, its version and the font set.
    pub engine: String,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::plan::Plan;

    fn operation(item: &serde_json::Value) -> Operation {
        Operation::read(item, "$").unwrap()
    }

    fn name(text: &str) -> Filename {
        Filename::try_from(text.to_owned()).unwrap()
    }

    #[test]
    fn a_key_changes_with_every_input_of_the_step() {
        let [encrypt, other, split] = [
            json!({"operation": "encrypt", "userPassword": "secret"}),
            json!({"operation": "encrypt", "userPassword": "secreT"}),
            json!({"operation": "split"}),
        ]
        .map(|item| operation(&item));
        let (report, memo) = (name("report.pdf"), name("memo.pdf"));
        let files = [("cd".to_owned(), Format::Pdf)];
        let base = StepInput {
            identity: "ab",
            format: Format::Pdf,
            attachments: &[],
            operation: &encrypt,
            part: None,
            limits: JobLimits::from(Plan::Free.limits()),
            filename: &report,
            engine: "qpdf 12",
        };
        let split = StepInput {
            operation: &split,
            ..base
        };
        let all = [
            base,
            StepInput {
                identity: "cd",
                ..base
            },
            StepInput {
                format: Format::Png,
                ..base
            },
            StepInput {
                attachments: &files,
                ..base
            },
            StepInput {
                operation: &other,
                ..base
            },
            StepInput {
                part: Some(&OcrPart::WholeOrRanges),
                ..base
            },
            StepInput {
                limits: JobLimits::from(Plan::Pro.limits()),
                ..base
            },
            StepInput {
                engine: "qpdf 13",
                ..base
            },
            split,
            StepInput {
                filename: &memo,
                ..split
            },
        ];
        let mut keys: Vec<_> = all
            .iter()
            .map(|input| StepKey::of(input).unwrap())
            .collect();
        let renamed = StepInput {
            filename: &memo,
            ..base
        };
        assert_eq!(
            StepKey::of(&renamed).unwrap(),
            keys[0],
            "only entries of an archive are named after the source"
        );
        assert!(keys.iter().all(|key| key.to_string().len() == 64));
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), all.len());
    }

    #[test]
    fn artifact_metadata_round_trips() {
        let artifact = StepArtifact {
            content_type: "application/zip".to_owned(),
            extension: "zip".to_owned(),
            size_bytes: 9,
            sha256: "ab".repeat(32),
            crc64nvme: Some("AAAAAAAAAAA=".to_owned()),
            pages: 2,
            contents: Some(ArchiveContents {
                format: Format::Png,
                sizes: vec![4, 5],
                images: None,
            }),
            warnings: vec![JobWarning {
                code: "limited_by_plan".to_owned(),
                message: "smaller".to_owned(),
                data: serde_json::Map::new(),
            }],
            engine: "pdfium 1".to_owned(),
        };
        let text = serde_json::to_string(&artifact).unwrap();
        assert_eq!(
            serde_json::from_str::<StepArtifact>(&text).unwrap(),
            artifact
        );
    }
}
