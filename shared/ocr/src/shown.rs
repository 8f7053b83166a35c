//! Converts OCR results to the characters, rules and photographs of the layout model, deskewed.

use std::sync::Arc;

use layout::{Character, Font, Rect, Size, Stroke, Tag};
use pdf::content::{InkArea, OcrPage, to_f32};
use task::matrix::Matrix;

use super::lettering::{Letter, letters};
use super::ocr_page::{Block, Line, Rectangle};
use super::ocr_result::OcrResult;
use super::sizes::{Proportions, Rough, Sizes, rough};
use super::straight::{self, Straight};
use super::weights::{self, Size as Lettering, Thickness, Weights};

/// A recognized page.
pub(super) struct Leaf {
    /// Page number, from 1.
    pub(super) number: u32,
    /// Width and height in points and in pixels, before rotation.
    pub(super) points: (f64, f64),
    pub(super) sides: (u32, u32),
    /// Whether images cover at least half of it.
    pub(super) is_scan: bool,
    /// Whether the page is rotated upright in the result; otherwise it keeps its orientation.
    pub(super) is_upright: bool,
    /// Whether the OCR result replaces all existing text.
    pub(super) is_all: bool,
    /// The text-only pictures, if only areas of the page were recognized.
    pub(super) partial: Option<Vec<InkArea>>,
    /// The OCR result.
    pub(super) reading: OcrResult,
}

impl Leaf {
    /// Returns the page index, from 0.
    pub(super) fn index(&self) -> usize {
        (self.number as usize).saturating_sub(1)
    }

    /// Returns whether photographs are cut from it.
    pub(super) fn shows_photographs(&self) -> bool {
        !self.reading.photographs.is_empty()
    }

    /// Returns the deskew transformation.
    pub(super) fn straight(&self) -> Straight {
        let reading = &self.reading;
        let of_rules = reading.ruled.as_ref().map(|(straight, _)| *straight);
        of_rules.unwrap_or_else(|| Straight::of(&reading.blocks, self.sides))
    }

    /// Returns the clockwise rotation of the resulting page that makes its text upright.
    fn turned(&self) -> u32 {
        match self.is_upright {
            true => 0,
            false => self.reading.rotation % 360,
        }
    }

    /// Returns whether width and height are swapped in the result.
    fn is_across(&self) -> bool {
        self.is_upright && self.reading.rotation % 180 == 90
    }

    /// Maps an area of the deskewed page to the resulting page (deskewed, in its orientation), and returns the matrix from
    /// there to a rendering of the page with these dimensions.
    pub(super) fn cut(&self, area: Rectangle, sides: (u32, u32)) -> (Rectangle, Matrix) {
        let straight = self.straight();
        let turn = straight::back(self.turned(), exchanged(self.sides, self.is_across()));
        let part = |shown: u32, read: u32| f64::from(shown) / f64::from(read.max(1));
        let scaled = Matrix::scale(part(sides.0, self.sides.0), part(sides.1, self.sides.1));
        let upright = turn.inverse().unwrap_or(Matrix::IDENTITY);
        let read = upright.then(straight.back());
        (
            area.transformed(turn),
            read.then(self.reading.back).then(scaled),
        )
    }

    /// Maps an area of the deskewed page to the resulting page, in points.
    pub(super) fn bounds(&self, area: Rectangle) -> Rect {
        Shown::of(self).rect(area)
    }
}

