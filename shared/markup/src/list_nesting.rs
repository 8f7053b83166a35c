//! Nesting of adjacent lists by indent, for documents that nest lists with separate numbering definitions.

use std::collections::HashMap;

/// Indents that differ by at most this many points are equal.
const NEAR: f32 = 4.0;

/// The items above, which the next item may be nested in.
#[derive(Clone, Debug, Default)]
pub(crate) struct ListNesting {
    /// Indent and level of each, the innermost last.
    ancestors: Vec<(f32, u8)>,
    /// Offset of the levels of each list.
    offsets: HashMap<String, u8>,
}

impl ListNesting {
    /// Returns the nesting level of the next item, which has `level` in its own list.
    pub(crate) fn level(&mut self, list: &str, level: u8, indent: f32) -> u8 {
        let above = self
            .ancestors
            .iter()
            .rposition(|(other, _)| other + NEAR < indent);
        let below = above
            .and_then(|index| self.ancestors.get(index))
            .map_or(0, |(_, level)| level + 1);
        let base = *self
            .offsets
            .entry(list.to_owned())
            .or_insert(below.saturating_sub(level));
        let level = base.saturating_add(level).min(8);
        self.ancestors.truncate(above.map_or(0, |index| index + 1));
        self.ancestors.push((indent, level));
        level
    }
}

#[cfg(test)]
mod tests {
    use super::ListNesting;

    #[test]
    fn separate_lists_are_nested_by_indent() {
        let mut nesting = ListNesting::default();
        let mut level = |list, level, indent| nesting.level(list, level, indent);
        assert_eq!(level("a", 0, 18.0), 0);
        assert_eq!(level("b", 0, 36.0), 1);
        assert_eq!(level("c", 0, 54.0), 2);
        assert_eq!(level("b", 0, 36.0), 1);
        assert_eq!(level("a", 0, 18.0), 0);
        assert_eq!(level("a", 1, 18.0), 1);
    }
}
