//! A paragraph: what it is, and what stands in it and beside it.

mod drawing;
mod inline;

use layout::{Alignment, Block, Content};

use super::Body;
use super::section::Section;
use crate::docx::properties::{self, is_on, value};
use crate::docx::styles::ParagraphStyle;

use crate::error::Outcome;
use crate::flow::{Flow, Marker, Role};
use crate::ladder::Ladder;
use crate::line::Line;
use crate::look::Look;
use crate::math;
use crate::xml::Element;

/// A paragraph while it is read.
#[derive(Default)]
pub(super) struct Open {
    role: Role,
    alignment: Alignment,
    /// How many quotations it stands in.
    quoted: u8,
    /// How its text looks where nothing else is said.
    pub(super) look: Look,
    pub(super) line: Line,
    /// What stands beside its text.
    pub(super) beside: Vec<Block>,
    /// Its beginning is on the page before.
    goes_on: bool,
    /// Where its text leads to.
    pub(super) link: Option<String>,
}

impl Open {
    /// Begins a page within the paragraph.
    pub(super) fn break_page(&mut self, body: &mut Body<'_>, flow: &mut Flow) {
        if body.is_nested() {
            let style = self.look.style();
            return self.line.push("\n", &style, None);
        }
        let said = !self.line.is_blank();
        self.emit(flow);
        self.goes_on |= said && self.role == Role::Body;
        body.break_page(flow);
    }

    fn emit(&mut self, flow: &mut Flow) {
        let line = std::mem::take(&mut self.line);
        flow.quoted = self.quoted;
        flow.passage(self.role.clone(), self.alignment, line, self.goes_on);
        flow.extend(std::mem::take(&mut self.beside));
        flow.quoted = 0;
    }
}

/// Reads a paragraph.
pub(super) fn read(body: &mut Body<'_>, element: &Element, flow: &mut Flow) -> Outcome {
    let empty = Element::default();
    let properties = element.find("w:pPr").unwrap_or(&empty);
    if is_on(properties, "w:pageBreakBefore") && !body.is_nested() && !flow.is_empty() {
        body.break_page(flow);
    }
    let mut open = begun(body, properties, element);
    if let Some(mut before) = body.carried.take() {
        before.extend(open.line.into_runs());
        open.line = before;
    }
    inline::read(body, element, &mut open, flow)?;
    end(body, properties, open, flow);
    body.fields.end_paragraph();
    body.take_notes();
    Ok(())
}

/// Reads a formula that stands on its own.
pub(super) fn formula(body: &mut Body<'_>, element: &Element, flow: &mut Flow) -> Outcome {
    let mut line = Line::default();
    let look = body.styles.of_paragraph(None).look;
    math::read(element, &look.style(), &mut line);
    flow.paragraph(Role::Body, Alignment::Start, line);
    Ok(())
}

fn begun(body: &mut Body<'_>, properties: &Element, element: &Element) -> Open {
    let id = value(properties, "w:pStyle");
    let style = body.styles.of_paragraph(id);
    let alignment = properties::alignment(properties).or(style.alignment);
    let level = properties::outline(properties).or(style.outline).flatten();
    let says = element.elements().any(|inner| !inner.is("w:pPr"));
    // An empty paragraph counts as well, unless not even its end is shown.
    let ends = properties.find("w:rPr");
    let counts = says || !ends.is_some_and(|ends| is_on(ends, "w:vanish"));
    let marker = counts
        .then(|| marker(body, properties, &style, id))
        .flatten();
    let mut open = Open {
        alignment: alignment.unwrap_or_default(),
        quoted: style.quoted.unwrap_or(0),
        look: style.look,
        ..Open::default()
    };
    match (level, marker) {
        (Some(level), marker) => {
            let number = marker.map(|marker| marker.text + " ");
            open.line
                .push(&number.unwrap_or_default(), &open.look.style(), None);
            open.role = Role::Heading(level);
        }
        (None, Some(marker)) => open.role = Role::Item(marker),
        (None, None) if style.is_code => {
            body.ladder = Ladder::default();
            open.role = Role::CodeLine;
            open.quoted = open
                .quoted
                .max(properties::quotations(properties).unwrap_or(0));
            open.look.monospaced = Some(true);
        }
        (None, None) if says => body.ladder = Ladder::default(),
        (None, None) => {}
    }
    open
}

/// What stands before a paragraph of a list.
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
    let level = body.ladder.level(list, level, indent.unwrap_or(0.0));
    Some(Marker { level, ..marker })
}

fn end(body: &mut Body<'_>, properties: &Element, mut open: Open, flow: &mut Flow) {
    let mark = properties.find("w:rPr");
    if mark.is_some_and(|mark| mark.find("w:del").is_some()) && open.beside.is_empty() {
        body.carried = Some(open.line);
        return;
    }
    let borders = properties.find("w:pBdr");
    let lined =
        borders.is_some_and(|borders| borders.find("w:bottom").or(borders.find("w:top")).is_some());
    if lined && open.line.is_blank() && open.beside.is_empty() {
        flow.quoted = open.quoted;
        flow.content(Content::Rule);
    }
    open.emit(flow);
    if let Some(section) = properties.find("w:sectPr").filter(|_| !body.is_nested()) {
        body.end_section_in(Section::read(section), flow);
    }
}
