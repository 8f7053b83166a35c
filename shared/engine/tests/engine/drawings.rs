//! Drawings in documents that have another form of them, or none: SVG pictures of DOCX, and formulas on pages of PDF.

use domain::format::Format;

use crate::sample_documents::{docx, pdf, relationship, stream, with_part, with_parts};
use crate::{harness, poppler};

const SVG: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="60"><text x="10" y="40" font-size="24" font-family="DejaVu Sans">zzdrawn harbour</text></svg>"#;

/// A DOCX with a drawing as SVG, and a picture for programs that do not display it.
fn with_svg() -> Vec<u8> {
    let mut picture = std::io::Cursor::new(Vec::new());
    let white = image::RgbImage::from_pixel(300, 60, image::Rgb([255, 255, 255]));
    white
        .write_to(&mut picture, image::ImageFormat::Png)
        .unwrap();
    let drawing = r#"<w:p><w:r><w:t>zztext before</w:t></w:r></w:p><w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"><wp:extent cx="2857500" cy="571500"/><wp:docPr id="1" name="Graphic 1"/><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:nvPicPr><pic:cNvPr id="1" name="Graphic 1"/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill><a:blip r:embed="rId2"><a:extLst><a:ext uri="{96DAC541-7B7A-43D3-8B79-37D633B846F1}"><asvg:svgBlip xmlns:asvg="http://schemas.microsoft.com/office/drawing/2016/SVG/main" r:embed="rId3"/></a:ext></a:extLst></a:blip><a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="2857500" cy="571500"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p>"#;
    let related = relationship("rId2", "image", "media/image1.png")
        + &relationship("rId3", "image", "media/image2.svg");
    let document = docx(drawing, &related);
    let document = with_part(&document, "[Content_Types].xml", |types| {
        types.replace(
            "<Override ",
            r#"<Default Extension="png" ContentType="image/png"/><Default Extension="svg" ContentType="image/svg+xml"/><Override "#,
        )
    });
    let picture = picture.into_inner();
    with_parts(
        &document,
        &[
            ("word/media/image1.png", &picture),
            ("word/media/image2.svg", SVG.as_bytes()),
        ],
    )
}

#[test]
fn a_drawing_with_a_picture_for_other_programs_is_in_the_result_or_counted() {
    let convert =
        |to| harness::run_bytes(&with_svg(), Format::Docx, &[harness::convert(to)]).unwrap();
    let text = poppler::texts(convert(Format::Pdf).path()).concat();
    assert!(text.contains("zzdrawn harbour"), "{text}");
    let page = String::from_utf8(convert(Format::Html).bytes()).unwrap();
    assert_eq!(page.matches("<img ").count(), 1, "{page}");
    assert_eq!(convert(Format::Markdown).warnings(), ["picture_missing"]);
}

/// A page with words, and a fraction whose symbols are paths.
fn with_formula() -> Vec<u8> {
    let text = "BT /F 12 Tf 60 700 Td (The area of the harbour is) Tj ET BT /F 12 Tf 60 620 Td (in each of the years.) Tj ET";
    // Two letters of strokes and curves, a fraction bar, a root and a sum.
    let formula = "0 g 200 665 m 208 685 l 212 685 l 204 665 l f 216 665 m 222 690 228 690 226 678 c 224 666 234 660 238 668 c 236 664 226 660 222 670 c f 195 658 60 1 re f 200 650 m 204 640 l 210 656 l 240 656 l 240 655 l 211 655 l 205 637 l 199 648 l f 214 640 m 214 652 l 226 652 l 226 649 l 218 649 l 222 646 l 217 642 l 226 642 l 226 640 l f 230 640 m 236 652 242 652 240 646 c 238 640 248 638 250 642 c 248 638 240 636 236 642 c f";
    let content = format!("{text} {formula}");
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>".to_vec(),
        stream("", content.as_bytes()),
    ])
}

#[test]
fn a_formula_of_paths_is_kept_or_reported() {
    let convert =
        |to| harness::run_bytes(&with_formula(), Format::Pdf, &[harness::convert(to)]).unwrap();
    for to in [Format::Markdown, Format::Txt] {
        assert_eq!(convert(to).warnings(), ["drawings_left_out"], "{to}");
    }
    let page = convert(Format::Html);
    assert_eq!(page.warnings(), [""; 0]);
    let page = String::from_utf8(page.bytes()).unwrap();
    assert_eq!(page.matches("<img ").count(), 1, "{page}");
}

/// A page with a fraction of symbols between paragraphs, and its number.
fn with_fraction() -> Vec<u8> {
    let lines = (0..6_u8).map(|line| {
        let down = f32::from(line) * 14.0 + if line > 2 { 60.0 } else { 0.0 };
        let y = 700.0 - down;
        format!("BT /F 12 Tf 60 {y} Td (The area of the harbour is said at length in all of them) Tj ET ")
    });
    let text: String = lines.collect();
    let formula = "BT /S 12 Tf 200 640 Td (w =) Tj ET BT /S 12 Tf 232 648 Td (a + b) Tj ET 228 643 36 0.5 re f \
        BT /S 12 Tf 242 632 Td (g) Tj ET BT /F 12 Tf 500 640 Td (\\(37\\)) Tj ET";
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>/S<</Type/Font/Subtype/Type1/BaseFont/Symbol>>>>>>>>".to_vec(),
        stream("", format!("{text} {formula}").as_bytes()),
    ])
}

#[test]
fn a_fraction_becomes_a_picture_with_its_text_and_stays_text_without_pictures() {
    let convert =
        |to| harness::run_bytes(&with_fraction(), Format::Pdf, &[harness::convert(to)]).unwrap();
    let page = convert(Format::Html);
    assert_eq!(page.warnings(), [""; 0]);
    let page = String::from_utf8(page.bytes()).unwrap();
    assert_eq!(page.matches("<img ").count(), 1, "{page}");
    assert!(page.contains("α + β ω = γ\""), "{page}");
    assert!(page.contains("(37)"), "{page}");
    let text = convert(Format::Txt);
    assert_eq!(text.warnings(), [""; 0]);
    let text = String::from_utf8(text.bytes()).unwrap();
    assert!(
        text.contains("α + β ω = γ") && text.contains("(37)"),
        "{text}"
    );
}
