//! Extraction of images.

use serde_json::{Value, json};

use crate::pdf::{self, Pdf, extract};

#[test]
fn jpeg_data_is_extracted_unchanged() {
    let jpeg = pdf::jpeg();
    let mut pdf =
        Pdf::new("q 100 0 0 50 60 600 cm /I Do Q BT /F 10 Tf 60 500 Td (Below it.) Tj ET");
    pdf.stream(
        7,
        "/Type/XObject/Subtype/Image/Width 16 /Height 8 /BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode",
        &jpeg,
    );
    let model = extract(&pdf, true);
    let expected = json!([{"isJpeg": true, "width": 16, "height": 8, "bytes": jpeg.len()}]);
    assert_eq!(model["pictures"], expected);
    assert_eq!(model["pages"][0]["blocks"][0]["type"], "image");
}

#[test]
fn masked_pixels_become_transparent() {
    let mut pdf = Pdf::new("q 100 0 0 50 60 600 cm /I Do Q");
    let mask =
        "/Type/XObject/Subtype/Image/Width 16 /Height 8 /BitsPerComponent 8/ColorSpace/DeviceGray";
    pdf.stream(8, mask, &[0; 16 * 8]);
    pdf.stream(
        7,
        "/Type/XObject/Subtype/Image/Width 16 /Height 8 /BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode/SMask 8 0 R",
        &pdf::jpeg(),
    );
    let model = extract(&pdf, true);
    assert_eq!(model["pictures"][0]["isJpeg"], false);
    assert_eq!(model["pages"][0]["warnings"], json!([{"code": "no_text"}]));
}

#[test]
fn extracted_pixels_are_upright() {
    let mut pdf = Pdf::new("q 100 0 0 50 60 600 cm /I Do Q");
    let image =
        "/Type/XObject/Subtype/Image/Width 1 /Height 2 /BitsPerComponent 8/ColorSpace/DeviceRGB";
    pdf.stream(7, image, &[255, 0, 0, 0, 0, 255]);
    let picture = pdf::picture(&pdf);
    assert_eq!(picture.dimensions(), (1, 2));
    assert_eq!(picture.get_pixel(0, 0).0, [255, 0, 0, 255]);
    assert_eq!(picture.get_pixel(0, 1).0, [0, 0, 255, 255]);
}

const RGB: &str = "/Type/XObject/Subtype/Image/BitsPerComponent 8/ColorSpace/DeviceRGB";
const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];

/// A page that draws an image of alternating red and blue pixels in `columns` columns.
fn red_and_blue(content: &str, columns: usize) -> Pdf {
    let mut pdf = Pdf::new(content);
    let sides = format!("{RGB}/Width {columns}/Height {}", 2 / columns);
    pdf.stream(7, &sides, &[RED, BLUE].concat());
    pdf
}

/// The extracted pixels, row by row.
fn rows(pdf: &Pdf) -> Vec<Vec<[u8; 3]>> {
    let picture = pdf::picture(pdf);
    let color = |pixel: &image::Rgba<u8>| [pixel.0[0], pixel.0[1], pixel.0[2]];
    let rows = picture.rows();
    rows.map(|row| row.map(color).collect()).collect()
}

fn turn(pdf: &mut Pdf, degrees: u16) {
    pdf.object(
        3,
        &format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Rotate {degrees}/Contents 4 0 R/Resources<</XObject<</I 7 0 R>>>>>>"),
    );
}

#[test]
fn repeated_images_are_extracted_once() {
    let pdf = red_and_blue(
        "q 100 0 0 50 60 600 cm /I Do Q q 200 0 0 90 60 400 cm /I Do Q",
        2,
    );
    let model = extract(&pdf, true);
    assert_eq!(model["pictures"].as_array().unwrap().len(), 1);
    let blocks = model["pages"][0]["blocks"].as_array().unwrap();
    let images: Vec<&Value> = blocks.iter().map(|block| &block["image"]).collect();
    assert_eq!(images, [0, 0]);
}

#[test]
fn images_of_rotated_pages_are_rotated() {
    let mut pdf = red_and_blue("q 100 0 0 50 60 600 cm /I Do Q", 1);
    for (degrees, expected) in [
        (90, vec![vec![BLUE, RED]]),
        (180, vec![vec![BLUE], vec![RED]]),
        (270, vec![vec![RED, BLUE]]),
    ] {
        turn(&mut pdf, degrees);
        assert_eq!(rows(&pdf), expected, "{degrees}");
    }
}

#[test]
fn mirrored_and_rotated_images_are_transformed() {
    let mirrored = red_and_blue("q -100 0 0 50 160 600 cm /I Do Q", 2);
    assert_eq!(rows(&mirrored), [[BLUE, RED]]);
    let turned = red_and_blue("q 0 100 -50 0 110 600 cm /I Do Q", 2);
    assert_eq!(rows(&turned), [[BLUE], [RED]]);
}

#[test]
fn image_parts_outside_the_page_are_cropped() {
    let pdf = red_and_blue("q 100 0 0 50 -50 600 cm /I Do Q", 2);
    assert_eq!(rows(&pdf), [[BLUE]]);
}

/// The extracted image of a JPEG with these dictionary entries.
fn jpeg(members: &str, degrees: u16) -> Value {
    let mut pdf = Pdf::new("q 100 0 0 50 60 600 cm /I Do Q");
    turn(&mut pdf, degrees);
    let members = format!(
        "/Type/XObject/Subtype/Image/Width 16/Height 8/BitsPerComponent 8/Filter/DCTDecode{members}"
    );
    pdf.stream(7, &members, &pdf::jpeg());
    extract(&pdf, true)["pictures"][0].clone()
}

#[test]
fn transformed_jpeg_is_decoded_to_pixels() {
    assert_eq!(jpeg("/ColorSpace/DeviceRGB", 0)["isJpeg"], true);
    let inverted = jpeg("/ColorSpace/DeviceRGB/Decode[1 0 1 0 1 0]", 0);
    assert_eq!(inverted["isJpeg"], false);
    let lab = jpeg("/ColorSpace[/Lab<</WhitePoint[0.95 1 1.09]>>]", 0);
    assert_eq!(lab["isJpeg"], false);
    let turned = jpeg("/ColorSpace/DeviceRGB", 90);
    assert_eq!(turned["isJpeg"], false);
    assert_eq!(
        (&turned["width"], &turned["height"]),
        (&json!(8), &json!(16))
    );
}
