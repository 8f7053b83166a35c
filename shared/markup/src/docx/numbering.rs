//! Numbering definitions and the counters of lists.

use std::collections::HashMap;
use std::sync::Arc;

use super::properties::{self, is_on, value};
use crate::flow::Marker;
use crate::numbering_format::NumberingFormat;
use crate::symbols;
use crate::xml::Element;

/// Maximum number of list levels.
const LEVELS: usize = 9;
/// Maximum length of a marker in characters; each item has a copy.
const TEXT: usize = 255;

/// The numbering definitions and counters of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbering {
    lists: HashMap<String, List>,
    /// Counters of each abstract numbering by level; `None` before the first item.
    counts: HashMap<Arc<str>, [Option<u32>; LEVELS]>,
}

/// An abstract numbering definition (`w:abstractNum`); lists that share one continue each other's counters.
#[derive(Clone, Debug)]
struct AbstractNumbering {
    id: Arc<str>,
    levels: Arc<[Level]>,
}

/// A numbering instance (`w:num`).
#[derive(Clone, Debug)]
struct List {
    definition: AbstractNumbering,
    /// Level overrides.
    overrides: HashMap<usize, Level>,
    /// Start overrides: the number of its first item, by level.
    restarts: HashMap<usize, u32>,
}

/// A list level.
#[derive(Clone, Debug, Default)]
struct Level {
    /// Number format; `None` is a bullet.
    numbering: Option<NumberingFormat>,
    /// Whether its number is not displayed.
    silent: bool,
    /// Level text, with `%1` for the number of the first level.
    text: String,
    start: u32,
    /// Whether it does not restart after a higher level.
    never_restarts: bool,
    /// Whether all numbers are displayed as decimals (`isLgl`).
    legal: bool,
    style: Option<String>,
    /// Points.
    indent: Option<f32>,
}

impl Numbering {
    pub(super) fn read(root: &Element) -> Self {
        let definitions = abstract_numberings(root);
        let lists = root.all("w:num").filter_map(|one| {
            let id = one.get("w:numId")?.to_owned();
            Some((id, list(one, &definitions)?))
        });
        Self {
            lists: lists.collect(),
            counts: HashMap::new(),
        }
    }

    /// Returns the level that is linked to a paragraph style.
    pub(super) fn level_of_style(&self, list: &str, style: &str) -> Option<u8> {
        let list = self.lists.get(list)?;
        let is_of = |level: &Level| level.style.as_deref() == Some(style);
        let found = (0..LEVELS).find(|index| list.level(*index).is_some_and(is_of))?;
        u8::try_from(found).ok()
    }

    /// Returns the indent of a level, points.
    pub(super) fn indent(&self, list: &str, level: u8) -> Option<f32> {
        self.lists.get(list)?.level(usize::from(level))?.indent
    }

    /// Advances the counter and returns the marker of the next item; `None` if the marker is empty.
    pub(super) fn next(&mut self, list: &str, level: u8) -> Option<Marker> {
        let list = self.lists.get_mut(list)?;
        let index = usize::from(level).min(LEVELS - 1);
        let counts = self.counts.entry(list.definition.id.clone()).or_default();
        list.count(index, counts);
        let shown = list.level(index)?;
        let text = match shown.numbering {
            None => shown.text.clone(),
            Some(_) => list.shown(index, counts),
        };
        let text = text.trim().to_owned();
        (!text.is_empty()).then(|| Marker {
            level: index as u8,
            ordered: shown.numbering.is_some(),
            text,
        })
    }
}

impl List {
    fn level(&self, index: usize) -> Option<&Level> {
        let of_scheme = || self.definition.levels.get(index);
        self.overrides.get(&index).or_else(of_scheme)
    }

    /// Advances the counter of a level; starts higher levels that have not started and resets lower levels.
    fn count(&mut self, index: usize, counts: &mut [Option<u32>; LEVELS]) {
        let starts: Vec<u32> = (0..LEVELS)
            .map(|level| self.level(level).map_or(1, |level| level.start))
            .collect();
        let start = |level: usize| starts.get(level).copied().unwrap_or(1);
        for (level, count) in counts.iter_mut().enumerate() {
            match level.cmp(&index) {
                std::cmp::Ordering::Less => *count = count.or(Some(start(level))),
                std::cmp::Ordering::Equal => {
                    let next = count.map_or(start(level), |count| count.saturating_add(1));
                    *count = Some(self.restarts.remove(&level).unwrap_or(next));
                }
                std::cmp::Ordering::Greater
                    if self.level(level).is_some_and(|level| level.never_restarts) => {}
                std::cmp::Ordering::Greater => *count = None,
            }
        }
    }

