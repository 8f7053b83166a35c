//! Operations: names, options, prices, and the formats that each reads and writes.

mod color;
mod compare;
mod conversion;
mod convert;
mod decimal;
mod fill;
mod image;
mod language;
mod locale;
mod margin_text;
mod notes;
mod number;
mod ocr;
mod page_range;
mod parse;
mod pdf;
mod pdfa;
mod sanitize;
mod security;
mod table;
#[cfg(test)]
mod tests;

pub use color::Color;
pub use compare::{CompareOptions, CompareOutput};
pub use conversion::{
    CONVERSIONS, Conversion, Fidelity, conversion, converts_by_structure, needs_office_suite,
};
pub use convert::{
    Chunking, ConvertOptions, FIXED_LAYOUT, ImageHandling, LayoutMode, OcrPolicy, PageSetup,
    PaperSize, Resolution, STRUCTURED, TableDetection, Viewport, WITH_IMAGES, is_renderable_size,
    margins,
};
pub use decimal::{DeviceScaleFactor, Margin, PaperSide, PrintScale};
pub use fill::{FieldValue, FieldValues, FillOptions};
pub use image::{CleanupOptions, CompressOptions, CropOptions, Fit, Position, ResizeOptions};
pub use language::{LANGUAGES, Language, Languages, Script};
pub use locale::{LOCALES, Locale};
pub use margin_text::{MarginText, MarginTextPart, Placeholder};
pub use notes::{NOTES, Note};
pub use number::{
    PageCount, Percent, Pixels, PixelsPerInch, Quality, TableNumber, TokenCount, ViewportSide,
};
pub use ocr::{OcrMode, OcrOptions, OcrOutput};
pub use page_range::{InvalidPageRange, PageRanges};
pub use parse::InvalidOperation;
pub use pdf::{
    Angle, MergeOptions, MetadataOptions, MetadataText, NoOptions, OptimizeLevel, OptimizeOptions,
    PageNumberPosition, PageNumbersOptions, PagesOptions, ReorderOptions, RotateOptions,
    SplitOptions, WatermarkOptions, WatermarkText,
};
pub use pdfa::{PdfaLevel, PdfaOptions};
pub use sanitize::{SanitizeOptions, SanitizedPart};
pub use security::{DecryptOptions, EncryptOptions, Password, Permission};
pub use table::{OPERATIONS, Operation, OperationSpec};

use crate::format::{Category, Format};
use crate::id::SourceKey;
use crate::processor::Processor;

/// Image formats that image operations read and write.
pub(crate) const IMAGES: &[Format] = &[
    Format::Png,
    Format::Jpeg,
    Format::Webp,
    Format::Avif,
    Format::Tiff,
    Format::Gif,
    Format::Bmp,
];

/// Formats with pages or pixels: PDF and images.
pub(crate) const PAGES: &[Format] = &[
    Format::Pdf,
    Format::Png,
    Format::Jpeg,
    Format::Webp,
    Format::Avif,
    Format::Tiff,
    Format::Gif,
    Format::Bmp,
];

/// Image formats that `compress` reads and writes.
pub(crate) const COMPRESSIBLE: &[Format] = &[Format::Jpeg, Format::Png, Format::Webp, Format::Avif];

/// Image formats whose EXIF and XMP metadata can be kept.
const WITH_METADATA: &[Format] = &[Format::Jpeg, Format::Png, Format::Webp];

