//! Reads a document page by page, or as a whole.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use domain::format::Format;
use layout::{Basis, Page};

use crate::archive::Archive;
use crate::error::{MarkupError, Outcome};
use crate::limits::{Budget, Options};
use crate::package::Package;
use crate::pictures::{Pictures, SharedArchive};
use crate::source::{Metadata, Source};
use crate::warning::{Loss, Losses, Warning};
use crate::{biff, csv, docx, html, markdown, nesting, odf, pptx, rtf, xlsx};

/// A document that was read.
#[derive(Clone, Debug)]
pub struct Document {
    /// In order.
    pub pages: Vec<Page>,
    /// What its pages show, by number.
    pub pictures: Pictures,
    /// What is known about it.
    pub facts: Metadata,
    /// What was left out.
    pub warnings: Vec<Warning>,
}

/// Reads a whole document. Its format is a claim: bytes of another one are refused.
///
/// # Errors
/// [`MarkupError`], which says what the caller can do.
pub fn read(path: &Path, format: Format, options: &Options) -> Result<Document, MarkupError> {
    let mut reader = Reader::open(path, format, options)?;
    let mut pages = Vec::new();
    while let Some(page) = reader.next_page()? {
        pages.push(page);
    }
    Ok(Document {
        pages,
        pictures: reader.pictures(),
        facts: reader.facts().clone(),
        warnings: reader.warnings(),
    })
}

/// A document that is read page by page. Of workbooks and slides only one is held at a time.
pub struct Reader {
    source: Box<dyn Source>,
    pages: u32,
    dissolved: Losses,
}

impl Reader {
    /// Opens a document.
    ///
    /// # Errors
    /// As [`read`].
    pub fn open(path: &Path, format: Format, options: &Options) -> Result<Self, MarkupError> {
        Ok(Self {
            source: open(path, format, options)?,
            pages: 0,
            dissolved: Losses::default(),
        })
    }

    /// The next page; `None` behind the last one.
    ///
    /// # Errors
    /// As [`read`].
    pub fn next_page(&mut self) -> Result<Option<Page>, MarkupError> {
        let Some(mut sheet) = self.source.next()? else {
            return Ok(None);
        };
        self.pages += 1;
        self.dissolved.page = self.pages;
        for blocks in [&mut sheet.header, &mut sheet.blocks, &mut sheet.footer] {
            let count = nesting::dissolve(blocks);
            self.dissolved.add_many(Loss::NestedTable, count);
        }
        Ok(Some(Page {
            number: self.pages,
            size: sheet.size,
            basis: Basis::Structure,
            header: sheet.header,
            blocks: sheet.blocks,
            footer: sheet.footer,
        }))
    }

    /// At most how many pages follow.
    #[must_use]
    pub fn left(&self) -> usize {
        self.source.left()
    }

    /// The pictures of the pages that were read.
    #[must_use]
    pub fn pictures(&self) -> Pictures {
        self.source.pictures()
    }

    /// What is known about the document.
    #[must_use]
    pub fn facts(&self) -> &Metadata {
        self.source.facts()
    }

    /// What was left out of the pages that were read.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let dissolved = self.dissolved.all().into_iter();
        self.source
            .warnings()
            .into_iter()
            .chain(dissolved)
            .collect()
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Reader(page {})", self.pages)
    }
}

fn open(path: &Path, format: Format, options: &Options) -> Outcome<Box<dyn Source>> {
    let budget = Budget::new(options.limits);
    Ok(match format {
        Format::Docx => Box::new(docx::open(package(path, budget, options)?)?),
        Format::Xlsx => Box::new(xlsx::open(package(path, budget, options)?)?),
        Format::Xls => Box::new(biff::xls::open(path, budget)?),
        Format::Xlsb => Box::new(biff::xlsb::open(path, package(path, budget, options)?)?),
        Format::Csv | Format::Tsv => Box::new(csv::open(
            held(path, options.limits.text_bytes)?,
            format,
            &budget,
        )?),
        Format::Pptx => Box::new(pptx::open(package(path, budget, options)?)?),
        Format::Odt | Format::Ods | Format::Odp => {
            odf::open(package(path, budget, options)?, format)?
        }
        Format::Rtf => Box::new(rtf::open(&held(path, options.limits.text_bytes)?, budget)?),
        Format::Html => Box::new(html::open(held(path, options.limits.page_bytes)?, budget)?),
        Format::Markdown => Box::new(markdown::open(
            held(path, options.limits.page_bytes)?,
            budget,
        )?),
        _ => return Err(MarkupError::Unsupported),
    })
}

fn package(path: &Path, budget: Budget, options: &Options) -> Outcome<Package> {
    let mut head = Vec::new();
    File::open(path)?.take(8).read_to_end(&mut head)?;
    match head.as_slice() {
        [] => return Err(MarkupError::Empty),
        [b'P', b'K', ..] => {}
        [0xd0, 0xcf, 0x11, 0xe0, ..] => return Err(compound(path)),
        _ => return Err(MarkupError::Corrupt("it is no archive")),
    }
    let archive = Archive::open(path, &options.limits)?;
    let archive: SharedArchive = Arc::new(Mutex::new(archive));
    Ok(Package::new(archive, budget, options.speaker_notes))
}

/// Why a compound file is none of the formats that are read here.
fn compound(path: &Path) -> MarkupError {
    match cfb::open(path) {
        Ok(file) if file.is_stream("/EncryptedPackage") => MarkupError::PasswordRequired,
        Ok(_) => MarkupError::Mismatch,
        Err(_) => MarkupError::Corrupt("its compound file cannot be read"),
    }
}

fn held(path: &Path, most: u64) -> Outcome<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.len() > most {
        return Err(MarkupError::TooLarge("it has too many bytes"));
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    match bytes.is_empty() {
        true => Err(MarkupError::Empty),
        false => Ok(bytes),
    }
}
