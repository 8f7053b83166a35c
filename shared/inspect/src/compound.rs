//! Checks an OLE compound file: its binary Office format or Outlook item, and whether it is encrypted.
//!
//! Structures from [MS-DOC] `FibBase`, [MS-PPT] `CurrentUserAtom` and [MS-OXMSG].

use std::fs::File;
use std::io::{BufReader, Read as _};
use std::path::Path;

use cfb::CompoundFile;
use domain::format::Format;
use task::{TaskError, TaskResult};

use super::workbook;

/// Returns the format of a compound file, which must be unencrypted unless it comes with a password (`has_password`).
pub(super) fn check(path: &Path, claimed: Format, has_password: bool) -> TaskResult<Format> {
    let damaged = |_| match claimed {
        Format::Doc | Format::Xls | Format::Ppt | Format::Msg => TaskError::input_corrupt(),
        // Encrypted OOXML is a compound file, too.
        Format::Docx | Format::Xlsx | Format::Xlsb | Format::Pptx => TaskError::input_corrupt(),
        _ => TaskError::content_mismatch(),
    };
    let mut file = CompoundFile::open(File::open(path)?).map_err(damaged)?;
    if file.is_stream("/EncryptedPackage") {
        return match claimed {
            Format::Docx | Format::Xlsx | Format::Xlsb | Format::Pptx if has_password => {
                Ok(claimed)
            }
            Format::Docx | Format::Xlsx | Format::Xlsb | Format::Pptx => {
                Err(TaskError::password_required())
            }
            _ => Err(TaskError::content_mismatch()),
        };
    }
    let format = binary_format(&file).ok_or_else(TaskError::content_mismatch)?;
    if format != claimed {
        return Err(TaskError::content_mismatch());
    }
    let encrypted = match format {
        Format::Doc => word_is_encrypted(&mut file),
        Format::Ppt => presentation_is_encrypted(&mut file),
        // The parts of a mail are encrypted, not the file.
        Format::Msg => Ok(false),
        _ => workbook_is_encrypted(&mut file),
    };
    match encrypted {
        // LibreOffice cannot decrypt binary presentations.
        Ok(true) if !has_password || format == Format::Ppt => Err(TaskError::password_required()),
        Ok(_) => Ok(format),
        Err(error) => Err(error),
    }
}

/// The format of a compound file by its streams; `None` if it is neither a binary Office document nor an Outlook item, or cannot be opened.
pub(super) fn format(path: &Path) -> Option<Format> {
    binary_format(&CompoundFile::open(File::open(path).ok()?).ok()?)
}

fn binary_format(file: &CompoundFile<File>) -> Option<Format> {
    if file.is_stream("/WordDocument") {
        Some(Format::Doc)
    } else if file.is_stream("/PowerPoint Document") {
        Some(Format::Ppt)
    } else if file.is_stream("/__properties_version1.0") {
        Some(Format::Msg)
    } else {
        workbook_stream(file).map(|_| Format::Xls)
    }
}

fn workbook_stream(file: &CompoundFile<File>) -> Option<&'static str> {
    ["/Workbook", "/Book"]
        .into_iter()
        .find(|name| file.is_stream(name))
}

fn read_head(file: &mut CompoundFile<File>, stream: &str, bytes: u64) -> TaskResult<Vec<u8>> {
    let mut read = Vec::new();
    let stream = file
        .open_stream(stream)
        .map_err(TaskError::from_read_error)?;
    let taken = stream.take(bytes).read_to_end(&mut read);
    taken.map_err(TaskError::from_read_error)?;
    Ok(read)
}

/// Bit `fEncrypted` of the flags at offset 10.
fn word_is_encrypted(file: &mut CompoundFile<File>) -> TaskResult<bool> {
    let head = read_head(file, "/WordDocument", 12)?;
    Ok(head.get(11).is_some_and(|flags| flags & 1 != 0))
}

/// `headerToken` at offset 12 has another value in encrypted files.
fn presentation_is_encrypted(file: &mut CompoundFile<File>) -> TaskResult<bool> {
    const ENCRYPTED: [u8; 4] = 0xF3D1_C4DF_u32.to_le_bytes();
    if !file.is_stream("/Current User") {
        return Ok(false);
    }
    let head = read_head(file, "/Current User", 16)?;
    Ok(head.get(12..16) == Some(&ENCRYPTED))
}

fn workbook_is_encrypted(file: &mut CompoundFile<File>) -> TaskResult<bool> {
    let stream = workbook_stream(file).unwrap_or_default();
    let stream = file
        .open_stream(stream)
        .map_err(TaskError::from_read_error)?;
    workbook::is_encrypted(BufReader::new(stream))
}
