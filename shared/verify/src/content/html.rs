//! Reads the text of HTML that is not hidden by attributes, from the tokens of html5ever.

mod select;

use std::cell::RefCell;
use std::path::Path;

use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    BufferQueue, Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use self::select::Select;
use super::item::{Item, Place, Take, Unreadable};
use super::scope::Scope;
use super::tables::Tables;
use super::text::read_text;

/// Calls `take` with the items of a page.
pub(super) fn read(path: &Path, scope: Scope, take: Take<'_>) -> Result<(), Unreadable> {
    read_markup(&read_text(path)?, scope, take);
    Ok(())
}

/// Calls `take` with the items of markup.
pub(super) fn read_markup(text: &str, scope: Scope, take: Take<'_>) {
    read_page(text, scope, Syntax::Html, take);
}

/// Calls `take` with the items of a chapter of a book.
pub(super) fn read_chapter(text: &str, scope: Scope, take: Take<'_>) {
    read_page(text, scope, Syntax::Xml, take);
}

/// Calls `take` with the items of a page in which frames are not shown.
pub(super) fn read_framed(text: &str, scope: Scope, take: Take<'_>) {
    read_page(text, scope, Syntax::Framed, take);
}

/// How a page is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Syntax {
    Html,
    /// The page of a frame.
    Framed,
    /// Any element may be empty.
    Xml,
}

fn read_page(text: &str, scope: Scope, syntax: Syntax, take: Take<'_>) {
    let sink = TextSink(RefCell::new(TextState {
        take,
        scope,
        syntax,
        tables: Tables::default(),
        is_caption: false,
        hidden: Vec::new(),
        select: None,
        drawings: 0,
    }));
    let tokenizer = Tokenizer::new(sink, TokenizerOpts::default());
    let input = BufferQueue::default();
    input.push_back(StrTendril::from_slice(text));
    // It would pause only for a script that the sink wants to run.
    drop(tokenizer.feed(&input));
    tokenizer.end();
}

/// Elements without visible text.
const INVISIBLE: [&str; 19] = [
    "head", "script", "style", "noscript", "desc", "datalist", "option", "metadata", "iframe",
    "audio", "video", "canvas", "math", "title", "noembed", "noframes", "rp", "progress", "meter",
];

/// Types of inputs that do not show their value.
const WITHOUT_VALUE: [&str; 8] = [
    "hidden", "password", "file", "image", "radio", "checkbox", "range", "color",
];

/// Elements without an end tag.
const VOID: [&str; 14] = [
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

/// Elements within a line.
const INLINE: [&str; 24] = [
    "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "del", "em", "font", "i", "ins", "kbd",
    "mark", "q", "s", "samp", "small", "span", "strong", "sub", "sup", "u",
];

struct TextSink<'a>(RefCell<TextState<'a>>);

struct TextState<'a> {
    take: Take<'a>,
    scope: Scope,
    syntax: Syntax,
    tables: Tables,
    /// Whether the text is that of a caption, which is not in a cell.
    is_caption: bool,
    /// Names of the open elements from the outermost hidden one on.
    hidden: Vec<String>,
    /// The open list of options.
    select: Option<Select>,
    /// Number of open SVG drawings.
    drawings: usize,
}

/// Maximum number of open elements within a hidden one.
const MAX_HIDDEN: usize = 1_000;

