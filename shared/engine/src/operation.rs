//! The table of modules: which one does which operation on which format.

mod compress;
mod image_to_pdf;
mod office_to_pdf;
mod pdf_to_images;
mod pdf_to_text;

use std::path::Path;
use std::time::Duration;

use domain::format::{Category, Format};
use domain::operation::Operation;
use sandbox::{Finished, Limits, Work};

use crate::error::EngineError;
use crate::fault::Outcome;
use crate::installed::Installed;
use crate::task::{Inspection, Product, Task, Verified};

/// Every module. A new operation is one row here and one module.
pub(crate) const MODULES: &[Module] = &[
    office_to_pdf::MODULE,
    pdf_to_images::MODULE,
    pdf_to_text::MODULE,
    image_to_pdf::MODULE,
    compress::MODULE,
];

/// What does an operation.
pub(crate) struct Module {
    /// Whether it does this operation on this format.
    pub(crate) does: fn(&Operation, Format) -> bool,
    /// What its children may use, the verifier included, beside the time for pages.
    pub(crate) limits: Limits,
    /// Time that its children get for each page that the plan allows.
    pub(crate) a_page: Duration,
    /// How it is run.
    pub(crate) run: Run,
    /// Checks the result, in a child of its own.
    pub(crate) verify: fn(&Task, &Product) -> Outcome<Verified>,
    /// The engines and versions that make a result of this format.
    pub(crate) fingerprint: fn(&Installed, Format) -> String,
}

impl Module {
    /// What its children may use for a document of at most so many pages.
    pub(crate) fn limits(&self, pages: u32) -> Limits {
        let pages = self.a_page.saturating_mul(pages);
        Limits {
            wall: self.limits.wall + pages,
            cpu: self.limits.cpu + pages,
            ..self.limits
        }
    }
}

/// How a module is run.
pub(crate) enum Run {
    /// By code of ours, in the child that has inspected the source.
    Child(fn(&Task, &Inspection) -> Outcome<Product>),
    /// By another program, between two children of ours.
    Program(Program),
}

/// A module whose work another program does.
pub(crate) struct Program {
    /// Lays the source out for the program; in the child that has inspected it.
    pub(crate) stage: fn(&Task, &Inspection) -> Outcome<()>,
    /// What to execute; in the parent, which touches no byte of the document.
    pub(crate) work: fn(&Installed, &Path, Format, &Inspection) -> Result<Work, EngineError>,
    /// What the program's end means, as it is no evidence of success; in the parent.
    pub(crate) check: fn(&Path, &Finished) -> Result<(), EngineError>,
    /// Takes the program's result over; in a child.
    pub(crate) finish: fn(&Task) -> Outcome<Product>,
}

/// The module that does an operation on a format.
pub(crate) fn module(operation: &Operation, from: Format) -> Option<&'static Module> {
    MODULES.iter().find(|module| (module.does)(operation, from))
}

/// Whether an operation is a conversion from one kind of document to one of these formats.
fn converts(operation: &Operation, from: Format, kinds: &[Category], to: &[Format]) -> bool {
    match operation {
        Operation::Convert(options) => {
            kinds.contains(&from.facts().category) && to.contains(&options.format)
        }
        Operation::Compress(_) => false,
    }
}

/// Time for a page of a PDF, three times what one with a picture takes.
const PDF_PAGE: Duration = Duration::from_millis(100);

/// What the children of a module may use: below the 2,048 MB of memory and of scratch space that a function has.
const fn limits(wall_seconds: u64, scratch_mib: u64) -> Limits {
    const MIB: u64 = 1024 * 1024;
    Limits {
        wall: Duration::from_secs(wall_seconds),
        cpu: Duration::from_secs(wall_seconds),
        address_space: 4096 * MIB,
        resident: 1640 * MIB,
        file_size: scratch_mib * MIB,
        scratch: scratch_mib * MIB,
        open_files: 256,
        processes: 16,
    }
}

#[cfg(test)]
mod tests {
    use domain::operation::{CONVERSIONS, CompressOptions, ConvertOptions, OPERATIONS};

    use super::*;

    #[test]
    fn every_conversion_has_exactly_one_module() {
        for conversion in CONVERSIONS {
            let operation = Operation::Convert(ConvertOptions {
                format: conversion.to,
            });
            for from in conversion.from {
                let modules = MODULES
                    .iter()
                    .filter(|module| (module.does)(&operation, *from));
                assert_eq!(modules.count(), 1, "{from} to {}", conversion.to);
            }
        }
    }

    #[test]
    fn time_grows_with_the_pages_that_a_plan_allows() {
        let picture = Operation::Convert(ConvertOptions {
            format: Format::Png,
        });
        let module = module(&picture, Format::Pdf).unwrap();
        let seconds = |pages| module.limits(pages).wall.as_secs();
        assert_eq!([200, 5_000].map(seconds), [110, 590]);
        assert_eq!(module.limits(5_000).cpu, module.limits(5_000).wall);
    }

    #[test]
    fn every_operation_has_exactly_one_module_for_each_input_and_output() {
        for facts in OPERATIONS.iter().filter(|facts| facts.name != "convert") {
            for (from, to) in facts
                .inputs
                .iter()
                .flat_map(|from| facts.outputs.iter().map(move |to| (*from, *to)))
            {
                let operation = match facts.name {
                    "compress" => Operation::Compress(CompressOptions {
                        format: Some(to),
                        ..CompressOptions::default()
                    }),
                    name => panic!("{name} is not in this test yet"),
                };
                let modules = MODULES
                    .iter()
                    .filter(|module| (module.does)(&operation, from));
                assert_eq!(modules.count(), 1, "{} from {from} to {to}", facts.name);
            }
        }
    }
}
