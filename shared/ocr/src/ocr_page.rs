//! OCR results: pages of paragraphs, lines and words with their bounding boxes.

use domain::operation::Script;
use serde::{Deserialize, Serialize};
use task::matrix::Matrix;

/// A rectangle; y points down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Rectangle {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// A word.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Word {
    /// The characters in reading order.
    pub(super) text: String,
    /// Bounding box.
    pub(super) rectangle: Rectangle,
    /// OCR confidence, 0 to 100; `None` for existing text.
    pub(super) confidence: Option<f32>,
    /// Stroke thickness in pixels, if measured.
    pub(super) stem: Option<f64>,
    /// Height of the letters above the baseline, if measured.
    pub(super) above: Option<f64>,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Line {
    /// Bounding box.
    pub(super) rectangle: Rectangle,
    /// Start and end of the baseline, if known: `[x, y, x, y]`.
    pub(super) baseline: Option<[f64; 4]>,
    /// Whether the text is right-to-left.
    pub(super) right_to_left: bool,
    /// Whether upright characters are stacked from top to bottom.
    pub(super) is_vertical: bool,
    /// The words in reading order.
    pub(super) words: Vec<Word>,
}

/// A paragraph.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Block {
    /// Index of the Tesseract block (such as a column) that contains it; paragraphs of a block are consecutive.
    pub(super) region: usize,
    /// Bounding box.
    pub(super) rectangle: Rectangle,
    /// The lines in reading order.
    pub(super) lines: Vec<Line>,
}

/// The text of a page.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct Page {
    /// Displayed width and height.
    pub(super) sides: (f64, f64),
    /// Unit of all coordinates.
    pub(super) unit: Unit,
    /// Whether the text was recognized by OCR; otherwise it existed.
    pub(super) is_recognized: bool,
    /// Whether recognition failed: it has no text.
    pub(super) has_failed: bool,
    /// Whether rows of letters were not recognized.
    pub(super) has_unread_rows: bool,
    /// The script, if it was detected because the confidence is low.
    pub(super) script: Option<Script>,
    /// Clockwise rotation in degrees that makes the text upright.
    pub(super) rotation: u32,
    /// The paragraphs, in `unit` from the top left corner.
    pub(super) blocks: Vec<Block>,
    /// The text, if it differs from that of the blocks.
    pub(super) text: Option<String>,
    /// Number of existing characters kept in addition to the recognized text.
    pub(super) existing_characters: usize,
    /// The invisible text layer, if the page was recognized.
    pub(super) layer: Option<TextLayer>,
}

/// Unit of the coordinates of a page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Unit {
    /// Pixels of an image.
    #[default]
    Pixel,
    /// Points of a PDF.
    Point,
}

/// Recognized text in pixels of the recognized picture, with matrices to the page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct TextLayer {
    pub(super) blocks: Vec<Block>,
    /// From these pixels to pixels of the displayed page.
    pub(super) back: Matrix,
    /// From these pixels to the user space of the page, as a PDF matrix.
    pub(super) to_user_space: Matrix,
}

impl Rectangle {
    /// Returns the center.
    pub(super) fn center(self) -> (f64, f64) {
        (
            f64::midpoint(self.left, self.right),
            f64::midpoint(self.top, self.bottom),
        )
    }

    /// Returns the width.
    pub(super) fn width(self) -> f64 {
        self.right - self.left
    }

    /// Returns the height.
    pub(super) fn height(self) -> f64 {
        self.bottom - self.top
    }

    /// Returns the area; 0 if width or height is negative.
    pub(super) fn area(self) -> f64 {
        (self.right - self.left).max(0.0) * (self.bottom - self.top).max(0.0)
    }

