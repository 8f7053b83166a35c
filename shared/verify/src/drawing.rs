//! Checks a PDF of an image; one of an SVG also looks like the SVG, rendered by resvg.

use std::fs::File;
use std::io::BufReader;

use domain::format::Format;
use image::DynamicImage;
use imaging::{svg, transparency};
use pdf::pdfium;
use pdfium_render::prelude::PdfRenderConfig;
use task::{Product, Task, TaskError, TaskResult, Verified};

/// Minimum of the longer side of the renderings that are compared, in pixels. The time for filters grows with the area.
const MIN_SIDE: f32 = 160.0;
/// Maximum of the longer side. In small renderings of large drawings pdfium emphasizes thin lines.
const MAX_SIDE: f32 = 640.0;
/// Number of areas in each direction whose mean colors are compared: smoothing of edges differs.
const AREAS: u32 = 20;
/// Maximum difference of a mean color, of 255.
const MAX_DIFFERENCE: u8 = 96;
/// Maximum mean difference of all areas, of 255.
const MAX_MEAN: f64 = 8.0;

/// Checks a PDF made from an image.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn image_to_pdf(task: &Task, product: &Product) -> TaskResult<Verified> {
    let verified = super::pdf(task, product)?;
    if task.from == Format::Svg {
        let tree = svg::tree(BufReader::new(File::open(&task.source)?))?;
        let size = tree.size();
        let side = size.width().max(size.height());
        let sides = size.scale_by(side.clamp(MIN_SIDE, MAX_SIDE) / side);
        let sides = sides.ok_or_else(TaskError::input_corrupt)?.to_int_size();
        let sides = (sides.width(), sides.height());
        let source = svg::render(&tree, sides)?.pixels;
        check_similarity(source, rendered(task, sides)?)?;
    }
    Ok(verified)
}

fn rendered(task: &Task, (width, height): (u32, u32)) -> TaskResult<DynamicImage> {
    let invalid = |_| TaskError::output_invalid("its page cannot be rendered");
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(&task.output(), None);
    let document = document.map_err(invalid)?;
    let [width, height] = [width, height].map(|side| i32::try_from(side).unwrap_or(i32::MAX));
    let config = PdfRenderConfig::new().set_fixed_size(width, height);
    let page = document.pages().first().map_err(invalid)?;
    let bitmap = page.render_with_config(&config).map_err(invalid)?;
    bitmap.as_image().map_err(invalid)
}

fn check_similarity(source: DynamicImage, result: DynamicImage) -> TaskResult<()> {
    let [source, result] = [source, result].map(areas);
    let differences = source
        .iter()
        .zip(&result)
        .map(|(one, other)| one.abs_diff(*other));
    let worst = differences.clone().max().unwrap_or(0);
    let sum: f64 = differences.map(f64::from).sum();
    #[expect(clippy::cast_precision_loss, reason = "a few hundred areas")]
    let mean = sum / source.len().max(1) as f64;
    match source.len() == result.len() && worst <= MAX_DIFFERENCE && mean <= MAX_MEAN {
        true => Ok(()),
        false => Err(TaskError::output_invalid("it looks different")),
    }
}

/// The mean color channels of the areas, on white.
fn areas(image: DynamicImage) -> Vec<u8> {
    let image = transparency::flatten_on_white(image).into_rgb8();
    image::imageops::thumbnail(&image, AREAS, AREAS).into_raw()
}

#[cfg(test)]
mod tests {
    use image::{Rgb, RgbImage};

    use super::*;

    #[test]
    fn missing_shapes_are_found_and_soft_edges_are_not() {
        let square = |at: u32, ink: u8| {
            DynamicImage::from(RgbImage::from_fn(160, 160, |x, y| {
                let is_inside = (at..at + 20).contains(&x) && (at..at + 20).contains(&y);
                Rgb([if is_inside { ink } else { 255 }; 3])
            }))
        };
        assert!(check_similarity(square(40, 0), square(40, 0)).is_ok());
        assert!(check_similarity(square(40, 0), square(41, 20)).is_ok());
        assert!(check_similarity(square(40, 0), square(40, 255)).is_err());
        assert!(check_similarity(square(40, 0), square(80, 0)).is_err());
    }
}
