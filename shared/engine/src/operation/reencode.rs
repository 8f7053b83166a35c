//! Common steps of all image operations: decode upright, transform, apply the plan's size limit, and encode with the
//! metadata that the target format supports.
//!
//! All pages of a TIFF are kept if the result is a TIFF, and all frames of a GIF or WebP if the result is one of these and
//! the frame limit is not exceeded. Otherwise only the first is kept, with a warning. JPEG, AVIF and lossy WebP are encoded
//! with quality 90.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write as _};

use domain::format::Format;
use domain::operation::Operation;
use image::DynamicImage;
use imaging::animation::{self, AnimationInfo};
use imaging::encode::{self, AnimatedWebp, Effort, Gif, Tiff, exceeds_palette};
use imaging::frames::{FrameSelection, select_frames};
use imaging::geometry::geometry;
use imaging::metadata::Metadata;
use imaging::{UprightImage, adapt, cleanup, tiff, transparency};
use task::progress::ProgressWriter;
use task::{Inspection, Product, Task, TaskError, TaskResult, Warning, engine_versions};

/// Default quality of lossy encoders.
const QUALITY: u8 = 90;
/// Maximum pixels of a lossless WebP: encoding twice as many exceeds the memory limit.
const MAX_LOSSLESS_PIXELS: u64 = 30_000_000;

/// Runs the operation.
pub(super) fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let selection = select_frames(task, inspection.pages.unwrap_or(1))?;
    if !matches!(selection, FrameSelection::Pages(_)) {
        let (upright, _) = imaging::upright_dimensions(open(task)?, task.from)?;
        encode::check_dimensions(task.to, geometry(task, upright)?.result_dimensions())?;
    }
    match selection {
        FrameSelection::Still(warning) => first_image(task, warning),
        FrameSelection::Pages(pages) => all_pages(task, pages),
        FrameSelection::Animated(info) => all_frames(task, info),
    }
}

/// The encoder of a format.
pub(super) fn fingerprint(to: Format) -> String {
    match to {
        Format::Jpeg => engine_versions::MOZJPEG.to_owned(),
        Format::Webp => engine_versions::WEBP.to_owned(),
        Format::Avif => engine_versions::RAV1E.to_owned(),
        Format::Bmp => engine_versions::IMAGE.to_owned(),
        Format::Gif => engine_versions::GIF.to_owned(),
        Format::Png => engine_versions::OXIPNG.to_owned(),
        Format::Tiff => engine_versions::TIFF.to_owned(),
        _ => concat!("octavo ", env!("CARGO_PKG_VERSION")).to_owned(),
    }
}

/// The quality of lossy encoders; a compression has its own option.
fn quality(task: &Task) -> u8 {
    match &task.operation {
        Operation::Compress(options) => options.quality.unwrap_or_default().value(),
        _ => QUALITY,
    }
}

fn open(task: &Task) -> TaskResult<BufReader<File>> {
    Ok(BufReader::new(File::open(&task.source)?))
}

fn create(task: &Task) -> TaskResult<BufWriter<File>> {
    Ok(BufWriter::new(File::create(task.output())?))
}

/// Transforms an image and adapts it to the target format.
fn transform(
    task: &Task,
    mut image: UprightImage,
    product: &mut Product,
) -> TaskResult<UprightImage> {
    let mut warnings = Vec::from_iter(image.is_damaged.then_some(Warning::DamageRepaired));
    if let Operation::Cleanup(options) = &task.operation {
        if image.pixels.color().has_alpha() {
            warnings.push(Warning::TransparencyRemoved);
        }
        image.pixels = cleanup::clean_up(image.pixels, options);
        if options.binarize == Some(true) {
            // It is about colors, of which none are left.
            image.profile = None;
        }
    }
    let geometry = geometry(task, (image.pixels.width(), image.pixels.height()))?;
    if geometry.canvas.is_some() {
        image = image.in_srgb();
    }
    image.pixels = geometry.apply(image.pixels)?;
    image.density = geometry.density(image.density);
    let (mut image, conversion_warnings) = adapt::adapt(image, task.to);
    warnings.extend(image.fit_metadata(task.to));
    warnings.extend(geometry.is_limited.then_some(Warning::LimitedByPlan));
    warnings.extend(conversion_warnings);
    warnings.retain(|warning| !product.warnings.contains(warning));
    product.warnings.extend(warnings);
    Ok(image)
}

/// The source's metadata, if the operation keeps it.
fn metadata(task: &Task) -> TaskResult<Metadata> {
    match task.operation.keeps_metadata() {
        true => Metadata::read(open(task)?, task.from),
        false => Ok(Metadata::default()),
    }
}

fn sides(image: &UprightImage) -> (u32, u32) {
    (image.pixels.width(), image.pixels.height())
}

