//! Pages that are pictures, read for the layout model.

use std::collections::BTreeMap;
use std::path::Path;

use ::pdf::content::{Cutting, Faint, Recognised};
use ::pdf::pdfium;

use domain::operation::{Languages, OcrMode};
use image::DynamicImage;
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfPageObjectsCommon as _};
use task::{Fault, Inspection, Outcome, Remark, Task};

use super::fate::{Fate, Own, fitting, page_sides};
use super::layout::{Word, confidence, words};
use super::pool::Pool;
use super::recognise::Reading;
use super::shown::{Leaf, reads};
use super::tesseract::Tesseract;
use super::{
    check_cost, cuttings, document, images, loaded, low, models, own, pdf, photographs, with_latin,
};

/// Points an inch; pixels an inch where nobody says so; and the longest sides in points of a page whose pixels an inch are
/// believed, and of another.
const POINTS: f64 = 72.0;
const PIXELS: f64 = 96.0;
const BELIEVED: f64 = 1224.0;
const LONGEST: f64 = 842.0;
/// Below this confidence a number is doubtful.
const DOUBTFUL: f32 = 60.0;

/// What is asked of pages that are read.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The languages that they are written in.
    pub languages: &'a Languages,
    /// Whether the pictures that they show are wanted: photographs are cut from scans then.
    pub pictures: bool,
    /// Whether they flow anew: a scan that stands on its side is told upright then, and as it stands otherwise.
    pub flows: bool,
}

/// What was read.
#[derive(Default)]
pub struct Found {
    /// The pages with words, and of images those without.
    pub recognised: Recognised,
    /// The pages on which no word was found.
    pub silent: Vec<u32>,
    /// The pages that another program has read before, of whose pictures only photographs are kept.
    pub(super) searchable: Vec<u32>,
    /// Every word.
    pub words: Vec<String>,
    sure: Option<f64>,
    /// How many numbers are doubtful, and on which pages.
    doubtful: (u32, Vec<u32>),
}

impl Found {
    /// Whether no page was read.
    pub fn is_empty(&self) -> bool {
        self.recognised.0.is_empty() && self.silent.is_empty()
    }

    /// How many photographs were cut from pages whose text another program has read, of whose pictures nothing else is kept; none
    /// where there are no such pages.
    pub fn photographs_of_searchable(&self) -> Option<u32> {
        (!self.searchable.is_empty()).then(|| self.photographs(&self.searchable))
    }

    /// How many photographs were cut from these pages.
    fn photographs(&self, pages: &[u32]) -> u32 {
        let reads = pages.iter().filter_map(|page| self.recognised.0.get(page));
        let cut = reads.map(|read| read.cuttings.len()).sum::<usize>();
        u32::try_from(cut).unwrap_or(u32::MAX)
    }

    /// What is worth knowing about it.
    pub fn remarks(&self) -> Vec<Remark> {
        let mut numbers: Vec<u32> = self.recognised.0.keys().copied().collect();
        numbers.retain(|number| !self.silent.contains(number));
        numbers.retain(|number| !self.searchable.contains(number));
        let cut = self.photographs(&numbers);
        let told = (!numbers.is_empty()).then_some(Remark::TextRecognised(numbers, cut));
        let (count, pages) = self.doubtful.clone();
        let doubtful = (count > 0).then_some(Remark::NumbersDoubtful(count, pages));
        told.into_iter()
            .chain(low(self.sure))
            .chain(doubtful)
            .collect()
    }
}

/// Reads those of these pages of a PDF that show something and have no text, or none that says anything; nothing where there are
/// none.
pub fn of_pdf(task: &Task, file: &Path, faint: &[Faint], asked: Asked<'_>) -> Outcome<Found> {
    if faint.is_empty() {
        return Ok(Found::default());
    }
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(file, None);
    let document = document.map_err(pdfium::fault)?;
    let fates = fates(&document, faint)?;
    let pixels: Vec<u64> = fates.iter().filter_map(|fate| fate.pixels()).collect();
    if pixels.is_empty() {
        return Ok(Found::default());
    }
    let languages = with_latin(asked.languages);
    check_cost(&pixels, &languages)?;
    let tesseract = loaded()?;
    let pool = pool(task, &tesseract, &languages);
    let readings = pdf::read_pictures(task, &pool, &document, &fates)?;
    let leaves = readings.into_iter().map(|(index, reading)| {
        let fate = fates.get(index).copied().unwrap_or(Fate::Kept);
        leaf(&document, index, (fate, asked), reading)
    });
    let leaves: Vec<Leaf> = leaves.collect::<Outcome<_>>()?;
    found(&leaves, false).with_cuttings(task, &leaves, |leaf| {
        let page = document::page(&document, leaf.index())?;
        let (_, shown) = document::draw_in_colour(&page, fitting(leaf.sides))?;
        Ok(shown)
    })
}

