//! What is worth knowing about a result that is right all the same.
//!
//! Children tell facts only; the words that customers read are put here, in the parent.

use domain::job::Warning;
use serde::{Deserialize, Serialize};

/// Most pages that a message names.
const NAMED: usize = 10;

/// What is worth knowing about a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Remark {
    /// The source itself is the result.
    AlreadyOptimal,
    /// The plan allowed a smaller image only.
    LimitedByPlan,
    /// A lower quality than asked for was needed to stay below the size of the source.
    QualityLowered(u8),
    /// The result takes more bytes than the source.
    LargerThanSource,
    /// How many pages have no text, and how many there are.
    NoTextLayer(u32, u32),
    /// Pages, from 1, on which an image is missing.
    ImageNotDrawn(Vec<u32>),
    /// A cell of a table holds more than a page may show of it.
    TextMayBeCut,
    /// The source asks for something outside itself.
    ExternalLinkBlocked,
    /// The source states a lower number of pages than it holds.
    PageCountMended,
}

impl Remark {
    /// The warning that the job shows.
    pub(crate) fn warning(&self) -> Warning {
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
            Self::LargerThanSource => "larger_than_source",
            Self::NoTextLayer(..) => "no_text_layer",
            Self::ImageNotDrawn(_) => "image_not_drawn",
            Self::TextMayBeCut => "text_may_be_cut",
            Self::ExternalLinkBlocked => "external_link_blocked",
            Self::PageCountMended => "page_count_mended",
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
            Self::LargerThanSource => {
                "The result takes more bytes than the source, which has another size or format."
                    .to_owned()
            }
            Self::NoTextLayer(without, all) => {
                format!("{without} of {all} pages have no text. OCR reads the text of pictures.")
            }
            Self::ImageNotDrawn(pages) => format!(
                "An image is damaged or too large to be drawn and is missing on {}.",
                named(pages)
            ),
            Self::TextMayBeCut => {
                "A cell holds a long text or several lines, of which a page may show only a part."
                    .to_owned()
            }
            Self::ExternalLinkBlocked => {
                "The document asks for something outside itself, which is left out.".to_owned()
            }
            Self::PageCountMended => {
                "The document states a lower number of pages than it holds. All of them are in the result."
                    .to_owned()
            }
        }
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
            Remark::NoTextLayer(1, 2),
            Remark::ImageNotDrawn(vec![1]),
            Remark::TextMayBeCut,
            Remark::ExternalLinkBlocked,
            Remark::PageCountMended,
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
}
