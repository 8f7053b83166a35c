//! Reads tokens into stories.

mod characters;
mod ends;

use std::collections::HashMap;

use encoding_rs::{Encoding, WINDOWS_1252};
use layout::{Block, Size};

use super::destination::{self, Destination};
use super::fonts::{self, Fonts};
use super::lexer::Token;
use super::picture::Picture;
use super::state::{Purpose, State};
use super::story::Story;
use super::words;
use crate::error::{MarkupError, Outcome};
use crate::flow;
use crate::limits::Budget;
use crate::link;
use crate::paper;
use crate::pictures::Pictures;
use crate::source::{Bound, Leaf, Metadata};
use crate::warning::Losses;

/// A document that is being read.
pub(super) struct Reader {
    budget: Budget,
    groups: Vec<Group>,
    state: State,
    body: Story,
    /// The stories that are open within the body, the innermost last.
    inner: Vec<Story>,
    encoding: &'static Encoding,
    fonts: Fonts,
    colours: Vec<Option<[u8; 3]>>,
    colour: Option<[u8; 3]>,
    /// By the numbers of styles.
    styles: HashMap<i32, Styled>,
    style: (Option<i32>, Option<u8>, String),
    /// Where the results of the open fields lead to.
    links: Vec<Option<String>>,
    /// What was read for something else than the body.
    aside: String,
    picture: Picture,
    /// Bytes that are not decoded yet.
    pending: Vec<u8>,
    /// The first half of a character of Unicode.
    high: Option<u16>,
    /// How many characters to pass over.
    skip: usize,
    /// A group has just begun, with a star if it may be passed over.
    fresh: Option<bool>,
    size: Size,
    pages: Vec<Vec<Block>>,
    header: Vec<Block>,
    footer: Vec<Block>,
    notes: Vec<Block>,
    bookmarks: HashMap<String, usize>,
    count: u32,
    pictures: Pictures,
    losses: Losses,
    facts: Metadata,
}

/// What the paragraphs of a style are.
#[derive(Clone, Copy, Debug, Default)]
struct Styled {
    /// The level of a title, from 1.
    title: Option<u8>,
    /// How many quotations they stand in.
    quoted: u8,
}

/// A group that is open.
struct Group {
    before: State,
    destination: Option<Destination>,
}

impl Reader {
    pub(super) fn new(budget: Budget) -> Self {
        Self {
            budget,
            groups: Vec::new(),
            state: State::default(),
            body: Story::default(),
            inner: Vec::new(),
            encoding: WINDOWS_1252,
            fonts: Fonts::default(),
            colours: Vec::new(),
            colour: None,
            styles: HashMap::new(),
            style: (None, None, String::new()),
            links: Vec::new(),
            aside: String::new(),
            picture: Picture::default(),
            pending: Vec::new(),
            high: None,
            skip: 0,
            fresh: None,
            size: paper::A4,
            pages: Vec::new(),
            header: Vec::new(),
            footer: Vec::new(),
            notes: Vec::new(),
            bookmarks: HashMap::new(),
            count: 0,
            pictures: Pictures::default(),
            losses: Losses::of_page(1),
            facts: Metadata::default(),
        }
    }

    /// Takes a token; `false` behind the end of the document.
    pub(super) fn take(&mut self, token: Token<'_>) -> Outcome<bool> {
        let fresh = self.fresh.take();
        match token {
            Token::Open => self.open()?,
            Token::Close => return self.close(),
            Token::Symbol(b'*') => self.fresh = fresh.map(|_| true),
            Token::Word(word, number) => self.word(word, number, fresh)?,
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Byte(byte) => self.byte(byte),
            Token::Text(text) => self.text(text),
            Token::Binary(bytes) => self.picture.binary(bytes),
        }
        Ok(true)
    }

    /// The document.
    pub(super) fn finish(mut self) -> Outcome<Bound> {
        while !self.groups.is_empty() {
            self.close()?;
        }
        self.flush();
        self.end_paragraph()?;
        self.break_page()?;
        let bookmarks = std::mem::take(&mut self.bookmarks);
        let (size, header, footer) = (self.size, self.header, self.footer);
        let mut leaves = std::collections::VecDeque::new();
        for mut blocks in self.pages.into_iter() {
            link::lead(&mut blocks, |name| bookmarks.get(name).copied());
            self.budget
                .spend(flow::weight(&header) + flow::weight(&footer))?;
            let (header, footer) = (header.clone(), footer.clone());
            leaves.push_back(Leaf {
                size,
                header,
                blocks,
                footer,
            });
        }
        if leaves.is_empty() {
            leaves.push_back(Leaf {
                size,
                header,
                blocks: Vec::new(),
                footer,
            });
        }
        Ok(Bound {
            leaves,
            pictures: self.pictures,
            facts: self.facts,
            warnings: self.losses.all(),
        })
    }

    fn open(&mut self) -> Outcome {
        self.flush();
        self.budget.spend(1)?;
        self.budget.check_depth(self.groups.len() + 1)?;
        self.groups.push(Group {
            before: self.state.clone(),
            destination: None,
        });
        self.fresh = Some(false);
        self.skip = 0;
        Ok(())
    }

