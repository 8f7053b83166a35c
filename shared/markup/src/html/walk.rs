//! Converts the element tree to blocks.

mod embedded;
mod table;

use std::borrow::Cow;

use layout::{Block, Content};

use super::context::Context;
use super::images::{self, Source};
use super::inline_style;
use super::links::Links;
use crate::error::Result;
use crate::flow::{self, Flow, Marker, Role};
use crate::limits::Budget;
use crate::line::Line;
use crate::link::Linked;
use crate::mathml;
use crate::numbering_format::NumberingFormat;
use crate::pictures::Pictures;
use crate::warning::{Loss, Losses};
use crate::xml::{Element, Node};

/// The state of the conversion.
pub(super) struct Walk {
    budget: Budget,
    pub(super) pictures: Pictures,
    pub(super) losses: Losses,
    links: Links,
    /// Whether the current link has text or pictures.
    linked: Linked,
    /// Whether every table is marked as ruled.
    rules_tables: bool,
    /// The result.
    pub(super) blocks: Vec<Block>,
    flow: Flow,
    line: Line,
    /// Pictures to place after the paragraph.
    attached: Vec<Block>,
    /// Marker of the next paragraph.
    marker: Option<Marker>,
    /// Whether this is the document of a frame.
    is_framed: bool,
}

/// Elements whose content is ignored.
const SKIPPED: [&str; 12] = [
    "head", "script", "style", "embed", "audio", "video", "canvas", "datalist", "noembed",
    "noframes", "rp", "title",
];

/// Block elements without special handling.
const BLOCKS: [&str; 34] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "center",
    "dd",
    "details",
    "dialog",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hgroup",
    "html",
    "legend",
    "main",
    "nav",
    "optgroup",
    "p",
    "search",
    "section",
    "summary",
];

impl Walk {
    /// Converts a page.
    pub(super) fn through(root: &Element, budget: Budget, rules_tables: bool) -> Result<Self> {
        let mut walk = Self {
            budget,
            rules_tables,
            pictures: Pictures::default(),
            losses: Losses::of_page(1),
            links: Links::of(root),
            linked: Linked::default(),
            blocks: Vec::new(),
            flow: Flow::default(),
            line: Line::default(),
            attached: Vec::new(),
            marker: None,
            is_framed: false,
        };
        let context = Context::default();
        walk.children(root, &context)?;
        walk.end_paragraph(&context);
        walk.blocks = std::mem::take(&mut walk.flow).into_blocks();
        Ok(walk)
    }

    /// Returns the blocks of a cell, caption or note.
    fn nested(&mut self, element: &Element, context: &Context) -> Result<Vec<Block>> {
        let flow = std::mem::take(&mut self.flow);
        let marker = self.marker.take();
        let inner = context.within(element);
        let read = self.children(element, &inner);
        self.end_paragraph(&inner);
        self.marker = marker;
        let blocks = std::mem::replace(&mut self.flow, flow).into_blocks();
        read.map(|()| blocks)
    }

    fn children(&mut self, element: &Element, context: &Context) -> Result {
        let mut nodes = element.children().iter();
        nodes.try_for_each(|node| self.node(node, context))
    }

    fn node(&mut self, node: &Node, context: &Context) -> Result {
        match node {
            Node::Text(text) => self.text(text, context),
            Node::Element(inner) => self.element(inner, context)?,
        }
        Ok(())
    }

