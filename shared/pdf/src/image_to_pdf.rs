//! Converts images to PDF: one page per image, sized by its resolution (96 pixels per inch by default).

// JPEG data is embedded unchanged, without its metadata; other images are compressed losslessly: 16-bit samples are kept,
// bilevel images take one bit per pixel, transparency becomes a soft mask. Each page of a TIFF becomes a page, an animation its
// first frame; an SVG stays a drawing. The orientation is applied by the page, not to the pixels.

mod drawing;
mod page;
mod samples;

use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;

use domain::format::Format;
use image::metadata::Orientation;
use imaging::{animation, jpeg, strip_metadata, svg, tiff};
use lopdf::{Dictionary, Stream, dictionary};
use task::progress::ProgressWriter;
use task::{Inspection, Product, Task, TaskError, TaskResult, Warning};

use self::page::{Pages, Placement};

/// Default resolution in pixels per inch.
const RESOLUTION: (f32, f32) = (96.0, 96.0);
/// Resolution of rendered parts of an SVG, in pixels per inch.
const SVG_RESOLUTION: f32 = 300.0;
/// Maximum number of pixels of rendered parts of an SVG.
const MAX_SVG_PIXELS: f32 = 25_000_000.0;

/// Runs the operation and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    write(task, inspection.pages.unwrap_or(1), &task.output())
}

/// Writes at most `most` pages of an image to `target`.
///
/// # Errors
/// Errors of the document, or of writing the file.
pub fn write(task: &Task, most: u32, target: &Path) -> TaskResult<Product> {
    let mut pages = Pages::new();
    let mut warnings = Vec::new();
    match task.from {
        Format::Jpeg => warnings.extend(add_jpeg(task, &mut pages)?),
        Format::Tiff => add_tiff(task, &mut pages, most as usize)?,
        Format::Svg => return write_drawing(task, target),
        _ => add_pixels(task, &mut pages)?,
    }
    let count = pages.len();
    save(pages, target)?;
    let moves = animation::animation_info(open(task)?, task.from)?.is_some();
    warnings.extend(moves.then_some(Warning::AnimationDropped));
    Ok(Product {
        pages: u32::try_from(count).ok(),
        warnings,
        ..Product::default()
    })
}

fn save(pages: Pages, target: &Path) -> TaskResult<()> {
    let mut output = BufWriter::new(File::create(target)?);
    pages.finish().save_to(&mut output)?;
    output.flush()?;
    Ok(())
}

fn open(task: &Task) -> TaskResult<BufReader<File>> {
    Ok(BufReader::new(File::open(&task.source)?))
}

/// Decodes the JPEG once, to verify it, and embeds the file without its metadata; if its segments cannot be parsed, the pixels.
/// Returns a warning if it is damaged.
fn add_jpeg(task: &Task, pages: &mut Pages) -> TaskResult<Option<Warning>> {
    let picture = imaging::decode(open(task)?, task.from)?;
    let warning = picture.is_damaged.then_some(Warning::DamageRepaired);
    let density = imaging::density(open(task)?, task.from);
    let file = std::fs::read(&task.source)?;
    let Some(file) = strip_metadata::strip_metadata(&file, task.from, Orientation::NoTransforms)
    else {
        return add_picture(pages, picture, density).map(|()| warning);
    };
    let header = jpeg::header(open(task)?)?;
    let (space, components) = match header.components {
        1 => ("DeviceGray", 1),
        4 => ("DeviceCMYK", 4),
        _ => ("DeviceRGB", 3),
    };
    let mut image = image_dictionary(
        header.width.into(),
        header.height.into(),
        header.precision.into(),
    );
    let profile = match components {
        4 => imaging::cmyk_profile(open(task)?),
        _ => picture.profile,
    };
    image.set("ColorSpace", pages.color_space(space, components, profile));
    image.set("Filter", "DCTDecode");
    if components == 4 && header.adobe {
        image.set(
            "Decode",
            [1, 0, 1, 0, 1, 0, 1, 0].map(lopdf::Object::from).to_vec(),
        );
    }
    let stream = Stream::new(image, file).with_compression(false);
    let placement = Placement {
        pixels: (header.width.into(), header.height.into()),
        density: density.unwrap_or(RESOLUTION),
        orientation: picture.orientation,
    };
    pages.add(stream, placement);
    Ok(warning)
}

fn add_tiff(task: &Task, pages: &mut Pages, most: usize) -> TaskResult<()> {
    let mut progress = ProgressWriter::start(&task.scratch);
    for (index, directory) in tiff::pages(&mut open(task)?, most)?.into_iter().enumerate() {
        let page = || Ok::<_, TaskError>(tiff::Page::new(open(task)?, directory.clone()));
        let picture = imaging::decode(page()?, task.from)?;
        let density = imaging::density(page()?, task.from);
        add_picture(pages, picture, density)?;
        progress.report(index + 1, most);
    }
    Ok(())
}

