//! What was read on pages, as characters where they would stand if the pages were straight, and lines and photographs there.

use std::sync::Arc;

use layout::{Character, Font, Rect, Size, Stroke, Tag};
use pdf::content::{Read, narrow};
use task::matrix::Matrix;

use super::layout::{Block, Line, Rectangle};
use super::lettering::{Letter, letters};
use super::recognise::Reading;
use super::sizes::{Proportions, Rough, Sizes, rough};
use super::straight::{self, Straight};
use super::weights::{self, Size as Lettering, Told, Weights};

/// A page that was read.
pub(super) struct Leaf {
    /// Which page of the document it is, from 1.
    pub(super) number: u32,
    /// Width and height in points, and in pixels, as it stands.
    pub(super) points: (f64, f64),
    pub(super) sides: (u32, u32),
    /// Whether pictures take most of it.
    pub(super) is_scan: bool,
    /// Whether it is told as it is read, upright; else as it stands.
    pub(super) is_upright: bool,
    /// Whether that is all that is known of its text.
    pub(super) is_all: bool,
    /// What was read.
    pub(super) reading: Reading,
}

impl Leaf {
    /// Which page of the document it is, from 0.
    pub(super) fn index(&self) -> usize {
        (self.number as usize).saturating_sub(1)
    }

    /// Whether photographs are cut from it.
    pub(super) fn shows_photographs(&self) -> bool {
        !self.reading.photographs.is_empty()
    }

    /// How it would stand if it were straight.
    pub(super) fn straight(&self) -> Straight {
        let reading = &self.reading;
        let told = reading.ruled.as_ref().map(|(straight, _)| *straight);
        told.unwrap_or_else(|| Straight::of(&reading.blocks, self.sides))
    }

    /// By how many degrees clockwise the page as it is told has to be turned for its text to stand upright.
    fn turned(&self) -> u32 {
        match self.is_upright {
            true => 0,
            false => self.reading.turned % 360,
        }
    }

    /// Whether the page is told with its sides exchanged.
    fn is_across(&self) -> bool {
        self.is_upright && self.reading.turned % 180 == 90
    }

    /// An area of the straight page as it is told: straight, but turned as the page is; and where the pixels of that are in a
    /// picture of the page with these sides in pixels.
    pub(super) fn cut(&self, area: Rectangle, sides: (u32, u32)) -> (Rectangle, Matrix) {
        let straight = self.straight();
        let turn = straight::back(self.turned(), exchanged(self.sides, self.is_across()));
        let part = |shown: u32, read: u32| f64::from(shown) / f64::from(read.max(1));
        let scaled = Matrix::scale(part(sides.0, self.sides.0), part(sides.1, self.sides.1));
        let upright = turn.inverse().unwrap_or(Matrix::SAME);
        let read = upright.then(straight.back());
        (area.mapped(turn), read.then(self.reading.back).then(scaled))
    }

    /// Where an area of the straight page is on the page as it is told, in points.
    pub(super) fn bounds(&self, area: Rectangle) -> Rect {
        Shown::of(self).rect(area)
    }
}

