//! Reads tokens into stories.

use std::collections::HashMap;

use encoding_rs::{Encoding, WINDOWS_1252};
use layout::{Block, Content, Size};

use super::destination::{self, Destination, Kind};
use super::fonts::{self, Fonts};
use super::lexer::Token;
use super::picture::Picture;
use super::state::{Purpose, State};
use super::story::Story;
use super::words;
use crate::error::{MarkupError, Outcome};
use crate::flow;
use crate::instruction;
use crate::limits::Budget;
use crate::paper;
use crate::pictures::Pictures;
use crate::reader::{Bound, Facts, Leaf};
use crate::symbols;
use crate::warning::{Loss, Losses};

/// A document that is being read.
pub(super) struct Reader {
    budget: Budget,
    groups: Vec<Group>,
    state: State,
    stories: Vec<Story>,
    encoding: &'static Encoding,
    fonts: Fonts,
    colours: Vec<Option<[u8; 3]>>,
    colour: Option<[u8; 3]>,
    /// Levels of titles by the numbers of styles.
    titles: HashMap<i32, u8>,
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
    facts: Facts,
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
            stories: vec![Story::default()],
            encoding: WINDOWS_1252,
            fonts: Fonts::default(),
            colours: Vec::new(),
            colour: None,
            titles: HashMap::new(),
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
            facts: Facts::default(),
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
            lead(&mut blocks, &bookmarks);
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
                self.stories.push(Story::default());
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

    fn end_text(&mut self, purpose: Purpose) {
        let text = match purpose {
            Purpose::Body | Purpose::Nothing => return,
            _ => std::mem::take(&mut self.aside),
        };
        match purpose {
            Purpose::Title => {
                self.facts.title = Some(text.trim().to_owned()).filter(|text| !text.is_empty())
            }
            Purpose::Marker => self.story().marker = text,
            Purpose::Instruction => self.end_instruction(&text),
            Purpose::Bookmark => {
                let page = self.pages.len() + 1;
                self.bookmarks.entry(text.trim().to_owned()).or_insert(page);
            }
            Purpose::Picture => self.end_picture(),
            _ => {}
        }
    }

    fn end_instruction(&mut self, text: &str) {
        if instruction::fetches(text) {
            self.losses.add(Loss::ExternalLinkBlocked);
        }
        if let Some(link) = self.links.last_mut() {
            *link = instruction::link(text);
        }
    }

    fn end_picture(&mut self) {
        match std::mem::take(&mut self.picture).finish() {
            Some(bytes) => {
                let image = self.pictures.held(bytes);
                let content = Content::Image {
                    image,
                    alternative: None,
                };
                self.story().beside.push(Block {
                    bounds: None,
                    content,
                });
            }
            None => self.losses.add(Loss::Object),
        }
    }

