//! Lines of text as labels, prose and captions.

use crate::analysis::lines::caption_words::{CaptionKind, caption_kind};
use crate::analysis::lines::line::Line;
use crate::model::geometry::Rect;

/// Maximum number of words of a label.
const LABEL: usize = 5;
/// Minimum part of a line that is within the area that contains it.
const WITHIN: f32 = 0.6;

/// A line of text.
#[derive(Clone, Debug)]
pub(super) struct Text {
    pub(super) bounds: Rect,
    pub(super) baseline: f32,
    pub(super) size: f32,
    pub(super) characters: usize,
    pub(super) words: usize,
    /// Number of words that are numbers.
    pub(super) numbers: usize,
    /// What the first word names if it may be a caption; a figure or table only with a number.
    pub(super) caption: Option<CaptionKind>,
}

impl Text {
    pub(super) fn of(line: &Line) -> Self {
        let mut words: Vec<String> = Vec::new();
        for piece in &line.pieces {
            match words.last_mut().filter(|_| piece.is_close) {
                Some(word) => word.push_str(&piece.text()),
                None => words.push(piece.text()),
            }
        }
        Self {
            bounds: line.bounds,
            baseline: line.baseline,
            size: line.size,
            characters: line.glyphs().count(),
            numbers: words.iter().filter(|word| is_number(word)).count(),
            caption: caption(&words),
            words: words.len(),
        }
    }

    /// Whether it may be a label: short, and not a caption.
    pub(super) fn is_label(&self) -> bool {
        self.caption.is_none() && (self.words <= LABEL || self.numbers * 2 > self.words)
    }
}

/// Whether a line is in an area.
pub(super) fn is_within(line: &Rect, area: &Rect) -> bool {
    let whole = (line.width() * line.height()).max(f32::MIN_POSITIVE);
    area.contains(line.center())
        && line
            .within(area)
            .is_some_and(|part| part.width() * part.height() >= WITHIN * whole)
}

fn caption(words: &[String]) -> Option<CaptionKind> {
    let has_number = |word: &String| word.chars().any(char::is_numeric);
    let is_numbered = words.iter().take(2).any(has_number);
    caption_kind(words.first()?).filter(|kind| match kind {
        CaptionKind::Figure | CaptionKind::Table => is_numbered,
        CaptionKind::Note => true,
        CaptionKind::Picture | CaptionKind::Box => false,
    })
}

/// Whether a word is a number, such as `−1,200.5`, `45%`, `(3)` or `$5`.
fn is_number(word: &str) -> bool {
    word.chars().any(char::is_numeric) && !word.chars().any(char::is_alphabetic)
}

#[expect(clippy::cast_precision_loss, reason = "counts are limited")]
pub(super) fn to_f32(count: usize) -> f32 {
    count as f32
}
