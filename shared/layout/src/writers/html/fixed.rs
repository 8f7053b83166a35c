//! Writes pages of fixed layout as HTML: one box per page with absolutely positioned lines, printed one per page.
//!
//! An empty inline block (strut) of known height fixes the baseline independently of the font.

use std::collections::HashSet;
use std::io::Write;

use super::pictures::{PictureUse, PictureUses};
use super::{head, inline, shape};
use crate::writers::font::generic_family;
use crate::writers::length::{self, hundredths};
use crate::writers::notes::Notes;
use crate::writers::page_transform::PageTransform;
use crate::writers::positioned_line::PositionedLine;
use crate::writers::{Metadata, Pictures, Result, WriteReport, Writer, picture};
use crate::{Area, Figure, FixedPage, Graphic, Line, Rect, Run, Size};

/// Creates an HTML writer for fixed layout.
///
/// # Errors
/// If the output cannot be written.
pub fn html<'a>(
    mut output: impl Write + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Box<dyn Writer<FixedPage> + 'a>> {
    head(&mut output, metadata, STYLE)?;
    Ok(Box::new(Html {
        output,
        pictures,
        shown: PictureUses::default(),
        sizes: HashSet::new(),
        written: WriteReport::default(),
    }))
}

struct Html<'a, W> {
    output: W,
    pictures: &'a dyn Pictures,
    shown: PictureUses,
    /// Page sizes with a style rule, points.
    sizes: HashSet<String>,
    written: WriteReport,
}

impl<W: Write> Writer<FixedPage> for Html<'_, W> {
    fn page(&mut self, page: FixedPage) -> Result {
        self.written.pages += 1;
        let size = length::size(page.size, 1.0, length::MAX_DISTANCE);
        let name = self.size(size)?;
        let number = page.number;
        writeln!(
            self.output,
            "<section class=\"page {name}\" id=\"page-{number}\" aria-label=\"{number}\">"
        )?;
        self.graphic(&page.graphics, size)?;
        for line in page.lines.iter().filter(|line| !line.runs.is_empty()) {
            self.line(line, size)?;
        }
        Ok(writeln!(self.output, "</section>")?)
    }

    fn finish(mut self: Box<Self>) -> Result<WriteReport> {
        self.output.write_all(b"</body>\n</html>\n")?;
        self.output.flush()?;
        Ok(self.written)
    }
}

