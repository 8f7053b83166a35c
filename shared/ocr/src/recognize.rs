//! Recognizes the picture of one page, rotated upright if needed.

use std::path::Path;

use domain::operation::{LANGUAGES, Script};
use lopdf::Stream;
use task::matrix::Matrix;
use task::{TaskError, TaskResult};

use super::enlarged::enlarged;
use super::ocr_page::{Block, Line, Rectangle, Word, are_vertical, confidence, to_upright, words};
use super::picture::{Picture, number};
use super::straight::Straight;
use super::tesseract::{Orientation, OrientationDetector, Recognizer, Tesseract, is_east_asian};
use super::unread::Rest;
use super::{bullets, foreign, photographs, rows, rules, second_pass, stems};

/// Mean confidence below which the orientation of the page is detected and the page possibly recognized again.
const MIN_CONFIDENCE: f64 = 75.0;
/// Mean confidence below which the languages are wrong, or the page is not upright.
const MIN_READABLE: f64 = 50.0;
/// Minimum confidence of a detected orientation.
const MIN_ORIENTATION_CONFIDENCE: f32 = 1.0;

/// An OCR worker of one thread.
pub(super) struct PageReader<'a> {
    tesseract: &'a Tesseract,
    models: &'a Path,
    recognizer: Recognizer<'a>,
    /// Codes of the models, joined by `+`.
    languages: &'a str,
    /// The recognizer with English in addition, loaded on first use.
    with_english: Option<Recognizer<'a>>,
    /// The recognizer of vertical text in the same languages, loaded on first use.
    of_vertical: Option<Recognizer<'a>>,
    orientation_detector: Option<OrientationDetector<'a>>,
    with_rules: bool,
}

