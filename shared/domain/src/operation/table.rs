//! The table of operations: names, options, prices and formats of each.

use schemars::{Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    COMPRESSIBLE, CleanupOptions, CompressOptions, ConvertOptions, CropOptions, DecryptOptions,
    EncryptOptions, IMAGES, MergeOptions, MetadataOptions, NoOptions, OcrOptions, OptimiseOptions,
    PAGES, PageNumbersOptions, PagesOptions, ReorderOptions, ResizeOptions, RotateOptions,
    SplitOptions, WatermarkOptions,
};
use crate::field::{self, FieldError};
use crate::format::Format;

/// One row of the table of operations.
#[derive(Clone, Copy)]
pub struct OperationFacts {
    /// The name in the API.
    pub name: &'static str,
    /// Other names that requests may use.
    pub aliases: &'static [&'static str],
    /// Price in credits.
    pub credits: u32,
    /// What it reads; for `convert` see [`super::CONVERSIONS`].
    pub inputs: &'static [Format],
    /// What it writes; empty where the result keeps the format of the source.
    pub outputs: &'static [Format],
    /// The JSON Schema of its options, without the member `operation`.
    pub options: fn(&mut SchemaGenerator) -> Schema,
    pub(super) read: fn(&Value, &str) -> Result<Operation, Vec<FieldError>>,
}

impl OperationFacts {
    /// Whether a request may call it so.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        self.name == name || self.aliases.contains(&name)
    }
}

const PDF: &[Format] = &[Format::Pdf];

/// What holds several pages that can be taken out.
const SEVERAL_PAGES: &[Format] = &[Format::Pdf, Format::Tiff];

macro_rules! operations {
    ($($(#[$doc:meta])* $variant:ident($options:ident) = $name:literal $(or $alias:literal)*: $credits:literal, $inputs:expr => $outputs:expr;)*) => {
        /// One step of a job: an operation with its options.
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
        #[serde(tag = "operation")]
        pub enum Operation {
            $($(#[$doc])* #[serde(rename = $name)] $variant($options),)*
        }

        /// Every operation.
        pub const OPERATIONS: &[OperationFacts] = &[
            $(OperationFacts {
                name: $name,
                aliases: &[$($alias),*],
                credits: $credits,
                inputs: $inputs,
                outputs: $outputs,
                options: |generator| generator.root_schema_for::<$options>(),
                read: |value, path| field::read(value, path).map(Operation::$variant),
            },)*
        ];

        /// The places of the operations in the table.
        enum Row { $($variant,)* }

        impl Operation {
            /// This operation's row of the table.
            #[must_use]
            #[expect(clippy::indexing_slicing, reason = "the compiler checks a constant index")]
            pub fn facts(&self) -> &'static OperationFacts {
                match self {
                    $(Self::$variant(_) => const { &OPERATIONS[Row::$variant as usize] },)*
                }
            }
        }
    };
}

operations! {
    /// Turns a document into another format.
    Convert(ConvertOptions) = "convert": 2, &[] => &[];
    /// Makes an image smaller.
    Compress(CompressOptions) = "compress": 1, COMPRESSIBLE => COMPRESSIBLE;
    /// Scales an image.
    Resize(ResizeOptions) = "resize": 1, IMAGES => &[];
    /// Cuts a rectangle out of an image.
    Crop(CropOptions) = "crop": 1, IMAGES => &[];
    /// Turns an image or the pages of a PDF.
    Rotate(RotateOptions) = "rotate": 1, PAGES => &[];
    /// Makes the picture of a page easier to read.
    Cleanup(CleanupOptions) = "cleanup": 1, IMAGES => &[];
    /// Recognises text.
    Ocr(OcrOptions) = "ocr": 3, PAGES => &[Format::Txt, Format::Json, Format::Hocr, Format::Pdf];
    /// Puts other PDF and images behind the document, as one PDF.
    Merge(MergeOptions) = "merge": 1, PAGES => PDF;
    /// Cuts a PDF into several.
    Split(SplitOptions) = "split": 1, PDF => PDF;
    /// Keeps some pages.
    ExtractPages(PagesOptions) = "extract-pages": 1, SEVERAL_PAGES => &[];
    /// Removes some pages.
    DeletePages(PagesOptions) = "delete-pages": 1, PDF => PDF;
    /// Puts the pages into another order.
    Reorder(ReorderOptions) = "reorder": 1, PDF => PDF;
    /// Makes a PDF smaller.
    Optimise(OptimiseOptions) = "optimise" or "optimize" or "optimisation" or "optimization": 1, PDF => PDF;
    /// Puts a PDF under passwords.
    Encrypt(EncryptOptions) = "encrypt": 1, PDF => PDF;
    /// Frees a PDF of its passwords.
    Decrypt(DecryptOptions) = "decrypt": 1, PDF => PDF;
    /// Lays a text or a picture over the pages.
    Watermark(WatermarkOptions) = "watermark": 1, PDF => PDF;
    /// Writes a number on each page.
    PageNumbers(PageNumbersOptions) = "page-numbers": 1, PDF => PDF;
    /// Sets title, author, subject and keywords.
    Metadata(MetadataOptions) = "metadata": 1, PDF => PDF;
    /// Makes forms and comments part of the pages.
    Flatten(NoOptions) = "flatten": 1, PDF => PDF;
    /// Mends a damaged PDF.
    Repair(NoOptions) = "repair": 1, PDF => PDF;
    /// Tells what a document is.
    Info(NoOptions) = "info": 1, PAGES => &[Format::Json];
}
