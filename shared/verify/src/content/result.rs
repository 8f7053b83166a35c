//! Reads everything that a result contains.

use domain::format::Format;
use task::Task;

use super::item::{Item, Place, Take, Unreadable};
use super::package::Package;
use super::scope::Scope;
use super::xml::{Node, walk};
use super::{html, markdown, odf, pdf, rtf, text, xlsx};
use crate::json_model;

/// Whether results of a format have text.
pub(super) fn is_text_bearing(to: Format) -> bool {
    matches!(
        to,
        Format::Pdf
            | Format::Docx
            | Format::Odt
            | Format::Rtf
            | Format::Txt
            | Format::Xlsx
            | Format::Ods
            | Format::Csv
            | Format::Tsv
            | Format::Pptx
            | Format::Odp
            | Format::Html
            | Format::Markdown
            | Format::Json
    )
}

/// Calls `take` with the items of the result, which have no places.
pub(super) fn read(task: &Task, take: Take<'_>) -> Result<(), Unreadable> {
    let path = task.document();
    let scope = Scope {
        headers: true,
        text_boxes: true,
        charts: true,
        diagrams: true,
        is_result: true,
        values: task.from == Format::Pdf,
        formulas: true,
        ..Scope::default()
    };
    match task.to {
        Format::Pdf => pdf::read_result(task, take),
        Format::Xlsx => xlsx::read(&path, scope, take).map(|_| ()),
        Format::Ods => odf::read(&path, scope, take).map(|_| ()),
        Format::Docx | Format::Odt | Format::Pptx | Format::Odp => read_package(task, take),
        Format::Html => html::read(&path, scope, take),
        Format::Rtf => rtf::read(&path, scope, take),
        Format::Json => read_model(task, take),
        Format::Csv | Format::Tsv => text::read_cells(&path, take),
        Format::Markdown => {
            let labels_are_text = matches!(
                task.from,
                Format::Pdf | Format::Html | Format::Markdown | Format::Txt
            );
            markdown::read_result(&path, labels_are_text, take)
        }
        _ => text::read(&path, take),
    }
}

/// Names of elements that end a word.
const BREAKS: [&str; 7] = ["p", "h", "tab", "br", "s", "line-break", "cr"];

/// Reads all text, images and tables of a package.
fn read_package(task: &Task, take: Take<'_>) -> Result<(), Unreadable> {
    let mut package = Package::open(&task.output())?;
    let mut emit = |item: Item<'_>| take(item, Place::default());
    for name in package.names() {
        if !name.ends_with(".xml") || name.starts_with("docProps/") || name == "meta.xml" {
            continue;
        }
        let part = package.required(&name)?;
        if name.starts_with("ppt/slides/") {
            emit(Item::Part);
        }
        let (mut skipped, mut tables) = (None, 0_usize);
        walk(part.as_slice(), |node, depth| match node {
            Node::Start(element) => match element.name() {
                "page" => emit(Item::Part),
                "Fallback" if skipped.is_none() => skipped = Some(depth),
                "tbl" | "table" => {
                    tables += 1;
                    if tables == 1 && skipped.is_none() {
                        emit(Item::Table);
                    }
                }
                "blip" | "imagedata" | "image" if skipped.is_none() => emit(Item::Image),
                // The alternative text of a figure has the words in it.
                "docPr" | "cNvPr" => {
                    if let Some(words) = element.attribute("descr") {
                        emit(Item::Alternative(&words));
                    }
                }
                "numPr" | "footnoteReference" | "endnoteReference" | "list-item" | "buAutoNum" => {
                    emit(Item::Marker);
                }
                _ => {}
            },
            Node::Text(text) if skipped.is_none() => emit(Item::Text(text)),
            Node::Text(_) => {}
            Node::End(name) => {
                skipped = skipped.filter(|skipped| *skipped != depth);
                tables = tables.saturating_sub(matches!(name, "tbl" | "table").into());
                if BREAKS.contains(&name) {
                    emit(Item::Break);
                }
            }
        })?;
        emit(Item::Break);
    }
    Ok(())
}

/// Reads the texts, images and tables of the JSON model, and the alternative texts of images. A word may be in several runs: it ends
/// where the next block, marker or label begins.
fn read_model(task: &Task, take: Take<'_>) -> Result<(), Unreadable> {
    let members = &["text", "label", "marker", "alternative", "type"];
    let mut emit = |item: Item<'_>| take(item, Place::default());
    let read = json_model::for_each_text(&task.output(), members, |name, value| match name {
        "alternative" => emit(Item::Alternative(value)),
        "text" => emit(Item::Text(value)),
        "type" => {
            emit(Item::Break);
            match value {
                "image" => emit(Item::Image),
                "table" => emit(Item::Table),
                _ => {}
            }
        }
        _ => {
            emit(Item::Break);
            emit(Item::Text(value));
            emit(Item::Break);
        }
    });
    read.map(|_| ()).map_err(|_| Unreadable)
}
