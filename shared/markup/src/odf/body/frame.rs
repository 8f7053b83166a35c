//! Drawings: pictures, text boxes, shapes with text and embedded objects.

use layout::{Block, Content};

use super::Body;
use super::table;
use crate::error::Result;
use crate::flow::Flow;
use crate::mathml;
use crate::package::resolved;
use crate::warning::Loss;
use crate::xml::Element;

/// Reads a drawing.
pub(in crate::odf) fn read(body: &mut Body, element: &Element) -> Result<Vec<Block>> {
    // LibreOffice writes its extension for shapes.
    let display = element.get("draw:display");
    let is_hidden = match display.or_else(|| element.get("drawooo:display")) {
        Some("none") => true,
        // Hidden on the screen. Pages of text are as printed, slides are not.
        Some("printer") => body.is_slides,
        _ => false,
    };
    if is_hidden {
        let has_text = !element.text().trim().is_empty();
        body.package
            .losses
            .add_many(Loss::Hidden, u32::from(has_text));
        return Ok(Vec::new());
    }
    let name = element.get("draw:name").unwrap_or_default();
    body.mark(name, "|frame");
    body.mark(name, "|graphic");
    // Pictures and shapes cannot have a link.
    let listener = element.at(&["office:event-listeners", "presentation:event-listener"]);
    let clicked = listener.and_then(|listener| listener.get("xlink:href"));
    if element.is("draw:a") || clicked.is_some() {
        body.package.losses.add(Loss::Link);
    }
    match element.name() {
        "draw:frame" => frame(body, element),
        "draw:g" | "draw:a" => {
            let mut blocks = Vec::new();
            for inner in element
                .elements()
                .filter(|inner| inner.name().starts_with("draw:"))
            {
                blocks.extend(read(body, inner)?);
            }
            Ok(blocks)
        }
        "draw:control" => Ok(Vec::new()),
        // Shapes with text.
        _ => body.nested(element),
    }
}

/// Reads a frame: the first supported alternative of its content.
fn frame(body: &mut Body, frame: &Element) -> Result<Vec<Block>> {
    for inner in frame.elements() {
        match inner.name() {
            "draw:text-box" => return body.nested(inner),
            "draw:image" => return Ok(image(body, frame, inner)),
            "table:table" => {
                let mut flow = Flow::default();
                table::read(body, inner)?
                    .into_iter()
                    .for_each(|table| flow.table(table));
                return Ok(flow.into_blocks());
            }
            "draw:object" | "draw:object-ole" => return object(body, inner),
            "draw:plugin" | "draw:applet" | "draw:floating-frame"
                if frame.find("draw:image").is_none() =>
            {
                body.package.losses.add(Loss::Object);
            }
            _ => {}
        }
    }
    Ok(Vec::new())
}

fn image(body: &mut Body, frame: &Element, image: &Element) -> Vec<Block> {
    let Some(target) = image.get("xlink:href").filter(|target| !target.is_empty()) else {
        return embedded(body, frame, image);
    };
    if is_external(target) {
        body.package.losses.add(Loss::ExternalLinkBlocked);
        return Vec::new();
    }
    let number = body.package.pictures.in_part(&resolved("", target));
    if number.is_none() {
        body.package.losses.add(Loss::PictureMissing);
    }
    number
        .map(|number| picture(frame, number))
        .into_iter()
        .collect()
}

/// Reads a picture embedded as base64.
fn embedded(body: &mut Body, frame: &Element, image: &Element) -> Vec<Block> {
    use base64::Engine as _;
    let data = image
        .find("office:binary-data")
        .map(Element::text)
        .unwrap_or_default();
    let data: String = data.split_whitespace().collect();
    match base64::engine::general_purpose::STANDARD.decode(data) {
        Ok(bytes) if !bytes.is_empty() => {
            vec![picture(frame, body.package.pictures.add_bytes(bytes))]
        }
        _ => Vec::new(),
    }
}

fn picture(frame: &Element, image: usize) -> Block {
    let words = |name| {
        frame
            .find(name)
            .map(Element::text)
            .filter(|words| !words.trim().is_empty())
    };
    let alternative = words("svg:desc").or_else(|| words("svg:title"));
    let content = Content::Image { image, alternative };
    Block::from(content)
}

/// Reads an embedded object. A formula becomes the text of its symbols; other objects are reported as losses.
fn object(body: &mut Body, object: &Element) -> Result<Vec<Block>> {
    let target = object.get("xlink:href").unwrap_or_default();
    if is_external(target) {
        body.package.losses.add(Loss::ExternalLinkBlocked);
        return Ok(Vec::new());
    }
    let content = format!("{}/content.xml", resolved("", target));
    let root = body.package.optional_tree(&content)?;
    let root = root.as_ref().or_else(|| object.find("math:math"));
    match root {
        Some(root) if root.is("math:math") => Ok(formula(root)),
        Some(root) if root.at(&["office:body", "office:chart"]).is_some() => {
            body.package.losses.add(Loss::Chart);
            Ok(Vec::new())
        }
        _ => {
            body.package.losses.add(Loss::Object);
            Ok(Vec::new())
        }
    }
}

fn formula(root: &Element) -> Vec<Block> {
    let mut flow = Flow::default();
    let mut line = crate::line::Line::default();
    mathml::read(root, &layout::Style::default(), &mut line);
    flow.paragraph(crate::flow::Role::Body, layout::Alignment::Start, line);
    flow.into_blocks()
}

/// Whether a target is outside the package.
fn is_external(target: &str) -> bool {
    target.starts_with("../") || target.starts_with('/') || target.contains(':')
}
