//! Limits on documents and on processing that apply to every plan. The limits of plans are in [`crate::plan`].

use std::time::Duration;

use crate::processor::Processor;

/// 2²⁰ bytes.
pub const MEBIBYTE: u64 = 1024 * 1024;

/// Memory in bytes that all processes working on a document may use together, in every engine function. With the function's
/// own processes it is well below the function's memory ([`crate::engine_function::EngineResources`]), so that the document
/// is stopped before Lambda kills the function.
pub const RESIDENT_BYTES: u64 = 1640 * MEBIBYTE;

/// Maximum number of entries of an office document (a ZIP archive).
pub const ARCHIVE_ENTRIES: u64 = 10_000;
/// Maximum uncompressed size of all entries together, in bytes.
pub const INFLATED_BYTES: u64 = 512 * MEBIBYTE;
/// Maximum number of cells in the used range of a worksheet.
pub const SHEET_CELLS: u64 = 2_000_000;
/// Maximum number of columns of a delimited text table.
pub const TABLE_COLUMNS: u64 = 16_384;
/// Maximum nesting depth of XML elements.
pub const XML_DEPTH: usize = 256;
/// Maximum nesting depth of tables in structured output. Many JSON parsers stop at 64 levels, and each table takes four.
pub const NESTED_TABLES: usize = 12;
/// Maximum size in bytes of HTML, Markdown or SVG.
pub const MARKUP_BYTES: u64 = 32 * MEBIBYTE;
/// Maximum size in bytes of a mail, with its attachments.
pub const MAIL_BYTES: u64 = 128 * MEBIBYTE;
/// Maximum number of elements of an SVG.
pub const DRAWING_ELEMENTS: u32 = 1_000_000;
/// Maximum number of pixels of an image or of a rendered page.
pub const PIXELS: u32 = 100_000_000;
/// Maximum side of an input image in pixels.
pub const IMAGE_SIDE: u32 = 20_000;
/// Maximum number of frames of an animation that is kept.
pub const FRAMES: u32 = 500;
/// Maximum number of pixels of all frames together.
pub const ANIMATED_PIXELS: u64 = 60_000_000;
/// Maximum number of pixels of an AVIF result: its encoder needs twenty bytes per pixel.
pub const AVIF_PIXELS: u64 = 60_000_000;
/// Maximum side of a WebP result in pixels.
pub const WEBP_SIDE: u32 = 16_383;

/// Time limit of a web page from a URL, from browser start to the last byte of the result.
pub const WEB_PAGE: Duration = Duration::from_secs(20);

/// A limit on documents.
#[derive(Clone, Copy, Debug)]
pub struct DocumentLimit {
    /// What is counted, as in "at most 500 …".
    pub counted: &'static str,
    /// The maximum.
    pub max: u64,
    /// Whether exceeding the limit fails the job with `input_too_large`. If not, the result is only degraded.
    pub is_rejected: bool,
}

const fn rejecting(counted: &'static str, max: u64) -> DocumentLimit {
    DocumentLimit {
        counted,
        max,
        is_rejected: true,
    }
}

/// Every limit on documents.
pub const DOCUMENT_LIMITS: &[DocumentLimit] = &[
    rejecting("entries of an office document", ARCHIVE_ENTRIES),
    rejecting("bytes of these entries, uncompressed", INFLATED_BYTES),
    rejecting("cells in the used range of a worksheet", SHEET_CELLS),
    rejecting("columns of a CSV or TSV table", TABLE_COLUMNS),
    rejecting("nested XML elements", XML_DEPTH as u64),
    DocumentLimit {
        counted: "nested tables in structured output; of deeper tables only the text is kept",
        max: NESTED_TABLES as u64,
        is_rejected: false,
    },
    rejecting("bytes of HTML, Markdown or SVG", MARKUP_BYTES),
    rejecting("bytes of a mail, with its attachments", MAIL_BYTES),
    rejecting("elements of an SVG", DRAWING_ELEMENTS as u64),
    rejecting("pixels of an image or of a rendered page", PIXELS as u64),
    rejecting("pixels per side of an input image", IMAGE_SIDE as u64),
    DocumentLimit {
        counted: "frames of an animation; beyond that only the first frame is kept",
        max: FRAMES as u64,
        is_rejected: false,
    },
    DocumentLimit {
        counted: "pixels of all frames together; beyond that only the first frame is kept",
        max: ANIMATED_PIXELS,
        is_rejected: false,
    },
    rejecting("pixels of an AVIF result", AVIF_PIXELS),
    rejecting("pixels per side of a WebP result", WEBP_SIDE as u64),
];