/// Reads all pages of an image. One that says nothing is a picture as a whole.
pub fn of_image(task: &Task, inspection: &Inspection, asked: Asked<'_>) -> Outcome<Found> {
    let sides = images::sides(task, inspection.pages.unwrap_or(1))?;
    let tesseract = loaded()?;
    let languages = with_latin(asked.languages);
    let pool = pool(task, &tesseract, &languages);
    let readings = super::read_pictures(task, &pool, &sides)?;
    let leaves = readings.into_iter().filter_map(|(index, reading)| {
        let sides = *sides.get(index)?;
        let (width, height) = (f64::from(sides.0), f64::from(sides.1));
        let scale = scale(width.max(height), reading.resolution);
        let reading = said(reading.parted(asked.pictures), asked.pictures);
        Some(Leaf {
            number: number(index),
            points: (width * scale, height * scale),
            sides,
            is_scan: true,
            is_upright: asked.flows,
            is_all: false,
            reading: match asked.pictures && reading.blocks.is_empty() {
                true => reading.whole(sides),
                false => reading,
            },
        })
    });
    let leaves: Vec<Leaf> = leaves.collect();
    found(&leaves, true).with_cuttings(task, &leaves, |leaf| images::shown(task, leaf.index()))
}

/// What was read, and nothing where none of it is believed although the page shows whatever it is in the result.
fn said(mut reading: Reading, is_shown: bool) -> Reading {
    if is_shown && !photographs::is_anything_said(&reading.blocks) {
        reading.blocks.clear();
        reading.photographs.clear();
    }
    reading
}

/// What is done with the pages of a document, of which these may be read.
fn fates(document: &PdfDocument<'_>, faint: &[Faint]) -> Outcome<Vec<Fate>> {
    let mut fates = vec![Fate::Kept; usize::try_from(document.pages().len()).unwrap_or(0)];
    for Faint { number, is_garbled } in faint {
        let index = (*number as usize).saturating_sub(1);
        let page = document::page(document, index)?;
        if let Some(fate) = fates.get_mut(index).filter(|_| shows_something(&page)) {
            *fate = match is_garbled {
                true => Fate::of(&page, OcrMode::Force, true)?,
                false => Fate::of(&page, OcrMode::SkipText, false)?,
            };
        }
    }
    Ok(fates)
}

fn pool<'a>(task: &'a Task, tesseract: &'a Tesseract, languages: &'a str) -> Pool<'a> {
    Pool {
        tesseract,
        models: models(task),
        languages,
        with_rules: true,
    }
}

/// How many points a pixel is, of an image whose longer side has so many.
fn scale(longer: f64, resolution: Option<i32>) -> f64 {
    let told = resolution.map(|resolution| POINTS / f64::from(resolution.max(1)));
    let told = told.filter(|scale| longer * scale <= BELIEVED);
    told.unwrap_or_else(|| (POINTS / PIXELS).min(LONGEST / longer.max(1.0)))
}

fn number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

fn shows_something(page: &PdfPage<'_>) -> bool {
    !page.objects().is_empty() || !page.annotations().is_empty()
}

