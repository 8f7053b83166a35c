//! Writes pages of fixed layout as WordprocessingML: each line in a text box anchored to its page.
//!
//! All boxes of a page are anchored in one small paragraph. The line height is exact: word processors then place the baseline
//! at four fifths of it, so the baseline does not depend on the font.

mod graphics;
mod turned;

use std::fmt::Write as _;
use std::io::{Seek, Write};

use super::story::Story;
use super::{parts, section};
use crate::writers::ooxml::package::{Package, Relations};
use crate::writers::page_transform::{EmuRect, PageTransform};
use crate::writers::positioned_line::PositionedLine;
use crate::writers::xml::Escaped;
use crate::writers::{Metadata, Pictures, Result, WriteReport, Writer, length};
use crate::{FixedPage, Line, Rect, Size};

/// Creates a docx writer for fixed layout.
///
/// # Errors
/// If the output cannot be written.
pub fn docx<'a>(
    output: impl Write + Seek + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Box<dyn Writer<FixedPage> + 'a>> {
    let mut package = Package::begin(output, "word/document.xml")?;
    package.part("word/document.xml", &parts::content_type("document.main"))?;
    write!(package, "<w:document {}><w:body>", parts::NAMESPACES)?;
    let mut story = Story::new(pictures, Relations::default());
    parts::relate(&mut story.relations, &["styles", "settings"]);
    Ok(Box::new(Docx {
        package,
        metadata: metadata.clone(),
        story,
        pending: None,
        written: WriteReport::default(),
    }))
}

struct Docx<'a, W: Write + Seek> {
    package: Package<W>,
    metadata: Metadata,
    story: Story<'a>,
    /// The last page, buffered because its section may end with it.
    pending: Option<PendingPage>,
    written: WriteReport,
}

/// A buffered page.
struct PendingPage {
    size: Size,
    /// Whether it is the first page of its section.
    is_first: bool,
    xml: String,
}

impl<W: Write + Seek> Writer<FixedPage> for Docx<'_, W> {
    fn page(&mut self, page: FixedPage) -> Result {
        self.written.pages += 1;
        let size = section::allowed(page.size);
        let is_like = |pending: &PendingPage| section::is_near(pending.size, size);
        let is_first = !self.pending.as_ref().is_some_and(is_like);
        self.send(is_first)?;
        let xml = self.story.positioned_page(&page, size)?;
        self.pending = Some(PendingPage {
            size,
            is_first,
            xml,
        });
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<WriteReport> {
        let last = self
            .pending
            .as_ref()
            .map(|pending| section::without_margins(pending.size));
        self.send(false)?;
        write!(
            self.package,
            "{}</w:body></w:document>",
            last.unwrap_or_default()
        )?;
        let (package, story) = (&mut self.package, &mut self.story);
        parts::last(
            package,
            story,
            &self.metadata,
            &parts::settings(false, false),
        )?;
        self.package.finish(&self.metadata)?;
        Ok(self.written)
    }
}

impl<W: Write + Seek> Docx<'_, W> {
    /// Writes the buffered page; `ends_section` appends its section properties.
    fn send(&mut self, ends_section: bool) -> Result {
        let Some(pending) = self.pending.take() else {
            return Ok(());
        };
        let breaks = if pending.is_first {
            ""
        } else {
            "<w:pageBreakBefore/>"
        };
        let ending = if ends_section {
            section::without_margins(pending.size)
        } else {
            String::new()
        };
        write!(
            self.package,
            "<w:p><w:pPr>{breaks}{}{ending}</w:pPr>{}</w:p>",
            section::MINIMAL,
            pending.xml
        )?;
        Ok(())
    }
}

