//! What stands under the text of a fixed-layout page, fixed to it: in one layer with it and told before it, since programs draw
//! pictures that are behind the text over shapes that are.

use std::fmt::Write as _;

use super::SHAPE;
use crate::writers::docx::drawing;
use crate::writers::docx::story::Story;
use crate::writers::frame::{Frame, Place};
use crate::writers::ooxml::outline;
use crate::writers::{Outcome, length, picture};
use crate::{Area, Figure, Graphic, Shape};

impl Story<'_> {
    pub(super) fn drawn(&mut self, drawn: &Graphic, frame: Frame) -> Outcome {
        match drawn {
            Graphic::Area(area) => self.area(area, frame),
            Graphic::Shape(shape) => self.outlined(shape, frame),
            Graphic::Figure(figure) => return self.figure(figure, frame),
        }
        Ok(())
    }

    fn area(&mut self, area: &Area, frame: Frame) {
        let Some(bounds) = length::place(Some(area.bounds)) else {
            return;
        };
        let fill = outline::fill(Some(area.colour));
        let looks = format!(
            "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom>{fill}<a:ln><a:noFill/></a:ln>"
        );
        self.plain("Area", frame.place(bounds), &looks);
    }

    fn outlined(&mut self, shape: &Shape, frame: Frame) {
        if let Some((place, looks)) = outline::described(shape, frame) {
            self.plain("Shape", place, &looks);
        }
    }

    fn plain(&mut self, kind: &str, place: Place, looks: &str) {
        let shape = format!(
            "<wps:wsp><wps:cNvSpPr/><wps:spPr>{}{looks}</wps:spPr><wps:bodyPr/></wps:wsp>",
            place.at_origin().xml("a:xfrm")
        );
        let anchored = self.anchored((kind, ""), place, false, (SHAPE, &shape));
        write!(self.xml, "<w:r>{anchored}</w:r>").ok();
    }

    fn figure(&mut self, figure: &Figure, frame: Frame) -> Outcome {
        let (info, place) = (
            picture::info(self.pictures, figure.image)?,
            length::place(Some(figure.bounds)),
        );
        let (Some(info), Some(bounds)) = (info, place) else {
            return Ok(());
        };
        self.used.insert(figure.image, info);
        let relation = self
            .relations
            .part("image", &picture::part(figure.image, info.format));
        let place = frame.place(bounds);
        let (extent, cut) = ((place.width, place.height), outline::cut(figure));
        let shape = drawing::picture(self.numbered + 1, &relation, &cut, extent);
        let words = figure.alternative.as_deref().unwrap_or_default();
        let anchored = self.anchored(("Picture", words), place, false, (drawing::PICTURE, &shape));
        write!(self.xml, "<w:r>{anchored}</w:r>").ok();
        Ok(())
    }
}