impl<W: Write> Html<'_, W> {
    /// Returns the class of a page size and writes its style rule at first use.
    fn size(&mut self, size: Size) -> Result<String> {
        let (width, height) = (tenths(size.width), tenths(size.height));
        let name = format!("size-{width}-{height}").replace('.', "_");
        if self.sizes.insert(name.clone()) {
            writeln!(
                self.output,
                "<style>@page {name} {{ size: {width}pt {height}pt; margin: 0 }} .{name} {{ page: {name}; width: {width}pt; height: {height}pt }}</style>"
            )?;
        }
        Ok(name)
    }

    /// Writes the graphics; consecutive shapes share one SVG.
    fn graphic(&mut self, drawn: &[Graphic], page: Size) -> Result {
        let is_shape = |drawn: &Graphic| matches!(drawn, Graphic::Shape(_));
        for group in drawn.chunk_by(|one, other| is_shape(one) && is_shape(other)) {
            let shapes = group.iter().filter_map(|drawn| match drawn {
                Graphic::Shape(shape) => shape::path(shape),
                Graphic::Area(_) | Graphic::Figure(_) => None,
            });
            let paths: String = shapes.collect();
            if !paths.is_empty() {
                writeln!(self.output, "{}{paths}</svg>", shape::begin(page))?;
            }
            match group {
                [Graphic::Area(area)] => self.area(area)?,
                [Graphic::Figure(figure)] => self.figure(figure)?,
                _ => {}
            }
        }
        Ok(())
    }

    fn area(&mut self, area: &Area) -> Result {
        let Some(bounds) = length::place(Some(area.bounds)) else {
            return Ok(());
        };
        let ([red, green, blue], place) = (area.color, place(bounds));
        Ok(writeln!(
            self.output,
            "<div style=\"{place};background:#{red:02x}{green:02x}{blue:02x}\"></div>"
        )?)
    }

    fn figure(&mut self, figure: &Figure) -> Result {
        let info = picture::info(self.pictures, figure.image)?;
        let (Some(info), Some(bounds)) = (info, length::place(Some(figure.bounds))) else {
            return Ok(());
        };
        let whole = length::place(figure.whole);
        let shown = whole.map_or(bounds, |whole| within(whole, bounds));
        let usage = PictureUse {
            image: figure.image,
            info,
            words: figure.alternative.as_deref().unwrap_or_default(),
            attributes: format!(" style=\"{}\"", place(shown)),
        };
        if whole.is_some() {
            write!(
                self.output,
                "<div class=\"cut\" style=\"{}\">",
                place(bounds)
            )?;
        }
        self.shown.write(&mut self.output, self.pictures, &usage)?;
        let end = if whole.is_some() { "</div>" } else { "" };
        Ok(writeln!(self.output, "{end}")?)
    }

    fn line(&mut self, line: &Line, page: Size) -> Result {
        let positioned = PositionedLine::of(line, PageTransform::between(page, page));
        let (size, top) = (
            positioned.size,
            positioned.baseline - STRUT * positioned.size,
        );
        let side = match positioned.is_rtl && positioned.angle == 0.0 {
            true => format!("right:{}pt", hundredths(page.width - positioned.right)),
            false => format!("left:{}pt", hundredths(positioned.left)),
        };
        let turn = match positioned.angle {
            0.0 => String::new(),
            angle => format!(";transform:rotate({}deg)", hundredths(angle)),
        };
        let way = super::inline::direction(positioned.is_rtl);
        write!(
            self.output,
            "<div class=\"line\"{way} style=\"{side};top:{}pt;font-size:{}pt{turn}\">",
            hundredths(top),
            hundredths(size)
        )?;
        for run in &positioned.runs {
            self.run(run, size)?;
        }
        Ok(writeln!(self.output, "</div>")?)
    }

    fn run(&mut self, run: &Run, size: f32) -> Result {
        let text = inline::html(std::slice::from_ref(run), &Notes::default());
        let own = match run.style.size {
            own if own > 0.0 && (own - size).abs() > 0.05 => {
                format!(";font-size:{}pt", hundredths(own))
            }
            _ => String::new(),
        };
        // Links look like text, unless they are underlined.
        let under = match run.style.underlined && run.link.is_some() {
            true => ";text-decoration:underline",
            false => "",
        };
        let (family, kind) = (
            family(&run.style.font),
            generic_family(&run.style.font, run.style.monospaced),
        );
        Ok(write!(
            self.output,
            "<span style=\"font-family:{family}{kind}{own}{under}\">{text}</span>"
        )?)
    }
}

/// Height of the strut, as a multiple of the font size: more than any ascent.
const STRUT: f32 = 1.5;

const STYLE: &str = "\
body { margin: 0; background: #ddd }
.page { position: relative; overflow: hidden; margin: 1em auto; background: #fff; break-after: page }
.page:last-of-type { break-after: auto }
.page > *, .cut > * { position: absolute }
.cut { overflow: hidden }
.line { white-space: pre; line-height: 1; transform-origin: 0 1.5em }
.line::before { content: \"\"; display: inline-block; height: 1.5em }
.line sup, .line sub { line-height: 0; font-size: inherit }
.line code { font-family: inherit }
.line a { color: inherit; text-decoration: none }
@media print { body { background: none } .page { margin: 0 } }
";

fn place(bounds: Rect) -> String {
    let [left, top, width, height] =
        [bounds.left, bounds.top, bounds.width(), bounds.height()].map(hundredths);
    format!("left:{left}pt;top:{top}pt;width:{width}pt;height:{height}pt")
}

/// Returns a rectangle relative to the corner of another one.
fn within(bounds: Rect, corner: Rect) -> Rect {
    Rect {
        left: bounds.left - corner.left,
        top: bounds.top - corner.top,
        right: bounds.right - corner.left,
        bottom: bounds.bottom - corner.top,
    }
}

/// Returns a font family and a comma; characters that CSS could interpret are dropped.
fn family(name: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.');
    match name.trim() {
        "" => String::new(),
        name if name.chars().all(is_plain) => format!("'{name}',"),
        _ => String::new(),
    }
}

fn tenths(length: f32) -> f32 {
    (length * 10.0).round() / 10.0
}
