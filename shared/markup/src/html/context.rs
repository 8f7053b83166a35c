//! Properties that elements inherit: text style, link, alignment and block role.

use layout::{Alignment, Script};

use super::inline_style;
use crate::partial_style::PartialStyle;
use crate::xml::Element;

/// The inherited properties inside an element.
#[derive(Clone, Debug, Default)]
pub(super) struct Context {
    pub(super) text_style: PartialStyle,
    pub(super) link: Option<String>,
    pub(super) alignment: Alignment,
    /// Whether white space and line breaks are kept.
    pub(super) preformatted: bool,
    /// Level of the enclosing heading.
    pub(super) heading: Option<u8>,
    /// Number of enclosing lists.
    pub(super) lists: u8,
    pub(super) in_item: bool,
}

impl Context {
    /// Returns the properties inside a child element.
    pub(super) fn within(&self, element: &Element) -> Self {
        let mut inner = self.clone();
        let text_style = PartialStyle {
            bold: matches!(element.name(), "b" | "strong" | "th").then_some(true),
            italic: matches!(
                element.name(),
                "i" | "em" | "cite" | "var" | "dfn" | "address"
            )
            .then_some(true),
            underlined: matches!(element.name(), "u" | "ins").then_some(true),
            strikethrough: matches!(element.name(), "s" | "strike" | "del").then_some(true),
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
            ..PartialStyle::default()
        };
        inner.text_style = inline_style::text_style(element)
            .over(&text_style)
            .over(&inner.text_style);
        inner.alignment = inline_style::alignment(element).unwrap_or(self.alignment);
        match element.name() {
            "pre" | "xmp" | "listing" | "textarea" | "plaintext" => inner.preformatted = true,
            "center" => inner.alignment = Alignment::Center,
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
