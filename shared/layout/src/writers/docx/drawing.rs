//! Pictures in WordprocessingML.

use crate::writers::PictureInfo;
use crate::writers::length;
use crate::writers::xml::Escaped;
use crate::{Rect, Size};

/// Returns width and height in EMU: the size on the page, limited to the text area.
pub(super) fn extent(info: PictureInfo, bounds: Option<Rect>, room: Size) -> (i64, i64) {
    let (width, height) = match length::place(bounds) {
        Some(bounds) if bounds.width() > 0.0 && bounds.height() > 0.0 => {
            (bounds.width(), bounds.height())
        }
        // Pixels are 1/96 inch.
        _ => (points(info.width), points(info.height)),
    };
    let scale = (room.width * 0.9 / width)
        .min(room.height * 0.9 / height)
        .clamp(0.0, 1.0);
    (units(width * scale), units(height * scale))
}

fn points(pixels: u32) -> f32 {
    #[expect(
        clippy::cast_precision_loss,
        reason = "pictures have fewer pixels than a float can count"
    )]
    let pixels = pixels as f32;
    pixels * 0.75
}

/// Converts points to EMU, at least 1.
pub(super) fn units(points: f32) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float that is too large becomes the largest number"
    )]
    let units = (points * 12_700.0).round() as i64;
    units.clamp(1, 51_206_400)
}

/// Namespace URI of pictures.
pub(super) const PICTURE: &str = "http://schemas.openxmlformats.org/drawingml/2006/picture";

/// Returns a picture element with this extent; `cropping` is the cropping element, or empty.
pub(super) fn picture(
    number: u32,
    relation: &str,
    cropping: &str,
    (width, height): (i64, i64),
) -> String {
    format!(
        "<pic:pic><pic:nvPicPr><pic:cNvPr id=\"{number}\" name=\"Picture {number}\"/><pic:cNvPicPr/></pic:nvPicPr>\
<pic:blipFill><a:blip r:embed=\"{relation}\"/>{cropping}<a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
<pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></a:xfrm>\
<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>"
    )
}

/// Returns an inline drawing.
pub(super) fn inline(number: u32, relation: &str, words: &str, extent: (i64, i64)) -> String {
    let words = Escaped(words);
    let picture = picture(number, relation, "", extent);
    let (width, height) = extent;
    format!(
        "<w:r><w:drawing><wp:inline distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\">\
<wp:extent cx=\"{width}\" cy=\"{height}\"/><wp:docPr id=\"{number}\" name=\"Picture {number}\" descr=\"{words}\"/>\
<wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect=\"1\"/></wp:cNvGraphicFramePr>\
<a:graphic><a:graphicData uri=\"{PICTURE}\">{picture}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
}
