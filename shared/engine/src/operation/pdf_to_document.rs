//! Converts PDF and scanned pages to editable documents: analyzes the pages into the layout model and writes it page by
//! page. Pages without text go through OCR first.

mod advice;
mod dropped_ink;
mod fixed_layout;
mod page_warnings;
mod pictures;
mod readable;

use std::path::Path;

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use domain::limits::ARCHIVE_ENTRIES;
use domain::operation::{ConvertOptions, LayoutMode, OcrPolicy, STRUCTURED, TableDetection};
use layout::analysis::{Options, Reading, Tables};
use layout::writers::{Metadata, NoPictures, Pictures, WriteReport};
use layout::{Content, Page, plain};
use ocr::{OcrRequest, OcrResults};
use pdf::content::{
    ContentOptions, OcrCandidate, PictureStore, Source, SurveyedDocument, TextPictures,
};
use pdf::qpdf::QpdfDocument;
use pdf::{pdfium, text_drawing};
use pdfium_render::prelude::PdfDocumentMetadataTagType;
use task::expected_text::write_expected_words;
use task::options::{conversion, keeps_pictures};
use task::page_selection::pages_to_convert;
use task::progress::ProgressWriter;
use task::{Inspection, Product, Task, TaskError, TaskResult, engine_versions};

use self::advice::advice;
use self::dropped_ink::DroppedInk;
use self::page_warnings::PageWarnings;
use self::pictures::StoredPictures;
use self::readable::readable;
use super::bundle::BundledPictures;
use super::document_writer::{write_error, writer};
use super::written_content::WrittenContent;
use super::{Module, Run, is_conversion};

/// The module's table entry.
pub(crate) const MODULE: Module = Module {
    implements: |operation, from| {
        let kinds = [Category::Pdf, Category::Image];
        is_conversion(operation, from, &kinds, STRUCTURED) && operation.resolve(from).is_some()
    },
    inspect: inspect::pages,
    run: Run::Child(run),
    verify: verify::structured,
    fingerprint: |installed, _| {
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        let (text_drawing, layout) = (text_drawing::fingerprint(), layout::VERSION);
        let (qpdf, lopdf) = (engine_versions::QPDF, engine_versions::LOPDF);
        let tesseract = installed.tesseract.as_ref();
        let tesseract = tesseract.map_or("", |tesseract| tesseract.fingerprint.as_str());
        format!("{pdfium} layout {layout} {qpdf} {lopdf} {text_drawing} {tesseract}")
    },
};

/// Number of package parts of a presentation, other than its pictures and two parts per slide.
const OTHER_PARTS: u64 = 10;
/// Maximum number of slides of a presentation without pictures.
const MAX_SLIDES: u64 = (ARCHIVE_ENTRIES - OTHER_PARTS) / 2;

fn run(task: &Task, inspection: &Inspection) -> TaskResult<Product> {
    let options = conversion(&task.operation)?;
    let numbers = pages_to_convert(&task.operation, inspection.pages.unwrap_or(0))?;
    check_slides(task.to, numbers.len())?;
    let store = PictureStore::new(&task.directory);
    let store = keeps_pictures(options).then_some(&store);
    if task.from != Format::Pdf {
        let found = ocr::recognize_image(task, inspection, ocr_request(options))?;
        let wanted = ContentOptions { store, tags: false };
        let surveyed = SurveyedDocument::of_pictures(&found.pages, wanted)?;
        let dropped_ink = DroppedInk::of(options, &[], &found);
        return write(task, options, &surveyed, (&found, dropped_ink));
    }
    let file = readable(task, inspection)?;
    let source = Source {
        pages: Some(&numbers),
        ..Source::of_task(task, &file)
    };
    let wanted = ContentOptions {
        store,
        tags: has_readable_tags(&file, inspection),
    };
    let surveyed = SurveyedDocument::of(source, wanted)?;
    let mut found = recognize_scanned_pages(task, options, &file, &surveyed)?;
    let dropped_ink = DroppedInk::of(options, surveyed.ink(), &found);
    // Flowing text also searches images on pages that already have an OCR text layer; with a fixed layout the page image
    // shows them.
    if is_flowing(options) && keeps_pictures(options) {
        found.analyze_searchable(task, &file, surveyed.searchable())?;
    }
    if found.pages.0.is_empty() {
        let dropped_ink = dropped_ink.with_drawings(options, surveyed.ink(), surveyed.ink());
        return write(task, options, &surveyed, (&found, dropped_ink));
    }
    let source = Source {
        ocr_pages: Some(&found.pages),
        ..source
    };
    let written = SurveyedDocument::of(source, wanted)?;
    let dropped_ink = dropped_ink.with_drawings(options, surveyed.ink(), written.ink());
    write(task, options, &written, (&found, dropped_ink))
}

