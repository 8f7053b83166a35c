//! What all operations have in common that make an image of an image: it is read upright, drawn anew, kept within the
//! plan's limit, and written with what its format holds of it.
//!
//! All pages of a TIFF stay when the result is a TIFF, all frames of a GIF or WebP when it is one of these and they are
//! not too many; else the first is taken, with a warning. JPEG, AVIF and lossy WebP are encoded at a quality of 90.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};

use domain::format::Format;
use domain::operation::Operation;
use image::DynamicImage;
use imaging::encode::{self, AnimatedWebp, Effort, Gif, Tiff, has_more_than_a_palette};
use imaging::frames::{Layout, layout};
use imaging::framing::framing;
use imaging::metadata::Metadata;
use imaging::motion::{self, Motion};
use imaging::{Upright, cleanup, flat, suit, tiff};
use task::progress::Teller;
use task::{Fault, Inspection, Outcome, Product, Remark, Task, linked};

/// Quality of lossy encoders.
const QUALITY: u8 = 90;
/// Pixels up to which a WebP is made without loss: twice as many take more memory than there is.
const LOSSLESS: u64 = 30_000_000;

/// Does the operation.
pub(super) fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let layout = layout(task, inspection.pages.unwrap_or(1))?;
    if !matches!(layout, Layout::Pages(_)) {
        let (upright, _) = imaging::upright_sides(open(task)?, task.from)?;
        encode::check_sides(task.to, framing(task, upright)?.result())?;
    }
    match layout {
        Layout::Still(remark) => still(task, remark),
        Layout::Pages(pages) => all_pages(task, pages),
        Layout::Moving(motion) => all_frames(task, motion),
    }
}

/// What writes a format here.
pub(super) fn fingerprint(to: Format) -> String {
    match to {
        Format::Jpeg => linked::MOZJPEG.to_owned(),
        Format::Webp => linked::WEBP.to_owned(),
        Format::Avif => linked::RAV1E.to_owned(),
        Format::Bmp => linked::IMAGE.to_owned(),
        Format::Gif => linked::GIF.to_owned(),
        Format::Png => linked::OXIPNG.to_owned(),
        Format::Tiff => linked::TIFF.to_owned(),
        _ => concat!("octavo ", env!("CARGO_PKG_VERSION")).to_owned(),
    }
}

/// The quality of lossy encoders: a compression is asked for with its own.
fn quality(task: &Task) -> u8 {
    match &task.operation {
        Operation::Compress(options) => options.quality.unwrap_or_default().value(),
        _ => QUALITY,
    }
}

fn open(task: &Task) -> Outcome<BufReader<File>> {
    Ok(BufReader::new(File::open(&task.source)?))
}

fn create(task: &Task) -> Outcome<BufWriter<File>> {
    Ok(BufWriter::new(File::create(task.output())?))
}

/// An image drawn anew, as the format of the result holds it.
fn drawn(task: &Task, mut image: Upright, product: &mut Product) -> Outcome<Upright> {
    let mut remarks = Vec::from_iter(image.is_damaged.then_some(Remark::DamageRepaired));
    if let Operation::Cleanup(options) = &task.operation {
        if image.pixels.color().has_alpha() {
            remarks.push(Remark::TransparencyRemoved);
        }
        image.pixels = cleanup::cleaned(image.pixels, options);
    }
    let framing = framing(task, (image.pixels.width(), image.pixels.height()))?;
    if framing.canvas.is_some() {
        image = image.in_srgb();
    }
    image.pixels = framing.apply(image.pixels)?;
    image.density = framing.density(image.density);
    let (mut image, unsuited) = suit::suited(image, task.to);
    remarks.extend(image.settle_metadata(task.to));
    remarks.extend(framing.is_limited.then_some(Remark::LimitedByPlan));
    remarks.extend(unsuited);
    remarks.retain(|remark| !product.remarks.contains(remark));
    product.remarks.extend(remarks);
    Ok(image)
}

/// What is kept of the source beside its pixels.
fn metadata(task: &Task) -> Outcome<Metadata> {
    match task.operation.keeps_metadata() {
        true => Metadata::read(open(task)?, task.from),
        false => Ok(Metadata::default()),
    }
}

fn sides(image: &Upright) -> (u32, u32) {
    (image.pixels.width(), image.pixels.height())
}

fn still(task: &Task, remark: Option<Remark>) -> Outcome<Product> {
    let mut product = Product {
        pages: Some(1),
        remarks: Vec::from_iter(remark),
        ..Product::default()
    };
    let mut image = Upright::read(|| open(task), task.from)?;
    image.metadata = metadata(task)?;
    let image = drawn(task, image, &mut product)?;
    product.sides.push(sides(&image));
    write(task, image)?;
    Ok(product)
}

