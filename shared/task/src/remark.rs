//! What is worth knowing about a result that is right all the same.
//!
//! Children tell facts only; the words that customers read are put here, in the parent.

mod left_out;

use domain::job::Warning;
use serde::{Deserialize, Serialize};

pub use self::left_out::LeftOut;

/// Most pages or fonts of a kind that a message names.
const NAMED: usize = 10;
/// Most characters of a name in a message.
const LETTERS: usize = 60;

/// What is worth knowing about a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Remark {
    /// The source itself is the result.
    AlreadyOptimal,
    /// The plan allowed a smaller image only.
    LimitedByPlan,
    /// A lower quality than asked for was needed to stay below the size of the source.
    QualityLowered(u8),
    /// So few shades of each channel were needed to stay below the size of the source.
    ShadesReduced(u8),
    /// The result takes more bytes than the source.
    LargerThanSource,
    /// Pages, from 1, whose own text was taken.
    TextKept(Vec<u32>),
    /// How sure what was recognised is on average, in percent.
    LowConfidence(u8),
    /// How many pages have no text, and how many there are.
    NoTextLayer(u32, u32),
    /// Pages, from 1, on which an image is missing.
    ImageNotDrawn(Vec<u32>),
    /// Content of another language in a drawing is missing.
    ForeignNotDrawn,
    /// A cell of a table holds more than a page may show of it.
    TextMayBeCut,
    /// Fonts that are not here are replaced.
    FontsReplaced(Vec<Replaced>),
    /// The source asks for something outside itself.
    ExternalLinkBlocked,
    /// The source states another number of pages than it holds.
    PageCountMended,
    /// The source was damaged.
    DamageRepaired,
    /// The source restricted what may be done with it.
    ProtectionRemoved,
    /// The source is signed, which no changed copy of it is.
    SignatureInvalidated,
    /// So many fields of a form cannot be drawn and stay fields.
    FieldsKept(u32),
    /// Metadata that could not be read are left out.
    MetadataPacketDropped,
    /// The result's format holds no transparency, or not all of it.
    TransparencyRemoved,
    /// Only the first frame is in the result.
    AnimationDropped,
    /// Only the first of so many pages is in the result.
    PagesDropped(u32),
    /// The result's format holds fewer colours than the source has.
    ColoursReduced,
    /// The colour profile cannot be read, and the result's format holds none.
    ColourProfileDropped,
    /// Pages, from 1, whose text was recognised earlier and lies hidden over a picture; and how many photographs were cut from
    /// their pictures, if these are left out.
    RecognisedBefore(Vec<u32>, Option<u32>),
    /// Pages, from 1, whose text was read by OCR, and how many photographs were cut from them.
    TextRecognised(Vec<u32>, u32),
    /// How many numbers are doubtful that were read by OCR, and the pages, from 1, that they stand on.
    NumbersDoubtful(u32, Vec<u32>),
    /// Pages, from 1, on which OCR found no text.
    NothingRecognised(Vec<u32>),
    /// Pages, from 1, on which fonts do not tell what characters are.
    CharactersUnknown(Vec<u32>),
    /// Pages, from 1, of which the tags leave out much or contradict themselves.
    TagsIgnored(Vec<u32>),
    /// Pages, from 1, with tables that no lines show, and how sure the least sure table is, in percent.
    TablesGuessed(Vec<u32>, u8),
    /// Pages, from 1, that show more than is read.
    ContentDropped(Vec<u32>),
    /// How many cells hold less than they should.
    CellsCut(u32),
    /// How many things of a kind the source has and the result has not.
    LeftOut(LeftOut, u32),
}

/// A font and what stands in its place.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Replaced {
    /// Whether the letters of both are as wide.
    pub alike: bool,
    /// The family that the source asks for, which is its own words.
    pub asked: String,
    /// The family that is used.
    pub used: String,
}

impl Remark {
    /// The warning that the job shows.
    pub fn warning(&self) -> Warning {
        Warning {
            code: self.code().to_owned(),
            message: self.message(),
        }
    }

