//! Fixed-layout pages to a document of WordprocessingML: each line in a text box that is fixed to its page.
//!
//! All boxes of a page are in one small paragraph. Lines in boxes stand on their baselines whatever font shows them, since
//! word processors put the baseline of a line of exact height at four fifths of it.

mod graphics;
mod turned;

use std::fmt::Write as _;
use std::io::{Seek, Write};

use super::story::Story;
use super::{parts, section};
use crate::writers::frame::{Frame, Place};
use crate::writers::ooxml::package::{Package, Relations};
use crate::writers::standing::Standing;
use crate::writers::xml::Escaped;
use crate::writers::{Metadata, Outcome, Pictures, WriteReport, Writer, length};
use crate::{FixedPage, Line, Rect, Size};

/// A writer of docx in which everything keeps its place.
///
/// # Errors
/// If the output cannot be written.
pub fn docx<'a>(
    output: impl Write + Seek + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer<FixedPage> + 'a>> {
    let mut package = Package::begin(output, "word/document.xml")?;
    package.part("word/document.xml", &parts::kind("document.main"))?;
    write!(package, "<w:document {}><w:body>", parts::NAMESPACES)?;
    let mut story = Story::new(pictures, Relations::default());
    parts::relate(&mut story.relations, &["styles", "settings"]);
    Ok(Box::new(Docx {
        package,
        metadata: metadata.clone(),
        story,
        held: None,
        written: WriteReport::default(),
    }))
}

struct Docx<'a, W: Write + Seek> {
    package: Package<W>,
    metadata: Metadata,
    story: Story<'a>,
    /// The last page, whose section may end with it.
    held: Option<Held>,
    written: WriteReport,
}

/// A page that is not sent yet.
struct Held {
    size: Size,
    /// Whether it is the first of its section.
    is_first: bool,
    xml: String,
}

impl<W: Write + Seek> Writer<FixedPage> for Docx<'_, W> {
    fn page(&mut self, page: FixedPage) -> Outcome {
        self.written.pages += 1;
        let size = section::allowed(page.size);
        let is_like = |held: &Held| section::is_near(held.size, size);
        let is_first = !self.held.as_ref().is_some_and(is_like);
        self.send(is_first)?;
        let xml = self.story.placed(&page, size)?;
        self.held = Some(Held {
            size,
            is_first,
            xml,
        });
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Outcome<WriteReport> {
        let last = self.held.as_ref().map(|held| section::whole(held.size));
        self.send(false)?;
        write!(
            self.package,
            "{}</w:body></w:document>",
            last.unwrap_or_default()
        )?;
        let (package, story) = (&mut self.package, &mut self.story);
        parts::last(package, story, &self.metadata, parts::FIXED_SETTINGS)?;
        self.package.finish(&self.metadata)?;
        Ok(self.written)
    }
}

impl<W: Write + Seek> Docx<'_, W> {
    /// Sends the page that is held, with its section if that ends there.
    fn send(&mut self, ends_section: bool) -> Outcome {
        let Some(held) = self.held.take() else {
            return Ok(());
        };
        let breaks = if held.is_first {
            ""
        } else {
            "<w:pageBreakBefore/>"
        };
        let section = if ends_section {
            section::whole(held.size)
        } else {
            String::new()
        };
        write!(
            self.package,
            "<w:p><w:pPr>{breaks}<w:spacing w:before=\"0\" w:after=\"0\" w:line=\"20\" w:lineRule=\"exact\"/>{section}</w:pPr>{}</w:p>",
            held.xml
        )?;
        Ok(())
    }
}