impl TokenSink for TextSink<'_> {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        let mut state = self.0.borrow_mut();
        match token {
            Token::TagToken(tag) => return state.tag(&tag),
            Token::CharacterTokens(text) => state.text(&text),
            Token::EOFToken => state.end_select(),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

/// Elements that the start tag of another one of them closes, if they are not closed before.
const CLOSED_BY_SIBLING: [&str; 9] = [
    "p", "li", "td", "th", "tr", "dt", "dd", "option", "optgroup",
];

/// Elements that the head of a page may contain.
const IN_HEAD: [&str; 9] = [
    "base", "link", "meta", "noscript", "script", "style", "template", "title", "head",
];

impl TextState<'_> {
    /// Closes hidden elements whose end tag is omitted before this start tag.
    fn close_implied(&mut self, name: &str) {
        let is_head = self.hidden.first().is_some_and(|open| open == "head");
        if is_head && !IN_HEAD.contains(&name) {
            self.hidden.clear();
        }
        let last = self.hidden.last().map(String::as_str);
        if self.hidden.len() == 1
            && last.is_some_and(|last| CLOSED_BY_SIBLING.contains(&last))
            && CLOSED_BY_SIBLING.contains(&name)
        {
            self.hidden.clear();
        }
    }

    fn is_visible(&self) -> bool {
        let is_in_cell = self.tables.are_open() && !self.is_caption;
        self.hidden.is_empty() && (!self.scope.tables_only || is_in_cell)
    }

    fn text(&mut self, text: &str) {
        if let Some(select) = self.select.as_mut() {
            select.text(text);
        } else if self.is_visible() {
            if !text.trim().is_empty() {
                self.tables.begin_paragraph();
            }
            if self.tables.add_text(text) && !self.scope.is_result {
                (self.take)(Item::Table, Place::default());
            }
            (self.take)(Item::Text(text), Place::default());
        }
    }

    /// Takes text as words of their own.
    fn words(&mut self, text: &str) {
        self.text(text);
        (self.take)(Item::Break, Place::default());
    }

    fn end_select(&mut self) {
        let select = self.select.take().unwrap_or_default();
        select.shown().for_each(|option| self.words(option));
    }

    /// Takes the alternative text of an image of a result: that of a figure has the words in it.
    fn alternative(&mut self, words: &str) {
        if self.scope.is_result && !words.is_empty() {
            (self.take)(Item::Alternative(words), Place::default());
        }
    }

    /// Reads what an element shows that is not its content.
    fn embedded(&mut self, tag: &Tag) {
        let value = |name| attribute(tag, name).unwrap_or_default();
        match &*tag.name {
            "img" if is_embedded(tag) => {
                (self.take)(Item::Image, Place::default());
                self.alternative(value("alt"));
            }
            "svg" if self.scope.is_result => self.alternative(value("aria-label")),
            // A drawing is an image that a result by structure leaves out.
            "svg" if self.drawings == 0 && !self.scope.is_result => {
                (self.take)(Item::Image, Place::default());
            }
            "input" => {
                let input_type = value("type").to_ascii_lowercase();
                if !WITHOUT_VALUE.contains(&&*input_type) {
                    self.words(value("value"));
                }
            }
            "select" => self.select = Some(Select::default()),
            "iframe" if self.syntax == Syntax::Html => {
                let scope = Scope {
                    tables_only: !self.is_visible(),
                    ..self.scope
                };
                read_page(value("srcdoc"), scope, Syntax::Framed, self.take);
            }
            _ => {}
        }
    }

    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        if let Some(select) = self.select.as_mut() {
            if !select.tag(tag) {
                return raw_text(tag);
            }
            self.end_select();
            // A list within a list ends it.
            if name == "select" {
                return TokenSinkResult::Continue;
            }
        }
        if !INLINE.contains(&name) && self.hidden.is_empty() {
            (self.take)(Item::Break, Place::default());
        }
        match (tag.kind, name) {
            // Our own HTML embeds an image once and refers to it.
            (TagKind::StartTag, "image" | "use") if self.scope.is_result => {
                (self.take)(Item::Image, Place::default())
            }
            (TagKind::StartTag, "li") => (self.take)(Item::Marker, Place::default()),
            (kind, "caption") => self.is_caption = kind == TagKind::StartTag,
            // The end tag of a caption may be omitted.
            (TagKind::StartTag, "tr" | "td" | "th" | "thead" | "tbody" | "tfoot" | "colgroup") => {
                self.is_caption = false;
                if matches!(name, "td" | "th") {
                    self.tables.begin_cell();
                }
            }
            (TagKind::StartTag, "table") => {
                self.tables.begin();
                if self.scope.is_result && self.tables.is_outermost() {
                    (self.take)(Item::Table, Place::default());
                }
                (self.take)(Item::Aside(self.scope.mixes_cells), Place::default());
            }
            (TagKind::EndTag, "table") => {
                self.tables.end();
                self.is_caption = false;
                let is_inside = self.scope.mixes_cells && self.tables.are_open();
                (self.take)(Item::Aside(is_inside), Place::default());
            }
            _ => {}
        }
        if tag.kind == TagKind::StartTag {
            self.close_implied(name);
            if self.hidden.is_empty() && !is_hidden(tag) {
                self.embedded(tag);
            }
        }
        let is_void = VOID.contains(&name) || tag.self_closing;
        match tag.kind {
            TagKind::EndTag if name == "svg" => self.drawings = self.drawings.saturating_sub(1),
            TagKind::StartTag if name == "svg" && !is_void => self.drawings += 1,
            _ => {}
        }
        match tag.kind {
            TagKind::StartTag if !is_void => {
                if (is_hidden(tag) || is_invisible(tag) || !self.hidden.is_empty())
                    && self.hidden.len() < MAX_HIDDEN
                {
                    self.hidden.push(name.to_owned());
                }
            }
            TagKind::StartTag => {}
            TagKind::EndTag => {
                if let Some(index) = self.hidden.iter().rposition(|open| open == name) {
                    self.hidden.truncate(index);
                }
            }
        }
        match self.syntax {
            Syntax::Xml if tag.self_closing => TokenSinkResult::Continue,
            _ => raw_text(tag),
        }
    }
}

