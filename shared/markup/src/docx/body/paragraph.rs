//! Paragraphs: role, text and anchored content.

mod drawing;
mod inline;

use layout::{Alignment, Block, Content};

use super::Body;
use super::section::Section;
use crate::docx::properties::{self, is_on, value};
use crate::docx::styles::ParagraphStyle;

use crate::error::Result;
use crate::flow::{Flow, Marker, Role};
use crate::line::Line;
use crate::link::Linked;
use crate::list_nesting::ListNesting;
use crate::math;
use crate::partial_style::PartialStyle;
use crate::xml::Element;

/// A paragraph that is being read.
#[derive(Default)]
pub(super) struct Open {
    role: Role,
    alignment: Alignment,
    /// Quotation depth.
    quote_depth: u8,
    /// Default style of its runs.
    pub(super) text_style: PartialStyle,
    pub(super) line: Line,
    /// Anchored content, placed after the text.
    pub(super) anchored: Vec<Block>,
    /// Whether it began on the previous page.
    continues: bool,
    /// Link of the current text.
    pub(super) link: Option<String>,
    /// Whether that link has text or pictures.
    pub(super) linked: Linked,
}

impl Open {
    /// Begins a page within the paragraph.
    pub(super) fn break_page(&mut self, body: &mut Body<'_>, flow: &mut Flow) {
        if body.is_nested() {
            let style = self.text_style.style();
            return self.line.push("\n", &style, None);
        }
        let has_text = !self.line.is_blank();
        self.emit(flow);
        self.continues |= has_text && self.role == Role::Body;
        body.break_page(flow);
    }

    fn emit(&mut self, flow: &mut Flow) {
        let line = std::mem::take(&mut self.line);
        flow.quote_depth = self.quote_depth;
        flow.paragraph_across_pages(self.role.clone(), self.alignment, line, self.continues);
        flow.extend(std::mem::take(&mut self.anchored));
        flow.quote_depth = 0;
    }
}

/// Reads a paragraph.
pub(super) fn read(body: &mut Body<'_>, element: &Element, flow: &mut Flow) -> Result {
    let empty = Element::default();
    let properties = element.find("w:pPr").unwrap_or(&empty);
    if is_on(properties, "w:pageBreakBefore") && !body.is_nested() && !flow.is_empty() {
        body.break_page(flow);
    }
    let mut open = start(body, properties, element);
    if let Some(mut before) = body.pending_line.take() {
        before.extend(open.line.into_runs());
        open.line = before;
    }
    inline::read(body, element, &mut open, flow)?;
    end(body, properties, open, flow);
    body.fields.end_paragraph();
    body.take_notes();
    Ok(())
}

/// Reads a display formula.
pub(super) fn formula(body: &mut Body<'_>, element: &Element, flow: &mut Flow) -> Result {
    let mut line = Line::default();
    let text_style = body.styles.of_paragraph(None).text_style;
    math::read(element, &text_style.style(), &mut line);
    flow.paragraph(Role::Body, Alignment::Start, line);
    Ok(())
}

fn start(body: &mut Body<'_>, properties: &Element, element: &Element) -> Open {
    let id = value(properties, "w:pStyle");
    let style = body.styles.of_paragraph(id);
    let alignment = properties::alignment(properties).or(style.alignment);
    let level = properties::outline(properties).or(style.outline).flatten();
    let has_content = element.elements().any(|inner| !inner.is("w:pPr"));
    // An empty paragraph counts in a list, too, unless its paragraph mark is hidden.
    let ends = properties.find("w:rPr");
    let counts = has_content || !ends.is_some_and(|ends| is_on(ends, "w:vanish"));
    let marker = counts
        .then(|| marker(body, properties, &style, id))
        .flatten();
    let mut open = Open {
        alignment: alignment.unwrap_or_default(),
        quote_depth: style.quote_depth.unwrap_or(0),
        text_style: style.text_style,
        ..Open::default()
    };
    match (level, marker) {
        (Some(level), marker) => {
            let number = marker.map(|marker| marker.text + " ");
            open.line
                .push(&number.unwrap_or_default(), &open.text_style.style(), None);
            open.role = Role::Heading(level);
        }
        (None, Some(marker)) => open.role = Role::Item(marker),
        (None, None) if style.is_code => {
            body.list_nesting = ListNesting::default();
            open.role = Role::CodeLine;
            open.quote_depth = open
                .quote_depth
                .max(properties::quotations(properties).unwrap_or(0));
            open.text_style.monospaced = Some(true);
        }
        (None, None) if has_content => body.list_nesting = ListNesting::default(),
        (None, None) => {}
    }
    open
}

/// Returns the list marker of a paragraph.
fn marker(
    body: &mut Body<'_>,
    properties: &Element,
    style: &ParagraphStyle,
    id: Option<&str>,
) -> Option<Marker> {
    let own = properties.find("w:numPr");
    let list = own
        .and_then(|own| value(own, "w:numId"))
        .or(style.list.as_deref())?;
    let level = own.and_then(|own| value(own, "w:ilvl")?.parse().ok());
    let by_style = || body.numbering.level_of_style(list, id?);
    let level = level.or(style.level).or_else(by_style).unwrap_or(0);
    let indent = properties::indent(properties)
        .or(style.indent)
        .or_else(|| body.numbering.indent(list, level));
    let marker = body.numbering.next(list, level)?;
    let level = body.list_nesting.level(list, level, indent.unwrap_or(0.0));
    Some(Marker { level, ..marker })
}

fn end(body: &mut Body<'_>, properties: &Element, mut open: Open, flow: &mut Flow) {
    let mark = properties.find("w:rPr");
    if mark.is_some_and(|mark| mark.find("w:del").is_some()) && open.anchored.is_empty() {
        body.pending_line = Some(open.line);
        return;
    }
    let borders = properties.find("w:pBdr");
    let lined =
        borders.is_some_and(|borders| borders.find("w:bottom").or(borders.find("w:top")).is_some());
    if lined && open.line.is_blank() && open.anchored.is_empty() {
        flow.quote_depth = open.quote_depth;
        flow.content(Content::Rule);
    }
    open.emit(flow);
    if let Some(section) = properties.find("w:sectPr").filter(|_| !body.is_nested()) {
        body.end_section_in(Section::read(section), flow);
    }
}
