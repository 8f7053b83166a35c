//! Lines of text as labels, prose and captions.

use crate::analysis::lines::line::Line;
use crate::model::geometry::Rect;

/// First words of captions of figures and tables, and of notes about them, in lower case without a period.
const FIGURE: [&str; 17] = [
    "figure",
    "fig",
    "figura",
    "abbildung",
    "abb",
    "diagram",
    "diagramm",
    "diagrama",
    "chart",
    "graph",
    "graphique",
    "grafik",
    "gráfico",
    "рис",
    "рисунок",
    "図",
    "图",
];
const TABLE: [&str; 9] = [
    "table",
    "tab",
    "tabelle",
    "tableau",
    "tabla",
    "tabella",
    "tabela",
    "таблица",
    "表",
];
const NOTE: [&str; 11] = [
    "source",
    "sources",
    "note",
    "notes",
    "quelle",
    "quellen",
    "anmerkung",
    "fuente",
    "fonte",
    "nota",
    "источник",
];
/// Maximum number of words of a label.
const LABEL: usize = 5;
/// Minimum part of a line that is within the area that contains it.
const WITHIN: f32 = 0.6;

/// What the first word of a line names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Names {
    Figure,
    Table,
    Note,
    Nothing,
}

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
    pub(super) names: Names,
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
            names: names(&words),
            words: words.len(),
        }
    }

    /// Whether it may be a label: short, and not a caption.
    pub(super) fn is_label(&self) -> bool {
        self.names == Names::Nothing && (self.words <= LABEL || self.numbers * 2 > self.words)
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

fn names(words: &[String]) -> Names {
    let Some(first) = words.first() else {
        return Names::Nothing;
    };
    let is_end = |text: char| text.is_ascii_punctuation() || text.is_numeric();
    let first = first.to_lowercase();
    let first = first.split(is_end).next().unwrap_or_default();
    let has_number = |word: &String| word.chars().any(char::is_numeric);
    let is_numbered = words.iter().take(2).any(has_number);
    match () {
        () if is_numbered && FIGURE.contains(&first) => Names::Figure,
        () if is_numbered && TABLE.contains(&first) => Names::Table,
        () if NOTE.contains(&first) => Names::Note,
        () => Names::Nothing,
    }
}

/// Whether a word is a number, such as `−1,200.5`, `45%`, `(3)` or `$5`.
fn is_number(word: &str) -> bool {
    word.chars().any(char::is_numeric) && !word.chars().any(char::is_alphabetic)
}

#[expect(clippy::cast_precision_loss, reason = "counts are limited")]
pub(super) fn to_f32(count: usize) -> f32 {
    count as f32
}