    /// The code; they are listed at [`Warning::code`].
    fn code(&self) -> &'static str {
        match self {
            Self::AlreadyOptimal => "already_optimal",
            Self::LimitedByPlan => "limited_by_plan",
            Self::QualityLowered(_) => "quality_lowered",
            Self::ShadesReduced(_) | Self::ColoursReduced => "colours_reduced",
            Self::LargerThanSource => "larger_than_source",
            Self::TextKept(_) => "text_kept",
            Self::LowConfidence(_) | Self::NumbersDoubtful(..) => "low_confidence",
            Self::NoTextLayer(..) | Self::NothingRecognised(_) => "no_text_layer",
            Self::TextRecognised(..) => "text_recognised",
            Self::ImageNotDrawn(_) | Self::ForeignNotDrawn => "image_not_drawn",
            Self::TextMayBeCut => "text_may_be_cut",
            Self::FontsReplaced(_) => "fonts_replaced",
            Self::ExternalLinkBlocked => "external_link_blocked",
            Self::PageCountMended => "page_count_mended",
            Self::DamageRepaired => "damage_repaired",
            Self::ProtectionRemoved => "protection_removed",
            Self::SignatureInvalidated => "signature_invalidated",
            Self::FieldsKept(_) => "fields_kept",
            Self::MetadataPacketDropped => "metadata_packet_dropped",
            Self::TransparencyRemoved => "transparency_removed",
            Self::AnimationDropped => "animation_dropped",
            Self::PagesDropped(_) => "pages_dropped",
            Self::ColourProfileDropped => "colour_profile_dropped",
            Self::RecognisedBefore(..) => "text_recognised_before",
            Self::CharactersUnknown(_) => "characters_unknown",
            Self::TagsIgnored(_) => "tags_ignored",
            Self::TablesGuessed(..) => "tables_guessed",
            Self::ContentDropped(_) => "content_dropped",
            Self::CellsCut(_) => "text_may_be_cut",
            Self::LeftOut(kind, _) => kind.code(),
        }
    }

    fn message(&self) -> String {
        match self {
            Self::AlreadyOptimal => {
                "The source cannot be made smaller, so it is the result.".to_owned()
            }
            Self::LimitedByPlan => {
                "The plan allows smaller images only, so the result is scaled down.".to_owned()
            }
            Self::QualityLowered(quality) => format!(
                "The quality is lowered to {quality}, since the result would be larger than the source else."
            ),
            Self::ShadesReduced(count) => format!(
                "Only {count} shades of each colour are kept, since the result would be larger than the source else."
            ),
            Self::LargerThanSource => {
                "The result takes more bytes than the source, which has another size or format."
                    .to_owned()
            }
            Self::NoTextLayer(without, all) => {
                format!("{without} of {all} pages have no text. OCR reads the text of pictures.")
            }
            Self::TextKept(pages) => format!(
                "The text of {} was there already and is taken as it is.",
                named(pages)
            ),
            Self::LowConfidence(percent) => format!(
                "What was recognised is sure by {percent} % only. A sharper scan or another language may help."
            ),
            Self::ImageNotDrawn(pages) => format!(
                "An image is damaged or too large to be drawn and is missing on {}.",
                named(pages)
            ),
            Self::ForeignNotDrawn => {
                "The SVG holds content of another language, such as HTML in a `foreignObject`, which is not drawn and is missing."
                    .to_owned()
            }
            Self::TextMayBeCut => {
                "A cell holds a long text or several lines, of which a page may show only a part."
                    .to_owned()
            }
            Self::FontsReplaced(fonts) => fonts_replaced(fonts),
            Self::ExternalLinkBlocked => {
                "The document asks for something outside itself, which is left out.".to_owned()
            }
            Self::PageCountMended => {
                "The document states another number of pages than it holds. The result is made of those that it holds."
                    .to_owned()
            }
            Self::DamageRepaired => {
                "The source was damaged. The result holds what could be read of it; compare the two."
                    .to_owned()
            }
            Self::ProtectionRemoved => {
                "The source restricted what may be done with it. The result does not.".to_owned()
            }
            Self::SignatureInvalidated => {
                "The source is signed. The result is another document, so the signature does not hold for it."
                    .to_owned()
            }
            Self::FieldsKept(count) => format!(
                "{count} form {} cannot be drawn, since no font here has the characters or the text is too long, and still hold what was filled in.",
                if *count == 1 { "field" } else { "fields" }
            ),
            Self::MetadataPacketDropped => {
                "The source's XMP packet could not be read and is left out.".to_owned()
            }
            Self::TransparencyRemoved => {
                "The format of the result cannot hold the transparency of the source, which is laid on white."
                    .to_owned()
            }
            Self::AnimationDropped => {
                "The source is an animation. The result is its first frame.".to_owned()
            }
            Self::PagesDropped(pages) => {
                format!("The source has {pages} pages. The result is the first of them.")
            }
            Self::ColoursReduced => {
                "The format of the result holds 256 colours, fewer than the source has.".to_owned()
            }
            Self::ColourProfileDropped => {
                "The colour profile of the source cannot be read and is not in the result, so colours may look different."
                    .to_owned()
            }
            Self::RecognisedBefore(pages, None) => format!(
                "The text of {} was recognised in a picture by another program and is taken as it is.",
                named(pages)
            ),
            Self::RecognisedBefore(pages, Some(photographs)) => format!(
                "The text of {} was recognised in a picture by another program and is taken as it is; {}",
                named(pages),
                beside_text(*photographs)
            ),
            Self::TextRecognised(pages, photographs) => format!(
                "The text of {} was read by OCR. Check it, and what its structure was taken for; {}",
                named(pages),
                beside_text(*photographs)
            ),
            Self::NumbersDoubtful(1, pages) => format!(
                "A number that was read on {} is doubtful. Compare it with the scan.",
                named(pages)
            ),
            Self::NumbersDoubtful(count, pages) => format!(
                "{count} numbers that were read on {} are doubtful. Compare them with the scan.",
                named(pages)
            ),
            Self::NothingRecognised(pages) => format!(
                "OCR found no text on {}.",
                named(pages)
            ),
            Self::CharactersUnknown(pages) => format!(
                "Fonts on {} do not say which characters they draw; those are written as \u{fffd}. OCR with `mode: force` reads them.",
                named(pages)
            ),
            Self::TagsIgnored(pages) => format!(
                "What the source says about the structure of {} is not whole, so it was found from how they look.",
                named(pages)
            ),
            Self::TablesGuessed(pages, percent) => format!(
                "Tables without lines were found on {}; the least sure of them is sure by {percent} %.",
                named(pages)
            ),
            Self::ContentDropped(pages) => format!(
                "More characters, lines or links are shown on {} than are read, so some are missing.",
                named(pages)
            ),
            Self::CellsCut(cells) => format!(
                "{cells} cells hold more text than the format has room for, and less of it in the result."
            ),
            Self::LeftOut(kind, count) => kind.message(*count),
        }
    }
}

