//! Real documents with bytes changed within their parts end in a result or an error, never in a panic.

use std::fs::File;
use std::io::{Cursor, Read as _, Write as _};
use std::path::Path;

use domain::format::Format;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::biff;
use crate::corpus::{self, FOLDERS};
use crate::made::opened;

/// How often each document is changed.
const TIMES: u64 = 12;
/// Larger documents take too long to be read as often.
const BYTES: u64 = 120_000;

#[test]
fn changed_documents_are_read_or_refused() {
    let (mut read, mut refused) = (0, 0);
    let binary = ("xlsb".to_owned(), biff::fixture(), Format::Xlsb);
    for (name, path, format) in corpus::documents(&FOLDERS).into_iter().chain([binary]) {
        if path.metadata().unwrap().len() > BYTES {
            continue;
        }
        let parts = parts(&path);
        for seed in 1..=TIMES {
            let mut chance = Chance(seed * 0x9e37_79b9 + name.len() as u64);
            let bytes = match &parts {
                Some(parts) => packed(parts, &mut chance),
                None => changed(&std::fs::read(&path).unwrap(), &mut chance),
            };
            match opened(&bytes, format) {
                Ok(_) => read += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(read > 200 && refused > 100, "{read} {refused}");
}

type Part = (String, Vec<u8>);

/// The parts of an archive; `None` if it is none.
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

/// An archive of the parts, some of them changed.
fn packed(parts: &[Part], chance: &mut Chance) -> Vec<u8> {
    let stored = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in parts {
        let is_text = [".xml", ".rels", ".bin"]
            .iter()
            .any(|ending| name.ends_with(ending));
        if writer.start_file(name, stored).is_err() {
            continue;
        }
        let changed = if is_text && chance.below(3) == 0 {
            changed(bytes, chance)
        } else {
            bytes.clone()
        };
        writer.write_all(&changed).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Bytes with a few of them changed: flipped, left out, repeated, or with a number that nobody expects.
fn changed(bytes: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=chance.below(4) {
        if bytes.is_empty() {
            return bytes;
        }
        let place = chance.below(bytes.len());
        let end = (place + chance.below(200)).min(bytes.len());
        match chance.below(6) {
            0 => bytes[place] ^= 1 << chance.below(8),
            1 => drop(bytes.drain(place..end)),
            2 => {
                let piece = bytes[place..end].to_vec();
                bytes.splice(place..place, piece);
            }
            _ => number(&mut bytes, place, chance),
        }
    }
    bytes
}

/// Puts another number for the next one behind a place.
fn number(bytes: &mut Vec<u8>, place: usize, chance: &mut Chance) {
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
    let Some(start) = bytes[place..]
        .iter()
        .position(u8::is_ascii_digit)
        .map(|offset| place + offset)
    else {
        return;
    };
    let length = bytes[start..]
        .iter()
        .take_while(|byte| byte.is_ascii_digit())
        .count();
    let other = numbers[chance.below(numbers.len())];
    bytes.splice(start..start + length, other.bytes());
}

/// The same numbers for the same seed.
struct Chance(u64);

impl Chance {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % end as u64) as usize
    }
}
