//! Images of every format with bytes that were changed or cut off, by chance that is the same each time.

use std::time::{Duration, Instant};

use domain::format::Format;
use domain::job::JobErrorCode;

use crate::{corpus, rig};

const KINDS: &[&str] = &[
    "jpeg", "png", "webp", "avif", "gif", "tiff", "bmp", "svg", "heic",
];
/// Files made of each.
const VARIANTS: u64 = 12;
/// Most time for one of them, on a busy machine.
const MOST: Duration = Duration::from_secs(60);

/// Numbers without a pattern, always the same [xorshift64*].
fn chance(state: &mut u64) -> usize {
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
            // Half of them in what stands before the pixels.
            let within = if seed.is_multiple_of(2) {
                256
            } else {
                source.len()
            };
            for _ in 0..4 {
                let at = chance(&mut state) % within.min(source.len());
                bytes[at] ^= 1 << (chance(&mut state) % 8);
            }
        }
    }
    bytes
}

#[test]
fn every_damaged_image_ends_in_a_result_or_a_clear_code_in_time() {
    let smallest = KINDS.iter().map(|kind| {
        let files = corpus::entries(&[kind], &["ok"]).into_iter();
        files
            .min_by_key(|(entry, _)| std::fs::metadata(entry.path()).unwrap().len())
            .unwrap()
    });
    let cases = smallest
        .flat_map(|(entry, format)| (0..VARIANTS).map(move |seed| (entry.clone(), format, seed)));
    rig::each(cases.collect(), |(entry, format, seed)| {
        let source = std::fs::read(entry.path()).unwrap();
        let to = match format {
            Format::Png => Format::Webp,
            _ => Format::Png,
        };
        let began = Instant::now();
        let made = rig::run_bytes(&damaged(&source, seed), format, &[rig::convert(to)]);
        let found = rig::code(made).err();
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
        assert!(began.elapsed() < MOST, "{} {seed}", entry.file);
    });
}

#[test]
fn a_jpeg_of_which_a_part_cannot_be_read_says_so() {
    let source = std::fs::read(corpus::file("images/jpeg/flower.jpg")).unwrap();
    let mut damaged = source.clone();
    // Sixteen ones are no code of any table; what follows a marker's first byte has to be a zero.
    let middle = source.len() / 2;
    damaged[middle..middle + 8].copy_from_slice(&[0xFF, 0, 0xFF, 0, 0xFF, 0, 0xFF, 0]);
    let mut longer = source.clone();
    longer.push(b'\n');
    let operations = [
        rig::convert(Format::Png),
        rig::convert(Format::Pdf),
        rig::compress(None),
    ];
    for operation in operations {
        let warnings = |bytes: &[u8]| {
            let made = rig::run_bytes(bytes, Format::Jpeg, std::slice::from_ref(&operation));
            let made = made.unwrap_or_else(|error| panic!("{}: {error:?}", operation.name()));
            made.warnings().contains(&"damage_repaired")
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
fn an_animation_of_ten_thousand_frames_becomes_its_first() {
    let mut file = b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff".to_vec();
    for _ in 0..10_000 {
        file.extend(b"!\xf9\x04\0\x01\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0");
    }
    file.push(b';');
    for to in [Format::Webp, Format::Png, Format::Pdf] {
        let began = Instant::now();
        let made = rig::run_bytes(&file, Format::Gif, &[rig::convert(to)]).unwrap();
        assert_eq!(made.artifact.pages, 1);
        assert!(began.elapsed() < MOST, "{to}");
        assert_eq!(made.warnings(), ["animation_dropped"], "{to}");
    }
}
