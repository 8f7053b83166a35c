//! Inline content: emphasis, links, code and footnote references.

use super::escape::{self, Place};
use super::formatting::{BaseStyle, FormattedText, Formatting, formatted_texts};
use super::formula::{self, Part};
use super::pictures::References;
use crate::writers::Result;
use crate::writers::grid::Grid;
use crate::writers::notes::Notes;
use crate::writers::plain;
use crate::{Block, Content, Run, Script, Table};

/// The container of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    Paragraph,
    Heading,
    Cell,
    /// A list item whose lines are indented by this many columns.
    Item(usize),
}

/// The state that a text continues.
#[derive(Default)]
pub(super) struct Inline {
    /// Style of the whole text.
    base: BaseStyle,
    /// Last character written.
    last: Option<char>,
    /// Whether an emphasis delimiter ends there.
    follows_delimiter: bool,
    /// Whether a dollar that may end a formula follows the current part of the text.
    has_dollars: bool,
}

/// Returns the text of runs that are not part of a longer text.
pub(super) fn of_runs(runs: &[Run], notes: &Notes, context: Context) -> String {
    let text = Inline::of(runs, context).write(runs, notes, context);
    let text = text.trim();
    if context == Context::Heading {
        escape::heading_end(text)
    } else {
        text.to_owned()
    }
}

/// Returns the text of blocks in a cell of a pipe table.
pub(super) fn of_blocks(
    blocks: &[Block],
    notes: &Notes,
    pictures: &mut References<'_>,
) -> Result<String> {
    let mut texts = Vec::new();
    for block in blocks {
        let text = match &block.content {
            Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => {
                of_runs(runs, notes, Context::Cell)
            }
            Content::Table(table) => of_table(table, notes, pictures)?,
            Content::Image { image, alternative } => {
                pictures.reference(*image, alternative.as_deref(), true)?
            }
            _ => escape::text(&plain::of_block(block), place(Context::Cell, None))
                .replace('\n', "<br>"),
        };
        texts.extend((!text.is_empty()).then_some(text));
    }
    Ok(texts.join("<br>"))
}

fn of_table(table: &Table, notes: &Notes, pictures: &mut References<'_>) -> Result<String> {
    let grid = Grid::of(table);
    let mut rows = Vec::with_capacity(grid.rows);
    for row in 0..grid.rows {
        let cells = grid.row(row).into_iter();
        let cells = cells.filter_map(|slot| table.cells.get(slot.begins()?));
        let texts = cells.map(|cell| of_blocks(&cell.blocks, notes, pictures));
        rows.push(texts.collect::<Result<Vec<_>>>()?.join(" "));
    }
    Ok(rows.join("<br>"))
}

impl Inline {
    /// The state before a text that begins with these runs.
    pub(super) fn of(runs: &[Run], context: Context) -> Self {
        let base = BaseStyle::of(runs);
        Self {
            base: BaseStyle {
                bold: base.bold || context == Context::Heading,
                monospaced: base.monospaced && context != Context::Cell,
                ..base
            },
            ..Self::default()
        }
    }

    /// Returns the text of runs that continue the output.
    pub(super) fn write(&mut self, runs: &[Run], notes: &Notes, context: Context) -> String {
        for note in runs.iter().filter_map(|run| notes.at(run)) {
            note.is_first_mention();
        }
        let parts = match context {
            Context::Heading => runs.iter().map(Part::from).collect(),
            _ => formula::parts(runs, notes),
        };
        let pieces = formatted_texts(parts, notes, self.base);
        let last_dollars = pieces.iter().rposition(FormattedText::has_dollars);
        let mut text = String::new();
        for (index, piece) in pieces.iter().enumerate() {
            let next = pieces.get(index + 1).and_then(FormattedText::first);
            self.has_dollars = last_dollars.is_some_and(|last| last > index);
            self.piece(piece, next, context, &mut text);
        }
        text
    }

    fn piece(
        &mut self,
        piece: &FormattedText,
        next: Option<char>,
        context: Context,
        text: &mut String,
    ) {
        match piece.formatting {
            Formatting::Note(number) => return self.mark(&format!("[^{number}]"), text),
            Formatting::Formula => {
                self.mark(&format!("${}$", piece.text), text);
                self.follows_delimiter = false;
                return;
            }
            Formatting::Text { .. } | Formatting::Code { .. } => {}
        }
        let (start, body, end) = trimmed(&piece.text);
        let next = if end.is_empty() { next } else { Some(' ') };
        self.spaces(start, context, text);
        match &piece.formatting {
            _ if body.is_empty() => {}
            Formatting::Code { url } => {
                let code = escape::code(body, context == Context::Cell);
                self.mark(&linked(code, body, url.as_deref()), text);
            }
            formatting => {
                let (marked, has_delimiter) = self.emphasized(body, next, formatting, context);
                text.push_str(&linked(marked, body, formatting.url()));
                self.follows_delimiter = has_delimiter;
                self.last = body.chars().next_back();
            }
        }
        self.spaces(end, context, text);
    }

    fn mark(&mut self, mark: &str, text: &mut String) {
        text.push_str(mark);
        self.last = mark.chars().next_back();
        self.follows_delimiter = true;
    }

