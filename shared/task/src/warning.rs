//! Warnings about a result, and their messages for customers.
//!
//! A child process reports typed values only; the parent process formats the messages.

mod data;
mod dropped_content;
mod missing_content;
mod unverified;

use domain::job::JobWarning;
use serde::{Deserialize, Serialize};

pub use self::dropped_content::DroppedContent;
pub use self::missing_content::{MissingContent, Places, Shortfall};
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
    /// Mean OCR confidence, in percent.
    LowConfidence(u8),
    /// Number of pages without text, and number of all pages.
    NoTextLayer(u32, u32),
    /// Pages on which an image is missing.
    ImageNotRendered(Vec<u32>),
    /// Foreign content of an SVG, such as HTML in a `foreignObject`, is missing.
    ForeignObjectNotRendered,
    /// Fonts not available on the server were substituted.
    FontsSubstituted(Vec<FontSubstitution>),
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
    /// Pages whose text was recognized by OCR, and the number of photographs that were cut out of them.
    TextRecognized(Vec<u32>, u32),
    /// Pages with text of their own, of which outlined text or pictures of text were recognized by OCR.
    TextRecognizedInPart(Vec<u32>),
    /// Pages with outlined text, or pictures that may be text, that were not recognized.
    TextNotRecognized(Vec<u32>),
    /// Pages with outlined text that was not recognized, because OCR is off.
    OutlinedTextNotRecognized(Vec<u32>),
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
            Self::LowConfidence(_) | Self::UncertainNumbers(..) => "low_confidence",
            Self::NoTextLayer(..) | Self::NoTextRecognized(_) => "no_text_layer",
            Self::TextRecognized(..) | Self::TextRecognizedInPart(_) => "text_recognized",
            Self::TextNotRecognized(_) | Self::OutlinedTextNotRecognized(_) => {
                "text_not_recognized"
            }
            Self::ImageNotRendered(_) | Self::ForeignObjectNotRendered => "image_not_drawn",
            Self::CellsTruncated(_) => "text_may_be_cut",
            Self::ContentShrunk(_) => "content_shrunk",
            Self::FontsSubstituted(_) => "fonts_replaced",
            Self::ExternalResourcesBlocked => "external_link_blocked",
            Self::PageCountCorrected => "page_count_mended",
            Self::DamageRepaired => "damage_repaired",
            Self::ProtectionRemoved => "protection_removed",
            Self::SignatureInvalidated => "signature_invalidated",
            Self::FieldsNotFlattened(_) => "fields_kept",
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
            Self::ContentMissing(_) => "content_missing",
            Self::ContentReordered(_) => "content_reordered",
            Self::ContentNotVerified(_) => "content_not_verified",
        }
    }

    fn message(&self) -> String {
        match self {
            Self::AlreadyOptimal => {
                "The source could not be made smaller, so the result is the source itself."
                    .to_owned()
            }
            Self::LimitedByPlan => {
                "The image was scaled down to the maximum size of your plan.".to_owned()
            }
            Self::PageImagesLimited(pages, resolution) => format!(
                "The images of {} were scaled down to the maximum size of an image, to {resolution} pixels per inch or more.",
                page_list(pages)
            ),
            Self::QualityLowered(quality) => format!(
                "The quality was lowered to {quality} to keep the result smaller than the source."
            ),
            Self::ShadesReduced(count) => format!(
                "Each color channel was reduced to {count} shades to keep the result smaller than the source."
            ),
            Self::LargerThanSource => {
                "The result has more bytes than the source, because its dimensions or format differ."
                    .to_owned()
            }
            Self::NoTextLayer(without, all) => format!(
                "{without} of {all} pages have no text layer. Use OCR to recognize the text of scanned pages."
            ),
            Self::ExistingTextKept(pages) => {
                format!("The existing text of {} was kept.", page_list(pages))
            }
            Self::LowConfidence(percent) => format!(
                "OCR confidence is only {percent} %. Check the text, or try a sharper scan or another language."
            ),
            Self::ImageNotRendered(pages) => format!(
                "An image that is damaged or too large to render is missing on {}.",
                page_list(pages)
            ),
            Self::ForeignObjectNotRendered => {
                "Content of the SVG in another markup language, such as HTML in a `foreignObject`, was not rendered."
                    .to_owned()
            }
            Self::FontsSubstituted(fonts) => fonts_substituted(fonts),
            Self::ExternalResourcesBlocked => "External resources were not loaded.".to_owned(),
            Self::PageCountCorrected => {
                "The page count that the document states is wrong. The result has all pages that were found."
                    .to_owned()
            }
            Self::DamageRepaired => {
                "The source was damaged and was repaired as far as possible. Compare the result with the source."
                    .to_owned()
            }
            Self::ProtectionRemoved => {
                "The permissions of the source (such as no printing or copying) do not apply to the result."
                    .to_owned()
            }
            Self::SignatureInvalidated => {
                "The source is digitally signed. The signature is not valid for the result.".to_owned()
            }
            Self::FieldsNotFlattened(count) => format!(
                "{count} form {}: no available font has the characters, or the text is too long.",
                match count {
                    1 => "field could not be flattened and is still interactive",
                    _ => "fields could not be flattened and are still interactive",
                }
            ),
            Self::MetadataDropped => {
                "Metadata of the source (XMP or EXIF) is invalid or too large and was dropped.".to_owned()
            }
            Self::TransparencyRemoved => {
                "The output format does not support the transparency of the source. Transparent areas became white."
                    .to_owned()
            }
            Self::AnimationDropped => {
                "The source is an animation. The result is its first frame.".to_owned()
            }
            Self::PagesDropped(pages) => {
                format!("The source has {pages} pages. The result is the first page.")
            }
            Self::ColorsReduced => {
                "The output format supports 256 colors, fewer than the source uses.".to_owned()
            }
            Self::ColorProfileDropped => {
                "The color profile of the source could not be parsed and was dropped, so colors may look different."
                    .to_owned()
            }
            Self::TextRecognizedBefore(pages, None) => format!(
                "The text of {} comes from an earlier OCR of a scan and was kept.",
                page_list(pages)
            ),
            Self::TextRecognizedBefore(pages, Some(photographs)) => format!(
                "The text of {} comes from an earlier OCR of a scan and was kept. {}",
                page_list(pages),
                photographs_from_scan(*photographs)
            ),
            Self::TextRecognized(pages, photographs) => format!(
                "The text of {} was recognized by OCR. Check the text and its structure. {}",
                page_list(pages),
                photographs_from_scan(*photographs)
            ),
            Self::TextRecognizedInPart(pages) => format!(
                "Text that is drawn as outlines or is part of a picture was recognized by OCR on {}. Check the recognized text.",
                page_list(pages)
            ),
            Self::TextNotRecognized(pages) => format!(
                "Text that is drawn as outlines or is part of a picture may be missing on {}: OCR could not read it, or a limit of time, pictures or drawings was reached. Compare the result with the source.",
                page_list(pages)
            ),
            Self::OutlinedTextNotRecognized(pages) => format!(
                "Text that is drawn as outlines may be missing on {}, because OCR is off. With `ocr: auto`, most such text is recognized.",
                page_list(pages)
            ),
            Self::UncertainNumbers(1, pages) => format!(
                "OCR is uncertain about 1 number on {}. Compare it with the scan.",
                page_list(pages)
            ),
            Self::UncertainNumbers(count, pages) => format!(
                "OCR is uncertain about {count} numbers on {}. Compare them with the scan.",
                page_list(pages)
            ),
            Self::NoTextRecognized(pages) => {
                format!("OCR recognized no text on {}.", page_list(pages))
            }
            Self::CharactersUnknown(pages) => format!(
                "Fonts on {} do not map all character codes to Unicode; unmapped characters became \u{fffd}. OCR with `mode: force` can recognize them.",
                page_list(pages)
            ),
            Self::TagsIgnored(pages) => format!(
                "The structure tags of {} are incomplete or contradictory, so the structure was detected from the layout.",
                page_list(pages)
            ),
            Self::BorderlessTablesDetected(pages, percent) => format!(
                "Tables without borders were detected on {}. The lowest confidence is {percent} %.",
                page_list(pages)
            ),
            Self::ContentDropped(pages) => format!(
                "Some characters, lines or links on {} are missing, because the pages exceed the limits of content per page.",
                page_list(pages)
            ),
            Self::ContentShrunk(percent) => format!(
                "Content was scaled down to {percent} % to fit the page width and may be too small to read. Choose a larger paper size."
            ),
            Self::DrawingsDropped(pages) => format!(
                "Vector drawings, such as charts or formulas, on {} are not in the result. In DOCX and HTML, `mode: layout` keeps them.",
                page_list(pages)
            ),
            Self::CellsTruncated(cells) => format!(
                "The text of {cells} {} exceeds the limit of the output format and was truncated.",
                if *cells == 1 { "cell" } else { "cells" }
            ),
            Self::Dropped(content, count) => content.message(*count),
            Self::ContentMissing(missing) => missing.message(),
            Self::ContentReordered(words) => format!(
                "Parts of the result are in another order than in the source: {} of {} words that were compared. Compare it with the source.",
                words.missing, words.of
            ),
            Self::ContentNotVerified(reason) => reason.message().to_owned(),
        }
    }
}

