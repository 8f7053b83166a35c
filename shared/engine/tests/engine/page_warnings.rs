//! Pages of a PDF without text, or with an image that cannot be rendered, yield a result with a warning.

use domain::format::Format;
use image::codecs::jpeg::JpegEncoder;

use crate::harness;
use crate::sample_documents::{pdf, stream};

/// A document of pages with these content streams; each can draw the XObject `I`.
fn pages(contents: &[&str], image: Vec<u8>) -> Vec<u8> {
    let count = contents.len();
    let number = |index: usize| 5 + 2 * index;
    let kids: String = (0..count)
        .map(|index| format!("{} 0 R ", number(index)))
        .collect();
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        format!("<</Type/Pages/Kids[{kids}]/Count {count}/MediaBox[0 0 200 200]>>").into_bytes(),
        image,
        stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 1 1]/Resources<</XObject<</I 3 0 R>>>>",
            b"/I Do",
        ),
    ];
    for (index, content) in contents.iter().enumerate() {
        let content_number = number(index) + 1;
        let page = format!(
            "<</Type/Page/Parent 2 0 R/Contents {content_number} 0 R/Resources<</XObject<</I 3 0 R/X 4 0 R>>/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>"
        );
        objects.extend([page.into_bytes(), stream("", content.as_bytes())]);
    }
    pdf(&objects)
}

const TEXT: &str = "BT /F 24 Tf 20 100 Td (words) Tj ET";
const IMAGE: &str = "q 100 0 0 100 50 50 cm /I Do Q";
const IMAGE_IN_A_FORM: &str = "q 100 0 0 100 50 50 cm /X Do Q";

fn image(entries: &str, content: &[u8]) -> Vec<u8> {
    stream(&format!("/Type/XObject/Subtype/Image{entries}"), content)
}

/// A black JPEG of 64 × 64 pixels.
fn jpeg() -> Vec<u8> {
    let mut file = Vec::new();
    let pixels = image::RgbImage::new(64, 64);
    JpegEncoder::new(&mut file).encode_image(&pixels).unwrap();
    file
}

fn sides(side: u32) -> String {
    format!("/Width {side}/Height {side}")
}

fn with_color_space(side: u32, filter: &str) -> String {
    format!(
        "{}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/{filter}",
        sides(side)
    )
}

fn converted(document: &[u8], to: Format) -> harness::Converted {
    harness::run_bytes(document, Format::Pdf, &[harness::convert(to)]).unwrap()
}

#[test]
fn pages_without_text_are_counted_unless_blank() {
    let picture = || image(&with_color_space(64, "DCTDecode"), &jpeg());
    let result = converted(&pages(&[IMAGE, TEXT, ""], picture()), Format::Txt);
    assert_eq!(
        String::from_utf8(result.bytes()).unwrap(),
        "\n\u{c}words\n\u{c}\n"
    );
    assert_eq!(result.warnings(), ["no_text_layer"]);
    let warning = &result.artifact.warnings[0];
    let message = "OCR recognized no text on page 1.";
    assert!(warning.message.starts_with(message), "{}", warning.message);
    let original = converted(&pages(&[TEXT, TEXT], picture()), Format::Txt);
    assert_eq!(original.warnings(), Vec::<&str>::new());
    assert_eq!(original.bytes(), b"words\n\x0cwords\n");
}

#[test]
fn unrenderable_images_are_listed_with_their_pages() {
    let gray = "/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/JBIG2Decode";
    for (name, unrendered) in [
        (
            "too large",
            image(&with_color_space(60_000, "FlateDecode"), &[0; 1000]),
        ),
        (
            "no JPEG",
            image(
                &with_color_space(64, "DCTDecode"),
                b"noise noise noise noise",
            ),
        ),
        (
            "a JPEG's beginning",
            image(&with_color_space(64, "DCTDecode"), &jpeg()[..200]),
        ),
        (
            "no JPEG 2000",
            image(&with_color_space(64, "JPXDecode"), b"noise noise"),
        ),
        (
            "no JBIG2",
            image(&format!("{}{gray}", sides(64)), b"noise noise"),
        ),
        (
            "unknown",
            image(&with_color_space(64, "FooDecode"), b"noise noise"),
        ),
    ] {
        let document = pages(&[TEXT, IMAGE, IMAGE_IN_A_FORM], unrendered);
        let result = converted(&document, Format::Jpeg);
        assert_eq!(result.warnings(), ["image_not_drawn"], "{name}");
        let message = &result.artifact.warnings[0].message;
        assert!(
            message.ends_with("missing on pages 2, 3."),
            "{name}: {message}"
        );
    }
}

#[test]
fn rendered_images_cause_no_warning() {
    let black = vec![0; 64 * 64 * 3];
    for (name, painted) in [
        ("JPEG", image(&with_color_space(64, "DCTDecode"), &jpeg())),
        (
            "samples",
            image(
                &format!("{}/ColorSpace/DeviceRGB/BitsPerComponent 8", sides(64)),
                &black,
            ),
        ),
        (
            "a mask",
            image(&format!("{}/ImageMask true", sides(64)), &black),
        ),
    ] {
        for content in [IMAGE, IMAGE_IN_A_FORM] {
            let result = converted(&pages(&[content], painted.clone()), Format::Png);
            assert_eq!(result.warnings(), Vec::<&str>::new(), "{name}");
            let picture = image::load_from_memory(&result.bytes()).unwrap().to_luma8();
            assert!(
                picture.get_pixel(208, 208).0[0] < 16,
                "{name} is not rendered"
            );
        }
    }
}