impl Story<'_> {
    /// Returns the positioned content of a page; all of it is anchored to one paragraph.
    fn positioned_page(&mut self, page: &FixedPage, size: Size) -> Result<String> {
        let frame =
            PageTransform::between(length::size(page.size, 1.0, length::MAX_DISTANCE), size);
        self.mark(page.number);
        let lines = page.lines.iter().filter(|line| !line.runs.is_empty());
        let (invisible, visible): (Vec<&Line>, Vec<_>) =
            lines.partition(|line| line.runs.iter().all(|run| run.style.invisible));
        // Some programs ignore invisible text formatting, so the picture that shows the text covers it.
        for line in invisible {
            self.positioned_line(&PositionedLine::of(line, frame), true);
        }
        for drawn in &page.graphics {
            self.graphic(drawn, frame)?;
        }
        for line in visible {
            self.positioned_line(&PositionedLine::of(line, frame), false);
        }
        Ok(std::mem::take(&mut self.xml))
    }

    fn positioned_line(&mut self, line: &PositionedLine, is_behind: bool) {
        let (bounds, angle, vertical) = match quarter_turns(line.angle) {
            Some(turns) => (
                upright(line, turns),
                0.0,
                VERTICAL_TEXT.get(turns).copied().unwrap_or_default(),
            ),
            None => (line.turned(ABOVE, BELOW), line.angle, ""),
        };
        let bounds = match line.is_rtl && line.angle == 0.0 {
            true => with_overflow(bounds),
            false => bounds,
        };
        let outer = std::mem::take(&mut self.xml);
        self.runs(&line.runs);
        let text = std::mem::replace(&mut self.xml, outer);
        let bidi = if line.is_rtl { "<w:bidi/>" } else { "" };
        let place = EmuRect::of(bounds);
        let shape = format!(
            "<wps:wsp><wps:cNvSpPr txBox=\"1\"/><wps:spPr>{}\
<a:prstGeom prst=\"rect\"><a:avLst/></a:prstGeom><a:noFill/></wps:spPr><wps:txbx><w:txbxContent><w:p><w:pPr>{bidi}\
<w:spacing w:before=\"0\" w:after=\"0\" w:line=\"{}\" w:lineRule=\"exact\"/></w:pPr>{text}</w:p></w:txbxContent></wps:txbx>\
<wps:bodyPr{vertical} wrap=\"none\" lIns=\"0\" tIns=\"0\" rIns=\"0\" bIns=\"0\" anchor=\"t\"><a:noAutofit/></wps:bodyPr></wps:wsp>",
            place.at_origin().turned(angle, "a:xfrm"),
            section::twips(line.size * (ABOVE + BELOW)).max(1)
        );
        let anchored = self.anchored(("Line", ""), place, is_behind, (SHAPE, &shape));
        match quarter_turns(line.angle) {
            Some(_) => write!(self.xml, "<w:r>{anchored}</w:r>").ok(),
            None => self.rotated_line(line, &anchored).ok(),
        };
    }

    /// Returns a drawing anchored to the page, behind or in front of the text.
    pub(super) fn anchored(
        &mut self,
        (kind, words): (&str, &str),
        place: EmuRect,
        is_behind: bool,
        (uri, shape): (&str, &str),
    ) -> String {
        self.numbered += 1;
        let (number, words, behind) = (self.numbered, Escaped(words), u8::from(is_behind));
        let EmuRect {
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

/// Extent of a box above and below the baseline, as a fraction of the font size.
const ABOVE: f32 = 1.0;
const BELOW: f32 = 0.25;

/// The `vert` attribute by number of quarter turns; a box turned upside down is rotated as a whole.
const VERTICAL_TEXT: [&str; 4] = ["", " vert=\"vert\"", "", " vert=\"vert270\""];

/// Returns the number of quarter turns of a line; `None` for other angles and upside down.
fn quarter_turns(angle: f32) -> Option<usize> {
    [(0.0, 0), (90.0, 1), (270.0, 3), (360.0, 0)]
        .into_iter()
        .find_map(|(right, turns)| ((angle - right).abs() < 0.5).then_some(turns))
}

/// Extends a box to the right, because some programs let longer text overflow there.
fn with_overflow(bounds: Rect) -> Rect {
    Rect {
        left: bounds.left - bounds.width() / 2.0,
        ..bounds
    }
}

/// Returns the bounds of a line that is rotated by quarter turns.
fn upright(line: &PositionedLine, turns: usize) -> Rect {
    let level = line.level(ABOVE, BELOW);
    // Programs wrap vertical text at the box edge even without wrapping, so the box is longer.
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