impl Operation {
    /// Returns the operation's name in the API.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.spec().name
    }

    /// Returns the price in credits.
    #[must_use]
    pub fn credits(&self) -> u32 {
        self.spec().credits
    }

    /// Returns the processor that performs this operation on a document of format `from`, and the format of the result;
    /// `None` if the operation does not support `from`. `compress` does not support PDF here: [`Operation::on`] first
    /// converts it to `optimize`.
    #[must_use]
    pub fn resolve(&self, from: Format) -> Option<(Processor, Format)> {
        match self {
            Self::Convert(options) => {
                let Conversion { processor, to, .. } = conversion(from, options.format)?;
                let is_ocr_off = from == Format::Pdf && options.ocr == Some(OcrPolicy::Off);
                let processor = match processor {
                    Processor::ProcessOcr if is_ocr_off => Processor::ProcessPdf,
                    other => *other,
                };
                Some((processor, *to))
            }
            Self::Compress(options) => {
                let to = options.format.unwrap_or(from);
                let fits = COMPRESSIBLE.contains(&from) && COMPRESSIBLE.contains(&to);
                fits.then_some((Processor::ProcessImage, to))
            }
            Self::Ocr(options) => {
                let to = options.output.unwrap_or_default().format();
                has_pages(from).then_some((Processor::ProcessOcr, to))
            }
            Self::Compare(options) => {
                let to = options.output.unwrap_or_default().format();
                (from == Format::Pdf).then_some((Processor::ProcessPdf, to))
            }
            Self::Info(_) => own_processor(from).map(|processor| (processor, Format::Json)),
            // Ghostscript and its fonts are in the image of LibreOffice.
            Self::Pdfa(_) => {
                (from == Format::Pdf).then_some((Processor::ProcessOffice, Format::Pdf))
            }
            Self::Merge(_) => has_pages(from).then_some((Processor::ProcessPdf, Format::Pdf)),
            _ => {
                let fits = self.spec().inputs.contains(&from);
                let processor = own_processor(from).filter(|_| fits);
                processor.map(|processor| (processor, from))
            }
        }
    }

    /// Whether this produces several files from a document with several pages, or with images.
    #[must_use]
    pub fn produces_several_files(&self, from: Format) -> bool {
        match self {
            Self::Split(_) => true,
            Self::Convert(options) => {
                let is_one = options.pages.as_ref().is_some_and(PageRanges::is_one_page);
                let renders = options.format.spec().category == Category::Image;
                (from == Format::Pdf && renders && !is_one) || options.bundles_images()
            }
            _ => false,
        }
    }

    /// Returns the uploads that this operation uses in addition to the document, in order, each with the option that names
    /// it, such as `sourceKeys[1]`.
    #[must_use]
    pub fn attachments(&self) -> Vec<(String, SourceKey)> {
        match self {
            Self::Merge(options) => {
                let keys = options.source_keys.iter().enumerate();
                keys.map(|(index, key)| (format!("sourceKeys[{index}]"), key.clone()))
                    .collect()
            }
            Self::Watermark(options) => {
                let key = options.source_key.iter();
                key.map(|key| ("sourceKey".to_owned(), key.clone()))
                    .collect()
            }
            Self::Compare(options) => vec![("sourceKey".to_owned(), options.source_key.clone())],
            _ => Vec::new(),
        }
    }

    /// Returns the formats that the attachments may have.
    #[must_use]
    pub fn attachment_formats(&self) -> &'static [Format] {
        match self {
            Self::Merge(_) => PAGES,
            Self::Watermark(_) => &[Format::Png, Format::Jpeg, Format::Pdf],
            Self::Compare(_) => &[Format::Pdf],
            _ => &[],
        }
    }

    /// Whether the request asks to keep the EXIF and XMP metadata of the source.
    #[must_use]
    pub fn keeps_metadata(&self) -> bool {
        let keep = match self {
            Self::Convert(options) => options.keep_metadata,
            Self::Compress(options) => options.keep_metadata,
            Self::Resize(options) => options.keep_metadata,
            _ => None,
        };
        keep == Some(true)
    }

    /// Whether the result can be opened only with a password.
    #[must_use]
    pub fn sets_password(&self) -> bool {
        matches!(self, Self::Encrypt(options) if options.user_password.is_some())
    }

    /// Whether the request includes the password of the document.
    #[must_use]
    pub fn has_password(&self) -> bool {
        match self {
            Self::Convert(options) => options.password.is_some(),
            Self::Decrypt(options) => options.password.is_some(),
            _ => false,
        }
    }

    /// Returns the operation without passwords, which must not be stored longer than the job runs.
    #[must_use]
    pub fn without_secrets(self) -> Self {
        match self {
            Self::Encrypt(options) => Self::Encrypt(EncryptOptions {
                user_password: None,
                owner_password: None,
                ..options
            }),
            Self::Decrypt(_) => Self::Decrypt(DecryptOptions::default()),
            Self::Convert(options) => Self::Convert(ConvertOptions {
                password: None,
                ..options
            }),
            other => other,
        }
    }
}

fn holds_metadata(format: Format) -> bool {
    WITH_METADATA.contains(&format)
}

/// Whether any operation reads documents of this format.
#[must_use]
pub fn is_supported_input(format: Format) -> bool {
    let converted = |row: &Conversion| row.from.contains(&format);
    CONVERSIONS.iter().any(converted) || OPERATIONS.iter().any(|row| row.inputs.contains(&format))
}

fn has_pages(from: Format) -> bool {
    PAGES.contains(&from)
}

/// The processor of operations that keep the format.
fn own_processor(format: Format) -> Option<Processor> {
    match format {
        Format::Pdf => Some(Processor::ProcessPdf),
        image if IMAGES.contains(&image) => Some(Processor::ProcessImage),
        _ => None,
    }
}