fn fonts_replaced(fonts: &[Replaced]) -> String {
    let told = |alike: bool| -> Vec<String> {
        let fonts = fonts.iter().filter(|font| font.alike == alike).take(NAMED);
        fonts
            .map(|font| format!("{} by {}", shown(&font.asked), shown(&font.used)))
            .collect()
    };
    let (unlike, alike) = (told(false), told(true));
    let unlike = unlike.join(", ");
    match alike.as_slice() {
        [] => format!("Fonts that are not here are replaced: {unlike}."),
        alike => format!(
            "Fonts that are not here are replaced: {unlike}; and, by some with letters as wide, {}.",
            alike.join(", ")
        ),
    }
}

/// A name that a document chose, as far as it can be shown.
fn shown(name: &str) -> String {
    let characters = name.chars().filter(|character| !character.is_control());
    characters.take(LETTERS).collect()
}

/// What is in the result of a scan that is no text.
fn beside_text(photographs: u32) -> String {
    match photographs {
        0 => "pictures on a scan are not in the result.".to_owned(),
        1 => "a photograph was cut from the scan, other pictures on it are not in the result."
            .to_owned(),
        count => format!(
            "{count} photographs were cut from the scan, other pictures on it are not in the result."
        ),
    }
}

fn named(pages: &[u32]) -> String {
    let names: Vec<String> = pages.iter().take(NAMED).map(u32::to_string).collect();
    let more = pages.len().saturating_sub(NAMED);
    let kind = if pages.len() == 1 { "page" } else { "pages" };
    match more {
        0 => format!("{kind} {}", names.join(", ")),
        more => format!("{kind} {} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_documented_where_customers_look() {
        let remarks = [
            Remark::AlreadyOptimal,
            Remark::LimitedByPlan,
            Remark::QualityLowered(60),
            Remark::LargerThanSource,
            Remark::TextKept(vec![1]),
            Remark::LowConfidence(40),
            Remark::NoTextLayer(1, 2),
            Remark::ImageNotDrawn(vec![1]),
            Remark::ForeignNotDrawn,
            Remark::TextMayBeCut,
            Remark::FontsReplaced(Vec::new()),
            Remark::ExternalLinkBlocked,
            Remark::PageCountMended,
            Remark::DamageRepaired,
            Remark::ProtectionRemoved,
            Remark::SignatureInvalidated,
            Remark::FieldsKept(1),
            Remark::MetadataPacketDropped,
            Remark::TransparencyRemoved,
            Remark::AnimationDropped,
            Remark::PagesDropped(2),
            Remark::ColoursReduced,
            Remark::ColourProfileDropped,
            Remark::RecognisedBefore(vec![1], Some(2)),
            Remark::TextRecognised(vec![1], 0),
            Remark::NumbersDoubtful(1, vec![1]),
            Remark::NothingRecognised(vec![1]),
            Remark::CharactersUnknown(vec![1]),
            Remark::TagsIgnored(vec![1]),
            Remark::TablesGuessed(vec![1], 90),
            Remark::ContentDropped(vec![1]),
            Remark::LeftOut(LeftOut::Hidden, 1),
            Remark::LeftOut(LeftOut::Charts, 1),
            Remark::LeftOut(LeftOut::Objects, 1),
            Remark::LeftOut(LeftOut::Pictures, 1),
            Remark::LeftOut(LeftOut::NestedTables, 1),
            Remark::LeftOut(LeftOut::Damage, 1),
        ];
        let api = concat!(env!("CARGO_MANIFEST_DIR"), "/../../infra/openapi.json");
        let api = std::fs::read_to_string(api).unwrap();
        for remark in remarks {
            let code = format!("`{}`", remark.warning().code);
            assert!(api.contains(&code), "{code}");
        }
    }

    #[test]
    fn a_message_names_a_few_pages() {
        let message = |pages: Vec<u32>| Remark::ImageNotDrawn(pages).warning().message;
        assert!(message(vec![3]).ends_with("missing on page 3."));
        assert!(message(vec![1, 2]).ends_with("on pages 1, 2."));
        assert!(message((1..=12).collect()).ends_with("9, 10 and 2 more."));
    }

    #[test]
    fn a_message_names_fonts_within_bounds() {
        let replaced = |asked: &str, alike| Replaced {
            asked: asked.to_owned(),
            used: "Carlito".to_owned(),
            alike,
        };
        let message = |fonts: Vec<Replaced>| Remark::FontsReplaced(fonts).warning().message;
        let told = message(vec![replaced("A\nb", false), replaced("Calibri", true)]);
        assert_eq!(
            told,
            "Fonts that are not here are replaced: Ab by Carlito; and, by some with letters as wide, Calibri by Carlito."
        );
        let many = message(vec![replaced(&"x".repeat(1_000), false); 100]);
        assert!(many.len() < 1_000, "{}", many.len());
    }
}
