//! Operations: their names, options and prices, and what each does to which format.

mod colour;
mod conversion;
mod convert;
mod decimal;
mod image;
mod language;
mod margin_text;
mod notes;
mod number;
mod ocr;
mod page_range;
mod pdf;
mod reading;
mod security;
mod table;
#[cfg(test)]
mod tests;

pub use colour::Colour;
pub use conversion::{CONVERSIONS, Conversion, Fidelity, conversion, is_read};
pub use convert::{
    ConvertOptions, ILLUSTRATED, PLACED, Paper, PictureTreatment, Recognition, Resolution,
    STRUCTURED, Sheet, TableDetection, TextPlacement, Viewport, is_drawable, margins,
};
pub use decimal::{DeviceScaleFactor, Margin, PaperSide, PrintScale};
pub use image::{CleanupOptions, CompressOptions, CropOptions, Fit, Position, ResizeOptions};
pub use language::{LANGUAGES, Language, Languages};
pub use margin_text::{MarginPiece, MarginText, Placeholder};
pub use notes::{NOTES, Note};
pub use number::{PageCount, Percent, Pixels, PixelsPerInch, Quality, TableNumber, ViewportSide};
pub use ocr::{OcrMode, OcrOptions, OcrOutput};
pub use page_range::{PageRangeInvalid, PageRanges};
pub use pdf::{
    Angle, Corner, MergeOptions, MetadataOptions, MetadataText, NoOptions, OptimiseLevel,
    OptimiseOptions, PageNumbersOptions, PagesOptions, ReorderOptions, RotateOptions, SplitOptions,
    WatermarkOptions, WatermarkText,
};
pub use reading::InvalidOperation;
pub use security::{DecryptOptions, EncryptOptions, Password, Permission};
pub use table::{OPERATIONS, Operation, OperationFacts};

use crate::format::{Category, Format};
use crate::id::SourceKey;
use crate::processor::Processor;

/// Images that operations on images read and write.
pub(crate) const IMAGES: &[Format] = &[
    Format::Png,
    Format::Jpeg,
    Format::Webp,
    Format::Avif,
    Format::Tiff,
    Format::Gif,
    Format::Bmp,
];

/// What has pages or pixels.
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

/// Images that `compress` reads and writes.
pub(crate) const COMPRESSIBLE: &[Format] = &[Format::Jpeg, Format::Png, Format::Webp, Format::Avif];

/// Images whose EXIF and XMP can be kept.
const WITH_METADATA: &[Format] = &[Format::Jpeg, Format::Png, Format::Webp];

impl Operation {
    /// The name in the API.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.facts().name
    }

    /// Price in credits.
    #[must_use]
    pub fn credits(&self) -> u32 {
        self.facts().credits
    }

    /// Who does this to a document of format `from`, and what it leaves; `None` when nobody can. `compress` of a PDF is
    /// none: there [`Operation::on`] makes it `optimise`.
    #[must_use]
    pub fn resolve(&self, from: Format) -> Option<(Processor, Format)> {
        match self {
            Self::Convert(options) => {
                let Conversion { processor, to, .. } = conversion(from, options.format)?;
                let is_unread = from == Format::Pdf && options.ocr == Some(Recognition::Off);
                let processor = match processor {
                    Processor::ProcessOcr if is_unread => Processor::ProcessPdf,
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
            Self::Info(_) => own_processor(from).map(|processor| (processor, Format::Json)),
            Self::Merge(_) => has_pages(from).then_some((Processor::ProcessPdf, Format::Pdf)),
            _ => {
                let fits = self.facts().inputs.contains(&from);
                let processor = own_processor(from).filter(|_| fits);
                processor.map(|processor| (processor, from))
            }
        }
    }

    /// Whether this leaves several files where the document has several pages.
    #[must_use]
    pub fn leaves_several(&self, from: Format) -> bool {
        match self {
            Self::Split(_) => true,
            Self::Convert(options) => {
                let is_one = options.pages.as_ref().is_some_and(PageRanges::is_one_page);
                let draws = options.format.facts().category == Category::Image;
                from == Format::Pdf && draws && !is_one
            }
            _ => false,
        }
    }

    /// The uploads that this needs beside the document, in order, each with the option that names it, as
    /// `sourceKeys[1]`.
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
            _ => Vec::new(),
        }
    }

    /// The formats that those uploads may have.
    #[must_use]
    pub fn takes_beside(&self) -> &'static [Format] {
        match self {
            Self::Merge(_) => PAGES,
            Self::Watermark(_) => &[Format::Png, Format::Jpeg, Format::Pdf],
            _ => &[],
        }
    }

    /// Whether EXIF and XMP of the source are to be in the result.
    #[must_use]
    pub fn keeps_metadata(&self) -> bool {
        let asked = match self {
            Self::Convert(options) => options.keep_metadata,
            Self::Compress(options) => options.keep_metadata,
            Self::Resize(options) => options.keep_metadata,
            _ => None,
        };
        asked == Some(true)
    }

    /// Whether what this leaves opens only with a password.
    #[must_use]
    pub fn sets_password(&self) -> bool {
        matches!(self, Self::Encrypt(options) if options.user_password.is_some())
    }

    /// Whether this comes with the password of its document.
    #[must_use]
    pub fn is_given_password(&self) -> bool {
        match self {
            Self::Convert(options) => options.password.is_some(),
            Self::Decrypt(options) => options.password.is_some(),
            _ => false,
        }
    }

    /// The same without what must not outlive the job.
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

/// Whether anything is done to documents of this format.
#[must_use]
pub fn is_worked_on(format: Format) -> bool {
    let converted = |row: &Conversion| row.from.contains(&format);
    CONVERSIONS.iter().any(converted) || OPERATIONS.iter().any(|row| row.inputs.contains(&format))
}

fn has_pages(from: Format) -> bool {
    PAGES.contains(&from)
}

/// Who does operations that keep the format.
fn own_processor(format: Format) -> Option<Processor> {
    match format {
        Format::Pdf => Some(Processor::ProcessPdf),
        image if IMAGES.contains(&image) => Some(Processor::ProcessImage),
        _ => None,
    }
}
