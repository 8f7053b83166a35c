//! Reads a document page by page, or as a whole.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, Mutex};

use domain::format::Format;
use domain::limits::MAIL_BYTES;
use layout::{Basis, Page};

use crate::archive::Archive;
use crate::error::{MarkupError, Result};
use crate::html_page::HtmlPage;
use crate::limits::{Budget, Options};
use crate::package::Package;
use crate::pictures::{Pictures, SharedArchive};
use crate::sheet_cells::SheetCells;
use crate::source::{Metadata, Source};
use crate::warning::{Loss, Losses, Warning};
use crate::{biff, csv, docx, epub, html, mail, markdown, nesting, odf, pptx, rtf, xlsx};

/// A document.
#[derive(Clone, Debug)]
pub struct Document {
    /// Pages in order.
    pub pages: Vec<Page>,
    /// Pictures of the pages, by number.
    pub pictures: Pictures,
    /// Title and language.
    pub metadata: Metadata,
    /// Dropped content.
    pub warnings: Vec<Warning>,
}

/// Reads a whole document. Fails with [`MarkupError::Mismatch`] if it is not of the declared format.
///
/// # Errors
/// [`MarkupError`], which describes what the caller can do.
pub fn read(path: &Path, format: Format, options: &Options) -> Result<Document, MarkupError> {
    let mut reader = Reader::open(path, format, options)?;
    let mut pages = Vec::new();
    while let Some(page) = reader.next_page()? {
        pages.push(page);
    }
    Ok(Document {
        pages,
        pictures: reader.pictures(),
        metadata: reader.metadata().clone(),
        warnings: reader.warnings(),
    })
}

/// Reads a book or a mail as HTML.
///
/// # Errors
/// As [`read`]; [`MarkupError::Unsupported`] for other formats.
pub fn read_as_html(
    path: &Path,
    format: Format,
    options: &Options,
) -> Result<HtmlPage, MarkupError> {
    match format {
        Format::Epub => epub::read(package(path, options)?, options),
        Format::Eml => mail::eml(&file_bytes(path, MAIL_BYTES)?, options),
        Format::Msg => mail::msg(File::open(path)?, options),
        _ => Err(MarkupError::Unsupported),
    }
}

/// Reads a document page by page. Of workbooks and presentations only one page is in memory at a time.
pub struct Reader {
    source: Box<dyn Source>,
    pages: u32,
    flattened: Losses,
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
            flattened: Losses::default(),
        })
    }

    /// Returns the next page; `None` after the last one.
    ///
    /// # Errors
    /// As [`read`].
    pub fn next_page(&mut self) -> Result<Option<Page>, MarkupError> {
        let Some(mut sheet) = self.source.next()? else {
            return Ok(None);
        };
        self.pages += 1;
        self.flattened.page = self.pages;
        for blocks in [&mut sheet.header, &mut sheet.blocks, &mut sheet.footer] {
            let count = nesting::flatten_deep_tables(blocks);
            self.flattened.add_many(Loss::NestedTable, count);
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

    /// Returns the cells of the next page, which is empty if it is no worksheet; `None` after the last one.
    ///
    /// # Errors
    /// As [`read`].
    pub fn next_sheet(&mut self) -> Result<Option<SheetCells>, MarkupError> {
        let page = self.source.next()?;
        Ok(page.map(|page| SheetCells {
            page: page.size,
            ..page.sheet
        }))
    }

    /// Returns an upper bound of the number of remaining pages.
    #[must_use]
    pub fn left(&self) -> usize {
        self.source.left()
    }

    /// Returns the pictures of the pages read so far.
    #[must_use]
    pub fn pictures(&self) -> Pictures {
        self.source.pictures()
    }

    /// Returns the title and language of the document.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        self.source.metadata()
    }

    /// Returns the content dropped from the pages read so far.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let flattened = self.flattened.all().into_iter();
        self.source
            .warnings()
            .into_iter()
            .chain(flattened)
            .collect()
    }
}

impl std::fmt::Debug for Reader {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "Reader(page {})", self.pages)
    }
}

fn open(path: &Path, format: Format, options: &Options) -> Result<Box<dyn Source>> {
    let budget = Budget::new(options.limits);
    Ok(match format {
        Format::Docx => Box::new(docx::open(package(path, options)?)?),
        Format::Xlsx => Box::new(xlsx::open(package(path, options)?)?),
        Format::Xls => Box::new(biff::xls::open(path, budget, options.locale)?),
        Format::Xlsb => Box::new(biff::xlsb::open(path, package(path, options)?)?),
        Format::Csv | Format::Tsv => Box::new(csv::open(
            file_bytes(path, options.limits.text_bytes)?,
            format,
            &budget,
        )?),
        Format::Pptx => Box::new(pptx::open(package(path, options)?)?),
        Format::Odt | Format::Ods | Format::Odp => odf::open(package(path, options)?, format)?,
        Format::Rtf => Box::new(rtf::open(
            &file_bytes(path, options.limits.text_bytes)?,
            budget,
        )?),
        Format::Epub | Format::Eml | Format::Msg => {
            Box::new(read_as_html(path, format, options)?.open(options.limits)?)
        }
        Format::Html => Box::new(html::open(
            file_bytes(path, options.limits.page_bytes)?,
            budget,
        )?),
        Format::Markdown => Box::new(markdown::open(
            file_bytes(path, options.limits.page_bytes)?,
            budget,
        )?),
        _ => return Err(MarkupError::Unsupported),
    })
}

/// Opens a package.
pub(crate) fn package(path: &Path, options: &Options) -> Result<Package> {
    let budget = Budget::new(options.limits);
    let mut head = Vec::new();
    File::open(path)?.take(8).read_to_end(&mut head)?;
    match head.as_slice() {
        [] => return Err(MarkupError::Empty),
        [b'P', b'K', ..] => {}
        [0xd0, 0xcf, 0x11, 0xe0, ..] => return Err(compound_file_error(path)),
        _ => return Err(MarkupError::Corrupt("it is not a ZIP archive")),
    }
    let archive = Archive::open(path, &options.limits)?;
    let archive: SharedArchive = Arc::new(Mutex::new(archive));
    Ok(Package::new(archive, budget, options))
}

/// Explains why a compound file (CFB) is none of the supported formats.
fn compound_file_error(path: &Path) -> MarkupError {
    match cfb::open(path) {
        Ok(file) if file.is_stream("/EncryptedPackage") => MarkupError::PasswordRequired,
        Ok(_) => MarkupError::Mismatch,
        Err(_) => MarkupError::Corrupt("its compound file cannot be read"),
    }
}

/// Reads a file of at most `most` bytes.
pub(crate) fn file_bytes(path: &Path, most: u64) -> Result<Vec<u8>> {
    let file = File::open(path)?;
    if file.metadata()?.len() > most {
        return Err(MarkupError::TooLarge("the file is too large"));
    }
    let mut bytes = Vec::new();
    file.take(most).read_to_end(&mut bytes)?;
    match bytes.is_empty() {
        true => Err(MarkupError::Empty),
        false => Ok(bytes),
    }
}
