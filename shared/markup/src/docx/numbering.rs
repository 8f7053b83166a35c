//! The lists of a document, and how far each has counted.

use std::collections::HashMap;

use super::properties::{self, is_on, value};
use crate::counting::Counting;
use crate::flow::Marker;
use crate::symbols;
use crate::xml::Element;

/// Most levels of a list.
const LEVELS: usize = 9;

/// The lists of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbering {
    lists: HashMap<String, List>,
    /// How far each scheme of counting has come, by level; `None` is not begun.
    counts: HashMap<String, [Option<u32>; LEVELS]>,
}

/// A list: lists of the same scheme count on from each other.
#[derive(Clone, Debug, Default)]
struct List {
    scheme: String,
    levels: Vec<Level>,
    /// Where its first item begins to count again, by level.
    restarts: HashMap<usize, u32>,
}

/// How a level of a list looks.
#[derive(Clone, Debug, Default)]
struct Level {
    /// `None` is a bullet.
    counting: Option<Counting>,
    /// Nothing is shown of its number.
    silent: bool,
    /// With `%1` for the number of the first level.
    text: String,
    start: u32,
    /// It goes on counting when a level above does.
    goes_on: bool,
    /// All numbers are decimal.
    legal: bool,
    style: Option<String>,
    /// Points.
    indent: Option<f32>,
}

impl Numbering {
    pub(super) fn read(root: &Element) -> Self {
        let schemes: HashMap<&str, &Element> = root
            .all("w:abstractNum")
            .filter_map(|one| Some((one.get("w:abstractNumId")?, one)))
            .collect();
        let lists = root.all("w:num").filter_map(|one| {
            let id = one.get("w:numId")?.to_owned();
            Some((id, list(one, &schemes)?))
        });
        Self {
            lists: lists.collect(),
            counts: HashMap::new(),
        }
    }

    /// The level of paragraphs of a style in a list.
    pub(super) fn level_of_style(&self, list: &str, style: &str) -> Option<u8> {
        let levels = &self.lists.get(list)?.levels;
        let found = levels
            .iter()
            .position(|level| level.style.as_deref() == Some(style))?;
        u8::try_from(found).ok()
    }

    /// How far the items of a level of a list are indented, points.
    pub(super) fn indent(&self, list: &str, level: u8) -> Option<f32> {
        self.lists.get(list)?.levels.get(usize::from(level))?.indent
    }

    /// Counts on, and tells what stands before the next item of a list; `None` if nothing does.
    pub(super) fn next(&mut self, list: &str, level: u8) -> Option<Marker> {
        let list = self.lists.get_mut(list)?;
        let index = usize::from(level).min(LEVELS - 1);
        let counts = self.counts.entry(list.scheme.clone()).or_default();
        list.count(index, counts);
        let shown = list.levels.get(index)?;
        let text = match shown.counting {
            None => shown.text.clone(),
            Some(_) => list.shown(index, counts),
        };
        let text = text.trim().to_owned();
        (!text.is_empty()).then(|| Marker {
            level: index as u8,
            ordered: shown.counting.is_some(),
            text,
        })
    }
}

impl List {
    /// Counts on at a level; levels above that were not begun begin, those below begin again.
    fn count(&mut self, index: usize, counts: &mut [Option<u32>; LEVELS]) {
        let start = |level: usize| self.levels.get(level).map_or(1, |level| level.start);
        for (level, count) in counts.iter_mut().enumerate() {
            match level.cmp(&index) {
                std::cmp::Ordering::Less => *count = count.or(Some(start(level))),
                std::cmp::Ordering::Equal => {
                    let next = count.map_or(start(level), |count| count.saturating_add(1));
                    *count = Some(self.restarts.remove(&level).unwrap_or(next));
                }
                std::cmp::Ordering::Greater
                    if self.levels.get(level).is_some_and(|level| level.goes_on) => {}
                std::cmp::Ordering::Greater => *count = None,
            }
        }
    }

    /// The text of a level with its numbers.
    fn shown(&self, index: usize, counts: &[Option<u32>; LEVELS]) -> String {
        let Some(level) = self.levels.get(index) else {
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
        match self.levels.get(level) {
            Some(level) if level.silent => String::new(),
            Some(_) if legal => count.to_string(),
            Some(level) => level.counting.unwrap_or_default().show(count),
            None => count.to_string(),
        }
    }
}

fn list(num: &Element, schemes: &HashMap<&str, &Element>) -> Option<List> {
    let named = value(num, "w:abstractNumId")?;
    let scheme = schemes.get(named)?;
    let scheme = value(scheme, "w:numStyleLink")
        .and_then(|link| linked(link, schemes))
        .unwrap_or(scheme);
    let mut list = List {
        scheme: scheme.get("w:abstractNumId").unwrap_or(named).to_owned(),
        levels: vec![Level::default(); LEVELS],
        restarts: HashMap::new(),
    };
    for element in scheme.all("w:lvl") {
        list.set(index(element), level(element));
    }
    for change in num.all("w:lvlOverride") {
        let index = index(change);
        if let Some(element) = change.find("w:lvl") {
            list.set(index, level(element));
        }
        if let Some(start) = value(change, "w:startOverride").and_then(|start| start.parse().ok()) {
            list.restarts.insert(index, start);
        }
    }
    Some(list)
}

/// The scheme that a style of lists stands for.
fn linked<'a>(link: &str, schemes: &HashMap<&str, &'a Element>) -> Option<&'a Element> {
    let stands_for = |scheme: &&&'a Element| value(scheme, "w:styleLink") == Some(link);
    schemes.values().find(stands_for).copied()
}

impl List {
    fn set(&mut self, index: usize, level: Level) {
        if let Some(place) = self.levels.get_mut(index) {
            *place = level;
        }
    }
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
        counting: (!is_bullet).then(|| counting(format)),
        silent: format == "none",
        text: match is_bullet {
            true if text.trim().is_empty() => "•".to_owned(),
            true => symbols::bullet(text, font.unwrap_or_default()),
            false => text.to_owned(),
        },
        start: value(element, "w:start")
            .and_then(|start| start.parse().ok())
            .unwrap_or(0),
        goes_on: value(element, "w:lvlRestart") == Some("0"),
        legal: is_on(element, "w:isLgl"),
        style: value(element, "w:pStyle").map(str::to_owned),
        indent: element.find("w:pPr").and_then(properties::indent),
    }
}

pub(super) fn counting(format: &str) -> Counting {
    match format {
        "decimalZero" => Counting::Padded,
        "upperRoman" => Counting::UpperRoman,
        "lowerRoman" => Counting::LowerRoman,
        "upperLetter" => Counting::UpperLetter,
        "lowerLetter" => Counting::LowerLetter,
        "ordinal" => Counting::Ordinal,
        "decimalEnclosedCircle" | "decimalEnclosedCircleChinese" => Counting::Circled,
        "japaneseCounting"
        | "chineseCounting"
        | "chineseCountingThousand"
        | "taiwaneseCounting"
        | "ideographDigital"
        | "taiwaneseCountingThousand" => Counting::Chinese,
        "hebrew1" | "hebrew2" => Counting::Hebrew,
        "arabicAlpha" | "arabicAbjad" => Counting::Abjad,
        "russianLower" | "russianUpper" => Counting::Cyrillic,
        _ => Counting::Decimal,
    }
}
