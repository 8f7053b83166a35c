//! Tiny documents that the zygote converts before it takes orders, so that what every document needs is loaded already: in
//! forks, these pages are shared.

mod samples;

use std::path::{Path, PathBuf};

use self::samples::{SAMPLES, Sample};
use crate::kit::{Kit, Reading};

/// Converts every sample in `directory`.
pub(super) fn up(kit: &Kit, directory: &Path) -> Result<(), String> {
    SAMPLES
        .iter()
        .try_for_each(|sample| convert(kit, sample, directory))
}

/// Whether LibreOffice prints a sample in the working directory.
pub(super) fn is_well(kit: &Kit) -> bool {
    let directory = std::env::current_dir().unwrap_or_default();
    SAMPLES.first().is_some_and(|sample| {
        let file = lay_out(sample, &directory);
        file.is_ok_and(|file| print(kit, &file, None).is_ok())
    })
}

fn convert(kit: &Kit, sample: &Sample, directory: &Path) -> Result<(), String> {
    let failed =
        |error: &dyn std::fmt::Display| format!("{} of its own: {error}", sample.extension);
    let file = lay_out(sample, directory).map_err(|error| failed(&error))?;
    let rewritten = sample
        .rewritten
        .map(|format| (format, file.with_extension(format)));
    print(kit, &file, rewritten.as_ref()).map_err(|error| failed(&error))?;
    match &rewritten {
        Some((_, file)) => print(kit, file, None).map_err(|error| failed(&error)),
        None => Ok(()),
    }
}

/// Writes a sample down.
fn lay_out(sample: &Sample, directory: &Path) -> std::io::Result<PathBuf> {
    let file = directory.join("warm").with_extension(sample.extension);
    std::fs::write(&file, sample.bytes()?)?;
    Ok(file)
}

/// Prints a document, after it was saved in another format, and removes it.
fn print(
    kit: &Kit,
    file: &Path,
    rewritten: Option<&(&str, PathBuf)>,
) -> Result<(), Box<dyn std::error::Error>> {
    let printed = file.with_extension("pdf");
    let document = kit.load(file, Reading::default())?;
    let saved = document.save(&printed, "pdf", samples::PRINTING);
    let saved = saved.and_then(|()| match rewritten {
        Some((format, other)) => document.save(other, format, ""),
        None => Ok(()),
    });
    document.close();
    saved?;
    check(&printed)?;
    std::fs::remove_file(file)?;
    Ok(std::fs::remove_file(&printed)?)
}

/// Success that was claimed is none yet.
fn check(printed: &Path) -> std::io::Result<()> {
    let bytes = std::fs::read(printed)?;
    match bytes.starts_with(b"%PDF-") && bytes.trim_ascii_end().ends_with(b"%%EOF") {
        true => Ok(()),
        false => Err(std::io::Error::other("what was made is no PDF")),
    }
}
