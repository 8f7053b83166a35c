//! Keeps html5ever linear on hostile pages: it compares each attribute with all others of its tag, and walks the stack of open
//! elements for many tags.

use std::cell::Cell;

use html5ever::TokenizerResult;
use html5ever::buffer_queue::BufferQueue;
use html5ever::interface::Tracer;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::{TagKind, Token, TokenSink, TokenSinkResult, Tokenizer};
use html5ever::tree_builder::TreeBuilder;

use super::{Handle, Sink};

/// Maximum number of attributes of an element; further ones are dropped.
pub(super) const ATTRIBUTES: usize = 256;

/// Elements without child elements. The tokenizer must see their tags, because some of them switch it to raw text.
const CHILDLESS: [&str; 27] = [
    "area",
    "base",
    "basefont",
    "bgsound",
    "br",
    "col",
    "embed",
    "frame",
    "hr",
    "iframe",
    "image",
    "img",
    "input",
    "keygen",
    "link",
    "meta",
    "noembed",
    "noframes",
    "param",
    "plaintext",
    "script",
    "source",
    "style",
    "textarea",
    "title",
    "wbr",
    "xmp",
];

/// Elements that close an open element of their kind, so that they do not nest directly.
const REPLACING: [&str; 14] = [
    "caption", "colgroup", "dd", "dt", "li", "optgroup", "option", "p", "tbody", "td", "tfoot",
    "th", "thead", "tr",
];

/// Forwards tokens to the tree builder, except tags that would nest too deeply; their content joins the surrounding element.
pub(super) struct Guard<'a> {
    pub(super) builder: TreeBuilder<Handle, Sink<'a>>,
    deepest: usize,
    /// Number of elements that can be opened before the open elements must be counted again.
    room: Cell<usize>,
    /// Number of tokens.
    tokens: Cell<u64>,
}

impl<'a> Guard<'a> {
    pub(super) fn new(builder: TreeBuilder<Handle, Sink<'a>>, deepest: usize) -> Self {
        Self {
            builder,
            deepest,
            room: Cell::new(0),
            tokens: Cell::new(0),
        }
    }

    fn has_room(&self) -> bool {
        if self.room.get() == 0 {
            let open = Count::default();
            self.builder.trace_handles(&open);
            self.room.set(self.deepest.saturating_sub(open.0.get()));
        }
        let room = self.room.get();
        self.room.set(room.saturating_sub(1));
        room > 0
    }
}

/// Counts the open elements and the active formatting elements [HTML, 13.2.4.3].
#[derive(Default)]
struct Count(Cell<usize>);

impl Tracer for Count {
    type Handle = Handle;

    fn trace_handle(&self, _: &Handle) {
        self.0.set(self.0.get() + 1);
    }
}

impl TokenSink for Guard<'_> {
    type Handle = Handle;

    fn process_token(&self, token: Token, line: u64) -> TokenSinkResult<Handle> {
        if let Token::ParseError(_) = token {
            return TokenSinkResult::Continue;
        }
        self.tokens.set(self.tokens.get() + 1);
        let is_too_deep = match &token {
            Token::TagToken(tag) => {
                let name: &str = &tag.name;
                let nests = !CHILDLESS.contains(&name) && !REPLACING.contains(&name);
                tag.kind == TagKind::StartTag && nests && !self.has_room()
            }
            _ => false,
        };
        match is_too_deep || self.builder.sink.is_full() {
            true => TokenSinkResult::Continue,
            false => self.builder.process_token(token, line),
        }
    }

    fn end(&self) {
        self.builder.end();
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.builder
            .adjusted_current_node_present_but_not_in_html_namespace()
    }
}

/// A sink that counts its tokens.
pub(crate) trait CountsTokens: TokenSink {
    /// Returns the number of tokens so far.
    fn tokens(&self) -> u64;
}

impl CountsTokens for Guard<'_> {
    fn tokens(&self) -> u64 {
        self.tokens.get()
    }
}

/// Feeds a page to the tokenizer in pieces and drops excess attributes.
pub(crate) struct Feed<'a> {
    rest: &'a str,
    input: BufferQueue,
    pending: Pending,
}

/// A construct that the tokenizer has begun but not emitted.
enum Pending {
    Nothing,
    Tag(Attributes),
    /// A comment or another declaration.
    Other,
}

impl Pending {
    /// Returns the construct that a piece starting with `<` begins.
    fn at(piece: &str) -> Self {
        match piece.as_bytes() {
            [b'<', first, ..] if first.is_ascii_alphabetic() => Self::Tag(Attributes::default()),
            [b'<', b'/', first, ..] if first.is_ascii_alphabetic() => {
                Self::Tag(Attributes::default())
            }
            [b'<', ..] => Self::Other,
            _ => Self::Nothing,
        }
    }
}

