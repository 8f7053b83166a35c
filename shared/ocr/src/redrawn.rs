//! The picture that takes the place of a page, so that nothing of the page's own text is found any more.

use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use image::{DynamicImage, GrayImage, RgbImage};
use imaging::encode::{self, Attributes};
use lopdf::{Dictionary, Document, IncrementalDocument, ObjectId, Stream, dictionary};
use task::Outcome;
use task::matrix::Matrix;

use super::layer::number;

/// What deflating has to make of a picture for it to stay exact: so many times smaller. Photographs do not become that.
const EXACT: usize = 8;
/// Quality of the others.
const QUALITY: u8 = 90;

/// A picture of a page, and where its pixels are in the user space of the page.
pub(super) struct Redrawn {
    pub(super) image: Stream,
    pub(super) place: Matrix,
    pub(super) sides: (u32, u32),
}

/// Pixels of four bytes, blue first, in grey where they have no colour.
pub(super) fn picture((width, height): (u32, u32), samples: &[u8]) -> Option<DynamicImage> {
    let pixels = || samples.chunks_exact(4);
    let is_grey =
        |pixel: &[u8]| matches!(pixel, [blue, green, red, _] if blue == green && green == red);
    match pixels().all(is_grey) {
        true => {
            let grey = pixels().filter_map(|pixel| pixel.first().copied());
            GrayImage::from_raw(width, height, grey.collect()).map(DynamicImage::from)
        }
        false => {
            let colours = pixels().flat_map(|pixel| pixel.iter().take(3).rev().copied());
            RgbImage::from_raw(width, height, colours.collect()).map(DynamicImage::from)
        }
    }
}

/// A picture as PDF stores it: exactly where that takes little space, as JPEG otherwise.
pub(super) fn image(picture: &DynamicImage) -> Outcome<Stream> {
    let samples = picture.as_bytes();
    let mut deflating = ZlibEncoder::new(Vec::new(), Compression::default());
    deflating.write_all(samples)?;
    let deflated = deflating.finish()?;
    let (filter, content) = match deflated.len() * EXACT > samples.len() {
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
    let about = dictionary! {
        "Type" => "XObject",
        "Subtype" => "Image",
        "Width" => i64::from(picture.width()),
        "Height" => i64::from(picture.height()),
        "BitsPerComponent" => 8,
        "ColorSpace" => space,
        "Filter" => filter,
    };
    Ok(Stream::new(about, content).with_compression(false))
}

/// Has a page draw a picture only. Its comments and fields stay.
pub(super) fn redraw(
    document: &mut IncrementalDocument,
    page: ObjectId,
    redrawn: &Redrawn,
) -> lopdf::Result<()> {
    let (width, height) = (f64::from(redrawn.sides.0), f64::from(redrawn.sides.1));
    // An image takes the square from the origin to (1, 1), with its first row on top.
    let pixels = Matrix([width, 0.0, 0.0, -height, 0.0, height]);
    let place = pixels.then(redrawn.place).0.map(number).join(" ");
    let content = Stream::new(
        Dictionary::new(),
        format!("q {place} cm /Page Do Q").into_bytes(),
    );
    let content = document.new_document.add_object(content);
    let image = document.new_document.add_object(redrawn.image.clone());
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

/// Takes the structure of a document away, which speaks of content that is no longer there.
pub(super) fn without_structure(document: &mut IncrementalDocument) -> lopdf::Result<()> {
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
        let stream = image(picture).unwrap();
        let name = stream.dict.get(b"Filter").unwrap().as_name().unwrap();
        String::from_utf8(name.to_vec()).unwrap()
    }

    #[test]
    fn letters_stay_exact_and_photographs_do_not() {
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
    fn what_has_no_colour_is_grey() {
        let grey = picture((2, 1), &[1, 1, 1, 255, 9, 9, 9, 255]).unwrap();
        assert_eq!(grey.as_bytes(), [1, 9]);
        let coloured = picture((2, 1), &[1, 2, 3, 255, 9, 9, 9, 255]).unwrap();
        assert_eq!(coloured.as_bytes(), [3, 2, 1, 9, 9, 9]);
    }
}
