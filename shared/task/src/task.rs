//! What parent and child tell each other about one step of a job.

use std::ops::Range;
use std::path::PathBuf;

use domain::format::Format;
use domain::job::{JobError, JobLimits, entry_name};
use domain::operation::{Operation, Password};
use sandbox::Network;
use serde::{Deserialize, Serialize};

use crate::file::is_regular;
use crate::magic::image_format;
use crate::{Catalog, Remark, WebPage};

/// What a child is asked. Every entry gets the same, and takes what it needs.
#[derive(Clone, Serialize, Deserialize)]
pub struct Task {
    /// The operation.
    pub operation: Operation,
    /// The document.
    pub source: PathBuf,
    /// What the document claims to be.
    pub from: Format,
    /// What the operation needs beside it, in order.
    pub attachments: Vec<Attached>,
    /// What the operation is to leave.
    pub to: Format,
    /// What the account's plan allows.
    pub limits: JobLimits,
    /// Where the step's files lie.
    pub directory: PathBuf,
    /// The only directory that the child may write to: `directory`, but not for verification.
    pub scratch: PathBuf,
    /// What files inside an archive are named after.
    pub stem: String,
    /// The library that reads PDF.
    pub pdfium: Option<PathBuf>,
    /// Where the models that text is recognised with lie.
    pub models: Option<PathBuf>,
    /// The browser that prints.
    pub browser: Option<PathBuf>,
    /// The page that is printed instead of the document.
    pub page: Option<WebPage>,
    /// What is to be verified.
    pub product: Option<Product>,
}

impl Task {
    /// Where the result of the step lies.
    pub fn output(&self) -> PathBuf {
        self.directory.join(OUTPUT)
    }

    /// Where inspection puts a copy of the source that its readers open whole, if it has to make one.
    pub fn mended(&self) -> PathBuf {
        self.directory.join("mended")
    }

    /// The source, or the mended copy of it.
    pub fn readable(&self) -> PathBuf {
        let mended = self.mended();
        if is_regular(&mended) {
            mended
        } else {
            self.source.clone()
        }
    }

    /// The same task for each of its attachments, with a directory for the mended copy of it.
    pub fn attached(&self) -> impl Iterator<Item = Task> {
        let attachments = self.attachments.iter().enumerate();
        attachments.map(|(index, attached)| Task {
            source: attached.path.clone(),
            from: self.kind_of(attached),
            directory: self.directory.join(format!("attached-{index}")),
            attachments: Vec::new(),
            ..self.clone()
        })
    }

    /// What messages call an attachment.
    pub fn beside(&self, index: usize) -> String {
        match self.operation {
            Operation::Merge(_) => format!("Document {} of the merge", index + 2),
            _ => "The watermark".to_owned(),
        }
    }

    /// What a file beside the document is. Uploads without a type that tells are claimed to be PDF: of a merge, their
    /// bytes decide whether they are images.
    fn kind_of(&self, attached: &Attached) -> Format {
        let takes = self.operation.takes_beside();
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

    /// What the child may reach.
    pub fn network(&self) -> Network {
        let page = self.page.as_ref();
        page.map_or(Network::Nothing, |page| Network::Proxy(page.proxy))
    }

    /// The name of a file inside an archive, counted from 1.
    pub fn entry_name(&self, number: usize) -> String {
        entry_name(&self.stem, number, self.to)
    }
}

/// A file that an operation needs beside its document.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Attached {
    /// The file.
    pub path: PathBuf,
    /// What it claims to be.
    pub format: Format,
}

/// The file that holds the result of a step. The parent never takes a name from a child.
pub const OUTPUT: &str = "output";

/// What inspection found out about a source.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Inspection {
    /// How many pages it has, where that can be told.
    pub pages: Option<u32>,
    /// How many pages each of its attachments has.
    pub attached: Vec<u32>,
    /// Whether one of its pages may be measured in another unit than points.
    #[serde(skip)]
    pub scaled: bool,
    /// What its catalog has beside its pages, if it is a PDF.
    #[serde(skip)]
    pub catalog: Catalog,
    /// Whether the catalogs of its attachments have anything beside their pages.
    #[serde(skip)]
    pub catalogs_attached: bool,
    /// How to read it, if it is text.
    pub text: Option<TextFacts>,
    /// Which bytes of it an engine must not see.
    #[serde(skip)]
    pub blank: Vec<Range<u64>>,
    /// What is worth knowing.
    pub remarks: Vec<Remark>,
}