/// What pages of one document say, whose letters are compared.
pub(super) fn reads(leaves: &[Leaf]) -> Vec<Read> {
    let mut shown: Vec<Shown> = leaves.iter().map(Shown::of).collect();
    let proportions = Proportions::of(shown.iter().flat_map(Shown::lines));
    for shown in &mut shown {
        shown.proportions = proportions;
    }
    let sizes = Sizes::of(shown.iter().flat_map(Shown::rough).collect());
    let stems = shown.iter().flat_map(|shown| shown.stems(&sizes));
    let fonts = Fonts::of(Weights::of(&stems.collect::<Vec<_>>()));
    let pages = leaves.iter().zip(&shown);
    pages
        .map(|(leaf, shown)| shown.read(leaf, &sizes, &fonts))
        .collect()
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

    fn of_word(&self, is_bold: bool) -> &Arc<Font> {
        match is_bold {
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
    /// How high the kinds of letters are in its document.
    proportions: Proportions,
}

impl Shown {
    fn of(leaf: &Leaf) -> Self {
        let reading = &leaf.reading;
        let straight = leaf.straight();
        let rules = reading.ruled.as_ref().map(|(_, rules)| rules.clone());
        let scale = (
            leaf.points.0 / f64::from(leaf.sides.0),
            leaf.points.1 / f64::from(leaf.sides.1),
        );
        let (across, down) = exchanged(scale, leaf.is_across());
        let sides = exchanged(leaf.sides, leaf.is_across());
        let to_pixels = straight::back(leaf.turned(), sides);
        let blocks = reading.blocks.iter();
        Self {
            straight,
            blocks: blocks.map(|block| block.mapped(straight.upright)).collect(),
            rules: rules.unwrap_or_default(),
            to_points: to_pixels.then(Matrix::scale(across, down)),
            scale: (across * down).sqrt(),
            proportions: Proportions::default(),
        }
    }

    /// Its lines, each with by how much it falls.
    fn lines(&self) -> impl Iterator<Item = (&Line, f64)> {
        let lines = self.blocks.iter().flat_map(|block| &block.lines);
        lines.map(|line| (line, self.straight.slope))
    }

    /// The rough sizes of its lines in points, each with how many characters have it.
    fn rough(&self) -> impl Iterator<Item = (Rough, usize)> {
        self.lines().filter_map(|(line, _)| {
            let letters = line.words.iter().map(|word| word.text.chars().count());
            Some((self.rough_of(line)?, letters.sum()))
        })
    }

    fn rough_of(&self, line: &Line) -> Option<Rough> {
        let rough = rough(line, self.straight.slope, self.proportions)?;
        Some(Rough {
            size: rough.size * self.scale,
            ..rough
        })
    }

    /// How thick the strokes of its lines are, each with how many characters tell it and with which size they have.
    fn stems(&self, sizes: &Sizes) -> impl Iterator<Item = (Told, Lettering)> {
        self.lines().filter_map(|(line, _)| {
            let (size, index) = self.size(line, sizes);
            let told = weights::of_line(line, size)?;
            Some((told, (index, size * self.scale)))
        })
    }

    /// The size of a line's letters in pixels, and which one of the document's it is.
    fn size(&self, line: &Line, sizes: &Sizes) -> (f64, usize) {
        let across = across(line) * self.scale;
        let rough = self.rough_of(line).filter(|_| line.to_upright() == 0);
        let (size, index) = match rough {
            Some(rough) => sizes.of_rough(rough),
            None => sizes.of_height(across),
        };
        (size / self.scale, index)
    }

    /// Which words of a line are bold.
    fn bold(&self, line: &Line, sizes: &Sizes, weights: &Weights) -> Vec<bool> {
        let (size, index) = self.size(line, sizes);
        weights.bold(line, size, (index, size * self.scale))
    }

    fn read(&self, leaf: &Leaf, sizes: &Sizes, fonts: &Fonts) -> Read {
        let (width, height) = exchanged(leaf.points, leaf.is_across());
        let mut read = Read {
            size: Size {
                width: narrow(width),
                height: narrow(height),
            },
            turned: leaf.reading.turned.saturating_sub(leaf.turned()) % 360,
            is_all: leaf.is_all,
            ..Read::default()
        };
        let degrees = f64::from(360 - leaf.turned());
        for (line, _) in self.lines() {
            let (size, _) = self.size(line, sizes);
            let bold = self.bold(line, sizes, &fonts.weights);
            for letter in letters(line, &self.straight, &self.rules, size) {
                let font = fonts.of_word(bold.get(letter.word) == Some(&true));
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

/// How wide a line is across its direction.
fn across(line: &Line) -> f64 {
    let place = line.rectangle;
    match line.to_upright() {
        90 | 270 => place.right - place.left,
        _ => place.bottom - place.top,
    }
}

/// Two lengths, the other way round if sides are exchanged.
fn exchanged<T>((width, height): (T, T), is_across: bool) -> (T, T) {
    match is_across {
        true => (height, width),
        false => (width, height),
    }
}
