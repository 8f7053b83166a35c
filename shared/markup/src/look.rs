//! How characters look as far as a style says so, laid over what another style says.

use layout::{Script, Style};

/// Most characters of a font's name: each run repeats it.
const NAME: usize = 64;

/// The name of a font, as far as one is read.
pub(crate) fn family(name: &str) -> String {
    name.trim_matches(['\'', '"', ' '])
        .chars()
        .take(NAME)
        .collect()
}

/// What a style says of characters; what it leaves open is `None`.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Look {
    pub(crate) font: Option<String>,
    /// Points.
    pub(crate) size: Option<f32>,
    pub(crate) bold: Option<bool>,
    pub(crate) italic: Option<bool>,
    pub(crate) underlined: Option<bool>,
    pub(crate) struck: Option<bool>,
    pub(crate) capitals: Option<bool>,
    pub(crate) hidden: Option<bool>,
    pub(crate) script: Option<Script>,
    /// `Some(None)` is black, or whatever the paper asks for.
    pub(crate) colour: Option<Option<[u8; 3]>>,
    pub(crate) monospaced: Option<bool>,
}

impl Look {
    /// This one, with what it leaves open taken from below.
    pub(crate) fn over(&self, below: &Self) -> Self {
        Self {
            font: self.font.clone().or_else(|| below.font.clone()),
            size: self.size.or(below.size),
            bold: self.bold.or(below.bold),
            italic: self.italic.or(below.italic),
            underlined: self.underlined.or(below.underlined),
            struck: self.struck.or(below.struck),
            capitals: self.capitals.or(below.capitals),
            hidden: self.hidden.or(below.hidden),
            script: self.script.or(below.script),
            colour: self.colour.or(below.colour),
            monospaced: self.monospaced.or(below.monospaced),
        }
    }

    /// What the model says of it.
    pub(crate) fn style(&self) -> Style {
        let font = self.font.clone().unwrap_or_default();
        let colour = self.colour.flatten().filter(|colour| *colour != [0; 3]);
        Style {
            monospaced: self.monospaced.unwrap_or_else(|| is_monospaced(&font)),
            font,
            size: self.size.unwrap_or(0.0),
            bold: self.bold.unwrap_or(false),
            italic: self.italic.unwrap_or(false),
            underlined: self.underlined.unwrap_or(false),
            struck: self.struck.unwrap_or(false),
            script: self.script.unwrap_or_default(),
            colour,
            unseen: false,
        }
    }

    /// Text as this look shows it.
    pub(crate) fn shown(&self, text: &str) -> String {
        match self.capitals {
            Some(true) => text.to_uppercase(),
            _ => text.to_owned(),
        }
    }
}

/// Whether the name of a font tells that all its characters are as wide.
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
    fn what_a_style_leaves_open_is_taken_from_below() {
        let look = |bold, size| Look {
            bold,
            size,
            ..Look::default()
        };
        let over = look(Some(false), None).over(&look(Some(true), Some(9.0)));
        assert_eq!(over, look(Some(false), Some(9.0)));
    }

    #[test]
    fn fonts_of_one_width_are_known_by_name() {
        assert!(is_monospaced("Courier New") && is_monospaced("DejaVu Sans Mono"));
        assert!(!is_monospaced("Monotype Corsiva"));
    }
}
