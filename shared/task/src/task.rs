//! The messages between parent and child processes about one step of a job.

use std::ops::Range;
use std::path::PathBuf;

use domain::format::Format;
use domain::job::{BUNDLED_DOCUMENT, JobError, JobLimits, entry_name};
use domain::ocr_part::{OcrPart, OcrRanges};
use domain::operation::{Operation, Password};
use sandbox::Network;
use serde::{Deserialize, Serialize};

use crate::file::is_regular;
use crate::magic::image_format;
use crate::{Catalog, Warning, WebPage};

/// The input of a child process. All entry points get the same type and use the members they need.
#[derive(Clone, Serialize, Deserialize)]
pub struct Task {
    /// The operation to run.
    pub operation: Operation,
    /// What of the operation to run, if it is `ocr` on a PDF.
    #[serde(default)]
    pub part: Option<OcrPart>,
    /// The source document.
    pub source: PathBuf,
    /// The declared format of the source.
    pub from: Format,
    /// Further documents of the operation, in order.
    pub attachments: Vec<AttachmentFile>,
    /// The output format.
    pub to: Format,
    /// The limits of the account's plan.
    pub limits: JobLimits,
    /// The directory of the step's files.
    pub directory: PathBuf,
    /// The only directory that the child process may write to. It differs from `directory` during verification.
    pub scratch: PathBuf,
    /// The base name of files inside an archive.
    pub stem: String,
    /// The path of the PDFium library.
    pub pdfium: Option<PathBuf>,
    /// The directory of the OCR models.
    pub models: Option<PathBuf>,
    /// The path of the browser.
    pub browser: Option<PathBuf>,
    /// The web page to render instead of `source`.
    pub page: Option<WebPage>,
    /// The output to verify.
    pub product: Option<Product>,
}

impl Task {
    /// The path of the output file.
    pub fn output(&self) -> PathBuf {
        self.directory.join(OUTPUT)
    }

    /// The path of the document in the output: the output itself, or a copy of the document in an archive of it and its images.
    pub fn document(&self) -> PathBuf {
        match &self.operation {
            Operation::Convert(options) if options.bundles_images() => {
                self.directory.join(BUNDLED_DOCUMENT)
            }
            _ => self.output(),
        }
    }

    /// The path of the repaired copy of the source, which inspection writes if parsers cannot read the source itself.
    pub fn repaired(&self) -> PathBuf {
        self.directory.join("repaired")
    }

    /// The repaired copy of the source, if there is one, otherwise the source.
    pub fn readable(&self) -> PathBuf {
        let repaired = self.repaired();
        if is_regular(&repaired) {
            repaired
        } else {
            self.source.clone()
        }
    }

    /// The same task with each attached document as its source and a directory of its own. The files of ranges of pages are no
    /// documents.
    pub fn attachment_tasks(&self) -> impl Iterator<Item = Task> {
        let is_document = !matches!(self.part, Some(OcrPart::Assembly(_)));
        let attachments = self.attachments.iter().filter(move |_| is_document);
        let attachments = attachments.enumerate();
        attachments.map(|(index, attached)| Task {
            source: attached.path.clone(),
            from: self.attachment_format(attached),
            directory: self.directory.join(format!("attached-{index}")),
            attachments: Vec::new(),
            ..self.clone()
        })
    }

    /// The name of an attachment in error messages.
    pub fn attachment_label(&self, index: usize) -> String {
        match self.operation {
            Operation::Merge(_) => format!("Document {} of the merge", index + 2),
            Operation::Compare(_) => "The earlier version".to_owned(),
            _ => "The watermark".to_owned(),
        }
    }

    /// The format of an attachment. Uploads without a specific content type are declared as PDF; for a merge, magic bytes
    /// decide whether they are images.
    fn attachment_format(&self, attached: &AttachmentFile) -> Format {
        let takes = self.operation.attachment_formats();
        let found = match (&self.operation, attached.format) {
            (Operation::Merge(_), Format::Pdf) => image_format(&attached.path),
            _ => None,
        };
        let found = found.filter(|found| takes.contains(found));
        found.unwrap_or(attached.format)
    }

    /// The password that opens the document.
    pub fn password(&self) -> Option<&Password> {
        match &self.operation {
            Operation::Convert(options) => options.password.as_ref(),
            Operation::Decrypt(options) => options.password.as_ref(),
            _ => None,
        }
    }

    /// The network access of the child process.
    pub fn network(&self) -> Network {
        let page = self.page.as_ref();
        page.map_or(Network::None, |page| Network::Proxy(page.proxy))
    }

    /// The name of a file inside an archive, counted from 1.
    pub fn entry_name(&self, number: usize) -> String {
        entry_name(&self.stem, number, self.to)
    }
}

/// A further document of an operation.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AttachmentFile {
    /// The path.
    pub path: PathBuf,
    /// The declared format.
    pub format: Format,
}

/// The name of the output file of a step. Fixed, so that the parent never uses a file name from a child process.
pub const OUTPUT: &str = "output";

/// The name of the file in which OCR notes each page of a PDF, so that another child can go on after a crash.
pub const OCR_JOURNAL: &str = "journal";

/// The inspection of a source.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Inspection {
    /// Number of pages, if the format has pages.
    pub pages: Option<u32>,
    /// Number of pages of each attachment.
    pub attachment_pages: Vec<u32>,
    /// Whether a page may have a `UserUnit` other than 1 point.
    #[serde(skip)]
    pub uses_user_unit: bool,
    /// The entries of its catalog, if it is a PDF.
    #[serde(skip)]
    pub catalog: Catalog,
    /// Whether the catalog of an attachment has any of these entries.
    #[serde(skip)]
    pub attachments_have_catalog_entries: bool,
    /// Encoding and CSV dialect, if it is text.
    pub text: Option<TextProperties>,
    /// Byte ranges to overwrite before an engine reads the source.
    #[serde(skip)]
    pub blanked_ranges: Vec<Range<u64>>,
    /// Warnings for the customer.
    pub warnings: Vec<Warning>,
}

