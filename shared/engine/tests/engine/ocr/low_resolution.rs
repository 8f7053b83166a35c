//! Pages with few pixels are recognized like others.

use domain::format::Format;
use domain::operation::{OcrMode, OcrOutput};

use super::{encoded, read_bytes};
use crate::sample_documents::{pdf, stream};
use crate::{corpus, harness, poppler};

/// Pixels per inch.
const RESOLUTION: u32 = 100;
/// Maximum distance in points between the centers of a word and of the recognized one.
const NEAR: f64 = 3.0;

/// A page with tables.
fn known() -> harness::Converted {
    let source = corpus::file("layout-truth/03-tables-eng.docx");
    harness::run(&source, Format::Docx, &[harness::convert(Format::Pdf)]).unwrap()
}

/// The known page as an image of few pixels.
fn scan(known: &harness::Converted) -> Vec<u8> {
    let picture = poppler::picture(known.path(), 1, RESOLUTION);
    let picture = image::imageops::grayscale(&picture);
    let (across, down) = picture.dimensions();
    let (width, height) = poppler::page_sizes(known.path())[0];
    let about = format!(
        "/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Width {across}/Height {down}"
    );
    let page = format!(
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/MediaBox[0 0 {width} {height}]/Resources<</XObject<</I 5 0 R>>>>>>"
    );
    let content = format!("q {width} 0 0 {height} 0 0 cm /I Do Q");
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        page.into_bytes(),
        stream("", content.as_bytes()),
        stream(&about, &encoded(&picture, image::ImageFormat::Jpeg)),
    ])
}

#[test]
fn words_of_few_pixels_are_found_in_place() {
    let known = known();
    let result = read_bytes(
        &scan(&known),
        Format::Pdf,
        OcrOutput::Pdf,
        OcrMode::SkipText,
    );
    let (truth, found) = (
        &poppler::word_boxes(known.path())[0],
        &poppler::word_boxes(result.path())[0],
    );
    let middle =
        |[left, top, right, bottom]: [f64; 4]| ((left + right) / 2.0, (top + bottom) / 2.0);
    let is_found = |(word, place): &&(String, [f64; 4])| {
        let (x, y) = middle(*place);
        found.iter().any(|(text, place)| {
            let (u, v) = middle(*place);
            text == word && (u - x).abs() <= NEAR && (v - y).abs() <= NEAR
        })
    };
    let count = truth.iter().filter(is_found).count();
    assert!(
        count * 100 >= truth.len() * 96,
        "{count} of {}: {found:?}",
        truth.len()
    );
}
