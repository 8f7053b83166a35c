//! The lists of a document, and how far each has counted.

use std::collections::HashMap;
use std::sync::Arc;

use super::properties::{self, is_on, value};
use crate::counting::Counting;
use crate::flow::Marker;
use crate::symbols;
use crate::xml::Element;

/// Most levels of a list.
const LEVELS: usize = 9;
/// Most characters of what stands before an item: each item repeats them.
const TEXT: usize = 255;

/// The lists of a document.
#[derive(Clone, Debug, Default)]
pub(super) struct Numbering {
    lists: HashMap<String, List>,
    /// How far each scheme of counting has come, by level; `None` is not begun.
    counts: HashMap<Arc<str>, [Option<u32>; LEVELS]>,
}

/// What lists have in common: those of the same scheme count on from each other.
#[derive(Clone, Debug)]
struct Scheme {
    id: Arc<str>,
    levels: Arc<[Level]>,
}

/// A list.
#[derive(Clone, Debug)]
struct List {
    scheme: Scheme,
    /// The levels that look otherwise than those of its scheme.
    own: HashMap<usize, Level>,
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
        let schemes = schemes(root);
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
        let list = self.lists.get(list)?;
        let is_of = |level: &Level| level.style.as_deref() == Some(style);
        let found = (0..LEVELS).find(|index| list.level(*index).is_some_and(is_of))?;
        u8::try_from(found).ok()
    }

    /// How far the items of a level of a list are indented, points.
    pub(super) fn indent(&self, list: &str, level: u8) -> Option<f32> {
        self.lists.get(list)?.level(usize::from(level))?.indent
    }

    /// Counts on, and tells what stands before the next item of a list; `None` if nothing does.
    pub(super) fn next(&mut self, list: &str, level: u8) -> Option<Marker> {
        let list = self.lists.get_mut(list)?;
        let index = usize::from(level).min(LEVELS - 1);
        let counts = self.counts.entry(list.scheme.id.clone()).or_default();
        list.count(index, counts);
        let shown = list.level(index)?;
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
    fn level(&self, index: usize) -> Option<&Level> {
        let of_scheme = || self.scheme.levels.get(index);
        self.own.get(&index).or_else(of_scheme)
    }

    /// Counts on at a level; levels above that were not begun begin, those below begin again.
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
                    if self.level(level).is_some_and(|level| level.goes_on) => {}
                std::cmp::Ordering::Greater => *count = None,
            }
        }
    }

    /// The text of a level with its numbers.
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
            Some(level) => level.counting.unwrap_or_default().show(count),
            None => count.to_string(),
        }
    }
}

/// The schemes by their ids; those that stand for a style of lists are the scheme which has that style.
fn schemes(root: &Element) -> HashMap<&str, Scheme> {
    let all = || {
        root.all("w:abstractNum")
            .filter_map(|one| Some((one.get("w:abstractNumId")?, one)))
    };
    let own: HashMap<&str, Scheme> = all().map(|(id, one)| (id, scheme(id, one))).collect();
    let styles: HashMap<&str, &str> = all()
        .filter_map(|(id, one)| Some((value(one, "w:styleLink")?, id)))
        .collect();
    let linked = |one| own.get(styles.get(value(one, "w:numStyleLink")?)?);
    all()
        .filter_map(|(id, one)| Some((id, linked(one).or_else(|| own.get(id))?.clone())))
        .collect()
}

fn scheme(id: &str, element: &Element) -> Scheme {
    let mut levels = vec![Level::default(); LEVELS];
    for element in element.all("w:lvl") {
        if let Some(place) = levels.get_mut(index(element)) {
            *place = level(element);
        }
    }
    Scheme {
        id: id.into(),
        levels: levels.into(),
    }
}

fn list(num: &Element, schemes: &HashMap<&str, Scheme>) -> Option<List> {
    let scheme = schemes.get(value(num, "w:abstractNumId")?)?;
    let changes = || num.all("w:lvlOverride");
    let own = changes().filter_map(|change| Some((index(change), level(change.find("w:lvl")?))));
    let start = |change| value(change, "w:startOverride")?.parse().ok();
    Some(List {
        scheme: scheme.clone(),
        own: own.collect(),
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
        counting: (!is_bullet).then(|| counting(format)),
        silent: format == "none",
        text: match is_bullet {
            true if text.trim().is_empty() => "•".to_owned(),
            true => symbols::bullet(&short(text), font.unwrap_or_default()),
            false => short(text),
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

fn short(text: &str) -> String {
    text.chars().take(TEXT).collect()
}

/// What counts as a format of numbers says.
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
