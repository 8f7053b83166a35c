//! The interface of an operation's module, and one module for each operation. A module names the operations and formats
//! that it implements, inspects the source, runs the operation, verifies the result, and lists its engines.

mod bundle;
pub(crate) mod cleanup;
pub(crate) mod compare;
pub(crate) mod compress;
pub(crate) mod crop;
pub(crate) mod document_to_document;
pub(crate) mod document_writer;
pub(crate) mod fill;
pub(crate) mod flatten;
pub(crate) mod heic_to_image;
pub(crate) mod image_to_image;
pub(crate) mod image_to_pdf;
pub(crate) mod info;
pub(crate) mod merge;
pub(crate) mod metadata;
pub(crate) mod ocr;
pub(crate) mod office_document;
pub(crate) mod office_to_office;
pub(crate) mod office_to_pdf;
pub(crate) mod optimize;
pub(crate) mod overlay;
pub(crate) mod page_selection;
pub(crate) mod pdf_pages;
pub(crate) mod pdf_to_document;
pub(crate) mod pdf_to_images;
pub(crate) mod pdfa;
pub(crate) mod protection;
pub(crate) mod reencode;
pub(crate) mod repair;
pub(crate) mod resize;
pub(crate) mod rotate_image;
pub(crate) mod sanitize;
pub(crate) mod tiff_pages;
pub(crate) mod web_document;
pub(crate) mod web_to_pdf;
pub(crate) mod web_to_png;
mod written_content;

use std::path::Path;

use domain::format::{Category, Format};
use domain::limits::{MEBIBYTE, RESIDENT_BYTES, WorkLimit};
use domain::operation::Operation;
use office::LibreOfficeKit;
use sandbox::{FinishedChild, Limits, Work};
use task::{Inspection, PrintReport, Product, Task, TaskResult, Verified, Warning};

pub(crate) use self::web_document::for_browser;
use crate::error::EngineError;
use crate::installed::Installed;
use browser::Page;

/// Implementation of an operation.
pub(crate) struct Module {
    /// Whether the module implements this operation on this format.
    pub(crate) implements: fn(&Operation, Format) -> bool,
    /// Checks the source and the attachments.
    pub(crate) inspect: fn(&Task) -> TaskResult<Inspection>,
    /// How the operation runs.
    pub(crate) run: Run,
    /// Verifies the result, in a separate child.
    pub(crate) verify: fn(&Task, &Product) -> TaskResult<Verified>,
    /// The engines and versions that produce a result of this format.
    pub(crate) fingerprint: fn(&Installed, Format) -> String,
}

impl Module {
    /// Resource limits of the module's children, including the verifier, for a document of up to `pages` pages.
    pub(crate) fn limits(&self, limit: &WorkLimit, pages: u32) -> Limits {
        limits(limit, pages, self.run.processes())
    }
}

/// Resource limits of children for a document of up to `pages` pages. Resident memory is the same in every
/// function: see [`RESIDENT_BYTES`].
fn limits(limit: &WorkLimit, pages: u32, processes: u64) -> Limits {
    let time = limit.time + limit.per_page.saturating_mul(pages);
    Limits {
        wall: time,
        cpu: time,
        address_space: 4096 * MEBIBYTE,
        resident: RESIDENT_BYTES,
        file_size: limit.written,
        scratch: limit.written,
        open_files: 256,
        processes,
    }
}

/// Maximum number of processes of an external program.
const MAX_PROCESSES: u64 = 16;

/// Resource limits of a browser for any document.
pub(crate) fn browser_limits(limit: &WorkLimit) -> Limits {
    for_browser(limits(limit, 0, MAX_PROCESSES), false)
}

/// How a module runs.
pub(crate) enum Run {
    /// In process, in the child that inspected the source.
    Child(fn(&Task, &Inspection) -> TaskResult<Product>),
    /// With LibreOffice, in a fork of the zygote that inspects the source first.
    Office(fn(&Task, &Inspection, &LibreOfficeKit) -> TaskResult<Product>),
    /// By an external program, between two engine children.
    Program(Program),
    /// With a browser, in the child that inspected the source. The page is that of the prewarmed browser, if there is one.
    Browser(fn(&Task, &Inspection, Option<Page>) -> TaskResult<PrintReport<Product>>),
}

impl Run {
    /// Maximum number of processes of a child.
    fn processes(&self) -> u64 {
        match self {
            Self::Child(_) => 1,
            // LibreOffice would start other programs for paper sizes and keys, and works without them.
            Self::Office(_) => 1,
            Self::Browser(_) | Self::Program(_) => MAX_PROCESSES,
        }
    }
}

/// A module that runs an external program.
pub(crate) struct Program {
    /// Stages the source for the program and returns warnings; runs in the child that inspected it.
    pub(crate) stage: fn(&Task, &Inspection) -> TaskResult<Vec<Warning>>,
    /// The command to execute; built in the parent, which reads no byte of the document.
    pub(crate) work: fn(&Installed, &Path) -> Result<Work, EngineError>,
    /// Checks the program's outcome and files, because exit code 0 does not prove success; runs in the parent.
    pub(crate) check: fn(&Path, &FinishedChild) -> Result<(), EngineError>,
    /// Makes the result from the program's output; runs in a child.
    pub(crate) finish: fn(&Task) -> TaskResult<Product>,
}

/// Whether an operation converts from one of the `kinds` to one of the `to` formats.
fn is_conversion(operation: &Operation, from: Format, kinds: &[Category], to: &[Format]) -> bool {
    match operation {
        Operation::Convert(options) => {
            kinds.contains(&from.spec().category) && to.contains(&options.format)
        }
        _ => false,
    }
}
