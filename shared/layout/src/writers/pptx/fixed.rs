//! Fixed-layout pages to a presentation: each line in a text box of its own, turned as it is.
//!
//! Slides have the size of the first page; a page of another size is shrunk or enlarged to it, and stands in its middle.

use std::fmt::Write as _;
use std::io::{Seek, Write};

use super::slide::Slide;
use super::text::{self, ParagraphStyle};
use super::{Presentation, empty};
use crate::writers::frame::Place;
use crate::writers::ooxml::outline;
use crate::writers::standing::Standing;
use crate::writers::{Metadata, Outcome, Pictures, WriteReport, Writer, length, picture};
use crate::{Alignment, Area, Figure, FixedPage, Graphic, Line};

/// A writer of pptx in which everything keeps its place.
///
/// # Errors
/// If the output cannot be written.
pub fn pptx<'a>(
    output: impl Write + Seek + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer<FixedPage> + 'a>> {
    Ok(Box::new(empty(output, metadata, pictures)?))
}

impl<W: Write + Seek> Writer<FixedPage> for Presentation<'_, W> {
    fn page(&mut self, page: FixedPage) -> Outcome {
        self.slide(page.size, |slide| {
            for drawn in &page.drawn {
                slide.drawn(drawn)?;
            }
            for line in page.lines.iter().filter(|line| !line.runs.is_empty()) {
                slide.line(line);
            }
            Ok(())
        })
    }

    fn finish(self: Box<Self>) -> Outcome<WriteReport> {
        self.end()
    }
}

impl Slide<'_> {
    fn drawn(&mut self, drawn: &Graphic) -> Outcome {
        match drawn {
            Graphic::Area(area) => self.area(area),
            Graphic::Shape(shape) => {
                if let Some((place, looks)) = outline::described(shape, self.frame) {
                    self.plain("Shape", place, &looks);
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
        let fill = outline::fill(Some(area.colour));
        let looks = format!(
            "<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom>{fill}<a:ln><a:noFill/></a:ln>"
        );
        self.plain("Area", self.place(bounds), &looks);
    }

    fn plain(&mut self, kind: &str, place: Place, looks: &str) {
        let (name, place) = (self.named(kind, ""), place.xml("a:xfrm"));
        write!(
            self.xml,
            "<p:sp><p:nvSpPr>{name}<p:cNvSpPr/><p:nvPr/></p:nvSpPr><p:spPr>{place}{looks}</p:spPr></p:sp>"
        )
        .ok();
    }

    fn figure(&mut self, figure: &Figure) -> Outcome {
        let info = picture::info(self.pictures, figure.image)?;
        let words = figure.alternative.as_deref().unwrap_or_default();
        if let (Some(info), Some(bounds)) = (info, length::place(Some(figure.bounds))) {
            self.picture((figure.image, info), bounds, words, &outline::cut(figure));
        }
        Ok(())
    }

    fn line(&mut self, line: &Line) {
        let standing = Standing::of(line, self.frame);
        let bounds = standing.boxed();
        let place = Place::of(bounds).turned(standing.angle, "a:xfrm");
        let look = ParagraphStyle {
            alignment: Alignment::Start,
            ..ParagraphStyle::default()
        };
        let body = text::paragraph(self, &line.runs, &look);
        self.boxed(&place, &body, false, "none");
    }
}
