//! Warnings about a result, and their messages for customers.
//!
//! A child process reports typed values only; the parent process formats the messages.

mod data;
mod dropped_content;
mod hidden_content;
mod message;
mod missing_content;
mod removed_parts;
mod unverified;

use domain::job::JobWarning;
use serde::{Deserialize, Serialize};

pub use self::dropped_content::DroppedContent;
pub use self::hidden_content::HiddenContent;
pub use self::missing_content::{MissingContent, Places, Shortfall};
pub use self::removed_parts::RemovedParts;
pub use self::unverified::Unverified;

/// Maximum number of pages or fonts that a message lists.
const MAX_LISTED: usize = 10;
/// Maximum number of characters of a font name in a message.
const MAX_NAME_CHARACTERS: usize = 60;

/// A warning about a result that is otherwise valid. Page numbers start at 1.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Warning {
    /// The result is the source itself.
    AlreadyOptimal,
    /// The image was scaled down to the limit of the plan.
    LimitedByPlan,
    /// Pages whose images were scaled down, and the lowest resolution used, in pixels per inch.
    PageImagesLimited(Vec<u32>, u32),
    /// The quality was lowered below the requested value to keep the result smaller than the source.
    QualityLowered(u8),
    /// The number of shades per color channel was reduced to keep the result smaller than the source.
    ShadesReduced(u8),
    /// The result has more bytes than the source.
    LargerThanSource,
    /// Pages that have a text layer, which OCR left unchanged.
    ExistingTextKept(Vec<u32>),
    /// Pages on which recognition failed or took too long.
    PagesFailed(Vec<u32>),
    /// OCR confidence is low, in percent.
    LowConfidence {
        /// The mean of these pages.
        mean: u8,
        /// Each page with its confidence.
        pages: Vec<(u32, u8)>,
    },
    /// The text of pages is in a language that OCR did not use.
    LanguageMismatch {
        /// The pages.
        pages: Vec<u32>,
        /// Code of their language.
        detected: String,
        /// Codes of the languages that OCR used.
        used: Vec<String>,
    },
    /// Number of pages without text, and number of all pages.
    NoTextLayer(u32, u32),
    /// Pages on which an image is missing.
    ImageNotRendered(Vec<u32>),
    /// A drawing became a picture, with its number of words.
    DrawingRasterized(u32),
    /// Number of words of a drawing that became shapes or pixels.
    TextNotSearchable(u32),
    /// Foreign content of an SVG, such as HTML in a `foreignObject`, is missing.
    ForeignObjectNotRendered,
    /// Fonts not available on the server were substituted.
    FontsSubstituted(Vec<FontSubstitution>),
    /// Characters that no installed font has, how many there are, and their pages, if known.
    GlyphsMissing(Vec<char>, u32, Vec<u32>),
    /// References to external resources were not loaded.
    ExternalResourcesBlocked,
    /// The page count that the PDF states differs from its number of pages.
    PageCountCorrected,
    /// The source was damaged and was repaired.
    DamageRepaired,
    /// The permissions of the source do not apply to the result.
    ProtectionRemoved,
    /// The source has a digital signature, which is not valid for the result.
    SignatureInvalidated,
    /// Number of form fields that could not be flattened and are still interactive.
    FieldsNotFlattened(u32),
    /// The XFA form of the source is not in the result, so that the values of its AcroForm apply.
    XfaDropped,
    /// What `sanitize` or `pdfa` removed.
    Sanitized(RemovedParts),
    /// XMP or EXIF metadata of the source is invalid or too large for the format, and was dropped.
    MetadataDropped,
    /// The output format does not support transparency, or only in part.
    TransparencyRemoved,
    /// The result is the first frame of an animation.
    AnimationDropped,
    /// Number of pages of the source, of which the result is the first.
    PagesDropped(u32),
    /// The output format supports fewer colors than the source uses.
    ColorsReduced,
    /// The color profile could not be parsed, and the output format cannot embed it.
    ColorProfileDropped,
    /// Pages with a hidden text layer of another OCR program over a scan; and the number of photographs that were cut out of
    /// the scans, unless the scans themselves are in the result.
    TextRecognizedBefore(Vec<u32>, Option<u32>),
    /// The text of pages was recognized by OCR.
    TextRecognized {
        /// The pages.
        pages: Vec<u32>,
        /// Mean confidence, in percent.
        confidence: u8,
        /// Codes of the languages of the models.
        languages: Vec<String>,
        /// Number of photographs that were cut out of the pages, of whose images nothing else is in the result; `None` if the
        /// operation is `ocr`, which keeps or omits all images.
        photographs: Option<u32>,
    },
    /// Pages with text of their own, of which outlined text or pictures of text were recognized by OCR.
    TextRecognizedInPart(Vec<u32>),
    /// Pages with outlined text, or scans and pictures that may have more text, that were not recognized.
    TextNotRecognized(Vec<u32>),
    /// Pages with outlined text or pictures of text that were not recognized, because OCR is off.
    TextNotRecognizedWithoutOcr(Vec<u32>),
    /// Number of numerals that OCR recognized with low confidence, and their pages.
    UncertainNumbers(u32, Vec<u32>),
    /// Pages on which OCR recognized no text.
    NoTextRecognized(Vec<u32>),
    /// Pages with fonts whose character codes cannot be mapped to Unicode.
    CharactersUnknown(Vec<u32>),
    /// Pages whose structure tags are incomplete or contradictory.
    TagsIgnored(Vec<u32>),
    /// Pages with borderless tables, and the lowest detection confidence, in percent.
    BorderlessTablesDetected(Vec<u32>, u8),
    /// Pages with more content than the reader extracts from one page.
    ContentDropped(Vec<u32>),
    /// The smallest scale of content that was scaled down to fit the page width, in percent.
    ContentShrunk(u8),
    /// Pages with vector drawings, such as charts and formulas, that are not in a reflowable result.
    DrawingsDropped(Vec<u32>),
    /// Number of cells whose text exceeds the limit of the output format.
    CellsTruncated(u32),
    /// A type of content that is not in the result, and how often the source has it.
    Dropped(DroppedContent, u32),
    /// Content that is hidden on slides or beyond their edges.
    ContentHidden(HiddenContent),
    /// Content of the source that verification did not find in the result.
    ContentMissing(MissingContent),
    /// Words that the result has in another order than the source.
    ContentReordered(Shortfall),
    /// Why verification could not compare the content of the result with that of the source.
    ContentNotVerified(Unverified),
}

