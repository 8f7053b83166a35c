//! Which modules a processor is linked with. A binary names its own set alone, so that the linker leaves out the engines of all
//! others. A new operation is one row here and one module.

use domain::format::Format;
use domain::operation::Operation;
use serde_json::Value;

use crate::operation::web_document::{self, Claimed};
use crate::operation::{
    Module, cleanup, compress, crop, document_to_document, flatten, heic_to_image, image_to_image,
    image_to_pdf, info, merge, metadata, ocr, office_to_office, office_to_pdf, optimise, overlay,
    pdf_pages, pdf_to_document, pdf_to_images, protection, repair, resize, rotate_image,
    tiff_pages, web_to_pdf, web_to_png,
};

/// The modules that a processor is linked with.
#[derive(Clone, Copy)]
pub struct Modules {
    rows: &'static [&'static [&'static Module]],
    /// Starts a browser before its document arrives, if a module needs one: see [`web_document::prewarm`].
    prewarm: Option<fn(Value) -> Option<Claimed>>,
}

/// What LibreOffice does, and what readers of office documents and of markup do.
const OFFICE: &[&Module] = &[
    &office_to_pdf::MODULE,
    &office_to_office::MODULE,
    &document_to_document::MODULE,
];

/// What is done to PDF alone.
const PDF: &[&Module] = &[
    &pdf_to_images::MODULE,
    &pdf_pages::MODULE,
    &merge::MODULE,
    &protection::MODULE,
    &info::PDF,
    &metadata::MODULE,
    &flatten::MODULE,
    &repair::MODULE,
    &optimise::MODULE,
    &overlay::MODULE,
];

/// What is read of pages, by OCR where it has to be.
const STRUCTURE: &[&Module] = &[&pdf_to_document::MODULE];

/// What is done to images.
const IMAGE: &[&Module] = &[
    &image_to_pdf::MODULE,
    &heic_to_image::MODULE,
    &compress::MODULE,
    &image_to_image::MODULE,
    &resize::MODULE,
    &crop::MODULE,
    &rotate_image::MODULE,
    &tiff_pages::MODULE,
    &cleanup::MODULE,
    &info::IMAGE,
];

/// What recognises text.
const OCR: &[&Module] = &[&ocr::MODULE];

/// What a browser does.
const WEB: &[&Module] = &[&web_to_pdf::MODULE, &web_to_png::MODULE];

impl Modules {
    /// Those of `process-office`.
    pub const OFFICE: Self = Self::of(&[OFFICE]);
    /// Those of `process-pdf`.
    pub const PDF: Self = Self::of(&[PDF, STRUCTURE]);
    /// Those of `process-image`.
    pub const IMAGE: Self = Self::of(&[IMAGE]);
    /// Those of `process-ocr`.
    pub const OCR: Self = Self::of(&[OCR, STRUCTURE]);
    /// Those of `process-web`.
    pub const WEB: Self = Self::of(&[WEB]).with_browser();
    /// Every module, for pipelines.
    pub const ALL: Self = Self::of(&[OFFICE, PDF, STRUCTURE, IMAGE, OCR, WEB]).with_browser();

    const fn of(rows: &'static [&'static [&'static Module]]) -> Self {
        let prewarm = None;
        Self { rows, prewarm }
    }

    const fn with_browser(self) -> Self {
        Self {
            prewarm: Some(web_document::prewarm),
            ..self
        }
    }

    /// Prewarms a browser; `None` if no module needs one, or if no task claims it.
    pub(crate) fn prewarm(self, program: Value) -> Option<Claimed> {
        self.prewarm.and_then(|prewarm| prewarm(program))
    }

    /// The module that does an operation on a format.
    pub(crate) fn find(self, operation: &Operation, from: Format) -> Option<&'static Module> {
        self.iter().find(|module| (module.does)(operation, from))
    }

    fn iter(self) -> impl Iterator<Item = &'static Module> {
        self.rows.iter().flat_map(|rows| rows.iter().copied())
    }
}

impl std::fmt::Debug for Modules {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{} modules", self.iter().count())
    }
}

#[cfg(test)]
mod tests {
    use domain::id::SourceKey;
    use domain::limits::work_limit;
    use domain::operation::{CONVERSIONS, ConvertOptions, OPERATIONS, OperationFacts, Recognition};
    use domain::processor::Processor;
    use domain::timestamp::Timestamp;
    use serde_json::json;

    use super::*;

    #[test]
    fn every_conversion_has_exactly_one_module() {
        for conversion in CONVERSIONS {
            let operation = Operation::Convert(ConvertOptions::to(conversion.to));
            for from in conversion.from {
                let modules = Modules::ALL
                    .iter()
                    .filter(|module| (module.does)(&operation, *from));
                assert_eq!(modules.count(), 1, "{from} to {}", conversion.to);
            }
        }
    }

    #[test]
    fn time_grows_with_the_pages_that_a_plan_allows() {
        let picture = Operation::Convert(ConvertOptions::to(Format::Png));
        let module = Modules::ALL.find(&picture, Format::Pdf).unwrap();
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
                let modules = Modules::ALL
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
                        Modules::ALL.find(&operation, *from).is_none(),
                        "{operation:?} on {from}"
                    );
                }
            }
        }
    }

    /// Those of a processor.
    fn modules_of(processor: Processor) -> Modules {
        match processor {
            Processor::ProcessOffice => Modules::OFFICE,
            Processor::ProcessPdf => Modules::PDF,
            Processor::ProcessImage => Modules::IMAGE,
            Processor::ProcessOcr => Modules::OCR,
            Processor::ProcessWeb => Modules::WEB,
            Processor::ProcessPipeline => Modules::ALL,
        }
    }

    #[test]
    fn every_processor_has_the_modules_of_what_it_is_sent() {
        let of_table = OPERATIONS.iter().filter(|facts| facts.name != "convert");
        let of_table = of_table.flat_map(|facts| {
            let inputs = facts.inputs.iter();
            inputs.flat_map(|from| examples(facts).into_iter().map(|example| (example, *from)))
        });
        let conversions = CONVERSIONS.iter().flat_map(|conversion| {
            let read = ConvertOptions::to(conversion.to);
            let unread = ConvertOptions {
                ocr: Some(Recognition::Off),
                ..read.clone()
            };
            let from = conversion.from.iter();
            from.flat_map(move |from| {
                [&read, &unread].map(|options| (Operation::Convert(options.clone()), *from))
            })
        });
        for (operation, from) in of_table.chain(conversions) {
            let (processor, _) = operation.resolve(from).unwrap();
            let found = modules_of(processor).find(&operation, from);
            assert!(found.is_some(), "{operation:?} on {from} by {processor:?}");
        }
    }
}
