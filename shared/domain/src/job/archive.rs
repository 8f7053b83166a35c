//! Results with several files: a ZIP archive whose entries have stable names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::filename::Filename;
use crate::format::Format;

/// Media type of a result with several files.
pub const ARCHIVE_MIME_TYPE: &str = "application/zip";

/// A file inside an archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct OutputFile {
    /// Name of the entry.
    pub name: String,
    /// Media type.
    pub content_type: String,
    /// Size in bytes.
    pub size_bytes: u64,
}

/// The files in an archive. Their names follow from the name of the source and are not stored, so that the row of a job with
/// thousands of pages fits into one DynamoDB item (400 KB).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveContents {
    /// Format of every file.
    pub format: Format,
    /// Size of each file in bytes, in order.
    pub sizes: Vec<u64>,
}

impl ArchiveContents {
    /// Returns the files, named after the source.
    #[must_use]
    pub fn files(&self, source: &Filename) -> Vec<OutputFile> {
        let file = |(index, size): (usize, &u64)| OutputFile {
            name: entry_name(source.stem(), index + 1, self.format),
            content_type: self.format.mime_type().to_owned(),
            size_bytes: *size,
        };
        self.sizes.iter().enumerate().map(file).collect()
    }
}

/// Maximum length of the source name used in entry names, in characters: a list of thousands of files must fit into one
/// Lambda response (6 MB).
const STEM_LENGTH: usize = 100;

/// Returns the name of the entry `number`, counted from 1: `report-0001.png`.
#[must_use]
pub fn entry_name(stem: &str, number: usize, format: Format) -> String {
    let stem: String = stem.chars().take(STEM_LENGTH).collect();
    format!("{stem}-{number:04}.{}", format.extension())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_the_source_and_counted_from_one() {
        let contents = ArchiveContents {
            format: Format::Jpeg,
            sizes: vec![5, 7],
        };
        let files = contents.files(&Filename::try_from("Bericht März.pdf".to_owned()).unwrap());
        let seen: Vec<_> = files
            .iter()
            .map(|file| (file.name.as_str(), file.size_bytes))
            .collect();
        assert_eq!(
            seen,
            [("Bericht März-0001.jpg", 5), ("Bericht März-0002.jpg", 7)]
        );
        assert_eq!(files[0].content_type, "image/jpeg");
    }

    #[test]
    fn the_largest_plan_fits_an_item() {
        let contents = ArchiveContents {
            format: Format::Png,
            sizes: vec![104_857_600; 5_000],
        };
        assert!(serde_json::to_vec(&contents).unwrap().len() < 100_000);
    }
}
