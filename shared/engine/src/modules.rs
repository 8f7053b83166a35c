//! The modules of each engine function. Each binary references only its own set, so that the linker drops the engines of all
//! others. A new operation needs one row here and one module.

use domain::format::Format;
use domain::operation::Operation;
use serde_json::Value;

use crate::operation::web_document::{self, Claimed};
use crate::operation::{
    Module, cleanup, compare, compress, crop, document_to_document, fill, flatten, heic_to_image,
    image_to_image, image_to_pdf, info, merge, metadata, ocr, office_to_office, office_to_pdf,
    optimize, overlay, pdf_pages, pdf_to_document, pdf_to_images, pdfa, protection, repair, resize,
    rotate_image, sanitize, tiff_pages, web_to_pdf, web_to_png,
};

/// The modules linked into an engine function.
#[derive(Clone, Copy)]
pub struct Modules {
    rows: &'static [&'static [&'static Module]],
    /// Prewarms a browser, if a module needs one: see [`web_document::prewarm`].
    prewarm: Option<fn(Value) -> Option<Claimed>>,
}

/// Conversions by LibreOffice, by the readers of office and markup documents, and by Ghostscript.
const OFFICE: &[&Module] = &[
    &office_to_pdf::MODULE,
    &office_to_office::MODULE,
    &document_to_document::MODULE,
    &pdfa::MODULE,
];

/// Operations on PDF.
const PDF: &[&Module] = &[
    &pdf_to_images::MODULE,
    &pdf_pages::MODULE,
    &merge::MODULE,
    &protection::MODULE,
    &info::PDF,
    &metadata::MODULE,
    &fill::MODULE,
    &sanitize::MODULE,
    &compare::MODULE,
    &flatten::MODULE,
    &repair::MODULE,
    &optimize::MODULE,
    &overlay::MODULE,
];

/// Structured extraction from pages, with OCR where needed.
const STRUCTURE: &[&Module] = &[&pdf_to_document::MODULE];

/// Operations on images.
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

/// Text recognition.
const OCR: &[&Module] = &[&ocr::MODULE];

/// Conversions by a browser.
const WEB: &[&Module] = &[&web_to_pdf::MODULE, &web_to_png::MODULE];

impl Modules {
    /// Modules of `engine-office`.
    pub const OFFICE: Self = Self::of(&[OFFICE]);
    /// Modules of `engine-pdf`.
    pub const PDF: Self = Self::of(&[PDF, STRUCTURE]);
    /// Modules of `engine-image`.
    pub const IMAGE: Self = Self::of(&[IMAGE]);
    /// Modules of `engine-ocr`.
    pub const OCR: Self = Self::of(&[OCR, STRUCTURE]);
    /// Modules of `engine-web`.
    pub const WEB: Self = Self::of(&[WEB]).with_browser();
    /// Every module, for tests and benchmarks.
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

    /// Prewarms a browser and waits for a task. Returns `None` if no module needs a browser or no task claims it.
    pub(crate) fn prewarm(self, program: Value) -> Option<Claimed> {
        self.prewarm.and_then(|prewarm| prewarm(program))
    }

    /// The module that implements an operation on a format.
    pub(crate) fn find(self, operation: &Operation, from: Format) -> Option<&'static Module> {
        self.iter()
            .find(|module| (module.implements)(operation, from))
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
    use domain::engine_function::EngineFunction;
    use domain::id::SourceKey;
    use domain::limits::work_limit;
    use domain::operation::{CONVERSIONS, ConvertOptions, OPERATIONS, OcrPolicy, OperationSpec};
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
                    .filter(|module| (module.implements)(&operation, *from));
                assert_eq!(modules.count(), 1, "{from} to {}", conversion.to);
            }
        }
    }

    #[test]
    fn time_limit_grows_with_the_page_limit_of_the_plan() {
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

    /// Examples of each operation with its required options only, one for each format or output that can be requested.
    fn examples(spec: &OperationSpec) -> Vec<Operation> {
        let source = SourceKey::mint(Timestamp(1), 1);
        let options = match spec.name {
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
            "compare" => json!({"sourceKey": "src_01kaj2v7w2q9r8s5t4v3w2x1y0"}),
            "fill" => json!({"fields": {"name": "value"}}),
            "metadata" => json!({"title": "Title"}),
            _ => json!({}),
        };
        let requested = spec.outputs.iter().map(|to| match spec.name {
            "compress" => ("format", to.id()),
            "compare" => ("output", to.id()),
            "ocr" => ("output", if *to == Format::Txt { "text" } else { to.id() }),
            _ => ("operation", spec.name),
        });
        let requested = requested.chain([("operation", spec.name)]);
        let example = requested.map(|(key, value)| {
            let mut item = options.clone();
            item["operation"] = spec.name.into();
            item[key] = value.into();
            Operation::read(&item, "$").unwrap_or_else(|error| panic!("{item}: {error:?}"))
        });
        example.collect()
    }

    #[test]
    fn every_operation_has_exactly_one_module_for_each_input_and_output() {
        for spec in OPERATIONS.iter().filter(|spec| spec.name != "convert") {
            for (operation, from) in examples(spec)
                .iter()
                .flat_map(|operation| spec.inputs.iter().map(move |from| (operation, *from)))
            {
                let (processor, _) = operation.resolve(from).unwrap();
                let limit = work_limit(spec.name, processor);
                assert!(limit.is_some(), "{operation:?} on {from}");
                let modules = Modules::ALL
                    .iter()
                    .filter(|module| (module.implements)(operation, from));
                assert_eq!(modules.count(), 1, "{operation:?} on {from}");
            }
        }
    }

    #[test]
    fn no_module_implements_an_operation_on_an_unlisted_format() {
        for spec in OPERATIONS.iter().filter(|spec| spec.name != "convert") {
            for operation in examples(spec) {
                let others = Format::ALL
                    .iter()
                    .filter(|from| !spec.inputs.contains(from));
                for from in others {
                    assert!(
                        Modules::ALL.find(&operation, *from).is_none(),
                        "{operation:?} on {from}"
                    );
                }
            }
        }
    }

    /// The modules of an engine function.
    fn modules_of(function: EngineFunction) -> Modules {
        match function {
            EngineFunction::EngineOffice => Modules::OFFICE,
            EngineFunction::EnginePdf => Modules::PDF,
            EngineFunction::EngineImage => Modules::IMAGE,
            EngineFunction::EngineOcr => Modules::OCR,
            EngineFunction::EngineWeb => Modules::WEB,
        }
    }

    #[test]
    fn every_engine_function_has_the_modules_for_its_operations() {
        let operations = OPERATIONS.iter().filter(|spec| spec.name != "convert");
        let operations = operations.flat_map(|spec| {
            let inputs = spec.inputs.iter();
            inputs.flat_map(|from| examples(spec).into_iter().map(|example| (example, *from)))
        });
        let conversions = CONVERSIONS.iter().flat_map(|conversion| {
            let with_ocr = ConvertOptions::to(conversion.to);
            let without_ocr = ConvertOptions {
                ocr: Some(OcrPolicy::Off),
                ..with_ocr.clone()
            };
            let from = conversion.from.iter();
            from.flat_map(move |from| {
                [&with_ocr, &without_ocr]
                    .map(|options| (Operation::Convert(options.clone()), *from))
            })
        });
        for (operation, from) in operations.chain(conversions) {
            let function = EngineFunction::for_operation(&operation, from).unwrap();
            let found = modules_of(function).find(&operation, from);
            assert!(found.is_some(), "{operation:?} on {from} by {function:?}");
        }
    }
}
