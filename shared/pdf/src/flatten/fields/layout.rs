//! Lays out the text of a form field: lines and font size.

use std::fmt::Write as _;

use lopdf::{Dictionary, Document, Object};
use task::TaskResult;

use crate::text_drawing::Line;

/// Margin between text and field, in points.
pub(super) const MARGIN: f32 = 2.0;
/// Line height relative to the font size.
const LEADING: f32 = 1.25;
/// Largest and smallest automatic font size.
pub(super) const AUTO_SIZES: (f32, f32) = (12.0, 4.0);
/// Largest font size of multi-line text, and the factor for the next smaller one if the text does not fit.
const MAX_MULTILINE_SIZE: f32 = 300.0;
const SHRINK_FACTOR: f32 = 0.9;
/// Maximum part of the field's height for a line with automatic font size.
pub(super) const MAX_LINE_HEIGHT: f32 = 0.7;

/// Layout of a form field. Lengths are points.
#[derive(Clone)]
pub(super) struct Field {
    /// Length along its lines, regardless of rotation.
    pub(super) width: f32,
    /// Length across its lines.
    pub(super) height: f32,
    /// Counterclockwise rotation in degrees relative to the page.
    rotation: i64,
    /// Font size; 0 means automatic.
    pub(super) size: f32,
    /// Operators that set the text color.
    pub(super) color: String,
    /// Operators that draw background and border.
    pub(super) background: String,
    /// Text alignment: 0 is left, 1 is center, 2 is right.
    pub(super) alignment: i64,
    multiline: bool,
}

impl Field {
    /// Reads the layout from the appearance characteristics; `None` if the field has no area.
    pub(super) fn of(
        document: &Document,
        dict: &Dictionary,
        characteristics: Option<&Dictionary>,
        appearance: Option<&[u8]>,
        alignment: i64,
        multiline: bool,
    ) -> Option<Self> {
        let rectangle = dict.get_deref(b"Rect", document).ok()?.as_array().ok()?;
        let numbers = floats(rectangle);
        let [left, bottom, right, top] = numbers[..] else {
            return None;
        };
        let rotation = characteristics
            .and_then(|characteristics| characteristics.get(b"R").ok()?.as_i64().ok());
        let rotation = rotation.unwrap_or(0).rem_euclid(360);
        let (mut width, mut height) = ((right - left).abs(), (top - bottom).abs());
        if width <= 0.0 || height <= 0.0 {
            return None;
        }
        if rotation % 180 != 0 {
            (width, height) = (height, width);
        }
        let appearance = String::from_utf8_lossy(appearance.unwrap_or_default()).into_owned();
        let (size, color) = appearance_of(&appearance);
        let style = dict.get_deref(b"BS", document).and_then(Object::as_dict);
        let line = style.and_then(|style| style.get_deref(b"W", document)?.as_float());
        let line = line.unwrap_or(1.0).clamp(0.0, height);
        let background = characteristics.map_or_else(String::new, |characteristics| {
            background(characteristics, (width, height), line)
        });
        Some(Self {
            width,
            height,
            rotation,
            size,
            color,
            background,
            alignment,
            multiline,
        })
    }

    /// Matrix of the appearance stream, which applies the rotation.
    pub(super) fn matrix(&self) -> [f32; 6] {
        let (width, height) = (self.width, self.height);
        match self.rotation {
            90 => [0.0, 1.0, -1.0, 0.0, height, 0.0],
            180 => [-1.0, 0.0, 0.0, -1.0, width, height],
            270 => [0.0, -1.0, 1.0, 0.0, 0.0, width],
            _ => [1.0, 0.0, 0.0, 1.0, 0.0, 0.0],
        }
    }

    /// Fits a text into the field. Words wrap if it is multi-line. The font size is reduced below that of the field if the text
    /// would be truncated otherwise.
    pub(super) fn fit(
        &self,
        text: &str,
        set: &mut dyn FnMut(&str) -> TaskResult<Line>,
    ) -> TaskResult<FittedText> {
        let paragraphs: Vec<String> = text.split(['\n', '\r']).map(without_controls).collect();
        if !self.multiline {
            let line = set(paragraphs.join(" ").trim())?;
            let across = (self.width - 2.0 * MARGIN) / line.width.max(0.01);
            let most = match self.size > 0.0 {
                true => self.size,
                false => (self.height * MAX_LINE_HEIGHT).min(AUTO_SIZES.0),
            };
            return Ok(FittedText {
                size: across.min(most).max(AUTO_SIZES.1.min(most)),
                lines: vec![line],
            });
        }
        let mut size = match self.size > 0.0 {
            true => self.size.min(MAX_MULTILINE_SIZE),
            false => AUTO_SIZES.0,
        };
        loop {
            let lines = self.wrapped(&paragraphs, size, set)?;
            #[expect(clippy::cast_precision_loss, reason = "at most one line per character")]
            let down = lines.len() as f32 * size * LEADING;
            if down <= self.height || size <= AUTO_SIZES.1 {
                return Ok(FittedText { lines, size });
            }
            size = (size * SHRINK_FACTOR).max(AUTO_SIZES.1);
        }
    }

    fn wrapped(
        &self,
        paragraphs: &[String],
        size: f32,
        set: &mut dyn FnMut(&str) -> TaskResult<Line>,
    ) -> TaskResult<Vec<Line>> {
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

/// Text of a field with line breaks and font size.
pub(super) struct FittedText {
    lines: Vec<Line>,
    size: f32,
}

/// Returns the operators that draw a field with its text.
pub(super) fn content(field: &Field, fit: &FittedText) -> String {
    let FittedText { lines, size } = fit;
    let size = *size;
    let mut text = field.background.clone();
    write!(
        text,
        "/Tx BMC q 0 0 {} {} re W n BT {} ",
        field.width, field.height, field.color
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
        let left = match field.alignment {
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

/// Removes control characters.
fn without_controls(text: &str) -> String {
    let text = text
        .chars()
        .filter(|character| !character.is_control() || *character == '\t');
    text.map(|character| if character == '\t' { ' ' } else { character })
        .collect()
}

/// Parses font size and color of a default appearance string [ISO 32000-1, 12.7.3.3].
fn appearance_of(appearance: &str) -> (f32, String) {
    let words: Vec<&str> = appearance.split_ascii_whitespace().collect();
    let font = words.iter().position(|word| *word == "Tf");
    let size = font.and_then(|font| words.get(font.checked_sub(1)?)?.parse().ok());
    let color = words.iter().enumerate().find_map(|(index, word)| {
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
        color.unwrap_or_else(|| "0 g".to_owned()),
    )
}

/// Returns the operators that draw background and border [ISO 32000-1, 12.5.6.19, table 189].
fn background(characteristics: &Dictionary, (width, height): (f32, f32), border: f32) -> String {
    let color = |key: &[u8], operators: [&str; 3]| {
        let numbers = floats(characteristics.get(key).ok()?.as_array().ok()?);
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
    if let Some(fill) = color(b"BG", ["g", "rg", "k"]) {
        write!(text, "q {fill} 0 0 {width} {height} re f Q ").ok();
    }
    if let Some(line) = color(b"BC", ["G", "RG", "K"]).filter(|_| border > 0.0) {
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
