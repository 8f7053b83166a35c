//! The pages of a PDF as measurements take them, those that are pictures read by OCR.

use std::path::Path;

use domain::format::Format;
use domain::job::JobLimits;
use domain::operation::{ConvertOptions, Languages, Operation};
use pdf::content::{Recognised, Source, Store, Surveyed, Wanted, json};
use task::{Outcome, Task};

use crate::{Asked, of_pdf};

/// As [`pdf::content::told`], with OCR: `models` is where those of Tesseract lie, and `languages` are joined by `+`.
///
/// # Errors
/// What is wrong with the document, or with Tesseract.
pub fn told_by_ocr(
    library: &Path,
    file: &Path,
    directory: &Path,
    (models, languages): (&Path, &str),
) -> Result<Vec<u8>, String> {
    let languages =
        Languages::try_from(languages.to_owned()).map_err(|fault| format!("{fault:?}"))?;
    let task = task(library, file, directory, models);
    let found = read(&task, &languages).map_err(|fault| format!("{fault:?}"))?;
    let source = Source {
        recognised: Some(&found),
        ..Source::of(&task, &task.source)
    };
    let told = json(
        source,
        layout::analysis::Options::default(),
        &Store::new(directory),
    );
    told.map_err(|fault| format!("{fault:?}"))
}

fn read(task: &Task, languages: &Languages) -> Outcome<Recognised> {
    let surveyed = Surveyed::of(Source::of(task, &task.source), Wanted::default())?;
    let asked = Asked {
        languages,
        pictures: true,
        flows: true,
    };
    let found = of_pdf(task, &task.source, surveyed.faint(), asked)?;
    Ok(found.recognised)
}

fn task(library: &Path, file: &Path, directory: &Path, models: &Path) -> Task {
    Task {
        operation: Operation::Convert(ConvertOptions::to(Format::Json)),
        source: file.to_owned(),
        from: Format::Pdf,
        attachments: Vec::new(),
        to: Format::Json,
        limits: JobLimits {
            file_bytes: u64::MAX,
            pages: u32::MAX,
            image_side: u32::MAX,
        },
        directory: directory.to_owned(),
        scratch: directory.to_owned(),
        stem: String::new(),
        pdfium: Some(library.to_owned()),
        models: Some(models.to_owned()),
        browser: None,
        page: None,
        product: None,
    }
}
