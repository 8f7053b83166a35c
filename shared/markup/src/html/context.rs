//! What holds within an element: how text looks, where it leads to, and what its paragraphs are.

use layout::{Alignment, Script};

use super::inline_style;
use crate::link;
use crate::look::Look;
use crate::xml::Element;

/// What holds within an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    pub(super) look: Look,
    pub(super) link: Option<String>,
    pub(super) alignment: Alignment,
    /// Spaces and ends of lines are kept.
    pub(super) preformatted: bool,
    /// The level of the title that it is in.
    pub(super) heading: Option<u8>,
    /// How many lists it is in.
    pub(super) lists: u8,
    pub(super) in_item: bool,
}

impl Context {
    /// What holds within an element in this one.
    pub(super) fn within(&self, element: &Element) -> Self {
        let mut inner = self.clone();
        let look = Look {
            bold: matches!(element.name(), "b" | "strong" | "th").then_some(true),
            italic: matches!(
                element.name(),
                "i" | "em" | "cite" | "var" | "dfn" | "address"
            )
            .then_some(true),
            underlined: matches!(element.name(), "u" | "ins").then_some(true),
            struck: matches!(element.name(), "s" | "strike" | "del").then_some(true),
            monospaced: matches!(
                element.name(),
                "code" | "kbd" | "samp" | "tt" | "pre" | "xmp" | "listing"
            )
            .then_some(true),
            script: match element.name() {
                "sup" => Some(Script::Super),
                "sub" => Some(Script::Sub),
                _ => None,
            },
            ..Look::default()
        };
        inner.look = inline_style::look(element).over(&look).over(&inner.look);
        inner.alignment = inline_style::alignment(element).unwrap_or(self.alignment);
        match element.name() {
            "a" => inner.link = linked(element).or(inner.link),
            "pre" | "xmp" | "listing" | "textarea" | "plaintext" => inner.preformatted = true,
            "center" => inner.alignment = Alignment::Centre,
            "h1" | "h2" | "h3" | "h4" | "h5" | "h6" => inner.heading = level(element),
            "td" | "th" | "caption" => {
                inner.in_item = false;
                inner.lists = 0;
            }
            _ => {}
        }
        inner
    }
}

fn level(element: &Element) -> Option<u8> {
    element.name().strip_prefix('h')?.parse().ok()
}

/// Where a link leads to outside of the page.
fn linked(element: &Element) -> Option<String> {
    // Places in the page are not kept.
    let target = link::allowed(element.get("href")?)?;
    (!target.starts_with('#')).then_some(target)
}
