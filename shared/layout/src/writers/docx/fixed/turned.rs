//! Lines rotated by other angles than quarter turns.
//!
//! LibreOffice rotates the box but not its text, except in a locked canvas, which Word displays as an uneditable picture. Both
//! are written as alternatives (`mc:AlternateContent`); the choice for Word requires namespaces that only Word supports
//! together.

use std::fmt::{Result, Write as _};

use crate::writers::docx::story::Story;
use crate::writers::ooxml::drawingml;
use crate::writers::page_transform::EmuRect;
use crate::writers::positioned_line::PositionedLine;

const DRAWING: &str = "http://schemas.openxmlformats.org/drawingml/2006/lockedCanvas";

const NAMESPACES: &str = "xmlns:mc=\"http://schemas.openxmlformats.org/markup-compatibility/2006\" \
xmlns:wp14=\"http://schemas.microsoft.com/office/word/2010/wordprocessingDrawing\"";

impl Story<'_> {
    /// Writes a line as a text box, and as a drawing for programs that cannot rotate text boxes.
    pub(super) fn rotated_line(&mut self, line: &PositionedLine, text_box: &str) -> Result {
        let box_place = EmuRect::of(line.frame());
        let place = box_place.around(line.angle);
        let shape = drawing(line, box_place, place);
        let drawn = self.anchored(("Line", ""), place, false, (DRAWING, &shape));
        write!(
            self.xml,
            "<w:r><mc:AlternateContent {NAMESPACES}><mc:Choice Requires=\"wps wp14\">{text_box}</mc:Choice>\
<mc:Fallback>{drawn}</mc:Fallback></mc:AlternateContent></w:r>"
        )
    }
}

/// Returns a line as rotated text in a canvas.
fn drawing(line: &PositionedLine, box_place: EmuRect, around: EmuRect) -> String {
    let EmuRect {
        x,
        y,
        width,
        height,
    } = around;
    let own = EmuRect {
        x: box_place.x - x,
        y: box_place.y - y,
        ..box_place
    };
    let own = own.turned(line.angle, "a:xfrm");
    let paragraph = drawingml::line(&line.runs, line.is_rtl);
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
