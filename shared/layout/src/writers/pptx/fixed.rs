//! Writes pages of fixed layout as PresentationML: each line in a text box with its rotation.
//!
//! Slides have the size of the first page; other pages are scaled to it and centered.

use std::fmt::Write as _;
use std::io::{Seek, Write};

use super::slide::Slide;
use super::text::{self, ParagraphStyle};
use super::{Presentation, empty};
use crate::writers::ooxml::outline;
use crate::writers::page_transform::EmuRect;
use crate::writers::positioned_line::PositionedLine;
use crate::writers::{Metadata, Pictures, Result, WriteReport, Writer, length, picture};
use crate::{Alignment, Area, Figure, FixedPage, Graphic, Line};

/// Creates a pptx writer for fixed layout.
///
/// # Errors
/// If the output cannot be written.
pub fn pptx<'a>(
    output: impl Write + Seek + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Box<dyn Writer<FixedPage> + 'a>> {
    Ok(Box::new(empty(output, metadata, pictures)?))
}

impl<W: Write + Seek> Writer<FixedPage> for Presentation<'_, W> {
    fn page(&mut self, page: FixedPage) -> Result {
        self.slide(page.size, |slide| {
            for drawn in &page.graphics {
                slide.graphic(drawn)?;
            }
            for line in page.lines.iter().filter(|line| !line.runs.is_empty()) {
                slide.line(line);
            }
            Ok(())
        })
    }

    fn finish(self: Box<Self>) -> Result<WriteReport> {
        self.end()
    }
}

impl Slide<'_> {
    fn graphic(&mut self, drawn: &Graphic) -> Result {
        match drawn {
            Graphic::Area(area) => self.area(area),
            Graphic::Shape(shape) => {
                if let Some((place, appearance)) = outline::described(shape, self.frame) {
                    self.plain("Shape", place, &appearance);
                }
            }
            Graphic::Figure(figure) => return self.figure(figure),
        }
        Ok(())
    }

    fn area(&mut self, area: &Area) {
        let Some(bounds) = length::place(Some(area.bounds)) else {
            return;
        };
        let fill = outline::fill(Some(area.color));
        let appearance = format!(
            "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom>{fill}<a:ln><a:noFill/></a:ln>"
        );
        self.plain("Area", self.place(bounds), &appearance);
    }

    fn plain(&mut self, kind: &str, place: EmuRect, appearance: &str) {
        let (name, place) = (self.named(kind, ""), place.xml("a:xfrm"));
        write!(
            self.xml,
            "<p:sp><p:nvSpPr>{name}<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>{place}{appearance}</p:spPr></p:sp>"
        )
        .ok();
    }

    fn figure(&mut self, figure: &Figure) -> Result {
        let info = picture::info(self.pictures, figure.image)?;
        let words = figure.alternative.as_deref().unwrap_or_default();
        if let (Some(info), Some(bounds)) = (info, length::place(Some(figure.bounds))) {
            self.picture(
                (figure.image, info),
                bounds,
                words,
                &outline::cropping(figure),
            );
        }
        Ok(())
    }

    fn line(&mut self, line: &Line) {
        let positioned = PositionedLine::of(line, self.frame);
        let bounds = positioned.frame();
        let place = EmuRect::of(bounds).turned(positioned.angle, "a:xfrm");
        let style = ParagraphStyle {
            alignment: Alignment::Start,
            ..ParagraphStyle::default()
        };
        let body = text::paragraph(self, &line.runs, &style);
        self.text_box(&place, &body, false, "none");
    }
}