/// A font that is not available, and its substitute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct FontSubstitution {
    /// Whether both fonts have the same advance widths.
    pub same_metrics: bool,
    /// The family that the source names. Untrusted text.
    pub requested: String,
    /// The family that was used. Empty if it is not known.
    pub substitute: String,
}

impl Warning {
    /// Adds the warnings of verification to those of the conversion. Counts of the same type of content become one.
    pub fn merge(warnings: &mut Vec<Self>, others: Vec<Self>) {
        for other in others {
            let same = warnings
                .iter_mut()
                .find_map(|warning| match (warning, &other) {
                    (Self::Dropped(content, count), Self::Dropped(same, more))
                        if content == same =>
                    {
                        Some((count, *more))
                    }
                    _ => None,
                });
            match same {
                Some((count, more)) => *count = count.saturating_add(more),
                None => warnings.push(other),
            }
        }
    }

    /// The warning as the API shows it.
    pub fn to_job_warning(&self) -> JobWarning {
        JobWarning {
            code: self.code().to_owned(),
            message: self.message(),
            data: self.data(),
        }
    }

    /// The code. [`JobWarning::code`] documents them for the API.
    fn code(&self) -> &'static str {
        match self {
            Self::AlreadyOptimal => "already_optimal",
            Self::LimitedByPlan => "limited_by_plan",
            Self::PageImagesLimited(..) => "limited_by_size",
            Self::QualityLowered(_) => "quality_lowered",
            Self::ShadesReduced(_) | Self::ColorsReduced => "colors_reduced",
            Self::LargerThanSource => "larger_than_source",
            Self::ExistingTextKept(_) => "text_kept",
            Self::PagesFailed(_) => "pages_failed",
            Self::LowConfidence { .. } | Self::UncertainNumbers(..) => "low_confidence",
            Self::LanguageMismatch { .. } => "language_mismatch",
            Self::NoTextLayer(..) | Self::NoTextRecognized(_) => "no_text_layer",
            Self::TextRecognized { .. } | Self::TextRecognizedInPart(_) => "text_recognized",
            Self::TextNotRecognized(_) | Self::TextNotRecognizedWithoutOcr(_) => {
                "text_not_recognized"
            }
            Self::ImageNotRendered(_) | Self::ForeignObjectNotRendered => "image_not_drawn",
            Self::DrawingRasterized(_) => "drawing_rasterized",
            Self::TextNotSearchable(_) => "text_not_searchable",
            Self::CellsTruncated(_) => "text_may_be_cut",
            Self::ContentShrunk(_) => "content_shrunk",
            Self::FontsSubstituted(_) => "fonts_replaced",
            Self::GlyphsMissing(..) => "glyphs_missing",
            Self::ExternalResourcesBlocked => "external_link_blocked",
            Self::PageCountCorrected => "page_count_mended",
            Self::DamageRepaired => "damage_repaired",
            Self::ProtectionRemoved => "protection_removed",
            Self::SignatureInvalidated => "signature_invalidated",
            Self::FieldsNotFlattened(_) => "fields_kept",
            Self::XfaDropped => "xfa_dropped",
            Self::Sanitized(_) => "sanitized",
            Self::MetadataDropped => "metadata_packet_dropped",
            Self::TransparencyRemoved => "transparency_removed",
            Self::AnimationDropped => "animation_dropped",
            Self::PagesDropped(_) => "pages_dropped",
            Self::ColorProfileDropped => "color_profile_dropped",
            Self::TextRecognizedBefore(..) => "text_recognized_before",
            Self::CharactersUnknown(_) => "characters_unknown",
            Self::TagsIgnored(_) => "tags_ignored",
            Self::BorderlessTablesDetected(..) => "tables_guessed",
            Self::DrawingsDropped(_) => "drawings_left_out",
            Self::ContentDropped(_) => "content_dropped",
            Self::Dropped(content, _) => content.code(),
            Self::ContentHidden(_) => DroppedContent::Hidden.code(),
            Self::ContentMissing(_) => "content_missing",
            Self::ContentReordered(_) => "content_reordered",
            Self::ContentNotVerified(_) => "content_not_verified",
        }
    }
}

