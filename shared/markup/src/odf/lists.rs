//! The lists of a document, and how far each has counted.

use std::collections::HashMap;

use crate::counting::Counting;
use crate::flow::Marker;
use crate::symbols;
use crate::units;
use crate::xml::Element;

/// Most levels of a list.
const LEVELS: usize = 10;

/// Most characters before, between or behind the numbers of items: each item repeats them.
const TEXT: usize = 255;

/// The styles of lists by name, and how far their items have counted.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    styles: HashMap<String, Vec<Level>>,
    counts: HashMap<String, [u32; LEVELS]>,
    outline: Vec<Level>,
    titles: [u32; LEVELS],
}

/// How a level of a list looks.
#[derive(Clone, Debug, Default)]
struct Level {
    kind: Kind,
    prefix: String,
    suffix: String,
    /// How many levels' numbers are shown.
    shown: usize,
    start: u32,
    /// How far its items are indented, points.
    indent: f32,
}

#[derive(Clone, Debug, Default, PartialEq)]
enum Kind {
    #[default]
    Silent,
    Bullet(String),
    Number(Counting),
}

impl Lists {
    /// The lists in these elements of parts.
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

    /// Lets a list begin to count again.
    pub(super) fn restart(&mut self, list: &str) {
        self.counts.remove(list);
    }

    /// Counts on at a level, from `start` if it is said, and tells what stands before the item; `None` if nothing does.
    pub(super) fn next(&mut self, list: &str, level: usize, start: Option<u32>) -> Option<Marker> {
        let styles = self.styles.get(list).map(Vec::as_slice).unwrap_or_default();
        let counts = self.counts.entry(list.to_owned()).or_default();
        marker(styles, counts, level, start)
    }

    /// How far the items of a level are indented, points.
    pub(super) fn indent(&self, list: &str, level: usize) -> f32 {
        let style = self.styles.get(list).and_then(|levels| levels.get(level));
        style.map_or(0.0, |style| style.indent)
    }

    /// The number of the next title of a level, from 1.
    pub(super) fn title(&mut self, level: usize) -> Option<String> {
        let marker = marker(&self.outline, &mut self.titles, level.checked_sub(1)?, None)?;
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
            // Counts are kept one up, so that zero is not begun.
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
        Kind::Silent => return None,
        Kind::Bullet(bullet) => bullet.clone(),
        Kind::Number(_) => format!(
            "{}{}{}",
            style.prefix,
            numbers(styles, counts, level),
            style.suffix
        ),
    };
    let text = text.trim().to_owned();
    (!text.is_empty()).then_some(Marker {
        level: level as u8,
        ordered: matches!(style.kind, Kind::Number(_)),
        text,
    })
}

/// The numbers of a level and of those above that it shows.
fn numbers(styles: &[Level], counts: &[u32; LEVELS], level: usize) -> String {
    let shown = styles.get(level).map_or(1, |style| style.shown.max(1));
    let first = (level + 1).saturating_sub(shown);
    let number = |level: usize| {
        let count = counts.get(level)?.saturating_sub(1);
        match styles.get(level)?.kind {
            Kind::Number(counting) => Some(counting.show(count)),
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
    let said = |name| short(element.get(name).unwrap_or_default());
    let kind = match element.name() {
        "text:list-level-style-bullet" => Kind::Bullet(bullet(element)),
        "text:list-level-style-image" => Kind::Bullet("•".to_owned()),
        _ => match element.get("style:num-format") {
            None | Some("") => Kind::Silent,
            Some(format) => Kind::Number(counting(format)),
        },
    };
    Level {
        kind,
        prefix: said("style:num-prefix"),
        suffix: said("style:num-suffix"),
        shown: element.number("text:display-levels").unwrap_or(1),
        start: element.number("text:start-value").unwrap_or(1),
        indent: indent(element),
    }
}

/// Both ways to say where text stands: by its own edge, or by the room before its marker and for it.
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

fn counting(format: &str) -> Counting {
    match format {
        "A" => Counting::UpperLetter,
        "a" => Counting::LowerLetter,
        "I" => Counting::UpperRoman,
        "i" => Counting::LowerRoman,
        "1st" => Counting::Ordinal,
        "01" => Counting::Padded,
        "①, ②, ③, ..." => Counting::Circled,
        format if format.starts_with('一') => Counting::Chinese,
        format if format.starts_with('א') => Counting::Hebrew,
        format if format.starts_with('α') => Counting::Greek,
        format if format.starts_with('أ') => Counting::Abjad,
        format if format.starts_with('а') => Counting::Cyrillic,
        _ => Counting::Decimal,
    }
}
