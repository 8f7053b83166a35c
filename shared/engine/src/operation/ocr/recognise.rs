//! Reads the picture of one page, turned upright where it is not.

use std::path::Path;

use lopdf::Stream;

use super::layout::{Block, confidence, to_upright, words};
use super::missed;
use super::picture::Picture;
use super::rows;
use super::tesseract::{Orienter, Recogniser, Tesseract};
use crate::fault::{Fault, Outcome};
use crate::matrix::Matrix;

/// Below this mean confidence, or without a word, a page may stand on its side or head.
const DOUBTFUL: f64 = 75.0;
/// How sure an orientation has to be to be tried.
const SURE: f32 = 1.0;

/// What reads pages, in one thread.
pub(super) struct Reader<'a> {
    tesseract: &'a Tesseract,
    models: &'a Path,
    recogniser: Recogniser<'a>,
    orienter: Option<Orienter<'a>>,
}

/// What was read.
pub(super) struct Reading {
    /// In the pixels of the picture as it was read.
    pub(super) blocks: Vec<Block>,
    /// By how many degrees clockwise the picture has to be turned for its text to stand upright.
    pub(super) turned: u32,
    /// Where these pixels are in the picture as it was.
    pub(super) back: Matrix,
    /// The picture that takes the place of the page, as PDF stores it.
    pub(super) redrawn: Option<Stream>,
}

impl Reading {
    /// What was read after a turn. The library reads lines that run up or down as well, and says so.
    fn new(blocks: Vec<Block>, degrees: u32, back: Matrix) -> Self {
        Self {
            turned: (degrees + to_upright(&blocks)) % 360,
            blocks: rows::joined(blocks),
            back,
            redrawn: None,
        }
    }
}

impl<'a> Reader<'a> {
    /// Loads the models of `languages`, joined by `+`.
    pub(super) fn begin(
        tesseract: &'a Tesseract,
        models: &'a Path,
        languages: &str,
    ) -> Outcome<Self> {
        let recogniser = Recogniser::begin(tesseract, models, languages);
        Ok(Self {
            tesseract,
            models,
            recogniser: recogniser.map_err(Fault::Installation)?,
            orienter: None,
        })
    }

    /// Reads a picture as it is; if what comes out is doubtful, asks how it stands, and keeps what is surer.
    pub(super) fn read(&mut self, picture: &Picture) -> Outcome<Reading> {
        let asis = Reading::new(
            self.recognise(picture)?,
            0,
            Matrix([1., 0., 0., 1., 0., 0.]),
        );
        let before = confidence(words(&asis.blocks)).unwrap_or(0.0);
        if before >= DOUBTFUL {
            return Ok(asis);
        }
        let degrees = self.orientation(picture)?.unwrap_or(0);
        let Some((turned, back)) = picture.turned(degrees) else {
            return Ok(asis);
        };
        let turned = Reading::new(self.recognise(&turned)?, degrees, back);
        match confidence(words(&turned.blocks)).is_some_and(|after| after > before) {
            true => Ok(turned),
            false => Ok(asis),
        }
    }

    /// Reads a picture, and once more where letters were left out.
    fn recognise(&mut self, picture: &Picture) -> Outcome<Vec<Block>> {
        // The library gives a picture up that it has no memory for or that has no rows; the document brought it.
        let mut blocks = self
            .recogniser
            .read(picture)
            .map_err(|_| Fault::corrupt())?;
        let upright = to_upright(&blocks) == 0;
        if let Some(rest) = missed::rest(picture, &blocks).filter(|_| upright) {
            let second = self.recogniser.read_scattered(&rest);
            let second = second.map_err(|_| Fault::corrupt())?;
            let second = missed::believed(second, &blocks);
            blocks.extend(second);
        }
        Ok(blocks)
    }

    /// By how much a picture has to be turned, if at all. The model is loaded when it is needed first.
    fn orientation(&mut self, picture: &Picture) -> Outcome<Option<u32>> {
        if self.orienter.is_none() {
            let orienter = Orienter::begin(self.tesseract, self.models);
            self.orienter = Some(orienter.map_err(Fault::Installation)?);
        }
        let found = self
            .orienter
            .as_mut()
            .and_then(|orienter| orienter.look(picture));
        let turned = found.filter(|(degrees, sure)| *degrees != 0 && *sure >= SURE);
        Ok(turned.map(|(degrees, _)| degrees))
    }
}
