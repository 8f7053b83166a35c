//! Pictures in the line of the text.

use super::story::{Properties, Story};
use crate::write::length;
use crate::write::picture::{self, PictureFormat};
use crate::write::xml::Escaped;
use crate::write::{Outcome, PictureFacts};
use crate::{Rect, Run, Size, Style};

/// The name of a picture's part, from the folder of the document.
pub(super) fn part(image: usize, format: PictureFormat) -> String {
    format!(
        "media/image{}.{}",
        image.saturating_add(1),
        format.extension()
    )
}

/// A paragraph that is a picture, or what it shows in words where there is none.
pub(super) fn paragraph(
    story: &mut Story<'_>,
    image: usize,
    words: &str,
    bounds: Option<Rect>,
    properties: &Properties,
) -> Outcome {
    let Some(facts) = picture::facts(story.pictures, image)? else {
        if !words.is_empty() {
            let run = Run {
                text: words.to_owned(),
                style: Style::default(),
                link: None,
            };
            story.paragraph(&[run], properties.clone());
        }
        return Ok(());
    };
    story.used.insert(image, facts);
    let relation = story.relations.part("image", &part(image, facts.format));
    story.numbered += 1;
    let (width, height) = extent(facts, bounds, story.room);
    story.begin(properties);
    story
        .xml
        .push_str(&drawing(story.numbered, &relation, words, width, height));
    story.end();
    Ok(())
}

/// Width and height in English metric units: as it is shown, but no larger than a page leaves room for.
pub(super) fn extent(facts: PictureFacts, bounds: Option<Rect>, room: Size) -> (i64, i64) {
    let (width, height) = match length::place(bounds) {
        Some(bounds) if bounds.width() > 0.0 && bounds.height() > 0.0 => {
            (bounds.width(), bounds.height())
        }
        // 96 pixels an inch.
        _ => (points(facts.width), points(facts.height)),
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

/// English metric units of a length in points, at least one.
pub(super) fn units(points: f32) -> i64 {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a float that is too large becomes the largest number"
    )]
    let units = (points * 12_700.0).round() as i64;
    units.clamp(1, 51_206_400)
}

/// What kind of drawing a picture is.
pub(super) const PICTURE: &str = "http://schemas.openxmlformats.org/drawingml/2006/picture";

/// A picture of this extent, as a drawing holds it; beside it what is cut off, as an element, or nothing.
pub(super) fn picture(
    number: u32,
    relation: &str,
    cut: &str,
    (width, height): (i64, i64),
) -> String {
    format!(
        "<pic:pic><pic:nvPicPr><pic:cNvPr id=\"{number}\" name=\"Picture {number}\"/><pic:cNvPicPr/></pic:nvPicPr>\
<pic:blipFill><a:blip r:embed=\"{relation}\"/>{cut}<a:stretch><a:fillRect/></a:stretch></pic:blipFill>\
<pic:spPr><a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"{width}\" cy=\"{height}\"/></a:xfrm>\
<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>"
    )
}

fn drawing(number: u32, relation: &str, words: &str, width: i64, height: i64) -> String {
    let words = Escaped(words);
    let picture = picture(number, relation, "", (width, height));
    format!(
        "<w:r><w:drawing><wp:inline distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\">\
<wp:extent cx=\"{width}\" cy=\"{height}\"/><wp:docPr id=\"{number}\" name=\"Picture {number}\" descr=\"{words}\"/>\
<wp:cNvGraphicFramePr><a:graphicFrameLocks noChangeAspect=\"1\"/></wp:cNvGraphicFramePr>\
<a:graphic><a:graphicData uri=\"{PICTURE}\">{picture}</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
    )
}
