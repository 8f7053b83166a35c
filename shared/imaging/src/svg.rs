//! SVG, drawn by resvg at the size that it asks for, 96 pixels an inch.
//!
//! Nothing outside the file is looked at: references to other files and hosts are left out, scripts mean nothing to the
//! library. Pictures inside the file are drawn if they are no larger than an image may be.

use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use domain::format::Format;
use domain::limits::{DRAWING_ELEMENTS, MARKUP_BYTES, PIXELS, XML_DEPTH};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use image::metadata::Orientation;
use image::{DynamicImage, RgbaImage};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::roxmltree::{Document, Error as Xml, Node, ParsingOptions};
use resvg::usvg::{Error, ImageHrefResolver, ImageKind, Options, Tree, fontdb};
use task::{Fault, Outcome};

use crate::picture::Picture;
use crate::raster;

/// Where packages put fonts.
pub const FONTS: [&str; 2] = ["/usr/share/fonts", "/usr/local/share/fonts"];

/// What a file says of itself.
pub struct Facts {
    /// Width and height in pixels.
    pub sides: (u32, u32),
    /// Whether it refers to anything outside itself.
    pub asks_outside: bool,
    /// Whether it holds content of another language that nothing stands in for.
    pub holds_foreign: bool,
}

/// Looks into a file without drawing it.
pub fn facts(reader: impl Read) -> Outcome<Facts> {
    let text = text(reader)?;
    let document = parse(&text)?;
    let tree = Tree::from_xmltree(&document, &options(None)).map_err(fault)?;
    Ok(Facts {
        sides: pixels_of(&tree),
        asks_outside: document.descendants().any(|node| asks_outside(&node)),
        holds_foreign: document.descendants().any(|node| is_foreign(&node)),
    })
}

/// Draws a file as large as it says.
pub(super) fn decode(reader: impl Read) -> Outcome<Picture> {
    drawn(reader, 1.0, f32::MAX).map(|(picture, _)| picture)
}

/// Draws a file so many times as large as it says, or less if that were more than `most` pixels, but never smaller; how
/// many times it is.
pub fn drawn(reader: impl Read, scale: f32, most: f32) -> Outcome<(Picture, f32)> {
    let text = text(reader)?;
    let document = parse(&text)?;
    let writes = document
        .descendants()
        .any(|node| matches!(node.tag_name().name(), "text" | "image"));
    let tree = Tree::from_xmltree(&document, &options(writes.then(fonts))).map_err(fault)?;
    let size = tree.size();
    let scale = scale
        .min((most / (size.width() * size.height())).sqrt())
        .max(1.0);
    let sides = size.scale_by(scale).ok_or_else(Fault::corrupt)?;
    let sides = sides.to_int_size();
    let mut canvas = Pixmap::new(sides.width(), sides.height()).ok_or_else(Fault::corrupt)?;
    #[expect(clippy::cast_precision_loss, reason = "at most 20,000 pixels")]
    let whole = Transform::from_scale(
        sides.width() as f32 / size.width(),
        sides.height() as f32 / size.height(),
    );
    resvg::render(&tree, whole, &mut canvas.as_mut());
    let samples = canvas.take_demultiplied();
    let pixels = RgbaImage::from_raw(sides.width(), sides.height(), samples);
    let picture = Picture {
        pixels: DynamicImage::ImageRgba8(pixels.ok_or_else(Fault::corrupt)?),
        orientation: Orientation::NoTransforms,
        profile: None,
        is_damaged: false,
    };
    Ok((picture, scale))
}

fn pixels_of(tree: &Tree) -> (u32, u32) {
    let size = tree.size().to_int_size();
    (size.width(), size.height())
}

fn text(reader: impl Read) -> Outcome<String> {
    let mut bytes = Vec::new();
    let read = reader.take(MARKUP_BYTES + 1).read_to_end(&mut bytes);
    if read.map_err(Fault::reading)? as u64 > MARKUP_BYTES {
        return Err(Fault::too_large("An SVG may have at most 32 MiB of text."));
    }
    decoded(bytes)
}

/// A byte order mark or the declaration tells the encoding [XML 1.0, 4.3.3]; else it is UTF-8.
fn decoded(bytes: Vec<u8>) -> Outcome<String> {
    const DECLARATION: usize = 200;
    let encoding = match bytes.as_slice() {
        [b'<', 0, ..] => Some(UTF_16LE),
        [0, b'<', ..] => Some(UTF_16BE),
        bytes => Encoding::for_bom(bytes).map(|(encoding, _)| encoding),
    };
    let head = bytes.get(..DECLARATION).unwrap_or(&bytes);
    let encoding = encoding.or_else(|| declared(head)).unwrap_or(UTF_8);
    if encoding == UTF_8 {
        return String::from_utf8(bytes).map_err(|_| Fault::corrupt());
    }
    let (text, _, is_broken) = encoding.decode(&bytes);
    match is_broken {
        true => Err(Fault::corrupt()),
        false => Ok(text.into_owned()),
    }
}

/// The encoding that the declaration of a file of one byte a letter names, if it is known.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let (declaration, _) =
        std::str::from_utf8(head.get(..head.iter().position(|byte| *byte == b'>')?)?)
            .ok()?
            .strip_prefix("<?xml")?
            .split_once('?')?;
    let (_, value) = declaration.split_once("encoding")?;
    let name = value.trim_start().strip_prefix('=')?.trim();
    let encoding = Encoding::for_label(name.trim_matches(['"', '\'']).as_bytes())?;
    // A file whose first letters were read one by one is in neither.
    (![UTF_16LE, UTF_16BE].contains(&encoding)).then_some(encoding)
}

