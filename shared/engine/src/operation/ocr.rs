//! Text recognition as an operation, done by the crate `ocr`.

use domain::format::Format;
use domain::operation::Operation;
use task::linked;

use super::{Module, Run};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        matches!(operation, Operation::Ocr(_)) && operation.resolve(from).is_some()
    },
    inspect: inspect::pages,
    run: Run::Child(ocr::run),
    verify: verify::recognised,
    fingerprint: |installed, to| {
        let tesseract = installed.tesseract.as_ref();
        let tesseract = tesseract.map_or("", |tesseract| tesseract.fingerprint.as_str());
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        match to {
            Format::Pdf => format!("{tesseract} {pdfium} {}", linked::LOPDF),
            _ => format!("{tesseract} {pdfium}"),
        }
    },
};
