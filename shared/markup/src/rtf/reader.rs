//! Converts tokens to stories and pages.

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
use crate::error::{MarkupError, Result};
use crate::flow;
use crate::limits::Budget;
use crate::link::{self, Linked};
use crate::paper;
use crate::pictures::Pictures;
use crate::source::{LoadedDocument, Metadata, UnnumberedPage};
use crate::warning::{Loss, Losses};

/// A document that is being read.
pub(super) struct Reader {
    budget: Budget,
    groups: Vec<Group>,
    state: State,
    body: Story,
    /// Open stories within the body, the innermost last.
    inner: Vec<Story>,
    encoding: &'static Encoding,
    fonts: Fonts,
    colors: Vec<Option<[u8; 3]>>,
    color: Option<[u8; 3]>,
    /// By style number.
    styles: HashMap<i32, ParagraphStyle>,
    style: (Option<i32>, Option<u8>, String),
    /// Link targets of the open fields, and whether these links have text or pictures.
    links: Vec<(Option<String>, Linked)>,
    /// Text of a destination other than the body.
    destination_text: String,
    picture: Picture,
    /// Bytes that were not decoded yet.
    pending: Vec<u8>,
    /// High surrogate of a `\u` character.
    high: Option<u16>,
    /// Number of fallback characters to skip after a `\u` character.
    skip: usize,
    /// Whether a group has just begun; `Some(true)` if `\*` marks it as ignorable.
    new_group: Option<bool>,
    size: Size,
    pages: Vec<Vec<Block>>,
    header: Vec<Block>,
    footer: Vec<Block>,
    notes: Vec<Block>,
    bookmarks: HashMap<String, usize>,
    count: u32,
    pictures: Pictures,
    losses: Losses,
    metadata: Metadata,
}

/// A paragraph style.
#[derive(Clone, Copy, Debug, Default)]
struct ParagraphStyle {
    /// Heading level, from 1.
    title: Option<u8>,
    /// Quotation depth.
    quote_depth: u8,
}

