//! Operation `optimize`: results are smaller and look the same.

use std::io::Write as _;

use domain::format::Format;
use domain::operation::{DecryptOptions, Operation, OptimizeLevel, OptimizeOptions};
use flate2::Compression;
use flate2::write::ZlibEncoder;

use crate::sample_documents::{pdf, stream};
use crate::{corpus, harness, poppler, qpdf, similarity};

fn optimize(level: OptimizeLevel) -> Operation {
    Operation::Optimize(OptimizeOptions {
        level: Some(level),
        ..OptimizeOptions::default()
    })
}

#[test]
fn real_documents_never_grow_and_look_the_same() {
    let levels = [
        OptimizeLevel::Lossless,
        OptimizeLevel::Balanced,
        OptimizeLevel::Small,
    ];
    let cases: Vec<_> = corpus::good(&["pdf-text", "pdf-scan", "pdf-forms"], 16)
        .into_iter()
        .flat_map(|(entry, _)| levels.map(|level| (entry.clone(), level)))
        .collect();
    let kinds = |(entry, level): &(corpus::Entry, OptimizeLevel)| {
        [entry.kind.clone(), format!("{level:?}")]
    };
    harness::sample(cases, 0, kinds, |(entry, level)| {
        // Some forbid the operation and open without a password.
        let free = [Operation::Decrypt(DecryptOptions::default())];
        let open = harness::run(&entry.path(), Format::Pdf, &free).unwrap();
        let is_open = poppler::field(&entry.path(), "Encrypted") == "no";
        let source = match is_open {
            true => entry.path(),
            false => open.path().to_owned(),
        };
        let result = harness::run(&source, Format::Pdf, &[optimize(level)]);
        let result = result.unwrap_or_else(|error| panic!("{} {level:?}: {error:?}", entry.file));
        let source = std::fs::read(source).unwrap();
        assert!(result.bytes().len() <= source.len(), "{}", entry.file);
        let same = result.bytes() == source;
        assert_eq!(
            same,
            result.warnings().contains(&"already_optimal"),
            "{}",
            entry.file
        );
        assert_eq!(
            poppler::texts(result.path()),
            poppler::texts(&entry.path()),
            "{}",
            entry.file
        );
        let (one, other) = (
            poppler::picture(&entry.path(), 1, 72),
            poppler::picture(result.path(), 1, 72),
        );
        let difference = similarity::difference(&one, &other, 150);
        let most = if level == OptimizeLevel::Small {
            2.5
        } else {
            1.5
        };
        assert!(difference < most, "{} {level:?}: {difference}", entry.file);
        if !same {
            qpdf::check(result.path(), "");
        }
    });
}

/// A page that shows a photograph of 640 × 640 pixels.
fn photograph() -> Vec<u8> {
    let picture = image::RgbImage::from_fn(640, 640, |x, y| {
        let wave = |by: f32| ((x as f32 / by).sin() * (y as f32 / (by + 7.0)).cos() * 90.0) as i32;
        let shade = |wave: i32| (128 + wave + ((x * 7 + y * 13) % 5) as i32).clamp(0, 255) as u8;
        image::Rgb([shade(wave(31.0)), shade(wave(47.0)), shade(wave(59.0))])
    });
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 300 300]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</I 5 0 R>>>>>>".to_vec(),
        stream("", b"q 300 0 0 300 0 0 cm /I Do Q"),
        stream(
            "/Type/XObject/Subtype/Image/Width 640/Height 640/ColorSpace/DeviceRGB/BitsPerComponent 8",
            &picture,
        ),
    ])
}

#[test]
fn photographs_are_recompressed_unless_lossless() {
    let size = |options: OptimizeOptions| {
        let step = Operation::Optimize(options);
        let result = harness::run_bytes(&photograph(), Format::Pdf, &[step]).unwrap();
        let found = poppler::picture(result.path(), 1, 72);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), photograph()).unwrap();
        let expected = poppler::picture(file.path(), 1, 72);
        assert!(similarity::difference(&expected, &found, 100) < 2.0);
        result.artifact.size_bytes
    };
    let of = |level| {
        size(OptimizeOptions {
            level: Some(level),
            ..OptimizeOptions::default()
        })
    };
    let (lossless, balanced) = (of(OptimizeLevel::Lossless), of(OptimizeLevel::Balanced));
    let small = of(OptimizeLevel::Small);
    assert!(lossless > 2 * balanced, "{lossless} {balanced}");
    assert!(balanced > small, "{balanced} {small}");
    assert_eq!(size(OptimizeOptions::default()), balanced);
}

