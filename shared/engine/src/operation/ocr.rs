//! Text of pages that are pictures: as text, JSON, hOCR, or laid under the document's own pages.
//!
//! Each page of a PDF is drawn at the resolution of its scan (300 pixels an inch where letters are drawn), each page of
//! an image is taken as it is. Which pages are read depends on the mode:
//! - `skip-text`: those without text; text that an earlier recognition has hidden under a page counts as text;
//! - `redo`: those without text that is seen; what is hidden under them is taken out;
//! - `force`: all; what is hidden is taken out, and a page that shows letters of its own becomes a picture, so that no text
//!   is found twice.
//!
//! The text of the other pages is taken as it is. A page with a few words over a scan is read as a scan.

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
