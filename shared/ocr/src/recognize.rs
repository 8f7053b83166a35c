//! Recognizes the picture of one page, rotated upright if needed.

use std::path::Path;

use domain::operation::{LANGUAGES, Script};
use task::matrix::Matrix;
use task::{TaskError, TaskResult};

use super::enlarged::enlarged;
use super::ocr_page::{Block, Rectangle, Word, confidence, to_upright, words};
use super::ocr_result::{OcrResult, height};
use super::picture::{Picture, number};
use super::tesseract::{Orientation, OrientationDetector, Recognizer, Tesseract, is_east_asian};
use super::unread::Rest;
use super::{foreign, second_pass};

/// Mean confidence below which the orientation of the page is detected and the page possibly recognized again.
const MIN_CONFIDENCE: f64 = 75.0;
/// Mean confidence below which the languages are wrong, or the page is not upright.
const MIN_READABLE: f64 = 50.0;
/// Minimum confidence of a detected orientation.
const MIN_ORIENTATION_CONFIDENCE: f32 = 1.0;

/// Number of missed letters that justifies recognizing a page at another scale, and maximum factor by which it was enlarged if
/// its own letters have enough pixels.
const MANY_MISSED: usize = 4;
const MAX_FACTOR_OF_READABLE: f64 = 1.7;
/// Maximum rows of a page that are recognized one by one.
const MAX_ROWS: usize = 60;
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

/// Sums up how certain the characters of a result are: those of low confidence count against it.
fn certainty(blocks: &[Block]) -> f64 {
    let of_word = |word: &Word| {
        let sure = f64::from(word.confidence.unwrap_or(0.0));
        number(word.text.chars().count()) * (sure - 50.0)
    };
    words(blocks).map(of_word).sum()
}
