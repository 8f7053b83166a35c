//! The OCR result of a page: text, rules and photographs in pixels of its picture.

use domain::operation::Script;
use lopdf::Stream;
use task::matrix::Matrix;

use super::ocr_page::{Block, Line, Rectangle, Word, are_vertical, to_upright, words};
use super::picture::Picture;
use super::straight::Straight;
use super::{bullets, photographs, rows, rules, stems};

/// Points per inch, and assumed word height in points if the resolution is unknown.
const POINTS: f64 = 72.0;
const ASSUMED_WORD_HEIGHT: f64 = 8.0;
/// Minimum change of the slope that is applied.
const MIN_SLOPE_CHANGE: f64 = 0.0004;

/// OCR result of a page.
pub(super) struct OcrResult {
    /// The paragraphs, in pixels of the recognized picture.
    pub(super) blocks: Vec<Block>,
    /// Clockwise rotation in degrees that makes the text of the original picture upright.
    pub(super) rotation: u32,
    /// From these pixels to the original picture.
    pub(super) back: Matrix,
    /// The image XObject that replaces the page, if it is rasterized.
    pub(super) rasterized: Option<Stream>,
    /// Deskew transformation, and rules in the deskewed picture, if detected.
    pub(super) ruled: Option<(Straight, Vec<Rectangle>)>,
    /// Photographs in the deskewed picture, if detected; after [`Self::separate_photographs`], only those to cut out.
    pub(super) photographs: Vec<Rectangle>,
    /// Rows of letters that no word covers.
    pub(super) unread: Vec<Rectangle>,
    /// Number of letters that no word covers.
    pub(super) missed: usize,
    /// Resolution in pixels per inch, if known.
    pub(super) resolution: Option<i32>,
    /// The script, if it was detected because the confidence is low.
    pub(super) script: Option<Script>,
}

impl OcrResult {
    /// Creates the result of a picture rotated by `degrees`. Vertical lines, which Tesseract recognizes as well, add to the
    /// rotation.
    pub(super) fn new(blocks: Vec<Block>, degrees: u32, back: Matrix) -> Self {
        Self {
            rotation: (degrees + to_upright(&blocks)) % 360,
            blocks: rows::joined(blocks),
            back,
            rasterized: None,
            ruled: None,
            photographs: Vec::new(),
            unread: Vec::new(),
            missed: 0,
            resolution: None,
            script: None,
        }
    }

    /// Returns the clockwise rotation in degrees that makes the characters of the original picture upright: columns of vertical
    /// text become rows by a further rotation.
    pub(super) fn character_rotation(&self) -> u32 {
        match are_vertical(&self.blocks) {
            true => (self.rotation + 360 - to_upright(&self.blocks)) % 360,
            false => self.rotation,
        }
    }

    /// Creates the result of a page whose words are known without OCR.
    pub(super) fn from_existing(blocks: Vec<Block>) -> Self {
        Self::new(blocks, 0, Matrix::IDENTITY)
    }

    /// Returns the number of pixels per point.
    fn point(&self, picture: &Picture) -> f64 {
        let point = match picture.resolution {
            Some(resolution) => f64::from(resolution) / POINTS,
            None => height(&self.blocks) / ASSUMED_WORD_HEIGHT,
        };
        point.max(0.5)
    }

    /// Detects rules and photographs in a picture whose lines are horizontal.
    fn with_rules(mut self, picture: &Picture) -> Self {
        let point = self.point(picture);
        let straight = Straight::of(&self.blocks, (picture.width, picture.height));
        if words(&self.blocks).next().is_none() {
            self.ruled = Some((straight, Vec::new()));
            return self;
        }
        let straight = match rules::fall(picture, &straight, point) {
            more if more.abs() > MIN_SLOPE_CHANGE => straight.falling(more),
            _ => straight,
        };
        let paper = f64::from(rules::paper(picture));
        self.photographs = photographs::find(picture, &straight, &self.blocks, (point, paper));
        self.unread = outside(self.unread, &straight, &self.photographs);
        let lines = self.blocks.iter_mut().flat_map(|block| &mut block.lines);
        lines.for_each(|line| measure_line(line, picture, straight.slope, paper));
        bullets::find(&mut self.blocks, picture, straight.slope, paper);
        let to = straight.upright.then(straight.level);
        let places = words(&self.blocks).map(|word| word.rectangle.transformed(to));
        let places: Vec<Rectangle> = places.collect();
        let rules = rules::of(picture, &straight, &places, point);
        self.ruled = Some((straight, rules));
        self
    }

