//! Fixed-layout pages to HTML: a box of the page's size for each, in which every line has its place; printed, a page each.
//!
//! A line stands on its baseline whatever font shows it, since an empty mark of known height stands on it too.

use std::collections::HashSet;
use std::io::Write;

use super::pictures::{Shot, Shown};
use super::{head, inline, shape};
use crate::writers::font::kind;
use crate::writers::frame::Frame;
use crate::writers::length::{self, hundredths};
use crate::writers::notes::Notes;
use crate::writers::standing::Standing;
use crate::writers::{Metadata, Outcome, Pictures, WriteReport, Writer, picture};
use crate::{Area, Figure, FixedPage, Graphic, Line, Rect, Run, Size};

/// A writer of HTML in which everything keeps its place.
///
/// # Errors
/// If the output cannot be written.
pub fn html<'a>(
    mut output: impl Write + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer<FixedPage> + 'a>> {
    head(&mut output, metadata, STYLE)?;
    Ok(Box::new(Html {
        output,
        pictures,
        shown: Shown::default(),
        sizes: HashSet::new(),
        written: WriteReport::default(),
    }))
}

struct Html<'a, W> {
    output: W,
    pictures: &'a dyn Pictures,
    shown: Shown,
    /// The sizes of pages that were told, points.
    sizes: HashSet<String>,
    written: WriteReport,
}

impl<W: Write> Writer<FixedPage> for Html<'_, W> {
    fn page(&mut self, page: FixedPage) -> Outcome {
        self.written.pages += 1;
        let size = length::size(page.size, 1.0, length::FARTHEST);
        let name = self.size(size)?;
        let number = page.number;
        writeln!(
            self.output,
            "<section class=\"page {name}\" id=\"page-{number}\" aria-label=\"{number}\">"
        )?;
        self.drawn(&page.drawn, size)?;
        for line in page.lines.iter().filter(|line| !line.runs.is_empty()) {
            self.line(line, size)?;
        }
        Ok(writeln!(self.output, "</section>")?)
    }

    fn finish(mut self: Box<Self>) -> Outcome<WriteReport> {
        self.output.write_all(b"</body>\n</html>\n")?;
        self.output.flush()?;
        Ok(self.written)
    }
}

impl<W: Write> Html<'_, W> {
    /// The name of a size, which is told when the first page has it.
    fn size(&mut self, size: Size) -> Outcome<String> {
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

    /// What is drawn under the text; shapes that follow one another are one picture.
    fn drawn(&mut self, drawn: &[Graphic], page: Size) -> Outcome {
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

    fn area(&mut self, area: &Area) -> Outcome {
        let Some(bounds) = length::place(Some(area.bounds)) else {
            return Ok(());
        };
        let ([red, green, blue], place) = (area.colour, place(bounds));
        Ok(writeln!(
            self.output,
            "<div style=\"{place};background:#{red:02x}{green:02x}{blue:02x}\"></div>"
        )?)
    }

    fn figure(&mut self, figure: &Figure) -> Outcome {
        let info = picture::info(self.pictures, figure.image)?;
        let (Some(info), Some(bounds)) = (info, length::place(Some(figure.bounds))) else {
            return Ok(());
        };
        let whole = length::place(figure.whole);
        let shown = whole.map_or(bounds, |whole| within(whole, bounds));
        let shot = Shot {
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
        self.shown.write(&mut self.output, self.pictures, &shot)?;
        let end = if whole.is_some() { "</div>" } else { "" };
        Ok(writeln!(self.output, "{end}")?)
    }

    fn line(&mut self, line: &Line, page: Size) -> Outcome {
        let standing = Standing::of(line, Frame::between(page, page));
        let (size, top) = (standing.size, standing.baseline - STRUT * standing.size);
        let side = match standing.is_leftward && standing.angle == 0.0 {
            true => format!("right:{}pt", hundredths(page.width - standing.right)),
            false => format!("left:{}pt", hundredths(standing.left)),
        };
        let turn = match standing.angle {
            0.0 => String::new(),
            angle => format!(";transform:rotate({}deg)", hundredths(angle)),
        };
        let way = super::inline::direction(standing.is_leftward);
        write!(
            self.output,
            "<div class=\"line\"{way} style=\"{side};top:{}pt;font-size:{}pt{turn}\">",
            hundredths(top),
            hundredths(size)
        )?;
        for run in &standing.runs {
            self.run(run, size)?;
        }
        Ok(writeln!(self.output, "</div>")?)
    }

    fn run(&mut self, run: &Run, size: f32) -> Outcome {
        let text = inline::html(std::slice::from_ref(run), &Notes::default());
        let own = match run.style.size {
            own if own > 0.0 && (own - size).abs() > 0.05 => {
                format!(";font-size:{}pt", hundredths(own))
            }
            _ => String::new(),
        };
        // Links look as text does, unless they are underlined themselves.
        let under = match run.style.underlined && run.link.is_some() {
            true => ";text-decoration:underline",
            false => "",
        };
        let (family, kind) = (
            family(&run.style.font),
            kind(&run.style.font, run.style.monospaced),
        );
        Ok(write!(
            self.output,
            "<span style=\"font-family:{family}{kind}{own}{under}\">{text}</span>"
        )?)
    }
}

/// How high the mark is that stands on a line's baseline, in shares of its letters' size: higher than any letter.
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

/// The same place, counted from the corner of another one.
fn within(bounds: Rect, corner: Rect) -> Rect {
    Rect {
        left: bounds.left - corner.left,
        top: bounds.top - corner.top,
        right: bounds.right - corner.left,
        bottom: bounds.bottom - corner.top,
    }
}

/// A family's name in CSS, and a comma; nothing of a name that CSS might read otherwise.
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
