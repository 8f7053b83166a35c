//! Rewrites HTML from another file, such as a chapter of a book, as part of an HTML page: without scripts, style sheets and remote
//! resources. Chapters are XML, but many are not well-formed, so they are read by the tokenizer of HTML, which reports empty
//! elements.

mod style;

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{
    Tag, TagKind, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts,
};

use crate::error::{MarkupError, Result};
use crate::html::{CountsTokens, Feed};
use crate::warning::{Loss, Losses};

/// Elements that are left out with their content.
const LEFT_OUT: [&str; 10] = [
    "head", "title", "script", "style", "template", "iframe", "audio", "video", "canvas", "noembed",
];
/// Elements that a head may contain; others end it.
const IN_HEAD: [&str; 11] = [
    "base", "head", "html", "link", "meta", "noscript", "object", "script", "style", "template",
    "title",
];
/// Elements of which only the content is kept.
const TRANSPARENT: [&str; 8] = [
    "html",
    "body",
    "object",
    "form",
    "noscript",
    "frameset",
    "main",
    "plaintext",
];
/// Elements that are left out and have no content.
const EMPTY: [&str; 7] = ["base", "embed", "frame", "link", "meta", "param", "source"];
/// Elements without an end tag.
const VOID: [&str; 8] = ["area", "br", "col", "hr", "img", "input", "track", "wbr"];
/// Schemes of links that are kept.
const SCHEMES: [&str; 4] = ["http:", "https:", "mailto:", "tel:"];
/// Attributes that are left out, because they load resources, run scripts or refer to style sheets.
const ATTRIBUTES: [&str; 13] = [
    "action",
    "background",
    "class",
    "data",
    "formaction",
    "href",
    "ping",
    "poster",
    "src",
    "srcdoc",
    "srcset",
    "style",
    "xlink:href",
];

/// Where the links and images of a fragment lead.
pub(crate) trait Resolver {
    /// The name in the page of a place in the fragment; of its start, if `place` is empty.
    fn place(&self, place: &str) -> String;
    /// The target in the page of a link to another file; `None` if it leads out of the page other than to the web.
    fn target(&self, link: &str) -> Option<String>;
    /// The URL of an image in the source; `None` if the source does not contain it.
    fn image(&mut self, source: &str) -> Result<Option<String>>;
}

/// How a fragment is rewritten.
#[derive(Clone, Copy)]
pub(crate) struct Rules {
    /// Maximum nesting depth.
    pub(crate) depth: usize,
    /// Whether inline styles are kept, except for those that load something or leave the fragment.
    pub(crate) keeps_styles: bool,
}

/// Returns HTML as part of a page.
pub(crate) fn rewritten(
    text: &str,
    rules: Rules,
    resolver: &mut dyn Resolver,
    losses: &mut Losses,
) -> Result<String> {
    let state = RefCell::new(State {
        rules,
        resolver,
        losses,
        html: String::with_capacity(text.len()),
        open: Vec::new(),
        left_out: None,
        drawing: None,
        error: None,
    });
    let tokens = Cell::new(0);
    let tokenizer = Tokenizer::new(Sink { state, tokens }, TokenizerOpts::default());
    let mut feed = Feed::new(text);
    while feed.next(&tokenizer) {}
    tokenizer.end();
    let state = tokenizer.sink.state.into_inner();
    match state.error {
        Some(error) => Err(error),
        None => Ok(state.html),
    }
}

/// The target of a link; `None` if it leads out of the page other than to the web.
fn target(resolver: &dyn Resolver, link: &str) -> Option<String> {
    let link = link.trim();
    if let Some(place) = link.strip_prefix('#') {
        return Some(format!("#{}", resolver.place(place)));
    }
    let scheme = link.split_once(':').map(|(scheme, _)| scheme);
    let is_absolute = scheme.is_some_and(|scheme| !scheme.contains(['/', '#', '?']));
    if is_absolute {
        let is_kept = SCHEMES.iter().any(|scheme| {
            let start = link.get(..scheme.len());
            start.is_some_and(|start| start.eq_ignore_ascii_case(scheme))
        });
        return is_kept.then(|| link.to_owned());
    }
    resolver.target(link)
}

struct Sink<'a> {
    state: RefCell<State<'a>>,
    tokens: Cell<u64>,
}

impl CountsTokens for Sink<'_> {
    fn tokens(&self) -> u64 {
        self.tokens.get()
    }
}

