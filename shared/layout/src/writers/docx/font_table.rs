//! The font table: how programs find a substitute for each font that the document names.

mod alternatives;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use self::alternatives::alternatives;
pub(super) use self::alternatives::key;
use super::WORD;
use crate::writers::font::generic_family;
use crate::writers::xml::Escaped;

/// Maximum number of entries; fonts that first occur later have none.
const MOST: usize = 1_024;

/// The fonts by name, with whether all their runs have characters of equal width: code may be written in any font.
#[derive(Default)]
pub(super) struct FontTable(BTreeMap<String, bool>);

impl FontTable {
    /// Adds the font of a run.
    pub(super) fn add(&mut self, name: &str, is_monospaced: bool) {
        let has_room = self.0.len() < MOST;
        match self.0.get_mut(name) {
            Some(known) => *known &= is_monospaced,
            None if has_room => {
                self.0.insert(name.to_owned(), is_monospaced);
            }
            None => {}
        }
    }

    /// Adds the font of styles.
    pub(super) fn add_default(&mut self, name: &str) {
        if !self.0.contains_key(name) {
            self.add(name, false);
        }
    }

    /// Returns the font table part.
    pub(super) fn xml(&self) -> String {
        let fonts = self.0.iter();
        let fonts: String = fonts
            .map(|(name, is_monospaced)| entry(name, *is_monospaced))
            .collect();
        format!("<w:fonts xmlns:w=\"{WORD}\">{fonts}</w:fonts>")
    }
}

/// Returns the entry of a font, in schema order.
fn entry(name: &str, is_monospaced: bool) -> String {
    let mut xml = format!("<w:font w:name=\"{}\">", Escaped(name));
    let alternatives = alternatives(name).join(",");
    if !alternatives.is_empty() {
        write!(xml, "<w:altName w:val=\"{alternatives}\"/>").ok();
    }
    let (family, pitch) = match generic_family(name, is_monospaced) {
        "monospace" => ("modern", "fixed"),
        "serif" => ("roman", "variable"),
        _ => ("swiss", "variable"),
    };
    write!(
        xml,
        "<w:family w:val=\"{family}\"/><w:pitch w:val=\"{pitch}\"/></w:font>"
    )
    .ok();
    xml
}

#[cfg(test)]
mod tests {
    use super::{FontTable, MOST, entry};

    #[test]
    fn entries_have_alternatives_family_and_pitch() {
        assert_eq!(
            entry("Liberation Serif", false),
            "<w:font w:name=\"Liberation Serif\"><w:altName w:val=\"Times New Roman,Tinos\"/>\
             <w:family w:val=\"roman\"/><w:pitch w:val=\"variable\"/></w:font>"
        );
        assert_eq!(
            entry("A & B", true),
            "<w:font w:name=\"A &amp; B\"><w:family w:val=\"modern\"/><w:pitch w:val=\"fixed\"/></w:font>"
        );
    }

    #[test]
    fn entries_are_sorted_unique_and_limited() {
        let mut fonts = FontTable::default();
        for (name, is_monospaced) in [("B", true), ("A", true), ("B", true), ("A", false)] {
            fonts.add(name, is_monospaced);
        }
        fonts.add_default("B");
        for number in 0..MOST {
            fonts.add(&format!("Font {number}"), false);
        }
        let xml = fonts.xml();
        assert_eq!(xml.matches("<w:font ").count(), MOST);
        assert_eq!(xml.matches("w:name=\"B\"").count(), 1);
        assert_eq!(xml.matches("\"fixed\"").count(), 1);
        assert!(xml.find("\"A\"") < xml.find("\"B\""));
    }
}
