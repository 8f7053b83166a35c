//! A slide.

use std::sync::Arc;

use layout::{Block, Rect};

use super::shape::template::{Key, Template};
use super::shape::{Frame, Reader};
use super::{Presentation, shape};
use crate::error::Outcome;
use crate::flow;
use crate::package::{Package, Relations};
use crate::slide;
use crate::source::Leaf;
use crate::xml::Element;

/// Reads a slide.
pub(super) fn read(show: &mut Presentation, part: &str, root: &Element) -> Outcome<Leaf> {
    let relations = show.package.relations(part)?;
    let template = template(show, &relations)?;
    let mut reader = Reader {
        package: &mut show.package,
        relations,
        template: &template,
        numbers: &show.numbers,
    };
    let mut parts = Parts::default();
    if let Some(tree) = root.at(&["p:cSld", "p:spTree"]) {
        collect(&mut reader, tree, Frame::default(), &mut parts)?;
    }
    let mut blocks = parts.titles;
    blocks.extend(slide::sort(parts.shapes).into_iter().flatten());
    if reader.package.speaker_notes {
        let relations = reader.relations.clone();
        blocks.extend(notes(show, &relations)?);
    }
    Ok(Leaf {
        size: show.size,
        blocks,
        footer: parts.footer,
        ..Leaf::default()
    })
}

/// What stands on a slide.
#[derive(Default)]
struct Parts {
    titles: Vec<Block>,
    shapes: Vec<(Option<Rect>, Vec<Block>)>,
    footer: Vec<Block>,
}

fn collect(reader: &mut Reader<'_>, tree: &Element, frame: Frame, parts: &mut Parts) -> Outcome {
    for shape in tree.elements().filter(|shape| !shape::is_hidden(shape)) {
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

fn template(show: &mut Presentation, relations: &Relations) -> Outcome<Arc<Template>> {
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

/// The notes for the speaker, below a line.
fn notes(show: &mut Presentation, relations: &Relations) -> Outcome<Vec<Block>> {
    let Some(part) = relations
        .of_kind("notesSlide")
        .next()
        .map(|notes| notes.target.clone())
    else {
        return Ok(Vec::new());
    };
    let Some(root) = show.package.spare_tree(&part)? else {
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
    Ok(flow::below_rule(blocks))
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
