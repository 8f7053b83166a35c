//! Bullets and numbering of paragraphs.

use crate::flow::Marker;
use crate::numbering_format::NumberingFormat;
use crate::symbols;
use crate::xml::Element;

/// Maximum length of a bullet in characters; each item has a copy.
const TEXT: usize = 8;

/// The counters of a shape's paragraphs by level.
#[derive(Debug, Default)]
pub(super) struct Bullets {
    counts: [u32; 9],
}

impl Bullets {
    /// Returns the marker of the next paragraph. `sources` are its properties and those it inherits, the nearest first.
    pub(super) fn next(&mut self, level: usize, sources: &[&Element]) -> Option<Marker> {
        let level = level.min(self.counts.len() - 1);
        self.counts
            .iter_mut()
            .skip(level + 1)
            .for_each(|count| *count = 0);
        let bullet = sources.iter().find_map(|source| bullet(source))?;
        let text = match bullet.name() {
            "a:buAutoNum" => self.number(level, bullet),
            "a:buChar" => shown(bullet, sources),
            "a:buBlip" => "•".to_owned(),
            _ => String::new(),
        };
        let ordered = bullet.is("a:buAutoNum");
        if !ordered && let Some(count) = self.counts.get_mut(level) {
            *count = 0;
        }
        (!text.is_empty()).then_some(Marker {
            level: level as u8,
            ordered,
            text,
        })
    }

    fn number(&mut self, level: usize, bullet: &Element) -> String {
        let start: u32 = bullet.number("startAt").unwrap_or(1);
        let Some(count) = self.counts.get_mut(level) else {
            return String::new();
        };
        let number = start.saturating_add(*count);
        *count += 1;
        numbered(bullet.get("type").unwrap_or("arabicPeriod"), number)
    }
}

fn bullet(source: &Element) -> Option<&Element> {
    source.elements().find(|inner| {
        matches!(
            inner.name(),
            "a:buNone" | "a:buAutoNum" | "a:buChar" | "a:buBlip"
        )
    })
}

fn shown(bullet: &Element, sources: &[&Element]) -> String {
    let font = sources
        .iter()
        .find_map(|source| source.find("a:buFont")?.get("typeface"));
    let text: String = bullet
        .get("char")
        .unwrap_or("•")
        .chars()
        .take(TEXT)
        .collect();
    symbols::bullet(&text, font.unwrap_or_default())
}

/// Formats a number with a scheme such as `alphaLcParenR`.
fn numbered(scheme: &str, number: u32) -> String {
    let numbering = match scheme {
        scheme if scheme.starts_with("alphaLc") => NumberingFormat::LowerLetter,
        scheme if scheme.starts_with("alphaUc") => NumberingFormat::UpperLetter,
        scheme if scheme.starts_with("romanLc") => NumberingFormat::LowerRoman,
        scheme if scheme.starts_with("romanUc") => NumberingFormat::UpperRoman,
        scheme if scheme.starts_with("circle") => NumberingFormat::Circled,
        scheme if scheme.starts_with("ea1") => NumberingFormat::Chinese,
        scheme if scheme.starts_with("hebrew") => NumberingFormat::Hebrew,
        _ => NumberingFormat::Decimal,
    };
    let number = numbering.format(number);
    match scheme {
        scheme if scheme.ends_with("ParenBoth") => format!("({number})"),
        scheme if scheme.ends_with("ParenR") => format!("{number})"),
        scheme if scheme.ends_with("Plain") => number,
        scheme if scheme.ends_with("Minus") => format!("{number}-"),
        _ => format!("{number}."),
    }
}

#[cfg(test)]
mod tests {
    use super::numbered;

    #[test]
    fn numbers_are_formatted_by_scheme() {
        assert_eq!(numbered("arabicPeriod", 3), "3.");
        assert_eq!(numbered("alphaLcParenR", 2), "b)");
        assert_eq!(numbered("romanUcParenBoth", 4), "(IV)");
        assert_eq!(numbered("arabicPlain", 1), "1");
    }
}