    fn spaces(&mut self, spaces: &str, context: Context, text: &mut String) {
        let Some(last) = self.last.filter(|_| !spaces.is_empty()) else {
            return;
        };
        let ends_line = spaces.contains('\n');
        if ends_line {
            text.push_str(line_end(context));
        } else if last != ' ' {
            text.push(' ');
        }
        if ends_line && let Context::Item(columns) = context {
            text.push_str(&" ".repeat(columns));
        }
        self.last = Some(if ends_line { '\n' } else { ' ' });
        self.follows_delimiter = false;
    }

    /// Escapes a text without spaces at its ends.
    fn lines(&self, body: &str, context: Context, place: Place) -> String {
        let mut lines = Vec::new();
        let mut pieces = body.split('\n').map(str::trim).peekable();
        let mut begins = matches!(self.last, None | Some('\n'));
        while let Some(line) = pieces.next() {
            let next = if pieces.peek().is_some() {
                None
            } else {
                place.next
            };
            if line.is_empty() {
                continue;
            }
            let line = escape::text(line, Place { next, ..place });
            let is_block = begins && matches!(context, Context::Paragraph | Context::Item(_));
            lines.push(if is_block {
                escape::line_start(&line)
            } else {
                line
            });
            begins = true;
        }
        let indent = if let Context::Item(columns) = context {
            " ".repeat(columns)
        } else {
            String::new()
        };
        lines.join(&format!("{}{indent}", line_end(context)))
    }

    /// Returns a text with its emphasis, and whether a delimiter ends it. Emphasis that delimiters cannot express between its
    /// neighbors is dropped; text that is struck through is not, because it means the opposite.
    fn emphasized(
        &self,
        body: &str,
        next: Option<char>,
        formatting: &Formatting,
        context: Context,
    ) -> (String, bool) {
        let place = Place {
            has_dollars: self.has_dollars,
            ..place(context, next)
        };
        let Formatting::Text {
            bold,
            italic,
            strikethrough,
            script,
            url,
        } = formatting
        else {
            return (self.lines(body, context, place), false);
        };
        // The text of a link is between brackets.
        let is_link = url.is_some();
        let place = Place {
            in_link: is_link,
            ..place
        };
        let (before, after) = match is_link {
            true => (Some('['), Some(']')),
            false => (self.last, next),
        };
        let mark = match (*strikethrough, *bold, *italic) {
            (true, ..) => "~~",
            (false, true, true) => "***",
            (false, true, false) => "**",
            (false, false, true) => "*",
            (false, false, false) => "",
        };
        let can_mark =
            !mark.is_empty() && *script == Script::None && (is_link || !self.follows_delimiter);
        if let Some((start, core, end)) = delimited(before, body, after).filter(|_| can_mark) {
            let within = Place {
                is_emphasized: true,
                next: mark.chars().next(),
                ..place
            };
            let (before, core) = (
                escape::text(start, within),
                self.lines(core, context, within),
            );
            let rest = escape::text(end, place);
            return (format!("{before}{mark}{core}{mark}{rest}"), end.is_empty());
        }
        let text = self.lines(body, context, place);
        let text = match script {
            Script::None => text,
            Script::Super => format!("<sup>{text}</sup>"),
            Script::Sub => format!("<sub>{text}</sub>"),
        };
        match strikethrough {
            true => (format!("<del>{text}</del>"), false),
            false => (text, false),
        }
    }
}

/// Splits a text into the part that delimiters can enclose between these characters [CommonMark, 6.2], approximated without
/// Unicode punctuation, and the punctuation before and after it.
fn delimited(before: Option<char>, body: &str, after: Option<char>) -> Option<(&str, &str, &str)> {
    let is_apart = |neighbor: Option<char>| {
        neighbor.is_none_or(|neighbor| neighbor.is_whitespace() || neighbor.is_ascii_punctuation())
    };
    let is_sign = |character: char| !character.is_alphanumeric();
    let core = match is_apart(before) && !body.starts_with('*') {
        true => body,
        false => body.trim_start_matches(is_sign),
    };
    let start = body.strip_suffix(core)?;
    let inner = match is_apart(after) && !core.ends_with('*') {
        true => core,
        false => core.trim_end_matches(is_sign),
    };
    let end = core.strip_prefix(inner)?;
    let is_line = !start.contains('\n') && !end.contains('\n');
    (is_line && !inner.is_empty()).then_some((start, inner, end))
}

/// Returns a link, as an autolink if its text is the URL.
fn linked(text: String, body: &str, url: Option<&str>) -> String {
    match url {
        None => text,
        Some(url) if url == body || url.strip_prefix("mailto:") == Some(body) => {
            format!("<{body}>")
        }
        Some(url) if url.contains(['(', ')']) => format!("[{text}](<{url}>)"),
        Some(url) => format!("[{text}]({url})"),
    }
}

fn line_end(context: Context) -> &'static str {
    match context {
        Context::Paragraph | Context::Item(_) => "\\\n",
        Context::Heading => " ",
        Context::Cell => "<br>",
    }
}

fn place(context: Context, next: Option<char>) -> Place {
    Place {
        in_table: context == Context::Cell,
        next,
        ..Place::default()
    }
}

/// Splits a text into leading spaces, body and trailing spaces.
fn trimmed(text: &str) -> (&str, &str, &str) {
    let body = text.trim_start();
    let start = text.strip_suffix(body).unwrap_or_default();
    let trimmed = body.trim_end();
    (
        start,
        trimmed,
        body.strip_prefix(trimmed).unwrap_or_default(),
    )
}
