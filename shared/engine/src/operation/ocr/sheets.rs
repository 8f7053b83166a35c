//! Pages that are pictures, read for the layout model: their characters where they would stand if the pages were straight, and
//! the lines that they show.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use domain::operation::{Languages, OcrMode};
use layout::{Character, Font, Rect, Size, Stroke, Tag};
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfPageObjectsCommon as _};

use super::fate::Fate;
use super::layout::{Block, Line, Rectangle, confidence, words};
use super::lettering::{Letter, letters};
use super::pool::Pool;
use super::recognise::Reading;
use super::sizes::{Sizes, rough};
use super::stems::{self, Weights};
use super::straight::{self, Straight};
use super::{check_cost, document, images, loaded, low, models, own, pdf, with_latin};
use crate::fault::{Fault, Outcome};
use crate::layout::{Read, Recognised};
use crate::matrix::Matrix;
use crate::pdfium;
use crate::remark::Remark;
use crate::task::{Inspection, Task};

/// Points an inch; pixels an inch where nobody says so; and the longest sides in points of a page whose pixels an inch are
/// believed, and of another.
const POINTS: f64 = 72.0;
const PIXELS: f64 = 96.0;
const BELIEVED: f64 = 1224.0;
const LONGEST: f64 = 842.0;

/// What was read.
#[derive(Default)]
pub(crate) struct Found {
    /// The pages with words, and of images those without.
    pub(crate) recognised: Recognised,
    /// The pages on which no word was found.
    pub(crate) silent: Vec<u32>,
    /// Every word.
    pub(crate) words: Vec<String>,
    sure: Option<f64>,
}

impl Found {
    /// What is worth knowing about it.
    pub(crate) fn remarks(&self) -> Vec<Remark> {
        let mut numbers: Vec<u32> = self.recognised.0.keys().copied().collect();
        numbers.retain(|number| !self.silent.contains(number));
        let told = (!numbers.is_empty()).then_some(Remark::TextRecognised(numbers));
        told.into_iter().chain(low(self.sure)).collect()
    }
}

/// Reads those of these pages of a PDF, by their numbers, that show something and have no text; nothing where there are none.
pub(crate) fn of_pdf(
    task: &Task,
    file: &Path,
    faint: &[u32],
    languages: &Languages,
) -> Outcome<Found> {
    if faint.is_empty() {
        return Ok(Found::default());
    }
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(file, None);
    let document = document.map_err(pdfium::fault)?;
    let mut fates = vec![Fate::Kept; usize::try_from(document.pages().len()).unwrap_or(0)];
    for number in faint {
        let index = (*number as usize).saturating_sub(1);
        let page = document::page(&document, index)?;
        if let Some(fate) = fates.get_mut(index).filter(|_| shows_something(&page)) {
            *fate = Fate::of(&page, OcrMode::SkipText, false)?;
        }
    }
    let pixels: Vec<u64> = fates.iter().filter_map(|fate| fate.pixels()).collect();
    if pixels.is_empty() {
        return Ok(Found::default());
    }
    let languages = with_latin(languages);
    check_cost(&pixels, &languages)?;
    let tesseract = loaded()?;
    let pool = Pool {
        tesseract: &tesseract,
        models: models(task),
        languages: &languages,
        with_rules: true,
    };
    let readings = pdf::read_pictures(task, &pool, &document, &fates)?;
    let leaves = readings.into_iter().map(|(index, reading)| {
        let fate = fates.get(index).copied().unwrap_or(Fate::Kept);
        leaf(&document, index, fate, reading)
    });
    Ok(found(leaves.collect::<Outcome<_>>()?, false))
}