    fn element(&mut self, element: &Element, context: &Context) -> Result {
        let name = element.name();
        if SKIPPED.contains(&name) {
            return Ok(());
        }
        let is_closed = name == "dialog" && element.get("open").is_none();
        if is_closed || inline_style::is_hidden(element) {
            self.losses.add(Loss::Hidden);
            return Ok(());
        }
        match name {
            "br" => self.line.push("\n", &context.text_style.style(), None),
            "hr" => {
                self.end_paragraph(context);
                self.flow.content(Content::Rule);
            }
            "a" => self.link(element, context)?,
            "math" => {
                mathml::read(element, &context.text_style.style(), &mut self.line);
            }
            "img" => self.image(element, context),
            "input" => self.input(element, context),
            "select" => self.select(element, context),
            "svg" => self.drawing(element, context),
            "iframe" => self.frame(element, context)?,
            // The content of a shadow root is shown in place of its host.
            "template" if element.get("shadowrootmode").is_none() => {}
            // Their content is for browsers that do not draw them.
            "progress" | "meter" => {}
            "blockquote" if !context.in_item => self.quotation(element, context)?,
            "ul" | "ol" | "menu" | "dir" => self.list(element, context)?,
            "table" => self.table(element, context)?,
            "pre" | "xmp" | "listing" | "plaintext" | "textarea" => self.block(element, context)?,
            "q" => self.between(("“", "”"), element, context)?,
            "rt" => self.between(("（", "）"), element, context)?,
            "sup" if has_class(element, "footnote-reference") => {
                self.line
                    .push_reference(element.text().trim(), &context.text_style.style());
            }
            // The label is taken from the footnote itself.
            "sup" if has_class(element, "footnote-definition-label") => {}
            "div" if has_class(element, "footnote-definition") => self.note(element, context)?,
            _ if BLOCKS.contains(&name) => self.block(element, context)?,
            _ => self.children(element, &context.within(element))?,
        }
        Ok(())
    }

    fn link(&mut self, element: &Element, context: &Context) -> Result {
        let Some(target) = self.links.target(element, &mut self.losses) else {
            return self.children(element, &context.within(element));
        };
        self.budget.spend(target.len() / 16)?;
        let mut inner = context.within(element);
        inner.link = Some(target);
        let around = std::mem::take(&mut self.linked);
        let read = self.children(element, &inner);
        std::mem::replace(&mut self.linked, around).end(&mut self.losses);
        read
    }

    fn block(&mut self, element: &Element, context: &Context) -> Result {
        self.end_paragraph(context);
        let inner = context.within(element);
        self.children(element, &inner)?;
        self.end_paragraph(&inner);
        Ok(())
    }

    fn quotation(&mut self, element: &Element, context: &Context) -> Result {
        self.end_paragraph(context);
        let around = self.flow.quote_depth;
        self.flow.quote_depth = around.saturating_add(1);
        let read = self.block(element, context);
        self.flow.quote_depth = around;
        read
    }

    fn text(&mut self, text: &str, context: &Context) {
        self.linked.text(text);
        let style = context.text_style.style();
        let text = match context.preformatted {
            true => Cow::Borrowed(text),
            false => Cow::Owned(collapse_white_space(text, self.line.last())),
        };
        self.line.push(
            &context.text_style.shown(&text),
            &style,
            context.link.as_deref(),
        );
    }

    fn between(&mut self, marks: (&str, &str), element: &Element, context: &Context) -> Result {
        let style = context.text_style.style();
        self.line.push(marks.0, &style, None);
        self.children(element, &context.within(element))?;
        self.line.push(marks.1, &style, None);
        Ok(())
    }

    fn image(&mut self, element: &Element, context: &Context) {
        self.linked.picture();
        let alternative = element
            .get("alt")
            .map(str::trim)
            .filter(|words| !words.is_empty());
        match images::source(element.get("src")) {
            Source::Data(bytes) => {
                let content = Content::Image {
                    image: self.pictures.add_bytes(bytes),
                    alternative: alternative.map(str::to_owned),
                };
                self.attached.push(Block::from(content));
            }
            Source::External => {
                self.losses.add(Loss::ExternalLinkBlocked);
                self.alternative(alternative, context);
            }
            Source::Unreadable => {
                self.losses.add(Loss::PictureMissing);
                self.alternative(alternative, context);
            }
            Source::Nothing => self.alternative(alternative, context),
        }
    }

