//! Reads the picture of one page, turned upright where it is not.

use std::path::Path;

use lopdf::Stream;
use task::matrix::Matrix;
use task::{Fault, Outcome};

use super::layout::{Block, Line, Rectangle, Word, confidence, to_upright, words};
use super::picture::Picture;
use super::straight::Straight;
use super::tesseract::{Orienter, Recogniser, Tesseract};
use super::{bullets, missed, photographs, rows, rules, stems};

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
    with_rules: bool,
}

/// Points an inch, and the size of letters in a picture of unknown resolution, points.
const POINTS: f64 = 72.0;
const ORDINARY: f64 = 8.0;
/// How much more lines have to fall for it to be seen.
const SEEN: f64 = 0.0004;

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
    /// How it would stand if it were straight, and the lines that it shows, there; if that is looked for.
    pub(super) ruled: Option<(Straight, Vec<Rectangle>)>,
    /// Where it shows photographs, there; if that is looked for, and once it is parted, if they are cut.
    pub(super) photographs: Vec<Rectangle>,
    /// Pixels an inch, where that is known.
    pub(super) resolution: Option<i32>,
}

impl Reading {
    /// What was read after a turn. The library reads lines that run up or down as well, and says so.
    fn new(blocks: Vec<Block>, degrees: u32, back: Matrix) -> Self {
        Self {
            turned: (degrees + to_upright(&blocks)) % 360,
            blocks: rows::joined(blocks),
            back,
            redrawn: None,
            ruled: None,
            photographs: Vec::new(),
            resolution: None,
        }
    }

    /// What is known of a page that nobody has to read.
    pub(super) fn known(blocks: Vec<Block>) -> Self {
        Self::new(blocks, 0, Matrix::SAME)
    }

    /// How many pixels are a point.
    fn point(&self, picture: &Picture) -> f64 {
        let point = match picture.resolution {
            Some(resolution) => f64::from(resolution) / POINTS,
            None => height(&self.blocks) / ORDINARY,
        };
        point.max(0.5)
    }

    /// With the lines and photographs that the picture shows, in which lines are level.
    fn ruled(mut self, picture: &Picture) -> Self {
        let point = self.point(picture);
        let straight = Straight::of(&self.blocks, (picture.width, picture.height));
        if words(&self.blocks).next().is_none() {
            self.ruled = Some((straight, Vec::new()));
            return self;
        }
        let straight = match rules::fall(picture, &straight, point) {
            more if more.abs() > SEEN => straight.falling(more),
            _ => straight,
        };
        let paper = f64::from(rules::paper(picture));
        self.photographs = photographs::find(picture, &straight, &self.blocks, (point, paper));
        let lines = self.blocks.iter_mut().flat_map(|block| &mut block.lines);
        lines.for_each(|line| look_at(line, picture, straight.slope, paper));
        bullets::find(&mut self.blocks, picture, straight.slope, paper);
        let to = straight.upright.then(straight.level);
        let places = words(&self.blocks).map(|word| word.rectangle.mapped(to));
        let places: Vec<Rectangle> = places.collect();
        let rules = rules::of(picture, &straight, &places, point);
        self.ruled = Some((straight, rules));
        self
    }

    /// With the lines and photographs that the picture shows, which is turned first if what was read in it runs up or down.
    pub(super) fn looked_through(self, picture: &Picture) -> Self {
        match self.upright(picture) {
            Some((reading, upright)) => reading.ruled(&upright),
            None => self.ruled(picture),
        }
    }

    /// The same of the picture as it stands when the lines that were read in it are level; none where they are.
    fn upright(&self, picture: &Picture) -> Option<(Self, Picture)> {
        let (upright, back) = picture.turned(to_upright(&self.blocks))?;
        let to = back.inverse()?;
        let blocks = self.blocks.iter().map(|block| block.mapped(to)).collect();
        let reading = Self {
            turned: self.turned,
            ..Self::new(blocks, 0, back.then(self.back))
        };
        Some((reading, upright))
    }

    /// With its photographs, without what was read in them, if they are cut from the page; else they are not known of, and all
    /// that was read stays.
    pub(super) fn parted(mut self, cuts: bool) -> Self {
        let ruled = self.ruled.as_mut().filter(|_| cuts);
        let Some((straight, rules)) = ruled else {
            self.photographs.clear();
            return self;
        };
        photographs::clear(&mut self.blocks, straight, &self.photographs);
        rules.retain(|rule| !self.photographs.iter().any(|area| area.holds(*rule)));
        self
    }