fn fonts_substituted(fonts: &[FontSubstitution]) -> String {
    let list = |same_metrics: bool| -> Vec<String> {
        let fonts = fonts
            .iter()
            .filter(|font| font.same_metrics == same_metrics);
        fonts
            .take(MAX_LISTED)
            .map(|font| {
                let (requested, substitute) =
                    (printable(&font.requested), printable(&font.substitute));
                match substitute.is_empty() {
                    true => requested,
                    false => format!("{requested} by {substitute}"),
                }
            })
            .collect()
    };
    let (different, same) = (list(false), list(true));
    let different = different.join(", ");
    match same.as_slice() {
        [] => format!("Fonts not available on the server were substituted: {different}."),
        same => format!(
            "Fonts not available on the server were substituted: {different}; and, with the same character widths, {}.",
            same.join(", ")
        ),
    }
}

/// A name from a document, without control characters and shortened.
fn printable(name: &str) -> String {
    let characters = name.chars().filter(|character| !character.is_control());
    characters.take(MAX_NAME_CHARACTERS).collect()
}

/// The sentence about the images of a scan.
fn photographs_from_scan(photographs: u32) -> String {
    match photographs {
        0 => "Images on the scan are not in the result.".to_owned(),
        1 => "1 photograph was cut out of the scan; other images on it are not in the result."
            .to_owned(),
        count => format!(
            "{count} photographs were cut out of the scan; other images on it are not in the result."
        ),
    }
}