fn first_image(task: &Task, warning: Option<Warning>) -> TaskResult<Product> {
    let mut product = Product {
        pages: Some(1),
        warnings: Vec::from_iter(warning),
        ..Product::default()
    };
    let mut image = UprightImage::read(|| open(task), task.from)?;
    image.metadata = metadata(task)?;
    let image = transform(task, image, &mut product)?;
    product.sides.push(sides(&image));
    write(task, image)?;
    Ok(product)
}

fn write(task: &Task, image: UprightImage) -> TaskResult<()> {
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

/// Whether to encode a lossless WebP: if the source is one, or if the image has few colors, for which lossless files are
/// smaller.
fn is_lossless(task: &Task, image: &UprightImage) -> TaskResult<bool> {
    let (width, height) = sides(image);
    if u64::from(width) * u64::from(height) > MAX_LOSSLESS_PIXELS {
        return Ok(false);
    }
    let was = task.from == Format::Webp && animation::webp(open(task)?)?.is_lossless;
    Ok(was || !exceeds_palette(&image.pixels.to_rgba8()))
}

fn all_pages(task: &Task, pages: Vec<tiff::Directory>) -> TaskResult<Product> {
    let mut product = Product {
        pages: u32::try_from(pages.len()).ok(),
        ..Product::default()
    };
    let mut out = Tiff::new(File::create(task.output())?)?;
    let mut progress = ProgressWriter::start(&task.scratch);
    let count = pages.len();
    for (index, page) in pages.into_iter().enumerate() {
        let open = || Ok(tiff::Page::new(open(task)?, page.clone()));
        let image = UprightImage::read(open, task.from)?;
        encode::check_dimensions(task.to, geometry(task, sides(&image))?.result_dimensions())?;
        let image = transform(task, image, &mut product)?;
        product.sides.push(sides(&image));
        out.add(&image.pixels, image.attributes())?;
        progress.report(index + 1, count);
    }
    Ok(product)
}

/// Transforms every frame of an animation.
pub(super) fn all_frames(task: &Task, info: AnimationInfo) -> TaskResult<Product> {
    let mut product = Product {
        pages: Some(1),
        ..Product::default()
    };
    let first = imaging::decode(open(task)?, task.from)?;
    let metadata = metadata(task)?;
    let mut progress = ProgressWriter::start(&task.scratch);
    let mut out: Option<Animation> = None;
    let mut count = 0;
    for frame in animation::frames(open(task)?, task.from)? {
        let frame = frame?;
        let mut pixels = DynamicImage::ImageRgba8(frame.pixels);
        pixels.apply_orientation(first.orientation);
        let image = UprightImage {
            pixels: transparency::normalize(pixels),
            profile: first.profile.clone(),
            density: None,
            metadata: match out {
                None => metadata.clone(),
                Some(_) => Metadata::default(),
            },
            is_damaged: first.is_damaged,
        };
        let image = transform(task, image, &mut product)?;
        let animation = match &mut out {
            Some(animation) => animation,
            None => {
                product.sides.push(sides(&image));
                out.insert(Animation::begin(task, &image, info)?)
            }
        };
        animation.add(image, frame.milliseconds)?;
        count += 1;
        progress.report(count, info.frames as usize);
    }
    match out {
        Some(animation) => animation.finish(task, info)?,
        None => return Err(TaskError::input_corrupt()),
    }
    Ok(product)
}

/// An animation being encoded.
enum Animation {
    Gif(Gif<BufWriter<File>>),
    Webp(AnimatedWebp, Option<Vec<u8>>, Metadata),
}

impl Animation {
    fn begin(task: &Task, first: &UprightImage, info: AnimationInfo) -> TaskResult<Self> {
        let sides = sides(first);
        Ok(match task.to {
            Format::Gif => Self::Gif(Gif::new(create(task)?, sides, Some(info.loops))?),
            _ => {
                let lossless = is_lossless(task, first)?;
                let webp = AnimatedWebp::new(sides, quality(task), lossless);
                Self::Webp(webp, first.profile.clone(), first.metadata.clone())
            }
        })
    }

    fn add(&mut self, image: UprightImage, milliseconds: u32) -> TaskResult<()> {
        let pixels = image.pixels.into_rgba8();
        match self {
            Self::Gif(gif) => gif.add(pixels, milliseconds),
            Self::Webp(webp, ..) => webp.add(pixels, milliseconds),
        }
    }

    fn finish(self, task: &Task, info: AnimationInfo) -> TaskResult<()> {
        match self {
            Self::Gif(gif) => gif.finish(),
            Self::Webp(webp, profile, metadata) => {
                let attributes = encode::Attributes {
                    profile: profile.as_deref(),
                    density: None,
                    metadata: Some(&metadata),
                };
                let file = webp.finish(info.loops, attributes);
                Ok(std::fs::write(task.output(), file)?)
            }
        }
    }
}
