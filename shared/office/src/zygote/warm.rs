//! Warm-up: the zygote converts tiny documents before it accepts jobs, so that libraries and data are loaded and their memory
//! pages shared with the forks.

mod samples;

use std::path::{Path, PathBuf};

use self::samples::{SAMPLES, Sample};
use crate::kit::{LibreOfficeKit, LoadOptions};

/// Converts every sample document in `directory`.
pub(super) fn warm_up(kit: &LibreOfficeKit, directory: &Path) -> Result<(), String> {
    SAMPLES
        .iter()
        .try_for_each(|sample| convert(kit, sample, directory))
}

fn convert(kit: &LibreOfficeKit, sample: &Sample, directory: &Path) -> Result<(), String> {
    let failed = |error: &dyn std::fmt::Display| format!("{} sample: {error}", sample.extension);
    let file = write_sample(sample, directory).map_err(|error| failed(&error))?;
    let rewritten = sample
        .rewritten
        .map(|format| (format, file.with_extension(format)));
    print(kit, &file, rewritten.as_ref()).map_err(|error| failed(&error))?;
    match &rewritten {
        Some((_, file)) => print(kit, file, None).map_err(|error| failed(&error)),
        None => Ok(()),
    }
}

/// Writes a sample to a file.
fn write_sample(sample: &Sample, directory: &Path) -> std::io::Result<PathBuf> {
    let file = directory.join("warm").with_extension(sample.extension);
    std::fs::write(&file, sample.bytes()?)?;
    Ok(file)
}

/// Converts a document to PDF, saves it in another format if given, and removes source and PDF.
fn print(
    kit: &LibreOfficeKit,
    file: &Path,
    rewritten: Option<&(&str, PathBuf)>,
) -> Result<(), Box<dyn std::error::Error>> {
    let printed = file.with_extension("pdf");
    let document = kit.load(file, LoadOptions::default())?;
    let saved = document.save(&printed, "pdf", samples::PDF_OPTIONS);
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

/// Checks that the output is a PDF, regardless of the success that LibreOffice reported.
fn check(printed: &Path) -> std::io::Result<()> {
    let bytes = std::fs::read(printed)?;
    match bytes.starts_with(b"%PDF-") && bytes.trim_ascii_end().ends_with(b"%%EOF") {
        true => Ok(()),
        false => Err(std::io::Error::other("the output is not a PDF")),
    }
}
