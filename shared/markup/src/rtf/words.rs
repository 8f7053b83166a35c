//! What control words change: how characters look and what their paragraph is.

use layout::{Alignment, Script};

use super::state::{Paragraph, State};
use crate::look::Look;

/// Takes a word of characters or paragraphs; `false` if it is none.
pub(super) fn take(state: &mut State, word: &str, number: Option<i32>) -> bool {
    characters(state, word, number) || paragraph(&mut state.paragraph, word, number)
}

fn characters(state: &mut State, word: &str, number: Option<i32>) -> bool {
    let on = Some(number != Some(0));
    let look = &mut state.look;
    match word {
        "plain" => {
            state.look = Look::default();
            state.font = -1;
            state.deleted = false;
        }
        "b" => look.bold = on,
        "i" => look.italic = on,
        "ul" | "uld" | "uldash" | "uldashd" | "uldashdd" | "uldb" | "ulth" | "ulw" | "ulwave" => {
            look.underlined = on
        }
        "ulnone" => look.underlined = Some(false),
        "strike" | "striked" => look.struck = on,
        "caps" => look.capitals = on,
        "v" => look.hidden = on,
        "super" => {
            look.script = Some(if on == Some(true) {
                Script::Super
            } else {
                Script::None
            })
        }
        "sub" => {
            look.script = Some(if on == Some(true) {
                Script::Sub
            } else {
                Script::None
            })
        }
        "up" => {
            look.script = Some(if number.unwrap_or(6) > 0 {
                Script::Super
            } else {
                Script::None
            })
        }
        "dn" => {
            look.script = Some(if number.unwrap_or(6) > 0 {
                Script::Sub
            } else {
                Script::None
            })
        }
        "nosupersub" => look.script = Some(Script::None),
        "fs" => {
            look.size = number
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
        "qc" => paragraph.alignment = Alignment::Centre,
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

/// The character that a word stands for.
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
