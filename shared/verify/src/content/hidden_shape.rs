//! Collects the content of a shape that a slide does not show.

use super::item::Item;

/// A shape that is hidden or beyond the edges of its slide.
#[derive(Default)]
pub(super) struct HiddenShape {
    /// Depth of its element.
    pub(super) depth: usize,
    text: String,
    images: u32,
}

impl HiddenShape {
    /// A shape whose element begins at this depth.
    pub(super) fn at(depth: usize) -> Self {
        Self {
            depth,
            ..Self::default()
        }
    }

    /// Adds content of the shape.
    pub(super) fn add(&mut self, item: Item<'_>) {
        match item {
            Item::Text(text) => self.text.push_str(text),
            Item::Break => self.text.push(' '),
            Item::Image => self.images += 1,
            _ => {}
        }
    }

    /// All of its content.
    pub(super) fn item(&self) -> Item<'_> {
        Item::Hidden {
            text: &self.text,
            images: self.images,
        }
    }
}
