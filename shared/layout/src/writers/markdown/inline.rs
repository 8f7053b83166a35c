//! Inline content: emphasis, links, code and footnote references.

use super::escape;
use super::pictures::References;
use crate::writers::Result;
use crate::writers::grid::Grid;
use crate::writers::link::{Target, target};
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
    /// Last character written.
    last: Option<char>,
    /// Whether an emphasis delimiter ends there.
    follows_delimiter: bool,
}

/// Returns the text of runs that are not part of a longer text.
pub(super) fn of_runs(runs: &[Run], notes: &Notes, context: Context) -> String {
    let text = Inline::default().write(runs, notes, context);
    let text = text.trim();
    if context == Context::Heading {
        escape::heading_end(text)
    } else {
        text.to_owned()
    }
}

/// Returns the text of blocks in a cell.
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
            _ => escape::text(&plain::of_block(block), true, false).replace('\n', "<br>"),
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

/// Runs with the same Markdown formatting.
struct FormattedText {
    text: String,
    formatting: Formatting,
}

#[derive(Clone, PartialEq)]
enum Formatting {
    Text {
        bold: bool,
        italic: bool,
        strikethrough: bool,
        script: Script,
        url: Option<String>,
    },
    Code {
        url: Option<String>,
    },
    Note(u32),
}

impl Inline {
    /// Returns the text of runs that continue the output.
    pub(super) fn write(&mut self, runs: &[Run], notes: &Notes, context: Context) -> String {
        let pieces = formatted_texts(runs, notes);
        let mut text = String::new();
        for (index, piece) in pieces.iter().enumerate() {
            let next = pieces
                .get(index + 1)
                .and_then(|piece| piece.text.chars().next());
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
        let in_table = context == Context::Cell;
        match &piece.formatting {
            Formatting::Note(number) => self.mark(&format!("[^{number}]"), text),
            Formatting::Code { url } => {
                let (start, body, end) = trimmed(&piece.text);
                self.spaces(start, context, text);
                self.mark(&linked(escape::code(body, in_table), url.as_deref()), text);
                self.spaces(end, context, text);
            }
            Formatting::Text { url, .. } => {
                let (start, body, end) = trimmed(&piece.text);
                self.spaces(start, context, text);
                if !body.is_empty() {
                    let next = if end.is_empty() { next } else { Some(' ') };
                    let lines = self.lines(body, context);
                    let marked = self.emphasized(&lines, body, next, &piece.formatting);
                    self.follows_delimiter = marked != lines;
                    text.push_str(&linked(marked, url.as_deref()));
                    self.last = body.chars().next_back();
                }
                self.spaces(end, context, text);
            }
        }
    }

    fn mark(&mut self, mark: &str, text: &mut String) {
        text.push_str(mark);
        self.last = mark.chars().next_back();
        self.follows_delimiter = true;
    }

    fn spaces(&mut self, spaces: &str, context: Context, text: &mut String) {
        if spaces.is_empty() {
            return;
        }
        let ends_line = spaces.contains('\n') && self.last.is_some();
        let space = if self.last.is_some() { " " } else { "" };
        text.push_str(if ends_line { line_end(context) } else { space });
        if ends_line && let Context::Item(columns) = context {
            text.push_str(&" ".repeat(columns));
        }
        self.last = self.last.map(|_| if ends_line { '\n' } else { ' ' });
        self.follows_delimiter = false;
    }

    /// Escapes a text without spaces at its ends.
    fn lines(&self, body: &str, context: Context) -> String {
        let mut lines = Vec::new();
        for (index, line) in body
            .split('\n')
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .enumerate()
        {
            let line = escape::text(line, context == Context::Cell, true);
            let begins = (index > 0 || matches!(self.last, None | Some('\n')))
                && matches!(context, Context::Paragraph | Context::Item(_));
            lines.push(if begins {
                escape::line_start(&line)
            } else {
                line
            });
        }
        let indent = if let Context::Item(columns) = context {
            " ".repeat(columns)
        } else {
            String::new()
        };
        lines.join(&format!("{}{indent}", line_end(context)))
    }

    fn emphasized(
        &self,
        lines: &str,
        body: &str,
        next: Option<char>,
        formatting: &Formatting,
    ) -> String {
        let Formatting::Text {
            bold,
            italic,
            strikethrough,
            script,
            url,
        } = formatting
        else {
            return lines.to_owned();
        };
        let is_bare = url.is_none() && *script == Script::None && !self.follows_delimiter;
        let stars = is_bare && !*strikethrough && opens(self.last, body) && closes(body, next);
        let mut text = lines.to_owned();
        for (is_set, mark, tag) in [(*bold, "**", "strong"), (*italic, "*", "em")] {
            if is_set {
                text = if stars {
                    format!("{mark}{text}{mark}")
                } else {
                    format!("<{tag}>{text}</{tag}>")
                };
            }
        }
        if *strikethrough {
            let waves =
                is_bare && !*bold && !*italic && opens(self.last, body) && closes(body, next);
            text = if waves {
                format!("~~{text}~~")
            } else {
                format!("<del>{text}</del>")
            };
        }
        match script {
            Script::None => text,
            Script::Super => format!("<sup>{text}</sup>"),
            Script::Sub => format!("<sub>{text}</sub>"),
        }
    }
}

/// Whether a delimiter opens emphasis between these characters [CommonMark, 6.2], approximated without Unicode punctuation.
fn opens(before: Option<char>, body: &str) -> bool {
    let is_apart =
        before.is_none_or(|before| before.is_whitespace() || before.is_ascii_punctuation());
    body.chars()
        .next()
        .is_some_and(|first| first.is_alphanumeric() || is_apart && first != '*')
}

/// Whether a delimiter closes emphasis between these characters.
fn closes(body: &str, after: Option<char>) -> bool {
    let is_apart = after.is_none_or(|after| after.is_whitespace() || after.is_ascii_punctuation());
    body.chars()
        .next_back()
        .is_some_and(|last| last.is_alphanumeric() || is_apart && last != '*')
}

fn linked(text: String, url: Option<&str>) -> String {
    match url {
        Some(url) => format!("[{text}](<{url}>)"),
        None => text,
    }
}

fn line_end(context: Context) -> &'static str {
    match context {
        Context::Paragraph | Context::Item(_) => "\\\n",
        Context::Heading => " ",
        Context::Cell => "<br>",
    }
}

fn formatted_texts(runs: &[Run], notes: &Notes) -> Vec<FormattedText> {
    let mut pieces: Vec<FormattedText> = Vec::new();
    for run in runs.iter().filter(|run| !run.text.is_empty()) {
        let formatting = formatting(run, notes);
        match pieces.last_mut() {
            Some(last) if last.formatting == formatting => last.text.push_str(&run.text),
            _ => pieces.push(FormattedText {
                text: run.text.clone(),
                formatting,
            }),
        }
    }
    pieces
}

fn formatting(run: &Run, notes: &Notes) -> Formatting {
    let style = &run.style;
    let url = match run.link.as_deref().and_then(target) {
        Some(Target::External(url)) => Some(url),
        Some(Target::Page(_)) | None => None,
    };
    match notes.at(run) {
        Some(note) => Formatting::Note(note.number),
        None if run.text.trim().is_empty() => Formatting::Text {
            bold: false,
            italic: false,
            strikethrough: false,
            script: Script::None,
            url,
        },
        None if style.monospaced && !run.text.contains('\n') => Formatting::Code { url },
        None => Formatting::Text {
            bold: style.bold,
            italic: style.italic,
            strikethrough: style.strikethrough,
            script: style.script,
            url,
        },
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