/// Encoding and CSV dialect of a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextProperties {
    /// The encoding's name in the WHATWG Encoding Standard.
    pub encoding: String,
    /// The field separator of a CSV file.
    pub separator: Option<char>,
    /// The largest number of fields on a line; 1 if it is not a table.
    pub columns: u64,
    /// Columns, from 1, to import into a spreadsheet as text, because their values would change as numbers.
    pub text_columns: Vec<u64>,
}

/// The output of an operation, as the child process reports it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Product {
    /// Number of pages or images, if the operation determines it.
    pub pages: Option<u32>,
    /// Sizes in bytes of the files inside, if the output is an archive.
    pub entries: Vec<u64>,
    /// Formats of the images, if the output is an archive of a document and its images.
    #[serde(default)]
    pub images: Option<Vec<Format>>,
    /// Width and height in pixels of each image.
    pub sides: Vec<(u32, u32)>,
    /// Whether the source itself is the result, because nothing smaller was found.
    pub unchanged: bool,
    /// The ranges of the document, in place of a result.
    #[serde(default)]
    pub ranges: Option<OcrRanges>,
    /// Whether the rendered web page has visible text.
    #[serde(default)]
    pub shows_text: bool,
    /// Warnings for the customer.
    pub warnings: Vec<Warning>,
}

impl Product {
    /// Whether the report is plausible for the operation. The parent checks this, because it decides which file the customer
    /// gets and how it is charged.
    pub fn is_plausible_for(&self, operation: &Operation, from: Format, to: Format) -> bool {
        let compresses = match operation {
            Operation::Compress(_) => true,
            // A linearized document differs from its source.
            Operation::Optimize(options) => options.linearize != Some(true),
            _ => false,
        };
        let is_archive = !self.entries.is_empty();
        let pictures = self.sides.len();
        let holds_several = match operation {
            Operation::Split(_) => pictures == 0 && self.entries.len() > 1,
            Operation::Convert(options) if options.bundles_images() => {
                let images = self.images.as_ref();
                pictures == 0 && images.is_some_and(|images| images.len() + 1 == self.entries.len())
            }
            Operation::Convert(_) => pictures > 1 && pictures == self.entries.len(),
            _ => false,
        };
        let is_bundle =
            matches!(operation, Operation::Convert(options) if options.bundles_images());
        let recognizes = matches!(operation, Operation::Ocr(_));
        (!self.unchanged || (compresses && from == to))
            && (self.ranges.is_none() || (recognizes && from == Format::Pdf))
            && (!is_archive || holds_several)
            && (is_archive || !is_bundle)
            && self.images.is_some() == is_bundle
    }
}

/// The result of verification.
#[derive(Debug, Serialize, Deserialize)]
pub struct Verified {
    /// Number of pages or images of the output.
    pub pages: u32,
    /// What the output misses.
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

impl Verified {
    /// A complete output with this number of pages or images.
    pub fn complete(pages: u32) -> Self {
        Self {
            pages,
            warnings: Vec::new(),
        }
    }
}

/// The report of a child process.
#[derive(Debug, Serialize, Deserialize)]
pub enum Report<T> {
    /// The work succeeded.
    Done(T),
    /// The document or the request is at fault.
    Document(JobError),
    /// The service is at fault.
    Service(String),
}

#[cfg(test)]
mod tests {
    use domain::operation::{CompressOptions, ConvertOptions, OptimizeOptions};

    use super::*;

    #[test]
    fn only_compression_within_a_format_can_return_the_source() {
        let compress = Operation::Compress(CompressOptions::default());
        let convert = Operation::Convert(ConvertOptions::to(Format::Pdf));
        let unchanged = Product {
            unchanged: true,
            ..Product::default()
        };
        assert!(unchanged.is_plausible_for(&compress, Format::Png, Format::Png));
        assert!(!unchanged.is_plausible_for(&compress, Format::Png, Format::Jpeg));
        assert!(!unchanged.is_plausible_for(&convert, Format::Png, Format::Pdf));
        assert!(!unchanged.is_plausible_for(&convert, Format::Pdf, Format::Pdf));
        let optimize = |linearize| {
            Operation::Optimize(OptimizeOptions {
                linearize,
                ..OptimizeOptions::default()
            })
        };
        for (linearize, expected) in [(None, true), (Some(false), true), (Some(true), false)] {
            let plausible =
                unchanged.is_plausible_for(&optimize(linearize), Format::Pdf, Format::Pdf);
            assert_eq!(plausible, expected, "{linearize:?}");
        }
    }

    #[test]
    fn only_several_page_images_make_an_archive() {
        let convert = Operation::Convert(ConvertOptions::to(Format::Png));
        let compress = Operation::Compress(CompressOptions::default());
        let archive = |entries: &[u64], pictures: usize| Product {
            entries: entries.to_vec(),
            sides: vec![(1, 1); pictures],
            ..Product::default()
        };
        assert!(archive(&[5, 6], 2).is_plausible_for(&convert, Format::Pdf, Format::Png));
        assert!(!archive(&[5, 6], 2).is_plausible_for(&compress, Format::Png, Format::Png));
        assert!(!archive(&[5], 1).is_plausible_for(&convert, Format::Pdf, Format::Png));
        assert!(!archive(&[5, 6], 3).is_plausible_for(&convert, Format::Pdf, Format::Png));
    }
}
