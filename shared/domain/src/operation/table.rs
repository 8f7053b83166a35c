//! The table of operations.

use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

use super::{
    COMPRESSIBLE, CleanupOptions, CompressOptions, ConvertOptions, CropOptions, DecryptOptions,
    EncryptOptions, IMAGES, MergeOptions, MetadataOptions, NoOptions, OcrOptions, Operation,
    OptimiseOptions, PAGES, PageNumbersOptions, PagesOptions, ReorderOptions, ResizeOptions,
    RotateOptions, SplitOptions, WatermarkOptions,
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
    ($($name:literal $(or $alias:literal)*: $credits:literal, $inputs:expr => $outputs:expr, $options:ident as $variant:ident;)*) => {
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
    };
}

operations! {
    "convert": 2, &[] => &[], ConvertOptions as Convert;
    "compress": 1, COMPRESSIBLE => COMPRESSIBLE, CompressOptions as Compress;
    "resize": 1, IMAGES => &[], ResizeOptions as Resize;
    "crop": 1, IMAGES => &[], CropOptions as Crop;
    "rotate": 1, PAGES => &[], RotateOptions as Rotate;
    "cleanup": 1, IMAGES => &[], CleanupOptions as Cleanup;
    "ocr": 3, PAGES => &[Format::Txt, Format::Json, Format::Hocr, Format::Pdf], OcrOptions as Ocr;
    "merge": 1, PAGES => PDF, MergeOptions as Merge;
    "split": 1, PDF => PDF, SplitOptions as Split;
    "extract-pages": 1, SEVERAL_PAGES => &[], PagesOptions as ExtractPages;
    "delete-pages": 1, PDF => PDF, PagesOptions as DeletePages;
    "reorder": 1, PDF => PDF, ReorderOptions as Reorder;
    "optimise" or "optimize" or "optimisation" or "optimization": 1, PDF => PDF, OptimiseOptions as Optimise;
    "encrypt": 1, PDF => PDF, EncryptOptions as Encrypt;
    "decrypt": 1, PDF => PDF, DecryptOptions as Decrypt;
    "watermark": 1, PDF => PDF, WatermarkOptions as Watermark;
    "page-numbers": 1, PDF => PDF, PageNumbersOptions as PageNumbers;
    "metadata": 1, PDF => PDF, MetadataOptions as Metadata;
    "flatten": 1, PDF => PDF, NoOptions as Flatten;
    "repair": 1, PDF => PDF, NoOptions as Repair;
    "info": 1, PAGES => &[Format::Json], NoOptions as Info;
}