    /// Removes the missing rows that are in photographs.
    pub(super) fn without_rows_in_photographs(mut self, picture: &Picture) -> Self {
        if !self.unread.is_empty() {
            let straight = Straight::of(&self.blocks, (picture.width, picture.height));
            let scale = (self.point(picture), f64::from(rules::paper(picture)));
            let photographs = photographs::find(picture, &straight, &self.blocks, scale);
            self.unread = outside(self.unread, &straight, &photographs);
        }
        self
    }

    /// Detects rules and photographs, after rotating the picture if its lines are vertical.
    pub(super) fn with_graphics(self, picture: &Picture) -> Self {
        match self.upright(picture) {
            Some((reading, upright)) => reading.with_rules(&upright),
            None => self.with_rules(picture),
        }
    }

    /// Returns the result and picture rotated so that the lines are horizontal; `None` if they are already.
    fn upright(&self, picture: &Picture) -> Option<(Self, Picture)> {
        let (upright, back) = picture.turned(to_upright(&self.blocks))?;
        let to = back.inverse()?;
        let blocks = self
            .blocks
            .iter()
            .map(|block| block.transformed(to))
            .collect();
        let reading = Self {
            rotation: self.rotation,
            ..Self::new(blocks, 0, back.then(self.back))
        };
        Some((reading, upright))
    }

    /// Returns the result in pixels of a picture that was enlarged by a factor before it was recognized.
    pub(super) fn reduced(self, factor: f64, picture: &Picture) -> Self {
        let (larger, smaller) = (
            Matrix::scale(factor, factor),
            Matrix::scale(1.0 / factor, 1.0 / factor),
        );
        let reduced = |areas: Vec<Rectangle>| -> Vec<Rectangle> {
            let areas = areas.into_iter();
            areas.map(|area| area.transformed(smaller)).collect()
        };
        let sides = (picture.width, picture.height);
        let ruled = self.ruled.map(|(straight, rules)| {
            let straight = straight.reduced(factor, sides);
            (straight, reduced(rules))
        });
        let mut blocks = self.blocks;
        for block in &mut blocks {
            *block = block.transformed(smaller);
            for word in block.lines.iter_mut().flat_map(|line| &mut line.words) {
                word.stem = word.stem.map(|stem| stem / factor);
                word.above = word.above.map(|above| above / factor);
            }
        }
        Self {
            blocks,
            back: larger.then(self.back).then(smaller),
            ruled,
            photographs: reduced(self.photographs),
            unread: reduced(self.unread),
            resolution: picture.resolution,
            ..self
        }
    }

    /// If photographs are cut out, removes words and rules within them; otherwise discards the photographs and keeps all words.
    pub(super) fn separate_photographs(mut self, cuts: bool) -> Self {
        let ruled = self.ruled.as_mut().filter(|_| cuts);
        let Some((straight, rules)) = ruled else {
            self.photographs.clear();
            return self;
        };
        photographs::clear(&mut self.blocks, straight, &self.photographs);
        rules.retain(|rule| {
            !self
                .photographs
                .iter()
                .any(|area| area.contains_center(*rule))
        });
        self
    }