    fn close(&mut self) -> Outcome<bool> {
        self.flush();
        self.skip = 0;
        let Some(group) = self.groups.pop() else {
            return Err(MarkupError::Corrupt("a group ends that did not begin"));
        };
        match group.destination {
            Some(Destination::Text(purpose)) => self.end_text(purpose),
            Some(Destination::Story(kind)) => self.end_story(kind)?,
            Some(Destination::Field) => {
                self.links.pop();
            }
            Some(Destination::Result) | None => {}
        }
        self.state = group.before;
        Ok(!self.groups.is_empty())
    }

    fn word(&mut self, word: &str, number: Option<i32>, fresh: Option<bool>) -> Outcome {
        if self.skip > 0 {
            self.skip -= 1;
            return Ok(());
        }
        if word == "u" {
            self.unicode(number.unwrap_or(0));
            return Ok(());
        }
        self.flush();
        if self.state.purpose == Purpose::Nothing && word != "ud" {
            return Ok(());
        }
        if let Some(destination) = fresh.and_then(|_| destination::of(word)) {
            self.begin(destination);
            return Ok(());
        }
        if fresh == Some(true) && !matches!(word, "cs" | "ts" | "pn" | "nesttableprops" | "shpinst")
        {
            self.state.purpose = Purpose::Nothing;
            return Ok(());
        }
        self.control(word, number.unwrap_or(0), number)
    }

    fn begin(&mut self, destination: Destination) {
        match destination {
            Destination::Text(purpose) => {
                self.state.purpose = purpose;
                if !matches!(purpose, Purpose::Body | Purpose::Nothing) {
                    self.aside.clear();
                }
            }
            Destination::Story(_) => {
                self.inner.push(Story::default());
                self.state.purpose = Purpose::Body;
                self.state.paragraph = super::state::Paragraph::default();
            }
            Destination::Field => self.links.push(None),
            Destination::Result => self.state.purpose = Purpose::Body,
        }
        if let Some(group) = self.groups.last_mut() {
            group.destination = Some(destination);
        }
    }

    fn control(&mut self, word: &str, number: i32, said: Option<i32>) -> Outcome {
        match self.state.purpose {
            Purpose::Fonts => self.fonts.word(word, number),
            Purpose::Colours => self.colour(word, number),
            Purpose::Styles => self.style(word, number),
            Purpose::Picture => self.picture.word(word),
            Purpose::Body => return self.body(word, number, said),
            Purpose::Marker if word == "f" => self.font(number),
            _ => {
                if let Some(text) = words::character(word) {
                    self.push(text);
                }
            }
        }
        Ok(())
    }

    fn body(&mut self, word: &str, number: i32, said: Option<i32>) -> Outcome {
        if words::take(&mut self.state, word, said) {
            return Ok(());
        }
        let depth = self.state.paragraph.tables.max(1);
        match word {
            "par" => self.end_paragraph()?,
            "page" if self.inner.is_empty() => self.page()?,
            "sect" if self.inner.is_empty() => {
                self.end_paragraph()?;
                self.break_page()?;
            }
            "cell" => self.end_cell(depth)?,
            "nestcell" => self.end_cell(depth.max(2))?,
            "row" => self.end_row(1)?,
            "nestrow" => self.end_row(depth.max(2))?,
            "nesttableprops" => self.story().begin_inner_row(),
            "f" => self.font(number),
            "cf" => {
                let colour = usize::try_from(number)
                    .ok()
                    .and_then(|number| self.colours.get(number));
                self.state.look.colour = Some(colour.copied().flatten());
            }
            "uc" => self.state.stand_ins = usize::try_from(number).unwrap_or(1).min(16),
            "ansicpg" => self.encoding = fonts::of_page(number).unwrap_or(WINDOWS_1252),
            "mac" => self.encoding = encoding_rs::MACINTOSH,
            "paperw" | "pgwsxn" if number > 20 => self.size.width = number as f32 / 20.0,
            "paperh" | "pghsxn" if number > 20 => self.size.height = number as f32 / 20.0,
            "chftn" if self.inner.is_empty() => self.refer(),
            _ => match words::character(word) {
                Some(text) => self.push(text),
                None => self.story().definition.word(word, number),
            },
        }
        Ok(())
    }

    fn refer(&mut self) {
        self.count += 1;
        let (label, style) = (self.count.to_string(), self.state.look.style());
        self.story().line.push_reference(&label, &style);
    }

    fn font(&mut self, number: i32) {
        self.state.font = number;
        self.state.look.font = self.fonts.get(number).map(|font| font.name.clone());
    }

    fn colour(&mut self, word: &str, number: i32) {
        let value = u8::try_from(number.clamp(0, 255)).unwrap_or(0);
        let [red, green, blue] = self.colour.get_or_insert_default();
        match word {
            "red" => *red = value,
            "green" => *green = value,
            "blue" => *blue = value,
            _ => {}
        }
    }

    fn style(&mut self, word: &str, number: i32) {
        match word {
            "s" => self.style.0 = Some(number),
            "outlinelevel" => self.style.1 = u8::try_from(number).ok(),
            "cs" | "ds" | "ts" => self.style.0 = None,
            _ => {}
        }
    }

    fn story(&mut self) -> &mut Story {
        self.inner.last_mut().unwrap_or(&mut self.body)
    }
}
