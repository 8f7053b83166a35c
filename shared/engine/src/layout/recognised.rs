//! What was recognised on pages that are pictures, as the layout model takes it: in place of what they show.

use std::collections::BTreeMap;

use layout::{Character, Rect, Sheet, Size, Stroke};

use super::things::Things;

/// Words in a picture from which it is what was read, and no illustration with a label.
const LABEL: usize = 3;

/// The pages of a document that were read, by their numbers: all on which something was recognised, and all of an image.
#[derive(Default)]
pub(crate) struct Recognised(pub(crate) BTreeMap<u32, Read>);

/// A page that was read.
#[derive(Default)]
pub(crate) struct Read {
    /// Its extent as it is shown.
    pub(crate) size: Size,
    /// Its characters, and the spaces between its words.
    pub(crate) characters: Vec<Character>,
    /// The middle of each word.
    pub(crate) words: Vec<(f32, f32)>,
    /// The lines that its picture shows, where it is a picture as a whole.
    pub(crate) strokes: Option<Vec<Stroke>>,
}

impl Recognised {
    /// The pages as sheets of their own.
    pub(super) fn sheets(&self) -> impl Iterator<Item = Sheet> {
        self.0.iter().map(|(number, read)| {
            let mut sheet = Sheet {
                number: *number,
                size: read.size,
                ..Sheet::default()
            };
            read.lay_on(&mut sheet);
            sheet
        })
    }
}

impl Read {
    /// Takes the pictures away that were read.
    pub(super) fn clear(&self, things: &mut Things) {
        things.retain_pictures(|picture| !self.is_read(&picture.bounds));
    }

    fn is_read(&self, picture: &Rect) -> bool {
        let mut words = self.words.iter().filter(|word| picture.contains(**word));
        self.strokes.is_some() || words.nth(LABEL - 1).is_some()
    }

    /// Puts what was recognised on a sheet. What the document says of the page's structure does not hold for it.
    pub(super) fn lay_on(&self, sheet: &mut Sheet) {
        let is_shown = |own: &Character| !own.is_hidden && own.text != char::REPLACEMENT_CHARACTER;
        sheet.characters.retain(is_shown);
        sheet.characters.extend(self.characters.iter().cloned());
        if let Some(strokes) = &self.strokes {
            sheet.strokes.clone_from(strokes);
            sheet.fills.clear();
        }
        sheet.structure.clear();
        sheet.is_recognised = true;
    }
}