impl<'a> Feed<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            rest: text,
            input: BufferQueue::default(),
            pending: Pending::Nothing,
        }
    }

    /// Feeds the next piece; returns `false` if there is none.
    pub(crate) fn next<S: CountsTokens>(&mut self, tokenizer: &Tokenizer<S>) -> bool {
        let end = match self.rest.strip_prefix('<') {
            Some(behind) => behind.find('<').map(|end| end + 1),
            None => self.rest.find('<'),
        };
        let piece = self
            .rest
            .get(..end.unwrap_or(self.rest.len()))
            .unwrap_or_default();
        if let Pending::Nothing = self.pending {
            self.pending = Pending::at(piece);
        }
        let excess = match &mut self.pending {
            Pending::Tag(attributes) => attributes.excess(piece),
            _ => None,
        };
        let (fed, _) = piece.split_at(excess.unwrap_or(piece.len()));
        self.rest = self.rest.get(fed.len()..).unwrap_or_default();
        let passed = self.feed(fed, tokenizer);
        match &mut self.pending {
            _ if passed => self.pending = Pending::Nothing,
            Pending::Tag(attributes) if excess.is_some() => {
                let end = attributes.end(self.rest);
                self.rest = self.rest.get(end..).unwrap_or_default();
            }
            _ => {}
        }
        !self.rest.is_empty()
    }

    /// Feeds text; returns `true` if the tokenizer emitted a token.
    fn feed<S: CountsTokens>(&mut self, text: &str, tokenizer: &Tokenizer<S>) -> bool {
        let before = tokenizer.sink.tokens();
        self.input.push_back(StrTendril::from_slice(text));
        while !matches!(tokenizer.feed(&self.input), TokenizerResult::Done) {}
        tokenizer.sink.tokens() != before
    }
}

/// Tracks the attributes of a tag [HTML, 13.2.5.32 to 39].
#[derive(Default)]
struct Attributes {
    state: State,
    count: usize,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Begun,
    TagName,
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    Quoted(u8),
    Unquoted,
    End,
}

impl Attributes {
    /// Returns the position in the next piece of the tag where the first excess attribute begins.
    fn excess(&mut self, piece: &str) -> Option<usize> {
        piece.bytes().position(|byte| {
            self.step(byte);
            self.count > ATTRIBUTES && self.state != State::End
        })
    }

    /// Returns the position in the rest of the page where the tag ends.
    fn end(&mut self, rest: &str) -> usize {
        let end = rest.bytes().skip(1).position(|byte| {
            self.step(byte);
            self.state == State::End
        });
        end.map_or(rest.len(), |end| end + 1)
    }

    fn step(&mut self, byte: u8) {
        let begins = matches!(self.state, State::BeforeName | State::AfterName);
        self.state = match (self.state, byte) {
            (State::End, _) => State::End,
            (State::Begun, b'<' | b'/') => State::Begun,
            (State::Begun, _) => State::TagName,
            (State::Quoted(quote), _) if byte == quote => State::BeforeName,
            (State::Quoted(quote), _) => State::Quoted(quote),
            (_, b'>') => State::End,
            (State::BeforeValue, b'"' | b'\'') => State::Quoted(byte),
            (State::BeforeValue, _) if byte.is_ascii_whitespace() => State::BeforeValue,
            (State::Unquoted, _) if byte.is_ascii_whitespace() => State::BeforeName,
            (State::BeforeValue | State::Unquoted, _) => State::Unquoted,
            (State::Name | State::AfterName, b'=') => State::BeforeValue,
            (State::Name | State::AfterName, _) if byte.is_ascii_whitespace() => State::AfterName,
            (_, b'/') => State::BeforeName,
            (State::TagName | State::BeforeName, _) if byte.is_ascii_whitespace() => {
                State::BeforeName
            }
            (State::TagName, _) => State::TagName,
            _ => State::Name,
        };
        self.count += usize::from(begins && self.state == State::Name);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_counted_as_the_tokenizer_does() {
        let count = |tag: &str| {
            let mut attributes = Attributes::default();
            attributes.excess(tag);
            attributes.count
        };
        for (tag, expected) in [
            ("<p>a b c", 0),
            ("<p a b=c d='e f' g=\"h > i\">j", 4),
            ("<p/a/b =c = d>", 4),
            ("<p ='a b c' \"d e\">", 5),
            ("<p a='b'c=d/e>", 2),
            ("</p a>", 1),
        ] {
            assert_eq!(count(tag), expected, "{tag}");
        }
    }
}
