//! List styles and the counters of lists.

use std::collections::HashMap;

use crate::flow::Marker;
use crate::numbering_format::NumberingFormat;
use crate::symbols;
use crate::units;
use crate::xml::Element;

/// Maximum number of list levels.
const LEVELS: usize = 10;

/// Maximum length of the prefix and suffix of a number, and of a bullet, in characters; each item has a copy.
const TEXT: usize = 255;

/// List styles by name, and their counters.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    styles: HashMap<String, Vec<Level>>,
    counts: HashMap<String, [u32; LEVELS]>,
    outline: Vec<Level>,
    headings: [u32; LEVELS],
}

/// A list level style.
#[derive(Clone, Debug, Default)]
struct Level {
    kind: LabelKind,
    prefix: String,
    suffix: String,
    /// Number of levels in the displayed number.
    shown: usize,
    start: u32,
    /// Indent, points.
    indent: f32,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum LabelKind {
    #[default]
    None,
    Bullet(String),
    Number(NumberingFormat),
}

impl Lists {
    /// Reads the list styles in these elements.
    pub(super) fn read<'a>(groups: impl Iterator<Item = &'a Element>) -> Self {
        let mut lists = Self::default();
        for element in groups.flat_map(Element::elements) {
            match element.name() {
                "text:list-style" => {
                    let name = element.get("style:name").unwrap_or_default().to_owned();
                    lists.styles.insert(name, levels(element));
                }
                "text:outline-style" => lists.outline = levels(element),
                _ => {}
            }
        }
        lists
    }

    /// Resets the counters of a list.
    pub(super) fn restart(&mut self, list: &str) {
        self.counts.remove(list);
    }

    /// Advances the counter of a level, or sets it to `start`, and returns the marker of the item; `None` if it has none.
    pub(super) fn next(&mut self, list: &str, level: usize, start: Option<u32>) -> Option<Marker> {
        let styles = self.styles.get(list).map(Vec::as_slice).unwrap_or_default();
        let counts = self.counts.entry(list.to_owned()).or_default();
        marker(styles, counts, level, start)
    }

    /// Returns the indent of a level, points.
    pub(super) fn indent(&self, list: &str, level: usize) -> f32 {
        let style = self.styles.get(list).and_then(|levels| levels.get(level));
        style.map_or(0.0, |style| style.indent)
    }

    /// Returns the number of the next heading of a level, from 1.
    pub(super) fn heading(&mut self, level: usize) -> Option<String> {
        let marker = marker(
            &self.outline,
            &mut self.headings,
            level.checked_sub(1)?,
            None,
        )?;
        marker.ordered.then_some(marker.text)
    }
}

fn marker(
    styles: &[Level],
    counts: &mut [u32; LEVELS],
    level: usize,
    start: Option<u32>,
) -> Option<Marker> {
    let level = level.min(LEVELS - 1);
    let begin = |level: usize| styles.get(level).map_or(1, |style| style.start);
    for (index, count) in counts.iter_mut().enumerate() {
        match index.cmp(&level) {
            // Counters are stored plus one; zero means not started.
            std::cmp::Ordering::Less if *count == 0 => *count = begin(index).saturating_add(1),
            std::cmp::Ordering::Less => {}
            std::cmp::Ordering::Equal if *count == 0 => {
                *count = start.unwrap_or(begin(index)).saturating_add(1)
            }
            std::cmp::Ordering::Equal => *count = start.unwrap_or(*count).saturating_add(1),
            std::cmp::Ordering::Greater => *count = 0,
        }
    }
    let style = styles.get(level)?;
    let text = match &style.kind {
        LabelKind::None => return None,
        LabelKind::Bullet(bullet) => bullet.clone(),
        LabelKind::Number(_) => format!(
            "{}{}{}",
            style.prefix,
            numbers(styles, counts, level),
            style.suffix
        ),
    };
    let text = text.trim().to_owned();
    (!text.is_empty()).then_some(Marker {
        level: level as u8,
        ordered: matches!(style.kind, LabelKind::Number(_)),
        text,
    })
}

