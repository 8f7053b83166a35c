//! Checks an OLE compound file: which of the binary Office formats it holds, and whether it is encrypted.
//!
//! Layouts from Microsoft's open specifications: [MS-DOC] `FibBase`, [MS-XLS] `FilePass`, [MS-PPT] `CurrentUserAtom`.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;

use cfb::CompoundFile;
use domain::format::Format;

use crate::fault::{Fault, Outcome};

/// Records of a workbook that are looked through for its encryption, which stands near the beginning.
const RECORDS: usize = 200;

/// The format of a compound file that is whole and not encrypted.
pub(super) fn check(path: &Path, claimed: Format) -> Outcome<Format> {
    let damaged = |_| match claimed {
        Format::Doc | Format::Xls | Format::Ppt => Fault::corrupt(),
        // Encrypted OOXML is a compound file, too.
        Format::Docx | Format::Xlsx | Format::Pptx => Fault::corrupt(),
        _ => Fault::mismatch(),
    };
    let mut file = CompoundFile::open(File::open(path)?).map_err(damaged)?;
    if file.is_stream("/EncryptedPackage") {
        return match claimed {
            Format::Docx | Format::Xlsx | Format::Pptx => Err(Fault::password_required()),
            _ => Err(Fault::mismatch()),
        };
    }
    let (format, encrypted) = if file.is_stream("/WordDocument") {
        (Format::Doc, word_is_encrypted(&mut file))
    } else if file.is_stream("/PowerPoint Document") {
        (Format::Ppt, slides_are_encrypted(&mut file))
    } else if let Some(stream) = ["/Workbook", "/Book"]
        .iter()
        .find(|name| file.is_stream(name))
    {
        (Format::Xls, workbook_is_encrypted(&mut file, stream))
    } else {
        return Err(Fault::mismatch());
    };
    match encrypted {
        _ if format != claimed => Err(Fault::mismatch()),
        Ok(true) => Err(Fault::password_required()),
        Ok(false) => Ok(format),
        Err(error) => Err(Fault::reading(error)),
    }
}

fn beginning(file: &mut CompoundFile<File>, stream: &str, bytes: u64) -> std::io::Result<Vec<u8>> {
    let mut read = Vec::new();
    file.open_stream(stream)?
        .take(bytes)
        .read_to_end(&mut read)?;
    Ok(read)
}

/// Bit `fEncrypted` of the flags at offset 10.
fn word_is_encrypted(file: &mut CompoundFile<File>) -> std::io::Result<bool> {
    let head = beginning(file, "/WordDocument", 12)?;
    Ok(head.get(11).is_some_and(|flags| flags & 1 != 0))
}

/// `headerToken` at offset 12 is another one in encrypted files.
fn slides_are_encrypted(file: &mut CompoundFile<File>) -> std::io::Result<bool> {
    const ENCRYPTED: [u8; 4] = 0xF3D1_C4DF_u32.to_le_bytes();
    if !file.is_stream("/Current User") {
        return Ok(false);
    }
    let head = beginning(file, "/Current User", 16)?;
    Ok(head.get(12..16) == Some(&ENCRYPTED))
}

/// A record `FilePass` before the end of the workbook's globals.
fn workbook_is_encrypted(file: &mut CompoundFile<File>, stream: &str) -> std::io::Result<bool> {
    const END_OF_SUBSTREAM: u16 = 0x000A;
    const FILE_PASS: u16 = 0x002F;
    let mut stream = file.open_stream(stream)?;
    for _ in 0..RECORDS {
        let mut header = [0; 4];
        if stream.read_exact(&mut header).is_err() {
            break;
        }
        let [kind_low, kind_high, length_low, length_high] = header;
        match u16::from_le_bytes([kind_low, kind_high]) {
            FILE_PASS => return Ok(true),
            END_OF_SUBSTREAM => break,
            _ => {}
        }
        let length = u16::from_le_bytes([length_low, length_high]);
        stream.seek(SeekFrom::Current(length.into()))?;
    }
    Ok(false)
}
