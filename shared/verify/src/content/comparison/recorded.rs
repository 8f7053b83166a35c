//! The text of a result, kept for a second pass: to read it again, such as from a PDF, takes much longer.

use crate::content::item::{Item, Unreadable};

/// Maximum number of bytes that are kept.
const MAX_BYTES: usize = 16 * 1024 * 1024;

/// The text of a result.
#[derive(Default)]
pub(super) struct Recorded {
    text: String,
    /// Where in the text the breaks are.
    breaks: Vec<usize>,
    alternatives: Vec<String>,
    /// Number of bytes of both.
    bytes: usize,
    is_cut: bool,
}

impl Recorded {
    pub(super) fn add(&mut self, item: Item<'_>) {
        let text = match item {
            Item::Text(text) | Item::Beyond(text) | Item::Alternative(text) => text,
            _ => "",
        };
        self.bytes += text.len();
        let breaks = self.breaks.len() * size_of::<usize>();
        self.is_cut |= self.bytes + breaks > MAX_BYTES;
        if self.is_cut {
            return;
        }
        if let Item::Alternative(text) = item {
            self.alternatives.push(text.to_owned());
            return;
        }
        self.text.push_str(text);
        if matches!(item, Item::Break | Item::Beyond(_)) {
            self.breaks.push(self.text.len());
        }
    }

    /// Passes on texts, breaks and alternatives; reads the result again if it is too long.
    pub(super) fn replay(
        &self,
        take: &mut dyn FnMut(Item<'_>),
        read: impl FnOnce(&mut dyn FnMut(Item<'_>)) -> Result<(), Unreadable>,
    ) -> Result<(), Unreadable> {
        if self.is_cut {
            return read(take);
        }
        let mut start = 0;
        for end in self.breaks.iter().copied().chain([self.text.len()]) {
            take(Item::Text(self.text.get(start..end).unwrap_or_default()));
            take(Item::Break);
            start = end;
        }
        for text in &self.alternatives {
            take(Item::Alternative(text));
        }
        Ok(())
    }
}
