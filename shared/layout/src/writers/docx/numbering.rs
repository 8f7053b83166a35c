//! Numbering definitions derived from list markers.

use std::fmt::Write as _;

use crate::Item;
use crate::writers::marker::{Counter, Numerals, is_bullet};
use crate::writers::xml::Escaped;

/// The lists of a document.
#[derive(Default)]
pub(super) struct Numbering {
    lists: Vec<List>,
    /// Last number of the last list, by level.
    last: [Option<Counter>; LEVELS],
}

/// Maximum number of levels of a list.
const LEVELS: usize = 9;

/// A list: the marker format of each level and its start.
#[derive(Default)]
struct List {
    levels: [Option<Marker>; LEVELS],
}

#[derive(Clone, PartialEq, Eq)]
enum Marker {
    Bullet(String),
    Counter(Counter),
}

impl Marker {
    fn of(item: &Item, last: Option<&Counter>) -> Option<Self> {
        if item.ordered {
            return Counter::read(&item.marker, last).map(Self::Counter);
        }
        let sign = item.marker.trim();
        // Private use characters of symbol fonts have no meaning in other fonts.
        let is_private = sign.chars().any(|c| matches!(c, '\u{e000}'..='\u{f8ff}'));
        match sign.chars().count() {
            _ if is_private && is_bullet(sign) => Some(Self::Bullet("•".to_owned())),
            0 => Some(Self::Bullet("•".to_owned())),
            1..=3 if !is_private && !sign.contains('%') => Some(Self::Bullet(sign.to_owned())),
            _ => None,
        }
    }

    /// Whether an item with this marker continues a level that started with `first`; `last` is the last number there.
    fn fits(&self, first: &Self, last: Option<&Counter>) -> bool {
        match (self, first, last) {
            (Self::Bullet(one), Self::Bullet(other), _) => one == other,
            (Self::Counter(one), Self::Counter(_), Some(last)) => one.follows(last),
            // After an item of a higher level numbering restarts; programs agree on this only for 1.
            (Self::Counter(one), Self::Counter(first), None) => one == first && one.value == 1,
            _ => false,
        }
    }
}

impl Numbering {
    /// Returns level and list number of an item; `None` if no numbering produces its marker.
    pub(super) fn of(&mut self, item: &Item) -> Option<(u8, u32)> {
        let level = item.level.min(8);
        let index = usize::from(level);
        let last = self.last.get(index)?.as_ref();
        let marker = Marker::of(item, last)?;
        let list = self.lists.last();
        let goes_on = list.is_some_and(|list| list.continues(index, &marker, last));
        if !goes_on {
            self.lists.push(List::default());
            self.last = Default::default();
        }
        let place = self.lists.last_mut()?.levels.get_mut(index)?;
        place.get_or_insert_with(|| marker.clone());
        for last in self.last.iter_mut().skip(index) {
            *last = None;
        }
        if let Marker::Counter(counter) = marker {
            *self.last.get_mut(index)? = Some(counter);
        }
        Some((level, u32::try_from(self.lists.len()).ok()?))
    }

    /// Returns the numbering part. Lists with the same formats share an abstract definition.
    pub(super) fn xml(&self) -> String {
        let (mut definitions, mut order) = (std::collections::HashMap::new(), Vec::new());
        let mut numbers = String::new();
        for (list, number) in self.lists.iter().zip(1..) {
            let definition = list.levels_xml();
            let known = definitions.len();
            let definition_number = *definitions.entry(definition.clone()).or_insert_with(|| {
                order.push(definition);
                known
            });
            let starts = list.starts();
            write!(numbers, "<w:num w:numId=\"{number}\"><w:abstractNumId w:val=\"{definition_number}\"/>{starts}</w:num>").ok();
        }
        let mut xml = format!("<w:numbering xmlns:w=\"{}\">", super::WORD);
        for (number, definition) in order.iter().enumerate() {
            write!(xml, "<w:abstractNum w:abstractNumId=\"{number}\"><w:multiLevelType w:val=\"hybridMultilevel\"/>{definition}</w:abstractNum>").ok();
        }
        xml + &numbers + "</w:numbering>"
    }
}

impl List {
    /// Whether an item continues the list. Programs differ in how a level continues after a skipped deeper one.
    fn continues(&self, index: usize, marker: &Marker, last: Option<&Counter>) -> bool {
        match self.levels.get(index).and_then(Option::as_ref) {
            Some(first) => marker.fits(first, last),
            None => self.levels.iter().skip(index).all(Option::is_none),
        }
    }

    fn levels_xml(&self) -> String {
        let mut xml = String::new();
        for (level, marker) in self.levels.iter().enumerate() {
            if let Some(marker) = marker {
                let (numerals, text) = marker.number_format(level);
                let left = 720 + 360 * level;
                write!(
                    xml,
                    "<w:lvl w:ilvl=\"{level}\"><w:start w:val=\"1\"/><w:numFmt w:val=\"{numerals}\"/><w:lvlText w:val=\"{}\"/>\
<w:lvlJc w:val=\"left\"/><w:pPr><w:ind w:left=\"{left}\" w:hanging=\"360\"/></w:pPr></w:lvl>",
                    Escaped(&text)
                )
                .ok();
            }
        }
        xml
    }

    fn starts(&self) -> String {
        let mut xml = String::new();
        for (level, marker) in self.levels.iter().enumerate() {
            if let Some(Marker::Counter(counter)) = marker {
                let value = counter.value;
                write!(xml, "<w:lvlOverride w:ilvl=\"{level}\"><w:startOverride w:val=\"{value}\"/></w:lvlOverride>").ok();
            }
        }
        xml
    }
}

impl Marker {
    fn number_format(&self, level: usize) -> (&'static str, String) {
        match self {
            Self::Bullet(sign) => ("bullet", sign.clone()),
            Self::Counter(counter) => (
                match counter.numerals {
                    Numerals::Decimal => "decimal",
                    Numerals::LowerLetter => "lowerLetter",
                    Numerals::UpperLetter => "upperLetter",
                    Numerals::LowerRoman => "lowerRoman",
                    Numerals::UpperRoman => "upperRoman",
                },
                format!("{}%{}{}", counter.before, level + 1, counter.behind),
            ),
        }
    }
}