/// Points per inch, and assumed word height in points if the resolution is unknown.
const POINTS: f64 = 72.0;
const ASSUMED_WORD_HEIGHT: f64 = 8.0;
/// Number of missed letters that justifies recognizing a page at another scale, and maximum factor by which it was enlarged if
/// its own letters have enough pixels.
const MANY_MISSED: usize = 4;
const MAX_FACTOR_OF_READABLE: f64 = 1.7;
/// Maximum rows of a page that are recognized one by one.
const MAX_ROWS: usize = 60;
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
    fn new(blocks: Vec<Block>, degrees: u32, back: Matrix) -> Self {
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
    fn without_rows_in_photographs(mut self, picture: &Picture) -> Self {
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
    fn reduced(self, factor: f64, picture: &Picture) -> Self {
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

/// Sums up how certain the characters of a result are: those of low confidence count against it.
fn certainty(blocks: &[Block]) -> f64 {
    let of_word = |word: &Word| {
        let sure = f64::from(word.confidence.unwrap_or(0.0));
        number(word.text.chars().count()) * (sure - 50.0)
    };
    words(blocks).map(of_word).sum()
}

/// Returns the median word height.
fn height(blocks: &[Block]) -> f64 {
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

impl<'a> PageReader<'a> {
    /// Loads the models of `languages`, joined by `+`; `with_rules` enables the detection of rules and photographs.
    pub(super) fn new(
        tesseract: &'a Tesseract,
        models: &'a Path,
        languages: &'a str,
        with_rules: bool,
    ) -> TaskResult<Self> {
        let recognizer = Recognizer::load(tesseract, models, languages);
        Ok(Self {
            tesseract,
            models,
            recognizer: recognizer.map_err(TaskError::Installation)?,
            languages,
            with_english: None,
            of_vertical: None,
            orientation_detector: None,
            with_rules,
        })
    }

    /// Recognizes a picture, enlarged if its resolution is low. If letters were missed and it has enough pixels, recognizes it
    /// as it is, too, and keeps the more confident result: Tesseract takes cells of tables for pictures at one scale or another.
    pub(super) fn read(&mut self, picture: &Picture) -> TaskResult<OcrResult> {
        let Some((enlarged, factor)) = enlarged(picture) else {
            return self.read_as_is(picture);
        };
        let reading = self.read_as_is(&enlarged)?;
        if reading.missed >= MANY_MISSED && factor <= MAX_FACTOR_OF_READABLE {
            let original = self.read_as_is(picture)?;
            if certainty(&original.blocks) > certainty(&reading.blocks) {
                return Ok(original);
            }
        }
        Ok(reading.reduced(factor, picture))
    }

    /// Recognizes a picture as it is; if the confidence is low, detects its orientation, and keeps the more confident result.
    fn read_as_is(&mut self, picture: &Picture) -> TaskResult<OcrResult> {
        let mut original = self.recognized(picture, 0, Matrix::IDENTITY)?;
        let before = confidence(words(&original.blocks)).unwrap_or(0.0);
        if before >= MIN_CONFIDENCE {
            return Ok(self.finished(original, picture));
        }
        let found = self.orientation(picture)?;
        original.script = found.and_then(|found| found.script);
        let turned = found.filter(|found| found.confidence >= MIN_ORIENTATION_CONFIDENCE);
        let degrees = turned.map_or(0, |found| found.degrees);
        let Some((upright, back)) = picture.turned(degrees) else {
            return Ok(self.finished(original, picture));
        };
        let turned = OcrResult {
            script: original.script,
            ..self.recognized(&upright, degrees, back)?
        };
        Ok(
            match confidence(words(&turned.blocks)).is_some_and(|after| after > before) {
                true => self.finished(turned, &upright),
                false => self.finished(original, picture),
            },
        )
    }

    fn recognized(
        &mut self,
        picture: &Picture,
        degrees: u32,
        back: Matrix,
    ) -> TaskResult<OcrResult> {
        let (blocks, unread, missed) = self.recognize(picture)?;
        Ok(OcrResult {
            unread,
            missed,
            ..OcrResult::new(blocks, degrees, back)
        })
    }

    fn finished(&self, reading: OcrResult, picture: &Picture) -> OcrResult {
        let reading = match self.with_rules {
            true => reading.with_graphics(picture),
            false => reading.without_rows_in_photographs(picture),
        };
        OcrResult {
            resolution: picture.resolution,
            ..reading
        }
    }

    /// Recognizes a picture, with further passes if letters were missed. Returns also the rows and the number of letters that
    /// are still missing.
    fn recognize(&mut self, picture: &Picture) -> TaskResult<(Vec<Block>, Vec<Rectangle>, usize)> {
        let mut blocks = self.recognize_whole(picture)?;
        if to_upright(&blocks) != 0 {
            return Ok((blocks, Vec::new(), 0));
        }
        let Some(mut rest) = Rest::of(picture, &blocks) else {
            // Tesseract may take all of a page with a ruled table for a picture.
            let sparse = self.recognizer.recognize_sparse(picture);
            let sparse = sparse.map_err(|_| TaskError::input_corrupt())?;
            let is_better = certainty(&sparse) > certainty(&blocks).max(0.0);
            let blocks = if is_better { sparse } else { blocks };
            return Ok((blocks, Vec::new(), MANY_MISSED));
        };
        if second_pass::is_needed(&rest, &blocks) {
            let second = self.recognizer.recognize_sparse(&rest.picture);
            let second = second.map_err(|_| TaskError::input_corrupt())?;
            let second = second_pass::confident(second, &blocks, rest.height);
            for word in words(&second) {
                let margin = rest.height / 8.0;
                rest.picture.paint_white(word.rectangle, margin);
            }
            blocks.extend(second);
        }
        let rows = rest.rows(&blocks);
        // A page with low confidence may be upside down, and is recognized again.
        if confidence(words(&blocks)).is_none_or(|mean| mean < MIN_READABLE) {
            return Ok((blocks, rows, 0));
        }
        self.replace_doubtful(&mut blocks, picture)?;
        if confidence(words(&blocks)).is_none_or(|mean| mean < MIN_CONFIDENCE) {
            return Ok((blocks, rows, 0));
        }
        let mut lines = Vec::new();
        for row in rows.iter().take(MAX_ROWS) {
            let (cut, place) = rest.picture.cut(*row, rest.height / 2.0);
            let read = self.recognizer.recognize_line(&cut);
            let read = read.map_err(|_| TaskError::input_corrupt())?;
            lines.extend(read.iter().map(|block| block.transformed(place)));
        }
        let third = second_pass::confident(lines, &blocks, rest.height);
        blocks.extend(third);
        let (unread, missed) = (rest.rows(&blocks), rest.free(&blocks).count());
        Ok((blocks, unread, missed))
    }

    /// Recognizes a picture by Tesseract's page layout. Chinese, Japanese and Korean are also recognized as vertical text if
    /// that is not confident, and as a single column if it missed rows; the most confident result is kept.
    fn recognize_whole(&mut self, picture: &Picture) -> TaskResult<Vec<Block>> {
        // Tesseract fails on pictures that are too large or empty, which is the fault of the document.
        let corrupt = |_| TaskError::input_corrupt();
        let blocks = self.recognizer.recognize(picture).map_err(corrupt)?;
        if !self.languages.split('+').all(is_east_asian) {
            return Ok(blocks);
        }
        if confidence(words(&blocks)).is_none_or(|mean| mean < MIN_CONFIDENCE) {
            let vertical = self.vertical()?.recognize(picture).map_err(corrupt)?;
            if certainty(&vertical) > certainty(&blocks) {
                return Ok(vertical.into_iter().map(Block::into_vertical).collect());
            }
        }
        if to_upright(&blocks) != 0 {
            return Ok(blocks);
        }
        let rest = Rest::of(picture, &blocks);
        if rest.is_none_or(|rest| rest.rows(&blocks).is_empty()) {
            return Ok(blocks);
        }
        let column = self.recognizer.recognize_column(picture).map_err(corrupt)?;
        Ok(match certainty(&column) > certainty(&blocks) {
            true => column,
            false => blocks,
        })
    }

    /// Returns the recognizer of vertical text.
    fn vertical(&mut self) -> TaskResult<&mut Recognizer<'a>> {
        match &mut self.of_vertical {
            Some(recognizer) => Ok(recognizer),
            none => {
                let names = self.languages.split('+').map(|code| format!("{code}_vert"));
                let names: Vec<String> = names.collect();
                let loaded = Recognizer::load(self.tesseract, self.models, &names.join("+"));
                Ok(none.insert(loaded.map_err(TaskError::Installation)?))
            }
        }
    }

    /// Reads doubtful words again with English in addition, unless the languages include one with Latin letters.
    fn replace_doubtful(&mut self, blocks: &mut [Block], picture: &Picture) -> TaskResult<()> {
        let is_latin = |code| {
            let row = LANGUAGES.iter().find(|row| row.code == code);
            row.is_some_and(|row| row.script == Script::Latin)
        };
        if self.languages.split('+').any(is_latin) {
            return Ok(());
        }
        let (tesseract, models) = (self.tesseract, self.models);
        let names = format!("{}+eng", self.languages);
        let margin = height(blocks) / 3.0;
        foreign::replace_doubtful(blocks, |place| {
            let recognizer = match &mut self.with_english {
                Some(recognizer) => recognizer,
                none => {
                    let loaded = Recognizer::load(tesseract, models, &names);
                    none.insert(loaded.map_err(TaskError::Installation)?)
                }
            };
            let (cut, back) = picture.cut(place, margin);
            let read = recognizer.recognize_line(&cut);
            let read = read.map_err(|_| TaskError::input_corrupt())?;
            Ok(read.iter().map(|block| block.transformed(back)).collect())
        })
    }

    /// Detects orientation and script of a picture. The model is loaded on first use.
    fn orientation(&mut self, picture: &Picture) -> TaskResult<Option<Orientation>> {
        if self.orientation_detector.is_none() {
            let orientation_detector = OrientationDetector::load(self.tesseract, self.models);
            self.orientation_detector =
                Some(orientation_detector.map_err(TaskError::Installation)?);
        }
        let detector = self.orientation_detector.as_mut();
        Ok(detector.and_then(|detector| detector.detect(picture)))
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
