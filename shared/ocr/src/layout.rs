//! What was read: pages of blocks of lines of words, each with its place.

use task::matrix::Matrix;

/// A rectangle; down is positive.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Rectangle {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

/// A word.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Word {
    /// Its characters in reading order.
    pub(super) text: String,
    /// Where it stands.
    pub(super) rectangle: Rectangle,
    /// How sure it is, 0 to 100; none where the document itself says it.
    pub(super) confidence: Option<f32>,
    /// How thick its strokes are in the picture, where that is looked for.
    pub(super) stem: Option<f64>,
    /// How far its letters reach above the line, where that is looked for.
    pub(super) above: Option<f64>,
}

/// A line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Line {
    /// Where it stands.
    pub(super) rectangle: Rectangle,
    /// From where to where its letters stand on, if known: `[x, y, x, y]`.
    pub(super) baseline: Option<[f64; 4]>,
    /// Whether it is written from right to left.
    pub(super) leftward: bool,
    /// Its words in reading order.
    pub(super) words: Vec<Word>,
}

/// A paragraph.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Block {
    /// The part of the page that it was read in, such as a column; its paragraphs follow each other.
    pub(super) region: usize,
    /// Where it stands.
    pub(super) rectangle: Rectangle,
    /// Its lines in reading order.
    pub(super) lines: Vec<Line>,
}

/// What was read on a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Page {
    /// Width and height, as the page is shown.
    pub(super) sides: (f64, f64),
    /// What places are counted in.
    pub(super) unit: Unit,
    /// Whether its text was recognised; it was there already otherwise.
    pub(super) recognised: bool,
    /// By how many degrees clockwise it has to be turned for its text to stand upright.
    pub(super) turned: u32,
    /// What stands on it, in `unit` from the top left corner.
    pub(super) blocks: Vec<Block>,
    /// Its text, where it is not that of the blocks.
    pub(super) text: Option<String>,
    /// Characters of its own that are found beside what was recognised.
    pub(super) own: usize,
    /// The text to lay under it, where it was recognised.
    pub(super) layer: Option<Layer>,
}

/// What the places on a page are counted in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Unit {
    /// Pixels of an image.
    #[default]
    Pixel,
    /// Points of a PDF.
    Point,
}

/// Recognised text in the pixels of the picture that it was read from, and where these lie on the page.
#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) blocks: Vec<Block>,
    /// From these pixels to those of the page as it is shown.
    pub(super) back: Matrix,
    /// From pixels to the user space of the page, as PDF writes matrices.
    pub(super) place: Matrix,
}

impl Rectangle {
    /// Halfway from left to right and from top to bottom.
    pub(super) fn middle(self) -> (f64, f64) {
        (
            f64::midpoint(self.left, self.right),
            f64::midpoint(self.top, self.bottom),
        )
    }

    /// Whether the middle of another is in it.
    pub(super) fn holds(self, other: Self) -> bool {
        let (x, y) = other.middle();
        (self.left..=self.right).contains(&x) && (self.top..=self.bottom).contains(&y)
    }

    /// The rectangle around what this one becomes.
    pub(super) fn mapped(self, matrix: Matrix) -> Self {
        let (x, y) = matrix.apply((self.left, self.top));
        let (u, v) = matrix.apply((self.right, self.bottom));
        Self {
            left: x.min(u),
            top: y.min(v),
            right: x.max(u),
            bottom: y.max(v),
        }
    }

    /// The rectangle that both cover; its sides are negative where there is none.
    pub(super) fn shared(self, other: Self) -> Self {
        Self {
            left: self.left.max(other.left),
            top: self.top.max(other.top),
            right: self.right.min(other.right),
            bottom: self.bottom.min(other.bottom),
        }
    }

    /// The rectangle around both.
    pub(super) fn with(self, other: Self) -> Self {
        Self {
            left: self.left.min(other.left),
            top: self.top.min(other.top),
            right: self.right.max(other.right),
            bottom: self.bottom.max(other.bottom),
        }
    }
}

impl Word {
    /// A word, unless it holds nothing that is seen.
    pub(super) fn new(text: &str, rectangle: Rectangle, confidence: Option<f32>) -> Option<Self> {
        let text: String = text.chars().filter(|c| !is_unseen(*c)).collect();
        (!text.is_empty()).then_some(Self {
            text,
            rectangle,
            confidence,
            stem: None,
            above: None,
        })
    }
}

fn is_unseen(character: char) -> bool {
    character.is_whitespace()
        || character.is_control()
        || matches!(character, '\u{fffe}' | '\u{ffff}')
}

impl Line {
    /// By how many degrees clockwise it has to be turned to stand upright: 0, 90, 180 or 270.
    pub(super) fn to_upright(&self) -> u32 {
        let [x, y, u, v] = self.baseline.unwrap_or([0.0, 0.0, 1.0, 0.0]);
        match ((u - x).abs() >= (v - y).abs(), u >= x, v >= y) {
            (true, true, _) => 0,
            (false, _, false) => 90,
            (true, false, _) => 180,
            (false, _, true) => 270,
        }
    }

    /// Its words, each with whether a space follows: none at the end, nor inside scripts that are written without.
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

    /// Its text.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        for (word, space) in self.spaced() {
            text.push_str(&word.text);
            text.push_str(if space { " " } else { "" });
        }
        text
    }
}

/// Chinese and Japanese characters and their punctuation.
pub(super) fn is_written_without_spaces(character: char) -> bool {
    matches!(character,
        '\u{2e80}'..='\u{303f}' | '\u{3040}'..='\u{30ff}' | '\u{31f0}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ff9f}' | '\u{20000}'..='\u{3ffff}')
}

impl Block {
    /// A paragraph without lines yet.
    pub(super) fn new(region: usize, rectangle: Rectangle) -> Self {
        Self {
            region,
            rectangle,
            lines: Vec::new(),
        }
    }

    /// The same elsewhere.
    pub(super) fn mapped(&self, matrix: Matrix) -> Self {
        let line = |line: &Line| Line {
            rectangle: line.rectangle.mapped(matrix),
            baseline: line.baseline.map(|[x, y, u, v]| {
                let ((x, y), (u, v)) = (matrix.apply((x, y)), matrix.apply((u, v)));
                [x, y, u, v]
            }),
            leftward: line.leftward,
            words: line
                .words
                .iter()
                .map(|word| Word {
                    rectangle: word.rectangle.mapped(matrix),
                    ..word.clone()
                })
                .collect(),
        };
        Self {
            region: self.region,
            rectangle: self.rectangle.mapped(matrix),
            lines: self.lines.iter().map(line).collect(),
        }
    }
}

/// By how many degrees clockwise a picture has to be turned for most of its letters to stand upright: 0, 90, 180 or 270.
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

/// All words, in reading order.
pub(super) fn words(blocks: &[Block]) -> impl Iterator<Item = &Word> {
    let lines = blocks.iter().flat_map(|block| &block.lines);
    lines.flat_map(|line| &line.words)
}

/// How sure words are on average, each by its length; `None` where nothing was recognised.
pub(super) fn confidence<'a>(words: impl Iterator<Item = &'a Word>) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0.0);
    for word in words {
        if let Some(confidence) = word.confidence {
            let length = f64::from(u32::try_from(word.text.chars().count()).unwrap_or(0));
            sum += f64::from(confidence) * length;
            count += length;
        }
    }
    (count > 0.0).then(|| sum / count)
}

impl Page {
    /// Its text: lines end with a line feed, an empty one stands between paragraphs; at least a line feed.
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
