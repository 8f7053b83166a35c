//! Images of every format, altered or truncated pseudorandomly with fixed seeds.

use std::time::{Duration, Instant};

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::{corpus, harness};

const KINDS: &[&str] = &[
    "jpeg", "png", "webp", "avif", "gif", "tiff", "bmp", "svg", "heic",
];
/// Damaged variants of each file, and with all cases.
const VARIANTS: u64 = 6;
const ALL_VARIANTS: u64 = 24;
/// Longest time for one file, on a busy machine.
const MOST: Duration = Duration::from_secs(60);

/// Deterministic pseudorandom numbers [xorshift64*].
fn random(state: &mut u64) -> usize {
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    (state.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize
}

fn damaged(source: &[u8], seed: u64) -> Vec<u8> {
    let mut state = seed * 0x9E37_79B9 + 1;
    let mut bytes = source.to_vec();
    match seed {
        0 => bytes.truncate(source.len() / 4),
        1 => bytes.truncate(source.len() / 2),
        2 => bytes.truncate(source.len() - 1),
        _ => {
            // Half of the alterations hit the headers.
            let within = if seed.is_multiple_of(2) {
                256
            } else {
                source.len()
            };
            for _ in 0..4 {
                let at = random(&mut state) % within.min(source.len());
                bytes[at] ^= 1 << (random(&mut state) % 8);
            }
        }
    }
    bytes
}

#[test]
fn every_damaged_image_yields_a_result_or_an_error_code_in_time() {
    let smallest = KINDS.iter().map(|kind| {
        let files = corpus::entries(&[kind], &["ok"]).into_iter();
        files
            .min_by_key(|(entry, _)| std::fs::metadata(entry.path()).unwrap().len())
            .unwrap()
    });
    let variants = match harness::runs_all_cases() {
        true => ALL_VARIANTS,
        false => VARIANTS,
    };
    let cases = smallest
        .flat_map(|(entry, format)| (0..variants).map(move |seed| (entry.clone(), format, seed)));
    harness::each(cases.collect(), |(entry, format, seed)| {
        let source = std::fs::read(entry.path()).unwrap();
        let to = match format {
            Format::Png => Format::Webp,
            _ => Format::Png,
        };
        let started = Instant::now();
        let result = harness::run_bytes(&damaged(&source, seed), format, &[harness::convert(to)]);
        let found = harness::code(result).err();
        let expected = [
            None,
            Some(JobErrorCode::InputCorrupt),
            Some(JobErrorCode::InputTooLarge),
            Some(JobErrorCode::InputEmpty),
            Some(JobErrorCode::ContentMismatch),
        ];
        assert!(
            expected.contains(&found),
            "{} {seed}: {found:?}",
            entry.file
        );
        assert!(started.elapsed() < MOST, "{} {seed}", entry.file);
    });
}

#[test]
fn partially_readable_jpeg_gets_a_warning() {
    let source = std::fs::read(corpus::file("images/jpeg/flower.jpg")).unwrap();
    let mut damaged = source.clone();
    // Sixteen one bits are no valid Huffman code; a marker's first byte must be followed by zero.
    let middle = source.len() / 2;
    damaged[middle..middle + 8].copy_from_slice(&[0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0]);
    let mut longer = source.clone();
    longer.push(b'\n');
    let operations = [
        harness::convert(Format::Png),
        harness::convert(Format::Pdf),
        harness::compress(None),
    ];
    for operation in operations {
        let warnings = |bytes: &[u8]| {
            let result = harness::run_bytes(bytes, Format::Jpeg, std::slice::from_ref(&operation));
            let result = result.unwrap_or_else(|error| panic!("{}: {error:?}", operation.name()));
            result.warnings().contains(&"damage_repaired")
        };
        assert!(warnings(&damaged), "{}", operation.name());
        assert!(
            !warnings(&source) && !warnings(&longer),
            "{}",
            operation.name()
        );
    }
}

#[test]
fn animation_above_the_frame_limit_becomes_its_first_frame() {
    let mut file = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff".to_vec();
    for _ in 0..10_000 {
        file.extend(b"!\xf9\x04\0\x01\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0");
    }
    file.push(b';');
    for to in [Format::Webp, Format::Png, Format::Pdf] {
        let started = Instant::now();
        let result = harness::run_bytes(&file, Format::Gif, &[harness::convert(to)]).unwrap();
        assert_eq!(result.artifact.pages, 1);
        assert!(started.elapsed() < MOST, "{to}");
        assert_eq!(result.warnings(), ["animation_dropped"], "{to}");
    }
}
