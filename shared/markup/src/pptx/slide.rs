//! Slides.

use std::sync::Arc;

use layout::{Block, Rect};

use super::shape::template::{Key, Template, shows_master};
use super::shape::{GroupTransform, Reader};
use super::{Presentation, shape};
use crate::comment_parts;
use crate::error::Result;
use crate::flow;
use crate::package::{Package, Relations};
use crate::slide;
use crate::source::UnnumberedPage;
use crate::warning::Loss;
use crate::xml::Element;

/// Reads a slide.
pub(super) fn read(show: &mut Presentation, part: &str, root: &Element) -> Result<UnnumberedPage> {
    let relations = show.package.relations(part)?;
    let template = template(show, &relations)?;
    let comments = comment_parts::of_part(&mut show.package, &relations)?;
    show.package.losses.add_many(Loss::Comment, comments);
    if shows_master(root) {
        for (part, texts) in &template.texts {
            if show.counted.insert(part.clone()) {
                show.package.losses.add_many(Loss::MasterText, *texts);
            }
        }
    }
    let mut reader = Reader {
        package: &mut show.package,
        relations,
        template: &template,
        numbers: &show.numbers,
    };
    let mut parts = SlideContent::default();
    if let Some(tree) = root.at(&["p:cSld", "p:spTree"]) {
        collect(&mut reader, tree, GroupTransform::default(), &mut parts)?;
    }
    let mut blocks = parts.titles;
    blocks.extend(slide::sort(parts.shapes).into_iter().flatten());
    if reader.package.speaker_notes {
        let relations = reader.relations.clone();
        blocks.extend(notes(show, &relations)?);
    }
    Ok(UnnumberedPage {
        size: show.size,
        blocks,
        footer: parts.footer,
        ..UnnumberedPage::default()
    })
}

/// The content of a slide.
#[derive(Default)]
struct SlideContent {
    titles: Vec<Block>,
    shapes: Vec<(Option<Rect>, Vec<Block>)>,
    footer: Vec<Block>,
}

fn collect(
    reader: &mut Reader<'_>,
    tree: &Element,
    frame: GroupTransform,
    parts: &mut SlideContent,
) -> Result {
    for shape in tree.elements() {
        let losses = &mut reader.package.losses;
        if shape::is_hidden(shape) {
            let has_text = !shape.text().trim().is_empty();
            losses.add_many(Loss::Hidden, u32::from(has_text));
            continue;
        }
        losses.add_many(Loss::Link, u32::from(shape::is_linked(shape)));
        if shape.is("p:grpSp") {
            collect(reader, shape, frame.within(shape), parts)?;
            continue;
        }
        let key = Key::of(shape);
        let own = shape::bounds(shape).map(|bounds| frame.place(bounds));
        let bounds = own.or_else(|| reader.template.bounds(key.as_ref()?));
        let blocks = reader.shape(shape, key.as_ref(), bounds)?;
        if blocks.is_empty() {
            continue;
        }
        match key.as_ref().map(|key| key.kind.as_str()) {
            Some("title" | "ctrTitle") => parts.titles.extend(blocks),
            Some("dt" | "ftr" | "sldNum") => parts.footer.extend(blocks),
            _ => parts.shapes.push((bounds, blocks)),
        }
    }
    Ok(())
}

fn template(show: &mut Presentation, relations: &Relations) -> Result<Arc<Template>> {
    let Some(layout) = relations
        .of_kind("slideLayout")
        .next()
        .map(|layout| layout.target.clone())
    else {
        return Ok(Arc::default());
    };
    if let Some(known) = show.templates.get(&layout) {
        return Ok(Arc::clone(known));
    }
    let template = Arc::new(Template::read(&mut show.package, &layout)?);
    show.templates.insert(layout, Arc::clone(&template));
    Ok(template)
}

/// Reads the speaker notes, below a rule.
fn notes(show: &mut Presentation, relations: &Relations) -> Result<Vec<Block>> {
    let Some(part) = relations
        .of_kind("notesSlide")
        .next()
        .map(|notes| notes.target.clone())
    else {
        return Ok(Vec::new());
    };
    let Some(root) = show.package.optional_tree(&part)? else {
        return Ok(Vec::new());
    };
    let relations = show.package.relations(&part)?;
    let mut reader = reader_of_notes(&mut show.package, relations, &show.numbers);
    let mut blocks = Vec::new();
    let tree = root.at(&["p:cSld", "p:spTree"]);
    for shape in tree.into_iter().flat_map(|tree| tree.all("p:sp")) {
        if Key::of(shape).is_some_and(|key| key.kind == "body") {
            blocks.extend(reader.shape(shape, None, None)?);
        }
    }
    Ok(flow::with_rule_above(blocks))
}

fn reader_of_notes<'a>(
    package: &'a mut Package,
    relations: Relations,
    numbers: &'a std::collections::HashMap<String, u32>,
) -> Reader<'a> {
    static PLAIN: std::sync::LazyLock<Template> = std::sync::LazyLock::new(Template::default);
    Reader {
        package,
        relations,
        template: &PLAIN,
        numbers,
    }
}
