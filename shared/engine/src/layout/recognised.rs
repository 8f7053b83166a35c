//! What was recognised on pages that are pictures, as the layout model takes it: in place of what they show.

use std::collections::BTreeMap;
use std::path::PathBuf;

use layout::{Character, Drawing, Picture, Rect, Sheet, Size, Stroke, Tag};

use super::handles::Image;
use super::store::Store;
use super::things::Things;
use crate::fault::Outcome;

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
    /// The photographs that its picture shows.
    pub(crate) cuttings: Vec<Cutting>,
}

/// A photograph that was cut from the picture of a page.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cutting {
    /// Where it is on the page.
    pub(crate) bounds: Rect,
    /// The file that holds it, which is JPEG.
    pub(crate) path: PathBuf,
    /// Width and height in pixels.
    pub(crate) sides: (u32, u32),
}

impl Recognised {
    /// The pages as sheets of their own; their photographs go to the store if there is one.
    pub(super) fn sheets<'a>(
        &'a self,
        store: Option<&'a Store>,
    ) -> impl Iterator<Item = Outcome<Sheet>> + 'a {
        let mut pictures = 0;
        self.0.iter().map(move |(number, read)| {
            let mut sheet = Sheet {
                number: *number,
                size: read.size,
                ..Sheet::default()
            };
            read.lay_on(&mut sheet);
            pictures += read.show_on(&mut sheet, store, pictures)?;
            Ok(sheet)
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

    /// Puts its photographs on a sheet, which are numbered by the store if there is one, and from `first` on else; how many they are.
    pub(super) fn show_on(
        &self,
        sheet: &mut Sheet,
        store: Option<&Store>,
        first: usize,
    ) -> Outcome<usize> {
        for (cutting, number) in self.cuttings.iter().zip(first..) {
            let image = match store {
                Some(store) => store.keep(None, || cutting.image())?.number,
                None => number,
            };
            let shown = Drawing::Picture(sheet.pictures.len(), cutting.bounds);
            sheet.drawings.push(shown);
            sheet.pictures.push(Picture {
                bounds: cutting.bounds,
                image,
                tag: Tag::None,
            });
        }
        Ok(self.cuttings.len())
    }
}

impl Cutting {
    fn image(&self) -> Option<Image> {
        let (width, height) = self.sides;
        Some(Image::Jpeg {
            bytes: std::fs::read(&self.path).ok()?,
            width,
            height,
        })
    }
}
