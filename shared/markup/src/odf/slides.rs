//! Slides of a presentation.

use std::collections::HashMap;

use layout::{Block, Content, Rect};

use super::body::{Body, frame};
use super::pages;
use crate::error::{MarkupError, Result};
use crate::flow;
use crate::link;
use crate::package::Package;
use crate::paper;
use crate::slide;
use crate::source::{LoadedDocument, Metadata, UnnumberedPage};
use crate::units;
use crate::warning::Loss;
use crate::xml::{self, Element};

/// Reads a presentation.
pub(super) fn read(
    package: Package,
    content: &[u8],
    styles: &Element,
    metadata: Metadata,
) -> Result<LoadedDocument> {
    let root = xml::tree(content, &package.budget)?;
    let Some(presentation) = root.at(&["office:body", "office:presentation"]) else {
        return Err(MarkupError::Mismatch);
    };
    let own: Vec<Element> = root
        .elements()
        .filter(|element| pages::own_styles(element))
        .cloned()
        .collect();
    let mut body = pages::body_with_styles(package, &own, styles);
    let size = size(styles);
    body.is_slides = true;
    let slides: Vec<&Element> = presentation.all("draw:page").collect();
    // Hidden slides have no page to link to.
    let shown = slides.iter().filter(|slide| !is_hidden(&body, slide));
    let numbers: HashMap<&str, usize> = shown
        .zip(1..)
        .filter_map(|(slide, number)| Some((slide.get("draw:name")?, number)))
        .collect();
    let mut bound = LoadedDocument {
        metadata,
        ..LoadedDocument::default()
    };
    let mut master_texts = master_texts(styles);
    for slide in slides {
        body.package.losses.page = bound.leaves.len() as u32 + 1;
        if is_hidden(&body, slide) {
            body.package.losses.page = 0;
            body.package.losses.add(Loss::Hidden);
            continue;
        }
        let comments = slide
            .elements()
            .filter(|inner| inner.name().ends_with(":annotation"));
        let comments = comments.map(|_| 1).sum();
        body.package.losses.add_many(Loss::Comment, comments);
        let master = slide.get("draw:master-page-name").unwrap_or_default();
        let texts = master_texts.remove(master).unwrap_or(0);
        body.package.losses.add_many(Loss::MasterText, texts);
        let mut blocks = self::slide(&mut body, slide)?;
        blocks.append(&mut body.footnotes);
        let page = |name: &str| numbers.get(name).copied();
        link::resolve_anchors(&mut blocks, page, &mut body.package.losses);
        bound.leaves.push_back(UnnumberedPage {
            size,
            blocks,
            ..UnnumberedPage::default()
        });
    }
    bound.pictures = body.package.pictures.clone();
    bound.warnings = body.package.losses.all();
    Ok(bound)
}

fn is_hidden(body: &Body, slide: &Element) -> bool {
    let style = slide.get("draw:style-name");
    body.styles.get("drawing-page", style).hidden
}

/// The number of shapes with text of each master page, besides placeholders and the fields of headers and footers.
fn master_texts(styles: &Element) -> HashMap<&str, u32> {
    let masters = styles.find("office:master-styles");
    let masters = masters
        .into_iter()
        .flat_map(|styles| styles.all("style:master-page"));
    let texts = |master: &Element| {
        let shapes = master.elements().filter(|shape| {
            shape.name().starts_with("draw:") && shape.get("presentation:class").is_none()
        });
        let with_text = shapes.filter(|shape| !shape.text().trim().is_empty());
        with_text.map(|_| 1).sum()
    };
    masters
        .filter_map(|master| Some((master.get("style:name")?, texts(master))))
        .collect()
}

fn slide(body: &mut Body, slide: &Element) -> Result<Vec<Block>> {
    let (mut titles, mut shapes) = (Vec::new(), Vec::new());
    for shape in slide
        .elements()
        .filter(|shape| shape.name().starts_with("draw:"))
    {
        if shape.get("presentation:placeholder") == Some("true") {
            continue;
        }
        let bounds = bounds(shape);
        let mut blocks = frame::read(body, shape)?;
        let is_title = shape.get("presentation:class") == Some("title");
        if is_title {
            blocks.iter_mut().for_each(to_heading);
        }
        if let Some(bounds) = bounds {
            slide::share(bounds, &mut blocks);
        }
        match is_title {
            true => titles.extend(blocks),
            false => shapes.push((bounds, blocks)),
        }
    }
    titles.extend(slide::sort(shapes).into_iter().flatten());
    if let Some(notes) = slide
        .find("presentation:notes")
        .filter(|_| body.package.speaker_notes)
    {
        titles.extend(self::notes(body, notes)?);
    }
    Ok(titles)
}

/// Returns the speaker notes below a rule.
fn notes(body: &mut Body, notes: &Element) -> Result<Vec<Block>> {
    let mut blocks = Vec::new();
    for frame in notes
        .all("draw:frame")
        .filter(|frame| frame.get("presentation:class") == Some("notes"))
    {
        if frame.get("presentation:placeholder") != Some("true") {
            blocks.extend(frame::read(body, frame)?);
        }
    }
    Ok(flow::with_rule_above(blocks))
}

/// Converts a paragraph to a heading.
fn to_heading(block: &mut Block) {
    if let Content::Paragraph {
        runs, alignment, ..
    } = &mut block.content
    {
        block.content = Content::Heading {
            level: 1,
            runs: std::mem::take(runs),
            alignment: *alignment,
        };
    }
}

fn bounds(shape: &Element) -> Option<Rect> {
    let length = |name| units::length(shape.get(name)?);
    let (left, top) = (length("svg:x")?, length("svg:y")?);
    let (width, height) = (length("svg:width")?, length("svg:height")?);
    Some(Rect::between((left, top), (left + width, top + height)))
}

fn size(styles: &Element) -> layout::Size {
    let masters = styles
        .find("office:master-styles")
        .into_iter()
        .flat_map(|styles| styles.all("style:master-page"));
    let named = masters
        .into_iter()
        .find_map(|master| master.get("style:page-layout-name"));
    let automatic = styles.find("office:automatic-styles");
    let mut layouts = automatic
        .into_iter()
        .flat_map(|styles| styles.all("style:page-layout"));
    let layout = layouts.find(|layout| layout.get("style:name") == named);
    layout.and_then(pages::size).unwrap_or(paper::SLIDE)
}
