//! The table of operations: name, options, price and formats of each.

use schemars::{Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    COMPRESSIBLE, CleanupOptions, CompareOptions, CompressOptions, ConvertOptions, CropOptions,
    DecryptOptions, EncryptOptions, FillOptions, IMAGES, MergeOptions, MetadataOptions, NoOptions,
    OcrOptions, OptimizeOptions, PAGES, PageNumbersOptions, PagesOptions, PdfaOptions,
    ReorderOptions, ResizeOptions, RotateOptions, SanitizeOptions, SplitOptions, WatermarkOptions,
};
use crate::field::{self, FieldError};
use crate::format::Format;

/// One row of the table of operations.
#[derive(Clone, Copy)]
pub struct OperationSpec {
    /// Name in the API.
    pub name: &'static str,
    /// Aliases that requests may use, and stored rows may have.
    pub aliases: &'static [&'static str],
    /// Price in credits.
    pub credits: u32,
    /// Supported input formats; for `convert` see [`super::CONVERSIONS`].
    pub inputs: &'static [Format],
    /// Output formats; empty if the result keeps the format of the source.
    pub outputs: &'static [Format],
    /// The JSON Schema of the options, without the member `operation`.
    pub options: fn(&mut SchemaGenerator) -> Schema,
    pub(super) read: fn(&Value, &str) -> Result<Operation, Vec<FieldError>>,
}

impl OperationSpec {
    /// Whether `name` is the name or an alias of this operation.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

const PDF: &[Format] = &[Format::Pdf];

/// Formats from which pages can be extracted.
const SEVERAL_PAGES: &[Format] = &[Format::Pdf, Format::Tiff];

macro_rules! operations {
    ($($(#[$doc:meta])* $variant:ident($options:ident) = $name:literal $(or $alias:literal)*: $credits:literal, $inputs:expr => $outputs:expr;)*) => {
        /// One step of a job: an operation with its options.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "operation")]
        pub enum Operation {
            $($(#[$doc])* #[serde(rename = $name $(, alias = $alias)*)] $variant($options),)*
        }

        /// Every operation.
        pub const OPERATIONS: &[OperationSpec] = &[
            $(OperationSpec {
                name: $name,
                aliases: &[$($alias),*],
                credits: $credits,
                inputs: $inputs,
                outputs: $outputs,
                options: |generator| generator.root_schema_for::<$options>(),
                read: |value, path| field::read(value, path).map(Operation::$variant),
            },)*
        ];

        /// The row numbers of the operations in the table.
        enum Row { $($variant,)* }

        impl Operation {
            /// Returns this operation's row of the table.
            #[must_use]
            #[expect(clippy::indexing_slicing, reason = "the compiler checks a constant index")]
            pub fn spec(&self) -> &'static OperationSpec {
                match self {
                    $(Self::$variant(_) => const { &OPERATIONS[Row::$variant as usize] },)*
                }
            }
        }
    };
}

// Columns: variant and options, name and aliases, price in credits (of OCR, conversion, …), input formats, output formats.
operations! {
    /// Converts a document to another format.
    Convert(ConvertOptions) = "convert": 2, &[] => &[];
    /// Reduces the file size of an image or a PDF.
    Compress(CompressOptions) = "compress": 1, COMPRESSIBLE => COMPRESSIBLE;
    /// Scales an image.
    Resize(ResizeOptions) = "resize": 1, IMAGES => &[];
    /// Crops an image to a rectangle.
    Crop(CropOptions) = "crop": 1, IMAGES => &[];
    /// Rotates an image or pages of a PDF.
    Rotate(RotateOptions) = "rotate": 1, PAGES => &[];
    /// Improves the legibility of a scanned page.
    Cleanup(CleanupOptions) = "cleanup": 1, IMAGES => &[];
    /// Recognizes text (OCR).
    Ocr(OcrOptions) = "ocr": 3, PAGES => &[Format::Txt, Format::Json, Format::Hocr, Format::Pdf];
    /// Merges PDF files and images into one PDF.
    Merge(MergeOptions) = "merge": 1, PAGES => PDF;
    /// Splits a PDF into several files.
    Split(SplitOptions) = "split": 1, PDF => PDF;
    /// Extracts pages.
    ExtractPages(PagesOptions) = "extract-pages": 1, SEVERAL_PAGES => &[];
    /// Deletes pages.
    DeletePages(PagesOptions) = "delete-pages": 1, PDF => PDF;
    /// Reorders the pages.
    Reorder(ReorderOptions) = "reorder": 1, PDF => PDF;
    /// Reduces the file size of a PDF.
    Optimize(OptimizeOptions) = "optimize" or "optimise" or "optimization" or "optimisation": 1, PDF => PDF;
    /// Encrypts a PDF with passwords.
    Encrypt(EncryptOptions) = "encrypt": 1, PDF => PDF;
    /// Removes the passwords of a PDF.
    Decrypt(DecryptOptions) = "decrypt": 1, PDF => PDF;
    /// Draws text or an image over the pages.
    Watermark(WatermarkOptions) = "watermark": 1, PDF => PDF;
    /// Draws page numbers.
    PageNumbers(PageNumbersOptions) = "page-numbers": 1, PDF => PDF;
    /// Sets title, author, subject and keywords.
    Metadata(MetadataOptions) = "metadata": 1, PDF => PDF;
    /// Fills the fields of a form.
    Fill(FillOptions) = "fill": 1, PDF => PDF;
    /// Removes scripts, actions, embedded files, hidden layers and metadata.
    Sanitize(SanitizeOptions) = "sanitize": 1, PDF => PDF;
    /// Merges form fields and annotations into the page content.
    Flatten(NoOptions) = "flatten": 1, PDF => PDF;
    /// Converts a PDF to PDF/A.
    Pdfa(PdfaOptions) = "pdfa": 1, PDF => PDF;
    /// Repairs a damaged PDF.
    Repair(NoOptions) = "repair": 1, PDF => PDF;
    /// Compares two versions of a PDF.
    Compare(CompareOptions) = "compare": 1, PDF => &[Format::Json, Format::Pdf];
    /// Returns information about a document.
    Info(NoOptions) = "info": 1, PAGES => &[Format::Json];
}
