//! Operation `cleanup` on scanned pages.

use std::io::Cursor;

use domain::format::Format;
use domain::operation::{CleanupOptions, Operation};
use image::{DynamicImage, GrayImage, ImageFormat, Luma, Rgb, RgbImage};

use crate::{corpus, harness, pillow, poppler};

/// A grayscale page of text, without noise.
fn page() -> RgbImage {
    let document = corpus::file("pdf-text/lorem-ipsum-pages-09-4.1-923.pdf");
    let page = DynamicImage::from(poppler::picture(&document, 1, 150));
    let page = DynamicImage::from(page.into_luma8()).into_rgb8();
    let ink = page.pixels().filter(|pixel| pixel.0[0] < 128).count();
    assert!(ink > 3_000, "the page has too little text: {ink}");
    page
}

fn options() -> CleanupOptions {
    CleanupOptions::default()
}

fn cleaned(page: &DynamicImage, options: CleanupOptions) -> DynamicImage {
    let mut png = Cursor::new(Vec::new());
    page.write_to(&mut png, ImageFormat::Png).unwrap();
    let steps = [Operation::Cleanup(options)];
    let output = harness::run_bytes(&png.into_inner(), Format::Png, &steps).unwrap();
    image::load_from_memory(&output.bytes()).unwrap()
}

/// Adds a red mark to the left and a blue one to the right of the text, at the same height.
fn marked(mut page: RgbImage) -> RgbImage {
    let (width, middle) = (page.width(), page.height() / 2);
    for (left, color) in [(20, [255, 0, 0]), (width - 29, [0, 0, 255])] {
        for x in left..left + 9 {
            for y in middle..middle + 9 {
                page.put_pixel(x, y, Rgb(color));
            }
        }
    }
    page
}

/// Position of a mark, found by its color.
fn mark(page: &RgbImage, is_mark: impl Fn([u8; 3]) -> bool) -> (f64, f64) {
    let marks: Vec<(u32, u32)> = page
        .enumerate_pixels()
        .filter(|(_, _, pixel)| is_mark(pixel.0))
        .map(|(x, y, _)| (x, y))
        .collect();
    assert!(marks.len() > 20);
    let mean = |sum: u32| f64::from(sum) / marks.len() as f64;
    (
        mean(marks.iter().map(|mark| mark.0).sum()),
        mean(marks.iter().map(|mark| mark.1).sum()),
    )
}

/// Skew in degrees: how far the line between the marks falls to the right.
fn slope(page: &RgbImage) -> f64 {
    let left = mark(page, |[red, green, blue]| {
        red > 150 && green < 90 && blue < 90
    });
    let right = mark(page, |[red, green, blue]| {
        blue > 150 && green < 90 && red < 90
    });
    (right.1 - left.1).atan2(right.0 - left.0).to_degrees()
}

/// The page skewed clockwise by an angle in degrees, as in a scan.
fn skewed(page: &RgbImage, degrees: f64) -> RgbImage {
    let (sine, cosine) = degrees.to_radians().sin_cos();
    let (width, height) = (f64::from(page.width()), f64::from(page.height()));
    let across = (width * cosine + height * sine.abs()).ceil();
    let down = (width * sine.abs() + height * cosine).ceil();
    RgbImage::from_fn(across as u32, down as u32, |x, y| {
        let (x, y) = (f64::from(x) - across / 2.0, f64::from(y) - down / 2.0);
        let from = (
            x * cosine + y * sine + width / 2.0,
            -x * sine + y * cosine + height / 2.0,
        );
        let sampled = image::imageops::interpolate_bilinear(page, from.0 as f32, from.1 as f32);
        sampled.unwrap_or(Rgb([255; 3]))
    })
}

#[test]
fn deskew_is_accurate_to_a_tenth_of_a_degree() {
    let page = marked(page());
    let deskew = CleanupOptions {
        deskew: Some(true),
        ..options()
    };
    let angles = vec![-14.3, -2.1, -0.4, 0.0, 0.3, 4.6, 14.8];
    harness::each(angles, |degrees| {
        let skewed = skewed(&page, degrees);
        assert!((slope(&skewed) - degrees).abs() < 0.05);
        let level = cleaned(&skewed.into(), deskew.clone()).into_rgb8();
        let left = slope(&level);
        assert!(left.abs() <= 0.1, "{degrees}: {left:.3} left");
    });
}

#[test]
fn image_without_text_lines_is_not_rotated() {
    let deskew = CleanupOptions {
        deskew: Some(true),
        ..options()
    };
    let photo = image::open(corpus::file("images/jpeg/flower.jpg")).unwrap();
    let empty = DynamicImage::from(RgbImage::from_pixel(300, 200, Rgb([250; 3])));
    for picture in [photo, empty] {
        let result = cleaned(&picture, deskew.clone());
        assert_eq!(result.into_rgb8(), picture.into_rgb8());
    }
}

