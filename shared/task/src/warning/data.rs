//! The data of a warning: what its message says, for programs.

use serde_json::{Map, Value, json};

use super::{FontSubstitution, Warning, printable};

/// Maximum number of pages in the data.
const MAX_LISTED: usize = 100;
/// Maximum number of fonts in the data, whose names are long.
const MAX_FONTS: usize = 25;
/// Maximum number of characters in the data.
const MAX_CHARACTERS: usize = 20;

impl Warning {
    /// Counts, page numbers and names. The members depend on the code.
    pub(super) fn data(&self) -> Map<String, Value> {
        let data = match self {
            Self::QualityLowered(quality) => json!({"quality": quality}),
            Self::PageImagesLimited(found, resolution) => {
                json!({"pages": pages(found), "resolution": resolution})
            }
            Self::ShadesReduced(shades) => json!({"shades": shades}),
            Self::ContentShrunk(percent) => json!({"scale": percent}),
            Self::UncertainNumbers(count, found) => {
                json!({"count": count, "pages": pages(found)})
            }
            Self::NoTextLayer(without, all) => json!({"count": without, "of": all}),
            Self::FontsSubstituted(fonts) => {
                let fonts = fonts.iter().take(MAX_FONTS).map(substitution);
                json!({"fonts": Map::from_iter(fonts)})
            }
            Self::GlyphsMissing(characters, count, found) => {
                let characters = characters.get(..MAX_CHARACTERS).unwrap_or(characters);
                json!({"characters": characters, "count": count, "pages": pages(found)})
            }
            Self::FieldsNotFlattened(count) | Self::CellsTruncated(count) => {
                json!({"count": count})
            }
            Self::DrawingRasterized(words) | Self::TextNotSearchable(words) => {
                json!({"words": words})
            }
            Self::PagesDropped(count) => json!({"of": count}),
            Self::TextRecognizedBefore(found, photographs) => {
                json!({"pages": pages(found), "photographs": photographs.unwrap_or(0)})
            }
            Self::TextRecognized {
                pages: found,
                confidence,
                languages,
                photographs,
            } => json!({
                "pages": pages(found), "confidence": confidence, "languages": languages,
                "photographs": photographs.unwrap_or(0),
            }),
            Self::LanguageMismatch {
                pages: found,
                detected,
                used,
            } => json!({"pages": pages(found), "detected": detected, "used": used}),
            Self::LowConfidence { mean, pages: found } => {
                let (numbers, confidences): (Vec<u32>, Vec<u8>) =
                    found.iter().take(MAX_LISTED).copied().unzip();
                json!({"pages": numbers, "confidence": mean, "confidences": confidences})
            }
            Self::TextRecognizedInPart(found) => json!({"pages": pages(found), "partial": true}),
            Self::BorderlessTablesDetected(found, percent) => {
                json!({"pages": pages(found), "confidence": percent})
            }
            Self::ExistingTextKept(found)
            | Self::PagesFailed(found)
            | Self::ImageNotRendered(found)
            | Self::TextNotRecognized(found)
            | Self::TextNotRecognizedWithoutOcr(found)
            | Self::NoTextRecognized(found)
            | Self::CharactersUnknown(found)
            | Self::TagsIgnored(found)
            | Self::DrawingsDropped(found)
            | Self::ContentDropped(found) => json!({"pages": pages(found)}),
            Self::Dropped(_, count) => json!({"count": count}),
            Self::ContentHidden(hidden) => {
                json!({"count": hidden.words, "images": hidden.images, "slides": pages(&hidden.slides)})
            }
            Self::ContentMissing(missing) => Value::Object(missing.data()),
            Self::Sanitized(removed) => removed.data(),
            Self::ContentReordered(words) => json!({"count": words.missing, "of": words.of}),
            Self::ContentNotVerified(reason) => json!({"reason": reason}),
            Self::AlreadyOptimal
            | Self::LimitedByPlan
            | Self::LargerThanSource
            | Self::ForeignObjectNotRendered
            | Self::ExternalResourcesBlocked
            | Self::PageCountCorrected
            | Self::DamageRepaired
            | Self::ProtectionRemoved
            | Self::SignatureInvalidated
            | Self::XfaDropped
            | Self::MetadataDropped
            | Self::TransparencyRemoved
            | Self::AnimationDropped
            | Self::ColorsReduced
            | Self::ColorProfileDropped => json!({}),
        };
        match data {
            Value::Object(data) => data,
            _ => Map::new(),
        }
    }
}

fn pages(all: &[u32]) -> &[u32] {
    all.get(..MAX_LISTED).unwrap_or(all)
}

fn substitution(font: &FontSubstitution) -> (String, Value) {
    let substitute = printable(&font.substitute);
    (printable(&font.requested), substitute.into())
}