#[test]
fn result_is_linearized_on_request() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let step = Operation::Optimize(OptimizeOptions {
        linearize: Some(true),
        ..OptimizeOptions::default()
    });
    let result = harness::run(&source, Format::Pdf, &[step]).unwrap();
    assert_eq!(poppler::field(result.path(), "Optimized"), "yes");
    assert_eq!(qpdf::outline(result.path()), qpdf::outline(&source));
    let result = harness::run(&source, Format::Pdf, &[optimize(OptimizeLevel::Balanced)]).unwrap();
    assert_eq!(poppler::field(result.path(), "Optimized"), "no");
}

#[test]
fn optimizing_twice_returns_the_source() {
    let step = || optimize(OptimizeLevel::Lossless);
    let source = corpus::file("pdf-text/multi_page.pdf");
    let once = harness::run(&source, Format::Pdf, &[step()]).unwrap();
    let twice = harness::run(once.path(), Format::Pdf, &[step()]).unwrap();
    assert_eq!(twice.warnings(), ["already_optimal"]);
    assert_eq!(twice.artifact.sha256, once.artifact.sha256);
}

/// A page of 144 × 144 pt covered by one image with these entries and data.
fn page_of(entries: &str, content: &[u8], more: &[Vec<u8>]) -> Vec<u8> {
    let entries = format!("/Type/XObject/Subtype/Image{entries}");
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 144 144]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</F 5 0 R>>>>>>".to_vec(),
        stream("", b"q 2 0 0 2 0 0 cm /F Do Q"),
        stream(
            "/Type/XObject/Subtype/Form/BBox[0 0 72 72]/Resources<</XObject<</I 6 0 R>>>>",
            b"q 72 0 0 72 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID \x80 EI /I Do Q",
        ),
        stream(&entries, content),
    ];
    objects.extend(more.iter().cloned());
    pdf(&objects)
}

/// A smooth gradient over an image of `side` × `side` pixels.
fn shade(x: usize, y: usize, side: usize) -> u8 {
    let wave = (x as f32 / side as f32 * 9.0).sin() * (y as f32 / side as f32 * 7.0).cos();
    (128.0 + 100.0 * wave) as u8
}

/// The image list of a result, and its similarity to the source.
fn pictures(document: &[u8], level: OptimizeLevel) -> (Vec<Vec<String>>, f64) {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), document).unwrap();
    let result = harness::run(file.path(), Format::Pdf, &[optimize(level)]).unwrap();
    qpdf::check(result.path(), "");
    let (one, other) = (
        poppler::picture(file.path(), 1, 100),
        poppler::picture(result.path(), 1, 100),
    );
    let mut found = poppler::images(result.path());
    // The image in the form XObject's own resources.
    found.retain(|picture| picture[3] != "1");
    (found, similarity::difference(&one, &other, 100))
}

#[test]
fn images_are_downsampled_to_their_displayed_size() {
    const SIDE: usize = 900;
    let pixels = (0..SIDE * SIDE).map(|at| shade(at % SIDE, at / SIDE, SIDE));
    let table: String = (0..=255)
        .map(|n| format!("{n:02x}{:02x}80", 255 - n))
        .collect();
    let gray: Vec<u8> = pixels.clone().collect();
    let colors: Vec<u8> = pixels.clone().flat_map(|n| [n, 255 - n, n / 2]).collect();
    let inks: Vec<u8> = pixels
        .clone()
        .flat_map(|n| [n, 255 - n, n / 2, 10])
        .collect();
    let deep: Vec<u8> = pixels.flat_map(|n| [n, 77]).collect();
    let sides = format!("/Width {SIDE}/Height {SIDE}");
    for (space, content, kind, channels) in [
        (
            "/ColorSpace/DeviceGray/BitsPerComponent 8".to_owned(),
            &gray,
            "gray",
            "1",
        ),
        (
            "/ColorSpace/DeviceRGB/BitsPerComponent 8".to_owned(),
            &colors,
            "rgb",
            "3",
        ),
        (
            "/ColorSpace/DeviceCMYK/BitsPerComponent 8".to_owned(),
            &inks,
            "cmyk",
            "4",
        ),
        (
            "/ColorSpace/DeviceGray/BitsPerComponent 16".to_owned(),
            &deep,
            "gray",
            "1",
        ),
        (
            format!("/ColorSpace[/Indexed/DeviceRGB 255<{table}>]/BitsPerComponent 8"),
            &gray,
            "rgb",
            "3",
        ),
    ] {
        let document = page_of(&(sides.clone() + &space), content, &[]);
        for (level, side) in [
            (OptimizeLevel::Balanced, "300"),
            (OptimizeLevel::Small, "200"),
        ] {
            let (found, difference) = pictures(&document, level);
            let found = &found[0];
            let expected = [side, side, kind, channels, "8", "jpeg"].map(str::to_owned);
            assert_eq!(found[3..9], expected, "{space} {level:?}");
            assert!(difference < 2.5, "{space} {level:?}: {difference}");
        }
        let (found, difference) = pictures(&document, OptimizeLevel::Lossless);
        assert_eq!(found[0][3], "900", "{space}");
        assert!(difference < 1e-6, "{space}: {difference}");
    }
}

