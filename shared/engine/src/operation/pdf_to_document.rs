//! PDF and pictures of pages to documents that can be worked on: what their pages say is read into the layout model, and written
//! page by page. Pages without text are read by OCR first.

mod guesses;
mod pictures;
mod placed;
mod readable;

use std::path::Path;

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use domain::limits::ARCHIVE_ENTRIES;
use domain::operation::{
    ConvertOptions, Languages, Recognition, STRUCTURED, TableDetection, TextPlacement,
};
use layout::analysis::{Options, Reading, Tables};
use layout::writers::{Metadata, NoPictures, Pictures, WriteReport};
use layout::{Content, Page, plain};
use ocr::{Asked, Found};
use pdf::content::{Faint, Source, Store, Surveyed, Wanted};
use pdf::qpdf::Held;
use pdf::{lettering, pdfium};
use pdfium_render::prelude::PdfDocumentMetadataTagType;
use task::arrangement::chosen;
use task::options::{conversion, keeps_pictures};
use task::progress::Teller;
use task::recognised::note_words;
use task::{Fault, Inspection, Outcome, Product, Task, linked};

use self::guesses::Guesses;
use self::pictures::Kept;
use self::readable::readable;
use super::writing::{fault, writer};
use super::{Module, Run, converts};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        let kinds = [Category::Pdf, Category::Image];
        converts(operation, from, &kinds, STRUCTURED) && operation.resolve(from).is_some()
    },
    inspect: inspect::pages,
    run: Run::Child(run),
    verify: verify::structured,
    fingerprint: |installed, _| {
        let pdfium = installed.pdfium.as_ref();
        let pdfium = pdfium.map_or("", |pdfium| pdfium.fingerprint.as_str());
        let (lettering, layout) = (lettering::fingerprint(), layout::VERSION);
        let (qpdf, lopdf) = (linked::QPDF, linked::LOPDF);
        let tesseract = installed.tesseract.as_ref();
        let tesseract = tesseract.map_or("", |tesseract| tesseract.fingerprint.as_str());
        format!("{pdfium} layout {layout} {qpdf} {lopdf} {lettering} {tesseract}")
    },
};

/// Parts of a presentation beside those of its slides, which have two each, and its pictures.
const OTHER_PARTS: u64 = 10;
/// Most slides of a presentation that no picture is in.
const SLIDES: u64 = (ARCHIVE_ENTRIES - OTHER_PARTS) / 2;

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let options = conversion(&task.operation)?;
    let numbers = chosen(&task.operation, inspection.pages.unwrap_or(0))?;
    check_slides(task.to, numbers.len())?;
    let store = Store::new(&task.directory);
    let store = keeps_pictures(options).then_some(&store);
    if task.from != Format::Pdf {
        let languages = options.language.clone().unwrap_or_default();
        let found = ocr::of_image(task, inspection, asked(options, &languages))?;
        let wanted = Wanted { store, tags: false };
        let surveyed = Surveyed::of_pictures(&found.recognised, wanted)?;
        return write(task, options, &surveyed, &found);
    }
    let file = readable(task, inspection)?;
    let source = Source {
        pages: Some(&numbers),
        ..Source::of(task, &file)
    };
    let wanted = Wanted {
        store,
        tags: has_sound_tags(&file, inspection),
    };
    let surveyed = Surveyed::of(source, wanted)?;
    let mut found = read_pictures(task, options, &file, surveyed.faint())?;
    // Text alone flows, also where it was read before; where all keeps its place, the picture shows it.
    if is_flowing(options) && keeps_pictures(options) {
        found.look_through(task, &file, surveyed.searchable())?;
    }
    if found.recognised.0.is_empty() {
        return write(task, options, &surveyed, &found);
    }
    let source = Source {
        recognised: Some(&found.recognised),
        ..source
    };
    write(task, options, &Surveyed::of(source, wanted)?, &found)
}

/// A presentation has a slide for each page, and a document of so many parts only is opened again.
fn check_slides(to: Format, pages: usize) -> Outcome<()> {
    match to == Format::Pptx && pages as u64 > SLIDES {
        true => Err(Fault::too_large(&format!(
            "A presentation has at most {SLIDES} slides, one a page; `pages` chooses some of the {pages}."
        ))),
        false => Ok(()),
    }
}

/// What OCR finds on those of these pages that are pictures, if it is wanted.
fn read_pictures(
    task: &Task,
    options: &ConvertOptions,
    file: &Path,
    faint: &[Faint],
) -> Outcome<Found> {
    let languages = options.language.clone().unwrap_or_default();
    match options.ocr.unwrap_or_default() {
        Recognition::Off => Ok(Found::default()),
        Recognition::Auto => {
            let asked = asked(options, &languages);
            ocr::of_pdf(task, file, faint, asked).map_err(without_ocr)
        }
    }
}

fn asked<'a>(options: &ConvertOptions, languages: &'a Languages) -> Asked<'a> {
    Asked {
        languages,
        pictures: keeps_pictures(options),
        flows: is_flowing(options),
    }
}

fn is_flowing(options: &ConvertOptions) -> bool {
    options.mode.unwrap_or_default() == TextPlacement::Flow
}

