//! What every operation is made of, and one module for each: which operation it does on which format, how its source is
//! checked, how it is run, how its result is checked, and which engines make it.

pub(crate) mod cleanup;
pub(crate) mod compress;
pub(crate) mod crop;
pub(crate) mod document_to_document;
pub(crate) mod flatten;
pub(crate) mod heic_to_image;
pub(crate) mod image_to_image;
pub(crate) mod image_to_pdf;
pub(crate) mod info;
pub(crate) mod kept_pages;
pub(crate) mod merge;
pub(crate) mod metadata;
pub(crate) mod ocr;
pub(crate) mod office_document;
pub(crate) mod office_to_office;
pub(crate) mod office_to_pdf;
pub(crate) mod optimise;
pub(crate) mod overlay;
pub(crate) mod pdf_pages;
pub(crate) mod pdf_to_document;
pub(crate) mod pdf_to_images;
pub(crate) mod protection;
pub(crate) mod redraw;
pub(crate) mod repair;
pub(crate) mod resize;
pub(crate) mod rotate_image;
pub(crate) mod tiff_pages;
pub(crate) mod web_document;
pub(crate) mod web_to_pdf;
pub(crate) mod web_to_png;
pub(crate) mod writing;

use std::path::Path;

use domain::format::{Category, Format};
use domain::limits::{MEBIBYTE, RESIDENT_BYTES, WorkLimit};
use domain::operation::Operation;
use office::Kit;
use sandbox::{Finished, Limits, Work};
use task::{Inspection, Outcome, Printed, Product, Task, Verified};

pub(crate) use self::web_document::for_browser;
use crate::error::EngineError;
use crate::installed::Installed;
use browser::Page;

/// What does an operation.
pub(crate) struct Module {
    /// Whether it does this operation on this format.
    pub(crate) does: fn(&Operation, Format) -> bool,
    /// Checks the source, and what the operation needs beside it.
    pub(crate) inspect: fn(&Task) -> Outcome<Inspection>,
    /// How it is run.
    pub(crate) run: Run,
    /// Checks the result, in a child of its own.
    pub(crate) verify: fn(&Task, &Product) -> Outcome<Verified>,
    /// The engines and versions that make a result of this format.
    pub(crate) fingerprint: fn(&Installed, Format) -> String,
}

impl Module {
    /// What its children may use, the verifier included, for a document of at most so many pages.
    pub(crate) fn limits(&self, limit: &WorkLimit, pages: u32) -> Limits {
        limits(limit, pages, self.run.processes())
    }
}

/// What children may use for a document of at most so many pages: of memory, less than the 2,048 MB that a function has.
fn limits(limit: &WorkLimit, pages: u32, processes: u64) -> Limits {
    let time = limit.time + limit.a_page.saturating_mul(pages);
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

/// Most processes of another program.
const PROCESSES: u64 = 16;

/// What a browser that prints any document may use.
pub(crate) fn browser_limits(limit: &WorkLimit) -> Limits {
    for_browser(limits(limit, 0, PROCESSES), false)
}

/// How a module is run.
pub(crate) enum Run {
    /// By code of ours, in the child that has inspected the source.
    Child(fn(&Task, &Inspection) -> Outcome<Product>),
    /// By code of ours that drives LibreOffice, in a fork of the zygote, which inspects the source first.
    Office(fn(&Task, &Inspection, &Kit) -> Outcome<Product>),
    /// By another program, between two children of ours.
    Program(Program),
    /// By code of ours that drives a browser, in the child that has inspected the source; the browser's page, if it has been
    /// begun before.
    Browser(fn(&Task, &Inspection, Option<Page>) -> Outcome<Printed<Product>>),
}

impl Run {
    /// Most processes of a child.
    fn processes(&self) -> u64 {
        match self {
            Self::Child(_) => 1,
            // It would ask other programs for paper sizes and keys, and does without when they do not start.
            Self::Office(_) => 1,
            Self::Browser(_) | Self::Program(_) => PROCESSES,
        }
    }
}

/// A module whose work another program does.
pub(crate) struct Program {
    /// Lays the source out for the program; in the child that has inspected it.
    pub(crate) stage: fn(&Task) -> Outcome<()>,
    /// What to execute; in the parent, which touches no byte of the document.
    pub(crate) work: fn(&Installed, &Path) -> Result<Work, EngineError>,
    /// What the program's end means, as it is no evidence of success; in the parent.
    pub(crate) check: fn(&Path, &Finished) -> Result<(), EngineError>,
    /// Takes the program's result over; in a child.
    pub(crate) finish: fn(&Task) -> Outcome<Product>,
}

/// Whether an operation is a conversion from one kind of document to one of these formats.
fn converts(operation: &Operation, from: Format, kinds: &[Category], to: &[Format]) -> bool {
    match operation {
        Operation::Convert(options) => {
            kinds.contains(&from.facts().category) && to.contains(&options.format)
        }
        _ => false,
    }
}
