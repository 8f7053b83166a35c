//! Color models other than RGB: CMYK with an ICC profile, YCbCr, and bilevel fax.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{ConvertOptions, Operation};
use image::{GrayImage, Luma, RgbImage};
use lopdf::{Document, Object};

use crate::{harness, pillow};

pub(crate) const SIDES: (u32, u32) = (96, 64);

/// Four patches: full cyan, full magenta, half of both, half black.
fn inks() -> Vec<u8> {
    let rows = (0..SIDES.1).flat_map(|y| (0..SIDES.0).map(move |x| (x, y)));
    let inks = rows.flat_map(|(x, y)| match (x < SIDES.0 / 2, y < SIDES.1 / 2) {
        (true, true) => [255, 0, 0, 0],
        (false, true) => [0, 255, 0, 0],
        (true, false) => [128, 128, 0, 0],
        (false, false) => [0, 0, 0, 128],
    });
    inks.collect()
}

/// An ICC profile that maps the first ink to red and the second to green, unlike any real ink [ICC.1:2022, 10.10].
fn profile() -> Vec<u8> {
    let ramp: Vec<u8> = (0..=255).collect();
    let corners = (0..16_u32).flat_map(|corner| {
        let ink = |bit: u32| f64::from(corner >> (3 - bit) & 1);
        let light = 100.0 * (1.0 - 0.5 * ink(0)) * (1.0 - 0.4 * ink(1)) * (1.0 - 0.9 * ink(3));
        let (red, yellow) = (60.0 * ink(0) - 55.0 * ink(1), 40.0 * ink(0) + 40.0 * ink(1));
        [light * 2.55, red + 128.0, yellow + 128.0].map(|number| number.round() as u8)
    });
    let mut table = b"mft1\0\0\0\0\x04\x03\x02\0".to_vec();
    for number in [1, 0, 0, 0, 1, 0, 0, 0, 1_i32] {
        table.extend((number << 16).to_be_bytes());
    }
    table.extend(ramp.repeat(4));
    table.extend(corners);
    table.extend(ramp.repeat(3));
    table.resize(table.len().next_multiple_of(4), 0);
    let mut white = b"XYZ \0\0\0\0".to_vec();
    white.extend([0, 0, 0xF6, 0xD6, 0, 1, 0, 0, 0, 0, 0xD3, 0x2D]);
    let mut file = vec![0; 128];
    file[8..12].copy_from_slice(&[2, 0x40, 0, 0]);
    file[12..24].copy_from_slice(b"prtrCMYKLab ");
    file[36..40].copy_from_slice(b"acsp");
    file[68..80].copy_from_slice(&white[8..]);
    let begin = 128 + 4 + 2 * 12;
    file.extend(2_u32.to_be_bytes());
    for (name, at, length) in [
        (b"A2B0", begin, table.len()),
        (b"wtpt", begin + table.len(), white.len()),
    ] {
        file.extend(name);
        file.extend((at as u32).to_be_bytes());
        file.extend((length as u32).to_be_bytes());
    }
    file.extend(table);
    file.extend(white);
    let length = file.len() as u32;
    file[..4].copy_from_slice(&length.to_be_bytes());
    file
}

/// A CMYK JPEG as Adobe writes it, with inverted inks.
fn jpeg() -> Vec<u8> {
    let mut encoder = mozjpeg::Compress::new(mozjpeg::ColorSpace::JCS_CMYK);
    encoder.set_size(SIDES.0 as usize, SIDES.1 as usize);
    encoder.set_quality(100.0);
    let mut started = encoder.start_compress(Vec::new()).unwrap();
    // Segment 1 of 1.
    let block = [b"ICC_PROFILE\0\x01\x01", &profile()[..]].concat();
    started.write_marker(mozjpeg::Marker::APP(2), &block);
    let inverted: Vec<u8> = inks().iter().map(|ink| 255 - ink).collect();
    started.write_scanlines(&inverted).unwrap();
    started.finish().unwrap()
}

