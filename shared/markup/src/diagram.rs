//! Text of OOXML diagrams (SmartArt), one paragraph each.

use layout::{Alignment, Block, Style};

use crate::error::Result;
use crate::flow::{Flow, Role};
use crate::line::Line;
use crate::package::{Package, Relations};
use crate::warning::Loss;
use crate::xml::Element;

/// Reads the texts of the diagram referenced by these relationship ids.
pub(crate) fn read(
    package: &mut Package,
    relations: &Relations,
    ids: &Element,
) -> Result<Vec<Block>> {
    let data = ids.get("r:dm").and_then(|id| relations.internal(id));
    let Some(data) = data else {
        package.losses.add(Loss::Object);
        return Ok(Vec::new());
    };
    let root = package.optional_tree(&data.target)?;
    let mut flow = Flow::default();
    let points = root.as_ref().and_then(|root| root.find("dgm:ptLst"));
    for point in points.into_iter().flat_map(|points| points.all("dgm:pt")) {
        // Placeholder text is not displayed.
        let is_empty = point
            .find("dgm:prSet")
            .is_some_and(|set| matches!(set.get("phldr"), Some("1" | "true")));
        if let Some(text) = point.find("dgm:t").filter(|_| !is_empty) {
            text.all("a:p")
                .for_each(|paragraph| add(paragraph, &mut flow));
        }
    }
    Ok(flow.into_blocks())
}

/// Adds a DrawingML paragraph as plain text.
pub(crate) fn add(paragraph: &Element, flow: &mut Flow) {
    let mut line = Line::default();
    for run in paragraph.elements() {
        let text = run.find("a:t").map(Element::text).unwrap_or_default();
        line.push(
            if run.is("a:br") { "\n" } else { &text },
            &Style::default(),
            None,
        );
    }
    flow.paragraph(Role::Body, Alignment::Start, line);
}
