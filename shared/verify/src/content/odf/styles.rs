//! What hides content: automatic styles, and the edges of slides.

use std::collections::HashSet;

use crate::content::item::Unreadable;
use crate::content::xml::{Element, Node, walk};

/// Names of styles that hide sheets, slides and text.
#[derive(Default)]
pub(super) struct HiddenStyles {
    pub(super) tables: HashSet<String>,
    pub(super) pages: HashSet<String>,
    pub(super) texts: HashSet<String>,
    /// Name of the current style.
    current: Option<String>,
    /// Width and height in centimeters of the largest slide.
    slide: Option<(f32, f32)>,
}

impl HiddenStyles {
    /// Reads the styles of a part.
    pub(super) fn read(&mut self, part: &[u8]) -> Result<(), Unreadable> {
        walk(part, |node, _| {
            if let Node::Start(element) = node {
                self.add(&element);
            }
        })
    }

    /// Adds the style that an element begins, or a property of the current style.
    pub(super) fn add(&mut self, element: &Element<'_>) {
        match element.name() {
            "style" => self.current = element.attribute("name"),
            "table-properties" if element.has("display", "false") => {
                self.tables.extend(self.current.clone());
            }
            "drawing-page-properties" if element.has("visibility", "hidden") => {
                self.pages.extend(self.current.clone());
            }
            "text-properties" if element.has("display", "none") => {
                self.texts.extend(self.current.clone());
            }
            "page-layout-properties" => {
                let size = pair(element, ["page-width", "page-height"]);
                if let Some((width, height)) = size {
                    let (widest, highest) = self.slide.unwrap_or_default();
                    self.slide = Some((widest.max(width), highest.max(height)));
                }
            }
            _ => {}
        }
    }

    /// Whether a shape is completely outside of the slides.
    pub(super) fn is_outside(&self, shape: &Element<'_>) -> bool {
        let is_outside = |(across, down)| {
            let (x, y) = pair(shape, ["x", "y"])?;
            let (width, height) = pair(shape, ["width", "height"])?;
            Some(x >= across || y >= down || x + width < 0.0 || y + height < 0.0)
        };
        self.slide.and_then(is_outside) == Some(true)
    }
}

/// Two lengths of an element in centimeters.
fn pair(element: &Element<'_>, names: [&str; 2]) -> Option<(f32, f32)> {
    let [one, other] = names;
    let length = |name| centimeters(&element.value(name)?);
    Some((length(one)?, length(other)?))
}

fn centimeters(length: &str) -> Option<f32> {
    const UNITS: [(&str, f32); 4] = [("cm", 1.0), ("in", 2.54), ("pt", 2.54 / 72.0), ("mm", 0.1)];
    let (number, scale) = UNITS
        .iter()
        .find_map(|(unit, scale)| Some((length.strip_suffix(unit)?, scale)))?;
    Some(number.parse::<f32>().ok()? * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_in_centimeters() {
        assert_eq!(
            ["2cm", "1in", "72pt", "5mm", "3%"].map(centimeters),
            [Some(2.0), Some(2.54), Some(2.54), Some(0.5), None]
        );
    }
}
