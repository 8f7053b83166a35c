//! What was recognised on pages that are pictures, as the layout model takes it: in place of what they show.

use std::collections::BTreeMap;
use std::path::PathBuf;

use layout::{Character, Drawing, PageContent, Picture, Rect, Size, Stroke, Tag};
use task::Outcome;

use super::handles::Image;
use super::store::Store;
use super::things::Things;
use super::turn;

/// Words in a picture from which it is what was read, and no illustration with a label.
const LABEL: usize = 3;

/// The pages of a document that were read, by their numbers: all on which something was recognised, and all of an image.
#[derive(Default)]
pub struct Recognised(pub BTreeMap<u32, Read>);

/// A page that was read.
#[derive(Default)]
pub struct Read {
    /// Its extent as it is told.
    pub size: Size,
    /// By how many degrees clockwise the page was turned to be told: 0, 90, 180 or 270.
    pub turned: u32,
    /// Its characters, and the spaces between its words.
    pub characters: Vec<Character>,
    /// The middle of each word.
    pub words: Vec<(f32, f32)>,
    /// Whether that is all its text: what it has of its own says nothing.
    pub is_all: bool,
    /// The lines that its picture shows, where it is a picture as a whole.
    pub strokes: Option<Vec<Stroke>>,
    /// Whether its text is what another program has read before, which stays.
    pub keeps_text: bool,
    /// The photographs that its picture shows.
    pub cuttings: Vec<Cutting>,
}

/// A photograph that was cut from the picture of a page, or that picture as a whole where it says nothing.
#[derive(Clone, Debug, Default)]
pub struct Cutting {
    /// Where it is on the page.
    pub bounds: Rect,
    /// The file that holds it.
    pub path: PathBuf,
    /// Whether that is JPEG; else it is PNG.
    pub is_jpeg: bool,
    /// Width and height in pixels.
    pub sides: (u32, u32),
}

impl Recognised {
    /// The pages as sheets of their own; their photographs go to the store if there is one.
    pub(super) fn sheets<'a>(
        &'a self,
        store: Option<&'a Store>,
    ) -> impl Iterator<Item = Outcome<PageContent>> + 'a {
        let mut pictures = 0;
        self.0.iter().map(move |(number, read)| {
            let mut sheet = PageContent {
                number: *number,
                ..PageContent::default()
            };
            read.lay_on(&mut sheet, &[]);
            sheet.size = read.size;
            pictures += read.show_on(&mut sheet, store, pictures)?;
            Ok(sheet)
        })
    }
}

impl Read {
    /// Takes the pictures away that were read, and tells where they were.
    pub(super) fn clear(&self, things: &mut Things) -> Vec<Rect> {
        let places = things.pictures.iter().map(|picture| picture.bounds);
        let taken = places.filter(|bounds| self.is_read(bounds)).collect();
        things.retain_pictures(|picture| !self.is_read(&picture.bounds));
        taken
    }

    fn is_read(&self, picture: &Rect) -> bool {
        let mut words = self.words.iter().filter(|word| picture.contains(**word));
        self.strokes.is_some() || words.nth(LABEL - 1).is_some()
    }

    /// Puts what was recognised on a sheet, from which pictures were taken at these places. What the document says of the page's
    /// structure does not hold for it.
    pub(super) fn lay_on(&self, sheet: &mut PageContent, taken: &[Rect]) {
        if let Some(strokes) = &self.strokes {
            sheet.strokes.clone_from(strokes);
            sheet.fills.clear();
        }
        if self.keeps_text {
            return;
        }
        let is_shown = |own: &Character| !own.is_hidden && own.text != char::REPLACEMENT_CHARACTER;
        sheet.characters.retain(|own| !self.is_all && is_shown(own));
        turn::sheet(sheet, self.turned);
        let read = self.characters.iter().cloned();
        sheet.characters.extend(read.map(|mut character| {
            character.is_hidden = !self.is_bare(&character, taken);
            character
        }));
        sheet.structure.clear();
        sheet.is_recognised = true;
    }

    /// Whether nothing shows a character any more: a picture did that was taken away. What drawings show they show still.
    fn is_bare(&self, character: &Character, taken: &[Rect]) -> bool {
        let middle = character.bounds.centre();
        self.is_all
            || self.strokes.is_some()
            || taken.iter().any(|picture| picture.contains(middle))
    }

    /// Puts its photographs on a sheet, which are numbered by the store if there is one, and from `first` on else; how many they are.
    pub(super) fn show_on(
        &self,
        sheet: &mut PageContent,
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
        let bytes = std::fs::read(&self.path).ok()?;
        Some(match self.is_jpeg {
            true => Image::Jpeg {
                bytes,
                width,
                height,
            },
            false => Image::Png {
                bytes,
                width,
                height,
            },
        })
    }
}
