//! Shared strings.

use layout::{Run, Script, Style};

use crate::error::{MarkupError, Result};
use crate::line::Line;
use crate::package::{Package, Relations};
use crate::partial_style::{self, PartialStyle};
use crate::theme::Theme;
use crate::warning::Loss;
use crate::xml::{self, Cursor, Element, Step};

/// Reads the shared string table.
pub(super) fn read(
    package: &mut Package,
    relations: &Relations,
    theme: &Theme,
) -> Result<Vec<Vec<Run>>> {
    let Some(part) = relations.of_kind("sharedStrings").next() else {
        return Ok(Vec::new());
    };
    let Some(bytes) = package.part(&part.target)? else {
        package.losses.add(Loss::Damaged);
        return Ok(Vec::new());
    };
    let text = xml::decode(&bytes);
    let mut cursor = Cursor::new(&text, &package.budget);
    let mut strings = Vec::new();
    loop {
        match cursor.step()? {
            Step::Open(element) if element.is("x:si") => {
                strings.push(runs(&cursor.fill(element)?, theme))
            }
            Step::Open(_) | Step::Close | Step::Text(_) => {}
            Step::End if strings.is_empty() && bytes.is_empty() => {
                return Err(MarkupError::Corrupt("a part is empty"));
            }
            Step::End => return Ok(strings),
        }
    }
}

/// Returns the runs of a string; runs without properties have the default style.
pub(super) fn runs(element: &Element, theme: &Theme) -> Vec<Run> {
    let mut line = Line::default();
    for inner in element.elements() {
        match inner.name() {
            "x:t" => line.push(&text(inner), &Style::default(), None),
            "x:r" => {
                let text_style = inner
                    .find("x:rPr")
                    .map(|properties| font_style(properties, theme))
                    .unwrap_or_default();
                let run_text = inner.find("x:t").map(text).unwrap_or_default();
                line.push(&run_text, &text_style.style(), None);
            }
            _ => {}
        }
    }
    line.trimmed_end()
}

/// Returns text with `_x000D_` escapes resolved; they represent characters that XML does not allow.
fn text(element: &Element) -> String {
    let text = element.text().replace("\r\n", "\n").replace('\r', "\n");
    match text.contains("_x") {
        true => unescaped(&text),
        false => text,
    }
}

fn unescaped(text: &str) -> String {
    let mut shown = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("_x") {
        shown.push_str(before);
        let code = after.get(..4).filter(|_| after.get(4..5) == Some("_"));
        match code.and_then(|code| u32::from_str_radix(code, 16).ok()) {
            Some(code) => {
                let character =
                    char::from_u32(code).filter(|c| !c.is_control() || *c == '\n' || *c == '\t');
                shown.extend(character);
                rest = after.get(5..).unwrap_or_default();
            }
            None => {
                shown.push_str("_x");
                rest = after;
            }
        }
    }
    shown + rest
}

/// Reads font properties.
pub(super) fn font_style(properties: &Element, theme: &Theme) -> PartialStyle {
    let value = |name| properties.find(name)?.get("val");
    let switch = |name| {
        let value = properties.find(name)?.get("val");
        Some(!matches!(value, Some("0" | "false" | "none")))
    };
    let size = value("x:sz").and_then(|size| size.parse::<f32>().ok());
    PartialStyle {
        font: value("x:rFont")
            .or_else(|| value("x:name"))
            .map(partial_style::family),
        size: size.filter(|size| (0.5..=2_000.0).contains(size)),
        bold: switch("x:b"),
        italic: switch("x:i"),
        underlined: switch("x:u"),
        strikethrough: switch("x:strike"),
        script: value("x:vertAlign").map(script),
        color: properties
            .find("x:color")
            .map(|color| self::color(color, theme)),
        ..PartialStyle::default()
    }
}

fn script(value: &str) -> Script {
    match value {
        "superscript" => Script::Super,
        "subscript" => Script::Sub,
        _ => Script::None,
    }
}

fn color(element: &Element, theme: &Theme) -> Option<[u8; 3]> {
    const THEMED: [&str; 12] = [
        "lt1", "dk1", "lt2", "dk2", "accent1", "accent2", "accent3", "accent4", "accent5",
        "accent6", "hlink", "folHlink",
    ];
    if let Some(number) = element.number::<usize>("theme") {
        // Light text is on a fill, which the model does not keep.
        return theme.color(THEMED.get(number)?).filter(|_| number > 1);
    }
    // The first two hexadecimal digits are the alpha channel.
    let text = element.get("rgb")?;
    crate::units::color(text.get(text.len().checked_sub(6)?..)?)
}

#[cfg(test)]
mod tests {
    use super::unescaped;

    #[test]
    fn escapes_are_resolved() {
        assert_eq!(unescaped("a_x000A_b_x0041_c_x000D_"), "a\nbAc");
        assert_eq!(unescaped("_x005F_x000D_ _xyz é_x"), "_x000D_ _xyz é_x");
    }
}
