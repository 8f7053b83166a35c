//! SVG, rendered by resvg at its intrinsic size, 96 pixels per inch.
//!
//! References to other files and hosts are not resolved, and resvg executes no scripts. Embedded images are rendered if
//! they do not exceed the pixel limit of images.

use std::io::{Cursor, Read};
use std::path::Path;
use std::sync::Arc;

use domain::font_substitutes::FONT_SUBSTITUTES;
use domain::format::Format;
use domain::limits::{DRAWING_ELEMENTS, MARKUP_BYTES, PIXELS, XML_DEPTH};
use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use image::metadata::Orientation;
use image::{DynamicImage, RgbaImage};
use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::roxmltree::{Document, Error as Xml, Node, ParsingOptions};
use resvg::usvg::{Error, ImageHrefResolver, ImageKind, Options, Tree, fontdb};
use task::{TaskError, TaskResult};

use crate::decoded::DecodedImage;
use crate::glyphs::{DrawnCharacters, FONTS};
use crate::raster;

/// Properties of an SVG that do not need rendering.
pub struct SvgInfo {
    /// Width and height in pixels.
    pub sides: (u32, u32),
    /// Whether it references external resources.
    pub has_external_references: bool,
    /// Whether it contains `foreignObject` content without a `switch` fallback.
    pub has_foreign_content: bool,
    /// The characters of its texts.
    pub characters: DrawnCharacters,
}

/// Parses a file without rendering it.
///
/// # Errors
/// [`TaskError::Document`] if the file is not an SVG or exceeds the limits.
pub fn inspect(reader: impl Read) -> TaskResult<SvgInfo> {
    let text = text(reader)?;
    let document = parse(&text)?;
    let tree = Tree::from_xmltree(&document, &options(None)).map_err(task_error)?;
    Ok(SvgInfo {
        sides: intrinsic_size(&tree),
        has_external_references: document
            .descendants()
            .any(|node| has_external_references(&node)),
        has_foreign_content: document.descendants().any(|node| is_foreign(&node)),
        characters: characters(&document),
    })
}

/// Returns the characters of text elements that attributes do not hide.
fn characters(document: &Document<'_>) -> DrawnCharacters {
    let mut characters = DrawnCharacters::default();
    let is_text = |node: &Node<'_, '_>| node.tag_name().name() == "text";
    for node in document.descendants().filter(|node| node.is_text()) {
        let is_drawn = node.ancestors().any(|ancestor| is_text(&ancestor));
        if is_drawn && !node.ancestors().any(|ancestor| is_hidden(&ancestor)) {
            characters.add(node.text().unwrap_or_default(), None);
        }
    }
    characters
}

/// Whether an attribute or the style of an element hides its text, or it is a description.
fn is_hidden(node: &Node<'_, '_>) -> bool {
    let hides = |name: &str, value: &str| {
        let value = value.trim().trim_end_matches("!important").trim();
        matches!(
            (name.trim(), value),
            ("display", "none") | ("visibility", "hidden" | "collapse")
        )
    };
    let style = node.attribute("style").unwrap_or_default();
    let mut properties = style
        .split(';')
        .filter_map(|property| property.split_once(':'));
    let is_description = matches!(node.tag_name().name(), "title" | "desc" | "metadata");
    let mut attributes = node.attributes();
    is_description
        || properties.any(|(name, value)| hides(name, value))
        || attributes.any(|attribute| hides(attribute.name(), attribute.value()))
}

/// Renders a file at its intrinsic size.
pub(super) fn decode(reader: impl Read) -> TaskResult<DecodedImage> {
    let tree = tree(reader)?;
    render(&tree, intrinsic_size(&tree))
}

/// Parses a file for rendering, with the system fonts if it may need them.
///
/// # Errors
/// [`TaskError::Document`] if the file is not an SVG or exceeds the limits.
pub fn tree(reader: impl Read) -> TaskResult<Tree> {
    let text = text(reader)?;
    let document = parse(&text)?;
    let needs_fonts = document
        .descendants()
        .any(|node| matches!(node.tag_name().name(), "text" | "image"));
    Tree::from_xmltree(&document, &options(needs_fonts.then(fonts))).map_err(task_error)
}

