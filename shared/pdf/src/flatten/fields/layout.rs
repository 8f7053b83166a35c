//! Where the lines of a field's text stand, and how large they are.

use std::fmt::Write as _;

use lopdf::{Dictionary, Document, Object};
use task::Outcome;

use crate::lettering::Line;

/// What is left free at each side, in points.
pub(super) const MARGIN: f32 = 2.0;
/// From one base line to the next, in sizes.
const LEADING: f32 = 1.25;
/// The largest size where the field leaves it open, and the smallest.
pub(super) const SIZES: (f32, f32) = (12.0, 4.0);
/// The largest size of several lines, and by how much the next smaller one is tried where they take more than there is.
const LARGEST: f32 = 300.0;
const SMALLER: f32 = 0.9;
/// What of a field's height a line may take where the size is open.
const FILLED: f32 = 0.7;

/// How a field looks. Lengths are points.
#[derive(Clone)]
pub(super) struct Field {
    /// Along its lines, whichever way it is turned.
    pub(super) width: f32,
    /// Across its lines.
    pub(super) height: f32,
    /// By how many degrees it is turned against the page, to the left.
    turn: i64,
    /// The size of the text; open if 0.
    pub(super) size: f32,
    /// Operators that set the text's colour.
    pub(super) colour: String,
    /// Operators that draw what lies below the text.
    pub(super) ground: String,
    /// Where lines stand: 0 to the left, 1 in the middle, 2 to the right.
    pub(super) side: i64,
    multiline: bool,
}

impl Field {
    /// A field with what it says of its looks; `None` if it has no area.
    pub(super) fn of(
        document: &Document,
        about: &Dictionary,
        looks: Option<&Dictionary>,
        appearance: Option<&[u8]>,
        side: i64,
        multiline: bool,
    ) -> Option<Self> {
        let rectangle = about.get_deref(b"Rect", document).ok()?.as_array().ok()?;
        let numbers = floats(rectangle);
        let [left, bottom, right, top] = numbers[..] else {
            return None;
        };
        let turn = looks.and_then(|looks| looks.get(b"R").ok()?.as_i64().ok());
        let turn = turn.unwrap_or(0).rem_euclid(360);
        let (mut width, mut height) = ((right - left).abs(), (top - bottom).abs());
        if width <= 0.0 || height <= 0.0 {
            return None;
        }
        if turn % 180 != 0 {
            (width, height) = (height, width);
        }
        let appearance = String::from_utf8_lossy(appearance.unwrap_or_default()).into_owned();
        let (size, colour) = appearance_of(&appearance);
        let style = about.get_deref(b"BS", document).and_then(Object::as_dict);
        let line = style.and_then(|style| style.get_deref(b"W", document)?.as_float());
        let line = line.unwrap_or(1.0).clamp(0.0, height);
        let ground = looks.map_or_else(String::new, |looks| ground(looks, (width, height), line));
        Some(Self {
            width,
            height,
            turn,
            size,
            colour,
            ground,
            side,
            multiline,
        })
    }