    /// Formats the level text with its numbers.
    fn shown(&self, index: usize, counts: &[Option<u32>; LEVELS]) -> String {
        let Some(level) = self.level(index) else {
            return String::new();
        };
        let mut text = String::new();
        let mut characters = level.text.chars().peekable();
        while let Some(character) = characters.next() {
            let digit = characters.peek().and_then(|next| next.to_digit(10));
            match (character, digit) {
                ('%', Some(digit @ 1..=9)) => {
                    characters.next();
                    text.push_str(&self.number(digit as usize - 1, level.legal, counts));
                }
                (other, _) => text.push(other),
            }
        }
        text
    }

    fn number(&self, level: usize, legal: bool, counts: &[Option<u32>; LEVELS]) -> String {
        let count = counts.get(level).copied().flatten().unwrap_or(1);
        match self.level(level) {
            Some(level) if level.silent => String::new(),
            Some(_) if legal => count.to_string(),
            Some(level) => level.numbering.unwrap_or_default().format(count),
            None => count.to_string(),
        }
    }
}

/// Returns the abstract numbering definitions by id; a `numStyleLink` is replaced by the definition with that list style.
fn abstract_numberings(root: &Element) -> HashMap<&str, AbstractNumbering> {
    let all = || {
        root.all("w:abstractNum")
            .filter_map(|one| Some((one.get("w:abstractNumId")?, one)))
    };
    let own: HashMap<&str, AbstractNumbering> = all()
        .map(|(id, one)| (id, abstract_numbering(id, one)))
        .collect();
    let styles: HashMap<&str, &str> = all()
        .filter_map(|(id, one)| Some((value(one, "w:styleLink")?, id)))
        .collect();
    let linked = |one| own.get(styles.get(value(one, "w:numStyleLink")?)?);
    all()
        .filter_map(|(id, one)| Some((id, linked(one).or_else(|| own.get(id))?.clone())))
        .collect()
}

fn abstract_numbering(id: &str, element: &Element) -> AbstractNumbering {
    let mut levels = vec![Level::default(); LEVELS];
    for element in element.all("w:lvl") {
        if let Some(place) = levels.get_mut(index(element)) {
            *place = level(element);
        }
    }
    AbstractNumbering {
        id: id.into(),
        levels: levels.into(),
    }
}

fn list(num: &Element, definitions: &HashMap<&str, AbstractNumbering>) -> Option<List> {
    let definition = definitions.get(value(num, "w:abstractNumId")?)?;
    let changes = || num.all("w:lvlOverride");
    let own = changes().filter_map(|change| Some((index(change), level(change.find("w:lvl")?))));
    let start = |change| value(change, "w:startOverride")?.parse().ok();
    Some(List {
        definition: definition.clone(),
        overrides: own.collect(),
        restarts: changes()
            .filter_map(|change| Some((index(change), start(change)?)))
            .collect(),
    })
}

fn index(element: &Element) -> usize {
    element.number("w:ilvl").unwrap_or(0)
}

fn level(element: &Element) -> Level {
    let format = value(element, "w:numFmt").unwrap_or("decimal");
    let text = value(element, "w:lvlText").unwrap_or_default();
    let fonts = element.at(&["w:rPr", "w:rFonts"]);
    let font = fonts.and_then(|fonts| fonts.get("w:ascii").or_else(|| fonts.get("w:hAnsi")));
    let is_bullet = format == "bullet" || element.find("w:lvlPicBulletId").is_some();
    Level {
        numbering: (!is_bullet).then(|| numbering_format(format)),
        silent: format == "none",
        text: match is_bullet {
            true if text.trim().is_empty() => "•".to_owned(),
            true => symbols::bullet(&short(text), font.unwrap_or_default()),
            false => short(text),
        },
        start: value(element, "w:start")
            .and_then(|start| start.parse().ok())
            .unwrap_or(0),
        never_restarts: value(element, "w:lvlRestart") == Some("0"),
        legal: is_on(element, "w:isLgl"),
        style: value(element, "w:pStyle").map(str::to_owned),
        indent: element.find("w:pPr").and_then(properties::indent),
    }
}

fn short(text: &str) -> String {
    text.chars().take(TEXT).collect()
}

/// Maps an OOXML number format.
pub(super) fn numbering_format(format: &str) -> NumberingFormat {
    match format {
        "decimalZero" => NumberingFormat::Padded,
        "upperRoman" => NumberingFormat::UpperRoman,
        "lowerRoman" => NumberingFormat::LowerRoman,
        "upperLetter" => NumberingFormat::UpperLetter,
        "lowerLetter" => NumberingFormat::LowerLetter,
        "ordinal" => NumberingFormat::Ordinal,
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => NumberingFormat::Circled,
        "japaneseCounting"
        | "chineseCounting"
        | "chineseCountingThousand"
        | "taiwaneseCounting"
        | "ideographDigital"
        | "taiwaneseCountingThousand" => NumberingFormat::Chinese,
        "hebrew1" | "hebrew2" => NumberingFormat::Hebrew,
        "arabicAlpha" | "arabicAbjad" => NumberingFormat::Abjad,
        "russianLower" | "russianUpper" => NumberingFormat::Cyrillic,
        _ => NumberingFormat::Decimal,
    }
}