fn page_list(pages: &[u32]) -> String {
    let numbers: Vec<String> = pages.iter().take(MAX_LISTED).map(u32::to_string).collect();
    let more = pages.len().saturating_sub(MAX_LISTED);
    let noun = if pages.len() == 1 { "page" } else { "pages" };
    match more {
        0 => format!("{noun} {}", numbers.join(", ")),
        more => format!("{noun} {} and {more} more", numbers.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_documented_in_openapi() {
        let warnings = [
            Warning::AlreadyOptimal,
            Warning::LimitedByPlan,
            Warning::PageImagesLimited(vec![1], 72),
            Warning::QualityLowered(60),
            Warning::LargerThanSource,
            Warning::ExistingTextKept(vec![1]),
            Warning::LowConfidence(40),
            Warning::NoTextLayer(1, 2),
            Warning::ImageNotRendered(vec![1]),
            Warning::ForeignObjectNotRendered,
            Warning::FontsSubstituted(Vec::new()),
            Warning::ExternalResourcesBlocked,
            Warning::PageCountCorrected,
            Warning::DamageRepaired,
            Warning::ProtectionRemoved,
            Warning::SignatureInvalidated,
            Warning::FieldsNotFlattened(1),
            Warning::MetadataDropped,
            Warning::TransparencyRemoved,
            Warning::AnimationDropped,
            Warning::PagesDropped(2),
            Warning::ColorsReduced,
            Warning::ColorProfileDropped,
            Warning::TextRecognizedBefore(vec![1], Some(2)),
            Warning::TextRecognized(vec![1], 0),
            Warning::TextRecognizedInPart(vec![1]),
            Warning::TextNotRecognized(vec![1]),
            Warning::OutlinedTextNotRecognized(vec![1]),
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

    #[test]
    fn a_message_lists_at_most_ten_pages() {
        let message = |pages: Vec<u32>| Warning::ImageNotRendered(pages).to_job_warning().message;
        assert!(message(vec![3]).ends_with("missing on page 3."));
        assert!(message(vec![1, 2]).ends_with("on pages 1, 2."));
        assert!(message((1..=12).collect()).ends_with("9, 10 and 2 more."));
    }

    #[test]
    fn a_message_lists_fonts_within_length_limits() {
        let substitution = |requested: &str, same_metrics| FontSubstitution {
            requested: requested.to_owned(),
            substitute: "Carlito".to_owned(),
            same_metrics,
        };
        let message = |fonts: Vec<FontSubstitution>| {
            Warning::FontsSubstituted(fonts).to_job_warning().message
        };
        let message_of_two = message(vec![
            substitution("A\nb", false),
            substitution("Calibri", true),
        ]);
        assert_eq!(
            message_of_two,
            "Fonts not available on the server were substituted: Ab by Carlito; and, with the same character widths, Calibri by Carlito."
        );
        let many = message(vec![substitution(&"x".repeat(1_000), false); 100]);
        assert!(many.len() < 1_000, "{}", many.len());
    }
}