struct State<'a> {
    rules: Rules,
    resolver: &'a mut dyn Resolver,
    losses: &'a mut Losses,
    html: String,
    /// Names of the open elements.
    open: Vec<String>,
    /// The element that is left out with its content, and its depth in elements of its name.
    left_out: Option<(String, usize)>,
    drawing: Option<Drawing>,
    error: Option<MarkupError>,
}

/// An open SVG drawing.
struct Drawing {
    depth: usize,
    /// Where it begins in the page.
    start: usize,
    /// The images in it; if it has some, they replace it.
    images: String,
}

impl TokenSink for Sink<'_> {
    type Handle = ();

    fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
        self.tokens.set(self.tokens.get() + 1);
        let mut state = self.state.borrow_mut();
        match token {
            Token::TagToken(tag) => return state.tag(&tag),
            Token::CharacterTokens(text) if state.left_out.is_none() => {
                let escaped = escaped(&text);
                state.html.push_str(&escaped);
            }
            Token::EOFToken => {
                state.close_above(0);
                state.end_drawing();
            }
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

impl State<'_> {
    fn tag(&mut self, tag: &Tag) -> TokenSinkResult<()> {
        let name = &*tag.name;
        let has_content = tag.kind == TagKind::StartTag && !tag.self_closing;
        let is_in_head = self
            .left_out
            .as_ref()
            .is_some_and(|(name, _)| name == "head");
        if name == "body" || (is_in_head && !IN_HEAD.contains(&name)) {
            self.left_out = None;
        }
        if let Some((left_out, depth)) = &mut self.left_out {
            match (left_out == name, tag.kind) {
                (true, TagKind::StartTag) if has_content => *depth += 1,
                (true, TagKind::EndTag) => *depth -= 1,
                _ => {}
            }
            if *depth == 0 {
                self.left_out = None;
            }
        } else if LEFT_OUT.contains(&name) {
            if matches!(name, "iframe" | "audio" | "video") && tag.kind == TagKind::StartTag {
                self.losses.add(Loss::Object);
            }
            self.left_out = has_content.then(|| (name.to_owned(), 1));
        } else {
            match tag.kind {
                TagKind::StartTag => self.start(tag),
                TagKind::EndTag => self.end(name),
            }
        }
        match name {
            "script" if has_content => TokenSinkResult::RawData(RawKind::ScriptData),
            "style" | "iframe" | "noembed" if has_content => {
                TokenSinkResult::RawData(RawKind::Rawtext)
            }
            _ => TokenSinkResult::Continue,
        }
    }

    fn start(&mut self, tag: &Tag) {
        let name = &*tag.name;
        if EMPTY.contains(&name) || TRANSPARENT.contains(&name) {
            // Places stay.
            if let Some(id) = attribute(tag, "id").filter(|_| TRANSPARENT.contains(&name)) {
                let place = self.resolver.place(id);
                self.html
                    .push_str(&format!("<span id=\"{}\"></span>", escaped(&place)));
            }
            return;
        }
        match (name, &mut self.drawing) {
            ("svg", None) if !tag.self_closing => {
                self.drawing = Some(Drawing {
                    depth: 1,
                    start: self.html.len(),
                    images: String::new(),
                });
            }
            ("svg", Some(drawing)) if !tag.self_closing => drawing.depth += 1,
            ("image", Some(_)) => {
                let source = attribute(tag, "xlink:href").or_else(|| attribute(tag, "href"));
                let image = source.and_then(|source| self.image(source, ""));
                if let Some((image, drawing)) = image.zip(self.drawing.as_mut()) {
                    drawing.images.push_str(&image);
                }
                return;
            }
            ("img" | "image", None) => {
                let source = attribute(tag, "src").unwrap_or_default();
                let alternative = attribute(tag, "alt").unwrap_or_default();
                let image = self.image(source, alternative);
                let image = image.unwrap_or_else(|| escaped(alternative).into_owned());
                self.html.push_str(&image);
                return;
            }
            _ => {}
        }
        let is_void = VOID.contains(&name);
        if !is_void && !tag.self_closing && self.open.len() >= self.rules.depth {
            return;
        }
        self.html.push('<');
        self.html.push_str(name);
        self.attributes(tag);
        self.html.push('>');
        match tag.self_closing {
            _ if is_void => {}
            true => self.html.push_str(&format!("</{name}>")),
            false => self.open.push(name.to_owned()),
        }
    }

    fn end(&mut self, name: &str) {
        if let Some(index) = self.open.iter().rposition(|open| open == name) {
            self.close_above(index);
        }
        let Some(drawing) = self.drawing.as_mut().filter(|_| name == "svg") else {
            return;
        };
        drawing.depth = drawing.depth.saturating_sub(1);
        if drawing.depth == 0 {
            self.end_drawing();
        }
    }

    /// Ends the open drawing, and replaces it by its images, if it has some.
    fn end_drawing(&mut self) {
        if let Some(drawing) = self.drawing.take()
            && !drawing.images.is_empty()
        {
            self.html.truncate(drawing.start);
            self.html.push_str(&drawing.images);
        }
    }

    /// Closes all elements but the outermost `kept`.
    fn close_above(&mut self, kept: usize) {
        for name in self.open.drain(kept.min(self.open.len())..).rev() {
            self.html.push_str(&format!("</{name}>"));
        }
    }

    fn attributes(&mut self, tag: &Tag) {
        let is_drawing = self.drawing.is_some();
        for attribute in &tag.attrs {
            let (name, value) = (&*attribute.name.local, &*attribute.value);
            let is_left_out = name.starts_with("on")
                || name.starts_with("xmlns")
                || name.starts_with("epub:")
                || (ATTRIBUTES.contains(&name) && !(is_drawing && is_local(name, value)));
            let own = match name {
                "style" if hides(value) => Some(("hidden", Cow::Borrowed(""))),
                "style" if self.rules.keeps_styles && !is_drawing => {
                    let (kept, blocks) = style::kept(value);
                    if blocks {
                        self.losses.add(Loss::ExternalLinkBlocked);
                    }
                    (!kept.is_empty()).then_some(("style", Cow::Owned(kept)))
                }
                "href" if !is_drawing => {
                    let target = target(self.resolver, value);
                    if target.is_none() && &*tag.name == "a" {
                        self.losses.add(Loss::Link);
                    }
                    target.map(|target| ("href", Cow::Owned(target)))
                }
                "id" | "name" if !is_drawing => {
                    let place = self.resolver.place(value);
                    Some((name, Cow::Owned(place)))
                }
                "xml:lang" => Some(("lang", Cow::Borrowed(value))),
                _ if is_left_out => None,
                _ => Some((name, Cow::Borrowed(value))),
            };
            if let Some((name, value)) = own {
                self.html
                    .push_str(&format!(" {name}=\"{}\"", escaped(&value)));
            }
        }
    }

    /// Returns an image element; `None` if the source does not contain the image, or it is remote.
    fn image(&mut self, source: &str, alternative: &str) -> Option<String> {
        let source = source.trim();
        let is_data = source.starts_with("data:image/");
        if !is_data && (source.contains("://") || source.starts_with("//")) {
            self.losses.add(Loss::ExternalLinkBlocked);
            return None;
        }
        let url = match is_data {
            true => Some(source.to_owned()),
            false => self.resolver.image(source).unwrap_or_else(|error| {
                self.error.get_or_insert(error);
                None
            }),
        };
        if url.is_none() {
            self.losses.add(Loss::PictureMissing);
        }
        let (url, alternative) = (url?, escaped(alternative));
        Some(format!(
            "<img src=\"{}\" alt=\"{alternative}\">",
            escaped(&url)
        ))
    }
}

/// Whether an attribute of a drawing refers to nothing outside it.
fn is_local(name: &str, value: &str) -> bool {
    value.starts_with('#') || (name == "style" && !value.to_ascii_lowercase().contains("url("))
}

/// Whether an inline style hides an element.
fn hides(style: &str) -> bool {
    let style: String = style.split_whitespace().collect();
    let style = style.to_ascii_lowercase();
    let hides = ["display:none", "visibility:hidden", "visibility:collapse"];
    hides.iter().any(|hides| style.contains(hides))
}

fn attribute<'t>(tag: &'t Tag, name: &str) -> Option<&'t str> {
    let mut attributes = tag.attrs.iter();
    let found = attributes.find(|attribute| &*attribute.name.local == name)?;
    Some(&found.value)
}

/// Text for an element or an attribute in double quotes.
pub(crate) fn escaped(text: &str) -> Cow<'_, str> {
    if !text.contains(['&', '<', '>', '"']) {
        return Cow::Borrowed(text);
    }
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    Cow::Owned(text.replace('>', "&gt;").replace('"', "&quot;"))
}
