//! Collects the text of a hidden shape of a slide.

use super::item::Item;

/// A hidden shape.
#[derive(Default)]
pub(super) struct HiddenShape {
    /// Depth of its element.
    pub(super) depth: usize,
    text: String,
}

impl HiddenShape {
    /// A hidden shape whose element begins at this depth.
    pub(super) fn at(depth: usize) -> Self {
        Self {
            depth,
            text: String::new(),
        }
    }

    /// Adds what the shape would show.
    pub(super) fn add(&mut self, item: Item<'_>) {
        match item {
            Item::Text(text) => self.text.push_str(text),
            Item::Break => self.text.push(' '),
            _ => {}
        }
    }

    /// All of its text.
    pub(super) fn item(&self) -> Item<'_> {
        Item::Hidden(&self.text)
    }
}
