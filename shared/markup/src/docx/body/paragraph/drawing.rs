//! Pictures, text boxes, charts and diagrams anchored in a paragraph.

use layout::{Block, Content};

use super::Open;
use crate::docx::body::Body;
use crate::error::Result;
use crate::warning::Loss;
use crate::xml::Element;

/// Reads a drawing.
pub(super) fn read(body: &mut Body<'_>, element: &Element, open: &mut Open) -> Result {
    let properties = element.elements().find_map(|inner| inner.find("wp:docPr"));
    if properties.is_some_and(|properties| matches!(properties.get("hidden"), Some("1" | "true"))) {
        body.package.losses.add(Loss::Hidden);
        return Ok(());
    }
    let around = open.link.is_some().then_some(&mut open.linked);
    let own = properties.and_then(|properties| properties.find("a:hlinkClick"));
    if let Some(linked) = body.fields.linked().or(around) {
        linked.picture();
    } else if own.is_some() {
        // Pictures and shapes cannot have the link.
        body.package.losses.add(Loss::Link);
    }
    let alternative = properties.and_then(alternative_text);
    contents(body, element, alternative.as_deref(), open)
}

fn contents(
    body: &mut Body<'_>,
    element: &Element,
    alternative: Option<&str>,
    open: &mut Open,
) -> Result {
    for inner in element.elements() {
        match inner.name() {
            "pic:pic" => picture(body, inner, alternative, open),
            "v:imagedata" => vml_picture(body, inner, element, open),
            "w:txbxContent" => {
                let blocks = body.nested(inner)?;
                open.anchored.extend(blocks);
            }
            "v:rect" if is_rule(inner) => add(open, Content::Rule),
            "v:textpath" => word_art(inner, open),
            "c:chart" => body.package.losses.add(Loss::Chart),
            "dgm:relIds" => diagram(body, inner, open)?,
            _ => contents(body, inner, alternative, open)?,
        }
    }
    Ok(())
}

fn picture(body: &mut Body<'_>, picture: &Element, alternative: Option<&str>, open: &mut Open) {
    let blip = picture.at(&["pic:blipFill", "a:blip"]);
    let own = picture
        .at(&["pic:nvPicPr", "pic:cNvPr"])
        .and_then(alternative_text);
    let words = alternative.map(str::to_owned).or(own);
    match blip.and_then(|blip| blip.get("r:embed")) {
        Some(id) => image(body, id, words, open),
        None if blip.is_some_and(|blip| blip.get("r:link").is_some()) => {
            body.package.losses.add(Loss::ExternalLinkBlocked);
        }
        None => {}
    }
}

/// A VML picture, or the preview of an embedded object.
fn vml_picture(body: &mut Body<'_>, data: &Element, shape: &Element, open: &mut Open) {
    let words = shape
        .get("alt")
        .or_else(|| data.get("o:title"))
        .map(str::to_owned);
    match data.get("r:id").or_else(|| data.get("o:relid")) {
        Some(id) => image(body, id, words, open),
        None => body.package.losses.add(Loss::ExternalLinkBlocked),
    }
}

fn image(body: &mut Body<'_>, id: &str, alternative: Option<String>, open: &mut Open) {
    let relations = std::mem::take(&mut body.relations);
    let image = body.package.picture(&relations, id);
    body.relations = relations;
    let alternative = alternative.filter(|words| !words.trim().is_empty());
    if let Some(image) = image {
        add(open, Content::Image { image, alternative });
    }
}

fn add(open: &mut Open, content: Content) {
    open.anchored.push(Block::from(content));
}

fn is_rule(shape: &Element) -> bool {
    matches!(shape.get("o:hr"), Some("t" | "true"))
}

/// WordArt: text drawn as a shape, such as a watermark.
fn word_art(path: &Element, open: &mut Open) {
    if let Some(text) = path.get("string") {
        let style = open.text_style.style();
        open.line.push(text, &style, None);
    }
}

/// Reads the texts of a SmartArt diagram.
fn diagram(body: &mut Body<'_>, ids: &Element, open: &mut Open) -> Result {
    let blocks = crate::diagram::read(body.package, &body.relations, ids)?;
    open.anchored.extend(blocks);
    Ok(())
}

/// Returns the alternative text.
fn alternative_text(properties: &Element) -> Option<String> {
    let attribute = |name| {
        properties
            .get(name)
            .filter(|words| !words.trim().is_empty())
    };
    attribute("descr")
        .or_else(|| attribute("title"))
        .map(str::to_owned)
}
