//! Content of a source that verification did not find in the result.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::MAX_LISTED;

/// What is missing, counted by type.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingContent {
    /// Words.
    pub words: Shortfall,
    /// Table cells with a number, a date or a logical value.
    pub numbers: Shortfall,
    /// Images.
    pub images: Shortfall,
    /// Tables of text documents.
    #[serde(default)]
    pub tables: Shortfall,
    /// Slides or sheets.
    #[serde(default)]
    pub parts: Shortfall,
    /// Where the first missing words are in the source.
    pub places: Places,
}

/// How many of a number of items are missing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shortfall {
    /// Number of missing items.
    pub missing: u64,
    /// Number of items in the source.
    pub of: u64,
}

/// Places in a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Places {
    /// The format has no places.
    #[default]
    Unknown,
    /// Page numbers, from 1.
    Pages(Vec<u32>),
    /// Slide numbers, from 1.
    Slides(Vec<u32>),
    /// Cells, such as `Sheet1!B7`. Untrusted text.
    Cells(Vec<String>),
}

impl MissingContent {
    /// Whether nothing is missing.
    pub fn is_empty(&self) -> bool {
        let counted = [
            self.words,
            self.numbers,
            self.images,
            self.tables,
            self.parts,
        ];
        counted.iter().all(|shortfall| shortfall.missing == 0)
    }

    pub(super) fn message(&self) -> String {
        let parts = [
            (self.words, "words"),
            (self.numbers, "numbers"),
            (self.images, "images"),
            (self.tables, "tables"),
            (self.parts, "slides or sheets"),
        ];
        let parts = parts
            .iter()
            .filter(|(shortfall, _)| shortfall.missing > 0)
            .map(|(shortfall, noun)| format!("{} of {} {noun}", shortfall.missing, shortfall.of));
        let parts: Vec<String> = parts.collect();
        format!(
            "The result misses {} of the source{}. Compare it with the source.",
            parts.join(", "),
            self.places.message()
        )
    }

    /// `missing` and `of` count words; `numbers`, `images`, `tables` and `parts` are there if any of them are missing.
    pub(super) fn data(&self) -> Map<String, Value> {
        let mut data = Map::new();
        data.insert("missing".to_owned(), self.words.missing.into());
        data.insert("of".to_owned(), self.words.of.into());
        for (name, shortfall) in [
            ("numbers", self.numbers),
            ("images", self.images),
            ("tables", self.tables),
            ("parts", self.parts),
        ] {
            if shortfall.missing > 0 {
                let counts = json!({"missing": shortfall.missing, "of": shortfall.of});
                data.insert(name.to_owned(), counts);
            }
        }
        match &self.places {
            Places::Unknown => None,
            Places::Pages(pages) => data.insert("pages".to_owned(), json!(pages)),
            Places::Slides(slides) => data.insert("slides".to_owned(), json!(slides)),
            Places::Cells(cells) => {
                let cells = cells.iter().map(|cell| super::printable(cell));
                data.insert("cells".to_owned(), cells.collect::<Vec<_>>().into())
            }
        };
        data
    }
}

impl Places {
    fn message(&self) -> String {
        let (noun, names): (&str, Vec<String>) = match self {
            Self::Unknown => return String::new(),
            Self::Pages(pages) => ("pages", pages.iter().map(u32::to_string).collect()),
            Self::Slides(slides) => ("slides", slides.iter().map(u32::to_string).collect()),
            Self::Cells(cells) => (
                "cells",
                cells.iter().map(|cell| super::printable(cell)).collect(),
            ),
        };
        match names.len() {
            0 => String::new(),
            _ => {
                let names: Vec<String> = names.into_iter().take(MAX_LISTED).collect();
                format!(" ({noun} {})", names.join(", "))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_and_data_name_counts_and_places() {
        let missing = MissingContent {
            words: Shortfall { missing: 3, of: 40 },
            images: Shortfall { missing: 1, of: 2 },
            parts: Shortfall { missing: 1, of: 9 },
            places: Places::Pages(vec![2, 7]),
            ..MissingContent::default()
        };
        assert_eq!(
            missing.message(),
            "The result misses 3 of 40 words, 1 of 2 images, 1 of 9 slides or sheets of the source (pages 2, 7). Compare it with the source."
        );
        assert_eq!(
            Value::Object(missing.data()),
            json!({"missing": 3, "of": 40, "images": {"missing": 1, "of": 2}, "parts": {"missing": 1, "of": 9}, "pages": [2, 7]})
        );
    }
}
