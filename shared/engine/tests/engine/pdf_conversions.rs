//! Options of PDF to images and text: page selection, resolution, quality.

use std::io::Cursor;
use std::path::Path;

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::Operation;
use image::{DynamicImage, GenericImageView as _, ImageFormat};
use serde_json::{Value, json};
use zip::ZipArchive;

use crate::sample_documents::{numbered, pdf};
use crate::{corpus, harness, poppler};

fn convert(to: &str, options: Value) -> Operation {
    let mut item = json!({"operation": "convert", "format": to});
    for (name, value) in options.as_object().unwrap() {
        item[name] = value.clone();
    }
    Operation::read(&item, "$").unwrap_or_else(|fault| panic!("{item}: {fault:?}"))
}

fn convert_bytes(
    document: &[u8],
    to: &str,
    options: Value,
) -> Result<harness::Converted, JobErrorCode> {
    let step = convert(to, options);
    harness::code(harness::run_bytes(document, Format::Pdf, &[step]))
}

fn picture(bytes: &[u8], format: ImageFormat) -> DynamicImage {
    image::load(Cursor::new(bytes), format).unwrap()
}

/// Names and contents of an archive.
fn files(archive: &Path) -> Vec<(String, Vec<u8>)> {
    let mut archive = ZipArchive::new(std::fs::File::open(archive).unwrap()).unwrap();
    let read = (0..archive.len()).map(|index| {
        let mut entry = archive.by_index(index).unwrap();
        let mut bytes = Vec::new();
        std::io::copy(&mut entry, &mut bytes).unwrap();
        (entry.name().unwrap().into_owned(), bytes)
    });
    read.collect()
}

/// Pages of 2 × 1 inches, each with a square of a different size.
fn squares(count: u32) -> Vec<u8> {
    let kids: Vec<String> = (0..count)
        .map(|page| format!("{} 0 R", 3 + 2 * page))
        .collect();
    let mut objects = vec![
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        format!("<</Type/Pages/Kids[{}]/Count {count}>>", kids.join(" ")),
    ];
    for page in 0..count {
        let content = format!("0 0 {0} {0} re f", 12 * (page + 1));
        objects.push(format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 144 72]/Contents {} 0 R>>",
            4 + 2 * page
        ));
        objects.push(format!(
            "<</Length {}>>stream\n{content}\nendstream",
            content.len()
        ));
    }
    pdf(&objects)
}

/// Width of the square in twelfths of the page height.
fn square(picture: &DynamicImage) -> u32 {
    let row = picture.height() - 2;
    let dark = (0..picture.width()).filter(|x| picture.get_pixel(*x, row).0[0] < 128);
    let unit = f64::from(picture.height()) / 6.0;
    (f64::from(u32::try_from(dark.count()).unwrap()) / unit).round() as u32
}

#[test]
fn resolution_is_in_pixels_per_inch() {
    let page = squares(1);
    for (to, format) in [
        ("png", ImageFormat::Png),
        ("jpeg", ImageFormat::Jpeg),
        ("webp", ImageFormat::WebP),
    ] {
        for (options, sides) in [
            (json!({}), (300, 150)),
            (json!({"resolution": 10}), (20, 10)),
            (json!({"resolution": 72}), (144, 72)),
            (json!({"resolution": 301}), (602, 301)),
        ] {
            let result = convert_bytes(&page, to, options).unwrap();
            let picture = picture(&result.bytes(), format);
            assert_eq!(picture.dimensions(), sides, "{to}");
            assert_eq!(square(&picture), 1, "{to}");
        }
    }
}

#[test]
fn only_selected_pages_become_images() {
    let document = squares(5);
    let result = convert_bytes(&document, "png", json!({"pages": "4,2-3,3"})).unwrap();
    assert_eq!(result.artifact.pages, 3);
    let files = files(result.path());
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    let ends = ["-0001.png", "-0002.png", "-0003.png"];
    assert!(
        names
            .iter()
            .zip(ends)
            .all(|(name, end)| name.ends_with(end)),
        "{names:?}"
    );
    let visible = files
        .iter()
        .map(|(_, bytes)| square(&picture(bytes, ImageFormat::Png)));
    assert_eq!(visible.collect::<Vec<_>>(), [2, 3, 4]);
    let last = convert_bytes(&document, "jpeg", json!({"pages": "last"})).unwrap();
    assert_eq!(square(&picture(&last.bytes(), ImageFormat::Jpeg)), 5);
    assert_eq!(last.artifact.content_type, "image/jpeg");
    let beyond = convert_bytes(&document, "png", json!({"pages": "6"}));
    assert_eq!(beyond.err(), Some(JobErrorCode::PageRangeInvalid));
}

#[test]
fn only_selected_pages_become_text() {
    let document = numbered("page", 4);
    let text = |pages: &str| {
        let result = convert_bytes(&document, "txt", json!({"pages": pages}))?;
        Ok((
            result.artifact.pages,
            String::from_utf8(result.bytes()).unwrap(),
        ))
    };
    assert_eq!(text("3,1"), Ok((2, "page 1\n\u{c}page 3\n".to_owned())));
    assert_eq!(text("-1"), Ok((1, "page 4\n".to_owned())));
    assert_eq!(text("5"), Err(JobErrorCode::PageRangeInvalid));
}

