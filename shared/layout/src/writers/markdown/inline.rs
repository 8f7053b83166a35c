//! Runs as the text of a paragraph: emphasis, links, code and notes.

use super::escape;
use crate::writers::grid::Grid;
use crate::writers::link::{Target, target};
use crate::writers::notes::Notes;
use crate::writers::plain;
use crate::{Block, Content, Run, Script, Table};

/// What the text stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Paragraph,
    Heading,
    Cell,
    /// An item whose lines begin so many columns in.
    Item(usize),
}

/// What a text goes on from.
#[derive(Default)]
pub(super) struct Inline {
    /// The last character that was written.
    last: Option<char>,
    /// Whether a mark of emphasis ends there.
    is_behind_mark: bool,
}

/// The text of runs on their own.
pub(super) fn whole(runs: &[Run], notes: &Notes, place: Place) -> String {
    let text = Inline::default().write(runs, notes, place);
    let text = text.trim();
    if place == Place::Heading {
        escape::heading_end(text)
    } else {
        text.to_owned()
    }
}

/// The text of blocks within a cell.
pub(super) fn of_blocks(blocks: &[Block], notes: &Notes) -> String {
    let texts = blocks.iter().map(|block| match &block.content {
        Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => {
            whole(runs, notes, Place::Cell)
        }
        Content::Table(table) => of_table(table, notes),
        _ => escape::text(&plain::of_block(block), true, false).replace('\n', "<br>"),
    });
    let texts: Vec<_> = texts.filter(|text| !text.is_empty()).collect();
    texts.join("<br>")
}

fn of_table(table: &Table, notes: &Notes) -> String {
    let grid = Grid::of(table);
    let rows = (0..grid.rows).map(|row| {
        let cells = grid
            .row(row)
            .into_iter()
            .filter_map(|slot| table.cells.get(slot.begins()?));
        let texts: Vec<_> = cells.map(|cell| of_blocks(&cell.blocks, notes)).collect();
        texts.join(" ")
    });
    rows.collect::<Vec<_>>().join("<br>")
}

/// Runs that markdown shows alike.
struct Piece {
    text: String,
    look: Look,
}

#[derive(Clone, PartialEq)]
enum Look {
    Text {
        bold: bool,
        italic: bool,
        struck: bool,
        script: Script,
        url: Option<String>,
    },
    Code {
        url: Option<String>,
    },
    Note(u32),
}

impl Inline {
    /// The text of runs that go on with what was written.
    pub(super) fn write(&mut self, runs: &[Run], notes: &Notes, place: Place) -> String {
        let pieces = pieces(runs, notes);
        let mut text = String::new();
        for (index, piece) in pieces.iter().enumerate() {
            let next = pieces
                .get(index + 1)
                .and_then(|piece| piece.text.chars().next());
            self.piece(piece, next, place, &mut text);
        }
        text
    }

    fn piece(&mut self, piece: &Piece, next: Option<char>, place: Place, text: &mut String) {
        let in_table = place == Place::Cell;
        match &piece.look {
            Look::Note(number) => self.mark(&format!("[^{number}]"), text),
            Look::Code { url } => {
                let (start, body, end) = trimmed(&piece.text);
                self.spaces(start, place, text);
                self.mark(&linked(escape::code(body, in_table), url.as_deref()), text);
                self.spaces(end, place, text);
            }
            Look::Text { url, .. } => {
                let (start, body, end) = trimmed(&piece.text);
                self.spaces(start, place, text);
                if !body.is_empty() {
                    let next = if end.is_empty() { next } else { Some(' ') };
                    let lines = self.lines(body, place);
                    let marked = self.emphasised(&lines, body, next, &piece.look);
                    self.is_behind_mark = marked != lines;
                    text.push_str(&linked(marked, url.as_deref()));
                    self.last = body.chars().next_back();
                }
                self.spaces(end, place, text);
            }
        }
    }

    fn mark(&mut self, mark: &str, text: &mut String) {
        text.push_str(mark);
        self.last = mark.chars().next_back();
        self.is_behind_mark = true;
    }

    fn spaces(&mut self, spaces: &str, place: Place, text: &mut String) {
        if spaces.is_empty() {
            return;
        }
        let ends_line = spaces.contains('\n') && self.last.is_some();
        let space = if self.last.is_some() { " " } else { "" };
        text.push_str(if ends_line { line_end(place) } else { space });
        if ends_line && let Place::Item(columns) = place {
            text.push_str(&" ".repeat(columns));
        }
        self.last = self.last.map(|_| if ends_line { '\n' } else { ' ' });
        self.is_behind_mark = false;
    }

    /// A text without spaces at its ends, escaped.
    fn lines(&self, body: &str, place: Place) -> String {
        let mut lines = Vec::new();
        for (index, line) in body
            .split('\n')
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .enumerate()
        {
            let line = escape::text(line, place == Place::Cell, true);
            let begins = (index > 0 || matches!(self.last, None | Some('\n')))
                && matches!(place, Place::Paragraph | Place::Item(_));
            lines.push(if begins {
                escape::line_start(&line)
            } else {
                line
            });
        }
        let indent = if let Place::Item(columns) = place {
            " ".repeat(columns)
        } else {
            String::new()
        };
        lines.join(&format!("{}{indent}", line_end(place)))
    }

    fn emphasised(&self, lines: &str, body: &str, next: Option<char>, look: &Look) -> String {
        let Look::Text {
            bold,
            italic,
            struck,
            script,
            url,
        } = look
        else {
            return lines.to_owned();
        };
        let is_bare = url.is_none() && *script == Script::None && !self.is_behind_mark;
        let stars = is_bare && !*struck && opens(self.last, body) && closes(body, next);
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
        if *struck {
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

/// Whether a mark of emphasis opens between these characters [CommonMark, 6.2], without knowing all punctuation.
fn opens(before: Option<char>, body: &str) -> bool {
    let is_apart =
        before.is_none_or(|before| before.is_whitespace() || before.is_ascii_punctuation());
    body.chars()
        .next()
        .is_some_and(|first| first.is_alphanumeric() || is_apart && first != '*')
}

/// Whether a mark of emphasis closes between these characters.
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

fn line_end(place: Place) -> &'static str {
    match place {
        Place::Paragraph | Place::Item(_) => "\\\n",
        Place::Heading => " ",
        Place::Cell => "<br>",
    }
}

fn pieces(runs: &[Run], notes: &Notes) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    for run in runs.iter().filter(|run| !run.text.is_empty()) {
        let look = look(run, notes);
        match pieces.last_mut() {
            Some(last) if last.look == look => last.text.push_str(&run.text),
            _ => pieces.push(Piece {
                text: run.text.clone(),
                look,
            }),
        }
    }
    pieces
}

fn look(run: &Run, notes: &Notes) -> Look {
    let style = &run.style;
    let url = match run.link.as_deref().and_then(target) {
        Some(Target::Outside(url)) => Some(url),
        Some(Target::Page(_)) | None => None,
    };
    match notes.at(run) {
        Some(note) => Look::Note(note.number),
        None if run.text.trim().is_empty() => Look::Text {
            bold: false,
            italic: false,
            struck: false,
            script: Script::None,
            url,
        },
        None if style.monospaced && !run.text.contains('\n') => Look::Code { url },
        None => Look::Text {
            bold: style.bold,
            italic: style.italic,
            struck: style.struck,
            script: style.script,
            url,
        },
    }
}

/// The spaces before a text, the text and the spaces behind it.
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
