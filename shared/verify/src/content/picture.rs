//! Raster images of pictures in Office Open XML [ECMA-376-1, 20.1.8.13].

use super::package::{Relationships, is_raster_image};
use super::xml::Element;

/// Finds the image of each picture.
#[derive(Default)]
pub(super) struct PictureReader {
    is_open: bool,
    /// Identifier of the image.
    image: Option<String>,
}

impl PictureReader {
    pub(super) fn start(&mut self, element: &Element<'_>) {
        match element.name() {
            "pic" => self.is_open = true,
            "blip" if self.is_open => self.image = element.attribute("embed"),
            // The image replaces a drawing, whose paths the result may have.
            "svgBlip" => self.image = None,
            _ => {}
        }
    }

    /// Returns whether a raster image ends.
    pub(super) fn end(&mut self, name: &str, relationships: &Relationships) -> bool {
        match name {
            "pic" => self.is_open = false,
            "blip" => {
                let part = self.image.take().and_then(|id| relationships.get(&id));
                return part.is_some_and(|part| is_raster_image(part));
            }
            _ => {}
        }
        false
    }
}
