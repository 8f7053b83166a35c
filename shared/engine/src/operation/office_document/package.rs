//! Copies a package saved by LibreOffice with some of its parts changed.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::path::Path;

use task::{TaskError, TaskResult};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use super::crashed;

/// Copies a package without the parts that `is_kept` rejects. `change` returns the new text of a part, if it changes; it is
/// called for XML parts. All parts get the default timestamp.
pub(in super::super) fn rewrite(
    saved: &Path,
    output: &Path,
    is_kept: impl Fn(&str) -> bool,
    change: impl Fn(&str, &str) -> Option<String>,
) -> TaskResult<()> {
    let mut saved = ZipArchive::new(BufReader::new(File::open(saved)?)).map_err(zip_error)?;
    let mut output = ZipWriter::new(BufWriter::new(File::create(output)?));
    for index in 0..saved.len() {
        let mut part = saved.by_index(index).map_err(zip_error)?;
        let name = part.name().map_err(zip_error)?.into_owned();
        if !is_kept(&name) {
            continue;
        }
        let changed = match name.ends_with(".xml") || name.ends_with(".rels") {
            true => {
                let mut text = String::new();
                part.read_to_string(&mut text)?;
                change(&name, &text)
            }
            false => None,
        };
        drop(part);
        let Some(text) = changed else {
            let part = saved.by_index_raw(index).map_err(zip_error)?;
            let copied = output.raw_copy_file_touch(part, DateTime::default(), None);
            copied.map_err(zip_error)?;
            continue;
        };
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default());
        output.start_file(name, options).map_err(zip_error)?;
        output.write_all(text.as_bytes())?;
    }
    Ok(output.finish().map_err(zip_error)?.flush()?)
}

/// LibreOffice wrote the package, so a damaged one is a crash.
fn zip_error(error: ZipError) -> TaskError {
    match error {
        ZipError::Io(error) => TaskError::Io(error),
        _ => crashed(),
    }
}
