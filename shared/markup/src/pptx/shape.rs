//! Shapes: text, tables, pictures and graphic frames.

mod paragraph;
mod table;
pub(super) mod template;

use std::collections::HashMap;

use layout::{Block, Rect};

use self::template::{Key, Template};
use crate::diagram;
use crate::error::Result;
use crate::flow::Flow;
use crate::package::{Package, Relations};
use crate::slide;
use crate::units;
use crate::warning::Loss;
use crate::xml::Element;

/// Reads the shapes of a slide.
pub(super) struct Reader<'a> {
    pub(super) package: &'a mut Package,
    pub(super) relations: Relations,
    pub(super) template: &'a Template,
    /// Page number of each visible slide.
    pub(super) numbers: &'a HashMap<String, u32>,
}

impl Reader<'_> {
    /// Returns the blocks of a shape.
    pub(super) fn shape(
        &mut self,
        shape: &Element,
        key: Option<&Key>,
        bounds: Option<Rect>,
    ) -> Result<Vec<Block>> {
        let mut flow = Flow::default();
        match shape.name() {
            "p:sp" | "p:cxnSp" => paragraph::read(self, shape, key, &mut flow),
            "p:pic" => self.picture(shape, &mut flow),
            "p:graphicFrame" => self.graphic(shape, &mut flow)?,
            "p:contentPart" => self.package.losses.add(Loss::Object),
            _ => {}
        }
        let mut blocks = flow.into_blocks();
        if let Some(bounds) = bounds {
            slide::share(bounds, &mut blocks);
        }
        Ok(blocks)
    }

    fn picture(&mut self, picture: &Element, flow: &mut Flow) {
        let blip = picture.at(&["p:blipFill", "a:blip"]);
        let properties = picture.at(&["p:nvPicPr", "p:cNvPr"]);
        let words = properties
            .and_then(|properties| properties.get("descr"))
            .map(str::to_owned);
        let Some(id) = blip.and_then(|blip| blip.get("r:embed")) else {
            if blip.is_some_and(|blip| blip.get("r:link").is_some()) {
                self.package.losses.add(Loss::ExternalLinkBlocked);
            }
            return;
        };
        let image = self.package.picture(&self.relations, id);
        image
            .into_iter()
            .for_each(|image| flow.image(image, words.clone()));
    }

    fn graphic(&mut self, frame: &Element, flow: &mut Flow) -> Result {
        let data = frame.at(&["a:graphic", "a:graphicData"]);
        for inner in data.into_iter().flat_map(|data| data.elements()) {
            match inner.name() {
                "a:tbl" => table::read(self, inner)?
                    .into_iter()
                    .for_each(|table| flow.table(table)),
                "dgm:relIds" => flow.extend(diagram::read(self.package, &self.relations, inner)?),
                "c:chart" => self.package.losses.add(Loss::Chart),
                "p:oleObj" => match inner.find("p:pic") {
                    Some(picture) => self.picture(picture, flow),
                    None => self.package.losses.add(Loss::Object),
                },
                _ => self.package.losses.add(Loss::Object),
            }
        }
        Ok(())
    }
}

/// Transforms coordinates in a group to coordinates on the slide.
#[derive(Clone, Copy, Debug)]
pub(super) struct GroupTransform {
    scale: (f32, f32),
    shift: (f32, f32),
}

impl Default for GroupTransform {
    fn default() -> Self {
        Self {
            scale: (1.0, 1.0),
            shift: (0.0, 0.0),
        }
    }
}

impl GroupTransform {
    /// Returns the transform of a group inside this one.
    pub(super) fn within(&self, group: &Element) -> Self {
        let transform = group.at(&["p:grpSpPr", "a:xfrm"]);
        let outer = transform.and_then(|transform| rect(transform, "a:off", "a:ext"));
        let inner = transform.and_then(|transform| rect(transform, "a:chOff", "a:chExt"));
        let (Some(outer), Some(inner)) = (outer, inner) else {
            return *self;
        };
        let outer = self.place(outer);
        let ratio = |outer: f32, inner: f32| if inner > 0.0 { outer / inner } else { 1.0 };
        let scale = (
            ratio(outer.width(), inner.width()),
            ratio(outer.height(), inner.height()),
        );
        Self {
            scale,
            shift: (
                outer.left - inner.left * scale.0,
                outer.top - inner.top * scale.1,
            ),
        }
    }

    /// Transforms a rectangle to slide coordinates.
    pub(super) fn place(&self, bounds: Rect) -> Rect {
        let x = |x: f32| x * self.scale.0 + self.shift.0;
        let y = |y: f32| y * self.scale.1 + self.shift.1;
        Rect::between(
            (x(bounds.left), y(bounds.top)),
            (x(bounds.right), y(bounds.bottom)),
        )
    }
}

/// Returns the bounds of a shape itself, without those of its placeholder.
pub(super) fn bounds(shape: &Element) -> Option<Rect> {
    let transform = match shape.name() {
        "p:graphicFrame" => shape.find("p:xfrm"),
        _ => shape.at(&["p:spPr", "a:xfrm"]),
    };
    rect(transform?, "a:off", "a:ext")
}

fn rect(transform: &Element, offset: &str, extent: &str) -> Option<Rect> {
    let (offset, extent) = (transform.find(offset)?, transform.find(extent)?);
    let (left, top) = (units::emu(offset.get("x")?)?, units::emu(offset.get("y")?)?);
    let (width, height) = (
        units::emu(extent.get("cx")?)?,
        units::emu(extent.get("cy")?)?,
    );
    Some(Rect::between((left, top), (left + width, top + height)))
}

/// Whether a shape is hidden.
pub(super) fn is_hidden(shape: &Element) -> bool {
    let hidden = properties(shape).and_then(|properties| properties.get("hidden"));
    matches!(hidden, Some("1" | "true"))
}

/// Whether a shape as a whole is a link, which its text and picture cannot have.
pub(super) fn is_linked(shape: &Element) -> bool {
    let link = properties(shape).and_then(|properties| properties.find("a:hlinkClick"));
    let id = link.and_then(|link| link.get("r:id"));
    let is_media = link
        .and_then(|link| link.get("action"))
        .is_some_and(|action| action.starts_with("ppaction://media"));
    id.is_some_and(|id| !id.is_empty()) && !is_media
}

fn properties(shape: &Element) -> Option<&Element> {
    shape.elements().find_map(|inner| inner.find("p:cNvPr"))
}