/// Converts the pages of one document, whose letters are compared with each other.
pub(super) fn reads(leaves: &[Leaf]) -> Vec<OcrPage> {
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

/// The fonts of recognized letters: only boldness is known.
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

/// OCR result of a page, rotated upright.
struct Shown {
    straight: Straight,
    blocks: Vec<Block>,
    rules: Vec<Rectangle>,
    /// From pixels of the deskewed page to points of the resulting page.
    to_points: Matrix,
    /// Points per pixel.
    scale: f64,
    /// Relative letter heights in the document.
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
            blocks: blocks
                .map(|block| block.transformed(straight.upright))
                .collect(),
            rules: rules.unwrap_or_default(),
            to_points: to_pixels.then(Matrix::scale(across, down)),
            scale: (across * down).sqrt(),
            proportions: Proportions::default(),
        }
    }

    /// Returns the lines with their slope.
    fn lines(&self) -> impl Iterator<Item = (&Line, f64)> {
        let lines = self.blocks.iter().flat_map(|block| &block.lines);
        lines.map(|line| (line, self.straight.slope))
    }

    /// Returns the estimated font sizes of the lines in points, with their number of characters.
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

    /// Returns the stroke thickness of the lines, with the number of letters and the font size.
    fn stems(&self, sizes: &Sizes) -> impl Iterator<Item = (Thickness, Lettering)> {
        self.lines().filter_map(|(line, _)| {
            let (size, index) = self.size(line, sizes);
            let thickness = weights::of_line(line, size)?;
            Some((thickness, (index, size * self.scale)))
        })
    }

    /// Returns the font size of a line in pixels, and its index among the sizes of the document.
    fn size(&self, line: &Line, sizes: &Sizes) -> (f64, usize) {
        let across = across(line) * self.scale;
        let rough = self.rough_of(line).filter(|_| line.to_upright() == 0);
        let (size, index) = match rough {
            Some(rough) => sizes.of_rough(rough),
            None => sizes.of_height(across),
        };
        (size / self.scale, index)
    }

    /// Returns which words of a line are bold.
    fn bold(&self, line: &Line, sizes: &Sizes, weights: &Weights) -> Vec<bool> {
        let (size, index) = self.size(line, sizes);
        weights.bold(line, size, (index, size * self.scale))
    }

    fn read(&self, leaf: &Leaf, sizes: &Sizes, fonts: &Fonts) -> OcrPage {
        let (width, height) = exchanged(leaf.points, leaf.is_across());
        let mut read = OcrPage {
            size: Size {
                width: to_f32(width),
                height: to_f32(height),
            },
            turned: leaf.reading.rotation.saturating_sub(leaf.turned()) % 360,
            is_all: leaf.is_all,
            partial: leaf.partial.clone(),
            ..OcrPage::default()
        };
        let degrees = f64::from(360 - leaf.turned());
        for (line, _) in self.lines() {
            let (size, _) = self.size(line, sizes);
            let bold = self.bold(line, sizes, &fonts.weights);
            for letter in letters(line, &self.straight, &self.rules, size) {
                let font = fonts.of_word(bold.get(letter.word) == Some(&true));
                let character = self.character(&letter, degrees, font);
                if letter.begins_word {
                    read.words.push(character.bounds.center());
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
        let (x, _) = letter.place.center();
        let (_, baseline) = self.to_points.apply((x, letter.baseline));
        let (start, _) = self.to_points.apply((letter.place.left, letter.baseline));
        Character {
            text: letter.text,
            bounds: self.rect(letter.place),
            baseline: to_f32(baseline),
            start: to_f32(start),
            advance: to_f32((letter.place.right - letter.place.left) * self.scale),
            size: to_f32(letter.size * self.scale),
            font: Arc::clone(font),
            color: [0; 3],
            angle: to_f32((degrees + letter.angle).rem_euclid(360.0)),
            is_hidden: false,
            tag: Tag::None,
        }
    }

    fn rect(&self, place: Rectangle) -> Rect {
        let place = place.transformed(self.to_points);
        Rect::between(
            (to_f32(place.left), to_f32(place.top)),
            (to_f32(place.right), to_f32(place.bottom)),
        )
    }
}

/// Returns the extent of a line perpendicular to its direction.
fn across(line: &Line) -> f64 {
    let place = line.rectangle;
    match line.to_upright() {
        90 | 270 => place.right - place.left,
        _ => place.bottom - place.top,
    }
}

/// Swaps the two lengths if `is_across`.
fn exchanged<T>((width, height): (T, T), is_across: bool) -> (T, T) {
    match is_across {
        true => (height, width),
        false => (width, height),
    }
}
