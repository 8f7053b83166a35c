//! What a step of a pipeline left, kept so that neither another attempt nor another job does the same step again.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::filename::Filename;
use crate::format::Format;
use crate::id::AccountId;
use crate::idempotency::digest;
use crate::job::{ArchiveContents, JobLimits, Warning};
use crate::operation::Operation;

/// Changes when facts are written in another form, or when keys are made of other things.
const FORM: &str = "1";

/// Everything that decides what a step leaves.
#[derive(Clone, Copy, Debug)]
pub struct StepInput<'a> {
    /// SHA-256 of the document, lower-case hexadecimal.
    pub sha256: &'a str,
    /// What the document is.
    pub format: Format,
    /// SHA-256 and format of each file that the step needs beside the document, in order.
    pub attachments: &'a [(String, Format)],
    /// What is done, with its options.
    pub operation: &'a Operation,
    /// What the plan allows.
    pub limits: JobLimits,
    /// The name of the job's source, after which files inside an archive are named.
    pub filename: &'a Filename,
    /// The engines that would do it, with their versions.
    pub engine: &'a str,
}

/// Names what a step leaves, within an account. Holds nothing of the document or of the step's options: it is a hash.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StepKey(String);

impl StepKey {
    /// The key of what this step leaves; `None` when its options cannot be written.
    #[must_use]
    pub fn of(input: &StepInput<'_>) -> Option<Self> {
        let operation = serde_json::to_string(input.operation).ok()?;
        let limits = serde_json::to_string(&input.limits).ok()?;
        let attachments = input.attachments.iter();
        let attachments: Vec<String> = attachments
            .map(|(sha256, format)| format!("{sha256} {format}"))
            .collect();
        let stem = match input.operation.leaves_several(input.format) {
            true => input.filename.stem(),
            false => "",
        };
        Some(Self(digest(&[
            FORM,
            input.sha256,
            &input.format.to_string(),
            &attachments.join(" "),
            &operation,
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

/// Where the facts about what a pipeline's step left lie in the object store.
#[must_use]
pub fn step_facts_object(account: &AccountId, key: &StepKey) -> String {
    format!("steps/{account}/{key}/facts.json")
}

/// Where what a pipeline's step left lies in the object store. Two workers that did the same step may have made other
/// bytes of it, so it is named after them.
#[must_use]
pub fn step_object(account: &AccountId, key: &StepKey, sha256: &str) -> String {
    format!("steps/{account}/{key}/{sha256}")
}

/// What is known about a kept artifact.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct StepFacts {
    /// Its media type.
    pub content_type: String,
    /// Its extension, without the dot.
    pub extension: String,
    /// Its size in bytes.
    pub size_bytes: u64,
    /// SHA-256 of its bytes, lower-case hexadecimal.
    pub sha256: String,
    /// How many pages or images it holds.
    pub pages: u32,
    /// What is inside, when it is an archive.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<ArchiveContents>,
    /// What is worth knowing about it.
    #[serde(default)]
    pub warnings: Vec<Warning>,
    /// Engine, version and font set that made it.
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
    fn a_key_changes_with_everything_that_decides_what_a_step_leaves() {
        let [encrypt, other, split] = [
            json!({"operation": "encrypt", "userPassword": "secret"}),
            json!({"operation": "encrypt", "userPassword": "secreT"}),
            json!({"operation": "split"}),
        ]
        .map(|item| operation(&item));
        let (report, memo) = (name("report.pdf"), name("memo.pdf"));
        let files = [("cd".to_owned(), Format::Pdf)];
        let base = StepInput {
            sha256: "ab",
            format: Format::Pdf,
            attachments: &[],
            operation: &encrypt,
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
                sha256: "cd",
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
            "only an archive names its files after the source"
        );
        assert!(keys.iter().all(|key| key.to_string().len() == 64));
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), all.len());
    }

    #[test]
    fn facts_read_back() {
        let facts = StepFacts {
            content_type: "application/zip".to_owned(),
            extension: "zip".to_owned(),
            size_bytes: 9,
            sha256: "ab".repeat(32),
            pages: 2,
            contents: Some(ArchiveContents {
                format: Format::Png,
                sizes: vec![4, 5],
            }),
            warnings: vec![Warning {
                code: "limited_by_plan".to_owned(),
                message: "smaller".to_owned(),
            }],
            engine: "pdfium 1".to_owned(),
        };
        let text = serde_json::to_string(&facts).unwrap();
        assert_eq!(serde_json::from_str::<StepFacts>(&text).unwrap(), facts);
    }
}