    /// Returns whether it contains the center of another.
    pub(super) fn contains_center(self, other: Self) -> bool {
        let (x, y) = other.center();
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// Returns the bounding box of the transformed rectangle.
    pub(super) fn transformed(self, matrix: Matrix) -> Self {
        let (x, y) = matrix.apply((self.left, self.top));
        let (u, v) = matrix.apply((self.right, self.bottom));
        Self {
            left: x.min(u),
            top: y.min(v),
            right: x.max(u),
            bottom: y.max(v),
        }
    }

    /// Returns it with a margin.
    pub(super) fn grown(self, margin: f64) -> Self {
        Self {
            left: self.left - margin,
            top: self.top - margin,
            right: self.right + margin,
            bottom: self.bottom + margin,
        }
    }

    /// Returns the intersection; width or height is negative if there is none.
    pub(super) fn intersection(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// Returns the union.
    pub(super) fn union(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

impl Word {
    /// Creates a word; `None` without visible characters.
    pub(super) fn new(text: &str, rectangle: Rectangle, confidence: Option<f32>) -> Option<Self> {
        let mut text: String = text.chars().filter(|c| !is_invisible(*c)).collect();
        if text.contains(is_tamil) {
            text.retain(|character| character != ZERO_WIDTH_NON_JOINER);
        }
        (!text.is_empty()).then_some(Self {
            text,
            rectangle,
            confidence,
            stem: None,
            above: None,
        })
    }

    /// Appends a word that follows without a space. The confidence is the mean, weighted by length.
    pub(super) fn append(&mut self, next: &Self) {
        let both = [&*self, next];
        self.confidence = confidence(both.into_iter()).map(|mean| {
            #[expect(clippy::cast_possible_truncation, reason = "from 0 to 100")]
            let mean = mean as f32;
            mean
        });
        self.text.push_str(&next.text);
        self.rectangle = self.rectangle.union(next.rectangle);
    }
}

/// The Tamil model returns it after each virama, where it changes nothing and keeps words from being found.
const ZERO_WIDTH_NON_JOINER: char = '\u{200c}';

fn is_tamil(character: char) -> bool {
    matches!(character, '\u{b80}'..='\u{bff}')
}

fn is_invisible(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{fffe}' | '\u{ffff}')
}

impl Line {
    /// Returns the clockwise rotation in degrees that makes the line upright: 0, 90, 180 or 270.
    pub(super) fn to_upright(&self) -> u32 {
        let [x, y, u, v] = self.baseline.unwrap_or([0.0, 0.0, 1.0, 0.0]);
        match ((u - x).abs() >= (v - y).abs(), u >= x, v >= y) {
            (true, true, _) => 0,
            (false, _, false) => 90,
            (true, false, _) => 180,
            (false, _, true) => 270,
        }
    }

    /// Returns the words, each with whether a space follows: not at the end, nor in scripts written without spaces.
    pub(super) fn spaced(&self) -> impl Iterator<Item = (&Word, bool)> {
        let next = self.words.iter().skip(1).map(Some).chain([None]);
        self.words.iter().zip(next).map(|(word, next)| {
            let before = word.text.chars().next_back();
            let after = next.map(|next| next.text.chars().next());
            let joined = |c: Option<char>| c.is_some_and(is_written_without_spaces);
            let space = after.is_some_and(|after| !(joined(before) && joined(after)));
            (word, space)
        })
    }

    /// Returns the text of the line.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (word, space) in self.spaced() {
            text.push_str(&word.text);
            text.push_str(if space { " " } else { "" });
        }
        text
    }
}

/// Returns whether a character is Chinese or Japanese, including punctuation.
pub(super) fn is_written_without_spaces(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{303f}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

impl Block {
    /// Creates a paragraph without lines.
    pub(super) fn new(region: usize, rectangle: Rectangle) -> Self {
        Self {
            region,
            rectangle,
            lines: Vec::new(),
        }
    }

    /// Marks its lines as vertical text.
    pub(super) fn into_vertical(mut self) -> Self {
        for line in &mut self.lines {
            line.is_vertical = line.to_upright() != 0;
        }
        self
    }

    /// Returns the transformed paragraph.
    pub(super) fn transformed(&self, matrix: Matrix) -> Self {
        let line = |line: &Line| Line {
            rectangle: line.rectangle.transformed(matrix),
            baseline: line.baseline.map(|[x, y, u, v]| {
                let ((x, y), (u, v)) = (matrix.apply((x, y)), matrix.apply((u, v)));
                [x, y, u, v]
            }),
            right_to_left: line.right_to_left,
            is_vertical: line.is_vertical,
            words: line
                .words
                .iter()
                .map(|word| Word {
                    rectangle: word.rectangle.transformed(matrix),
                    ..word.clone()
                })
                .collect(),
        };
        Self {
            region: self.region,
            rectangle: self.rectangle.transformed(matrix),
            lines: self.lines.iter().map(line).collect(),
        }
    }
}

/// Returns the clockwise rotation in degrees that makes most letters of a picture upright: 0, 90, 180 or 270.
pub(super) fn to_upright(blocks: &[Block]) -> u32 {
    let mut letters = [(0, 0_usize), (90, 0), (180, 0), (270, 0)];
    for line in blocks.iter().flat_map(|block| &block.lines) {
        let upright = line.to_upright();
        let count = line.words.iter().map(|word| word.text.chars().count());
        let count = count.sum::<usize>();
        for (_, sum) in letters
            .iter_mut()
            .filter(|(degrees, _)| *degrees == upright)
        {
            *sum += count;
        }
    }
    let most = letters.iter().rev().max_by_key(|(_, sum)| *sum);
    most.map_or(0, |(degrees, _)| *degrees)
}

/// Returns whether most lines are vertical text.
pub(super) fn are_vertical(blocks: &[Block]) -> bool {
    let lines = || blocks.iter().flat_map(|block| &block.lines);
    lines().filter(|line| line.is_vertical).count() * 2 > lines().count()
}

/// Returns all words in reading order.
pub(super) fn words(blocks: &[Block]) -> impl Iterator<Item = &Word> {
    let lines = blocks.iter().flat_map(|block| &block.lines);
    lines.flat_map(|line| &line.words)
}

/// Removes words, and lines and paragraphs without words.
pub(super) fn retain_words(mut blocks: Vec<Block>, is_kept: impl Fn(&Word) -> bool) -> Vec<Block> {
    for block in &mut blocks {
        for line in &mut block.lines {
            line.words.retain(&is_kept);
        }
        block.lines.retain(|line| !line.words.is_empty());
    }
    blocks.retain(|block| !block.lines.is_empty());
    blocks
}

/// Returns the mean confidence, weighted by word length; `None` if nothing was recognized.
pub(super) fn confidence<'a>(words: impl Iterator<Item = &'a Word>) -> Option<f64> {
    let (sum, count) = weighted_confidence(words);
    (count > 0.0).then(|| sum / count)
}

/// Returns the sum of the confidence, weighted by word length, and the sum of the weights.
pub(super) fn weighted_confidence<'a>(words: impl Iterator<Item = &'a Word>) -> (f64, f64) {
    let (mut sum, mut count) = (0.0, 0.0);
    for word in words {
        if let Some(confidence) = word.confidence {
            let length = f64::from(u32::try_from(word.text.chars().count()).unwrap_or(0));
            sum += f64::from(confidence) * length;
            count += length;
        }
    }
    (sum, count)
}

impl Page {
    /// Returns whether OCR found no text on it.
    pub(super) fn is_blank(&self) -> bool {
        self.is_recognized && words(&self.blocks).next().is_none()
    }

    /// Returns the text: lines end with a line feed, paragraphs are separated by an empty line; at least a line feed.
    pub(super) fn text(&self) -> String {
        if let Some(text) = &self.text {
            return text.clone();
        }
        let block = |block: &Block| -> String {
            let lines = block.lines.iter().filter(|line| !line.words.is_empty());
            lines.map(|line| line.text() + "\n").collect()
        };
        let blocks: Vec<String> = self.blocks.iter().map(block).collect();
        let kept: Vec<&str> = blocks
            .iter()
            .map(String::as_str)
            .filter(|b| !b.is_empty())
            .collect();
        match kept.is_empty() {
            true => "\n".to_owned(),
            false => kept.join("\n"),
        }
    }
}