    /// Where its own picture lies on the page, turned.
    pub(super) fn matrix(&self) -> [f32; 6] {
        let (width, height) = (self.width, self.height);
        match self.turn {
            90 => [0.0, 1.0, -1.0, 0.0, height, 0.0],
            180 => [-1.0, 0.0, 0.0, -1.0, width, height],
            270 => [0.0, -1.0, 1.0, 0.0, 0.0, width],
            _ => [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        }
    }

    /// A text in lines, each set by `set`: words go to the next line where there may be several. It is set smaller than
    /// the field says where it would be cut off otherwise.
    pub(super) fn written(
        &self,
        text: &str,
        set: &mut dyn FnMut(&str) -> Outcome<Line>,
    ) -> Outcome<Written> {
        let paragraphs: Vec<String> = text.split(['\n', '\r']).map(plain).collect();
        if !self.multiline {
            let line = set(paragraphs.join(" ").trim())?;
            let across = (self.width - 2.0 * MARGIN) / line.width.max(0.01);
            let most = match self.size > 0.0 {
                true => self.size,
                false => (self.height * FILLED).min(SIZES.0),
            };
            return Ok(Written {
                size: across.min(most).max(SIZES.1.min(most)),
                lines: vec![line],
            });
        }
        let mut size = match self.size > 0.0 {
            true => self.size.min(LARGEST),
            false => SIZES.0,
        };
        loop {
            let lines = self.wrapped(&paragraphs, size, set)?;
            #[expect(clippy::cast_precision_loss, reason = "at most one a character")]
            let down = lines.len() as f32 * size * LEADING;
            if down <= self.height || size <= SIZES.1 {
                return Ok(Written { lines, size });
            }
            size = (size * SMALLER).max(SIZES.1);
        }
    }

    fn wrapped(
        &self,
        paragraphs: &[String],
        size: f32,
        set: &mut dyn FnMut(&str) -> Outcome<Line>,
    ) -> Outcome<Vec<Line>> {
        let most = (self.width - 2.0 * MARGIN) / size;
        let mut lines = Vec::new();
        for paragraph in paragraphs {
            let mut line = String::new();
            for word in paragraph.split(' ') {
                let longer = match line.is_empty() {
                    true => word.to_owned(),
                    false => format!("{line} {word}"),
                };
                if !line.is_empty() && set(&longer)?.width > most {
                    lines.push(set(&line)?);
                    line = word.to_owned();
                } else {
                    line = longer;
                }
            }
            lines.push(set(&line)?);
        }
        Ok(lines)
    }
}

/// A field's text as it is set.
pub(super) struct Written {
    lines: Vec<Line>,
    size: f32,
}

/// Operators that draw a field with its lines.
pub(super) fn content(field: &Field, written: &Written) -> String {
    let Written { lines, size } = written;
    let size = *size;
    let mut text = field.ground.clone();
    write!(
        text,
        "/Tx BMC q 0 0 {} {} re W n BT {} ",
        field.width, field.height, field.colour
    )
    .ok();
    let capitals = lines.first().map_or(0.0, |line| line.height) * size;
    let first = match field.multiline {
        true => field.height - MARGIN - size,
        false => (field.height - capitals) / 2.0,
    };
    let mut below = first;
    for line in lines {
        let free = field.width - line.width * size;
        let left = match field.side {
            1 => free / 2.0,
            2 => free - MARGIN,
            _ => MARGIN,
        };
        write!(text, "1 0 0 1 {left} {below} Tm {}", line.operators(size)).ok();
        below -= size * LEADING;
    }
    text.push_str("ET Q EMC");
    text
}

/// Characters that control nothing here.
fn plain(text: &str) -> String {
    let text = text
        .chars()
        .filter(|character| !character.is_control() || *character == '\t');
    text.map(|character| if character == '\t' { ' ' } else { character })
        .collect()
}

/// Size and colour of a default appearance [ISO 32000-1, 12.7.3.3].
fn appearance_of(appearance: &str) -> (f32, String) {
    let words: Vec<&str> = appearance.split_ascii_whitespace().collect();
    let font = words.iter().position(|word| *word == "Tf");
    let size = font.and_then(|font| words.get(font.checked_sub(1)?)?.parse().ok());
    let colour = words.iter().enumerate().find_map(|(index, word)| {
        let count = match *word {
            "g" => 1,
            "rg" => 3,
            "k" => 4,
            _ => return None,
        };
        let numbers = words.get(index.checked_sub(count)?..index)?;
        let valid = numbers.iter().all(|number| number.parse::<f32>().is_ok());
        valid.then(|| format!("{} {word}", numbers.join(" ")))
    });
    (
        size.filter(|size: &f32| size.is_finite() && *size >= 0.0)
            .unwrap_or(0.0),
        colour.unwrap_or_else(|| "0 g".to_owned()),
    )
}

/// Operators that fill a field and draw its border [ISO 32000-1, 12.5.6.19, table 189].
fn ground(looks: &Dictionary, (width, height): (f32, f32), border: f32) -> String {
    let colour = |key: &[u8], operators: [&str; 3]| {
        let numbers = floats(looks.get(key).ok()?.as_array().ok()?);
        let operator = match numbers.len() {
            1 => operators[0],
            3 => operators[1],
            4 => operators[2],
            _ => return None,
        };
        let numbers: Vec<String> = numbers.iter().map(f32::to_string).collect();
        Some(format!("{} {operator}", numbers.join(" ")))
    };
    let mut text = String::new();
    if let Some(fill) = colour(b"BG", ["g", "rg", "k"]) {
        write!(text, "q {fill} 0 0 {width} {height} re f Q ").ok();
    }
    if let Some(line) = colour(b"BC", ["G", "RG", "K"]).filter(|_| border > 0.0) {
        let (half, across, down) = (border / 2.0, width - border, height - border);
        write!(
            text,
            "q {border} w {line} {half} {half} {across} {down} re S Q "
        )
        .ok();
    }
    text
}

fn floats(numbers: &[Object]) -> Vec<f32> {
    let numbers = numbers.iter().filter_map(|number| number.as_float().ok());
    numbers.filter(|number| number.is_finite()).collect()
}
