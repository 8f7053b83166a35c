//! Pictures, as they are handed out.

use serde_json::{Value, json};

use crate::pdf::{self, Pdf, told};

#[test]
fn a_jpeg_file_is_handed_out_as_it_is() {
    let jpeg = pdf::jpeg();
    let mut pdf =
        Pdf::new("q 100 0 0 50 60 600 cm /I Do Q BT /F 10 Tf 60 500 Td (Below it.) Tj ET");
    pdf.stream(
        7,
        "/Type/XObject/Subtype/Image/Width 16 /Height 8 /BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode",
        &jpeg,
    );
    let told = told(&pdf, true);
    let expected = json!([{"isJpeg": true, "width": 16, "height": 8, "bytes": jpeg.len()}]);
    assert_eq!(told["pictures"], expected);
    assert_eq!(told["pages"][0]["blocks"][0]["type"], "image");
}

#[test]
fn what_a_mask_leaves_out_of_a_picture_is_transparent() {
    let mut pdf = Pdf::new("q 100 0 0 50 60 600 cm /I Do Q");
    let mask =
        "/Type/XObject/Subtype/Image/Width 16 /Height 8 /BitsPerComponent 8/ColorSpace/DeviceGray";
    pdf.stream(8, mask, &[0; 16 * 8]);
    pdf.stream(
        7,
        "/Type/XObject/Subtype/Image/Width 16 /Height 8 /BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode/SMask 8 0 R",
        &pdf::jpeg(),
    );
    let told = told(&pdf, true);
    assert_eq!(told["pictures"][0]["isJpeg"], false);
    assert_eq!(told["pages"][0]["warnings"], json!([{"code": "no_text"}]));
}

#[test]
fn pixels_are_handed_out_upright() {
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

/// A page that draws a picture of red and blue pixels, so many beside each other.
fn red_and_blue(content: &str, columns: usize) -> Pdf {
    let mut pdf = Pdf::new(content);
    let sides = format!("{RGB}/Width {columns}/Height {}", 2 / columns);
    pdf.stream(7, &sides, &[RED, BLUE].concat());
    pdf
}

/// The pixels that are handed out, row by row.
fn rows(pdf: &Pdf) -> Vec<Vec<[u8; 3]>> {
    let picture = pdf::picture(pdf);
    let colour = |pixel: &image::Rgba<u8>| [pixel.0[0], pixel.0[1], pixel.0[2]];
    let rows = picture.rows();
    rows.map(|row| row.map(colour).collect()).collect()
}

fn turn(pdf: &mut Pdf, degrees: u16) {
    pdf.object(
        3,
        &format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Rotate {degrees}/Contents 4 0 R/Resources<</XObject<</I 7 0 R>>>>>>"),
    );
}

#[test]
fn what_is_drawn_twice_has_one_number() {
    let pdf = red_and_blue(
        "q 100 0 0 50 60 600 cm /I Do Q q 200 0 0 90 60 400 cm /I Do Q",
        2,
    );
    let told = told(&pdf, true);
    assert_eq!(told["pictures"].as_array().unwrap().len(), 1);
    let blocks = told["pages"][0]["blocks"].as_array().unwrap();
    let images: Vec<&Value> = blocks.iter().map(|block| &block["image"]).collect();
    assert_eq!(images, [0, 0]);
}

#[test]
fn pictures_of_a_page_that_is_turned_are_turned() {
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
fn pictures_that_are_mirrored_or_turned_by_themselves_are_too() {
    let mirrored = red_and_blue("q -100 0 0 50 160 600 cm /I Do Q", 2);
    assert_eq!(rows(&mirrored), [[BLUE, RED]]);
    let turned = red_and_blue("q 0 100 -50 0 110 600 cm /I Do Q", 2);
    assert_eq!(rows(&turned), [[BLUE], [RED]]);
}

#[test]
fn what_of_a_picture_is_beside_the_page_is_left_out() {
    let pdf = red_and_blue("q 100 0 0 50 -50 600 cm /I Do Q", 2);
    assert_eq!(rows(&pdf), [[BLUE]]);
}

/// What is handed out of a JPEG file that a document says this of.
fn jpeg(members: &str, degrees: u16) -> Value {
    let mut pdf = Pdf::new("q 100 0 0 50 60 600 cm /I Do Q");
    turn(&mut pdf, degrees);
    let members = format!(
        "/Type/XObject/Subtype/Image/Width 16/Height 8/BitsPerComponent 8/Filter/DCTDecode{members}"
    );
    pdf.stream(7, &members, &pdf::jpeg());
    told(&pdf, true)["pictures"][0].clone()
}

#[test]
fn a_jpeg_file_is_handed_out_as_pixels_where_it_is_shown_otherwise() {
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
