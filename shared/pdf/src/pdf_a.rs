//! Prepares a PDF for Ghostscript, which writes PDF/A, and completes its result with what Ghostscript drops: metadata, natural
//! language, page labels and attached files [ISO 19005-1, -2, -3].

mod annotations;
mod attached;
mod hard_masks;
mod metadata;
mod predefined_maps;
mod unicode;

use std::fmt::Write as _;
use std::path::Path;

use domain::operation::{Operation, PdfaLevel, SanitizeOptions};
use lopdf::{Dictionary, Document, Object};
use task::{DroppedContent, Inspection, Product, Task, TaskError, TaskResult, Warning};

use crate::form::Form;
use crate::objects::member;
use crate::patch::{self, Patch};
use crate::qpdf::{QpdfDocument, QpdfJob};
use crate::{flatten, sanitize, trees};

/// The prepared document.
const PREPARED: &str = "prepared.pdf";
/// The PostScript that adds the output intent.
const INTENT: &str = "intent.ps";
/// The file with the arguments of Ghostscript, in the directory of the task.
pub const ARGUMENTS: &str = "arguments";
/// The file that Ghostscript writes, in the directory of the task.
pub const CONVERTED: &str = "converted.pdf";
/// The sRGB profile (ICC version 2) that Ghostscript's packages install.
const PROFILE: &str = "/usr/share/color/icc/ghostscript/srgb.icc";
/// The font for characters of Chinese, Japanese and Korean whose font is not embedded. Ghostscript reads TrueType only.
const CJK_FONT: &str = "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc";

/// Writes the files that Ghostscript reads, and returns warnings of what the source has and the result will not. Scripts,
/// actions, media and attached files are removed, because Ghostscript keeps some of them. Fields become page content, because it
/// draws those without an appearance empty.
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn prepare(task: &Task, inspection: &Inspection) -> TaskResult<Vec<Warning>> {
    let clean = task.directory.join("clean.pdf");
    // Ghostscript leaves out hidden layers itself.
    let all_but_layers = SanitizeOptions {
        hidden_layers: Some(false),
        ..SanitizeOptions::default()
    };
    let (source, directory) = (task.readable(), task.directory.as_path());
    let mut removed = sanitize::write(&source, directory, &all_but_layers, &clean)?;
    if inspection.catalog.outline_names_or_layers {
        let source = QpdfDocument::open(&source)?.skeleton()?;
        removed.hidden_layers = sanitize::hidden_layers(&source);
    }
    // Attached files have a warning of their own.
    removed.attachments = 0;
    let mut warnings = Vec::from_iter((!removed.is_empty()).then_some(Warning::Sanitized(removed)));
    let level = level(task)?;
    let mut last = clean;
    if inspection.catalog.form {
        let flat = directory.join("flattened.pdf");
        warnings.extend(flatten::write(&last, directory, &flat)?);
        last = flat;
    }
    let plain = directory.join("plain");
    patch::write_normalized(&last, &plain)?;
    let document = patch::skeleton(&plain)?;
    let mut patch = Patch::of(&document);
    annotations::print(&document, &mut patch);
    if level == PdfaLevel::A1b {
        let file = QpdfDocument::open(&plain)?;
        warnings.extend(hard_masks::replace(
            (&file, &document),
            directory,
            &mut patch,
        )?);
    }
    let job = patch.job(&plain, &directory.join("patch"))?;
    job.write(&directory.join(PREPARED))?;
    let file = |name: &str| task.directory.join(name).display().to_string();
    let part = level.part();
    let mut arguments = String::new();
    for argument in [
        "-q -dSAFER -dBATCH -dNOPAUSE -dNOPROMPT -sDEVICE=pdfwrite",
        // The newer interpreter of Ghostscript 10.0 loses the Unicode texts of fonts; later releases ignore the option.
        "-dNEWPDF=false",
        // What would break the standard is left out of the result, which therefore conforms.
        "-dPDFACompatibilityPolicy=1",
        "-sColorConversionStrategy=RGB -dAutoRotatePages=/None -dPreserveAnnots=true",
        // Images that have to be encoded again lose nothing.
        "-dAutoFilterColorImages=false -dColorImageFilter=/FlateEncode",
        "-dAutoFilterGrayImages=false -dGrayImageFilter=/FlateEncode",
    ] {
        arguments.push_str(argument);
        arguments.push('\n');
    }
    write!(
        arguments,
        "-dPDFA={part}\n-sCIDFSubstFont={CJK_FONT}\n--permit-file-read={PROFILE}\n-sOutputFile={}\n{}\n{}\n",
        file(CONVERTED),
        file(INTENT),
        file(PREPARED),
    )
    .map_err(std::io::Error::other)?;
    std::fs::write(task.directory.join(ARGUMENTS), arguments)?;
    std::fs::write(task.directory.join(INTENT), intent())?;
    Ok(warnings)
}

/// PostScript that adds the output intent sRGB [ISO 19005-2, 6.2.3].
fn intent() -> String {
    format!(
        "%!\n\
        [/_objdef {{profile}} /type /stream /OBJ pdfmark\n\
        [{{profile}} << /N 3 >> /PUT pdfmark\n\
        [{{profile}} ({PROFILE}) (r) file /PUT pdfmark\n\
        [/_objdef {{intent}} /type /dict /OBJ pdfmark\n\
        [{{intent}} << /Type /OutputIntent /S /GTS_PDFA1 /DestOutputProfile {{profile}} \
        /OutputConditionIdentifier (sRGB) /Info (sRGB IEC61966-2.1) >> /PUT pdfmark\n\
        [{{Catalog}} << /OutputIntents [{{intent}}] >> /PUT pdfmark\n"
    )
}

