//! Operation `info`: writes a document's properties as JSON: format and page count; for PDF also encryption, permissions,
//! metadata, form fields, attached files, the electronic invoice, and visible page sizes in points.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use domain::operation::{Operation, Permission};
use pdf::form::Form;
use pdf::pdfium;
use pdf::qpdf::{self, Access, QpdfDocument};
use pdf::{date, e_invoice};
use pdfium_render::prelude::{PdfDocument, PdfDocumentMetadataTagType, PdfDocumentVersion};
use serde::Serialize;
use task::info::{FormInfo, ImageInfo, PageSize, PdfInfo};
use task::{Inspection, Product, Task, TaskError, TaskResult};

use super::{Module, Run};
use crate::installed::Installed;

/// Maximum number of attached files that are listed.
const MAX_ATTACHMENTS: usize = 1_000;

/// The table entry for PDF.
pub(crate) const PDF: Module = Module {
    implements: |operation, from| matches!(operation, Operation::Info(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Child(|task, inspection| {
        let pages = inspection.pages.unwrap_or(1);
        write(task, &pdf(task, inspection, pages)?, pages)
    }),
    verify: verify::pdf_info,
    fingerprint,
};

/// The table entry for images.
pub(crate) const IMAGE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::Info(_))
            && from != Format::Pdf
            && operation.resolve(from).is_some()
    },
    inspect: inspect::image,
    run: Run::Child(|task, inspection| {
        let pages = inspection.pages.unwrap_or(1);
        write(task, &image(task, pages)?, pages)
    }),
    verify: verify::image_info,
    fingerprint,
};

fn fingerprint(installed: &Installed, _: Format) -> String {
    let pdfium = installed.pdfium.as_ref();
    pdfium.map_or_else(String::new, |pdfium| pdfium.fingerprint.as_str().to_owned())
}

fn write(task: &Task, info: &impl Serialize, pages: u32) -> TaskResult<Product> {
    let file = File::create(task.output())?;
    serde_json::to_writer_pretty(file, info)
        .map_err(|error| TaskError::Io(std::io::Error::other(error)))?;
    Ok(Product {
        pages: Some(pages),
        ..Product::default()
    })
}

fn image(task: &Task, pages: u32) -> TaskResult<ImageInfo> {
    let open = || Ok::<_, TaskError>(BufReader::new(File::open(&task.source)?));
    let ((width, height), _) = imaging::upright_dimensions(open()?, task.from)?;
    Ok(ImageInfo {
        format: task.from,
        pages,
        width,
        height,
        density: imaging::density(open()?, task.from),
    })
}

fn pdf(task: &Task, inspection: &Inspection, pages: u32) -> TaskResult<PdfInfo> {
    use PdfDocumentMetadataTagType as Tag;
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let (encrypted, permissions) = match qpdf::access(&task.source, "")? {
        Access::Unlocked { permissions, .. } => (true, permissions),
        _ => (false, Permission::ALL.to_vec()),
    };
    // A file that libqpdf cannot read has its other properties from pdfium.
    let objects = QpdfDocument::open(&task.readable()).ok();
    let objects = objects.as_ref();
    let attachments = objects.map_or_else(Vec::new, QpdfDocument::attachments);
    let text = |tag| text(&document, tag);
    Ok(PdfInfo {
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
        form: match objects.filter(|_| inspection.catalog.form) {
            Some(objects) => form(objects)?,
            None => None,
        },
        attachment_count: u32::try_from(attachments.len()).unwrap_or(u32::MAX),
        e_invoice: objects.and_then(|objects| e_invoice::find(objects, &attachments)),
        attachments: attachments
            .into_iter()
            .take(MAX_ATTACHMENTS)
            .map(|file| file.info)
            .collect(),
        page_sizes: sizes(&document)?,
    })
}

/// Lists the fields of the form.
fn form(document: &QpdfDocument) -> TaskResult<Option<FormInfo>> {
    let document = document.skeleton()?;
    Ok(Form::of(&document).map(|form| form.describe(&document)))
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

fn sizes(document: &PdfDocument<'_>) -> TaskResult<Vec<PageSize>> {
    let sizes = document.pages().page_sizes().map_err(pdfium::load_error)?;
    let numbered = (1..).zip(sizes);
    let size = numbered.map(|(number, size)| PageSize {
        number,
        width: size.width().value,
        height: size.height().value,
    });
    Ok(size.collect())
}
