//! What a photograph says beside its pixels goes, or stays where that is asked for, and is true of the result then.

use domain::format::Format;
use domain::operation::{CompressOptions, ConvertOptions, Operation, Pixels, ResizeOptions};

use crate::{corpus, pillow, rig};

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

/// Every operation that can keep what is said, from one format to another.
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
    let made = rig::run_bytes(&pillow::photograph(from), from, &[operation]);
    let made = made.unwrap_or_else(|error| panic!("{from}: {error:?}"));
    assert!(!made.warnings().contains(&"metadata_packet_dropped"));
    pillow::read(made.path())
}

#[test]
fn what_is_asked_for_stays_and_is_true_of_the_upright_result() {
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
        // It stood on its side: what was below is to the left.
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
fn what_is_not_asked_for_goes() {
    for keep in [None, Some(false)] {
        for (from, to, operation) in cases(keep) {
            let at = format!("{} from {from} to {to}", operation.name());
            let found = read(from, operation);
            assert_eq!(found.orientation, None, "{at}");
            assert_eq!((found.maker, found.width), (None, None), "{at}");
            assert!(!found.place && !found.source && !found.preview, "{at}");
        }
    }
}

#[test]
fn a_photograph_that_cannot_be_made_smaller_does_not_say_where_it_was_taken() {
    for format in [Format::Jpeg, Format::Webp] {
        let first = compress(None, Some(true));
        let made = rig::run_bytes(&pillow::photograph(format), format, &[first]).unwrap();
        // A second time, there is nothing to win but the metadata.
        let once = made.bytes();
        let made = rig::run(made.path(), format, &[compress(None, None)]).unwrap();
        let found = pillow::read(made.path());
        assert!(
            found.maker.is_none() && !found.place && !found.source,
            "{format}"
        );
        assert!(made.bytes().len() < once.len(), "{format}");
    }
}

#[test]
fn what_cannot_be_made_smaller_keeps_its_turn_and_loses_its_metadata() {
    for format in [Format::Jpeg, Format::Webp] {
        let source = pillow::photograph(format);
        let all = Operation::Compress(CompressOptions {
            quality: domain::operation::Quality::try_from(100).ok(),
            ..CompressOptions::default()
        });
        let made = rig::run_bytes(&source, format, &[all]).unwrap();
        let found = pillow::read(made.path());
        assert!(made.bytes().len() < source.len(), "{format}");
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
fn a_png_that_stands_turned_and_cannot_be_made_smaller_loses_its_metadata() {
    let source = pillow::rows();
    let made = rig::run_bytes(&source, Format::Png, &[compress(None, None)]).unwrap();
    let found = pillow::read(made.path());
    assert_eq!((found.sides, found.orientation), ((256, 256), Some(6)));
    assert!(
        found.maker.is_none() && !found.place && !found.source && !found.preview,
        "{found:?}"
    );
    assert!(made.bytes().len() < source.len());
    assert_eq!(made.warnings(), Vec::<&str>::new());
    let pixels = |png: &[u8]| image::load_from_memory(png).unwrap().into_luma8();
    assert_eq!(pixels(&made.bytes()), pixels(&source));
    // There is nothing more to take out.
    let again = rig::run(made.path(), Format::Png, &[compress(None, None)]).unwrap();
    assert_eq!(again.bytes(), made.bytes());
    assert_eq!(again.warnings(), ["already_optimal"]);
}

#[test]
fn a_real_photograph_loses_its_preview_and_keeps_what_its_camera_said() {
    const START: [u8; 3] = [0xFF, 0xD8, 0xFF];
    let source = corpus::file("images/jpeg/flower.jpg");
    let bytes = std::fs::read(&source).unwrap();
    let starts = bytes
        .windows(3)
        .enumerate()
        .filter(|(_, part)| *part == START);
    let preview = starts.map(|(at, _)| at).nth(1).unwrap();
    let preview = &bytes[preview..preview + 500];
    let made = rig::run(&source, Format::Jpeg, &[half(Some(true))]).unwrap();
    let result = made.bytes();
    assert!(!result.windows(preview.len()).any(|part| part == preview));
    let found = pillow::read(made.path());
    assert_eq!(found.maker.as_deref(), Some("Canon"));
    assert_eq!((found.sides.0, found.width), (16, Some(16)));
    assert!(matches!(found.orientation, None | Some(1)), "{found:?}");
}

#[test]
fn a_real_photograph_that_stands_turned_stands_upright() {
    let source = corpus::file("images/jpeg/Landscape_6.jpg");
    let made = rig::run(&source, Format::Jpeg, &[half(Some(true))]).unwrap();
    let found = pillow::read(made.path());
    assert_eq!(found.sides, (16, 11));
    assert!(matches!(found.orientation, None | Some(1)), "{found:?}");
}