impl Story<'_> {
    /// What a page shows, as what a paragraph holds.
    fn placed(&mut self, page: &FixedPage, size: Size) -> Outcome<String> {
        let frame = Frame::between(length::size(page.size, 1.0, length::FARTHEST), size);
        self.mark(page.number);
        let lines = page.lines.iter().filter(|line| !line.runs.is_empty());
        let (unseen, seen): (Vec<&Line>, Vec<_>) =
            lines.partition(|line| line.runs.iter().all(|run| run.style.unseen));
        // Not every program knows text that is not seen: the picture that shows it covers it.
        for line in unseen {
            self.placed_line(&Standing::of(line, frame), true);
        }
        for drawn in &page.drawn {
            self.drawn(drawn, frame)?;
        }
        for line in seen {
            self.placed_line(&Standing::of(line, frame), false);
        }
        Ok(std::mem::take(&mut self.xml))
    }

    fn placed_line(&mut self, line: &Standing, is_behind: bool) {
        let (bounds, angle, way) = match right_angles(line.angle) {
            Some(turns) => (
                upright(line, turns),
                0.0,
                WAYS.get(turns).copied().unwrap_or_default(),
            ),
            None => (line.turned(ABOVE, BELOW), line.angle, ""),
        };
        let bounds = match line.is_leftward && line.angle == 0.0 {
            true => with_room(bounds),
            false => bounds,
        };
        let outer = std::mem::take(&mut self.xml);
        self.runs(&line.runs);
        let text = std::mem::replace(&mut self.xml, outer);
        let bidi = if line.is_leftward { "<w:bidi/>" } else { "" };
        let place = Place::of(bounds);
        let shape = format!(
            "<wps:wsp><wps:cNvSpPr txBox=\"1\"/><wps:spPr>{}\
<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:noFill/></wps:spPr><wps:txbx><w:txbxContent><w:p><w:pPr>{bidi}\
<w:spacing w:before=\"0\" w:after=\"0\" w:line=\"{}\" w:lineRule=\"exact\"/></w:pPr>{text}</w:p></w:txbxContent></wps:txbx>\
<wps:bodyPr{way} wrap=\"none\" lIns=\"0\" tIns=\"0\" rIns=\"0\" bIns=\"0\" anchor=\"t\"><a:noAutofit/></wps:bodyPr></wps:wsp>",
            place.at_origin().turned(angle, "a:xfrm"),
            section::twips(line.size * (ABOVE + BELOW)).max(1)
        );
        let anchored = self.anchored(("Line", ""), place, is_behind, (SHAPE, &shape));
        match right_angles(line.angle) {
            Some(_) => write!(self.xml, "<w:r>{anchored}</w:r>").ok(),
            None => self.also_turned(line, &anchored).ok(),
        };
    }

    /// A drawing of a kind with its words, which is fixed to the page, behind the text or before it.
    fn anchored(
        &mut self,
        (kind, words): (&str, &str),
        place: Place,
        is_behind: bool,
        (uri, shape): (&str, &str),
    ) -> String {
        self.numbered += 1;
        let (number, words, behind) = (self.numbered, Escaped(words), u8::from(is_behind));
        let Place {
            x,
            y,
            width,
            height,
        } = place;
        format!(
            "<w:drawing><wp:anchor distT=\"0\" distB=\"0\" distL=\"0\" distR=\"0\" simplePos=\"0\" relativeHeight=\"{number}\" \
behindDoc=\"{behind}\" locked=\"0\" layoutInCell=\"1\" allowOverlap=\"1\"><wp:simplePos x=\"0\" y=\"0\"/>\
<wp:positionH relativeFrom=\"page\"><wp:posOffset>{x}</wp:posOffset></wp:positionH>\
<wp:positionV relativeFrom=\"page\"><wp:posOffset>{y}</wp:posOffset></wp:positionV><wp:extent cx=\"{width}\" cy=\"{height}\"/><wp:wrapNone/>\
<wp:docPr id=\"{number}\" name=\"{kind} {number}\" descr=\"{words}\"/><wp:cNvGraphicFramePr/>\
<a:graphic><a:graphicData uri=\"{uri}\">{shape}</a:graphicData></a:graphic></wp:anchor></w:drawing>"
        )
    }
}

const SHAPE: &str = "http://schemas.microsoft.com/office/word/2010/wordprocessingShape";

/// How far a box reaches above and below the baseline, in shares of the letters' size: four fifths and one fifth of it.
const ABOVE: f32 = 1.0;
const BELOW: f32 = 0.25;

/// How text runs in a box whose line is turned by as many right angles. Upside down it is turned with its box.
const WAYS: [&str; 4] = ["", " vert=\"vert\"", "", " vert=\"vert270\""];

/// By how many right angles a line is turned, if by them alone and not upside down.
fn right_angles(angle: f32) -> Option<usize> {
    [(0.0, 0), (90.0, 1), (270.0, 3), (360.0, 0)]
        .into_iter()
        .find_map(|(right, turns)| ((angle - right).abs() < 0.5).then_some(turns))
}

/// A box of text that ends at its right edge, as some programs let longer text go on beyond that.
fn with_room(bounds: Rect) -> Rect {
    Rect {
        left: bounds.left - bounds.width() / 2.0,
        ..bounds
    }
}

/// The box of a line that is turned by right angles, as it is seen.
fn upright(line: &Standing, turns: usize) -> Rect {
    let level = line.level(ABOVE, BELOW);
    // Text that stands upright is broken where its box ends, though boxes say otherwise.
    let length = level.width() * 1.5 + line.size;
    let (above, below) = (ABOVE * line.size, BELOW * line.size);
    let (x, y) = (line.left, line.baseline);
    match turns {
        1 => Rect {
            left: x - below,
            top: y,
            right: x + above,
            bottom: y + length,
        },
        3 => Rect {
            left: x - above,
            top: y - length,
            right: x + below,
            bottom: y,
        },
        _ => level,
    }
}
