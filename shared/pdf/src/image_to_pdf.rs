//! Images to PDF: one page an image, as large as its resolution states (96 pixels an inch without one).

// The coded pixels of a JPEG go in as they are, without its metadata; everything else is compressed without loss, 16-bit
// samples kept, black and white in one bit, transparency as a soft mask. Each page of a TIFF becomes a page, an animation
// its first frame; an SVG is drawn at 300 pixels an inch. The page applies the orientation, the pixels stay.

mod page;
mod samples;

use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};
use std::path::Path;

use domain::format::Format;
use image::metadata::Orientation;
use imaging::{bare, jpeg, motion, svg, tiff};
use lopdf::{Dictionary, Stream, dictionary};
use task::progress::Teller;
use task::{Fault, Inspection, Outcome, Product, Remark, Task};

use self::page::{Pages, Placement};

/// Pixels an inch where the file does not say.
const RESOLUTION: (f32, f32) = (96.0, 96.0);
/// Pixels an inch of what is drawn for print.
const PRINT: f32 = 300.0;
/// Most pixels that are drawn for that.
const DRAWN: f32 = 25_000_000.0;

/// Does the operation; the result lies at [`Task::output`].
///
/// # Errors
/// What is wrong with the document or the request, or with the installation.
pub fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    write(task, inspection.pages.unwrap_or(1), &task.output())
}

/// Writes the pages of an image, at most so many, to `target`.
pub fn write(task: &Task, most: u32, target: &Path) -> Outcome<Product> {
    let mut pages = Pages::new();
    let mut remarks = Vec::new();
    match task.from {
        Format::Jpeg => remarks.extend(add_jpeg(task, &mut pages)?),
        Format::Tiff => add_tiff(task, &mut pages, most as usize)?,
        Format::Svg => add_drawing(task, &mut pages)?,
        _ => add_pixels(task, &mut pages)?,
    }
    let count = pages.len();
    let mut output = BufWriter::new(File::create(target)?);
    pages.finish().save_to(&mut output)?;
    output.flush()?;
    let moves = motion::motion(open(task)?, task.from)?.is_some();
    remarks.extend(moves.then_some(Remark::AnimationDropped));
    Ok(Product {
        pages: u32::try_from(count).ok(),
        remarks,
        ..Product::default()
    })
}

fn open(task: &Task) -> Outcome<BufReader<File>> {
    Ok(BufReader::new(File::open(&task.source)?))
}

/// Decodes once, to be sure that readers can, and embeds the file itself, without its metadata: of what cannot be taken
/// apart the pixels. Tells if it is damaged.
fn add_jpeg(task: &Task, pages: &mut Pages) -> Outcome<Option<Remark>> {
    let picture = imaging::decode(open(task)?, task.from)?;
    let remark = picture.is_damaged.then_some(Remark::DamageRepaired);
    let density = imaging::density(open(task)?, task.from);
    let file = std::fs::read(&task.source)?;
    let Some(file) = bare::bare(&file, task.from, Orientation::NoTransforms) else {
        return add_picture(pages, picture, density).map(|()| remark);
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
        4 => imaging::profile_of_inks(open(task)?),
        _ => picture.profile,
    };
    image.set("ColorSpace", pages.colour_space(space, components, profile));
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
    Ok(remark)
}

fn add_tiff(task: &Task, pages: &mut Pages, most: usize) -> Outcome<()> {
    let mut teller = Teller::begin(&task.scratch);
    for (index, directory) in tiff::pages(&mut open(task)?, most)?.into_iter().enumerate() {
        let page = || Ok::<_, Fault>(tiff::Page::new(open(task)?, directory.clone()));
        let picture = imaging::decode(page()?, task.from)?;
        let density = imaging::density(page()?, task.from);
        add_picture(pages, picture, density)?;
        teller.tell(index + 1, most);
    }
    Ok(())
}

/// As sharp as print is, if that is not too large; the page is as large as at the usual resolution.
fn add_drawing(task: &Task, pages: &mut Pages) -> Outcome<()> {
    let (picture, scale) = svg::drawn(open(task)?, PRINT / RESOLUTION.0, DRAWN)?;
    add_picture(
        pages,
        picture,
        Some((RESOLUTION.0 * scale, RESOLUTION.1 * scale)),
    )
}

fn add_pixels(task: &Task, pages: &mut Pages) -> Outcome<()> {
    let picture = imaging::decode(open(task)?, task.from)?;
    let density = imaging::density(open(task)?, task.from);
    add_picture(pages, picture, density)
}

fn add_picture(
    pages: &mut Pages,
    picture: imaging::Picture,
    density: Option<(f32, f32)>,
) -> Outcome<()> {
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
        pages.colour_space(space, planes.channels.into(), picture.profile),
    );
    if let Some(alpha) = &planes.alpha {
        let bits = planes.bits.max(8);
        let mut mask = image_dictionary(width, height, bits);
        mask.set("ColorSpace", "DeviceGray");
        let mask = samples::deflate(mask, alpha, (width, 1, bits))?;
        image.set("SMask", pages.object(mask));
    }
    let stream = samples::deflate(image, &planes.colour, (width, planes.channels, planes.bits))?;
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

/// The orientation as a matrix that takes the unit square, in which an image is drawn, to the upright page of width and
/// height 1. Columns as in PDF: `[a b c d e f]`.
fn turning(orientation: Orientation) -> [f32; 6] {
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
