//! The messages of warnings, for customers.

use super::{FontSubstitution, MAX_LISTED, Warning, printable};

impl Warning {
    /// A sentence about the result, and what the customer can do.
    pub(super) fn message(&self) -> String {
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
            Self::PagesFailed(pages) => format!(
                "Text recognition failed or took too long on {}. The result shows them without recognized text.",
                page_list(pages)
            ),
            Self::LowConfidence { mean, pages } => format!(
                "OCR confidence is only {mean} % on {}. Check the text, or try a sharper scan or another language.",
                page_list(&pages.iter().map(|(page, _)| *page).collect::<Vec<_>>())
            ),
            Self::LanguageMismatch {
                pages,
                detected,
                used,
            } => format!(
                "The text of {} seems to be in the language `{detected}`, but OCR used `{}`. Repeat it with that `language`.",
                page_list(pages),
                used.join("+")
            ),
            Self::ImageNotRendered(pages) => format!(
                "An image that is damaged or too large to render is missing on {}.",
                page_list(pages)
            ),
            Self::ForeignObjectNotRendered => {
                "Content of the SVG in another markup language, such as HTML in a `foreignObject`, was not rendered."
                    .to_owned()
            }
            Self::DrawingRasterized(words) => format!(
                "The drawing became a picture, because it would look different as vector graphics.{}",
                match words {
                    0 => String::new(),
                    words => format!(" {} cannot be searched or copied.", word_count(*words)),
                }
            ),
            Self::TextNotSearchable(words) => format!(
                "{} cannot be searched or copied: filters, gradients or fonts that PDF cannot express turned the text into shapes or pixels.",
                word_count(*words)
            ),
            Self::FontsSubstituted(fonts) => fonts_substituted(fonts),
            Self::GlyphsMissing(characters, count, pages) => {
                glyphs_missing(characters, *count, pages)
            }
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
            Self::XfaDropped => {
                "The XFA version of the form was dropped, so that viewers show the filled fields.".to_owned()
            }
            Self::Sanitized(removed) => removed.message(),
            Self::MetadataDropped => {
                "Metadata of the source (XMP or EXIF) is invalid or too large and was dropped.".to_owned()
            }
            Self::TransparencyRemoved => {
                "The output format does not support the transparency of the source. Transparent areas became white, or their soft edges hard."
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
            Self::TextRecognized {
                pages, photographs, ..
            } => format!(
                "The text of {} was recognized by OCR. Check the text and its structure. {}",
                page_list(pages),
                photographs.map(photographs_from_scan).unwrap_or_default()
            )
            .trim_end()
            .to_owned(),
            Self::TextRecognizedInPart(pages) => format!(
                "Text that is drawn as outlines or is part of a picture was recognized by OCR on {}. Check the recognized text.",
                page_list(pages)
            ),
            Self::TextNotRecognized(pages) => format!(
                "Text that is drawn as outlines or is part of a scan or picture may be missing on {}: OCR could not read it, or a limit of time, pictures or drawings was reached. Compare the result with the source.",
                page_list(pages)
            ),
            Self::TextNotRecognizedWithoutOcr(pages) => format!(
                "Text that is drawn as outlines or is part of a picture may be missing on {}, because OCR is off. With `ocr: auto`, most such text is recognized.",
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
                "Some vector drawings on {} are not in the result. DOCX, PPTX, HTML, Markdown and JSON keep charts and other figures unless `images` is `drop`; DOCX and HTML with `mode: layout` keep all.",
                page_list(pages)
            ),
            Self::CellsTruncated(cells) => format!(
                "The text of {cells} {} exceeds the limit of the output format and was truncated.",
                if *cells == 1 { "cell" } else { "cells" }
            ),
            Self::Dropped(content, count) => content.message(*count),
            Self::ContentHidden(hidden) => format!(
                "{} in hidden shapes or beyond the edges of slides cannot be seen in the result, on {}.",
                hidden.amount(),
                numbered("slide", &hidden.slides)
            ),
            Self::ContentMissing(missing) => missing.message(),
            Self::ContentReordered(words) => format!(
                "Parts of the result are in another order than in the source: {} of {} words that were compared. Compare it with the source.",
                words.missing, words.of
            ),
            Self::ContentNotVerified(reason) => reason.message().to_owned(),
        }
    }
}

fn word_count(words: u32) -> String {
    match words {
        1 => "1 word".to_owned(),
        words => format!("{words} words"),
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

fn glyphs_missing(characters: &[char], count: u32, pages: &[u32]) -> String {
    let names = characters.iter().take(MAX_LISTED);
    let names = names.map(|character| format!("{character} (U+{:04X})", u32::from(*character)));
    let (names, place) = (Vec::from_iter(names), page_list(pages));
    format!(
        "No font on the server has {}: {}. The result shows boxes in their place{}.",
        match count {
            1 => "1 character of the document".to_owned(),
            count => format!("{count} characters of the document"),
        },
        names.join(", "),
        match pages {
            [] => String::new(),
            _ => format!(", on {place}"),
        }
    )
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
    numbered("page", pages)
}

/// A list of pages or slides.
fn numbered(noun: &str, all: &[u32]) -> String {
    let numbers: Vec<String> = all.iter().take(MAX_LISTED).map(u32::to_string).collect();
    let more = all.len().saturating_sub(MAX_LISTED);
    let plural = if all.len() == 1 { "" } else { "s" };
    match more {
        0 => format!("{noun}{plural} {}", numbers.join(", ")),
        more => format!("{noun}{plural} {} and {more} more", numbers.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::HiddenContent;
    use super::*;

    #[test]
    fn a_message_lists_at_most_ten_pages() {
        let message = |pages: Vec<u32>| Warning::ImageNotRendered(pages).to_job_warning().message;
        assert!(message(vec![3]).ends_with("missing on page 3."));
        assert!(message(vec![1, 2]).ends_with("on pages 1, 2."));
        assert!(message((1..=12).collect()).ends_with("9, 10 and 2 more."));
    }

    #[test]
    fn a_message_counts_hidden_words_and_names_their_slides() {
        let hidden = HiddenContent {
            words: 3,
            images: 1,
            slides: vec![1, 4],
        };
        let message = Warning::ContentHidden(hidden).to_job_warning().message;
        assert!(
            message.starts_with("3 words and 1 image ") && message.ends_with("on slides 1, 4.")
        );
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