/// Time and output limits of each process that works on a document: the engine process, and the verification process.
#[derive(Clone, Copy, Debug)]
pub struct WorkLimit {
    /// The operations.
    pub operations: &'static [&'static str],
    /// The processor.
    pub processor: Processor,
    /// Wall-clock and CPU time, independent of the document.
    pub time: Duration,
    /// Additional time per page that the plan allows.
    pub per_page: Duration,
    /// Maximum bytes written, per file and in total.
    pub written: u64,
}

/// Returns the limit of an operation in a processor.
#[must_use]
pub fn work_limit(operation: &str, processor: Processor) -> Option<&'static WorkLimit> {
    WORK_LIMITS
        .iter()
        .find(|limit| limit.processor == processor && limit.operations.contains(&operation))
}

const NO_TIME: Duration = Duration::ZERO;
/// Three times the measured time of a page with an image.
const PDF_PAGE: Duration = Duration::from_millis(100);
const OCR_PAGE: Duration = Duration::from_secs(10);

macro_rules! work_limits {
    ($($processor:ident: $operations:expr => $seconds:literal s, $per_page:ident a page, $mebibytes:literal MiB;)*) => {
        /// The limits of every operation.
        pub const WORK_LIMITS: &[WorkLimit] = &[
            $(WorkLimit {
                operations: &$operations,
                processor: Processor::$processor,
                time: Duration::from_secs($seconds),
                per_page: $per_page,
                written: $mebibytes * MEBIBYTE,
            },)*
        ];
    };
}

work_limits! {
    ProcessOffice: ["convert"] => 150 s, NO_TIME a page, 512 MiB;
    ProcessOffice: ["pdfa"] => 150 s, PDF_PAGE a page, 1024 MiB;
    ProcessWeb: ["convert"] => 45 s, NO_TIME a page, 512 MiB;
    ProcessImage: ["convert", "resize", "crop", "rotate", "cleanup", "extract-pages"] => 110 s, NO_TIME a page, 1024 MiB;
    ProcessImage: ["compress"] => 110 s, NO_TIME a page, 512 MiB;
    ProcessImage: ["info"] => 90 s, NO_TIME a page, 256 MiB;
    ProcessOcr: ["ocr", "convert"] => 110 s, OCR_PAGE a page, 1024 MiB;
    ProcessPdf: [
        "convert", "rotate", "merge", "split", "extract-pages", "delete-pages", "reorder", "encrypt", "decrypt",
        "watermark", "page-numbers", "metadata", "fill", "sanitize", "flatten", "repair"
    ] => 90 s, PDF_PAGE a page, 1024 MiB;
    ProcessPdf: ["optimize", "compress"] => 300 s, PDF_PAGE a page, 1024 MiB;
    ProcessPdf: ["compare"] => 300 s, PDF_PAGE a page, 1024 MiB;
    ProcessPdf: ["info"] => 90 s, PDF_PAGE a page, 256 MiB;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::{CONVERSIONS, OPERATIONS};

    #[test]
    fn every_conversion_has_a_limit() {
        for row in CONVERSIONS {
            assert!(work_limit("convert", row.processor).is_some(), "{row:?}");
        }
    }

    #[test]
    fn each_operation_has_one_limit_per_processor() {
        for spec in OPERATIONS {
            for processor in Processor::ALL.iter().copied() {
                let is_on = |limit: &&WorkLimit| {
                    limit.processor == processor && limit.operations.contains(&spec.name)
                };
                let limits = WORK_LIMITS.iter().filter(is_on).count();
                assert!(limits < 2, "{} {processor:?}", spec.name);
            }
        }
    }

    #[test]
    fn every_limit_names_existing_operations() {
        for name in WORK_LIMITS.iter().flat_map(|limit| limit.operations) {
            assert!(OPERATIONS.iter().any(|spec| spec.name == *name), "{name}");
        }
    }
}
