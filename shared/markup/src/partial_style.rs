//! Partial character styles and their inheritance.

use layout::{Script, Style};

/// Maximum length of a font name in characters; each run has a copy.
const NAME: usize = 64;

/// Returns the name of a font without quotation marks, truncated.
pub(crate) fn family(name: &str) -> String {
    name.trim_matches(['\'', '"', ' '])
        .chars()
        .take(NAME)
        .collect()
}

/// Character properties of a style; `None` inherits.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PartialStyle {
    pub(crate) font: Option<String>,
    /// Points.
    pub(crate) size: Option<f32>,
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) underlined: Option<bool>,
    pub(crate) strikethrough: Option<bool>,
    pub(crate) capitals: Option<bool>,
    pub(crate) hidden: Option<bool>,
    pub(crate) script: Option<Script>,
    /// `Some(None)` is automatic: black, or the contrast to the background.
    pub(crate) color: Option<Option<[u8; 3]>>,
    pub(crate) monospaced: Option<bool>,
}

impl PartialStyle {
    /// Returns this style with unset properties inherited from `below`.
    pub(crate) fn over(&self, below: &Self) -> Self {
        Self {
            font: self.font.clone().or_else(|| below.font.clone()),
            size: self.size.or(below.size),
            bold: self.bold.or(below.bold),
            italic: self.italic.or(below.italic),
            underlined: self.underlined.or(below.underlined),
            strikethrough: self.strikethrough.or(below.strikethrough),
            capitals: self.capitals.or(below.capitals),
            hidden: self.hidden.or(below.hidden),
            script: self.script.or(below.script),
            color: self.color.or(below.color),
            monospaced: self.monospaced.or(below.monospaced),
        }
    }

    /// Converts to the model's style.
    pub(crate) fn style(&self) -> Style {
        let font = self.font.clone().unwrap_or_default();
        let color = self.color.flatten().filter(|color| *color != [0; 3]);
        Style {
            monospaced: self.monospaced.unwrap_or_else(|| is_monospaced(&font)),
            font,
            size: self.size.unwrap_or(0.0),
            bold: self.bold.unwrap_or(false),
            italic: self.italic.unwrap_or(false),
            underlined: self.underlined.unwrap_or(false),
            strikethrough: self.strikethrough.unwrap_or(false),
            script: self.script.unwrap_or_default(),
            color,
            ..Style::default()
        }
    }

    /// Returns text in upper case if the style has capitals.
    pub(crate) fn shown(&self, text: &str) -> String {
        match self.capitals {
            Some(true) => text.to_uppercase(),
            _ => text.to_owned(),
        }
    }
}

/// Whether the name of a font indicates that it is monospaced.
fn is_monospaced(font: &str) -> bool {
    let font = font.to_lowercase();
    [
        "courier",
        "consolas",
        "monospace",
        " mono",
        "menlo",
        "monaco",
        "typewriter",
    ]
    .iter()
    .any(|name| font.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unset_properties_are_inherited() {
        let text_style = |bold, size| PartialStyle {
            bold,
            size,
            ..PartialStyle::default()
        };
        let over = text_style(Some(false), None).over(&text_style(Some(true), Some(9.0)));
        assert_eq!(over, text_style(Some(false), Some(9.0)));
    }

    #[test]
    fn monospaced_fonts_are_recognized_by_name() {
        assert!(is_monospaced("Courier New") && is_monospaced("DejaVu Sans Mono"));
        assert!(!is_monospaced("Monotype Corsiva"));
    }
}