/// A page of a PDF, without the words that stand where it has its own.
fn leaf(
    document: &PdfDocument<'_>,
    index: usize,
    (fate, asked): (Fate, Asked<'_>),
    reading: Reading,
) -> Outcome<Leaf> {
    let Fate::Read {
        sides,
        own,
        is_scan,
        ..
    } = fate
    else {
        return Err(Fault::Installation("a page was read unasked".to_owned()));
    };
    let mut page = document::page(document, index)?;
    // What annotations and fields say is text of the page's own, as it is to those who read the page.
    page.flatten().ok();
    let mut reading = reading.parted(asked.pictures && is_scan);
    let staying = match own {
        Own::AllGoes => Vec::new(),
        Own::Stays | Own::HiddenGoes => own::places(&page, sides)?,
    };
    reading.blocks = own::without(reading.blocks, &staying, reading.back);
    Ok(Leaf {
        number: number(index),
        points: page_sides(&page),
        sides,
        is_scan,
        is_upright: asked.flows && is_scan,
        is_all: own == Own::AllGoes,
        // What is read in drawings alone is lines that are taken for letters.
        reading: said(reading, asked.pictures || !is_scan),
    })
}

/// What pages say; those that say nothing are kept where nothing else is known of them.
fn found(leaves: &[Leaf], keeps_silent: bool) -> Found {
    let all = || leaves.iter().flat_map(|leaf| words(&leaf.reading.blocks));
    let sure = confidence(all());
    let said = all().map(|word| word.text.clone()).collect();
    let mut pages = BTreeMap::new();
    let mut silent = Vec::new();
    for (leaf, read) in leaves.iter().zip(reads(leaves)) {
        let is_silent = read.words.is_empty();
        silent.extend(is_silent.then_some(leaf.number));
        if keeps_silent || !is_silent {
            pages.insert(leaf.number, read);
        }
    }
    silent.sort_unstable();
    Found {
        recognised: Recognised(pages),
        silent,
        searchable: Vec::new(),
        words: said,
        sure,
        doubtful: doubtful(leaves),
    }
}

/// How many numbers are doubtful, and on which pages: nobody sees by the text around it that one is wrong.
fn doubtful(leaves: &[Leaf]) -> (u32, Vec<u32>) {
    let is_doubtful = |word: &&Word| {
        let digits = word.text.chars().filter(char::is_ascii_digit).count();
        let letters = word.text.chars().filter(|c| c.is_alphabetic()).count();
        digits > letters && word.confidence.is_some_and(|sure| sure < DOUBTFUL)
    };
    let mut pages = BTreeMap::new();
    for leaf in leaves {
        let count = words(&leaf.reading.blocks).filter(is_doubtful).count();
        if count > 0 {
            pages.insert(leaf.number, u32::try_from(count).unwrap_or(u32::MAX));
        }
    }
    (pages.values().sum(), pages.into_keys().collect())
}

impl Found {
    /// With the photographs that are cut from pages, of which `shown` is what one shows.
    fn with_cuttings(
        mut self,
        task: &Task,
        leaves: &[Leaf],
        shown: impl Fn(&Leaf) -> Outcome<DynamicImage>,
    ) -> Outcome<Self> {
        for leaf in leaves.iter().filter(|leaf| leaf.shows_photographs()) {
            self.cut(task, leaf, shown(leaf)?)?;
        }
        Ok(self)
    }

    /// Cuts the photographs of a page from what it shows.
    pub(super) fn cut(&mut self, task: &Task, leaf: &Leaf, shown: DynamicImage) -> Outcome<()> {
        let Some(read) = self.recognised.0.get_mut(&leaf.number) else {
            return Ok(());
        };
        let name = format!("cutting-{}", leaf.number);
        if words(&leaf.reading.blocks).next().is_none() {
            let whole = leaf.bounds(
                leaf.reading
                    .photographs
                    .first()
                    .copied()
                    .unwrap_or_default(),
            );
            let path = task.directory.join(name);
            read.cuttings
                .push(cuttings::whole(task, shown, whole, path)?);
            return Ok(());
        }
        for (index, area) in leaf.reading.photographs.iter().enumerate() {
            let path = task.directory.join(format!("{name}-{index}"));
            let (place, back) = leaf.cut(*area, (shown.width(), shown.height()));
            let sides = cuttings::cut(&shown, back, place, &path)?;
            read.cuttings.push(Cutting {
                bounds: leaf.bounds(*area),
                path,
                sides,
                is_jpeg: true,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use task::matrix::Matrix;

    use super::super::layout::{Block, Line, Rectangle};
    use super::*;

    #[test]
    fn doubtful_numbers_are_counted_and_words_are_not() {
        let said = [
            ("12.50", 40.0),
            ("98", 80.0),
            ("Total", 30.0),
            ("3a", 20.0),
            ("7", 59.0),
        ];
        let words = said.map(|(text, sure)| Word::new(text, Rectangle::default(), Some(sure)));
        let mut block = Block::new(0, Rectangle::default());
        block.lines.push(Line {
            words: words.into_iter().flatten().collect(),
            ..Line::default()
        });
        let leaf = |number, blocks| Leaf {
            number,
            points: (1.0, 1.0),
            sides: (1, 1),
            is_scan: true,
            is_upright: false,
            is_all: false,
            reading: Reading {
                blocks,
                turned: 0,
                back: Matrix::SAME,
                redrawn: None,
                ruled: None,
                photographs: Vec::new(),
                resolution: None,
            },
        };
        let leaves = [leaf(4, vec![block]), leaf(5, Vec::new())];
        assert_eq!(doubtful(&leaves), (2, vec![4]));
    }
}
