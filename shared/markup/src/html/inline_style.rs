//! Inline styles and presentational attributes.

use layout::{Alignment, Script};

use crate::partial_style::{self, PartialStyle};
use crate::units;
use crate::xml::Element;

/// Maximum number of declarations that are read from an element.
const DECLARATIONS: usize = 64;

/// Returns the text style of an element.
pub(super) fn text_style(element: &Element) -> PartialStyle {
    let mut text_style = PartialStyle::default();
    if element.is("font") {
        text_style.color = element.get("color").map(color);
        text_style.font = element.get("face").map(first_family);
    }
    for (name, value) in declarations(element) {
        match name.as_str() {
            "font-weight" => text_style.bold = Some(is_bold(value)),
            "font-style" => text_style.italic = Some(value != "normal"),
            "text-decoration" | "text-decoration-line" => {
                text_style.underlined = Some(value.contains("underline"));
                text_style.strikethrough = Some(value.contains("line-through"));
            }
            "text-transform" => text_style.capitals = Some(value == "uppercase"),
            "color" => text_style.color = Some(color(value)),
            "font-family" => text_style.font = Some(first_family(value)),
            "font-size" => {
                text_style.size = units::length(value).filter(|size| (0.5..=2_000.0).contains(size))
            }
            "vertical-align" => text_style.script = Some(script(value)),
            _ => {}
        }
    }
    text_style
}

/// Returns the text alignment of an element.
pub(super) fn alignment(element: &Element) -> Option<Alignment> {
    let by_style = declarations(element)
        .into_iter()
        .find(|(name, _)| name == "text-align");
    let declared = by_style
        .map(|(_, value)| value)
        .or_else(|| element.get("align").filter(|_| !element.is("img")))?;
    Some(match declared.to_ascii_lowercase().as_str() {
        "center" | "middle" => Alignment::Center,
        "right" | "end" => Alignment::End,
        "justify" => Alignment::Justified,
        _ => Alignment::Start,
    })
}

/// Whether an element has a border.
pub(super) fn has_border(element: &Element) -> bool {
    let draws = |(name, value): (String, &str)| {
        let is_side = matches!(
            name.as_str(),
            "border"
                | "border-style"
                | "border-top"
                | "border-bottom"
                | "border-left"
                | "border-right"
        );
        let mut words = value.split_whitespace();
        is_side && words.any(|word| matches!(word, "solid" | "double" | "dashed" | "dotted"))
    };
    declarations(element).into_iter().any(draws)
}

/// Whether an element is hidden.
pub(super) fn is_hidden(element: &Element) -> bool {
    let is_invisible = |value: &str| matches!(value, "hidden" | "collapse");
    is_removed(element) || declares(element, "visibility", is_invisible)
}

/// Whether an element is hidden and takes no space.
pub(super) fn is_removed(element: &Element) -> bool {
    let hidden = element.get("hidden");
    hidden.is_some_and(|value| value != "until-found")
        || declares(element, "display", |value| value == "none")
}

/// Whether an element has a property with such a value, in lower case.
fn declares(element: &Element, property: &str, is_wanted: impl Fn(&str) -> bool) -> bool {
    declarations(element).into_iter().any(|(name, value)| {
        let value = value.to_ascii_lowercase();
        let value = value.trim_end_matches("important");
        name == property && is_wanted(value.trim_end_matches([' ', '!']))
    })
}

fn declarations(element: &Element) -> Vec<(String, &str)> {
    let style = element.get("style").unwrap_or_default();
    let split = style
        .split(';')
        .take(DECLARATIONS)
        .filter_map(|declaration| declaration.split_once(':'));
    split
        .map(|(name, value)| (name.trim().to_ascii_lowercase(), value.trim()))
        .collect()
}

fn is_bold(value: &str) -> bool {
    matches!(value, "bold" | "bolder") || value.parse::<u32>().is_ok_and(|weight| weight >= 600)
}

fn script(value: &str) -> Script {
    match value {
        "super" => Script::Super,
        "sub" => Script::Sub,
        _ => Script::None,
    }
}

fn first_family(value: &str) -> String {
    let first = value.split(',').next().unwrap_or_default();
    partial_style::family(first.trim())
}

/// Parses a color: a name, hexadecimal digits or `rgb()`.
fn color(value: &str) -> Option<[u8; 3]> {
    let value = value.trim().to_ascii_lowercase();
    if let Some(parts) = value
        .strip_prefix("rgb(")
        .and_then(|rest| rest.strip_suffix(')'))
    {
        let mut parts = parts
            .split([',', ' '])
            .filter(|part| !part.is_empty())
            .map(|part| part.parse::<u8>().ok());
        return Some([parts.next()??, parts.next()??, parts.next()??]);
    }
    if let Some(short) = value.strip_prefix('#').filter(|short| short.len() == 3) {
        let doubled: String = short.chars().flat_map(|digit| [digit, digit]).collect();
        return units::color(&doubled);
    }
    Some(match value.as_str() {
        "red" => [255, 0, 0],
        "green" => [0, 128, 0],
        "blue" => [0, 0, 255],
        "gray" | "grey" => [128, 128, 128],
        "navy" => [0, 0, 128],
        "maroon" => [128, 0, 0],
        "purple" => [128, 0, 128],
        "teal" => [0, 128, 128],
        "orange" => [255, 165, 0],
        _ => return units::color(value.strip_prefix('#')?),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_parsed() {
        assert_eq!(color("#abc"), Some([0xaa, 0xbb, 0xcc]));
        assert_eq!(color("RGB(1, 2, 3)"), Some([1, 2, 3]));
        assert_eq!(color("Teal"), Some([0, 128, 128]));
        assert_eq!(color("#é1"), None);
    }
}
