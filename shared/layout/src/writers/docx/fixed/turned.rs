//! Lines that are turned otherwise than by right angles.
//!
//! LibreOffice turns a box and not the text in it, unless it is text of a drawing. Word knows that as a picture only, in which
//! nobody can write. So both are there, as alternatives of each other: the first says that it needs what only Word knows by
//! these names together.

use std::fmt::{Result, Write as _};

use crate::writers::docx::story::Story;
use crate::writers::frame::Place;
use crate::writers::ooxml::drawingml;
use crate::writers::standing::Standing;

const DRAWING: &str = "http://schemas.openxmlformats.org/drawingml/2006/lockedCanvas";

const NAMESPACES: &str = "xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
xmlns:wp14=\"http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing\"";

impl Story<'_> {
    /// A line as a box, and as a drawing where boxes cannot be turned.
    pub(super) fn also_turned(&mut self, line: &Standing, boxed: &str) -> Result {
        let box_place = Place::of(line.boxed());
        let place = box_place.around(line.angle);
        let shape = drawing(line, box_place, place);
        let drawn = self.anchored(("Line", ""), place, false, (DRAWING, &shape));
        write!(
            self.xml,
            "<w:r><mc:AlternateContent {NAMESPACES}><mc:Choice Requires=\"wps wp14\">{boxed}</mc:Choice>\
<mc:Fallback>{drawn}</mc:Fallback></mc:AlternateContent></w:r>"
        )
    }
}

/// Text that is turned in its box, within what is around that.
fn drawing(line: &Standing, box_place: Place, around: Place) -> String {
    let Place {
        x,
        y,
        width,
        height,
    } = around;
    let own = Place {
        x: box_place.x - x,
        y: box_place.y - y,
        ..box_place
    };
    let own = own.turned(line.angle, "a:xfrm");
    let paragraph = drawingml::line(&line.runs, line.is_leftward);
    format!(
        "<lc:lockedCanvas xmlns:lc=\"{DRAWING}\"><a:nvGrpSpPr><a:cNvPr id=\"0\" name=\"\"/><a:cNvGrpSpPr/></a:nvGrpSpPr>\
<a:grpSpPr><a:xfrm><a:off x=\"{x}\" y=\"{y}\"/><a:ext cx=\"{width}\" cy=\"{height}\"/><a:chOff x=\"0\" y=\"0\"/>\
<a:chExt cx=\"{width}\" cy=\"{height}\"/></a:xfrm></a:grpSpPr>\
<a:sp><a:nvSpPr><a:cNvPr id=\"1\" name=\"Text\"/><a:cNvSpPr txBox=\"1\"/></a:nvSpPr>\
<a:spPr>{own}<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:noFill/></a:spPr><a:txSp><a:txBody>\
<a:bodyPr wrap=\"none\" lIns=\"0\" tIns=\"0\" rIns=\"0\" bIns=\"0\" anchor=\"t\"><a:noAutofit/></a:bodyPr><a:lstStyle/>{paragraph}\
</a:txBody><a:useSpRect/></a:txSp></a:sp></lc:lockedCanvas>"
    )
}
