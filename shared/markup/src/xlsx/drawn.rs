//! What is drawn on a sheet: pictures and texts behind the table, charts only told.

use layout::{Alignment, Style};

use crate::error::Outcome;
use crate::flow::{Flow, Role};
use crate::line::Line;
use crate::package::{Package, Relations};
use crate::warning::Loss;
use crate::xml::Element;

/// Reads the drawing of a sheet.
pub(super) fn read(package: &mut Package, relations: &Relations, flow: &mut Flow) -> Outcome {
    let drawings: Vec<String> = relations
        .of_kind("drawing")
        .map(|drawing| drawing.target.clone())
        .collect();
    for target in drawings {
        let Some(root) = package.spare_tree(&target)? else {
            continue;
        };
        let own = package.relations(&target)?;
        take(package, &root, &own, None, flow);
    }
    Ok(())
}

fn take(
    package: &mut Package,
    element: &Element,
    relations: &Relations,
    words: Option<&str>,
    flow: &mut Flow,
) {
    let properties = element.elements().find_map(|inner| {
        inner
            .elements()
            .find(|inner| inner.name().ends_with(":cNvPr"))
    });
    let words = properties
        .and_then(|properties| properties.get("descr"))
        .or(words);
    for inner in element.elements() {
        match inner.name() {
            "a:blip" => match inner.get("r:embed") {
                Some(id) => {
                    let image = package.picture(relations, id);
                    image
                        .into_iter()
                        .for_each(|image| flow.image(image, words.map(str::to_owned)));
                }
                None => package.losses.add(Loss::ExternalLinkBlocked),
            },
            "c:chart" => package.losses.add(Loss::Chart),
            "a:p" => paragraph(inner, flow),
            _ => take(package, inner, relations, words, flow),
        }
    }
}

fn paragraph(element: &Element, flow: &mut Flow) {
    let mut line = Line::default();
    for run in element.elements() {
        let text = run.find("a:t").map(Element::text).unwrap_or_default();
        line.push(
            if run.is("a:br") { "\n" } else { &text },
            &Style::default(),
            None,
        );
    }
    flow.paragraph(Role::Body, Alignment::Start, line);
}