    /// Shows the alternative text of a picture.
    fn alternative(&mut self, text: Option<&str>, context: &Context) {
        let (style, link) = (context.text_style.style(), context.link.as_deref());
        let text = text.unwrap_or_default();
        self.linked.text(text);
        self.line.push(text, &style, link);
    }

    fn list(&mut self, element: &Element, context: &Context) -> Result {
        self.end_paragraph(context);
        let mut inner = context.within(element);
        inner.lists = context.lists.saturating_add(1).min(100);
        let ordered = element.is("ol");
        let mut number: u32 = element.number("start").unwrap_or(1);
        for item in element.elements() {
            if !item.is("li") {
                self.element(item, &inner)?;
                continue;
            }
            if inline_style::is_hidden(item) {
                self.losses.add(Loss::Hidden);
                continue;
            }
            number = item.number("value").unwrap_or(number);
            let text = if ordered {
                counted(element, number)
            } else {
                bullet(inner.lists).to_owned()
            };
            number = number.saturating_add(1);
            self.marker = Some(Marker {
                level: inner.lists - 1,
                ordered,
                text,
            });
            let mut item_context = inner.within(item);
            item_context.in_item = true;
            self.children(item, &item_context)?;
            self.end_paragraph(&item_context);
            self.marker = None;
        }
        Ok(())
    }

    fn table(&mut self, element: &Element, context: &Context) -> Result {
        self.end_paragraph(context);
        let (caption, table) = table::read(self, element, context)?;
        self.flow.extend(caption);
        table.into_iter().for_each(|table| self.flow.table(table));
        Ok(())
    }

    /// Reads a footnote as rendered from Markdown, with its label first.
    fn note(&mut self, element: &Element, context: &Context) -> Result {
        self.end_paragraph(context);
        let label = element.find("sup").map(Element::text).unwrap_or_default();
        let runs = flow::runs(self.nested(element, context)?);
        self.flow.content(Content::Footnote {
            label: label.trim().to_owned(),
            runs,
        });
        Ok(())
    }

    fn end_paragraph(&mut self, context: &Context) {
        let line = std::mem::take(&mut self.line);
        if !line.is_blank() {
            match (context.heading, self.marker.take()) {
                (Some(level), _) => {
                    self.flow
                        .paragraph(Role::Heading(level), context.alignment, line)
                }
                (None, Some(marker)) => {
                    self.flow
                        .paragraph(Role::Item(marker), context.alignment, line)
                }
                (None, None) if context.preformatted => {
                    self.flow
                        .paragraph(Role::Preformatted, context.alignment, line);
                }
                (None, None) if context.in_item => self.flow.continue_item(context.alignment, line),
                (None, None) => self.flow.paragraph(Role::Body, context.alignment, line),
            }
        }
        self.flow.extend(std::mem::take(&mut self.attached));
    }
}

/// Collapses white space to single spaces.
fn collapse_white_space(text: &str, before: Option<char>) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut after_space = before.is_none_or(|last| last == ' ' || last == '\n');
    for character in text.chars() {
        let is_space = character.is_ascii_whitespace();
        if !is_space {
            shown.push(character);
        } else if !after_space {
            shown.push(' ');
        }
        after_space = is_space;
    }
    shown
}

fn bullet(level: u8) -> &'static str {
    match level {
        1 => "•",
        2 => "◦",
        _ => "▪",
    }
}

fn counted(list: &Element, number: u32) -> String {
    let numbering = match list.get("type") {
        Some("a") => NumberingFormat::LowerLetter,
        Some("A") => NumberingFormat::UpperLetter,
        Some("i") => NumberingFormat::LowerRoman,
        Some("I") => NumberingFormat::UpperRoman,
        _ => NumberingFormat::Decimal,
    };
    numbering.format(number) + "."
}

fn has_class(element: &Element, class: &str) -> bool {
    element
        .get("class")
        .is_some_and(|classes| classes.split_whitespace().any(|one| one == class))
}
