//! Draws pages, and formats what the reader makes of them as short lines of text.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::sync::Arc;

use layout::analysis::{Options, Reader, Reading, Survey, rows_across_pages};
use layout::{
    Block, Character, Content, Drawing, Font, LinkArea, Page, PageContent, Picture, Rect, Run,
    Script, Size, Stroke, Tag, plain,
};

/// A page that is being drawn.
pub(crate) struct Pen {
    pub(crate) sheet: PageContent,
    pub(crate) size: f32,
    pub(crate) font: Arc<Font>,
    pub(crate) color: [u8; 3],
    pub(crate) tag: Tag,
}

impl Pen {
    /// Creates a page of 600 by 800 points, with 10-point letters that are 5 points wide.
    pub(crate) fn new() -> Self {
        let size = Size {
            width: 600.0,
            height: 800.0,
        };
        let font = Font {
            family: "Serif".to_owned(),
            ..Font::default()
        };
        Self {
            sheet: PageContent {
                number: 1,
                size,
                ..PageContent::default()
            },
            size: 10.0,
            font: Arc::new(font),
            color: [0; 3],
            tag: Tag::None,
        }
    }

    pub(crate) fn bold(&mut self, is_bold: bool) -> &mut Self {
        self.font = Arc::new(Font {
            is_bold,
            ..(*self.font).clone()
        });
        self
    }

    pub(crate) fn sized(&mut self, size: f32) -> &mut Self {
        self.size = size;
        self
    }

    /// Writes text from `x` on at the baseline `y`; each character is half as wide as high.
    pub(crate) fn write(&mut self, x: f32, y: f32, text: &str) -> &mut Self {
        let mut left = x;
        for text in text.chars() {
            let bounds = Rect {
                left,
                right: left + self.size / 2.0,
                top: y - self.size * 0.9,
                bottom: y + self.size * 0.2,
            };
            self.character(text, bounds, y, 0.0);
            left = bounds.right;
        }
        self
    }

    /// Writes lines 12 points apart and returns the baseline of the next one.
    pub(crate) fn lines(&mut self, x: f32, y: f32, lines: &[&str]) -> f32 {
        let mut y = y;
        for line in lines {
            self.write(x, y, line);
            y += 12.0;
        }
        y
    }

    pub(crate) fn character(&mut self, text: char, bounds: Rect, baseline: f32, angle: f32) {
        self.sheet.characters.push(Character {
            text,
            bounds,
            baseline,
            start: bounds.left,
            advance: bounds.width(),
            size: self.size,
            font: self.font.clone(),
            color: self.color,
            angle,
            is_hidden: false,
            tag: self.tag,
        });
    }

    pub(crate) fn line(&mut self, from: (f32, f32), to: (f32, f32)) -> &mut Self {
        self.sheet.strokes.push(Stroke {
            bounds: Rect::between(from, to).grown(0.25),
        });
        self
    }

    pub(crate) fn picture(&mut self, bounds: Rect) {
        let image = self.sheet.pictures.len();
        self.sheet.drawings.push(Drawing::Picture(image, bounds));
        self.sheet.pictures.push(Picture {
            bounds,
            image,
            tag: self.tag,
        });
    }

    pub(crate) fn link(&mut self, bounds: Rect, target: &str) {
        self.sheet.links.push(LinkArea {
            bounds,
            target: target.to_owned(),
        });
    }

    /// Analyzes the page on its own.
    pub(crate) fn page(&self) -> Page {
        pages(std::slice::from_ref(&self.sheet)).remove(0)
    }

    /// Analyzes the page on its own and formats it with [`shown`].
    pub(crate) fn read(&self) -> String {
        shown(&self.page().blocks)
    }
}

/// Analyzes the pages of one document.
pub(crate) fn pages(sheets: &[PageContent]) -> Vec<Page> {
    readings(sheets)
        .into_iter()
        .map(|reading| reading.page)
        .collect()
}

/// Analyzes the pages of one document, with warnings.
pub(crate) fn readings(sheets: &[PageContent]) -> Vec<Reading> {
    let mut survey = Survey::default();
    sheets.iter().for_each(|sheet| survey.note(sheet));
    let facts = survey.finish();
    let mut reader = Reader::new(&facts, Options::default());
    let read = sheets
        .iter()
        .map(|sheet| Ok::<_, Infallible>(reader.read(sheet)));
    let Ok(readings) = rows_across_pages(read).collect();
    readings
}

/// Formats blocks as lines of text.
pub(crate) fn shown(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        match &block.content {
            Content::Heading { level, runs, .. } => writeln!(text, "h{level} {}", plain(runs)),
            Content::Paragraph { runs, .. } => writeln!(text, "p {}", plain(runs)),
            Content::List { items } => items.iter().try_for_each(|item| {
                writeln!(
                    text,
                    "{}{} {}",
                    "  ".repeat(item.level.into()),
                    item.marker,
                    plain(&item.runs)
                )
            }),
            Content::Table(table) => {
                writeln!(
                    text,
                    "t {}x{} header {}",
                    table.rows,
                    table.widths.len(),
                    table.header_rows
                )
                .unwrap();
                table.cells.iter().try_for_each(|cell| {
                    let spans = match (cell.row_span, cell.column_span) {
                        (1, 1) => String::new(),
                        (rows, columns) => format!(" over {rows}x{columns}"),
                    };
                    writeln!(
                        text,
                        "  {},{}{spans}: {}",
                        cell.row,
                        cell.column,
                        shown(&cell.blocks).trim_end().replace('\n', " / ")
                    )
                })
            }
            Content::Image { image, .. } => writeln!(text, "image {image}"),
            Content::Rule => writeln!(text, "rule"),
            Content::Footnote { label, runs } => writeln!(text, "note {label}: {}", plain(runs)),
        }
        .unwrap();
    }
    text
}

/// Formats runs with their styles.
pub(crate) fn marked(runs: &[Run]) -> String {
    let marks = |run: &Run| {
        let style = &run.style;
        let known = [
            (style.bold, "b"),
            (style.underlined, "u"),
            (style.strikethrough, "s"),
            (style.script == Script::Super, "sup"),
            (style.script == Script::Sub, "sub"),
        ];
        let marks: String = known
            .iter()
            .filter(|(is, _)| *is)
            .map(|(_, mark)| *mark)
            .collect();
        format!(
            "[{marks}{}{}]",
            run.link.as_ref().map(|_| "@").unwrap_or_default(),
            run.text
        )
    };
    runs.iter().map(marks).collect()
}