/// A TIFF of one strip [TIFF 6.0, section 2]; `tags` are added to size and strip.
pub(crate) fn tiff(strip: &[u8], tags: &[(u16, u16, &[u8])]) -> Vec<u8> {
    let mut file = b"II*\0\0\0\0\0".to_vec();
    file.extend(strip);
    let short = |number: u32| number.to_le_bytes().to_vec();
    let mut all = vec![
        (256, 4, short(SIDES.0)),
        (257, 4, short(SIDES.1)),
        (273, 4, short(8)),
        (278, 4, short(SIDES.1)),
        (279, 4, short(strip.len() as u32)),
    ];
    all.extend(
        tags.iter()
            .map(|(tag, kind, value)| (*tag, *kind, value.to_vec())),
    );
    all.sort();
    let mut directory = (all.len() as u16).to_le_bytes().to_vec();
    for (tag, kind, mut value) in all {
        let size = [0, 1, 1, 2, 4, 8, 1, 1][usize::from(kind)];
        directory.extend(tag.to_le_bytes());
        directory.extend(kind.to_le_bytes());
        directory.extend(((value.len() / size) as u32).to_le_bytes());
        if value.len() > 4 {
            file.resize(file.len().next_multiple_of(2), 0);
            let at = file.len() as u32;
            file.extend(&value);
            value = at.to_le_bytes().to_vec();
        }
        value.resize(4, 0);
        directory.extend(value);
    }
    file.resize(file.len().next_multiple_of(2), 0);
    let at = file.len() as u32;
    file[4..8].copy_from_slice(&at.to_le_bytes());
    file.extend(directory);
    file.extend([0; 4]);
    file
}

fn picture(result: &harness::Converted) -> RgbImage {
    image::load_from_memory(&result.bytes())
        .unwrap()
        .into_rgb8()
}

fn converted(source: &[u8], from: Format) -> RgbImage {
    picture(&harness::run_bytes(source, from, &[harness::convert(Format::Png)]).unwrap())
}

/// The center of each patch.
fn patches(picture: &RgbImage) -> [[u8; 3]; 4] {
    let (wide, high) = (picture.width() / 4, picture.height() / 4);
    [(1, 1), (3, 1), (1, 3), (3, 3)].map(|(x, y)| picture.get_pixel(x * wide, y * high).0)
}

fn are_near(one: [[u8; 3]; 4], other: [[u8; 3]; 4], most: u8) -> bool {
    let mut pairs = one.as_flattened().iter().zip(other.as_flattened());
    pairs.all(|(one, other)| one.abs_diff(*other) <= most)
}

#[test]
fn icc_profiles_are_applied_to_cmyk_in_every_format() {
    let from_jpeg = patches(&converted(&jpeg(), Format::Jpeg));
    let [[red, green, _], [other_red, other_green, _], ..] = from_jpeg;
    assert!(
        red > 150 && green < 100 && other_red < 100 && other_green > 120,
        "{from_jpeg:?}"
    );
    let wide: Vec<u8> = inks().iter().flat_map(|ink| [*ink, *ink]).collect();
    for (bits, strip) in [([8, 0].repeat(4), inks()), ([16, 0].repeat(4), wide)] {
        let tags: [(u16, u16, &[u8]); 5] = [
            (258, 3, &bits),
            (259, 3, &[1, 0]),
            (262, 3, &[5, 0]),
            (277, 3, &[4, 0]),
            (34_675, 7, &profile()),
        ];
        let from_tiff = patches(&converted(&tiff(&strip, &tags), Format::Tiff));
        assert!(
            are_near(from_jpeg, from_tiff, 3),
            "{from_jpeg:?} {from_tiff:?}"
        );
    }
}

