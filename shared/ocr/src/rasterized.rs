//! Rasterized pages: an image replaces the content of a page, so that its existing text is no longer found.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::{DynamicImage, GrayImage, RgbImage};
use imaging::encode::{self, Attributes};
use lopdf::{Dictionary, Document, IncrementalDocument, ObjectId, Stream, dictionary};
use task::TaskResult;
use task::matrix::Matrix;

use super::text_layer::format_number;

/// Minimum compression ratio for lossless storage, which photographs do not reach.
const MIN_RATIO: usize = 8;
/// JPEG quality of the other images.
const QUALITY: u8 = 90;

/// An image of a page, and the matrix from its pixels to the user space of the page.
pub(super) struct RasterizedPage {
    pub(super) image: Stream,
    pub(super) to_user_space: Matrix,
    pub(super) sides: (u32, u32),
}

/// Converts BGRx pixels to an image, gray if they have no color.
pub(super) fn from_bgrx((width, height): (u32, u32), samples: &[u8]) -> Option<DynamicImage> {
    let pixels = || samples.chunks_exact(4);
    let is_gray =
        |pixel: &[u8]| matches!(pixel, [blue, green, red, _] if blue == green && green == red);
    match pixels().all(is_gray) {
        true => {
            let gray = pixels().filter_map(|pixel| pixel.first().copied());
            GrayImage::from_raw(width, height, gray.collect()).map(DynamicImage::from)
        }
        false => {
            let colors = pixels().flat_map(|pixel| pixel.iter().take(3).rev().copied());
            RgbImage::from_raw(width, height, colors.collect()).map(DynamicImage::from)
        }
    }
}

/// Encodes an image XObject: losslessly if that compresses well, otherwise as JPEG.
pub(super) fn encode_image(picture: &DynamicImage) -> TaskResult<Stream> {
    let samples = picture.as_bytes();
    let mut deflating = ZlibEncoder::new(Vec::new(), Compression::default());
    deflating.write_all(samples)?;
    let deflated = deflating.finish()?;
    let (filter, content) = match deflated.len() * MIN_RATIO > samples.len() {
        true => {
            let jpeg = encode::jpeg(picture, QUALITY, Attributes::default())?;
            match jpeg.len() < deflated.len() {
                true => ("DCTDecode", jpeg),
                false => ("FlateDecode", deflated),
            }
        }
        false => ("FlateDecode", deflated),
    };
    let space = match picture.color().has_color() {
        true => "DeviceRGB",
        false => "DeviceGray",
    };
    let dictionary = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Image",
        "Width" => i64::from(picture.width()),
        "Height" => i64::from(picture.height()),
        "BitsPerComponent" => 8,
        "ColorSpace" => space,
        "Filter" => filter,
    };
    Ok(Stream::new(dictionary, content).with_compression(false))
}

/// Replaces the content of a page by an image. Annotations and form fields stay.
pub(super) fn replace_content(
    document: &mut IncrementalDocument,
    page: ObjectId,
    rasterized: &RasterizedPage,
) -> lopdf::Result<()> {
    let (width, height) = (f64::from(rasterized.sides.0), f64::from(rasterized.sides.1));
    // An image XObject occupies the unit square, with its first row at the top.
    let pixels = Matrix([width, 0.0, 0.0, -height, 0.0, height]);
    let place = pixels
        .then(rasterized.to_user_space)
        .0
        .map(format_number)
        .join(" ");
    let content = Stream::new(
        Dictionary::new(),
        format!("q {place} cm /Page Do Q").into_bytes(),
    );
    let content = document.new_document.add_object(content);
    let image = document.new_document.add_object(rasterized.image.clone());
    document.opt_clone_object_to_new_document(page)?;
    let page = document.new_document.get_dictionary_mut(page)?;
    page.set("Contents", content);
    page.set(
        "Resources",
        dictionary! { "XObject" => dictionary! { "Page" => image } },
    );
    page.remove(b"StructParents");
    Ok(())
}

/// Removes the structure tree, which refers to content that no longer exists.
pub(super) fn remove_structure_tree(document: &mut IncrementalDocument) -> lopdf::Result<()> {
    let root = root(document.get_prev_documents())?;
    document.opt_clone_object_to_new_document(root)?;
    let catalog = document.new_document.get_dictionary_mut(root)?;
    catalog.remove(b"StructTreeRoot");
    catalog.remove(b"MarkInfo");
    Ok(())
}

fn root(document: &Document) -> lopdf::Result<ObjectId> {
    document.trailer.get(b"Root")?.as_reference()
}

#[cfg(test)]
mod tests {
    use image::{Luma, Rgb};

    use super::*;

    fn filter(picture: &DynamicImage) -> String {
        let stream = encode_image(picture).unwrap();
        let name = stream.dict.get(b"Filter").unwrap().as_name().unwrap();
        String::from_utf8(name.to_vec()).unwrap()
    }

    #[test]
    fn text_is_stored_losslessly_and_photographs_as_jpeg() {
        let page = GrayImage::from_fn(400, 400, |x, y| {
            Luma([if x % 50 == 0 && y % 20 < 9 { 30 } else { 255 }])
        });
        assert_eq!(filter(&page.into()), "FlateDecode");
        let mut state = 1_u32;
        let photograph = RgbImage::from_fn(400, 400, |x, y| {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Rgb([x as u8 ^ (state >> 30) as u8, y as u8, (state >> 29) as u8])
        });
        assert_eq!(filter(&photograph.into()), "DCTDecode");
    }

    #[test]
    fn images_without_color_become_gray() {
        let gray = from_bgrx((2, 1), &[1, 1, 1, 255, 9, 9, 9, 255]).unwrap();
        assert_eq!(gray.as_bytes(), [1, 9]);
        let colored = from_bgrx((2, 1), &[1, 2, 3, 255, 9, 9, 9, 255]).unwrap();
        assert_eq!(colored.as_bytes(), [3, 2, 1, 9, 9, 9]);
    }
}
