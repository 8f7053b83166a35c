//! TIFF in color spaces, depths and codings that the `image` crate does not decode.

use domain::format::Format;
use domain::job::JobErrorCode;
use image::DynamicImage;

use crate::color_models::{SIDES, fax, tiff};
use crate::{harness, pillow};

type Tag<'a> = (u16, u16, &'a [u8]);

/// An uncompressed page whose left half has one pixel and whose right half another, as PNG.
fn halves(left: &[u8], right: &[u8], photometric: u8, tags: &[Tag<'_>]) -> DynamicImage {
    let half = SIDES.0 as usize / 2;
    let row = [left.repeat(half), right.repeat(half)].concat();
    packed(&row, photometric, tags)
}

/// An uncompressed page of equal rows, as PNG.
fn packed(row: &[u8], photometric: u8, tags: &[Tag<'_>]) -> DynamicImage {
    let photometric = [photometric, 0];
    let own: [Tag<'_>; 2] = [(259, 3, &[1, 0]), (262, 3, &photometric)];
    let source = tiff(&row.repeat(SIDES.1 as usize), &[&own, tags].concat());
    let steps = [harness::convert(Format::Png)];
    let result = harness::run_bytes(&source, Format::Tiff, &steps).unwrap();
    image::load_from_memory(&result.bytes()).unwrap()
}

fn rgba16(image: &DynamicImage) -> [[u16; 4]; 2] {
    let image = image.to_rgba16();
    assert_eq!(image.dimensions(), SIDES);
    [0, SIDES.0 - 1].map(|x| image.get_pixel(x, SIDES.1 / 2).0)
}

fn rgba8(image: &DynamicImage) -> [[u8; 4]; 2] {
    rgba16(image).map(|pixel| pixel.map(|sample| (sample / 257) as u8))
}

#[test]
fn palettes_and_grays_of_few_bits_are_unpacked() {
    // Index 1 is orange, 2 is blue; all reds are before all greens.
    let mut palette = vec![0_u8; 3 * 16 * 2];
    for (entry, value) in [(1, 0xff), (16 + 1, 0x80), (2 * 16 + 2, 0xff)] {
        palette[2 * entry..2 * entry + 2].fill(value);
    }
    let tags: [Tag<'_>; 3] = [(258, 3, &[4, 0]), (277, 3, &[1, 0]), (320, 3, &palette)];
    let row = [vec![0x11; 24], vec![0x22; 24]].concat();
    let found = rgba8(&packed(&row, 3, &tags));
    assert_eq!(found, [[255, 128, 0, 255], [0, 0, 255, 255]]);
    let tags: [Tag<'_>; 2] = [(258, 3, &[2, 0]), (277, 3, &[1, 0])];
    let row = [vec![0b0101_0101; 12], vec![0b1010_1010; 12]].concat();
    for (photometric, expected) in [(1, [85, 170]), (0, [170, 85])] {
        let found = rgba8(&packed(&row, photometric, &tags)).map(|pixel| pixel[0]);
        assert_eq!(found, expected, "{photometric}");
    }
}

#[test]
fn lab_becomes_srgb() {
    let tags: [Tag<'_>; 2] = [(258, 3, &[8, 0, 8, 0, 8, 0]), (277, 3, &[3, 0])];
    // L* 54.29, a* 80.80, b* 69.89 is red of sRGB; the second is a gray of L* 50.
    let (red, gray) = ([138, 81, 70], [128, 0, 0]);
    let offset = [[138, 81 + 128, 70 + 128], [128, 128, 128]];
    for (photometric, [left, right]) in [(8, [red, gray]), (9, offset)] {
        let [left, right] = rgba8(&halves(&left, &right, photometric, &tags));
        assert!(left[0] > 250 && left[1] < 12 && left[2] < 12, "{left:?}");
        assert!(
            right[..3].iter().all(|sample| (117..=121).contains(sample)),
            "{right:?}"
        );
    }
}

#[test]
fn floats_and_signed_numbers_become_16_bits() {
    let float = |number: f32| number.to_le_bytes();
    let tags: [Tag<'_>; 3] = [(258, 3, &[32, 0]), (277, 3, &[1, 0]), (339, 3, &[3, 0])];
    let gray = |left: [u8; 4], right: [u8; 4], tags: &[Tag<'_>]| {
        rgba16(&halves(&left, &right, 1, tags)).map(|pixel| pixel[0])
    };
    assert_eq!(gray(float(0.25), float(0.5), &tags), [16_384, 32_768]);
    // Measured data is mapped to its range.
    assert_eq!(gray(float(-3.0), float(900.5), &tags), [0, 65_535]);
    let tags: [Tag<'_>; 3] = [(258, 3, &[32, 0]), (277, 3, &[1, 0]), (339, 3, &[2, 0])];
    let whole = |number: i32| number.to_le_bytes();
    assert_eq!(gray(whole(-5), whole(70_000), &tags), [0, 65_535]);
    let tags: [Tag<'_>; 2] = [(258, 3, &[32, 0]), (277, 3, &[1, 0])];
    assert_eq!(gray(whole(0), whole(1 << 30), &tags), [0, 16_384]);
    let wide: [Tag<'_>; 3] = [
        (258, 3, &[16, 0, 16, 0, 16, 0]),
        (277, 3, &[3, 0]),
        (339, 3, &[3, 0, 3, 0, 3, 0]),
    ];
    // 0.5, 1 and 0 in binary16 [IEEE 754].
    let pixel = [0, 0x38, 0, 0x3c, 0, 0];
    let [left, right] = rgba16(&halves(&pixel, &[0; 6], 2, &wide));
    assert_eq!(
        [left, right],
        [[32_768, 65_535, 0, 65_535], [0, 0, 0, 65_535]]
    );
}

#[test]
fn premultiplied_alpha_is_divided_out() {
    let samples: Tag<'_> = (277, 3, &[2, 0]);
    for (extra, expected) in [([1, 0], [128, 255]), ([2, 0], [64, 128])] {
        let tags: [Tag<'_>; 3] = [(258, 3, &[8, 0, 8, 0]), samples, (338, 3, &extra)];
        let found = rgba8(&halves(&[64, 128], &[128, 128], 1, &tags));
        assert_eq!(
            found.map(|pixel| [pixel[0], pixel[3]]),
            expected.map(|gray| [gray, 128])
        );
    }
}

#[test]
fn every_ccitt_coding_is_decoded() {
    let plain = tempfile::Builder::new().suffix(".png").tempfile().unwrap();
    fax().save(plain.path()).unwrap();
    for coding in [
        "group3-strips",
        "group3-2d",
        "group3-2d-fill",
        "huffman",
        "group4-lsb-first",
    ] {
        let mut source = pillow::fax(plain.path(), coding);
        let steps = [harness::convert(Format::Png)];
        let result = harness::run_bytes(&source, Format::Tiff, &steps);
        let result = result.unwrap_or_else(|error| panic!("{coding}: {error:?}"));
        let found = image::load_from_memory(&result.bytes()).unwrap();
        assert_eq!(found.into_luma8(), fax(), "{coding}");
        let middle = source.len() / 3..source.len() / 2;
        source[middle].fill(0x55);
        let found = harness::code(harness::run_bytes(&source, Format::Tiff, &steps));
        assert_eq!(found.err(), Some(JobErrorCode::InputCorrupt), "{coding}");
    }
}