    /// The same as one picture that says nothing and has these sides in pixels.
    pub(super) fn whole(mut self, sides: (u32, u32)) -> Self {
        self.blocks.clear();
        self.photographs = vec![Rectangle {
            right: sides.0.into(),
            bottom: sides.1.into(),
            ..Rectangle::default()
        }];
        Self {
            turned: 0,
            back: Matrix::SAME,
            ruled: None,
            ..self
        }
    }
}

/// How high most words are.
fn height(blocks: &[Block]) -> f64 {
    let height = |word: &Word| word.rectangle.bottom - word.rectangle.top;
    let mut heights: Vec<f64> = words(blocks).map(height).collect();
    heights.sort_by(f64::total_cmp);
    heights.get(heights.len() / 2).copied().unwrap_or(0.0)
}

/// Looks how thick and how high the letters of a line are that falls with its page.
fn look_at(line: &mut Line, picture: &Picture, slope: f64, paper: f64) {
    let Some([x, y, u, v]) = line.baseline else {
        return;
    };
    let falls = ((f64::midpoint(x, u), f64::midpoint(y, v)), slope);
    for word in &mut line.words {
        word.stem = stems::of(picture, word.rectangle, paper);
        word.above = stems::above(picture, word.rectangle, falls, paper);
    }
}

impl<'a> Reader<'a> {
    /// Loads the models of `languages`, joined by `+`; `with_rules` is whether lines are looked for.
    pub(super) fn begin(
        tesseract: &'a Tesseract,
        models: &'a Path,
        languages: &str,
        with_rules: bool,
    ) -> Outcome<Self> {
        let recogniser = Recogniser::begin(tesseract, models, languages);
        Ok(Self {
            tesseract,
            models,
            recogniser: recogniser.map_err(Fault::Installation)?,
            orienter: None,
            with_rules,
        })
    }

    /// Reads a picture as it is; if what comes out is doubtful, asks how it stands, and keeps what is surer.
    pub(super) fn read(&mut self, picture: &Picture) -> Outcome<Reading> {
        let asis = Reading::new(self.recognise(picture)?, 0, Matrix::SAME);
        let before = confidence(words(&asis.blocks)).unwrap_or(0.0);
        if before >= DOUBTFUL {
            return Ok(self.finished(asis, picture));
        }
        let degrees = self.orientation(picture)?.unwrap_or(0);
        let Some((upright, back)) = picture.turned(degrees) else {
            return Ok(self.finished(asis, picture));
        };
        let turned = Reading::new(self.recognise(&upright)?, degrees, back);
        Ok(
            match confidence(words(&turned.blocks)).is_some_and(|after| after > before) {
                true => self.finished(turned, &upright),
                false => self.finished(asis, picture),
            },
        )
    }

    fn finished(&self, reading: Reading, picture: &Picture) -> Reading {
        let reading = match self.with_rules {
            true => reading.looked_through(picture),
            false => reading,
        };
        Reading {
            resolution: picture.resolution,
            ..reading
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A page with a photograph in which something was read.
    fn reading(turned: u32) -> Reading {
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
        Reading {
            turned,
            ruled: Some((Straight::of(&[], (100, 100)), vec![area])),
            photographs: vec![area],
            ..Reading::new(vec![block], 0, Matrix::SAME)
        }
    }

    /// How many photographs, words and lines there are.
    fn left(reading: &Reading) -> (usize, usize, usize) {
        let rules = reading.ruled.as_ref().map_or(0, |(_, rules)| rules.len());
        let words = words(&reading.blocks).count();
        (reading.photographs.len(), words, rules)
    }

    #[test]
    fn what_was_read_in_photographs_goes_only_where_they_are_cut() {
        for turned in [0, 90] {
            assert_eq!(left(&reading(turned).parted(true)), (1, 0, 0));
            assert_eq!(left(&reading(turned).parted(false)), (0, 1, 1));
        }
    }

    #[test]
    fn a_picture_whose_lines_run_up_is_looked_through_upright() {
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
        let reading = Reading::new(vec![block], 0, Matrix::SAME);
        let (upright, turned) = reading.upright(&picture).unwrap();
        assert_eq!((turned.width, turned.height), (100, 200));
        assert_eq!((upright.turned, to_upright(&upright.blocks)), (90, 0));
        let back = upright.blocks[0].lines[0].rectangle.mapped(upright.back);
        assert_eq!(back, place);
        assert!(upright.upright(&turned).is_none());
    }
}
