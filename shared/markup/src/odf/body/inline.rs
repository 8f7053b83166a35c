//! Content of a paragraph.

use layout::{Block, Content};

use super::Body;
use super::frame;
use crate::error::Result;
use crate::flow;
use crate::line::Line;
use crate::link::{self, Linked};
use crate::partial_style::PartialStyle;
use crate::warning::Loss;
use crate::xml::{Element, Node};

/// Maximum number of spaces of one `text:s` element.
const SPACES: usize = 1_000;

/// A paragraph that is being read.
pub(in crate::odf) struct Open {
    text_style: PartialStyle,
    line: Line,
    link: Option<String>,
    /// Whether the link has text or pictures.
    linked: Linked,
    attached: Vec<Block>,
}

impl Open {
    pub(in crate::odf) fn new(text_style: PartialStyle) -> Self {
        Self {
            text_style,
            line: Line::default(),
            link: None,
            linked: Linked::default(),
            attached: Vec::new(),
        }
    }

    /// Appends text unchanged.
    pub(in crate::odf) fn text(&mut self, text: &str) {
        self.linked.text(text);
        let style = self.text_style.style();
        self.line
            .push(&self.text_style.shown(text), &style, self.link.as_deref());
    }

    /// Returns the text and the attached drawings.
    pub(in crate::odf) fn finish(self) -> (Line, Vec<Block>) {
        (self.line, self.attached)
    }

    /// Appends text with collapsed white space.
    fn words(&mut self, text: &str) {
        let mut words = String::with_capacity(text.len());
        let mut after_space = self
            .line
            .last()
            .is_none_or(|last| last == ' ' || last == '\n');
        for character in text.chars() {
            let is_space = matches!(character, ' ' | '\t' | '\n' | '\r');
            if !is_space {
                words.push(character);
            } else if !after_space {
                words.push(' ');
            }
            after_space = is_space;
        }
        self.text(&words);
    }
}

/// Reads the content of an element.
pub(in crate::odf) fn read(body: &mut Body, element: &Element, open: &mut Open) -> Result {
    for node in element.children() {
        match node {
            Node::Text(text) if open.text_style.hidden == Some(true) => {
                if !text.trim().is_empty() {
                    body.package.losses.add(Loss::Hidden);
                }
            }
            Node::Text(text) => open.words(text),
            Node::Element(element) => self::element(body, element, open)?,
        }
    }
    Ok(())
}

fn element(body: &mut Body, element: &Element, open: &mut Open) -> Result {
    match element.name() {
        "text:span" => span(body, element, open)?,
        "text:a" => linked(body, element, open)?,
        "text:s" => {
            let count = element.number("text:c").unwrap_or(1_usize).min(SPACES);
            body.package.budget.spend(count / 16)?;
            open.text(&" ".repeat(count));
        }
        "text:tab" => open.text("\t"),
        "text:line-break" => open.text("\n"),
        "text:note" => note(body, element, open)?,
        "text:ruby" => ruby(body, element, open)?,
        "field:fieldmark" if open.text_style.hidden != Some(true) => form_field(element, open),
        "text:bookmark" | "text:bookmark-start" | "text:reference-mark-start" => {
            let name = element.get("text:name").unwrap_or_default();
            body.mark(name, "");
        }
        "text:hidden-text" | "text:hidden-paragraph" => body.package.losses.add(Loss::Hidden),
        "text:page-number" if body.is_text => {}
        "office:annotation" => body.package.losses.add(Loss::Comment),
        "office:annotation-end" | "text:change" | "text:script" | "office:forms" => {}
        name if name.starts_with("draw:") => {
            let blocks = frame::read(body, element)?;
            if !blocks.is_empty() {
                open.linked.picture();
            }
            match (element.find("draw:object"), &*blocks) {
                // A formula in a line.
                (Some(_), [formula])
                    if matches!(element.get("text:anchor-type"), None | Some("as-char"))
                        && let Content::Paragraph { runs, .. } = &formula.content =>
                {
                    for run in runs {
                        open.line.push(&run.text, &run.style, None);
                    }
                }
                _ => open.attached.extend(blocks),
            }
        }
        // Fields contain their displayed text.
        _ => read(body, element, open)?,
    }
    Ok(())
}

/// A check box or drop-down list, whose value LibreOffice writes as parameters and not as text.
fn form_field(field: &Element, open: &mut Open) {
    let parameters = |name| {
        let named = move |parameter: &&Element| parameter.get("field:name") == Some(name);
        let parameters = field.all("field:param").filter(named);
        parameters.filter_map(|parameter| parameter.get("field:value"))
    };
    let kind = field.get("field:type").unwrap_or_default();
    if kind.ends_with(".FORMCHECKBOX") {
        let is_checked = parameters("Checkbox_Checked").next() == Some("true");
        open.text(if is_checked { "☒" } else { "☐" });
    } else if kind.ends_with(".FORMDROPDOWN") {
        let selected = parameters("Dropdown_Selected").next();
        let selected = selected.and_then(|index| index.parse().ok()).unwrap_or(0);
        let entry = parameters("Dropdown_ListEntry").nth(selected);
        open.text(entry.unwrap_or_default());
    }
}

fn span(body: &mut Body, element: &Element, open: &mut Open) -> Result {
    let text_style = body
        .styles
        .text_style(element.get("text:style-name"))
        .over(&open.text_style);
    let before = std::mem::replace(&mut open.text_style, text_style);
    let read = read(body, element, open);
    open.text_style = before;
    read
}

fn linked(body: &mut Body, element: &Element, open: &mut Open) -> Result {
    let target = element.get("xlink:href").map(from_folder);
    let link = target.and_then(|target| link::kept(target, &mut body.package.losses));
    let is_kept = link.is_some();
    let before = std::mem::replace(&mut open.link, link);
    let around = std::mem::take(&mut open.linked);
    let read = span(body, element, open);
    open.link = before;
    let linked = std::mem::replace(&mut open.linked, around);
    if is_kept {
        linked.end(&mut body.package.losses);
    }
    read
}

/// A relative link, which starts in the package as if it were a directory [ODF 1.3, part 2, 3.7], from the folder of the document.
fn from_folder(link: &str) -> &str {
    match link.strip_prefix("..") {
        Some("" | "/") => ".",
        Some(rest) => rest.strip_prefix('/').unwrap_or(link),
        None => link,
    }
}

fn note(body: &mut Body, element: &Element, open: &mut Open) -> Result {
    let citation = element
        .find("text:note-citation")
        .map(Element::text)
        .unwrap_or_default();
    let label = citation.trim().to_owned();
    let blocks = match element.find("text:note-body") {
        Some(note) => body.nested(note)?,
        None => Vec::new(),
    };
    let style = open.text_style.style();
    open.line.push_reference(&label, &style);
    let runs = flow::runs(blocks);
    let content = Content::Footnote { label, runs };
    let block = Block::from(content);
    match element.get("text:note-class") {
        Some("endnote") => body.endnotes.push(block),
        _ => body.footnotes.push(block),
    }
    Ok(())
}

/// Appends the base text, and its ruby text in parentheses.
fn ruby(body: &mut Body, element: &Element, open: &mut Open) -> Result {
    if let Some(base) = element.find("text:ruby-base") {
        read(body, base, open)?;
    }
    if let Some(text) = element
        .find("text:ruby-text")
        .map(Element::text)
        .filter(|text| !text.is_empty())
    {
        open.text(&format!("（{text}）"));
    }
    Ok(())
}
