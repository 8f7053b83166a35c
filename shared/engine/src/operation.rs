//! The table of modules: which one does which operation on which format.

mod cleanup;
pub(crate) mod compress;
mod crop;
mod flatten;
mod heic_to_image;
mod image_to_image;
mod image_to_pdf;
pub(crate) mod info;
mod merge;
pub(crate) mod metadata;
pub(crate) mod ocr;
mod office_to_pdf;
mod optimise;
mod overlay;
mod pdf_pages;
mod pdf_to_images;
mod pdf_to_text;
mod protection;
pub(crate) mod redraw;
mod repair;
mod resize;
mod rotate_image;
mod tiff_pages;
mod web_to_pdf;

use std::path::Path;
use std::time::Duration;

use domain::format::{Category, Format};
use domain::operation::Operation;
use sandbox::{Finished, Limits, Work};

use crate::error::EngineError;
use crate::fault::Outcome;
use crate::installed::Installed;
use crate::task::{Inspection, Product, Task, Verified};
use crate::web::Printed;

pub(crate) use self::web_to_pdf::for_browser;

/// Every module. A new operation is one row here and one module.
pub(crate) const MODULES: &[Module] = &[
    office_to_pdf::MODULE,
    pdf_to_images::MODULE,
    pdf_to_text::MODULE,
    image_to_pdf::MODULE,
    heic_to_image::MODULE,
    compress::MODULE,
    image_to_image::MODULE,
    resize::MODULE,
    crop::MODULE,
    rotate_image::MODULE,
    tiff_pages::MODULE,
    cleanup::MODULE,
    pdf_pages::MODULE,
    merge::MODULE,
    ocr::MODULE,
    protection::MODULE,
    info::MODULE,
    metadata::MODULE,
    flatten::MODULE,
    repair::MODULE,
    optimise::MODULE,
    overlay::MODULE,
    web_to_pdf::MODULE,
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
    /// By code of ours that drives a browser, in the child that has inspected the source.
    Browser(fn(&Task, &Inspection) -> Outcome<Printed<Product>>),
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
        _ => false,
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
    use domain::id::SourceKey;
    use domain::operation::{CONVERSIONS, ConvertOptions, OPERATIONS, OperationFacts};
    use domain::timestamp::Timestamp;
    use serde_json::json;

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

    /// Each operation with the least that it needs, and with each format or output that it may be asked for.
    fn examples(facts: &OperationFacts) -> Vec<Operation> {
        let source = SourceKey::mint(Timestamp(1), 1);
        let options = match facts.name {
            "compress" | "ocr" => json!({}),
            "resize" => json!({"width": 10}),
            "crop" => json!({"x": 0, "y": 0, "width": 10, "height": 10}),
            "rotate" => json!({"angle": 90}),
            "cleanup" => json!({"deskew": true}),
            "merge" => json!({"sourceKeys": [source]}),
            "extract-pages" | "delete-pages" => json!({"pages": "1"}),
            "reorder" => json!({"order": [1]}),
            "encrypt" => json!({"userPassword": "secret"}),
            "watermark" => json!({"text": "DRAFT"}),
            "metadata" => json!({"title": "Title"}),
            _ => json!({}),
        };
        let asked = facts.outputs.iter().map(|to| match facts.name {
            "compress" => ("format", to.id()),
            "ocr" => ("output", if *to == Format::Txt { "text" } else { to.id() }),
            _ => ("operation", facts.name),
        });
        let asked = asked.chain([("operation", facts.name)]);
        let example = asked.map(|(key, value)| {
            let mut item = options.clone();
            item["operation"] = facts.name.into();
            item[key] = value.into();
            Operation::read(&item, "$").unwrap_or_else(|fault| panic!("{item}: {fault:?}"))
        });
        example.collect()
    }

    #[test]
    fn every_operation_has_exactly_one_module_for_each_input_and_output() {
        for facts in OPERATIONS.iter().filter(|facts| facts.name != "convert") {
            for (operation, from) in examples(facts)
                .iter()
                .flat_map(|operation| facts.inputs.iter().map(move |from| (operation, *from)))
            {
                assert!(operation.resolve(from).is_some(), "{operation:?} on {from}");
                let modules = MODULES
                    .iter()
                    .filter(|module| (module.does)(operation, from));
                assert_eq!(modules.count(), 1, "{operation:?} on {from}");
            }
        }
    }

    #[test]
    fn no_module_does_what_the_table_of_operations_does_not_list() {
        for facts in OPERATIONS.iter().filter(|facts| facts.name != "convert") {
            for operation in examples(facts) {
                let others = Format::ALL
                    .iter()
                    .filter(|from| !facts.inputs.contains(from));
                for from in others {
                    assert!(
                        module(&operation, *from).is_none(),
                        "{operation:?} on {from}"
                    );
                }
            }
        }
    }
}
