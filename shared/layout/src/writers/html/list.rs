//! Lists as nested lists with matching numbering.

use super::inline::{self, direction};
use crate::Item;
use crate::writers::direction::are_rtl;
use crate::writers::marker::{Counter, Numerals, is_bullet, task};
use crate::writers::notes::Notes;
use crate::writers::xml::Escaped;

/// Returns the HTML of a list, with a final line feed.
pub(super) fn list(items: &[Item], notes: &Notes) -> String {
    let mut text = String::new();
    let mut open: Vec<Open> = Vec::new();
    for item in items {
        while open.last().is_some_and(|open| open.level > item.level) && open.len() > 1 {
            close(&mut open, &mut text);
        }
        let kind = MarkerKind::of(item, open.last());
        let goes_on = open
            .last()
            .is_some_and(|open| open.level >= item.level && open.kind.is_like(&kind));
        match open.last_mut() {
            Some(open) if goes_on => {
                text.push_str("</li>\n");
                text.push_str(&open.next(&kind));
            }
            last => {
                let is_deeper = last.is_none_or(|open| open.level < item.level);
                if !is_deeper {
                    close(&mut open, &mut text);
                }
                begin(&mut open, item, kind.clone(), &mut text);
            }
        }
        let content = inline::html(&item.runs, notes);
        text.push_str(&match &kind {
            MarkerKind::Shown(marker) => format!("{} {content}", Escaped(marker)),
            MarkerKind::Task(is_done) => check_box(*is_done, &content),
            MarkerKind::Bulleted | MarkerKind::Counted(_) => content,
        });
    }
    while !open.is_empty() {
        close(&mut open, &mut text);
    }
    text
}

/// An open list with its last item.
struct Open {
    level: u8,
    kind: MarkerKind,
}

#[derive(Clone)]
enum MarkerKind {
    Bulleted,
    /// A task list item; `true` is completed.
    Task(bool),
    Counted(Counter),
    /// Markers without equivalent in HTML, written as text.
    Shown(String),
}

/// Whether the characters around a number carry no meaning; `[12]` may be cited.
fn is_plain(counter: &Counter) -> bool {
    let mut signs = counter.before.chars().chain(counter.behind.chars());
    signs.all(|sign| matches!(sign, '.' | '(' | ')'))
}

impl MarkerKind {
    fn of(item: &Item, last: Option<&Open>) -> Self {
        let last = last
            .filter(|open| open.level == item.level)
            .and_then(|open| match &open.kind {
                Self::Counted(counter) => Some(counter),
                _ => None,
            });
        if let Some(is_done) = task(&item.marker) {
            return Self::Task(is_done);
        }
        match Counter::read(&item.marker, last) {
            _ if !item.ordered && is_bullet(&item.marker) => Self::Bulleted,
            Some(counter) if item.ordered && is_plain(&counter) => Self::Counted(counter),
            _ => Self::Shown(item.marker.clone()),
        }
    }

    fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Bulleted, Self::Bulleted)
            | (Self::Task(_), Self::Task(_))
            | (Self::Shown(_), Self::Shown(_)) => true,
            (Self::Counted(one), Self::Counted(other)) => one.is_like(other),
            _ => false,
        }
    }

    fn tag(&self) -> &'static str {
        if matches!(self, Self::Counted(_)) {
            "ol"
        } else {
            "ul"
        }
    }
}

impl Open {
    /// Begins the next item.
    fn next(&mut self, kind: &MarkerKind) -> String {
        let last = std::mem::replace(&mut self.kind, kind.clone());
        match (last, kind) {
            (MarkerKind::Counted(last), MarkerKind::Counted(counter))
                if !counter.follows(&last) =>
            {
                format!("<li value=\"{}\">", counter.value)
            }
            _ => "<li>".to_owned(),
        }
    }
}

fn begin(open: &mut Vec<Open>, item: &Item, kind: MarkerKind, text: &mut String) {
    let direction = if open.is_empty() {
        direction(are_rtl(&item.runs))
    } else {
        ""
    };
    let how = match &kind {
        MarkerKind::Bulleted => String::new(),
        MarkerKind::Shown(_) | MarkerKind::Task(_) => " class=\"marked\"".to_owned(),
        MarkerKind::Counted(counter) => counted(counter),
    };
    text.push_str(&format!(
        "{}<{}{how}{direction}>\n<li>",
        if open.is_empty() { "" } else { "\n" },
        kind.tag()
    ));
    open.push(Open {
        level: item.level,
        kind,
    });
}

/// Returns a check box.
fn check_box(is_done: bool, content: &str) -> String {
    let checked = if is_done { " checked" } else { "" };
    format!("<label><input type=\"checkbox\" disabled{checked}> {content}</label>")
}

fn counted(counter: &Counter) -> String {
    let numerals = match counter.numerals {
        Numerals::Decimal => "",
        Numerals::LowerLetter => " type=\"a\"",
        Numerals::UpperLetter => " type=\"A\"",
        Numerals::LowerRoman => " type=\"i\"",
        Numerals::UpperRoman => " type=\"I\"",
    };
    let start = if counter.value == 1 {
        String::new()
    } else {
        format!(" start=\"{}\"", counter.value)
    };
    format!("{numerals}{start}")
}

fn close(open: &mut Vec<Open>, text: &mut String) {
    if let Some(open) = open.pop() {
        text.push_str(&format!("</li>\n</{}>\n", open.kind.tag()));
    }
}