/// Completes the result of Ghostscript and writes [`Task::output`].
///
/// # Errors
/// Errors of the document, the request, or the installation.
pub fn finish(task: &Task) -> TaskResult<Product> {
    let level = level(task)?;
    let plain = task.directory.join("plain");
    patch::write_normalized(&task.directory.join(CONVERTED), &plain)?;
    let converted = patch::skeleton(&plain)?;
    let invalid = || TaskError::output_invalid("the PDF/A has no catalog");
    let root = converted.trailer.get(b"Root");
    let root = root.and_then(Object::as_reference).map_err(|_| invalid())?;
    let mut catalog = converted.catalog().map_err(|_| invalid())?.clone();
    let document = QpdfDocument::open(&task.readable())?;
    let source = document.skeleton()?;
    let mut patch = Patch::of(&converted);
    metadata::set(task, level, (&converted, &mut catalog), &mut patch)?;
    let mut warnings = Vec::new();
    if let Ok(of_source) = source.catalog() {
        let language = of_source.get_deref(b"Lang", &source).ok();
        if let Some(language) = language.filter(|language| language.as_str().is_ok()) {
            catalog.set("Lang", language.clone());
        }
        page_labels(&source, of_source, &mut catalog, &mut patch);
        if of_source.has(b"StructTreeRoot") {
            warnings.push(Warning::Dropped(DroppedContent::Tags, 1));
        }
    }
    let plain_document = QpdfDocument::open(&plain)?;
    unicode::add((&plain_document, &converted), &task.directory, &mut patch)?;
    annotations::remove_dead_links(&converted, &mut patch);
    blend_in_rgb(&converted, &mut patch);
    if level != PdfaLevel::A1b {
        predefined_maps::set_names(&source, &converted, &mut patch);
    }
    let fields = Form::of(&source).map_or(0, |form| form.fields.len());
    let files = document.attachments();
    let mut dropped = files.len();
    if level == PdfaLevel::A3b {
        let (directory, objects) = (task.directory.as_path(), (&document, &source));
        dropped -= attached::add(
            directory,
            objects,
            &files,
            (&converted, &mut catalog, &mut patch),
        )?;
    }
    for (content, count) in [
        (DroppedContent::FormFields, fields),
        (DroppedContent::Attachments, dropped),
    ] {
        if count > 0 {
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            warnings.push(Warning::Dropped(content, count));
        }
    }
    patch.set(root, &catalog.into());
    let job = patch.job(&plain, &task.directory.join("patch"))?;
    write(job, level, &task.output())?;
    Ok(Product {
        pages: u32::try_from(converted.get_pages().len()).ok(),
        warnings,
        ..Product::default()
    })
}

/// Writes the file as the part requires: PDF/A-1 is PDF 1.4, which has no object streams.
fn write(job: QpdfJob, level: PdfaLevel, output: &Path) -> TaskResult<()> {
    let of_part: &[&str] = match level {
        PdfaLevel::A1b => &["--object-streams=disable", "--force-version=1.4"],
        _ => &["--object-streams=generate", "--force-version=1.7"],
    };
    let job = job.options(of_part);
    job.options(&["--newline-before-endstream", "--deterministic-id"])
        .write(output)
}

fn level(task: &Task) -> TaskResult<PdfaLevel> {
    match &task.operation {
        Operation::Pdfa(options) => Ok(options.level.unwrap_or_default()),
        _ => Err(TaskError::Installation("operation is not pdfa".to_owned())),
    }
}

/// Copies the page labels [ISO 32000-1, 12.4.2].
fn page_labels(source: &Document, from: &Dictionary, to: &mut Dictionary, patch: &mut Patch) {
    let labels = trees::numbers(source, from, b"PageLabels").into_iter();
    let labels = labels.filter_map(|(page, label)| {
        let label = source.dereference(label).ok()?.1.as_dict().ok()?;
        let mut copy = Dictionary::new();
        for key in [&b"S"[..], b"P", b"St"] {
            if let Ok(value) = label.get_deref(key, source) {
                copy.set(key, value.clone());
            }
        }
        Some((Object::Integer(page), copy.into()))
    });
    let labels: Vec<(Object, Object)> = labels.collect();
    if !labels.is_empty() && member(source, from, b"PageLabels").is_some() {
        to.set("PageLabels", trees::write(b"Nums", labels, patch));
    }
}

/// Replaces the color spaces of transparency groups of CMYK, which Ghostscript keeps although it converts colors to RGB.
fn blend_in_rgb(document: &Document, patch: &mut Patch) {
    let is_cmyk = |group: &Dictionary| {
        let space = group.get(b"CS").and_then(Object::as_name);
        space.is_ok_and(|space| space == b"DeviceCMYK")
    };
    for (id, object) in &document.objects {
        if let Ok(group) = object.as_dict()
            && group.has(b"S")
            && is_cmyk(group)
        {
            let mut group = group.clone();
            group.set("CS", "DeviceRGB");
            patch.set(*id, &group.into());
        }
    }
}
