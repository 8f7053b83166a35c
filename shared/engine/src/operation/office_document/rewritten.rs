//! Copies a package that LibreOffice made, with some of its parts changed.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use task::{Fault, Outcome};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::crashed;

/// Copies a package; parts that `is_changed` names are texts, of which `change` makes others. No part keeps its date.
pub(in super::super) fn rewrite(
    made: &Path,
    output: &Path,
    is_changed: impl Fn(&str) -> bool,
    change: impl Fn(&str) -> String,
) -> Outcome<()> {
    let mut made = ZipArchive::new(BufReader::new(File::open(made)?)).map_err(fault)?;
    let mut output = ZipWriter::new(BufWriter::new(File::create(output)?));
    for index in 0..made.len() {
        let mut part = made.by_index(index).map_err(fault)?;
        let name = part.name().map_err(fault)?.into_owned();
        if !is_changed(&name) {
            let copied = output.raw_copy_file_touch(part, DateTime::default(), None);
            copied.map_err(fault)?;
            continue;
        }
        let mut text = String::new();
        part.read_to_string(&mut text)?;
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        output.start_file(name, options).map_err(fault)?;
        output.write_all(change(&text).as_bytes())?;
    }
    Ok(output.finish().map_err(fault)?.flush()?)
}

/// LibreOffice wrote it, so it is whole.
fn fault(error: ZipError) -> Fault {
    match error {
        ZipError::Io(error) => Fault::Io(error),
        _ => crashed(),
    }
}
