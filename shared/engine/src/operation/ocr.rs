//! Operation `ocr`, implemented by the crate `ocr`.

use domain::format::Format;
use domain::operation::Operation;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        matches!(operation, Operation::Ocr(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::pages,
    run: Run::Child(ocr::run),
    verify: verify::ocr_result,
    fingerprint: |installed, to| {
        let tesseract = installed.tesseract.as_ref();
        let tesseract = tesseract.map_or("", |tesseract| tesseract.fingerprint.as_str());
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        match to {
            Format::Pdf => format!("{tesseract} {pdfium} {}", engine_versions::LOPDF),
            _ => format!("{tesseract} {pdfium}"),
        }
    },
};
