//! Drawings of a worksheet: pictures and texts follow the table, charts are only counted as dropped content.

use crate::diagram;
use crate::error::Result;
use crate::flow::Flow;
use crate::package::{Package, Relations};
use crate::warning::Loss;
use crate::xml::Element;

/// Reads the drawings of a worksheet.
pub(crate) fn read(package: &mut Package, relations: &Relations, flow: &mut Flow) -> Result {
    let drawings: Vec<String> = relations
        .of_kind("drawing")
        .map(|drawing| drawing.target.clone())
        .collect();
    for target in drawings {
        let Some(root) = package.optional_tree(&target)? else {
            continue;
        };
        let own = package.relations(&target)?;
        collect(package, &root, &own, None, flow);
    }
    Ok(())
}

fn collect(
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
    // Pictures and shapes cannot have the link.
    if properties.is_some_and(|properties| properties.find("a:hlinkClick").is_some()) {
        package.losses.add(Loss::Link);
    }
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
            _ => collect(package, inner, relations, words, flow),
        }
    }
}
