//! Exports the layout model of a PDF as JSON with OCR of scanned pages, for measurements.

use std::path::Path;

use domain::format::Format;
use domain::job::JobLimits;
use domain::operation::{ConvertOptions, Languages, Operation};
use pdf::content::{ContentOptions, OcrPages, PictureStore, Source, SurveyedDocument, source_json};
use task::{Task, TaskResult};

use crate::{OcrRequest, recognize_pdf};

/// Like [`pdf::content::content_json`], with OCR: `models` is the directory of the Tesseract models; `languages` are joined by
/// `+`.
///
/// # Errors
/// Invalid documents, or failures of Tesseract.
pub fn to_json_with_ocr(
    library: &Path,
    file: &Path,
    directory: &Path,
    (models, languages): (&Path, &str),
) -> Result<Vec<u8>, String> {
    let languages =
        Languages::try_from(languages.to_owned()).map_err(|error| format!("{error:?}"))?;
    let task = task(library, file, directory, models);
    let found = recognize(&task, &languages).map_err(|error| format!("{error:?}"))?;
    let source = Source {
        ocr_pages: Some(&found),
        ..Source::of_task(&task, &task.source)
    };
    let exported = source_json(
        source,
        layout::analysis::Options::default(),
        &PictureStore::new(directory),
    );
    exported.map_err(|error| format!("{error:?}"))
}

fn recognize(task: &Task, languages: &Languages) -> TaskResult<OcrPages> {
    let surveyed = SurveyedDocument::of(
        Source::of_task(task, &task.source),
        ContentOptions::default(),
    )?;
    let request = OcrRequest {
        languages: Some(languages),
        pictures: true,
        reflows: true,
    };
    let found = recognize_pdf(task, &task.source, &surveyed.ocr_candidates()?, request)?;
    Ok(found.pages)
}

fn task(library: &Path, file: &Path, directory: &Path, models: &Path) -> Task {
    Task {
        operation: Operation::Convert(ConvertOptions::to(Format::Json)),
        part: None,
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
