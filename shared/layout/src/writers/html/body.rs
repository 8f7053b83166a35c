//! Writes the body, block by block.

use std::io::Write;

use super::inline::direction;
use super::pictures::{PictureUse, PictureUses};
use super::{inline, list};
use crate::writers::direction::{are_rtl, is_rtl_table};
use crate::writers::flow::{Flowing, PageStart, Paragraph};
use crate::writers::grid::{Grid, GridCell, Slot};
use crate::writers::length;
use crate::writers::notes::{Note, Notes};
use crate::writers::xml::Escaped;
use crate::writers::{Pictures, Result, WriteReport, picture, plain};
use crate::{Alignment, Block, Cell, Content, Page, Run, Table};

pub(super) struct Body<'a, W> {
    output: W,
    pictures: &'a dyn Pictures,
    shown: PictureUses,
    /// The page that begins with the next row.
    begun_page: Option<u32>,
    /// Whether the current table section is the header or the body.
    section: Section,
    /// Element of the open paragraph.
    element: &'static str,
    /// Number of open quotations.
    quote_depth: u8,
    written: WriteReport,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    None,
    Head,
    Body,
}

impl<'a, W: Write> Body<'a, W> {
    pub(super) fn new(output: W, pictures: &'a dyn Pictures) -> Self {
        Self {
            output,
            pictures,
            shown: PictureUses::default(),
            begun_page: None,
            section: Section::None,
            element: "p",
            quote_depth: 0,
            written: WriteReport::default(),
        }
    }

    fn line(&mut self, text: &str) -> Result {
        Ok(writeln!(self.output, "{text}")?)
    }

    /// Opens or closes quotations to reach a depth.
    fn quote(&mut self, depth: u8) -> Result {
        while self.quote_depth < depth {
            self.quote_depth += 1;
            self.line("<blockquote>")?;
        }
        while self.quote_depth > depth {
            self.quote_depth -= 1;
            self.line("</blockquote>")?;
        }
        Ok(())
    }

    /// Writes blocks in a container such as a cell or header.
    fn blocks(&mut self, blocks: &[Block], notes: &Notes) -> Result {
        let around = std::mem::take(&mut self.quote_depth);
        self.all(blocks, notes)?;
        self.quote(0)?;
        self.quote_depth = around;
        Ok(())
    }

    fn all(&mut self, blocks: &[Block], notes: &Notes) -> Result {
        for block in blocks {
            match &block.content {
                Content::Paragraph {
                    runs, alignment, ..
                } => {
                    self.paragraph(
                        &Paragraph {
                            block,
                            runs,
                            alignment: *alignment,
                        },
                        notes,
                    )?;
                    self.runs(runs, notes)?;
                    self.end_paragraph()?;
                }
                Content::Table(table) => self.nested(block, table, notes)?,
                Content::Footnote { label, runs } => {
                    let text = inline::html(runs, notes);
                    self.line(&format!("<p>{} {text}</p>", Escaped(label)))?;
                }
                _ => self.block(block, notes)?,
            }
        }
        Ok(())
    }

    fn nested(&mut self, block: &Block, table: &Table, notes: &Notes) -> Result {
        let outer = std::mem::replace(&mut self.section, Section::None);
        self.table(block, table)?;
        self.rows(table, &Grid::of(table), 0, notes)?;
        self.end_table()?;
        self.section = outer;
        Ok(())
    }

    /// Writes a header or footer.
    fn aside(&mut self, name: &str, blocks: &[Block]) -> Result {
        if blocks.is_empty() {
            return Ok(());
        }
        self.quote(0)?;
        self.line(&format!("<{name}>"))?;
        self.blocks(blocks, &Notes::default())?;
        self.line(&format!("</{name}>"))
    }

    fn image(&mut self, block: &Block, image: usize, words: &str) -> Result {
        let Some(info) = picture::info(self.pictures, image)? else {
            return if words.is_empty() {
                Ok(())
            } else {
                self.line(&format!("<p>{}</p>", Escaped(words)))
            };
        };
        let (width, height) = (info.width, info.height);
        let place = length::place(block.bounds)
            .map(|bounds| format!(" style=\"width:{:.0}pt\"", bounds.width()));
        let usage = PictureUse {
            image,
            info,
            words,
            attributes: format!(
                " width=\"{width}\" height=\"{height}\"{}",
                place.unwrap_or_default()
            ),
        };
        write!(self.output, "<figure>")?;
        self.shown.write(&mut self.output, self.pictures, &usage)?;
        self.line("</figure>")
    }