/// Entities of the file itself are put in, as far as they make no more than so many elements; others are an error.
fn parse(text: &str) -> Outcome<Document<'_>> {
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: DRAWING_ELEMENTS,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        Xml::NodesLimitReached => many(),
        _ => Fault::corrupt(),
    })?;
    // The library draws them by calling itself.
    if depth(&document) > XML_DEPTH {
        return Err(many());
    }
    match document.root_element().tag_name().name() {
        "svg" => Ok(document),
        _ => Err(Fault::mismatch()),
    }
}

/// How many elements lie within one another at most.
fn depth(document: &Document<'_>) -> usize {
    let (mut deepest, mut depth) = (0, 0_usize);
    let mut at = Some(document.root());
    while let Some(node) = at {
        if let Some(child) = node.first_child() {
            depth += 1;
            deepest = deepest.max(depth);
            at = Some(child);
            continue;
        }
        let mut here = Some(node);
        at = loop {
            match here {
                None => break None,
                Some(node) => match node.next_sibling() {
                    Some(next) => break Some(next),
                    None => {
                        depth = depth.saturating_sub(1);
                        here = node.parent();
                    }
                },
            }
        };
    }
    deepest
}

fn many() -> Fault {
    Fault::too_large("The SVG has more elements, or more within one another, than are drawn.")
}

fn fault(error: Error) -> Fault {
    match error {
        Error::ElementsLimitReached | Error::ParsingFailed(Xml::NodesLimitReached) => many(),
        _ => Fault::corrupt(),
    }
}

/// Whether an element or an attribute refers to another file or host; where a link leads does not matter.
fn asks_outside(node: &Node<'_, '_>) -> bool {
    let outside = |reference: &str| {
        let reference = reference.trim_start();
        !reference.is_empty() && !reference.starts_with('#') && !reference.starts_with("data:")
    };
    let in_styles = |style: &str| {
        let mut urls = style.split("url(").skip(1);
        style.contains("@import")
            || urls.any(|url| outside(url.trim_start().trim_start_matches(['"', '\''])))
    };
    let is_link = node.tag_name().name() == "a";
    let mut attributes = node.attributes();
    let by_attribute = attributes.any(|attribute| match attribute.name() {
        "href" | "src" => !is_link && outside(attribute.value()),
        _ => in_styles(attribute.value()),
    });
    let is_style = node.tag_name().name() == "style";
    let by_style = is_style && node.text().is_some_and(in_styles);
    by_attribute || by_style || node.is_pi()
}

/// Whether a node is content of another language, such as HTML, which is not drawn. In a `switch`, what stands behind it is
/// drawn in its place.
fn is_foreign(node: &Node<'_, '_>) -> bool {
    let name = |node: &Node<'_, '_>| node.tag_name().name().to_owned();
    let is_switched = node
        .parent_element()
        .is_some_and(|parent| name(&parent) == "switch");
    let is_replaced = is_switched && node.next_sibling_element().is_some();
    let shows = |node: Node<'_, '_>| {
        let is_text = node.is_text() && node.text().is_some_and(|text| !text.trim().is_empty());
        is_text
            || matches!(
                name(&node).as_str(),
                "img" | "image" | "canvas" | "input" | "svg"
            )
    };
    name(node) == "foreignObject" && !is_replaced && node.descendants().any(shows)
}

fn options(fonts: Option<Arc<fontdb::Database>>) -> Options<'static> {
    let known = ImageHrefResolver::default_data_resolver();
    let resolve_data: resvg::usvg::ImageHrefDataResolverFn<'static> =
        Box::new(move |mime, data, options| {
            let kind = known(mime, data, options)?;
            is_small(&kind).then_some(kind)
        });
    Options {
        font_family: "Liberation Serif".to_owned(),
        image_href_resolver: ImageHrefResolver {
            resolve_data,
            resolve_string: Box::new(|_, _| None),
        },
        fontdb: fonts.unwrap_or_default(),
        ..Options::default()
    }
}

/// Whether a picture inside the file is no larger than an image may be.
fn is_small(kind: &ImageKind) -> bool {
    let (data, format) = match kind {
        ImageKind::SVG(_) => return true,
        ImageKind::JPEG(data) => (data, Format::Jpeg),
        ImageKind::PNG(data) => (data, Format::Png),
        ImageKind::GIF(data) => (data, Format::Gif),
        ImageKind::WEBP(data) => (data, Format::Webp),
    };
    raster::sides(Cursor::new(data.as_slice()), format)
        .is_ok_and(|(width, height)| u64::from(width) * u64::from(height) <= u64::from(PIXELS))
}

/// The fonts of the system. What asks for a family that is not there gets one that looks alike.
fn fonts() -> Arc<fontdb::Database> {
    let mut fonts = fontdb::Database::new();
    for directory in FONTS {
        fonts.load_fonts_dir(Path::new(directory));
    }
    fonts.set_serif_family("Liberation Serif");
    fonts.set_sans_serif_family("Liberation Sans");
    fonts.set_monospace_family("Liberation Mono");
    fonts.set_cursive_family("Liberation Serif");
    fonts.set_fantasy_family("Liberation Sans");
    Arc::new(fonts)
}
