//! Operation `compare`: compares two versions of a PDF with [`pdf::compare`].

use domain::format::Format;
use domain::operation::Operation;
use task::engine_versions;

use super::{Module, Run};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| matches!(operation, Operation::Compare(_)) && from == Format::Pdf,
    inspect: inspect::pdf,
    run: Run::Child(pdf::compare::run),
    verify: verify::compared,
    fingerprint: |installed, _| {
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        format!(
            "{pdfium} {} {}",
            engine_versions::QPDF,
            engine_versions::LOPDF
        )
    },
};