/// An open group.
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
            colors: Vec::new(),
            color: None,
            styles: HashMap::new(),
            style: (None, None, String::new()),
            links: Vec::new(),
            destination_text: String::new(),
            picture: Picture::default(),
            pending: Vec::new(),
            high: None,
            skip: 0,
            new_group: None,
            size: paper::A4,
            pages: Vec::new(),
            header: Vec::new(),
            footer: Vec::new(),
            notes: Vec::new(),
            bookmarks: HashMap::new(),
            count: 0,
            pictures: Pictures::default(),
            losses: Losses::of_page(1),
            metadata: Metadata::default(),
        }
    }

    /// Handles a token; returns `false` after the end of the document.
    pub(super) fn take(&mut self, token: Token<'_>) -> Result<bool> {
        let new_group = self.new_group.take();
        match token {
            Token::Open => self.open()?,
            Token::Close => return self.close(),
            Token::Symbol(b'*') => self.new_group = new_group.map(|_| true),
            Token::Word(word, number) => self.word(word, number, new_group)?,
            Token::Symbol(symbol) => self.symbol(symbol),
            Token::Byte(byte) => self.byte(byte),
            Token::Text(text) => self.text(text),
            Token::Binary(bytes) => self.picture.binary(bytes),
        }
        Ok(true)
    }

    /// Finishes the document.
    pub(super) fn finish(mut self) -> Result<LoadedDocument> {
        while !self.groups.is_empty() {
            self.close()?;
        }
        self.flush();
        self.end_paragraph()?;
        self.break_page()?;
        let bookmarks = std::mem::take(&mut self.bookmarks);
        let page = |name: &str| bookmarks.get(name).copied();
        let (size, mut header, mut footer) = (self.size, self.header, self.footer);
        self.losses.page = 1;
        for blocks in [&mut header, &mut footer] {
            link::resolve_anchors(blocks, page, &mut self.losses);
        }
        let mut leaves = std::collections::VecDeque::new();
        for (mut blocks, number) in self.pages.into_iter().zip(1..) {
            self.losses.page = number;
            link::resolve_anchors(&mut blocks, page, &mut self.losses);
            self.budget
                .spend(flow::weight(&header) + flow::weight(&footer))?;
            let (header, footer) = (header.clone(), footer.clone());
            leaves.push_back(UnnumberedPage {
                size,
                header,
                blocks,
                footer,
                ..UnnumberedPage::default()
            });
        }
        if leaves.is_empty() {
            leaves.push_back(UnnumberedPage {
                size,
                header,
                blocks: Vec::new(),
                footer,
                ..UnnumberedPage::default()
            });
        }
        Ok(LoadedDocument {
            leaves,
            pictures: self.pictures,
            metadata: self.metadata,
            warnings: self.losses.all(),
        })
    }

    fn open(&mut self) -> Result {
        self.flush();
        self.budget.spend(1)?;
        self.budget.check_depth(self.groups.len() + 1)?;
        self.groups.push(Group {
            before: self.state.clone(),
            destination: None,
        });
        self.new_group = Some(false);
        self.skip = 0;
        Ok(())
    }

    fn close(&mut self) -> Result<bool> {
        self.flush();
        self.skip = 0;
        let Some(group) = self.groups.pop() else {
            return Err(MarkupError::Corrupt("it has an unmatched closing brace"));
        };
        match group.destination {
            Some(Destination::Text(purpose)) => self.end_text(purpose),
            Some(Destination::Story(kind)) => self.end_story(kind)?,
            Some(Destination::Field) => {
                if let Some((Some(_), linked)) = self.links.pop() {
                    linked.end(&mut self.losses);
                }
            }
            Some(Destination::Result) | None => {}
        }
        self.state = group.before;
        Ok(!self.groups.is_empty())
    }

    fn word(&mut self, word: &str, number: Option<i32>, new_group: Option<bool>) -> Result {
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
        if word == "annotation" {
            self.losses.add(Loss::Comment);
        }
        if let Some(destination) = new_group.and_then(|_| destination::of(word)) {
            self.begin(destination);
            return Ok(());
        }
        if new_group == Some(true)
            && !matches!(word, "cs" | "ts" | "pn" | "nesttableprops" | "shpinst")
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
                    self.destination_text.clear();
                }
            }
            Destination::Story(_) => {
                self.inner.push(Story::default());
                self.state.purpose = Purpose::Body;
                self.state.paragraph = super::state::Paragraph::default();
            }
            Destination::Field => self.links.push((None, Linked::default())),
            Destination::Result => self.state.purpose = Purpose::Body,
        }
        if let Some(group) = self.groups.last_mut() {
            group.destination = Some(destination);
        }
    }

    fn control(&mut self, word: &str, number: i32, parameter: Option<i32>) -> Result {
        match self.state.purpose {
            Purpose::Fonts => self.fonts.word(word, number),
            Purpose::Colors => self.color(word, number),
            Purpose::Styles => self.style(word, number),
            Purpose::Picture => self.picture.word(word),
            Purpose::Body => return self.body(word, number, parameter),
            Purpose::Marker if word == "f" => self.font(number),
            _ => {
                if let Some(text) = words::character(word) {
                    self.push(text);
                }
            }
        }
        Ok(())
    }

    fn body(&mut self, word: &str, number: i32, parameter: Option<i32>) -> Result {
        if words::apply(&mut self.state, word, parameter) {
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
                let color = usize::try_from(number)
                    .ok()
                    .and_then(|number| self.colors.get(number));
                self.state.text_style.color = Some(color.copied().flatten());
            }
            "uc" => self.state.fallback_length = usize::try_from(number).unwrap_or(1).min(16),
            "ansicpg" => self.encoding = fonts::of_page(number).unwrap_or(WINDOWS_1252),
            "mac" => self.encoding = encoding_rs::MACINTOSH,
            "paperw" | "pgwsxn" if number > 20 => self.size.width = number as f32 / 20.0,
            "paperh" | "pghsxn" if number > 20 => self.size.height = number as f32 / 20.0,
            "chftn" if self.inner.is_empty() => self.reference_note(),
            _ => match words::character(word) {
                Some(text) => self.push(text),
                None => self.story().definition.word(word, number),
            },
        }
        Ok(())
    }

    fn reference_note(&mut self) {
        self.count += 1;
        let (label, style) = (self.count.to_string(), self.state.text_style.style());
        self.story().line.push_reference(&label, &style);
    }

    fn font(&mut self, number: i32) {
        self.state.font = number;
        self.state.text_style.font = self.fonts.get(number).map(|font| font.name.clone());
    }

    fn color(&mut self, word: &str, number: i32) {
        let value = u8::try_from(number.clamp(0, 255)).unwrap_or(0);
        let [red, green, blue] = self.color.get_or_insert_default();
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

    /// The link at this position, and whether it has text or pictures.
    fn link(&mut self) -> Option<(&String, &mut Linked)> {
        let mut links = self.links.iter_mut().rev();
        links.find_map(|(link, linked)| Some((link.as_ref()?, linked)))
    }

    fn story(&mut self) -> &mut Story {
        self.inner.last_mut().unwrap_or(&mut self.body)
    }
}
