//! Reads the text of a document in Rich Text Format 1.9: body, notes and text boxes.

mod destination;
mod encodings;
mod group;
#[cfg(test)]
mod tests;
mod tokens;

use std::path::Path;

use self::destination::Destination;
use self::encodings::Encodings;
use self::group::{Group, GroupKind};
use self::tokens::{Token, Tokens};
use super::fields::Fields;
use super::item::{Item, Place, Take, Unreadable};
use super::scope::Scope;
use super::tables::Tables;

/// Maximum nesting depth of groups.
const MAX_DEPTH: usize = 4096;

/// Calls `take` with the items of a document.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    read_bytes(&std::fs::read(path)?, scope, take)
}

/// Calls `take` with the items of a document.
pub(super) fn read_bytes(bytes: &[u8], scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    if !bytes.starts_with(b"{\\rtf") {
        return Err(Unreadable);
    }
    let mut reader = Reader {
        scope,
        group: Group::default(),
        outer: Vec::new(),
        encodings: Encodings::default(),
        fields: Fields::default(),
        tables: Tables::default(),
        stories: 0,
        is_ignorable: false,
        replacements_left: 0,
        bytes: Vec::new(),
        units: Vec::new(),
        take,
    };
    for token in Tokens::new(bytes) {
        reader.token(token)?;
        if reader.outer.is_empty() {
            break;
        }
    }
    reader.flush()
}

/// Reads the tokens of a document.
struct Reader<'t> {
    scope: Scope,
    group: Group,
    outer: Vec<Group>,
    encodings: Encodings,
    fields: Fields,
    tables: Tables,
    /// Number of open headers, footers, notes and text boxes. Their tables are not counted.
    stories: usize,
    /// Whether the next control word begins a destination that readers may ignore.
    is_ignorable: bool,
    /// Number of characters that replace the last Unicode character.
    replacements_left: usize,
    /// Text that is not decoded yet: either bytes or UTF-16.
    bytes: Vec<u8>,
    units: Vec<u16>,
    take: Take<'t>,
}

