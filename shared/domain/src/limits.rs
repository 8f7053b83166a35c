//! What a document may be and what work on it may take, whatever the plan; what plans allow is in [`crate::plan`].

use std::time::Duration;

use crate::processor::Processor;

/// 2²⁰ bytes.
pub const MEBIBYTE: u64 = 1024 * 1024;

/// Bytes of memory that all processes which work on a document may hold together, of the 2,048 MB that a function has.
pub const RESIDENT_BYTES: u64 = 1640 * MEBIBYTE;

/// Most parts of a document that is an archive.
pub const ARCHIVE_ENTRIES: u64 = 10_000;
/// Most bytes of all its parts together, inflated.
pub const INFLATED_BYTES: u64 = 512 * MEBIBYTE;
/// Most cells in the range that a sheet uses.
pub const SHEET_CELLS: u64 = 2_000_000;
/// Most columns of a table in text.
pub const TABLE_COLUMNS: u64 = 16_384;
/// Most elements of XML within one another.
pub const XML_DEPTH: usize = 256;
/// Most tables within one another of what is made of a document by what it says: many readers of JSON go no more than 64 levels
/// deep, of which each table takes four.
pub const NESTED_TABLES: usize = 12;
/// Most bytes of a text that becomes a web page, and of a drawing.
pub const MARKUP_BYTES: u64 = 32 * MEBIBYTE;
/// Most elements of a drawing.
pub const DRAWING_ELEMENTS: u32 = 1_000_000;
/// Most pixels of an image, or of the picture of a page.
pub const PIXELS: u32 = 100_000_000;
/// Most pixels a side of an image that is read.
pub const IMAGE_SIDE: u32 = 20_000;
/// Most frames of an animation that stays one.
pub const FRAMES: u32 = 500;
/// Most pixels of all its frames together.
pub const ANIMATED_PIXELS: u64 = 60_000_000;
/// Most pixels of an AVIF that is written: its encoder takes twenty bytes for each.
pub const AVIF_PIXELS: u64 = 60_000_000;
/// Most pixels a side of a WebP that is written.
pub const WEBP_SIDE: u32 = 16_383;

/// All that a page from the web has, from the start of the browser to the last byte of the result.
pub const WEB_PAGE: Duration = Duration::from_secs(20);

/// A bound on documents.
#[derive(Clone, Copy, Debug)]
pub struct DocumentLimit {
    /// What is counted, as in "at most 500 …".
    pub counted: &'static str,
    /// How many there may be.
    pub most: u64,
    /// Whether a job with more ends as `input_too_large`; if not, only the result is another one.
    pub is_refused: bool,
}

const fn refused(counted: &'static str, most: u64) -> DocumentLimit {
    DocumentLimit {
        counted,
        most,
        is_refused: true,
    }
}

/// Every bound on documents.
pub const DOCUMENT_LIMITS: &[DocumentLimit] = &[
    refused("parts of an office document", ARCHIVE_ENTRIES),
    refused("bytes that these inflate to", INFLATED_BYTES),
    refused("cells in the range that a sheet uses", SHEET_CELLS),
    refused("columns of a table in text", TABLE_COLUMNS),
    refused("elements of XML within one another", XML_DEPTH as u64),
    DocumentLimit {
        counted: "tables within one another of what is read by what it says; of deeper ones the text stays",
        most: NESTED_TABLES as u64,
        is_refused: false,
    },
    refused("bytes of HTML, Markdown or SVG", MARKUP_BYTES),
    refused("elements of an SVG", DRAWING_ELEMENTS as u64),
    refused(
        "pixels of an image, or of the picture of a page",
        PIXELS as u64,
    ),
    refused("pixels a side of an image that is read", IMAGE_SIDE as u64),
    DocumentLimit {
        counted: "frames of an animation; of one with more only the first stays",
        most: FRAMES as u64,
        is_refused: false,
    },
    DocumentLimit {
        counted: "pixels of all its frames; of one with more only the first stays",
        most: ANIMATED_PIXELS,
        is_refused: false,
    },
    refused("pixels of an AVIF that is written", AVIF_PIXELS),
    refused("pixels a side of a WebP that is written", WEBP_SIDE as u64),
];

/// What each process that works on a document may use: the one that does the operation, and the one that checks it.
#[derive(Clone, Copy, Debug)]
pub struct WorkLimit {
    /// The operations.
    pub operations: &'static [&'static str],
    /// Who does them.
    pub processor: Processor,
    /// Time, on the clock and of processors, whatever the document.
    pub time: Duration,
    /// Time beside that for each page that the plan allows.
    pub a_page: Duration,
    /// Bytes written, in one file and in all.
    pub written: u64,
}

/// The limit of an operation that a processor does.
#[must_use]
pub fn work_limit(operation: &str, processor: Processor) -> Option<&'static WorkLimit> {
    WORK_LIMITS
        .iter()
        .find(|limit| limit.processor == processor && limit.operations.contains(&operation))
}

const NOTHING: Duration = Duration::ZERO;
/// Three times what a page with a picture takes.
const PDF_PAGE: Duration = Duration::from_millis(100);
const READ_PAGE: Duration = Duration::from_secs(10);

macro_rules! work_limits {
    ($($processor:ident: $operations:expr => $seconds:literal s, $a_page:ident a page, $mebibytes:literal MiB;)*) => {
        /// The limit of every operation.
        pub const WORK_LIMITS: &[WorkLimit] = &[
            $(WorkLimit {
                operations: &$operations,
                processor: Processor::$processor,
                time: Duration::from_secs($seconds),
                a_page: $a_page,
                written: $mebibytes * MEBIBYTE,
            },)*
        ];
    };
}

work_limits! {
    ProcessOffice: ["convert"] => 150 s, NOTHING a page, 512 MiB;
    ProcessWeb: ["convert"] => 45 s, NOTHING a page, 512 MiB;
    ProcessImage: ["convert", "resize", "crop", "rotate", "cleanup", "extract-pages"] => 110 s, NOTHING a page, 1024 MiB;
    ProcessImage: ["compress"] => 110 s, NOTHING a page, 512 MiB;
    ProcessImage: ["info"] => 90 s, NOTHING a page, 256 MiB;
    ProcessOcr: ["ocr", "convert"] => 110 s, READ_PAGE a page, 1024 MiB;
    ProcessPdf: [
        "convert", "rotate", "merge", "split", "extract-pages", "delete-pages", "reorder", "encrypt", "decrypt",
        "watermark", "page-numbers", "metadata", "flatten", "repair"
    ] => 90 s, PDF_PAGE a page, 1024 MiB;
    ProcessPdf: ["optimise", "compress"] => 300 s, PDF_PAGE a page, 1024 MiB;
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
    fn no_operation_has_two_limits_with_one_processor() {
        for facts in OPERATIONS {
            for processor in Processor::ALL.iter().copied() {
                let is_on = |limit: &&WorkLimit| {
                    limit.processor == processor && limit.operations.contains(&facts.name)
                };
                let limits = WORK_LIMITS.iter().filter(is_on).count();
                assert!(limits < 2, "{} {processor:?}", facts.name);
            }
        }
    }

    #[test]
    fn every_limit_is_on_operations_that_there_are() {
        for name in WORK_LIMITS.iter().flat_map(|limit| limit.operations) {
            assert!(OPERATIONS.iter().any(|facts| facts.name == *name), "{name}");
        }
    }
}