    fn section(&mut self, section: Section) -> Result {
        if self.section == section {
            return Ok(());
        }
        let ended = match std::mem::replace(&mut self.section, section) {
            Section::None => "",
            Section::Head => "</thead>\n",
            Section::Body => "</tbody>\n",
        };
        let begun = match section {
            Section::None => "",
            Section::Head => "<thead>\n",
            Section::Body => "<tbody>\n",
        };
        Ok(write!(self.output, "{ended}{begun}")?)
    }

    fn cell(
        &mut self,
        cell: Option<&Cell>,
        placed: Option<GridCell>,
        in_header: bool,
        notes: &Notes,
    ) -> Result {
        let name = if in_header { "th" } else { "td" };
        let (rows, columns) = placed.map_or((1, 1), |placed| (placed.row_span, placed.column_span));
        let scope = match (in_header, columns) {
            (false, _) => "",
            (true, 1) => " scope=\"col\"",
            (true, _) => " scope=\"colgroup\"",
        };
        let (rows, columns) = (span("rowspan", rows), span("colspan", columns));
        let own = cell.and_then(|cell| own_text(&cell.blocks));
        let style = cell_style(
            cell,
            own.map_or(Alignment::Start, |(_, alignment)| alignment),
        );
        write!(self.output, "<{name}{scope}{rows}{columns}{style}>")?;
        match (own, cell) {
            (Some((runs, _)), _) => {
                let text = inline::html(runs, notes);
                let direction = direction(are_rtl(runs));
                match direction {
                    "" => write!(self.output, "{text}")?,
                    direction => write!(self.output, "<span{direction}>{text}</span>")?,
                }
            }
            (None, Some(cell)) => self.blocks(&cell.blocks, notes)?,
            (None, None) => {}
        }
        self.line(&format!("</{name}>"))
    }
}

impl<W: Write> Flowing for Body<'_, W> {
    fn page(&mut self, page: &Page, place: PageStart) -> Result {
        self.written.pages += 1;
        if self.written.pages == 1 {
            self.aside("header", &page.header)?;
            self.line("<main>")?;
        }
        let number = page.number;
        let mark = format!("id=\"page-{number}\" role=\"doc-pagebreak\" aria-label=\"{number}\"");
        match place {
            PageStart::Between => self.line(&format!("<div {mark}></div>"))?,
            PageStart::InParagraph => write!(self.output, "<span {mark}></span>")?,
            PageStart::InTable => self.begun_page = Some(number),
        }
        Ok(())
    }

    fn writes_headers_once(&self) -> bool {
        true
    }

    fn header(&mut self, blocks: &[Block]) -> Result {
        match self.written.pages {
            // The header of the first page precedes the main content.
            1 => Ok(()),
            _ => self.aside("header", blocks),
        }
    }

    fn block(&mut self, block: &Block, notes: &Notes) -> Result {
        self.quote(block.quote_depth)?;
        match &block.content {
            Content::Heading {
                level,
                runs,
                alignment,
            } => {
                let (level, text) = ((*level).clamp(1, 6), inline::html(runs, notes));
                let (aligned, direction) = (aligned(*alignment), direction(are_rtl(runs)));
                self.line(&format!("<h{level}{aligned}{direction}>{text}</h{level}>"))
            }
            Content::List { items } => {
                Ok(self.output.write_all(list::list(items, notes).as_bytes())?)
            }
            Content::Image { image, alternative } => {
                self.image(block, *image, alternative.as_deref().unwrap_or_default())
            }
            Content::Rule => self.line("<hr>"),
            Content::Paragraph { .. } | Content::Table(_) | Content::Footnote { .. } => Ok(()),
        }
    }

    fn paragraph(&mut self, start: &Paragraph<'_>, _: &Notes) -> Result {
        self.quote(start.block.quote_depth)?;
        self.element = if plain::is_code(start.block) {
            "pre"
        } else {
            "p"
        };
        Ok(write!(
            self.output,
            "<{}{}{}>",
            self.element,
            aligned(start.alignment),
            direction(are_rtl(start.runs))
        )?)
    }

    fn runs(&mut self, runs: &[Run], notes: &Notes) -> Result {
        Ok(self
            .output
            .write_all(inline::html(runs, notes).as_bytes())?)
    }

    fn end_paragraph(&mut self) -> Result {
        self.line(&format!("</{}>", self.element))
    }

    fn table(&mut self, block: &Block, table: &Table) -> Result {
        self.quote(block.quote_depth)?;
        self.written.tables += 1;
        let class = if table.has_grid() {
            " class=\"ruled\""
        } else {
            ""
        };
        self.line(&format!("<table{class}{}>", direction(is_rtl_table(table))))
    }

    fn rows(&mut self, table: &Table, grid: &Grid, first: usize, notes: &Notes) -> Result {
        for row in first..grid.rows {
            // `thead` cannot follow body rows, so a repeated header becomes body rows.
            let in_header = row < grid.header_rows && self.section != Section::Body;
            self.section(if in_header {
                Section::Head
            } else {
                Section::Body
            })?;
            let page = self
                .begun_page
                .take()
                .map(|number| format!(" id=\"page-{number}\""));
            self.line(&format!("<tr{}>", page.unwrap_or_default()))?;
            for slot in grid.row(row) {
                match slot {
                    Slot::Empty => self.cell(None, None, in_header, notes)?,
                    Slot::Begins(placed) => {
                        self.cell(table.cells.get(placed.cell), Some(placed), in_header, notes)?
                    }
                    Slot::FromLeft | Slot::FromAbove(_) => {}
                }
            }
            self.line("</tr>")?;
        }
        Ok(())
    }

    fn end_table(&mut self) -> Result {
        self.section(Section::None)?;
        self.line("</table>")
    }

    fn note(&mut self, note: &Note) -> Result {
        self.quote(0)?;
        let (number, label, text) = (
            note.number,
            Escaped(&note.label),
            inline::html(&note.runs, &Notes::default()),
        );
        let label = match note.is_referenced {
            true => format!("<a href=\"#reference-{number}\">{label}</a>"),
            false => label.to_string(),
        };
        let direction = direction(are_rtl(&note.runs));
        self.line(&format!(
            "<aside id=\"note-{number}\" role=\"doc-footnote\"{direction}>{label} {text}</aside>"
        ))
    }

    fn finish(mut self, footers: &[Block]) -> Result<WriteReport> {
        if self.written.pages == 0 {
            self.line("<main>")?;
        }
        self.quote(0)?;
        self.line("</main>")?;
        self.aside("footer", footers)?;
        self.line("</body>\n</html>")?;
        self.output.flush()?;
        Ok(self.written)
    }
}

