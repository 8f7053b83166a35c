//! Results with several files: a ZIP archive whose entries have stable names.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::filename::Filename;
use crate::format::Format;

/// Media type of a result with several files.
pub const ARCHIVE_MIME_TYPE: &str = "application/zip";

/// Name of the document in an archive of a document and its images.
pub const BUNDLED_DOCUMENT: &str = "document.md";

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

/// The files in an archive. Their names follow from the name of the source, or are those of a document and its images. They
/// are not stored, so that the row of a job with thousands of pages fits into one DynamoDB item (400 KB).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveContents {
    /// Format of every file that is not one of the images.
    pub format: Format,
    /// Size of each file in bytes, in order.
    pub sizes: Vec<u64>,
    /// Formats of the images of the document that is the first file; `None` if the files do not belong together.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub images: Option<Vec<Format>>,
}

impl ArchiveContents {
    /// Returns the files, named after the source unless they are a document and its images.
    #[must_use]
    pub fn files(&self, source: &Filename) -> Vec<OutputFile> {
        let bundled = self.images.as_deref().map(|images| {
            let images = images.iter().zip(1..);
            let images = images.map(|(format, number)| (bundled_image(number, *format), *format));
            let document = (BUNDLED_DOCUMENT.to_owned(), self.format);
            [document].into_iter().chain(images).collect::<Vec<_>>()
        });
        let named = |number| (entry_name(source.stem(), number, self.format), self.format);
        let names = bundled.unwrap_or_else(|| (1..=self.sizes.len()).map(named).collect());
        let files = names.into_iter().zip(&self.sizes);
        files
            .map(|((name, format), size)| OutputFile {
                name,
                content_type: format.mime_type().to_owned(),
                size_bytes: *size,
            })
            .collect()
    }

    /// Whether there is a size for each file.
    #[must_use]
    pub fn is_consistent(&self) -> bool {
        let images = self.images.as_ref();
        images.is_none_or(|images| images.len() + 1 == self.sizes.len())
    }
}

/// Returns the name of an image, counted from 1, in an archive of a document and its images: `images/1.png`.
#[must_use]
pub fn bundled_image(number: usize, format: Format) -> String {
    format!("images/{number}.{}", format.extension())
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
            images: None,
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
    fn a_document_and_its_images_have_names_of_their_own() {
        let contents = ArchiveContents {
            format: Format::Markdown,
            sizes: vec![5, 7, 9],
            images: Some(vec![Format::Png, Format::Jpeg]),
        };
        assert!(contents.is_consistent());
        let files = contents.files(&Filename::try_from("Bericht.docx".to_owned()).unwrap());
        let seen = files.iter().map(|file| {
            (
                file.name.as_str(),
                file.content_type.as_str(),
                file.size_bytes,
            )
        });
        assert_eq!(
            seen.collect::<Vec<_>>(),
            [
                ("document.md", Format::Markdown.mime_type(), 5),
                ("images/1.png", "image/png", 7),
                ("images/2.jpg", "image/jpeg", 9),
            ]
        );
    }

    #[test]
    fn the_largest_plan_fits_an_item() {
        let contents = ArchiveContents {
            format: Format::Png,
            sizes: vec![104_857_600; 5_000],
            images: Some(vec![Format::Jpeg; 4_999]),
        };
        assert!(serde_json::to_vec(&contents).unwrap().len() < 100_000);
    }
}