    fn end_story(&mut self, kind: Kind) -> Outcome {
        self.end_paragraph()?;
        let Some(mut story) = self.stories.pop() else {
            return Ok(());
        };
        let blocks = story.take(&self.budget)?;
        match kind {
            Kind::Header => self.header.extend(blocks),
            Kind::Footer => self.footer.extend(blocks),
            Kind::Box => self.story().beside.extend(blocks),
            Kind::Note => {
                let content = Content::Footnote {
                    label: self.count.to_string(),
                    runs: flow::runs(blocks),
                };
                self.notes.push(Block {
                    bounds: None,
                    content,
                });
            }
        }
        Ok(())
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
            "page" if self.stories.len() == 1 => self.page()?,
            "sect" if self.stories.len() == 1 => {
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
            "chftn" if self.stories.len() == 1 => self.refer(),
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

    /// Ends a style of the table of styles.
    fn end_style(&mut self) {
        let (number, outline, name) = std::mem::take(&mut self.style);
        let by_name = crate::docx::title_level(&name);
        let level = outline
            .filter(|level| *level < 9)
            .map(|level| level + 1)
            .or(by_name);
        if let (Some(number), Some(level)) = (number.or(Some(0)), level) {
            self.titles.insert(number, level);
        }
    }

    fn end_paragraph(&mut self) -> Outcome {
        self.flush();
        let paragraph = self.state.paragraph.clone();
        if paragraph.breaks_before
            && self.stories.len() == 1
            && paragraph.tables == 0
            && !self.story().line.is_blank()
        {
            let line = std::mem::take(&mut self.story().line);
            self.break_page()?;
            self.story().line = line;
        }
        let direct = paragraph
            .outline
            .filter(|level| *level < 9)
            .map(|level| level + 1);
        let styled = paragraph
            .style
            .and_then(|style| self.titles.get(&style))
            .copied();
        let outline = direct.or(if paragraph.outline.is_some() {
            None
        } else {
            styled
        });
        let budget = &self.budget;
        budget.spend(1)?;
        match self.stories.last_mut() {
            Some(story) => story.end_paragraph(&paragraph, outline, budget),
            None => Ok(()),
        }
    }

    fn end_cell(&mut self, depth: usize) -> Outcome {
        self.state.paragraph.tables = depth;
        self.end_paragraph()?;
        match self.stories.last_mut() {
            Some(story) => story.end_cell(depth, &self.budget),
            None => Ok(()),
        }
    }

    fn end_row(&mut self, depth: usize) -> Outcome {
        match self.stories.last_mut() {
            Some(story) => story.end_row(depth, &self.budget),
            None => Ok(()),
        }
    }

    /// A page begins within a paragraph.
    fn page(&mut self) -> Outcome {
        if self.state.paragraph.tables > 0
            || !self.story().is_outside() && self.state.paragraph.tables > 0
        {
            return Ok(());
        }
        let said = !self.story().line.is_blank();
        self.end_paragraph()?;
        self.break_page()?;
        self.story().goes_on = said;
        Ok(())
    }

    fn break_page(&mut self) -> Outcome {
        let Some(story) = self.stories.first_mut() else {
            return Ok(());
        };
        let mut blocks = story.take(&self.budget)?;
        blocks.append(&mut self.notes);
        if !blocks.is_empty() {
            self.pages.push(blocks);
            self.losses.page = self.pages.len() as u32 + 1;
        }
        Ok(())
    }

    fn symbol(&mut self, symbol: u8) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        if !matches!(symbol, b'\\' | b'{' | b'}') {
            self.flush();
        }
        match symbol {
            b'~' => self.push("\u{a0}"),
            b'_' => self.push("\u{2011}"),
            b'\\' | b'{' | b'}' => self.pending.push(symbol),
            // An end of line behind a backslash ends a line here, where others end a paragraph.
            b'\n' | b'\r' if self.state.purpose == Purpose::Body => self.push("\n"),
            _ => {}
        }
    }

    fn byte(&mut self, byte: u8) {
        match self.skip {
            0 => self.pending.push(byte),
            _ => self.skip -= 1,
        }
    }

    fn text(&mut self, text: &[u8]) {
        let skipped = self.skip.min(text.len());
        self.skip -= skipped;
        let text = text.get(skipped..).unwrap_or_default();
        match self.state.purpose {
            Purpose::Nothing => {}
            Purpose::Picture => self.picture.text(text),
            _ => self.pending.extend_from_slice(text),
        }
    }

    fn unicode(&mut self, number: i32) {
        self.flush();
        self.skip = self.state.stand_ins;
        let unit = (number & 0xffff) as u16;
        if (0xd800..0xdc00).contains(&unit) {
            self.high = Some(unit);
            return;
        }
        let units = self.high.take().into_iter().chain([unit]);
        let text: String = char::decode_utf16(units)
            .map(|unit| unit.unwrap_or('\u{fffd}'))
            .collect();
        self.push(&text);
    }

    /// Decodes what was read byte by byte.
    fn flush(&mut self) {
        if self.pending.is_empty() {
            return;
        }
        let bytes = std::mem::take(&mut self.pending);
        let font = self.fonts.get(self.state.font);
        let encoding = font.and_then(|font| font.encoding).unwrap_or(self.encoding);
        let (text, _) = encoding.decode_without_bom_handling(&bytes);
        self.push(&text);
    }

    fn push(&mut self, text: &str) {
        match self.state.purpose {
            Purpose::Nothing | Purpose::Picture => {}
            Purpose::Fonts => self.fonts.text(text),
            Purpose::Colours => {
                for _ in text.matches(';') {
                    let colour = self.colour.take();
                    self.colours.push(colour);
                }
            }
            Purpose::Styles => {
                let (name, ends) = (text.trim_end_matches(';'), text.ends_with(';'));
                self.style.2.push_str(name);
                if ends {
                    self.end_style();
                }
            }
            Purpose::Body => self.say(text),
            Purpose::Title | Purpose::Marker | Purpose::Instruction | Purpose::Bookmark => {
                let shown = self.shown(text);
                self.aside.push_str(&shown);
            }
        }
    }

    fn say(&mut self, text: &str) {
        if self.groups.is_empty() || self.state.deleted {
            return;
        }
        if self.state.look.hidden == Some(true) {
            self.losses.add(Loss::Hidden);
            return;
        }
        let text = self.state.look.shown(&self.shown(text));
        let style = self.state.look.style();
        let link = self.links.iter().rev().find_map(Clone::clone);
        self.story().line.push(&text, &style, link.as_deref());
    }

    /// Text of fonts of signs as the signs.
    fn shown(&self, text: &str) -> String {
        let font = self.fonts.get(self.state.font);
        let name = font.map(|font| font.name.as_str()).unwrap_or_default();
        let symbolic = font.is_some_and(|font| font.is_symbolic);
        let name = if symbolic && !name.to_ascii_lowercase().contains("dings") {
            "Symbol"
        } else {
            name
        };
        text.chars()
            .map(|character| symbols::shown(character, name))
            .collect()
    }

    fn story(&mut self) -> &mut Story {
        if self.stories.is_empty() {
            self.stories.push(Story::default());
        }
        let last = self.stories.len() - 1;
        #[expect(clippy::indexing_slicing, reason = "there is always one")]
        &mut self.stories[last]
    }
}

/// Makes links to bookmarks lead to pages; those that lead nowhere are gone.
fn lead(blocks: &mut [Block], bookmarks: &HashMap<String, usize>) {
    flow::each_run(blocks, &mut |run| {
        if let Some(name) = run.link.as_deref().and_then(|link| link.strip_prefix('#')) {
            run.link = bookmarks.get(name).map(|page| format!("#page={page}"));
        }
    });
}
