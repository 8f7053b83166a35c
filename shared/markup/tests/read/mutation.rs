//! Real documents with mutated bytes in their parts end in a result or an error, never in a panic.

use std::fs::File;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;

use domain::format::Format;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::biff;
use crate::corpus::{self, FOLDERS};
use crate::made::opened;

/// Number of mutated copies per document.
const MUTATIONS: u64 = 12;
/// Maximum size in bytes; larger documents take too long.
const MAX_BYTES: u64 = 120_000;

#[test]
fn mutated_documents_are_read_or_rejected() {
    let (mut read, mut rejected) = (0, 0);
    let binary = ("xlsb".to_owned(), biff::fixture(), Format::Xlsb);
    for (name, path, format) in corpus::documents(&FOLDERS).into_iter().chain([binary]) {
        if path.metadata().unwrap().len() > MAX_BYTES {
            continue;
        }
        let parts = parts(&path);
        for seed in 1..=MUTATIONS {
            let mut random = Random(seed * 0x9e37_79b9 + name.len() as u64);
            let bytes = match &parts {
                Some(parts) => archive_with_mutations(parts, &mut random),
                None => mutated(&std::fs::read(&path).unwrap(), &mut random),
            };
            match opened(&bytes, format) {
                Ok(_) => read += 1,
                Err(_) => rejected += 1,
            }
        }
    }
    assert!(read > 200 && rejected > 100, "{read} {rejected}");
}

type Part = (String, Vec<u8>);

/// Returns the parts of an archive; `None` if it is not one.
fn parts(path: &Path) -> Option<Vec<Part>> {
    let mut archive = ZipArchive::new(File::open(path).unwrap()).ok()?;
    let mut parts = Vec::new();
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).ok()?;
        let mut bytes = Vec::new();
        entry.read_to_end(&mut bytes).ok()?;
        parts.push((entry.name().ok()?.into_owned(), bytes));
    }
    Some(parts)
}

/// Creates an archive with some of the parts mutated.
fn archive_with_mutations(parts: &[Part], random: &mut Random) -> Vec<u8> {
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let is_text = [".xml", ".rels", ".bin"]
            .iter()
            .any(|ending| name.ends_with(ending));
        if writer.start_file(name, stored).is_err() {
            continue;
        }
        let mutated = if is_text && random.below(3) == 0 {
            mutated(bytes, random)
        } else {
            bytes.clone()
        };
        writer.write_all(&mutated).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Mutates bytes in a few places: a bit is flipped, bytes are deleted or repeated, or a number is replaced by an extreme
/// one.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(4) {
        if bytes.is_empty() {
            return bytes;
        }
        let position = random.below(bytes.len());
        let end = (position + random.below(200)).min(bytes.len());
        match random.below(6) {
            0 => bytes[position] ^= 1 << random.below(8),
            1 => drop(bytes.drain(position..end)),
            2 => {
                let piece = bytes[position..end].to_vec();
                bytes.splice(position..position, piece);
            }
            _ => replace_number(&mut bytes, position, random),
        }
    }
    bytes
}

/// Replaces the next number after a position.
fn replace_number(bytes: &mut Vec<u8>, position: usize, random: &mut Random) {
    let numbers = [
        "0",
        "-1",
        "255",
        "65536",
        "1048577",
        "2147483648",
        "4294967295",
        "18446744073709551616",
        "1e308",
        "",
    ];
    let Some(start) = bytes[position..]
        .iter()
        .position(u8::is_ascii_digit)
        .map(|offset| position + offset)
    else {
        return;
    };
    let length = bytes[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let other = numbers[random.below(numbers.len())];
    bytes.splice(start..start + length, other.bytes());
}

/// A deterministic pseudo-random number generator.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}
