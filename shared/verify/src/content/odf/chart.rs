//! Reads charts that are embedded in an ODF document [OpenDocument 1.3 part 3, 11].

use crate::content::item::{Item, Unreadable};
use crate::content::scope::Scope;
use crate::content::xml::{Node, walk};

/// Reads an embedded object if it is a chart: its titles, or all of its text.
pub(super) fn read(
    object: &[u8],
    scope: Scope,
    emit: &mut dyn FnMut(Item<'_>),
) -> Result<(), Unreadable> {
    let (mut is_chart, mut titles, mut paragraphs) = (false, 0_usize, 0_usize);
    walk(object, |node, _| match node {
        Node::Start(element) => match element.name() {
            "chart" if !is_chart => {
                is_chart = true;
                emit(Item::Chart);
            }
            "title" | "subtitle" => titles += 1,
            "p" => paragraphs += 1,
            _ => {}
        },
        Node::Text(text) => {
            let is_wanted = scope.is_result || titles > 0;
            if is_chart && scope.charts && is_wanted && paragraphs > 0 {
                emit(Item::Text(text));
            }
        }
        Node::End("title" | "subtitle") => titles = titles.saturating_sub(1),
        Node::End("p") => {
            paragraphs = paragraphs.saturating_sub(1);
            emit(Item::Break);
        }
        Node::End(_) => {}
    })
}