    /// Turns the result into a single photograph of these dimensions without text.
    pub(super) fn into_photograph(mut self, sides: (u32, u32)) -> Self {
        self.blocks.clear();
        self.photographs = vec![Rectangle {
            right: sides.0.into(),
            bottom: sides.1.into(),
            ..Rectangle::default()
        }];
        Self {
            rotation: 0,
            back: Matrix::IDENTITY,
            ruled: None,
            ..self
        }
    }
}

/// Removes areas in photographs, which are in the deskewed picture.
fn outside(
    mut areas: Vec<Rectangle>,
    straight: &Straight,
    photographs: &[Rectangle],
) -> Vec<Rectangle> {
    let to = straight.upright.then(straight.level);
    areas.retain(|area| {
        let place = area.transformed(to);
        !photographs
            .iter()
            .any(|photograph| photograph.contains_center(place))
    });
    areas
}

/// Returns the median word height.
pub(super) fn height(blocks: &[Block]) -> f64 {
    let height = |word: &Word| word.rectangle.bottom - word.rectangle.top;
    let mut heights: Vec<f64> = words(blocks).map(height).collect();
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied().unwrap_or(0.0)
}

/// Measures stroke thickness and letter height of the words of a line with the slope of its page.
fn measure_line(line: &mut Line, picture: &Picture, slope: f64, paper: f64) {
    let Some([x, y, u, v]) = line.baseline else {
        return;
    };
    let falls = ((f64::midpoint(x, u), f64::midpoint(y, v)), slope);
    for word in &mut line.words {
        word.stem = stems::of(picture, word.rectangle, paper);
        word.above = stems::above(picture, word.rectangle, falls, paper);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with a word recognized in a photograph.
    fn reading(rotation: u32) -> OcrResult {
        let area = Rectangle {
            right: 50.0,
            bottom: 50.0,
            ..Rectangle::default()
        };
        let mut block = Block::new(0, area);
        block.lines.push(Line {
            words: Word::new("noise", area, Some(40.0)).into_iter().collect(),
            ..Line::default()
        });
        OcrResult {
            rotation,
            ruled: Some((Straight::of(&[], (100, 100)), vec![area])),
            photographs: vec![area],
            ..OcrResult::new(vec![block], 0, Matrix::IDENTITY)
        }
    }

    /// Returns the numbers of photographs, words and rules.
    fn left(reading: &OcrResult) -> (usize, usize, usize) {
        let rules = reading.ruled.as_ref().map_or(0, |(_, rules)| rules.len());
        let words = words(&reading.blocks).count();
        (reading.photographs.len(), words, rules)
    }

    #[test]
    fn words_in_photographs_are_removed_only_if_these_are_cut_out() {
        for turned in [0, 90] {
            assert_eq!(left(&reading(turned).separate_photographs(true)), (1, 0, 0));
            assert_eq!(
                left(&reading(turned).separate_photographs(false)),
                (0, 1, 1)
            );
        }
    }

    #[test]
    fn a_picture_with_vertical_lines_is_analyzed_upright() {
        let place = Rectangle {
            left: 40.0,
            top: 10.0,
            right: 50.0,
            bottom: 90.0,
        };
        let mut block = Block::new(0, place);
        block.lines.push(Line {
            rectangle: place,
            baseline: Some([50.0, 90.0, 50.0, 10.0]),
            words: Word::new("upwards", place, Some(90.0))
                .into_iter()
                .collect(),
            ..Line::default()
        });
        let picture = Picture {
            samples: vec![255; 200 * 100],
            width: 200,
            height: 100,
            resolution: None,
        };
        let reading = OcrResult::new(vec![block], 0, Matrix::IDENTITY);
        let (upright, turned) = reading.upright(&picture).unwrap();
        assert_eq!((turned.width, turned.height), (100, 200));
        assert_eq!((upright.rotation, to_upright(&upright.blocks)), (90, 0));
        let back = upright.blocks[0].lines[0]
            .rectangle
            .transformed(upright.back);
        assert_eq!(back, place);
        assert!(upright.upright(&turned).is_none());
    }
}
