//! Graphics of a fixed-layout page. They are anchored in front of the document layer and written before the text, since
//! programs draw pictures behind the text on top of shapes behind the text.

use std::fmt::Write as _;

use super::SHAPE;
use crate::writers::docx::drawing;
use crate::writers::docx::story::Story;
use crate::writers::ooxml::outline;
use crate::writers::page_transform::{EmuRect, PageTransform};
use crate::writers::{Result, length, picture};
use crate::{Area, Figure, Graphic, Shape};

impl Story<'_> {
    pub(super) fn graphic(&mut self, drawn: &Graphic, frame: PageTransform) -> Result {
        match drawn {
            Graphic::Area(area) => self.area(area, frame),
            Graphic::Shape(shape) => self.outlined(shape, frame),
            Graphic::Figure(figure) => return self.figure(figure, frame),
        }
        Ok(())
    }

    fn area(&mut self, area: &Area, frame: PageTransform) {
        let Some(bounds) = length::place(Some(area.bounds)) else {
            return;
        };
        let fill = outline::fill(Some(area.color));
        let appearance = format!(
            "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom>{fill}<a:ln><a:noFill/></a:ln>"
        );
        self.plain("Area", frame.place(bounds), &appearance);
    }

    fn outlined(&mut self, shape: &Shape, frame: PageTransform) {
        if let Some((place, appearance)) = outline::described(shape, frame) {
            self.plain("Shape", place, &appearance);
        }
    }

    fn plain(&mut self, kind: &str, place: EmuRect, appearance: &str) {
        let shape = format!(
            "<wps:wsp><wps:cNvSpPr/><wps:spPr>{}{appearance}</wps:spPr><wps:bodyPr/></wps:wsp>",
            place.at_origin().xml("a:xfrm")
        );
        let anchored = self.anchored((kind, ""), place, false, (SHAPE, &shape));
        write!(self.xml, "<w:r>{anchored}</w:r>").ok();
    }

    fn figure(&mut self, figure: &Figure, frame: PageTransform) -> Result {
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
        let (extent, cropping) = ((place.width, place.height), outline::cropping(figure));
        let shape = drawing::picture(self.numbered + 1, &relation, &cropping, extent);
        let words = figure.alternative.as_deref().unwrap_or_default();
        let anchored = self.anchored(("Picture", words), place, false, (drawing::PICTURE, &shape));
        write!(self.xml, "<w:r>{anchored}</w:r>").ok();
        Ok(())
    }
}
