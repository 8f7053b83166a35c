//! How deep items are nested whose lists are several: by how far they are indented.

use std::collections::HashMap;

/// Indents as near as this are one, points.
const NEAR: f32 = 4.0;

/// The items that an item may stand below.
#[derive(Clone, Debug, Default)]
pub(crate) struct Ladder {
    /// The indent and the level of each, the deepest last.
    rungs: Vec<(f32, u8)>,
    /// How much deeper the levels of each list are than it says.
    bases: HashMap<String, u8>,
}

impl Ladder {
    /// The level of the next item, which its list says is at `level`.
    pub(crate) fn level(&mut self, list: &str, level: u8, indent: f32) -> u8 {
        let above = self
            .rungs
            .iter()
            .rposition(|(other, _)| other + NEAR < indent);
        let below = above
            .and_then(|index| self.rungs.get(index))
            .map_or(0, |(_, level)| level + 1);
        let base = *self
            .bases
            .entry(list.to_owned())
            .or_insert(below.saturating_sub(level));
        let level = base.saturating_add(level).min(8);
        self.rungs.truncate(above.map_or(0, |index| index + 1));
        self.rungs.push((indent, level));
        level
    }
}

#[cfg(test)]
mod tests {
    use super::Ladder;

    #[test]
    fn lists_of_their_own_are_nested_by_their_indents() {
        let mut ladder = Ladder::default();
        let mut level = |list, level, indent| ladder.level(list, level, indent);
        assert_eq!(level("a", 0, 18.0), 0);
        assert_eq!(level("b", 0, 36.0), 1);
        assert_eq!(level("c", 0, 54.0), 2);
        assert_eq!(level("b", 0, 36.0), 1);
        assert_eq!(level("a", 0, 18.0), 0);
        assert_eq!(level("a", 1, 18.0), 1);
    }
}
