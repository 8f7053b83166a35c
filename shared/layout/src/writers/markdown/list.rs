//! Lists: items are nested by indent under the text of the parent item.

use super::escape;
use super::inline::{Context, of_runs};
use crate::Item;
use crate::writers::marker::{Counter, Numerals, is_bullet, task};
use crate::writers::notes::Notes;
use crate::writers::plain;

/// Returns the text of a list, with a final line feed.
pub(super) fn list(items: &[Item], notes: &Notes) -> String {
    let mut text = String::new();
    // By open level: the column where the text of its items begins.
    let mut open: Vec<(u8, usize)> = Vec::new();
    for item in items {
        while open.last().is_some_and(|(level, _)| *level >= item.level) {
            open.pop();
        }
        let indent = open.last().map_or(0, |(_, column)| *column);
        let (marker, shown) = marker(item);
        let column = indent + marker.len() + 1;
        open.push((item.level, column));
        let body = of_runs(&item.runs, notes, Context::Item(column));
        let line = format!("{}{marker} {shown}{body}", " ".repeat(indent));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// Returns the Markdown marker, and the marker to write as text if Markdown has no equivalent.
fn marker(item: &Item) -> (String, String) {
    if let Some(is_done) = task(&item.marker) {
        let sign = if is_done { "[x] " } else { "[ ] " };
        return ("-".to_owned(), sign.to_owned());
    }
    let counter = Counter::read(&item.marker, None).filter(|_| item.ordered);
    match counter {
        Some(Counter {
            value,
            numerals: Numerals::Decimal,
            before,
            behind,
        }) if before.is_empty() && matches!(behind.as_str(), "." | ")") => {
            (format!("{value}{behind}"), String::new())
        }
        _ if item.ordered || !is_bullet(&item.marker) => (
            "-".to_owned(),
            format!(
                "{} ",
                escape::line_start(&escape::text(
                    &plain::clean(&item.marker),
                    escape::Place::default()
                ))
            ),
        ),
        _ => ("-".to_owned(), String::new()),
    }
}
