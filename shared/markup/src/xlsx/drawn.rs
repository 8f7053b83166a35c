//! What is drawn on a sheet: pictures and texts behind the table, charts only told.

use crate::diagram;
use crate::error::Outcome;
use crate::flow::Flow;
use crate::package::{Package, Relations};
use crate::warning::Loss;
use crate::xml::Element;

/// Reads the drawing of a sheet.
pub(crate) fn read(package: &mut Package, relations: &Relations, flow: &mut Flow) -> Outcome {
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
            "a:p" => diagram::add(inner, flow),
            _ => take(package, inner, relations, words, flow),
        }
    }
}