/// How to read a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TextFacts {
    /// The encoding's name in the WHATWG Encoding Standard.
    pub encoding: String,
    /// What stands between the fields of a CSV file.
    pub separator: Option<char>,
    /// The fields of the line that has most of them; 1 if it is no table.
    pub columns: u64,
    /// The numbers of columns, from 1, of a table that becomes a sheet, in which numbers would change if they were any.
    pub texts: Vec<u64>,
}

/// What an operation made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Product {
    /// How many pages or images it holds, where the operation knows.
    pub pages: Option<u32>,
    /// Sizes in bytes of the files inside, when the result is an archive.
    pub entries: Vec<u64>,
    /// Width and height in pixels of each image.
    pub sides: Vec<(u32, u32)>,
    /// Whether the source itself is the best result.
    pub unchanged: bool,
    /// Whether there is a text to be seen in a picture of a page from the web.
    #[serde(default)]
    pub shows_text: bool,
    /// What is worth knowing.
    pub remarks: Vec<Remark>,
}

impl Product {
    /// Whether a child may say this of its result: it decides which file the customer gets and what that counts as.
    pub fn fits(&self, operation: &Operation, from: Format, to: Format) -> bool {
        let compresses = match operation {
            Operation::Compress(_) => true,
            // A document that is laid out for the web is another one.
            Operation::Optimise(options) => options.linearize != Some(true),
            _ => false,
        };
        let is_archive = !self.entries.is_empty();
        let pictures = self.sides.len();
        let holds_several = match operation {
            Operation::Split(_) => pictures == 0 && self.entries.len() > 1,
            Operation::Convert(_) => pictures > 1 && pictures == self.entries.len(),
            _ => false,
        };
        (!self.unchanged || (compresses && from == to)) && (!is_archive || holds_several)
    }
}

/// What verification found in a result.
#[derive(Debug, Serialize, Deserialize)]
pub struct Verified {
    /// How many pages or images it holds.
    pub pages: u32,
}

/// What a child reports.
#[derive(Debug, Serialize, Deserialize)]
pub enum Report<T> {
    /// The work is done.
    Done(T),
    /// The document or the request is at fault.
    Document(JobError),
    /// The service is at fault.
    Service(String),
}

#[cfg(test)]
mod tests {
    use domain::operation::{CompressOptions, ConvertOptions, OptimiseOptions};

    use super::*;

    #[test]
    fn only_a_compression_within_a_format_leaves_its_source_as_it_is() {
        let compress = Operation::Compress(CompressOptions::default());
        let convert = Operation::Convert(ConvertOptions::to(Format::Pdf));
        let unchanged = Product {
            unchanged: true,
            ..Product::default()
        };
        assert!(unchanged.fits(&compress, Format::Png, Format::Png));
        assert!(!unchanged.fits(&compress, Format::Png, Format::Jpeg));
        assert!(!unchanged.fits(&convert, Format::Png, Format::Pdf));
        assert!(!unchanged.fits(&convert, Format::Pdf, Format::Pdf));
        let optimise = |linearize| {
            Operation::Optimise(OptimiseOptions {
                linearize,
                ..OptimiseOptions::default()
            })
        };
        for (linearize, expected) in [(None, true), (Some(false), true), (Some(true), false)] {
            let fits = unchanged.fits(&optimise(linearize), Format::Pdf, Format::Pdf);
            assert_eq!(fits, expected, "{linearize:?}");
        }
    }

    #[test]
    fn only_several_pictures_of_pages_are_an_archive() {
        let convert = Operation::Convert(ConvertOptions::to(Format::Png));
        let compress = Operation::Compress(CompressOptions::default());
        let archive = |entries: &[u64], pictures: usize| Product {
            entries: entries.to_vec(),
            sides: vec![(1, 1); pictures],
            ..Product::default()
        };
        assert!(archive(&[5, 6], 2).fits(&convert, Format::Pdf, Format::Png));
        assert!(!archive(&[5, 6], 2).fits(&compress, Format::Png, Format::Png));
        assert!(!archive(&[5], 1).fits(&convert, Format::Pdf, Format::Png));
        assert!(!archive(&[5, 6], 3).fits(&convert, Format::Pdf, Format::Png));
    }
}
