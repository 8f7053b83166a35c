//! The properties of a paragraph of WordprocessingML, its elements in the order of the schema.

use std::fmt::Write as _;

use super::edge::EdgeKind;
use super::styles::{QUOTATION, QUOTATIONS};
use crate::writers::plain::is_code;
use crate::{Alignment, Block};

/// How a paragraph stands.
#[derive(Clone, Default)]
pub(super) struct Properties {
    pub(super) style: Option<String>,
    pub(super) begins_page: bool,
    /// A list's level and number.
    pub(super) numbering: Option<(u8, u32)>,
    pub(super) is_rule: bool,
    pub(super) is_leftward: bool,
    /// The space before it, twentieths of a point.
    pub(super) before: Option<u32>,
    /// How far it is indented, twentieths of a point.
    pub(super) indent: u32,
    /// How many quotations it stands in that its style does not tell.
    pub(super) quoted: u8,
    pub(super) alignment: Alignment,
}

impl Properties {
    /// Of what stands in a header or footer.
    pub(super) fn edge(kind: EdgeKind) -> Self {
        Self {
            style: Some(kind.style().to_owned()),
            ..Self::default()
        }
    }

    /// The same for a paragraph, with the style that it has where none is given, and what that does not tell.
    pub(super) fn of_paragraph(self, block: &Block) -> Self {
        match self.style {
            Some(_) => self,
            None => Self {
                style: style(block),
                quoted: quoted(block),
                ..self
            },
        }
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
        if self.is_leftward {
            xml.push_str("<w:bidi/>");
        }
        if let Some(before) = self.before {
            write!(xml, "<w:spacing w:before=\"{before}\"/>").ok();
        }
        if self.indent > 0 {
            write!(xml, "<w:ind w:left=\"{}\" w:hanging=\"360\"/>", self.indent).ok();
        }
        if self.quoted > 0 {
            let left = QUOTATION * u32::from(self.quoted);
            write!(xml, "<w:ind w:left=\"{left}\" w:right=\"{QUOTATION}\"/>").ok();
        }
        xml.push_str(match self.alignment {
            Alignment::Start => "",
            Alignment::Centre => "<w:jc w:val=\"center\"/>",
            // Word takes this for the end of lines, also where they end on the left.
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

/// The style of a paragraph that is quoted, or whose spaces count.
fn style(block: &Block) -> Option<String> {
    match is_code(block) {
        true => Some("HTMLPreformatted".to_owned()),
        false => quotation(block.quoted),
    }
}

/// The style of what stands in so many quotations.
pub(super) fn quotation(depth: u8) -> Option<String> {
    match depth {
        0 => None,
        1 => Some("Quote".to_owned()),
        depth => Some(format!("Quote{}", depth.min(QUOTATIONS))),
    }
}

/// How many quotations lines of code are indented for: their style tells of none.
fn quoted(block: &Block) -> u8 {
    match is_code(block) {
        true => block.quoted.min(QUOTATIONS),
        false => 0,
    }
}
