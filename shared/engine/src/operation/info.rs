//! What a document is, as JSON: its format and pages, and of a PDF how it is protected, who wrote it and how large its
//! pages are, in points as they are shown.

mod date;

use std::fs::File;
use std::io::BufReader;

use domain::format::{Category, Format};
use domain::operation::{Operation, Permission};
use pdf::pdfium;
use pdf::qpdf::{self, Access};
use pdfium_render::prelude::{PdfDocument, PdfDocumentMetadataTagType, PdfDocumentVersion};
use serde::{Deserialize, Serialize};
use task::{Fault, Inspection, Outcome, Product, Task};

use super::{Module, Run};
use crate::verify;

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Info(_)) && operation.resolve(from).is_some()
    },
    run: Run::Child(run),
    verify: verify::facts,
    fingerprint: |installed, _| {
        let pdfium = installed.pdfium.as_ref();
        pdfium.map_or_else(String::new, |pdfium| pdfium.fingerprint.clone())
    },
};

/// What is told about an image.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ImageFacts {
    /// The format.
    pub(crate) format: Format,
    /// Pages of a TIFF, else 1.
    pub(crate) pages: u32,
    /// Pixels across, of the first page, turned upright.
    pub(crate) width: u32,
    /// Pixels down.
    pub(crate) height: u32,
    /// Pixels an inch, across and down, where the file says so.
    pub(crate) density: Option<(f32, f32)>,
}

/// What is told about a PDF.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PdfFacts {
    /// The format.
    pub(crate) format: Format,
    /// How many pages there are.
    pub(crate) pages: u32,
    /// Whether it is encrypted, be it with a password that nobody needs.
    pub(crate) encrypted: bool,
    /// What it allows whoever can open it.
    pub(crate) permissions: Vec<Permission>,
    /// The version in its header, such as `1.7`.
    pub(crate) pdf_version: Option<String>,
    /// The title; likewise what follows.
    pub(crate) title: Option<String>,
    /// Who wrote it.
    pub(crate) author: Option<String>,
    /// What it is about.
    pub(crate) subject: Option<String>,
    /// Words to find it by.
    pub(crate) keywords: Option<String>,
    /// The program that made the PDF.
    pub(crate) producer: Option<String>,
    /// The program that the document was written with.
    pub(crate) creator: Option<String>,
    /// When it was made, as RFC 3339 says as far as it is known.
    pub(crate) created: Option<String>,
    /// When it was last changed.
    pub(crate) modified: Option<String>,
    /// Whether it tells the structure of its text.
    pub(crate) tagged: bool,
    /// Whether it has a form.
    pub(crate) forms: bool,
    /// How large each page is.
    pub(crate) page_sizes: Vec<PageSize>,
}

/// How large a page is, as it is shown.
#[derive(Serialize, Deserialize)]
pub(crate) struct PageSize {
    /// Its number, from 1.
    pub(crate) number: u32,
    /// Width in points.
    pub(crate) width: f32,
    /// Height in points.
    pub(crate) height: f32,
}

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let pages = inspection.pages.unwrap_or(1);
    match task.from.facts().category {
        Category::Pdf => write(task, &pdf(task, pages)?)?,
        _ => write(task, &image(task, pages)?)?,
    }
    Ok(Product {
        pages: Some(pages),
        ..Product::default()
    })
}

fn write(task: &Task, facts: &impl Serialize) -> Outcome<()> {
    let file = File::create(task.output())?;
    serde_json::to_writer_pretty(file, facts)
        .map_err(|error| Fault::Io(std::io::Error::other(error)))
}

fn image(task: &Task, pages: u32) -> Outcome<ImageFacts> {
    let open = || Ok::<_, Fault>(BufReader::new(File::open(&task.source)?));
    let ((width, height), _) = imaging::upright_sides(open()?, task.from)?;
    Ok(ImageFacts {
        format: task.from,
        pages,
        width,
        height,
        density: imaging::density(open()?, task.from),
    })
}

fn pdf(task: &Task, pages: u32) -> Outcome<PdfFacts> {
    use PdfDocumentMetadataTagType as Tag;
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let (encrypted, permissions) = match qpdf::access(&task.source, "")? {
        Access::Unlocked { permissions, .. } => (true, permissions),
        _ => (false, Permission::ALL.to_vec()),
    };
    let text = |tag| text(&document, tag);
    Ok(PdfFacts {
        format: task.from,
        pages,
        encrypted,
        permissions,
        pdf_version: version(document.version()),
        title: text(Tag::Title),
        author: text(Tag::Author),
        subject: text(Tag::Subject),
        keywords: text(Tag::Keywords),
        producer: text(Tag::Producer),
        creator: text(Tag::Creator),
        created: text(Tag::CreationDate).and_then(|date| date::read(&date)),
        modified: text(Tag::ModificationDate).and_then(|date| date::read(&date)),
        tagged: document.catalog().is_tagged(),
        forms: document.form().is_some(),
        page_sizes: sizes(&document)?,
    })
}

fn version(version: PdfDocumentVersion) -> Option<String> {
    use PdfDocumentVersion as Version;
    let tens = match version {
        Version::Unset => return None,
        Version::Pdf1_0 => 10,
        Version::Pdf1_1 => 11,
        Version::Pdf1_2 => 12,
        Version::Pdf1_3 => 13,
        Version::Pdf1_4 => 14,
        Version::Pdf1_5 => 15,
        Version::Pdf1_6 => 16,
        Version::Pdf1_7 => 17,
        Version::Pdf2_0 => 20,
        Version::Other(tens) => tens,
    };
    Some(format!("{}.{}", tens / 10, tens % 10))
}

fn text(document: &PdfDocument<'_>, tag: PdfDocumentMetadataTagType) -> Option<String> {
    let found = document.metadata().get(tag)?;
    let text = found.value().trim();
    (!text.is_empty()).then(|| text.to_owned())
}

fn sizes(document: &PdfDocument<'_>) -> Outcome<Vec<PageSize>> {
    let sizes = document.pages().page_sizes().map_err(pdfium::fault)?;
    let numbered = (1..).zip(sizes);
    let size = numbered.map(|(number, size)| PageSize {
        number,
        width: size.width().value,
        height: size.height().value,
    });
    Ok(size.collect())
}