fn write(task: &Task, image: Upright) -> Outcome<()> {
    if task.to == Format::Tiff {
        return Tiff::new(File::create(task.output())?)?.add(&image.pixels, image.attributes());
    }
    let mut out = create(task)?;
    match task.to {
        Format::Jpeg => {
            out.write_all(&encode::jpeg(&image.pixels, QUALITY, image.attributes())?)?;
        }
        Format::Webp => {
            let lossless = is_lossless(task, &image)?;
            let attributes = image.attributes();
            out.write_all(&encode::webp(&image.pixels, QUALITY, lossless, attributes)?)?;
        }
        Format::Avif => out.write_all(&encode::avif(&image.pixels, QUALITY)?)?,
        Format::Gif => {
            let mut gif = Gif::new(out, sides(&image), None)?;
            gif.add(image.pixels.into_rgba8(), 0)?;
            return gif.finish();
        }
        Format::Bmp => encode::bmp(&image.pixels, image.attributes(), &mut out)?,
        _ => {
            let profile = image.profile;
            let attributes = encode::Attributes {
                profile: profile.as_deref(),
                density: image.density,
                metadata: Some(&image.metadata),
            };
            out.write_all(&encode::png(image.pixels, Effort::Quick, attributes)?)?;
        }
    }
    Ok(out.flush()?)
}

/// Whether a WebP is to be made without loss: of a WebP that was, and of an image of few colours, which is smaller so.
fn is_lossless(task: &Task, image: &Upright) -> Outcome<bool> {
    let (width, height) = sides(image);
    if u64::from(width) * u64::from(height) > LOSSLESS {
        return Ok(false);
    }
    let was = task.from == Format::Webp && motion::webp(open(task)?)?.is_lossless;
    Ok(was || !has_more_than_a_palette(&image.pixels.to_rgba8()))
}

fn all_pages(task: &Task, pages: Vec<tiff::Directory>) -> Outcome<Product> {
    let mut product = Product {
        pages: u32::try_from(pages.len()).ok(),
        ..Product::default()
    };
    let mut out = Tiff::new(File::create(task.output())?)?;
    let mut teller = Teller::begin(&task.scratch);
    let count = pages.len();
    for (index, page) in pages.into_iter().enumerate() {
        let open = || Ok(tiff::Page::new(open(task)?, page.clone()));
        let image = Upright::read(open, task.from)?;
        encode::check_sides(task.to, framing(task, sides(&image))?.result())?;
        let image = drawn(task, image, &mut product)?;
        product.sides.push(sides(&image));
        out.add(&image.pixels, image.attributes())?;
        teller.tell(index + 1, count);
    }
    Ok(product)
}

/// Draws every frame anew.
pub(super) fn all_frames(task: &Task, motion: Motion) -> Outcome<Product> {
    let mut product = Product {
        pages: Some(1),
        ..Product::default()
    };
    let first = imaging::decode(open(task)?, task.from)?;
    let metadata = metadata(task)?;
    let mut teller = Teller::begin(&task.scratch);
    let mut out: Option<Animation> = None;
    let mut count = 0;
    for frame in motion::frames(open(task)?, task.from)? {
        let frame = frame?;
        let mut pixels = DynamicImage::ImageRgba8(frame.pixels);
        pixels.apply_orientation(first.orientation);
        let image = Upright {
            pixels: flat::plain(pixels),
            profile: first.profile.clone(),
            density: None,
            metadata: match out {
                None => metadata.clone(),
                Some(_) => Metadata::default(),
            },
            is_damaged: first.is_damaged,
        };
        let image = drawn(task, image, &mut product)?;
        let animation = match &mut out {
            Some(animation) => animation,
            None => {
                product.sides.push(sides(&image));
                out.insert(Animation::begin(task, &image, motion)?)
            }
        };
        animation.add(image, frame.milliseconds)?;
        count += 1;
        teller.tell(count, motion.frames as usize);
    }
    match out {
        Some(animation) => animation.finish(task, motion)?,
        None => return Err(Fault::corrupt()),
    }
    Ok(product)
}

/// An animation in the making.
enum Animation {
    Gif(Gif<BufWriter<File>>),
    Webp(AnimatedWebp, Option<Vec<u8>>, Metadata),
}

impl Animation {
    fn begin(task: &Task, first: &Upright, motion: Motion) -> Outcome<Self> {
        let sides = sides(first);
        Ok(match task.to {
            Format::Gif => Self::Gif(Gif::new(create(task)?, sides, Some(motion.loops))?),
            _ => {
                let lossless = is_lossless(task, first)?;
                let webp = AnimatedWebp::new(sides, quality(task), lossless);
                Self::Webp(webp, first.profile.clone(), first.metadata.clone())
            }
        })
    }

    fn add(&mut self, image: Upright, milliseconds: u32) -> Outcome<()> {
        let pixels = image.pixels.into_rgba8();
        match self {
            Self::Gif(gif) => gif.add(pixels, milliseconds),
            Self::Webp(webp, ..) => webp.add(pixels, milliseconds),
        }
    }

    fn finish(self, task: &Task, motion: Motion) -> Outcome<()> {
        match self {
            Self::Gif(gif) => gif.finish(),
            Self::Webp(webp, profile, metadata) => {
                let attributes = encode::Attributes {
                    profile: profile.as_deref(),
                    density: None,
                    metadata: Some(&metadata),
                };
                let file = webp.finish(motion.loops, attributes);
                Ok(std::fs::write(task.output(), file)?)
            }
        }
    }
}
