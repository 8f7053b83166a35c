//! Placed pages to a presentation: each line in a text box of its own, turned as it is.
//!
//! Slides have the size of the first page; a page of another size is shrunk or enlarged to it, and stands in its middle.

use std::fmt::Write as _;
use std::io::{Seek, Write};

use super::shape::Slide;
use super::text::{self, Look};
use super::{Presentation, empty};
use crate::write::frame::Place;
use crate::write::standing::Standing;
use crate::write::{Facts, Outcome, Pictures, Writer, Written, length, outline, picture};
use crate::{Alignment, Area, Drawn, Figure, Line, Placed};

/// A writer of pptx in which everything keeps its place.
///
/// # Errors
/// If the output cannot be written.
pub fn pptx<'a>(
    output: impl Write + Seek + 'a,
    facts: &Facts,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer<Placed> + 'a>> {
    Ok(Box::new(empty(output, facts, pictures)?))
}

impl<W: Write + Seek> Writer<Placed> for Presentation<'_, W> {
    fn page(&mut self, page: Placed) -> Outcome {
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

    fn finish(self: Box<Self>) -> Outcome<Written> {
        self.end()
    }
}

impl Slide<'_> {
    fn drawn(&mut self, drawn: &Drawn) -> Outcome {
        match drawn {
            Drawn::Area(area) => self.area(area),
            Drawn::Shape(shape) => {
                if let Some((place, looks)) = outline::described(shape, self.frame) {
                    self.plain("Shape", place, &looks);
                }
            }
            Drawn::Figure(figure) => return self.figure(figure),
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
        let facts = picture::facts(self.pictures, figure.image)?;
        let words = figure.alternative.as_deref().unwrap_or_default();
        if let (Some(facts), Some(bounds)) = (facts, length::place(Some(figure.bounds))) {
            self.picture((figure.image, facts), bounds, words, &outline::cut(figure));
        }
        Ok(())
    }

    fn line(&mut self, line: &Line) {
        let standing = Standing::of(line, self.frame);
        let bounds = standing.boxed();
        let place = Place::of(bounds).turned(standing.angle, "a:xfrm");
        let look = Look {
            alignment: Alignment::Start,
            ..Look::default()
        };
        let body = text::paragraph(self, &line.runs, &look);
        self.boxed(&place, &body, false, "none");
    }
}