/// Limits the slides of a presentation, one for each page: a package with more parts cannot be reopened.
fn check_slides(to: Format, pages: usize) -> TaskResult<()> {
    match to == Format::Pptx && pages as u64 > MAX_SLIDES {
        true => Err(TaskError::too_large(&format!(
            "A presentation has at most {MAX_SLIDES} slides, one for each page, but {pages} pages are selected. \
             Select fewer `pages`."
        ))),
        false => Ok(()),
    }
}

/// Recognizes the scanned pages, outlined text and pictures of text, unless OCR is turned off.
fn recognize_scanned_pages(
    task: &Task,
    options: &ConvertOptions,
    file: &Path,
    surveyed: &SurveyedDocument<'_>,
) -> TaskResult<OcrResults> {
    match options.ocr.unwrap_or_default() {
        OcrPolicy::Off => {
            let mut found = OcrResults::default();
            let with_text = |one: &OcrCandidate| one.pictures != TextPictures::default();
            let pages = surveyed.ocr_candidates()?.into_iter().filter(with_text);
            found.skipped = pages.map(|page| page.number).collect();
            Ok(found)
        }
        OcrPolicy::Auto => {
            let request = ocr_request(options);
            let candidates = surveyed.ocr_candidates()?;
            ocr::recognize_pdf(task, file, &candidates, request).map_err(with_alternative)
        }
    }
}

fn ocr_request(options: &ConvertOptions) -> OcrRequest<'_> {
    OcrRequest {
        languages: options.language.as_ref(),
        pictures: keeps_pictures(options),
        reflows: is_flowing(options),
    }
}

fn is_flowing(options: &ConvertOptions) -> bool {
    options.mode.unwrap_or_default() == LayoutMode::Flow
}

/// Adds to the error for too many OCR pages how to convert the document without OCR.
fn with_alternative(error: TaskError) -> TaskError {
    match error {
        TaskError::Document(error) if error.code == JobErrorCode::TooManyPages => {
            let alternative =
                "Select fewer `pages`, or set `ocr` to `off` to convert all pages without OCR.";
            TaskError::document(error.code, &format!("{} {alternative}", error.message))
        }
        other => other,
    }
}

/// Writes all pages in the requested mode.
fn write(
    task: &Task,
    options: &ConvertOptions,
    surveyed: &SurveyedDocument<'_>,
    (found, dropped_ink): (&OcrResults, DroppedInk),
) -> TaskResult<Product> {
    let stored = surveyed.store().map(StoredPictures);
    let pictures = stored
        .as_ref()
        .map_or(&NoPictures as &dyn Pictures, |stored| stored);
    let mut product = match options.mode.unwrap_or_default() {
        LayoutMode::Layout => write_fixed_layout(task, surveyed, (found, dropped_ink), pictures)?,
        LayoutMode::Flow => write_flow(task, surveyed, (found, dropped_ink), pictures)?,
    };
    product.warnings.splice(..0, found.warnings());
    Ok(product)
}

fn write_fixed_layout(
    task: &Task,
    surveyed: &SurveyedDocument<'_>,
    (found, dropped_ink): (&OcrResults, DroppedInk),
    pictures: &dyn Pictures,
) -> TaskResult<Product> {
    let writer = fixed_layout::writer(task, &metadata(task)?, pictures)?;
    let pages = surveyed.fixed_layout_pages()?;
    write_expected_words(task, &found.words, &[])?;
    let page_warnings = PageWarnings::new(found).with_dropped_ink(dropped_ink);
    let progress = progress(task, found);
    let count = surveyed.count();
    let options = conversion(&task.operation)?;
    let mut content = WrittenContent::new(task, options);
    let product = fixed_layout::write_pages(
        writer,
        (pages, count),
        (&mut content, page_warnings),
        progress,
    )?;
    content.check(|| advice(options, surveyed, found, false))?;
    Ok(product)
}