/// Renders a drawing at these sides in pixels.
///
/// # Errors
/// [`TaskError::Document`] if they are too large.
pub fn render(tree: &Tree, (width, height): (u32, u32)) -> TaskResult<DecodedImage> {
    let mut canvas = Pixmap::new(width, height).ok_or_else(TaskError::input_corrupt)?;
    let size = tree.size();
    #[expect(clippy::cast_precision_loss, reason = "at most 20,000 pixels")]
    let whole = Transform::from_scale(width as f32 / size.width(), height as f32 / size.height());
    resvg::render(tree, whole, &mut canvas.as_mut());
    let samples = canvas.take_demultiplied();
    let pixels = RgbaImage::from_raw(width, height, samples);
    Ok(DecodedImage {
        pixels: DynamicImage::ImageRgba8(pixels.ok_or_else(TaskError::input_corrupt)?),
        orientation: Orientation::NoTransforms,
        profile: None,
        is_damaged: false,
    })
}

fn intrinsic_size(tree: &Tree) -> (u32, u32) {
    let size = tree.size().to_int_size();
    (size.width(), size.height())
}

fn text(reader: impl Read) -> TaskResult<String> {
    let mut bytes = Vec::new();
    let read = reader.take(MARKUP_BYTES + 1).read_to_end(&mut bytes);
    if read.map_err(TaskError::from_read_error)? as u64 > MARKUP_BYTES {
        return Err(TaskError::too_large("An SVG is limited to 32 MiB of text."));
    }
    decoded(bytes)
}

/// Decodes by the byte order mark or the XML declaration [XML 1.0, 4.3.3]; otherwise as UTF-8.
fn decoded(bytes: Vec<u8>) -> TaskResult<String> {
    const DECLARATION: usize = 200;
    let encoding = match bytes.as_slice() {
        [b'<', 0, ..] => Some(UTF_16LE),
        [0, b'<', ..] => Some(UTF_16BE),
        bytes => Encoding::for_bom(bytes).map(|(encoding, _)| encoding),
    };
    let head = bytes.get(..DECLARATION).unwrap_or(&bytes);
    let encoding = encoding.or_else(|| declared(head)).unwrap_or(UTF_8);
    if encoding == UTF_8 {
        return String::from_utf8(bytes).map_err(|_| TaskError::input_corrupt());
    }
    let (text, _, is_broken) = encoding.decode(&bytes);
    match is_broken {
        true => Err(TaskError::input_corrupt()),
        false => Ok(text.into_owned()),
    }
}

/// Returns the encoding named by the XML declaration of a file in an ASCII-compatible encoding.
fn declared(head: &[u8]) -> Option<&'static Encoding> {
    let (declaration, _) =
        std::str::from_utf8(head.get(..head.iter().position(|byte| *byte == b'>')?)?)
            .ok()?
            .strip_prefix("<?xml")?
            .split_once('?')?;
    let (_, value) = declaration.split_once("encoding")?;
    let name = value.trim_start().strip_prefix('=')?.trim();
    let encoding = Encoding::for_label(name.trim_matches(['"', '\'']).as_bytes())?;
    // A declaration readable byte by byte cannot be UTF-16.
    (![UTF_16LE, UTF_16BE].contains(&encoding)).then_some(encoding)
}

/// Parses the document. Internal entities are expanded up to the limit of elements; external entities are an error.
fn parse(text: &str) -> TaskResult<Document<'_>> {
    let options = ParsingOptions {
        allow_dtd: true,
        nodes_limit: DRAWING_ELEMENTS,
        ..ParsingOptions::default()
    };
    let document = Document::parse_with_options(text, options).map_err(|error| match error {
        Xml::NodesLimitReached => too_large(),
        _ => TaskError::input_corrupt(),
    })?;
    // usvg renders nested elements recursively.
    if depth(&document) > XML_DEPTH {
        return Err(too_large());
    }
    match document.root_element().tag_name().name() {
        "svg" => Ok(document),
        _ => Err(TaskError::content_mismatch()),
    }
}

/// Returns the maximum nesting depth of elements.
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

fn too_large() -> TaskError {
    TaskError::too_large("The SVG has too many elements, or they are nested too deeply.")
}