#[test]
fn lower_quality_yields_smaller_files() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    for (to, format) in [("jpeg", ImageFormat::Jpeg), ("webp", ImageFormat::WebP)] {
        let sizes = [10, 80, 100].map(|quality| {
            let options = json!({"pages": "1", "imageQuality": quality});
            let result = harness::run(&source, Format::Pdf, &[convert(to, options)]).unwrap();
            picture(&result.bytes(), format);
            result.bytes().len()
        });
        assert!(
            sizes.is_sorted_by(|one, other| one < other),
            "{to}: {sizes:?}"
        );
        let usual = convert(to, json!({"pages": "1"}));
        let usual = harness::run(&source, Format::Pdf, &[usual]).unwrap();
        assert_eq!(usual.bytes().len(), sizes[1], "{to}");
    }
}

#[test]
fn images_match_poppler() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let expected = poppler::picture(&source, 2, 60);
    let result = convert("webp", json!({"pages": "2", "resolution": 60}));
    let result = harness::run(&source, Format::Pdf, &[result]).unwrap();
    let found = picture(&result.bytes(), ImageFormat::WebP).to_rgb8();
    let shade = |picture: &image::RgbImage| {
        picture.iter().map(|sample| f64::from(*sample)).sum::<f64>() / picture.len() as f64
    };
    assert!((shade(&found) - shade(&expected)).abs() < 4.0);
}

#[test]
fn images_above_the_plan_limit_are_scaled_down_with_a_warning() {
    let limits = JobLimits {
        image_side: 150,
        ..harness::GENEROUS
    };
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), squares(1)).unwrap();
    let run = |options| {
        let steps = [convert("png", options)];
        harness::code(harness::run_within(
            file.path(),
            Format::Pdf,
            &steps,
            limits,
        ))
    };
    for options in [json!({}), json!({"resolution": 76})] {
        let limited = run(options).unwrap();
        assert_eq!(limited.warnings(), ["limited_by_size"]);
        let sides = picture(&limited.bytes(), ImageFormat::Png).dimensions();
        assert_eq!(sides, (150, 75));
    }
    assert_eq!(
        run(json!({"resolution": 75})).unwrap().warnings(),
        Vec::<&str>::new()
    );
}

#[test]
fn oversized_pages_are_scaled_down_with_a_warning() {
    let huge = pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 14400 14400]>>",
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 144 72]>>",
    ]);
    let limited = convert_bytes(&huge, "png", json!({"pages": "1"})).unwrap();
    assert_eq!(limited.warnings(), ["limited_by_size"]);
    let sides = picture(&limited.bytes(), ImageFormat::Png).dimensions();
    assert_eq!(sides, (10_000, 10_000));
    let fine = convert_bytes(&huge, "png", json!({"pages": "1", "resolution": 10})).unwrap();
    let sides = picture(&fine.bytes(), ImageFormat::Png).dimensions();
    assert_eq!(sides, (2_000, 2_000));
    let other = convert_bytes(&huge, "png", json!({"pages": "2"})).unwrap();
    assert_eq!(
        picture(&other.bytes(), ImageFormat::Png).dimensions(),
        (300, 150)
    );
}

#[test]
fn text_includes_form_values_without_appearance() {
    let form = |asks: &str| {
        pdf(&[
            format!("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R 5 0 R]{asks}/DA(/Helv 0 Tf 0 g)>>>>"),
            "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Annots[4 0 R 5 0 R]>>".to_owned(),
            "<</Type/Annot/Subtype/Widget/F 4/FT/Tx/T(a)/Rect[20 60 280 80]/V(typed here)>>".to_owned(),
            "<</Type/Annot/Subtype/Widget/F 4/FT/Ch/T(b)/Rect[20 20 280 55]/Opt[(first)(second)]/V(second)>>".to_owned(),
        ])
    };
    for asks in ["", "/NeedAppearances true"] {
        let result = convert_bytes(&form(asks), "txt", json!({})).unwrap();
        assert_eq!(result.bytes(), b"typed here\n\nfirst second\n", "{asks}");
        assert_eq!(result.warnings(), Vec::<&str>::new());
    }
}

#[test]
fn resolution_respects_user_unit() {
    let document = |unit: &str| {
        pdf(&[
            "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
            "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>".to_owned(),
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 144 72]>>".to_owned(),
            format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 144 72]/Rotate 90{unit}>>"),
        ])
    };
    for (unit, expected) in [("", (100, 200)), ("/UserUnit 2.5", (250, 500))] {
        let options = json!({"resolution": 100, "pages": "2"});
        let result = convert_bytes(&document(unit), "png", options).unwrap();
        let picture = picture(&result.bytes(), ImageFormat::Png);
        assert_eq!(picture.dimensions(), expected, "{unit}");
    }
}
