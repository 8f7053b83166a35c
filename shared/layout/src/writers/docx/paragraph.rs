//! Paragraph properties, in schema order.

use std::fmt::Write as _;

use super::styles::{QUOTATION, QUOTATIONS};
use super::tabs::{self, TabStops};
use crate::writers::plain::is_code;
use crate::{Alignment, Block, Run};

/// Properties of a paragraph.
#[derive(Clone, Default)]
pub(super) struct Properties {
    pub(super) style: Option<String>,
    pub(super) begins_page: bool,
    /// Level and number of its list.
    pub(super) numbering: Option<(u8, u32)>,
    pub(super) is_rule: bool,
    pub(super) tabs: TabStops,
    /// Width of the text area, twips; 0 within tables, headers and footers.
    pub(super) text_width: u32,
    pub(super) is_rtl: bool,
    /// Space before, twips.
    pub(super) before: Option<u32>,
    /// Indent of a list item, twips.
    pub(super) indent: u32,
    /// Distance from the left edge of the text, twips.
    pub(super) left: u32,
    /// Quotation depth beyond that of its style.
    pub(super) quote_depth: u8,
    pub(super) alignment: Alignment,
}

impl Properties {
    /// Completes the properties for a paragraph block: style and quotation depth.
    pub(super) fn of_paragraph(self, block: &Block) -> Self {
        match self.style {
            Some(_) => self,
            None => Self {
                style: style(block),
                quote_depth: quoted(block),
                ..self
            },
        }
    }

    /// Returns the runs to write for an entry of contents outside of tables, headers and footers.
    pub(super) fn entry(&self, runs: &[Run]) -> Option<Vec<Run>> {
        (self.text_width > 0)
            .then(|| tabs::of_entry(runs))
            .flatten()
    }

    /// Returns the tab stops of an entry of contents, or none.
    pub(super) fn tabs_of(&self, entry: Option<&[Run]>) -> TabStops {
        entry.map_or(TabStops::None, |_| TabStops::Contents(self.text_width))
    }

    pub(super) fn xml(&self) -> String {
        let mut xml = String::new();
        if let Some(style) = &self.style {
            write!(xml, "<w:pStyle w:val=\"{style}\"/>").ok();
        }
        if self.begins_page {
            xml.push_str("<w:pageBreakBefore/>");
        }
        if let Some((level, number)) = self.numbering {
            write!(
                xml,
                "<w:numPr><w:ilvl w:val=\"{level}\"/><w:numId w:val=\"{number}\"/></w:numPr>"
            )
            .ok();
        }
        if self.is_rule {
            xml.push_str("<w:pBdr><w:bottom w:val=\"single\" w:sz=\"6\" w:space=\"1\" w:color=\"auto\"/></w:pBdr>");
        }
        xml.push_str(&self.tabs.xml());
        if self.is_rtl {
            xml.push_str("<w:bidi/>");
        }
        if let Some(before) = self.before {
            write!(xml, "<w:spacing w:before=\"{before}\"/>").ok();
        }
        if self.left > 0 && self.indent == 0 && self.quote_depth == 0 && !self.is_rtl {
            write!(xml, "<w:ind w:left=\"{}\"/>", self.left).ok();
        }
        if self.indent > 0 {
            write!(xml, "<w:ind w:left=\"{}\" w:hanging=\"360\"/>", self.indent).ok();
        }
        if self.quote_depth > 0 {
            let left = QUOTATION * u32::from(self.quote_depth);
            write!(xml, "<w:ind w:left=\"{left}\" w:right=\"{QUOTATION}\"/>").ok();
        }
        xml.push_str(match self.alignment {
            _ if !matches!(self.tabs, TabStops::None) => "",
            Alignment::Start => "",
            Alignment::Center => "<w:jc w:val=\"center\"/>",
            // Word reads `right` as the end of the line, also in right-to-left text.
            Alignment::End => "<w:jc w:val=\"right\"/>",
            Alignment::Justified => "<w:jc w:val=\"both\"/>",
        });
        if xml.is_empty() {
            xml
        } else {
            format!("<w:pPr>{xml}</w:pPr>")
        }
    }
}

/// Returns the style of a quoted or preformatted paragraph.
fn style(block: &Block) -> Option<String> {
    match is_code(block) {
        true => Some("HTMLPreformatted".to_owned()),
        false => quotation(block.quote_depth),
    }
}

/// Returns the quotation style for a depth.
pub(super) fn quotation(depth: u8) -> Option<String> {
    match depth {
        0 => None,
        1 => Some("Quote".to_owned()),
        depth => Some(format!("Quote{}", depth.min(QUOTATIONS))),
    }
}

/// Returns the quotation depth to indent code by, because its style has none.
fn quoted(block: &Block) -> u8 {
    match is_code(block) {
        true => block.quote_depth.min(QUOTATIONS),
        false => 0,
    }
}