/// A name from a document, without control characters and shortened.
fn printable(name: &str) -> String {
    let characters = name.chars().filter(|character| !character.is_control());
    characters.take(MAX_NAME_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_the_same_content_become_one_warning() {
        let hidden = |count| Warning::Dropped(DroppedContent::Hidden, count);
        let mut warnings = vec![hidden(2)];
        let others = vec![hidden(3), Warning::AlreadyOptimal];
        Warning::merge(&mut warnings, others);
        assert_eq!(warnings, [hidden(5), Warning::AlreadyOptimal]);
    }

    #[test]
    fn every_code_is_documented_in_openapi() {
        let warnings = [
            Warning::AlreadyOptimal,
            Warning::LimitedByPlan,
            Warning::PageImagesLimited(vec![1], 72),
            Warning::QualityLowered(60),
            Warning::LargerThanSource,
            Warning::ExistingTextKept(vec![1]),
            Warning::PagesFailed(vec![1]),
            Warning::LowConfidence {
                mean: 40,
                pages: vec![(1, 40)],
            },
            Warning::LanguageMismatch {
                pages: vec![1],
                detected: "deu".to_owned(),
                used: vec!["eng".to_owned()],
            },
            Warning::NoTextLayer(1, 2),
            Warning::ImageNotRendered(vec![1]),
            Warning::ForeignObjectNotRendered,
            Warning::DrawingRasterized(3),
            Warning::TextNotSearchable(3),
            Warning::FontsSubstituted(Vec::new()),
            Warning::GlyphsMissing(vec!['\u{1f680}'], 1, vec![1]),
            Warning::ExternalResourcesBlocked,
            Warning::PageCountCorrected,
            Warning::DamageRepaired,
            Warning::ProtectionRemoved,
            Warning::SignatureInvalidated,
            Warning::FieldsNotFlattened(1),
            Warning::XfaDropped,
            Warning::Sanitized(RemovedParts::default()),
            Warning::MetadataDropped,
            Warning::TransparencyRemoved,
            Warning::AnimationDropped,
            Warning::PagesDropped(2),
            Warning::ColorsReduced,
            Warning::ColorProfileDropped,
            Warning::TextRecognizedBefore(vec![1], Some(2)),
            Warning::TextRecognized {
                pages: vec![1],
                confidence: 90,
                languages: vec!["eng".to_owned()],
                photographs: Some(0),
            },
            Warning::TextRecognizedInPart(vec![1]),
            Warning::TextNotRecognized(vec![1]),
            Warning::TextNotRecognizedWithoutOcr(vec![1]),
            Warning::UncertainNumbers(1, vec![1]),
            Warning::NoTextRecognized(vec![1]),
            Warning::CharactersUnknown(vec![1]),
            Warning::TagsIgnored(vec![1]),
            Warning::BorderlessTablesDetected(vec![1], 90),
            Warning::ContentDropped(vec![1]),
            Warning::ContentShrunk(35),
            Warning::DrawingsDropped(vec![1]),
            Warning::Dropped(DroppedContent::Hidden, 1),
            Warning::Dropped(DroppedContent::Charts, 1),
            Warning::Dropped(DroppedContent::Objects, 1),
            Warning::Dropped(DroppedContent::Pictures, 1),
            Warning::Dropped(DroppedContent::EmbeddablePictures, 1),
            Warning::Dropped(DroppedContent::DeeplyNestedTables, 1),
            Warning::Dropped(DroppedContent::TextOutsideTables, 1),
            Warning::Dropped(DroppedContent::Sheets, 1),
            Warning::Dropped(DroppedContent::Damage, 1),
            Warning::Dropped(DroppedContent::UncachedFormulas, 1),
            Warning::Dropped(DroppedContent::Comments, 1),
            Warning::Dropped(DroppedContent::SheetHeaders, 1),
            Warning::Dropped(DroppedContent::MasterTexts, 1),
            Warning::Dropped(DroppedContent::Links, 1),
            Warning::Dropped(DroppedContent::Attachments, 1),
            Warning::Dropped(DroppedContent::Tags, 1),
            Warning::Dropped(DroppedContent::FormFields, 1),
            Warning::ContentHidden(HiddenContent::default()),
            Warning::ContentMissing(MissingContent::default()),
            Warning::ContentReordered(Shortfall::default()),
            Warning::ContentNotVerified(Unverified::Unreadable),
        ];
        let api = concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/openapi.json");
        let api = std::fs::read_to_string(api).unwrap();
        for warning in warnings {
            let code = format!("`{}`", warning.to_job_warning().code);
            assert!(api.contains(&code), "{code}");
        }
    }
}
