//! Embedded images, and pictures of what PDF cannot express.

use std::io::Cursor;

use domain::format::Format;
use imaging::jpeg;
use krilla::geom::{Size, Transform};
use krilla::image::Image;
use krilla::paint::FillRule;
use krilla::surface::Surface;
use resvg::tiny_skia::Pixmap;
use resvg::usvg::{self, ImageKind, Node};

use super::{Drawing, geometry};
use crate::image_to_pdf::{RESOLUTION, SVG_RESOLUTION};

/// Maximum side of a picture in pixels.
const MAX_SIDE: f32 = 20_000.0;

/// Draws an embedded image; one that cannot be decoded is left out, as by resvg.
pub(super) fn draw(image: &usvg::Image, surface: &mut Surface<'_>, drawing: &mut Drawing) {
    let (data, format) = match image.kind() {
        ImageKind::SVG(tree) => {
            let Some(clip) = geometry::rectangle(tree.size().to_rect(0.0, 0.0)) else {
                return;
            };
            surface.push_clip_path(&clip, &FillRule::NonZero);
            drawing.group(tree.root(), surface);
            return surface.pop();
        }
        ImageKind::JPEG(data) => (data, Format::Jpeg),
        ImageKind::PNG(data) => (data, Format::Png),
        ImageKind::GIF(data) => (data, Format::Gif),
        ImageKind::WEBP(data) => (data, Format::Webp),
    };
    let size = Size::from_wh(image.size().width(), image.size().height());
    if let (Some(image), Some(size)) = (decode(data, format), size) {
        surface.draw_image(image, size);
    }
}

/// JPEG data in gray or RGB is embedded unchanged.
fn decode(data: &[u8], format: Format) -> Option<Image> {
    let pixels = imaging::decode(Cursor::new(data), format).ok()?.pixels;
    let is_kept = format == Format::Jpeg
        && jpeg::header(Cursor::new(data)).is_ok_and(|header| header.components != 4);
    if is_kept && let Ok(image) = Image::from_jpeg(data.to_vec().into(), false) {
        return Some(image);
    }
    let pixels = pixels.into_rgba8();
    let (width, height) = pixels.dimensions();
    Some(Image::from_rgba8(pixels.into_raw(), width, height))
}

/// Renders a node by resvg and draws the picture in its place.
pub(super) fn draw_node(node: &Node, surface: &mut Surface<'_>, drawing: &mut Drawing) {
    // Without an area there is nothing to see.
    render(node, surface, drawing);
}

fn render(node: &Node, surface: &mut Surface<'_>, drawing: &mut Drawing) -> Option<()> {
    let absolute = node.abs_layer_bounding_box()?;
    let local = match node {
        Node::Group(group) => group.layer_bounding_box().transform(group.transform())?,
        _ => node.stroke_bounding_box().to_non_zero_rect()?,
    };
    // Both boxes are of the same content: the absolute one in pixels of the page.
    let sharpness = SVG_RESOLUTION / RESOLUTION.0
        * (absolute.width() / local.width()).max(absolute.height() / local.height());
    let most = drawing.pixels.max(0.0) / (local.width() * local.height());
    let sharpness = sharpness.min(most.sqrt());
    let (width, height) = (
        pixels(local.width() * sharpness),
        pixels(local.height() * sharpness),
    );
    let mut canvas = Pixmap::new(width, height)?;
    #[expect(clippy::cast_precision_loss, reason = "at most 20,000 pixels")]
    let (across, down) = (width as f32, height as f32);
    drawing.pixels -= across * down;
    let matrix = usvg::Transform::from_scale(across / local.width(), down / local.height())
        .pre_translate(-local.x(), -local.y())
        // resvg moves the absolute bounding box to the origin.
        .pre_translate(absolute.x(), absolute.y());
    resvg::render_node(node, matrix, &mut canvas.as_mut());
    let size = Size::from_wh(local.width(), local.height())?;
    let image = Image::from_rgba8(canvas.take_demultiplied(), width, height);
    surface.push_transform(&Transform::from_translate(local.x(), local.y()));
    surface.draw_image(image, size);
    surface.pop();
    Some(())
}

fn pixels(length: f32) -> u32 {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bounded"
    )]
    let pixels = length.round().clamp(1.0, MAX_SIDE) as u32;
    pixels
}
