//! Alternative texts of pictures from the structure tree.

use std::collections::HashMap;

use crate::model::structure::{Element, StructureChild, Tag};

/// Maximum nesting depth of elements.
const DEPTH: usize = 96;

/// Alternative texts by marked content. The first of several pictures of one figure gets the text.
pub(super) struct Alternatives<'a> {
    /// Index of the text for each marked-content identifier.
    contents: HashMap<u32, usize>,
    words: Vec<Option<&'a str>>,
}

impl<'a> Alternatives<'a> {
    /// Collects the alternative texts of a structure tree.
    pub(super) fn of(structure: &'a [Element]) -> Self {
        let mut found = Self {
            contents: HashMap::new(),
            words: Vec::new(),
        };
        for element in structure {
            found.read(element, None, DEPTH);
        }
        found
    }

    /// Returns the alternative text of a picture, once.
    pub(super) fn take(&mut self, tag: Tag) -> Option<String> {
        let Tag::Content(number) = tag else {
            return None;
        };
        let words = self.words.get_mut(*self.contents.get(&number)?)?;
        words.take().map(str::to_owned)
    }

    fn read(&mut self, element: &'a Element, around: Option<usize>, depth: usize) {
        let own = element.alternative.as_deref().map(str::trim);
        let said = match own.filter(|words| !words.is_empty()) {
            Some(words) => {
                self.words.push(Some(words));
                Some(self.words.len() - 1)
            }
            None => around,
        };
        for kid in &element.kids {
            match (kid, said) {
                (StructureChild::Content(number), Some(said)) => {
                    self.contents.insert(*number, said);
                }
                (StructureChild::Element(inner), _) if depth > 0 => {
                    self.read(inner, said, depth - 1)
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(alternative: Option<&str>, kids: Vec<StructureChild>) -> Element {
        Element {
            alternative: alternative.map(str::to_owned),
            kids,
            ..Element::default()
        }
    }

    #[test]
    fn the_nearest_alternative_text_applies_to_the_first_content_only() {
        let inner = element(Some("A leaf"), vec![StructureChild::Content(3)]);
        let outer = element(
            Some("A tree"),
            vec![
                StructureChild::Content(1),
                StructureChild::Element(inner),
                StructureChild::Content(2),
            ],
        );
        let silent = element(Some("  "), vec![StructureChild::Content(4)]);
        let structure = [outer, silent];
        let mut words = Alternatives::of(&structure);
        assert_eq!(words.take(Tag::Content(3)).as_deref(), Some("A leaf"));
        assert_eq!(words.take(Tag::Content(1)).as_deref(), Some("A tree"));
        for silent in [Tag::Content(2), Tag::Content(4), Tag::Artifact, Tag::None] {
            assert_eq!(words.take(silent), None);
        }
    }
}