#[test]
fn pdf_keeps_the_profile_of_cmyk_jpeg() {
    let steps = [harness::convert(Format::Pdf)];
    let result = harness::run_bytes(&jpeg(), Format::Jpeg, &steps).unwrap();
    let document = Document::load(result.path()).unwrap();
    let image = document
        .objects
        .values()
        .find_map(|object| {
            object
                .as_stream()
                .ok()
                .filter(|stream| stream.dict.has(b"Decode"))
        })
        .unwrap();
    let space = image
        .dict
        .get(b"ColorSpace")
        .and_then(Object::as_array)
        .unwrap();
    let [kind, reference] = space.as_slice() else {
        panic!("{space:?}");
    };
    assert_eq!(kind.as_name().unwrap(), b"ICCBased");
    let (_, stored) = document.dereference(reference).unwrap();
    let stored = stored.as_stream().unwrap();
    assert_eq!(stored.dict.get(b"N").and_then(Object::as_i64).unwrap(), 4);
    assert_eq!(stored.get_plain_content().unwrap(), profile());
    let resolution = Operation::Convert(ConvertOptions {
        resolution: Some(96_i64.try_into().unwrap()),
        ..ConvertOptions::to(Format::Png)
    });
    let steps = [harness::convert(Format::Pdf), resolution];
    let through = picture(&harness::run_bytes(&jpeg(), Format::Jpeg, &steps).unwrap());
    let (through, direct) = (
        patches(&through),
        patches(&converted(&jpeg(), Format::Jpeg)),
    );
    // PDFium uses another color management library, and the two interpret such a coarse profile differently.
    assert!(are_near(through, direct, 32), "{through:?} {direct:?}");
}

/// Lines of several lengths, alternately white and black.
pub(crate) fn fax() -> GrayImage {
    GrayImage::from_fn(SIDES.0, SIDES.1, |x, y| {
        let is_black = y == 1 || (y > 1 && (x / (y % 7 + 1)) % 3 == 0);
        Luma([if is_black { 0 } else { 255 }])
    })
}

#[test]
fn ccitt_fax_is_decoded() {
    let plain = tempfile::Builder::new().suffix(".png").tempfile().unwrap();
    fax().save(plain.path()).unwrap();
    let source = pillow::fax(plain.path(), "group3");
    for to in [Format::Png, Format::Pdf] {
        let result = harness::run_bytes(&source, Format::Tiff, &[harness::convert(to)]);
        assert!(result.is_ok(), "{to}: {:?}", result.err());
    }
    assert_eq!(
        image::DynamicImage::from(converted(&source, Format::Tiff)).into_luma8(),
        fax()
    );
    // Truncated within the rows.
    let mut broken = source;
    broken[200..]
        .iter_mut()
        .take(300)
        .for_each(|byte| *byte = 0x55);
    let code = harness::code(harness::run_bytes(
        &broken,
        Format::Tiff,
        &[harness::convert(Format::Png)],
    ));
    assert_eq!(code.err(), Some(JobErrorCode::InputCorrupt));
}

#[test]
fn ycbcr_becomes_rgb() {
    // Red, green, blue and a gray [ITU-R BT.601, full range].
    let patches = [[76, 85, 255], [150, 44, 21], [29, 255, 107], [90, 128, 128]];
    let strip: Vec<u8> = (0..SIDES.1)
        .flat_map(|y| (0..SIDES.0).map(move |x| (x, y)))
        .flat_map(|(x, y)| {
            patches[usize::from(x >= SIDES.0 / 2) + 2 * usize::from(y >= SIDES.1 / 2)]
        })
        .collect();
    let tags: [(u16, u16, &[u8]); 5] = [
        (258, 3, &[8, 0, 8, 0, 8, 0]),
        (259, 3, &[1, 0]),
        (262, 3, &[6, 0]),
        (277, 3, &[3, 0]),
        (530, 3, &[1, 0, 1, 0]),
    ];
    let found = self::patches(&converted(&tiff(&strip, &tags), Format::Tiff));
    let expected = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [90, 90, 90]];
    assert!(are_near(found, expected, 2), "{found:?}");
}
