//! Image metadata is removed, or kept on request and then consistent with the result.

use domain::format::Format;
use domain::operation::{CompressOptions, ConvertOptions, Operation, Pixels, ResizeOptions};

use crate::{corpus, harness, pillow};

const FORMATS: [Format; 3] = [Format::Jpeg, Format::Png, Format::Webp];

fn convert(to: Format, keep_metadata: Option<bool>) -> Operation {
    Operation::Convert(ConvertOptions {
        keep_metadata,
        ..ConvertOptions::to(to)
    })
}

fn compress(to: Option<Format>, keep_metadata: Option<bool>) -> Operation {
    Operation::Compress(CompressOptions {
        format: to,
        keep_metadata,
        ..CompressOptions::default()
    })
}

fn half(keep_metadata: Option<bool>) -> Operation {
    Operation::Resize(ResizeOptions {
        width: Pixels::try_from(16).ok(),
        keep_metadata,
        ..ResizeOptions::default()
    })
}

/// Every operation that can keep metadata, from one format to another.
fn cases(keep: Option<bool>) -> Vec<(Format, Format, Operation)> {
    let pairs = || {
        FORMATS
            .into_iter()
            .flat_map(|from| FORMATS.map(|to| (from, to)))
    };
    let conversions = pairs().filter(|(from, to)| from != to);
    let conversions = conversions.map(|(from, to)| (from, to, convert(to, keep)));
    let compressions = pairs().map(|(from, to)| (from, to, compress(Some(to), keep)));
    let scaled = FORMATS.map(|format| (format, format, half(keep)));
    conversions.chain(compressions).chain(scaled).collect()
}

fn read(from: Format, operation: Operation) -> pillow::Read {
    let output = harness::run_bytes(&pillow::photograph(from), from, &[operation]);
    let output = output.unwrap_or_else(|error| panic!("{from}: {error:?}"));
    assert!(!output.warnings().contains(&"metadata_packet_dropped"));
    pillow::read(output.path())
}

#[test]
fn kept_metadata_matches_the_upright_result() {
    for (from, to, operation) in cases(Some(true)) {
        let at = format!("{} from {from} to {to}", operation.name());
        let width = if operation.name() == "resize" {
            16
        } else {
            160
        };
        let found = read(from, operation);
        assert_eq!(found.format, to.id().to_uppercase(), "{at}");
        assert_eq!(found.sides, (width, width * 3 / 2), "{at}");
        // The image was stored rotated by a quarter: its bottom is now at the left.
        let [left, right, ..] = found.corners;
        assert!(left[2] > 150 && right[0] > 150, "{at}: {left:?} {right:?}");
        assert!(matches!(found.orientation, None | Some(1)), "{at}");
        assert_eq!(found.maker.as_deref(), Some("Octavo Optics"), "{at}");
        assert_eq!(found.width, Some(width), "{at}");
        assert!(
            found.place && found.source && !found.turns && !found.preview,
            "{at}: {found:?}"
        );
    }
}

#[test]
fn metadata_is_removed_by_default() {
    // Some of the cases are enough to show that the option has its default.
    for (keep, step) in [(None, 1), (Some(false), 4)] {
        for (from, to, operation) in cases(keep).into_iter().step_by(step) {
            let at = format!("{} from {from} to {to}", operation.name());
            let found = read(from, operation);
            assert_eq!(found.orientation, None, "{at}");
            assert_eq!((found.maker, found.width), (None, None), "{at}");
            assert!(!found.place && !found.source && !found.preview, "{at}");
        }
    }
}

#[test]
fn incompressible_photograph_loses_its_location() {
    for format in [Format::Jpeg, Format::Webp] {
        let first = compress(None, Some(true));
        let output = harness::run_bytes(&pillow::photograph(format), format, &[first]).unwrap();
        // In the second run, only the metadata can be saved.
        let once = output.bytes();
        let output = harness::run(output.path(), format, &[compress(None, None)]).unwrap();
        let found = pillow::read(output.path());
        assert!(
            found.maker.is_none() && !found.place && !found.source,
            "{format}"
        );
        assert!(output.bytes().len() < once.len(), "{format}");
    }
}

#[test]
fn incompressible_image_keeps_its_orientation_and_loses_other_metadata() {
    for format in [Format::Jpeg, Format::Webp] {
        let source = pillow::photograph(format);
        let all = Operation::Compress(CompressOptions {
            quality: domain::operation::Quality::try_from(100).ok(),
            ..CompressOptions::default()
        });
        let output = harness::run_bytes(&source, format, &[all]).unwrap();
        let found = pillow::read(output.path());
        assert!(output.bytes().len() < source.len(), "{format}");
        assert!(
            found.maker.is_none() && !found.place && !found.source,
            "{format}"
        );
        let turned = (found.sides, found.orientation);
        let expected = [((240, 160), Some(6)), ((160, 240), None)];
        assert!(expected.contains(&turned), "{format}: {turned:?}");
    }
}

#[test]
fn incompressible_rotated_png_loses_its_metadata() {
    let source = pillow::rows();
    let output = harness::run_bytes(&source, Format::Png, &[compress(None, None)]).unwrap();
    let found = pillow::read(output.path());
    assert_eq!((found.sides, found.orientation), ((256, 256), Some(6)));
    assert!(
        found.maker.is_none() && !found.place && !found.source && !found.preview,
        "{found:?}"
    );
    assert!(output.bytes().len() < source.len());
    assert_eq!(output.warnings(), Vec::<&str>::new());
    let pixels = |png: &[u8]| image::load_from_memory(png).unwrap().into_luma8();
    assert_eq!(pixels(&output.bytes()), pixels(&source));
    // No more metadata is left to remove.
    let again = harness::run(output.path(), Format::Png, &[compress(None, None)]).unwrap();
    assert_eq!(again.bytes(), output.bytes());
    assert_eq!(again.warnings(), ["already_optimal"]);
}

#[test]
fn real_photograph_loses_its_preview_and_keeps_its_camera_data() {
    const START: [u8; 3] = [0xFF, 0xD8, 0xFF];
    let source = corpus::file("images/jpeg/flower.jpg");
    let bytes = std::fs::read(&source).unwrap();
    let starts = bytes
        .windows(3)
        .enumerate()
        .filter(|(_, part)| *part == START);
    let preview = starts.map(|(at, _)| at).nth(1).unwrap();
    let preview = &bytes[preview..preview + 500];
    let output = harness::run(&source, Format::Jpeg, &[half(Some(true))]).unwrap();
    let result = output.bytes();
    assert!(!result.windows(preview.len()).any(|part| part == preview));
    let found = pillow::read(output.path());
    assert_eq!(found.maker.as_deref(), Some("Canon"));
    assert_eq!((found.sides.0, found.width), (16, Some(16)));
    assert!(matches!(found.orientation, None | Some(1)), "{found:?}");
}

#[test]
fn rotated_real_photograph_becomes_upright() {
    let source = corpus::file("images/jpeg/Landscape_6.jpg");
    let output = harness::run(&source, Format::Jpeg, &[half(Some(true))]).unwrap();
    let found = pillow::read(output.path());
    assert_eq!(found.sides, (16, 11));
    assert!(matches!(found.orientation, None | Some(1)), "{found:?}");
}
