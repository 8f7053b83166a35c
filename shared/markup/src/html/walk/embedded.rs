//! Text of form controls, drawings and frames, which attributes or other documents contain.

use super::Walk;
use crate::error::Result;
use crate::html::context::Context;
use crate::html::tree;
use crate::warning::Loss;
use crate::xml::Element;

/// Inputs without visible text.
const WITHOUT_TEXT: [&str; 7] = [
    "hidden", "password", "file", "image", "radio", "range", "color",
];

impl Walk {
    /// Handles an input: a check box becomes the marker of a bulleted item that begins with it, and text elsewhere; others show
    /// their value.
    pub(super) fn input(&mut self, element: &Element, context: &Context) {
        let kind = element.get("type").map(str::to_ascii_lowercase);
        match kind.as_deref() {
            Some("checkbox") => self.check_box(element, context),
            Some(kind) if WITHOUT_TEXT.contains(&kind) => {}
            _ => self.words(element.get("value").unwrap_or_default(), context),
        }
    }

    fn check_box(&mut self, element: &Element, context: &Context) {
        let sign = match element.get("checked") {
            Some(_) => "☑",
            None => "☐",
        };
        match self.marker.as_mut().filter(|marker| !marker.ordered) {
            Some(marker) if self.line.is_blank() => sign.clone_into(&mut marker.text),
            _ => {
                let style = context.text_style.style();
                self.line.push(&format!("{sign} "), &style, None);
            }
        }
    }

    /// Shows the selected options; without any the first, as browsers do.
    pub(super) fn select(&mut self, element: &Element, context: &Context) {
        let mut options = Vec::new();
        collect(element, &|inner| inner.is("option"), &mut options);
        let selected = |option: &&&Element| option.get("selected").is_some();
        let first = match options.iter().any(|option| selected(&option)) {
            true => None,
            false => options.first(),
        };
        for option in options.iter().filter(selected).chain(first) {
            self.words(&option.text(), context);
        }
    }

    /// Keeps the words of an inline SVG as a paragraph; everything else of it is lost.
    pub(super) fn drawing(&mut self, element: &Element, context: &Context) {
        self.linked.picture();
        if element.get("aria-hidden") == Some("true") {
            return;
        }
        self.losses.add(Loss::PictureMissing);
        let mut texts = Vec::new();
        let has_words = |inner: &Element| inner.is("text") || inner.is("foreignObject");
        collect(element, &has_words, &mut texts);
        if !texts.is_empty() {
            self.end_paragraph(context);
            texts
                .iter()
                .for_each(|text| self.words(&text.text(), context));
            self.end_paragraph(context);
        }
    }

    /// Reads a frame whose document is in its `srcdoc` attribute, but no frame in it.
    pub(super) fn frame(&mut self, element: &Element, context: &Context) -> Result {
        let Some(source) = element.get("srcdoc") else {
            let source = element.get("src").unwrap_or_default().trim();
            if source.starts_with("data:") {
                self.losses.add(Loss::Object);
            } else if !source.is_empty() && source != "about:blank" {
                self.losses.add(Loss::ExternalLinkBlocked);
            }
            return Ok(());
        };
        // A frame that exceeds the limits is lost, the page is not.
        let page = match self.is_framed {
            false => tree::build(source, &self.budget).ok(),
            true => None,
        };
        let Some(page) = page else {
            self.losses.add(Loss::Object);
            return Ok(());
        };
        self.is_framed = true;
        let links = self.links.of_frame(&page);
        let links = std::mem::replace(&mut self.links, links);
        let read = self.block(&page, context);
        self.links = links;
        self.is_framed = false;
        read
    }

    /// Appends words, separated from those around them.
    fn words(&mut self, words: &str, context: &Context) {
        if !words.trim().is_empty() {
            self.text(&format!(" {words} "), context);
        }
    }
}

/// Collects the outermost descendants that match, in order.
fn collect<'a>(
    element: &'a Element,
    is_wanted: &impl Fn(&Element) -> bool,
    found: &mut Vec<&'a Element>,
) {
    for inner in element.elements() {
        match is_wanted(inner) {
            true => found.push(inner),
            false => collect(inner, is_wanted, found),
        }
    }
}
