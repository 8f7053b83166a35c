//! Checks an OLE compound file: which of the binary Office formats it holds, and whether it is encrypted.
//!
//! Layouts from Microsoft's open specifications: [MS-DOC] `FibBase`, [MS-PPT] `CurrentUserAtom`.

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use cfb::CompoundFile;
use domain::format::Format;
use task::{Fault, Outcome};

use super::workbook;

/// The format of a compound file that is whole and not encrypted, or comes with a password.
pub(super) fn check(path: &Path, claimed: Format, opens: bool) -> Outcome<Format> {
    let damaged = |_| match claimed {
        Format::Doc | Format::Xls | Format::Ppt => Fault::corrupt(),
        // Encrypted OOXML is a compound file, too.
        Format::Docx | Format::Xlsx | Format::Xlsb | Format::Pptx => Fault::corrupt(),
        _ => Fault::mismatch(),
    };
    let mut file = CompoundFile::open(File::open(path)?).map_err(damaged)?;
    if file.is_stream("/EncryptedPackage") {
        return match claimed {
            Format::Docx | Format::Xlsx | Format::Xlsb | Format::Pptx if opens => Ok(claimed),
            Format::Docx | Format::Xlsx | Format::Xlsb | Format::Pptx => {
                Err(Fault::password_required())
            }
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
        // LibreOffice decrypts no binary presentations.
        Ok(true) if !opens || format == Format::Ppt => Err(Fault::password_required()),
        Ok(_) => Ok(format),
        Err(fault) => Err(fault),
    }
}

fn beginning(file: &mut CompoundFile<File>, stream: &str, bytes: u64) -> Outcome<Vec<u8>> {
    let mut read = Vec::new();
    let stream = file.open_stream(stream).map_err(Fault::reading)?;
    let taken = stream.take(bytes).read_to_end(&mut read);
    taken.map_err(Fault::reading)?;
    Ok(read)
}

/// Bit `fEncrypted` of the flags at offset 10.
fn word_is_encrypted(file: &mut CompoundFile<File>) -> Outcome<bool> {
    let head = beginning(file, "/WordDocument", 12)?;
    Ok(head.get(11).is_some_and(|flags| flags & 1 != 0))
}

/// `headerToken` at offset 12 is another one in encrypted files.
fn slides_are_encrypted(file: &mut CompoundFile<File>) -> Outcome<bool> {
    const ENCRYPTED: [u8; 4] = 0xF3D1_C4DF_u32.to_le_bytes();
    if !file.is_stream("/Current User") {
        return Ok(false);
    }
    let head = beginning(file, "/Current User", 16)?;
    Ok(head.get(12..16) == Some(&ENCRYPTED))
}

fn workbook_is_encrypted(file: &mut CompoundFile<File>, stream: &str) -> Outcome<bool> {
    let stream = file.open_stream(stream).map_err(Fault::reading)?;
    workbook::is_encrypted(BufReader::new(stream))
}