impl Reader<'_> {
    fn token(&mut self, token: Token<'_>) -> Result<(), Unreadable> {
        match token {
            Token::Start => {
                self.flush()?;
                self.replacements_left = 0;
                if self.outer.len() >= MAX_DEPTH {
                    return Err(Unreadable);
                }
                self.outer.push(self.group);
                self.group.is = GroupKind::Other;
            }
            Token::End => {
                self.flush()?;
                self.replacements_left = 0;
                if matches!(self.group.is, GroupKind::Story | GroupKind::RunningText) {
                    self.stories = self.stories.saturating_sub(1);
                }
                match self.group.is {
                    GroupKind::Field => self.fields.mark(Some("end")),
                    GroupKind::Story => {
                        self.end_word();
                        let mut outer = self.outer.iter();
                        let is_inside = outer.any(|group| group.is == GroupKind::Story);
                        self.emit(Item::Aside(is_inside));
                    }
                    GroupKind::RunningText => {
                        self.end_word();
                        self.emit(Item::Once(false));
                        self.emit(Item::Aside(false));
                    }
                    GroupKind::Other => {}
                }
                self.group = self.outer.pop().ok_or(Unreadable)?;
            }
            Token::Ignorable => self.is_ignorable = true,
            Token::Byte(_) if self.replacements_left > 0 => self.replacements_left -= 1,
            Token::Byte(byte) => {
                self.flush_units();
                self.bytes.push(byte);
            }
            Token::Control(word, value) => {
                let is_ignorable = std::mem::take(&mut self.is_ignorable);
                self.control(word, value, is_ignorable)?;
            }
        }
        Ok(())
    }

    fn control(
        &mut self,
        word: &str,
        value: Option<i32>,
        is_ignorable: bool,
    ) -> Result<(), Unreadable> {
        if word == "u" {
            self.flush_bytes()?;
            self.units
                .extend(value.and_then(|value| u16::try_from(value & 0xffff).ok()));
            self.replacements_left = self.group.replacements;
            return Ok(());
        }
        if let Some(character) = character(word) {
            match self.replacements_left {
                0 => {
                    self.flush_bytes()?;
                    self.units
                        .extend_from_slice(character.encode_utf16(&mut [0; 2]));
                }
                _ => self.replacements_left -= 1,
            }
            return Ok(());
        }
        self.flush()?;
        if is_break(word) {
            self.end_word();
        }
        if word == "cell" && self.stories == 0 {
            self.tables.begin_cell();
        }
        if let Some(destination) = Destination::of(word, is_ignorable, self.scope) {
            self.enter(destination);
        } else if matches!(word, "pngblip" | "jpegblip") && self.group.destination.has_images() {
            if !self.fields.is_recalculated() && !self.scope.tables_only {
                self.emit(Item::Image);
            }
        } else {
            self.encodings.control(word, value, &self.group);
            self.group.control(word, value);
        }
        Ok(())
    }

    fn enter(&mut self, destination: Destination) {
        match destination {
            Destination::Field => {
                self.fields.mark(Some("begin"));
                self.group.is = GroupKind::Field;
            }
            Destination::FieldResult => self.fields.mark(Some("separate")),
            Destination::Text => {
                self.group.is = GroupKind::Story;
                self.stories += 1;
                self.end_word();
                // Notes and text boxes are anywhere on a page.
                self.emit(Item::Aside(true));
            }
            Destination::RunningText => {
                self.group.is = GroupKind::RunningText;
                self.stories += 1;
                self.end_word();
                self.emit(Item::Aside(true));
                self.emit(Item::Once(true));
            }
            _ => self.group.destination.enter(destination),
        }
    }

    fn flush(&mut self) -> Result<(), Unreadable> {
        self.flush_units();
        self.flush_bytes()
    }

    fn flush_units(&mut self) {
        if !self.units.is_empty() {
            let units = std::mem::take(&mut self.units);
            let text: String = char::decode_utf16(units).flatten().collect();
            self.text(&text);
        }
    }

    fn flush_bytes(&mut self) -> Result<(), Unreadable> {
        let bytes = std::mem::take(&mut self.bytes);
        if bytes.is_empty() || !self.group.destination.has_text() {
            return Ok(());
        }
        if let Some(text) = self.encodings.decode(&bytes, self.group.font)? {
            self.text(&text);
        }
        Ok(())
    }

    fn text(&mut self, text: &str) {
        if self.group.destination == Destination::FieldInstruction {
            self.fields.instruction(text);
            // Ruby text is in the instruction of a field without a result.
            if self.scope.is_result && self.fields.is_equation() {
                self.emit(Item::Text(text));
            }
        } else if self.group.destination.has_text()
            && !self.group.is_hidden
            && !self.group.is_deleted
            && (self.group.is_in_table || !self.scope.tables_only)
            && !self.fields.is_recalculated()
        {
            self.add_to_table(text);
            for text in text.split(|character| matches!(character, '\u{f000}'..='\u{f0ff}')) {
                if !text.is_empty() {
                    self.emit(Item::Text(text));
                }
            }
        }
    }

    /// Counts the table that a text of the body is in. Paragraphs say that they are in a table, not where it begins or ends.
    fn add_to_table(&mut self, text: &str) {
        if self.stories > 0 || text.trim().is_empty() {
            return;
        }
        match (self.group.is_in_table, self.tables.are_open()) {
            (true, false) => {
                self.tables.begin();
                self.tables.begin_cell();
            }
            (false, is_open) => {
                if is_open {
                    self.tables.end();
                }
                self.tables.begin_paragraph();
            }
            (true, true) => {}
        }
        if self.tables.add_text(text) {
            self.emit(Item::Table);
        }
    }

    fn end_word(&mut self) {
        if self.group.destination == Destination::Text {
            self.emit(Item::Break);
        }
    }

    fn emit(&mut self, item: Item<'_>) {
        (self.take)(item, Place::default());
    }
}

/// The character that a control word or symbol stands for.
fn character(word: &str) -> Option<char> {
    Some(match word {
        "~" => '\u{a0}',
        "_" => '\u{2011}',
        "-" => '\u{ad}',
        "\\" => '\\',
        "{" => '{',
        "}" => '}',
        "emdash" => '—',
        "endash" => '–',
        "lquote" => '‘',
        "rquote" => '’',
        "ldblquote" => '“',
        "rdblquote" => '”',
        "bullet" => '•',
        "emspace" | "enspace" | "qmspace" => ' ',
        "zwj" => '\u{200d}',
        "zwnj" => '\u{200c}',
        _ => return None,
    })
}

/// Whether a control word ends a word.
fn is_break(word: &str) -> bool {
    matches!(
        word,
        "par"
            | "line"
            | "lbr"
            | "softline"
            | "cell"
            | "nestcell"
            | "row"
            | "nestrow"
            | "tab"
            | "page"
            | "softpage"
            | "column"
            | "sect"
            | "sectd"
            | "pard"
            | "\n"
            | "\r"
    )
}