#[test]
fn bilevel_images_become_ccitt_g4_losslessly() {
    const SIDE: usize = 800;
    let dark = |x: usize, y: usize| ((x * x + y * y) / 30000).is_multiple_of(3);
    let at = |at: usize| dark(at % SIDE, at / SIDE);
    let gray: Vec<u8> = (0..SIDE * SIDE)
        .map(|n| if at(n) { 0 } else { 255 })
        .collect();
    let bits: Vec<u8> = gray
        .chunks(8)
        .map(|byte| byte.iter().fold(0, |bits, n| bits << 1 | n & 1))
        .collect();
    let sides = format!("/Width {SIDE}/Height {SIDE}");
    for (about, content) in [
        ("/ColorSpace/DeviceGray/BitsPerComponent 8", &gray),
        ("/ColorSpace/DeviceGray/BitsPerComponent 1", &bits),
        (
            "/ColorSpace/DeviceGray/BitsPerComponent 1/Decode[1 0]",
            &bits,
        ),
        ("/ImageMask true/BitsPerComponent 1", &bits),
    ] {
        let document = page_of(&(sides.clone() + about), content, &[]);
        for level in [OptimizeLevel::Lossless, OptimizeLevel::Balanced] {
            let (found, difference) = pictures(&document, level);
            assert_eq!(found[0][8], "ccitt", "{about}");
            assert_eq!(found[0][3], "800", "{about}");
            assert!(difference < 1e-6, "{about}: {difference}");
        }
    }
}

#[test]
fn indirect_filter_entries_are_resolved() {
    const SIDE: usize = 900;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    for y in 0..SIDE {
        // Each row starts with its PNG predictor: none.
        encoder.write_all(&[0]).unwrap();
        let row: Vec<u8> = (0..SIDE).map(|x| shade(x, y, SIDE)).collect();
        encoder.write_all(&row).unwrap();
    }
    let content = encoder.finish().unwrap();
    let about = format!("/Width {SIDE}/Height {SIDE}/ColorSpace/DeviceGray/BitsPerComponent 8");
    for (coding, more) in [
        (
            "/Filter/FlateDecode/DecodeParms 7 0 R",
            "<</Predictor 15/Colors 8 0 R/Columns 900>>",
        ),
        (
            "/Filter 9 0 R/DecodeParms[7 0 R]",
            "<</Predictor 15/Colors 8 0 R/Columns 900>>",
        ),
    ] {
        let more = [more, "1", "[10 0 R]", "/FlateDecode"].map(|object| object.as_bytes().to_vec());
        let document = page_of(&format!("{about}{coding}"), &content, &more);
        let (found, difference) = pictures(&document, OptimizeLevel::Balanced);
        assert_eq!(
            found[0][3..9],
            ["300", "300", "gray", "1", "8", "jpeg"],
            "{coding}"
        );
        assert!(difference < 2.5, "{coding}: {difference}");
    }
}

/// A CCITT Group 3 image of 800 × 800 pixels, black at the right in its upper half and at the left in its lower half, in
/// one-dimensional coding [ITU-T T.4, tables 2 and 3].
fn facsimile() -> Vec<u8> {
    let (white, black) = ("00110111101010", "0000001101000000010111");
    let upper = format!("{white}{black}").repeat(400);
    let lower = format!("00110101{black}{white}").repeat(400);
    let bits = format!("{upper}{lower}0000000");
    let bytes = bits.as_bytes().chunks_exact(8);
    bytes
        .map(|byte| byte.iter().fold(0, |bits, bit| bits << 1 | (bit - b'0')))
        .collect()
}

#[test]
fn ccitt_g3_becomes_g4() {
    let about =
        "/Width 800/Height 800/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/CCITTFaxDecode";
    let parameters = "<</K 0/Columns 800/Rows 800>>";
    for (entry, object) in [(parameters, "null"), ("7 0 R", parameters)] {
        let more = [object.as_bytes().to_vec()];
        let document = page_of(&format!("{about}/DecodeParms {entry}"), &facsimile(), &more);
        let source = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(source.path(), &document).unwrap();
        let dark = poppler::picture(source.path(), 1, 72);
        assert_eq!(
            [dark.get_pixel(100, 20).0[0], dark.get_pixel(100, 120).0[0]],
            [0, 255]
        );
        let result =
            harness::run_bytes(&document, Format::Pdf, &[optimize(OptimizeLevel::Lossless)])
                .unwrap();
        assert!(result.artifact.size_bytes < document.len() as u64 / 2);
        let (found, difference) = pictures(&document, OptimizeLevel::Lossless);
        assert_eq!(found[0][3..9], ["800", "800", "gray", "1", "1", "ccitt"]);
        assert!(difference < 1e-6, "{difference}");
    }
}