/// Writes an SVG as a picture of print resolution, for one whose vectors look different, with a warning.
///
/// # Errors
/// Errors of the document, or of writing the file.
pub fn write_rendered(task: &Task, target: &Path) -> TaskResult<Product> {
    let tree = svg::tree(open(task)?)?;
    let size = tree.size();
    let most = (MAX_SVG_PIXELS / (size.width() * size.height())).sqrt();
    let scale = (SVG_RESOLUTION / RESOLUTION.0).min(most).max(1.0);
    let scaled = size.to_int_size().scale_by(scale);
    let pixels = scaled.ok_or_else(TaskError::input_corrupt)?;
    let picture = svg::render(&tree, (pixels.width(), pixels.height()))?;
    let mut pages = Pages::new();
    let density = (RESOLUTION.0 * scale, RESOLUTION.1 * scale);
    add_picture(&mut pages, picture, Some(density))?;
    save(pages, target)?;
    Ok(Product {
        pages: Some(1),
        warnings: vec![Warning::DrawingRasterized(drawing::words(tree.root()))],
        ..Product::default()
    })
}

/// Writes a drawing. One that krilla cannot write is rendered at print resolution.
fn write_drawing(task: &Task, target: &Path) -> TaskResult<Product> {
    let tree = svg::tree(open(task)?)?;
    let size = tree.size();
    let sides = page::page_sides((size.width(), size.height()), RESOLUTION);
    let Some(drawn) = drawing::draw(&tree, sides)? else {
        return write_rendered(task, target);
    };
    std::fs::write(target, drawn.file)?;
    let words = (drawn.words > 0).then_some(Warning::TextNotSearchable(drawn.words));
    Ok(Product {
        pages: Some(1),
        warnings: words.into_iter().collect(),
        ..Product::default()
    })
}

fn add_pixels(task: &Task, pages: &mut Pages) -> TaskResult<()> {
    let picture = imaging::decode(open(task)?, task.from)?;
    let density = imaging::density(open(task)?, task.from);
    add_picture(pages, picture, density)
}

fn add_picture(
    pages: &mut Pages,
    picture: imaging::DecodedImage,
    density: Option<(f32, f32)>,
) -> TaskResult<()> {
    let placement = Placement {
        pixels: (picture.pixels.width(), picture.pixels.height()),
        density: density.unwrap_or(RESOLUTION),
        orientation: picture.orientation,
    };
    let planes = samples::Planes::of(picture.pixels);
    let (width, height) = placement.pixels;
    let mut image = image_dictionary(width, height, planes.bits);
    let space = if planes.channels == 1 {
        "DeviceGray"
    } else {
        "DeviceRGB"
    };
    image.set(
        "ColorSpace",
        pages.color_space(space, planes.channels.into(), picture.profile),
    );
    if let Some(alpha) = &planes.alpha {
        let bits = planes.bits.max(8);
        let mut mask = image_dictionary(width, height, bits);
        mask.set("ColorSpace", "DeviceGray");
        let mask = samples::deflate(mask, alpha, (width, 1, bits))?;
        image.set("SMask", pages.object(mask));
    }
    let stream = samples::deflate(image, &planes.color, (width, planes.channels, planes.bits))?;
    pages.add(stream, placement);
    Ok(())
}

fn image_dictionary(width: u32, height: u32, bits: u32) -> Dictionary {
    dictionary! {
        "Type" => "XObject",
        "Subtype" => "Image",
        "Width" => width,
        "Height" => height,
        "BitsPerComponent" => bits,
    }
}

/// Returns the matrix of an orientation: from the unit square of the image to the upright page of width and height 1, as `[a b
/// c d e f]`.
fn orientation_matrix(orientation: Orientation) -> [f32; 6] {
    match orientation {
        Orientation::NoTransforms => [1., 0., 0., 1., 0., 0.],
        Orientation::FlipHorizontal => [-1., 0., 0., 1., 1., 0.],
        Orientation::Rotate180 => [-1., 0., 0., -1., 1., 1.],
        Orientation::FlipVertical => [1., 0., 0., -1., 0., 1.],
        Orientation::Rotate90FlipH => [0., -1., -1., 0., 1., 1.],
        Orientation::Rotate90 => [0., -1., 1., 0., 0., 1.],
        Orientation::Rotate270FlipH => [0., 1., 1., 0., 0., 0.],
        Orientation::Rotate270 => [0., 1., -1., 0., 1., 0.],
    }
}
