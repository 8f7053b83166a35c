//! Control words for character and paragraph properties.

use layout::{Alignment, Script};

use super::state::{Paragraph, State};
use crate::partial_style::PartialStyle;

/// Applies a control word; returns `false` if it sets no such property.
pub(super) fn apply(state: &mut State, word: &str, number: Option<i32>) -> bool {
    characters(state, word, number) || paragraph(&mut state.paragraph, word, number)
}

fn characters(state: &mut State, word: &str, number: Option<i32>) -> bool {
    let on = Some(number != Some(0));
    let text_style = &mut state.text_style;
    match word {
        "plain" => {
            state.text_style = PartialStyle::default();
            state.font = -1;
            state.deleted = false;
        }
        "b" => text_style.bold = on,
        "i" => text_style.italic = on,
        "ul" | "uld" | "uldash" | "uldashd" | "uldashdd" | "uldb" | "ulth" | "ulw" | "ulwave" => {
            text_style.underlined = on
        }
        "ulnone" => text_style.underlined = Some(false),
        "strike" | "striked" => text_style.strikethrough = on,
        "caps" => text_style.capitals = on,
        "v" => text_style.hidden = on,
        "super" => {
            text_style.script = Some(if on == Some(true) {
                Script::Super
            } else {
                Script::None
            })
        }
        "sub" => {
            text_style.script = Some(if on == Some(true) {
                Script::Sub
            } else {
                Script::None
            })
        }
        "up" => {
            text_style.script = Some(if number.unwrap_or(6) > 0 {
                Script::Super
            } else {
                Script::None
            })
        }
        "dn" => {
            text_style.script = Some(if number.unwrap_or(6) > 0 {
                Script::Sub
            } else {
                Script::None
            })
        }
        "nosupersub" => text_style.script = Some(Script::None),
        "fs" => {
            text_style.size = number
                .map(|half| half as f32 / 2.0)
                .filter(|size| (0.5..=2_000.0).contains(size))
        }
        "deleted" => state.deleted = on == Some(true),
        _ => return false,
    }
    true
}

fn paragraph(paragraph: &mut Paragraph, word: &str, number: Option<i32>) -> bool {
    let count = usize::try_from(number.unwrap_or(0)).unwrap_or(0);
    match word {
        "pard" => *paragraph = Paragraph::default(),
        "ql" => paragraph.alignment = Alignment::Start,
        "qc" => paragraph.alignment = Alignment::Center,
        "qr" => paragraph.alignment = Alignment::End,
        "qj" | "qd" => paragraph.alignment = Alignment::Justified,
        "s" => paragraph.style = number,
        "outlinelevel" => paragraph.outline = u8::try_from(count).ok(),
        "ilvl" | "pnlvl" => paragraph.level = count.min(8) as u8,
        "pagebb" => paragraph.breaks_before = number != Some(0),
        "intbl" => paragraph.tables = paragraph.tables.max(1),
        "itap" => paragraph.tables = count,
        _ => return false,
    }
    true
}

/// Returns the character of a control word.
pub(super) fn character(word: &str) -> Option<&'static str> {
    Some(match word {
        "line" | "column" | "softline" => "\n",
        "tab" => "\t",
        "emdash" => "—",
        "endash" => "–",
        "lquote" => "‘",
        "rquote" => "’",
        "ldblquote" => "“",
        "rdblquote" => "”",
        "bullet" => "•",
        "emspace" => "\u{2003}",
        "enspace" => "\u{2002}",
        "qmspace" => "\u{2005}",
        "zwj" => "\u{200d}",
        "zwnj" => "\u{200c}",
        _ => return None,
    })
}
