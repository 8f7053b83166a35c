//! Hidden content of slides.

use serde::{Deserialize, Serialize};

/// Content of hidden shapes, and content beyond the edges of slides.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HiddenContent {
    /// Number of words.
    pub words: u32,
    /// Number of images.
    pub images: u32,
    /// Numbers of the slides, from 1.
    pub slides: Vec<u32>,
}

impl HiddenContent {
    /// The amount of hidden content, such as `2 words and 1 image`.
    pub(super) fn amount(&self) -> String {
        let counts = [(self.words, "word"), (self.images, "image")];
        let counts = counts.into_iter().filter(|(count, _)| *count > 0);
        let texts = counts.map(|(count, noun)| match count {
            1 => format!("1 {noun}"),
            count => format!("{count} {noun}s"),
        });
        texts.collect::<Vec<_>>().join(" and ")
    }
}