/// Reads all pages of an image.
pub(crate) fn of_image(
    task: &Task,
    inspection: &Inspection,
    languages: &Languages,
) -> Outcome<Found> {
    let sides = images::sides(task, inspection.pages.unwrap_or(1))?;
    let tesseract = loaded()?;
    let pool = Pool {
        tesseract: &tesseract,
        models: models(task),
        languages: &with_latin(languages),
        with_rules: true,
    };
    let readings = super::read_pictures(task, &pool, &sides)?;
    let leaves = readings.into_iter().filter_map(|(index, reading)| {
        let sides = *sides.get(index)?;
        let (width, height) = (f64::from(sides.0), f64::from(sides.1));
        let scale = scale(width.max(height), reading.resolution);
        Some(Leaf {
            number: number(index),
            points: (width * scale, height * scale),
            sides,
            is_scan: true,
            reading,
        })
    });
    Ok(found(leaves.collect(), true))
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

/// A page that was read.
struct Leaf {
    number: u32,
    /// Width and height in points, and in pixels, as it is shown.
    points: (f64, f64),
    sides: (u32, u32),
    is_scan: bool,
    reading: Reading,
}

/// A page of a PDF, without the words that stand where it has its own.
fn leaf(
    document: &PdfDocument<'_>,
    index: usize,
    fate: Fate,
    mut reading: Reading,
) -> Outcome<Leaf> {
    let Fate::Read { sides, is_scan, .. } = fate else {
        return Err(Fault::Installation("a page was read unasked".to_owned()));
    };
    let mut page = document::page(document, index)?;
    // What annotations and fields say is text of the page's own, as it is to those who read the page.
    page.flatten().ok();
    let staying = own::places(&page, sides)?;
    reading.blocks = own::without(reading.blocks, &staying, reading.back);
    Ok(Leaf {
        number: number(index),
        points: document::page_sides(&page),
        sides,
        is_scan,
        reading,
    })
}

/// What pages say; those that say nothing are kept where nothing else is known of them.
fn found(leaves: Vec<Leaf>, keeps_silent: bool) -> Found {
    let all = || leaves.iter().flat_map(|leaf| words(&leaf.reading.blocks));
    let sure = confidence(all());
    let said = all().map(|word| word.text.clone()).collect();
    let shown: Vec<Shown> = leaves.iter().map(Shown::of).collect();
    let sizes = Sizes::of(shown.iter().flat_map(Shown::rough).collect());
    let stems = shown.iter().flat_map(|shown| shown.stems(&sizes));
    let fonts = Fonts::of(Weights::of(&stems.collect::<Vec<_>>()));
    let mut pages = BTreeMap::new();
    let mut silent = Vec::new();
    for (leaf, shown) in leaves.iter().zip(&shown) {
        let read = shown.read(leaf, &sizes, &fonts);
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
        words: said,
        sure,
    }
}

/// The fonts of recognised letters, of which nothing is known but whether they are bold.
struct Fonts {
    weights: Weights,
    plain: Arc<Font>,
    bold: Arc<Font>,
}

impl Fonts {
    fn of(weights: Weights) -> Self {
        let bold = Font {
            is_bold: true,
            ..Font::default()
        };
        Self {
            weights,
            plain: Arc::default(),
            bold: Arc::new(bold),
        }
    }

    /// That of a line whose strokes are so thick, if that is known, and which has that size of the document.
    fn of_line(&self, told: Option<((f64, usize), usize)>) -> &Arc<Font> {
        match told.is_some_and(|(stem, size)| self.weights.is_bold(stem, size)) {
            true => &self.bold,
            false => &self.plain,
        }
    }
}

/// What was read on a page, upright, and where that is.
struct Shown {
    straight: Straight,
    blocks: Vec<Block>,
    rules: Vec<Rectangle>,
    /// From pixels of the straight page to points of the page as it is shown.
    to_points: Matrix,
    /// Points a pixel.
    scale: f64,
}

impl Shown {
    fn of(leaf: &Leaf) -> Self {
        let reading = &leaf.reading;
        let (straight, rules) = match &reading.ruled {
            Some((straight, rules)) => (*straight, rules.clone()),
            None => (Straight::of(&reading.blocks, leaf.sides), Vec::new()),
        };
        let (across, down) = (
            leaf.points.0 / f64::from(leaf.sides.0),
            leaf.points.1 / f64::from(leaf.sides.1),
        );
        let to_pixels = straight::back(reading.turned, leaf.sides);
        let blocks = reading.blocks.iter();
        Self {
            straight,
            blocks: blocks.map(|block| block.mapped(straight.upright)).collect(),
            rules,
            to_points: to_pixels.then(Matrix::scale(across, down)),
            scale: (across * down).sqrt(),
        }
    }

    /// The rough sizes of its lines in points, each with how many characters have it.
    fn rough(&self) -> impl Iterator<Item = (f64, usize)> {
        let lines = self.blocks.iter().flat_map(|block| &block.lines);
        lines.filter_map(|line| {
            let size = rough(line, self.straight.slope)? * self.scale;
            let letters = line.words.iter().map(|word| word.text.chars().count());
            Some((size, letters.sum()))
        })
    }

    /// How thick the strokes of its lines are, each with how many characters tell it and with which size they have.
    fn stems(&self, sizes: &Sizes) -> impl Iterator<Item = ((f64, usize), usize)> {
        let lines = self.blocks.iter().flat_map(|block| &block.lines);
        lines.filter_map(|line| self.stem(line, sizes))
    }

    fn stem(&self, line: &Line, sizes: &Sizes) -> Option<((f64, usize), usize)> {
        let rough = rough(line, self.straight.slope)?;
        let (size, index) = sizes.of_rough(rough * self.scale);
        Some((stems::of_line(line, size / self.scale)?, index))
    }

    fn read(&self, leaf: &Leaf, sizes: &Sizes, fonts: &Fonts) -> Read {
        let mut read = Read {
            size: Size {
                width: narrow(leaf.points.0),
                height: narrow(leaf.points.1),
            },
            ..Read::default()
        };
        let degrees = f64::from(360 - leaf.reading.turned % 360);
        for line in self.blocks.iter().flat_map(|block| &block.lines) {
            let size = |rough: f64| sizes.of_rough(rough * self.scale).0 / self.scale;
            let font = fonts.of_line(self.stem(line, sizes));
            let letters = letters(line, &self.straight, &self.rules, size);
            for letter in letters {
                let character = self.character(&letter, degrees, font);
                if letter.begins_word {
                    read.words.push(character.bounds.centre());
                }
                read.characters.push(character);
            }
        }
        let strokes = self.rules.iter().map(|rule| Stroke {
            bounds: self.rect(*rule),
        });
        read.strokes = leaf.is_scan.then(|| strokes.collect());
        read
    }

    fn character(&self, letter: &Letter, degrees: f64, font: &Arc<Font>) -> Character {
        let (x, _) = letter.place.middle();
        let (_, baseline) = self.to_points.apply((x, letter.baseline));
        let (start, _) = self.to_points.apply((letter.place.left, letter.baseline));
        Character {
            text: letter.text,
            bounds: self.rect(letter.place),
            baseline: narrow(baseline),
            start: narrow(start),
            advance: narrow((letter.place.right - letter.place.left) * self.scale),
            size: narrow(letter.size * self.scale),
            font: Arc::clone(font),
            colour: [0; 3],
            angle: narrow((degrees + letter.angle).rem_euclid(360.0)),
            is_hidden: false,
            tag: Tag::None,
        }
    }

    fn rect(&self, place: Rectangle) -> Rect {
        let place = place.mapped(self.to_points);
        Rect::between(
            (narrow(place.left), narrow(place.top)),
            (narrow(place.right), narrow(place.bottom)),
        )
    }
}

fn narrow(value: f64) -> f32 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "places need no more than single precision"
    )]
    let value = value as f32;
    value
}