#[test]
fn binarize_handles_uneven_lighting() {
    let page = DynamicImage::from(page()).into_luma8();
    let (width, height) = page.dimensions();
    let shaded = GrayImage::from_fn(width, height, |x, y| {
        let light = 90 + (x * 150 / width + y * 15 / height);
        Luma([(u32::from(page.get_pixel(x, y).0[0]) * light / 255) as u8])
    });
    let binarize = CleanupOptions {
        binarize: Some(true),
        ..options()
    };
    let result = cleaned(&shaded.into(), binarize).into_luma8();
    let levels: std::collections::BTreeSet<u8> = result.iter().copied().collect();
    assert_eq!(levels.into_iter().collect::<Vec<_>>(), [0, 255]);
    // Only pixels that are clearly ink or paper in the original.
    let wrong = page
        .iter()
        .zip(result.iter())
        .filter(|(before, after)| matches!((before, after), (0..80, 255) | (230.., 0)));
    let share = wrong.count() as f64 / page.len() as f64;
    assert!(share < 0.001, "{share:.5} of the pixels are wrong");
}

#[test]
fn specks_are_removed_and_text_is_kept() {
    let page = DynamicImage::from(page()).into_luma8();
    let mut noisy = page.clone();
    let mut state = 7_u32;
    let mut random = |most: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % most
    };
    let (width, height) = page.dimensions();
    let specks = width * height / 200;
    for index in 0..specks {
        let place = (random(width), random(height));
        noisy.put_pixel(
            place.0,
            place.1,
            Luma([if index % 2 == 0 { 0 } else { 255 }]),
        );
    }
    let denoise = CleanupOptions {
        denoise: Some(true),
        ..options()
    };
    let wrong = |found: &GrayImage| {
        let pairs = page.iter().zip(found.iter());
        pairs.filter(|(a, b)| a.abs_diff(**b) > 60).count()
    };
    let result = cleaned(&noisy.clone().into(), denoise.clone()).into_luma8();
    let (before, after) = (wrong(&noisy), wrong(&result));
    assert!(after * 4 < before, "{after} of {before} specks are left");
    // No printed pixel is removed.
    let untouched = cleaned(&page.clone().into(), denoise).into_luma8();
    let ink = page.iter().filter(|sample| **sample < 128).count();
    assert!(
        wrong(&untouched) * 500 < ink,
        "{} of {ink}",
        wrong(&untouched)
    );
}

#[test]
fn trim_removes_exactly_the_empty_margin() {
    let page = RgbImage::from_fn(300, 200, |x, y| {
        let is_frame = (40..=250).contains(&x) && (30..=170).contains(&y);
        Rgb(if is_frame {
            [(x % 90) as u8, 20, 60]
        } else {
            [246, 244, 238]
        })
    });
    let trim = CleanupOptions {
        trim: Some(true),
        ..options()
    };
    let result = cleaned(&page.clone().into(), trim.clone()).into_rgb8();
    let expected = image::imageops::crop_imm(&page, 40, 30, 211, 141).to_image();
    assert_eq!(result, expected);
    let empty = RgbImage::from_pixel(30, 20, Rgb([200; 3]));
    assert_eq!(cleaned(&empty.clone().into(), trim).into_rgb8(), empty);
}

#[test]
fn all_options_combined_yield_level_black_and_white_text() {
    let everything = CleanupOptions {
        deskew: Some(true),
        denoise: Some(true),
        binarize: Some(true),
        trim: Some(true),
    };
    let page = page();
    let plain = CleanupOptions {
        binarize: Some(true),
        trim: Some(true),
        ..options()
    };
    let expected = cleaned(&page.clone().into(), plain).into_luma8();
    let result = cleaned(&skewed(&page, 3.0).into(), everything).into_luma8();
    assert!(result.iter().all(|sample| matches!(sample, 0 | 255)));
    let near = |one: u32, other: u32| one.abs_diff(other) <= 6;
    assert!(
        near(result.width(), expected.width()),
        "{:?}",
        result.dimensions()
    );
    assert!(
        near(result.height(), expected.height()),
        "{:?}",
        result.dimensions()
    );
    let ink = |page: &GrayImage| page.iter().filter(|sample| **sample == 0).count() as f64;
    let share = ink(&result) / ink(&expected);
    assert!((0.75..1.33).contains(&share), "{share:.2}");
}

#[test]
fn every_format_is_cleaned_with_all_tiff_pages() {
    let everything = CleanupOptions {
        deskew: Some(true),
        denoise: Some(true),
        binarize: Some(true),
        trim: Some(true),
    };
    let kinds = ["jpeg", "png", "webp", "avif", "gif", "tiff", "bmp"];
    harness::each(corpus::good(&kinds, 2), |(entry, format)| {
        let steps = [Operation::Cleanup(everything.clone())];
        let output = harness::run(&entry.path(), format, &steps);
        let output = output.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        assert_eq!(output.artifact.content_type, format.mime_type());
        let pages = match format {
            Format::Tiff => entry.facts.frames.unwrap_or(1),
            _ => 1,
        };
        assert_eq!(output.artifact.pages, pages, "{}", entry.file);
    });
}

#[test]
fn a_binarized_photo_has_no_color_profile() {
    let photo = corpus::file("images/jpeg/cat.jpg");
    assert_ne!(pillow::read(&photo).profile, 0);
    let binarize = Operation::Cleanup(CleanupOptions {
        binarize: Some(true),
        ..options()
    });
    let output = harness::run(&photo, Format::Jpeg, &[binarize]).unwrap();
    assert_eq!(pillow::read(output.path()).profile, 0);
}