/// Formats the numbers of a level and of the higher levels that it displays.
fn numbers(styles: &[Level], counts: &[u32; LEVELS], level: usize) -> String {
    let shown = styles.get(level).map_or(1, |style| style.shown.max(1));
    let first = (level + 1).saturating_sub(shown);
    let number = |level: usize| {
        let count = counts.get(level)?.saturating_sub(1);
        match styles.get(level)?.kind {
            LabelKind::Number(numbering) => Some(numbering.format(count)),
            _ => None,
        }
    };
    (first..=level)
        .filter_map(number)
        .collect::<Vec<_>>()
        .join(".")
}

fn levels(list: &Element) -> Vec<Level> {
    let mut levels = vec![Level::default(); LEVELS];
    for element in list.elements() {
        let number = element.number::<usize>("text:level").unwrap_or(1);
        if let Some(place) = levels.get_mut(number.saturating_sub(1)) {
            *place = level(element);
        }
    }
    levels
}

fn level(element: &Element) -> Level {
    let declared = |name| short(element.get(name).unwrap_or_default());
    let kind = match element.name() {
        "text:list-level-style-bullet" => LabelKind::Bullet(bullet(element)),
        "text:list-level-style-image" => LabelKind::Bullet("•".to_owned()),
        _ => match element.get("style:num-format") {
            None | Some("") => LabelKind::None,
            Some(format) => LabelKind::Number(numbering_format(format)),
        },
    };
    Level {
        kind,
        prefix: declared("style:num-prefix"),
        suffix: declared("style:num-suffix"),
        shown: element.number("text:display-levels").unwrap_or(1),
        start: element.number("text:start-value").unwrap_or(1),
        indent: indent(element),
    }
}

/// Returns the indent, in either positioning mode: the label alignment margin, or the space before the label plus its width.
fn indent(level: &Element) -> f32 {
    let Some(properties) = level.find("style:list-level-properties") else {
        return 0.0;
    };
    let length = |element: &Element, name| element.get(name).and_then(units::length);
    let edge = properties
        .find("style:list-level-label-alignment")
        .and_then(|alignment| length(alignment, "fo:margin-left"));
    let room = ["text:space-before", "text:min-label-width"];
    edge.unwrap_or_else(|| {
        room.iter()
            .filter_map(|name| length(properties, name))
            .sum()
    })
}

fn short(text: &str) -> String {
    text.chars().take(TEXT).collect()
}

fn bullet(element: &Element) -> String {
    let properties = element.find("style:text-properties");
    let font = properties.and_then(|properties| {
        properties
            .get("fo:font-family")
            .or_else(|| properties.get("style:font-name"))
    });
    let font = font.unwrap_or_default().trim_matches(['\'', '"']);
    let text = short(element.get("text:bullet-char").unwrap_or("•"));
    symbols::bullet(&text, font)
}

fn numbering_format(format: &str) -> NumberingFormat {
    match format {
        "A" => NumberingFormat::UpperLetter,
        "a" => NumberingFormat::LowerLetter,
        "I" => NumberingFormat::UpperRoman,
        "i" => NumberingFormat::LowerRoman,
        "1st" => NumberingFormat::Ordinal,
        "01" => NumberingFormat::Padded,
        "①, ②, ③, ..." => NumberingFormat::Circled,
        format if format.starts_with('一') => NumberingFormat::Chinese,
        format if format.starts_with('א') => NumberingFormat::Hebrew,
        format if format.starts_with('α') => NumberingFormat::Greek,
        format if format.starts_with('أ') => NumberingFormat::Abjad,
        format if format.starts_with('а') => NumberingFormat::Cyrillic,
        _ => NumberingFormat::Decimal,
    }
}