#[test]
fn indexed_images_with_a_decode_array_are_kept() {
    const SIDE: usize = 900;
    let gray = image::GrayImage::from_fn(900, 900, |x, y| {
        image::Luma([shade(x as usize, y as usize, SIDE)])
    });
    let mut jpeg = Vec::new();
    let encoder = image::codecs::jpeg::JpegEncoder::new_with_quality(&mut jpeg, 98);
    gray.write_with_encoder(encoder).unwrap();
    // The color lookup is inverted.
    let table: String = (0..=255).map(|n| format!("{:02x}", 255 - n)).collect();
    let deep: Vec<u8> = gray.pixels().flat_map(|pixel| [pixel.0[0], 0]).collect();
    let about = format!("/Width {SIDE}/Height {SIDE}/ColorSpace[/Indexed/DeviceGray 255<{table}>]");
    for (coding, content) in [
        ("/BitsPerComponent 8/Filter/DCTDecode", &jpeg),
        ("/BitsPerComponent 8/Filter/DCTDecode/Decode[255 0]", &jpeg),
        ("/BitsPerComponent 16", &deep),
    ] {
        let document = page_of(&format!("{about}{coding}"), content, &[]);
        for level in [OptimizeLevel::Balanced, OptimizeLevel::Small] {
            let (found, difference) = pictures(&document, level);
            assert_eq!(found[0][3..6], ["900", "900", "index"], "{coding}");
            assert!(difference < 1e-6, "{coding} {level:?}: {difference}");
        }
    }
}

#[test]
fn forms_without_resources_inherit_those_of_the_page() {
    const SIDE: usize = 600;
    let content: Vec<u8> = (0..SIDE * SIDE)
        .map(|at| shade(at % SIDE, at / SIDE, SIDE))
        .collect();
    let picture = stream(
        &format!(
            "/Type/XObject/Subtype/Image/Width {SIDE}/Height {SIDE}/ColorSpace/DeviceGray/BitsPerComponent 8"
        ),
        &content,
    );
    let form = |resources: &str, content: &[u8]| {
        stream(
            &format!("/Type/XObject/Subtype/Form/BBox[0 0 144 144]{resources}"),
            content,
        )
    };
    let document = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 144 144]>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/Contents 4 0 R/Resources<</XObject<</A 5 0 R/B 6 0 R/I 9 0 R>>>>>>".to_vec(),
        // The image is drawn small by the page, and large by a nested form XObject.
        stream("", b"/A Do /B Do q 9 0 0 9 0 0 cm /I Do Q"),
        form("/Resources<</XObject<</F 7 0 R/I 8 0 R>>>>", b"/F Do"),
        form("/Resources<</XObject<</F 7 0 R/I 9 0 R>>>>", b"/F Do"),
        form("", b"q 144 0 0 144 0 0 cm /I Do Q"),
        stream("/Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceGray/BitsPerComponent 8", b"x"),
        picture,
    ]);
    let (found, difference) = pictures(&document, OptimizeLevel::Balanced);
    assert!(found.iter().all(|picture| picture[3] == "300"), "{found:?}");
    assert!(difference < 2.5, "{difference}");
}

#[test]
fn soft_masks_are_downsampled_separately() {
    const SIDE: usize = 900;
    let shades = (0..SIDE * SIDE).map(|at| shade(at % SIDE, at / SIDE, SIDE));
    let colors: Vec<u8> = shades.clone().flat_map(|n| [n, 40, 255 - n]).collect();
    let mask: Vec<u8> = shades.collect();
    let sides = format!("/Width {SIDE}/Height {SIDE}/BitsPerComponent 8");
    let about = format!("{sides}/ColorSpace/DeviceRGB/SMask 7 0 R");
    let mask = stream(
        &format!("/Type/XObject/Subtype/Image{sides}/ColorSpace/DeviceGray"),
        &mask,
    );
    let document = page_of(&about, &colors, &[mask]);
    let (found, difference) = pictures(&document, OptimizeLevel::Balanced);
    let kinds: Vec<_> = found.iter().map(|picture| picture[2].as_str()).collect();
    assert_eq!(kinds, ["image", "smask"]);
    assert!(found.iter().all(|picture| picture[3] == "300"), "{found:?}");
    assert!(difference < 2.5, "{difference}");
}
