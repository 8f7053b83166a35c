//! The sheets of a PDF, one after the other.

use layout::{CheckBox, Element, PageContent, Tag};
use pdfium_render::prelude::FPDF_PAGEOBJECT;
use task::Outcome;

use super::characters::Characters;
use super::handles::{Document, Leaf};
use super::place::Place;
use super::store::Store;
use super::things::{self, Things};
use super::{Source, links};

/// How many pages are read of a document before it is opened anew: the library keeps what it has met.
const PAGES: u32 = 200;
/// Most steps that are taken within the structure of a document, and of a page. Each page of a document tells all of its
/// elements, those of other pages included.
const STEPS: usize = 20_000_000;
const STEPS_OF_PAGE: usize = 1_000_000;

/// The pages of a document that are asked for.
pub(super) struct Sheets<'a> {
    source: Source<'a>,
    document: Document,
    /// Pages read since the document was opened, and at all.
    opened: u32,
    taken: usize,
    count: u32,
    characters: Characters,
    /// Pictures so far: they are counted over the document where no store numbers them.
    pictures: usize,
    store: Option<&'a Store>,
    /// How many steps may still be taken within the structure, if it is asked for.
    steps: Option<usize>,
}

impl<'a> Sheets<'a> {
    /// Those of a source. Its structure is told if that is asked for, and pictures go to the store if there is one.
    pub(super) fn of(source: Source<'a>, store: Option<&'a Store>, tags: bool) -> Outcome<Self> {
        let document = Document::open(source.file, source.password)?;
        Ok(Self {
            source,
            count: document.pages(),
            document,
            opened: 0,
            taken: 0,
            characters: Characters::default(),
            pictures: 0,
            store,
            steps: tags.then_some(STEPS),
        })
    }

    /// The number of the page after the last one, from 1.
    fn number(&self) -> Option<u32> {
        match self.source.pages {
            Some(pages) => pages.get(self.taken).copied(),
            None => u32::try_from(self.taken + 1)
                .ok()
                .filter(|number| *number <= self.count),
        }
    }

    fn sheet(&mut self, number: u32) -> Outcome<PageContent> {
        if self.opened >= PAGES {
            self.document = Document::open(self.source.file, self.source.password)?;
            self.opened = 0;
        }
        self.opened += 1;
        let leaf = self.document.leaf(number.saturating_sub(1))?;
        let structure = structure(&leaf, &mut self.steps);
        let place = Place::of(&leaf);
        let is_tagged = !structure.is_empty();
        let mut things = things::on(&leaf, &place, self.pictures, is_tagged);
        let recognised = self.source.recognised;
        let read = recognised.and_then(|recognised| recognised.0.get(&number));
        let taken = read.map(|read| read.clear(&mut things));
        self.pictures += things.pictures.len();
        things.is_cut |= keep(self.store, &leaf, &mut things)?;
        let tag = |text: FPDF_PAGEOBJECT| match is_tagged {
            true => things
                .tags
                .get(&text.addr())
                .copied()
                .unwrap_or_else(|| leaf.tag(text)),
            false => Tag::None,
        };
        let (characters, has_more) = self.characters.of(&leaf, &place, tag);
        let mut sheet = PageContent {
            number,
            size: place.size(),
            characters,
            strokes: things.strokes,
            fills: things.fills,
            pictures: things.pictures,
            drawings: things.drawings,
            links: links::on(&leaf, &place),
            ticks: ticks(&leaf, &place),
            structure,
            is_cut: has_more || things.is_cut || leaf.areas().is_cut,
            draws_more: things.draws_more,
            is_recognised: false,
        };
        if let Some(read) = read {
            read.lay_on(&mut sheet, &taken.unwrap_or_default());
            self.pictures += read.show_on(&mut sheet, self.store, self.pictures)?;
        }
        Ok(sheet)
    }
}

/// The boxes of forms on a page.
fn ticks(leaf: &Leaf<'_>, place: &Place) -> Vec<CheckBox> {
    let boxes = leaf.boxes().iter();
    let ticks = boxes.map(|(bounds, is_set)| CheckBox {
        bounds: place.rect(bounds.map(f64::from)),
        is_set: *is_set,
    });
    ticks.collect()
}

/// The structure of a page as far as so many steps lead, of which it takes some; nothing where it is not asked for, and an
/// element that holds nothing where it does not end.
fn structure(leaf: &Leaf<'_>, steps: &mut Option<usize>) -> Vec<Element> {
    let Some(left) = steps else {
        return Vec::new();
    };
    let structure = leaf.structure((*left).min(STEPS_OF_PAGE));
    *left = left.saturating_sub(structure.steps);
    match structure.is_broken {
        true => vec![Element::default()],
        false => structure.elements,
    }
}

/// Keeps the pictures of a page, which get the store's numbers; whether there were more than it takes.
fn keep(store: Option<&Store>, leaf: &Leaf<'_>, things: &mut Things) -> Outcome<bool> {
    let Some(store) = store else {
        return Ok(false);
    };
    let mut is_cut = false;
    for (picture, (object, view)) in things.pictures.iter_mut().zip(&things.objects) {
        let sight = leaf.sight(*object);
        let key = sight.as_ref().and_then(|sight| sight.key(view));
        let image = || leaf.image(*object, sight?, view);
        let kept = store.keep(key, image)?;
        picture.image = kept.number;
        is_cut |= kept.is_too_much;
    }
    Ok(is_cut)
}

impl Iterator for Sheets<'_> {
    type Item = Outcome<PageContent>;

    fn next(&mut self) -> Option<Self::Item> {
        let number = self.number()?;
        self.taken += 1;
        Some(self.sheet(number))
    }
}