/// Tells of a document with too many pages to be read how it is converted all the same.
fn without_ocr(fault: Fault) -> Fault {
    match fault {
        Fault::Document(error) if error.code == JobErrorCode::TooManyPages => {
            let way = "Convert fewer `pages`, or all of them without this text by `ocr`: `off`.";
            Fault::document(error.code, &format!("{} {way}", error.message))
        }
        other => other,
    }
}

/// Writes all pages.
fn write(
    task: &Task,
    options: &ConvertOptions,
    surveyed: &Surveyed<'_>,
    found: &Found,
) -> Outcome<Product> {
    let kept = surveyed.store().map(Kept);
    let pictures = kept
        .as_ref()
        .map_or(&NoPictures as &dyn Pictures, |kept| kept);
    let mut product = match options.mode.unwrap_or_default() {
        TextPlacement::Layout => in_place(task, surveyed, found, pictures)?,
        TextPlacement::Flow => flowing(task, surveyed, found, pictures)?,
    };
    product.remarks.splice(..0, found.remarks());
    Ok(product)
}

fn in_place(
    task: &Task,
    surveyed: &Surveyed<'_>,
    found: &Found,
    pictures: &dyn Pictures,
) -> Outcome<Product> {
    let writer = placed::writer(task, &facts(task)?, pictures)?;
    let pages = surveyed.sightings()?;
    note_words(task, &found.words, &[])?;
    let guesses = Guesses::knowing(found);
    let teller = teller(task, found);
    placed::made(writer, (pages, surveyed.count()), guesses, teller)
}

fn flowing(
    task: &Task,
    surveyed: &Surveyed<'_>,
    found: &Found,
    pictures: &dyn Pictures,
) -> Outcome<Product> {
    let options = conversion(&task.operation)?;
    let mut writer = writer(task, options, &facts(task)?, pictures)?;
    let mut guesses = Guesses::knowing(found);
    let mut left_out = Vec::new();
    let mut teller = teller(task, found);
    let readings = surveyed.pages(reading(options, surveyed.has_tags()))?;
    for (index, read) in readings.enumerate() {
        let Reading { page, warnings, .. } = read?;
        guesses.note(&page, &warnings);
        left_out.extend(edges(options.format, &page));
        writer.page(page).map_err(fault)?;
        teller.tell(index + 1, surveyed.count());
    }
    let written = writer.finish().map_err(fault)?;
    check_tables(options, &written)?;
    note_words(task, &found.words, &left_out)?;
    Ok(Product {
        remarks: guesses.remarks(&written),
        ..Product::default()
    })
}

/// What tells how much is written: the rest of the work, if pages were read first.
fn teller(task: &Task, found: &Found) -> Teller {
    match found.is_empty() {
        true => Teller::begin(&task.scratch),
        false => Teller::part(&task.scratch, ocr::WRITING),
    }
}

/// What stands at the edges of a page, where the format may have no place for it.
fn edges(format: Format, page: &Page) -> Vec<String> {
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

/// Whether there are tags that the library that reads PDF comes to the end of.
pub(super) fn has_sound_tags(file: &Path, inspection: &Inspection) -> bool {
    let ends = || Held::open(file).is_ok_and(|held| held.has_parent_tree_that_ends());
    inspection.catalog.tags && ends()
}

fn reading(options: &ConvertOptions, tags: bool) -> Options {
    Options {
        tables: match options.tables.unwrap_or_default() {
            TableDetection::Auto => Tables::Auto,
            TableDetection::Ruled => Tables::Ruled,
            TableDetection::Off => Tables::Off,
        },
        tags,
    }
}

/// What the document says of itself.
fn facts(task: &Task) -> Outcome<Metadata> {
    if task.from != Format::Pdf {
        return Ok(Metadata::default());
    }
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let title = document.metadata().get(PdfDocumentMetadataTagType::Title);
    let title = title.map(|tag| tag.value().trim().to_owned());
    Ok(Metadata {
        title: title.filter(|title| !title.is_empty()),
        language: Held::open(&task.readable())
            .ok()
            .and_then(|held| held.language()),
    })
}

/// A table in text holds a table.
fn check_tables(options: &ConvertOptions, written: &WriteReport) -> Outcome<()> {
    if options.format != Format::Csv || written.tables > 0 {
        return Ok(());
    }
    let message = match options.table {
        Some(table) => format!("The document has no table {}.", table.value()),
        None => "The document has no table that could be found.".to_owned(),
    };
    Err(Fault::document(JobErrorCode::OutputInvalid, &message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_pages_to_be_read_are_told_the_way_without() {
        let fault = Fault::document(JobErrorCode::TooManyPages, "Too many.");
        let Fault::Document(error) = without_ocr(fault) else {
            panic!("no document is at fault");
        };
        assert!(error.message.starts_with("Too many. "), "{}", error.message);
        assert!(error.message.contains("`ocr`: `off`"), "{}", error.message);
        let corrupt = without_ocr(Fault::corrupt());
        assert_eq!(format!("{corrupt:?}"), format!("{:?}", Fault::corrupt()));
    }
}
