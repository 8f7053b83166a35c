//! PDF and pictures of pages to documents that can be worked on: what their pages say is read into the layout model, and written
//! page by page. Pages without text are read by OCR first.

pub(super) mod guesses;
mod pictures;
pub(super) mod placed;

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use domain::format::{Category, Format};
use domain::job::JobErrorCode;
use domain::operation::{
    ConvertOptions, ILLUSTRATED, Operation, PictureTreatment, Recognition, STRUCTURED,
    TableDetection, TableNumber, TextPlacement,
};
use layout::write::{Chosen, Facts, NoPictures, Pictures, WriteError, Writer, Written};
use layout::{Content, Options, Page, Reading, Tables, plain, write as written_as};
use pdfium_render::prelude::PdfDocumentMetadataTagType;

use self::guesses::Guesses;
use self::pictures::Kept;
use super::ocr::{self, Found};
use super::pdf_to_text::with_fields;
use super::{Module, Run, converts};
use crate::arrangement::chosen;
use crate::fault::{Fault, Outcome};
use crate::installed::linked;
use crate::layout::{Source, Store, Surveyed};
use crate::progress::Teller;
use crate::qpdf::Held;
use crate::task::{Inspection, Product, Task};
use crate::verify::{self, recognised_words};
use crate::{lettering, pdfium};