fn write_flow(
    task: &Task,
    surveyed: &SurveyedDocument<'_>,
    (found, dropped_ink): (&OcrResults, DroppedInk),
    pictures: &dyn Pictures,
) -> TaskResult<Product> {
    let options = conversion(&task.operation)?;
    let bundled = options
        .bundles_images()
        .then(|| BundledPictures::new(pictures));
    let pictures = bundled.as_ref().map_or(pictures, |bundled| bundled);
    let mut writer = writer(task, options, &metadata(task)?, pictures)?;
    let mut page_warnings = PageWarnings::new(found).with_dropped_ink(dropped_ink);
    let mut omitted = Vec::new();
    let mut content = WrittenContent::new(task, options);
    let mut progress = progress(task, found);
    let pages_read = surveyed.pages(analysis_options(options, surveyed.has_tags()))?;
    for (index, read) in pages_read.enumerate() {
        let Reading {
            page,
            warnings,
            candidates,
            ..
        } = read?;
        page_warnings.add_page(&page, &warnings);
        omitted.extend(header_footer_texts(options.format, &page));
        omitted.extend(image_texts(&page));
        content.add(&page)?;
        writer.candidates(candidates);
        writer.page(page).map_err(write_error)?;
        progress.report(index + 1, surveyed.count());
    }
    page_warnings.add_dropped_drawings(&surveyed.unrendered_figures());
    let written = writer.finish().map_err(write_error)?;
    check_tables(options, &written)?;
    let has_other_content = page_warnings.has_pages_without_text();
    content.check(|| advice(options, surveyed, found, has_other_content))?;
    write_expected_words(task, &found.words, &omitted)?;
    let warnings = page_warnings.warnings(&written).into_iter();
    let archived = bundled.map(|bundled| bundled.archive(task)).transpose()?;
    Ok(Product {
        warnings: warnings.chain(content.warnings()).collect(),
        ..archived.unwrap_or_default()
    })
}

/// Progress of writing, which is the second part of the work if pages went through OCR.
fn progress(task: &Task, found: &OcrResults) -> ProgressWriter {
    match found.is_empty() {
        true => ProgressWriter::start(&task.scratch),
        false => ProgressWriter::for_range(&task.scratch, ocr::WRITING_PROGRESS),
    }
}

/// Texts of a page's headers and footers, for formats that may omit them.
fn header_footer_texts(format: Format, page: &Page) -> Vec<String> {
    if !matches!(format, Format::Html | Format::Markdown | Format::Docx) {
        return Vec::new();
    }
    let blocks = page.header.iter().chain(&page.footer);
    let texts = blocks.map(|block| match &block.content {
        Content::Paragraph { runs, .. } | Content::Heading { runs, .. } => plain(runs),
        _ => String::new(),
    });
    texts.collect()
}

/// Alternative texts of a page's images: the words that figures contain.
fn image_texts(page: &Page) -> impl Iterator<Item = String> {
    page.blocks.iter().filter_map(|block| match &block.content {
        Content::Image { alternative, .. } => alternative.clone(),
        _ => None,
    })
}

/// Whether the document has a structure tree that PDFium can traverse: its parent tree must not be cyclic.
pub(super) fn has_readable_tags(file: &Path, inspection: &Inspection) -> bool {
    let ends = || QpdfDocument::open(file).is_ok_and(|document| document.has_finite_parent_tree());
    inspection.catalog.tags && ends()
}

fn analysis_options(options: &ConvertOptions, tags: bool) -> Options {
    Options {
        tables: match options.tables.unwrap_or_default() {
            TableDetection::Auto => Tables::Auto,
            TableDetection::Ruled => Tables::Ruled,
            TableDetection::Off => Tables::Off,
        },
        tags,
        explain: options.explain == Some(true),
    }
}

/// Title and language of the document.
fn metadata(task: &Task) -> TaskResult<Metadata> {
    if task.from != Format::Pdf {
        return Ok(Metadata::default());
    }
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let title = document.metadata().get(PdfDocumentMetadataTagType::Title);
    let title = title.map(|tag| tag.value().trim().to_owned());
    Ok(Metadata {
        title: title.filter(|title| !title.is_empty()),
        language: QpdfDocument::open(&task.readable())
            .ok()
            .and_then(|document| document.language()),
    })
}

/// Requires a table for CSV.
fn check_tables(options: &ConvertOptions, written: &WriteReport) -> TaskResult<()> {
    if options.format != Format::Csv || written.tables > 0 {
        return Ok(());
    }
    let message = match options.table {
        Some(table) => format!("The document has no table {}.", table.value()),
        None => "The document has no table that could be found.".to_owned(),
    };
    Err(TaskError::document(JobErrorCode::OutputInvalid, &message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn error_for_too_many_ocr_pages_names_the_alternative() {
        let error = TaskError::document(JobErrorCode::TooManyPages, "Too many.");
        let TaskError::Document(error) = with_alternative(error) else {
            panic!("not a document error");
        };
        assert!(error.message.starts_with("Too many. "), "{}", error.message);
        assert!(
            error.message.contains("`ocr` to `off`"),
            "{}",
            error.message
        );
        let corrupt = with_alternative(TaskError::input_corrupt());
        assert_eq!(
            format!("{corrupt:?}"),
            format!("{:?}", TaskError::input_corrupt())
        );
    }
}