/// How the text after a tag is read.
fn raw_text(tag: &Tag) -> TokenSinkResult<()> {
    match (tag.kind, &*tag.name) {
        (TagKind::StartTag, "script") => TokenSinkResult::RawData(RawKind::ScriptData),
        (TagKind::StartTag, "style" | "iframe" | "noscript") => {
            TokenSinkResult::RawData(RawKind::Rawtext)
        }
        (TagKind::StartTag, "textarea" | "title") => TokenSinkResult::RawData(RawKind::Rcdata),
        (TagKind::StartTag, "plaintext") => TokenSinkResult::Plaintext,
        _ => TokenSinkResult::Continue,
    }
}

/// Whether an element does not show its content.
fn is_invisible(tag: &Tag) -> bool {
    match &*tag.name {
        // A root of a shadow tree is shown in its host.
        "template" => attribute(tag, "shadowrootmode").is_none(),
        "dialog" => attribute(tag, "open").is_none(),
        name => INVISIBLE.contains(&name),
    }
}

/// The value of an attribute.
fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    let mut attributes = tag.attrs.iter();
    let found = attributes.find(|attribute| &*attribute.name.local == name)?;
    Some(&found.value)
}

/// Whether an attribute hides the element.
fn is_hidden(tag: &Tag) -> bool {
    tag.attrs
        .iter()
        .any(|attribute| match &*attribute.name.local {
            "hidden" => &*attribute.value != "until-found",
            "aria-hidden" => &*tag.name == "svg" && &*attribute.value == "true",
            "style" => {
                let style: String = attribute.value.split_whitespace().collect();
                let style = style.to_ascii_lowercase();
                let hides = ["display:none", "visibility:hidden", "visibility:collapse"];
                hides.iter().any(|hides| style.contains(hides))
            }
            _ => false,
        })
}

/// Whether the data of an image is in its URL.
fn is_embedded(tag: &Tag) -> bool {
    let source = attribute(tag, "src").unwrap_or_default();
    let head = source.trim_start().get(..11).unwrap_or_default();
    head.eq_ignore_ascii_case("data:image/")
}

#[cfg(test)]
mod tests;
