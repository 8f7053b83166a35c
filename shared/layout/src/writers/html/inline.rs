//! Runs as HTML.

use std::fmt::Write as _;

use crate::writers::link::{Target, target};
use crate::writers::notes::{Note, Notes};
use crate::writers::xml::Escaped;
use crate::{Run, Script};

/// Returns the HTML of runs.
pub(super) fn html(runs: &[Run], notes: &Notes) -> String {
    let mut html = String::new();
    for run in runs {
        let text = Escaped(&run.text).to_string().replace('\n', "<br>");
        let shown = if let Some(note) = notes.at(run) {
            reference(note, &text)
        } else {
            linked(run, &styled(run, text))
        };
        // Writing to a string cannot fail.
        html.write_str(&shown).ok();
    }
    html
}

fn reference(note: &Note, label: &str) -> String {
    let number = note.number;
    let id = if note.is_first_mention() {
        format!(" id=\"reference-{number}\"")
    } else {
        String::new()
    };
    format!("<sup><a{id} href=\"#note-{number}\" role=\"doc-noteref\">{label}</a></sup>")
}

fn linked(run: &Run, text: &str) -> String {
    match run.link.as_deref().and_then(target) {
        Some(Target::Page(page)) => format!("<a href=\"#page-{page}\">{text}</a>"),
        Some(Target::External(url)) => format!("<a href=\"{}\">{text}</a>", Escaped(&url)),
        None => text.to_owned(),
    }
}

fn styled(run: &Run, mut text: String) -> String {
    let style = &run.style;
    if text.trim().is_empty() {
        return text;
    }
    let tags = [
        (style.script == Script::Sub, "sub"),
        (style.script == Script::Super, "sup"),
        (style.monospaced, "code"),
        (style.strikethrough, "s"),
        (style.underlined && run.link.is_none(), "u"),
        (style.italic, "em"),
        (style.bold, "strong"),
    ];
    for (_, tag) in tags.iter().filter(|(is_set, _)| *is_set) {
        text = format!("<{tag}>{text}</{tag}>");
    }
    let color = match style.color {
        _ if style.invisible => Some("color:transparent".to_owned()),
        color => color.map(|color| format!("color:{}", hex(color))),
    };
    let highlight = style
        .highlight
        .map(|color| format!("background:{}", hex(color)));
    let declarations: Vec<String> = color.into_iter().chain(highlight).collect();
    match declarations.is_empty() {
        true => text,
        false => format!("<span style=\"{}\">{text}</span>", declarations.join(";")),
    }
}

/// Returns a color in CSS.
pub(super) fn hex([red, green, blue]: [u8; 3]) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// Returns the `dir` attribute of right-to-left text.
pub(super) fn direction(is_rtl: bool) -> &'static str {
    if is_rtl { " dir=\"rtl\"" } else { "" }
}