/// Returns text and alignment of a cell with a single paragraph.
fn own_text(blocks: &[Block]) -> Option<(&[Run], Alignment)> {
    match blocks {
        [only] if only.quote_depth == 0 && !plain::is_code(only) => match &only.content {
            Content::Paragraph {
                runs, alignment, ..
            } => Some((runs, *alignment)),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the alignment as an inline style, which all HTML readers support.
fn aligned(alignment: Alignment) -> String {
    style(text_align(alignment))
}

fn text_align(alignment: Alignment) -> Option<String> {
    let alignment = match alignment {
        Alignment::Start => return None,
        Alignment::Center => "center",
        Alignment::End => "end",
        Alignment::Justified => "justify",
    };
    Some(format!("text-align:{alignment}"))
}

/// Returns alignment, color and borders of a cell as an inline style.
fn cell_style(cell: Option<&Cell>, alignment: Alignment) -> String {
    let fill = cell.and_then(|cell| cell.fill);
    let fill = fill.map(|color| format!("background:{}", inline::hex(color)));
    let borders = cell.and_then(|cell| cell.borders).unwrap_or_default();
    let sides = [
        ("top", borders.top),
        ("right", borders.right),
        ("bottom", borders.bottom),
        ("left", borders.left),
    ];
    let sides = sides.into_iter().filter_map(|(side, color)| {
        Some(format!("border-{side}:1px solid {}", inline::hex(color?)))
    });
    style(text_align(alignment).into_iter().chain(fill).chain(sides))
}

/// Returns a style attribute of CSS declarations; empty without any.
fn style(declarations: impl IntoIterator<Item = String>) -> String {
    let declarations: Vec<String> = declarations.into_iter().collect();
    match declarations.is_empty() {
        true => String::new(),
        false => format!(" style=\"{}\"", declarations.join(";")),
    }
}

fn span(name: &str, count: usize) -> String {
    if count > 1 {
        format!(" {name}=\"{count}\"")
    } else {
        String::new()
    }
}