/// This module's row.
pub(crate) const MODULE: Module = Module {
    does: |operation, from| {
        let kinds = [Category::Pdf, Category::Image];
        converts(operation, from, &kinds, STRUCTURED) && operation.resolve(from).is_some()
    },
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

fn run(task: &Task, inspection: &Inspection) -> Outcome<Product> {
    let options = options(&task.operation)?;
    if task.from != Format::Pdf {
        let languages = options.language.clone().unwrap_or_default();
        let found = ocr::of_image(task, inspection, (&languages, keeps_pictures(options)))?;
        let surveyed = Surveyed::of_pictures(&found.recognised)?;
        return write(task, options, (&surveyed, false), &found);
    }
    let numbers = chosen(&task.operation, inspection.pages.unwrap_or(0))?;
    let file = readable(task, inspection)?;
    let source = Source {
        library: task.pdfium.as_deref().unwrap_or("".as_ref()),
        file: &file,
        password: None,
        pages: Some(&numbers),
        recognised: None,
    };
    let tags = has_sound_tags(&file, inspection);
    let surveyed = Surveyed::of(source)?;
    let found = read_pictures(task, options, &file, surveyed.faint())?;
    if found.recognised.0.is_empty() {
        return write(task, options, (&surveyed, tags), &found);
    }
    let recognised = Some(&found.recognised);
    let surveyed = Surveyed::of(Source {
        recognised,
        ..source
    })?;
    write(task, options, (&surveyed, tags), &found)
}

/// What OCR finds on those of these pages that are pictures, if it is wanted.
fn read_pictures(
    task: &Task,
    options: &ConvertOptions,
    file: &Path,
    faint: &[u32],
) -> Outcome<Found> {
    let languages = options.language.clone().unwrap_or_default();
    match options.ocr.unwrap_or_default() {
        Recognition::Off => Ok(Found::default()),
        Recognition::Auto => ocr::of_pdf(task, file, faint, (&languages, keeps_pictures(options))),
    }
}

/// Writes all pages; beside them whether the document's tags are sound.
fn write(
    task: &Task,
    options: &ConvertOptions,
    (surveyed, tags): (&Surveyed<'_>, bool),
    found: &Found,
) -> Outcome<Product> {
    let store = Store::new(&task.directory);
    let kept = Kept(&store);
    let keeps_pictures = keeps_pictures(options);
    if options.mode == Some(TextPlacement::Layout) {
        let pages = surveyed.sightings(keeps_pictures.then_some(&store))?;
        let writer = placed::writer(task, &facts(task)?, &kept)?;
        recognised_words::tell(task, found, &[])?;
        let guesses = Guesses::knowing(&found.silent);
        let teller = teller(task, found);
        let mut product = placed::made(writer, (pages, surveyed.count()), guesses, teller)?;
        product.remarks.splice(..0, found.remarks());
        return Ok(product);
    }
    let pictures: &dyn Pictures = if keeps_pictures { &kept } else { &NoPictures };
    let mut writer = writer(task, options, pictures)?;
    let mut guesses = Guesses::knowing(&found.silent);
    let mut left_out = Vec::new();
    let mut teller = teller(task, found);
    let readings = surveyed.pages(reading(options, tags), keeps_pictures.then_some(&store))?;
    for (index, read) in readings.enumerate() {
        let Reading { page, warnings, .. } = read?;
        guesses.note(&page, &warnings);
        left_out.extend(edges(options.format, &page));
        writer.page(page).map_err(fault)?;
        teller.tell(index + 1, surveyed.count());
    }
    let written = writer.finish().map_err(fault)?;
    check_tables(options, &written)?;
    recognised_words::tell(task, found, &left_out)?;
    let mut remarks = found.remarks();
    remarks.extend(guesses.remarks(&written));
    Ok(Product {
        remarks,
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

pub(crate) fn options(operation: &Operation) -> Outcome<&ConvertOptions> {
    match operation {
        Operation::Convert(options) => Ok(options),
        _ => Err(Fault::Installation("not a conversion".to_owned())),
    }
}

/// Whether pictures are wanted, and the result has a place for them.
pub(super) fn keeps_pictures(options: &ConvertOptions) -> bool {
    let wanted = options.images.unwrap_or_default() == PictureTreatment::Keep;
    wanted && ILLUSTRATED.contains(&options.format)
}

/// The document, with every field of its form drawn.
pub(super) fn readable(task: &Task, inspection: &Inspection) -> Outcome<PathBuf> {
    let drawn = match inspection.catalog.form {
        true => with_fields(task)?,
        false => None,
    };
    Ok(drawn.unwrap_or_else(|| task.readable()))
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

fn writer<'a>(
    task: &Task,
    options: &ConvertOptions,
    pictures: &'a dyn Pictures,
) -> Outcome<Box<dyn Writer + 'a>> {
    let output = BufWriter::new(File::create(task.output())?);
    let facts = facts(task)?;
    let writer = match task.to {
        Format::Docx => written_as::docx(output, &facts, pictures, &task.directory),
        Format::Xlsx => written_as::xlsx(output, &facts),
        Format::Pptx => written_as::pptx(output, &facts, pictures),
        Format::Html => written_as::html(output, &facts, pictures),
        Format::Markdown => written_as::markdown(output, &facts),
        Format::Json => written_as::json(output, &facts, pictures),
        Format::Csv => written_as::csv(output, asked(options)),
        other => return Err(Fault::Installation(format!("nothing writes {other}"))),
    };
    writer.map_err(fault)
}

fn asked(options: &ConvertOptions) -> Chosen {
    let table = options.table.map(TableNumber::value);
    table.map_or(Chosen::All, Chosen::Only)
}

/// What the document says of itself.
fn facts(task: &Task) -> Outcome<Facts> {
    if task.from != Format::Pdf {
        return Ok(Facts::default());
    }
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let title = document.metadata().get(PdfDocumentMetadataTagType::Title);
    let title = title.map(|tag| tag.value().trim().to_owned());
    Ok(Facts {
        title: title.filter(|title| !title.is_empty()),
        language: Held::open(&task.readable())
            .ok()
            .and_then(|held| held.language()),
    })
}

/// A table in text holds a table.
fn check_tables(options: &ConvertOptions, written: &Written) -> Outcome<()> {
    if options.format != Format::Csv || written.tables > 0 {
        return Ok(());
    }
    let message = match options.table {
        Some(table) => format!("The document has no table {}.", table.value()),
        None => "The document has no table that could be found.".to_owned(),
    };
    Err(Fault::document(JobErrorCode::OutputInvalid, &message))
}

/// The child's files are at fault, or a picture that it has put there.
pub(super) fn fault(error: WriteError) -> Fault {
    match error {
        WriteError::Output(error) => Fault::Io(error),
        other => Fault::Installation(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keeping(images: &str) -> Vec<Format> {
        let keeps = |format: &&Format| {
            let options = serde_json::json!({"format": format, "images": images});
            keeps_pictures(&serde_json::from_value(options).unwrap())
        };
        STRUCTURED.iter().filter(keeps).copied().collect()
    }

    #[test]
    fn pictures_are_kept_where_they_are_wanted_and_have_a_place() {
        let expected = [Format::Docx, Format::Pptx, Format::Html, Format::Json];
        assert_eq!(keeping("keep"), expected);
        assert_eq!(keeping("drop"), []);
    }
}
