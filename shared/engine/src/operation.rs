//! The table of modules: which one does which operation on which format.

mod cleanup;
pub(crate) mod compress;
mod crop;
pub(crate) mod document_to_document;
mod flatten;
mod heic_to_image;
mod image_to_image;
mod image_to_pdf;
pub(crate) mod info;
mod kept_pages;
mod merge;
pub(crate) mod metadata;
pub(crate) mod ocr;
mod office_document;
mod office_to_office;
mod office_to_pdf;
mod optimise;
mod overlay;
mod page_text;
mod pdf_pages;
mod pdf_to_document;
mod pdf_to_images;
mod protection;
pub(crate) mod redraw;
mod repair;
mod resize;
mod rotate_image;
mod tiff_pages;
mod told;
mod web_document;
mod web_to_pdf;
mod web_to_png;
pub(crate) mod writing;

use std::path::Path;

use domain::format::{Category, Format};
use domain::limits::{MEBIBYTE, RESIDENT_BYTES, WorkLimit};
use domain::operation::Operation;
use office::Kit;
use sandbox::{Finished, Limits, Work};
use task::{Inspection, Outcome, Printed, Product, Task, Verified};

pub use self::told::told_by_ocr;
pub(crate) use self::web_document::{begin_browser, for_browser};
use crate::browser::Page;
use crate::error::EngineError;
use crate::installed::Installed;

/// Every module. A new operation is one row here and one module.
pub(crate) const MODULES: &[Module] = &[
    office_to_pdf::MODULE,
    office_to_office::MODULE,
    document_to_document::MODULE,
    pdf_to_images::MODULE,
    pdf_to_document::MODULE,
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
    web_to_png::MODULE,
];

/// What does an operation.
pub(crate) struct Module {
    /// Whether it does this operation on this format.
    pub(crate) does: fn(&Operation, Format) -> bool,
    /// How it is run.
    pub(crate) run: Run,
    /// Checks the result, in a child of its own.
    pub(crate) verify: fn(&Task, &Product) -> Outcome<Verified>,
    /// The engines and versions that make a result of this format.
    pub(crate) fingerprint: fn(&Installed, Format) -> String,
}

impl Module {
    /// What its children may use, the verifier included, for a document of at most so many pages: of memory, less than the
    /// 2,048 MB that a function has.
    pub(crate) fn limits(&self, limit: &WorkLimit, pages: u32) -> Limits {
        let time = limit.time + limit.a_page.saturating_mul(pages);
        Limits {
            wall: time,
            cpu: time,
            address_space: 4096 * MEBIBYTE,
            resident: RESIDENT_BYTES,
            file_size: limit.written,
            scratch: limit.written,
            open_files: 256,
            processes: match self.run {
                Run::Child(_) => 1,
                // It would ask other programs for paper sizes and keys, and does without when they do not start.
                Run::Office(_) => 1,
                Run::Browser(_) | Run::Program(_) => 16,
            },
        }
    }
}

/// What a browser that prints any document may use.
pub(crate) fn browser_limits(limit: &WorkLimit) -> Limits {
    for_browser(web_to_pdf::MODULE.limits(limit, 0), false)
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

#[cfg(test)]
mod tests {
    use domain::id::SourceKey;
    use domain::limits::work_limit;
    use domain::operation::{CONVERSIONS, ConvertOptions, OPERATIONS, OperationFacts, Processor};
    use domain::timestamp::Timestamp;
    use serde_json::json;

    use super::*;

    #[test]
    fn every_conversion_has_exactly_one_module() {
        for conversion in CONVERSIONS {
            let operation = Operation::Convert(ConvertOptions::to(conversion.to));
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
        let picture = Operation::Convert(ConvertOptions::to(Format::Png));
        let module = module(&picture, Format::Pdf).unwrap();
        let limit = work_limit("convert", Processor::ProcessPdf).unwrap();
        let seconds = |pages| module.limits(limit, pages).wall.as_secs();
        assert_eq!([200, 5_000].map(seconds), [110, 590]);
        assert_eq!(
            module.limits(limit, 5_000).cpu,
            module.limits(limit, 5_000).wall
        );
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
                let (processor, _) = operation.resolve(from).unwrap();
                let limit = work_limit(facts.name, processor);
                assert!(limit.is_some(), "{operation:?} on {from}");
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