fn task_error(error: Error) -> TaskError {
    match error {
        Error::ElementsLimitReached | Error::ParsingFailed(Xml::NodesLimitReached) => too_large(),
        _ => TaskError::input_corrupt(),
    }
}

/// Returns whether an element or attribute references an external resource. Targets of links do not count.
fn has_external_references(node: &Node<'_, '_>) -> bool {
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

/// Returns whether a node is a `foreignObject` with visible content, such as HTML, which is not rendered. In a `switch`, a
/// following element is rendered in its place.
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
    let default = ImageHrefResolver::default_data_resolver();
    let resolve_data: resvg::usvg::ImageHrefDataResolverFn<'static> =
        Box::new(move |mime, data, options| {
            let kind = default(mime, data, options)?;
            is_within_pixel_limit(&kind).then_some(kind)
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

/// Returns whether an embedded image is within the pixel limit of images.
fn is_within_pixel_limit(kind: &ImageKind) -> bool {
    let (data, format) = match kind {
        ImageKind::SVG(_) => return true,
        ImageKind::JPEG(data) => (data, Format::Jpeg),
        ImageKind::PNG(data) => (data, Format::Png),
        ImageKind::GIF(data) => (data, Format::Gif),
        ImageKind::WEBP(data) => (data, Format::Webp),
    };
    raster::dimensions(Cursor::new(data.as_slice()), format)
        .is_ok_and(|(width, height)| u64::from(width) * u64::from(height) <= u64::from(PIXELS))
}

/// Loads the system fonts, with substitutes for the generic families and for fonts that are not installed.
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
    substitute(&mut fonts);
    Arc::new(fonts)
}

/// Adds the faces of substitutes under the names of the fonts that they replace, also in lower case: names are compared exactly.
fn substitute(fonts: &mut fontdb::Database) {
    let is_of = |face: &fontdb::FaceInfo, name: &str| {
        face.families.iter().any(|(family, _)| family == name)
    };
    for (substitute, names) in FONT_SUBSTITUTES {
        let missing = names
            .iter()
            .filter(|name| !fonts.faces().any(|face| is_of(face, name)));
        let families: Vec<_> = missing
            .flat_map(|name| [(*name).to_owned(), name.to_lowercase()])
            .map(|name| (name, fontdb::Language::English_UnitedStates))
            .collect();
        // A face needs a family.
        if families.is_empty() {
            continue;
        }
        let faces = fonts.faces().filter(|face| is_of(face, substitute));
        for mut face in faces.cloned().collect::<Vec<_>>() {
            face.families.clone_from(&families);
            fonts.push_face_info(face);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use super::{decode, inspect};

    fn drawing(text: &str) -> Cursor<String> {
        Cursor::new(format!(
            "<svg xmlns='http://www.w3.org/2000/svg' width='99' height='30'>{text}</svg>"
        ))
    }

    #[test]
    fn fonts_that_are_not_installed_are_replaced() {
        let drawn = |family: &str| {
            let text = format!("<text y='20' font-family='{family}'>Hamburg</text>");
            decode(drawing(&text)).unwrap().pixels.into_bytes()
        };
        assert_ne!(drawn("Liberation Sans"), drawn("Liberation Serif"));
        assert_eq!(drawn("helvetica"), drawn("Liberation Sans"));
        assert_eq!(drawn("No Such Font, Consolas"), drawn("Liberation Mono"));
        assert_eq!(drawn("Liberation Serif, Arial"), drawn("Liberation Serif"));
    }

    #[test]
    fn characters_without_a_glyph_are_reported_if_they_are_displayed() {
        let is_reported = |text: &str| {
            inspect(drawing(text))
                .unwrap()
                .characters
                .warning()
                .is_some()
        };
        assert!(is_reported("<text>\u{10570}</text>"));
        assert!(is_reported(
            "<g style='display: inline'><text>\u{10570}</text></g>"
        ));
        assert!(!is_reported(
            "<text visibility='hidden'>\u{10570}</text><text><title>\u{10570}</title></text>"
        ));
        assert!(!is_reported("<g display='none'><text>\u{10570}</text></g>"));
        assert!(!is_reported(
            "<text style='fill: red; display: none'><tspan>\u{10570}</tspan></text>"
        ));
    }
}
