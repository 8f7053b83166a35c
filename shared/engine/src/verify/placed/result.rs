//! What the pages of a result say.

use std::fs::File;
use std::io::{BufRead, BufReader};

use domain::format::Format;
use quick_xml::Reader;
use quick_xml::events::Event;
use zip::ZipArchive;

use super::super::tags::{Piece, each_shown};
use crate::fault::{Fault, Outcome};
use crate::task::Task;

/// Most bytes of text on a page of a result.
const MOST: usize = 256 * 1024 * 1024;

/// Gives the text of each page of the result to `take`, in their order.
pub(super) fn each_page(task: &Task, mut take: impl FnMut(String) -> Outcome<()>) -> Outcome<()> {
    let mut file = BufReader::new(File::open(task.output())?);
    match task.to {
        Format::Docx => {
            let mut package = package(file)?;
            let part = package
                .by_name("word/document.xml")
                .map_err(|_| damaged())?;
            texts(BufReader::new(part), (3, "w:p"), &mut take)
        }
        Format::Pptx => slides(package(file)?, &mut take),
        Format::Html => sections(&mut file, &mut take),
        _ => leaves(&mut file, &mut take),
    }
}

fn damaged() -> Fault {
    Fault::output_invalid("it does not open")
}

fn package(file: BufReader<File>) -> Outcome<ZipArchive<BufReader<File>>> {
    ZipArchive::new(file).map_err(|_| damaged())
}

fn slides(
    mut package: ZipArchive<BufReader<File>>,
    take: &mut impl FnMut(String) -> Outcome<()>,
) -> Outcome<()> {
    for number in 1.. {
        let name = format!("ppt/slides/slide{number}.xml");
        let Ok(part) = package.by_name(&name) else {
            return Ok(());
        };
        texts(BufReader::new(part), (1, "p:sld"), take)?;
    }
    Ok(())
}

/// The text of each element of a name that is nested so deeply.
fn texts(
    part: impl BufRead,
    (depth, name): (usize, &str),
    take: &mut impl FnMut(String) -> Outcome<()>,
) -> Outcome<()> {
    let mut reader = Reader::from_reader(part);
    let (mut within, mut buffer, mut text) = (0_usize, Vec::new(), String::new());
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|_| damaged())? {
            Event::Start(_) => within += 1,
            Event::Text(piece) => text.push_str(bounded(&text, &piece)?),
            Event::End(element) => {
                if within == depth && element.name().as_ref() == name {
                    take(std::mem::take(&mut text))?;
                }
                within = within.saturating_sub(1);
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// What stands between the tags of each section of HTML.
fn sections(file: &mut impl BufRead, take: &mut impl FnMut(String) -> Outcome<()>) -> Outcome<()> {
    let mut text: Option<String> = None;
    each_shown(file, |piece| match (piece, &mut text) {
        (Piece::Tag("section"), _) => {
            text = Some(String::new());
            Ok(())
        }
        (Piece::Tag("/section"), _) => take(text.take().unwrap_or_default()),
        (Piece::Text(piece), Some(text)) => {
            text.push_str(bounded(text, piece)?);
            Ok(())
        }
        _ => Ok(()),
    })
}

/// The pages of a text.
fn leaves(file: &mut impl BufRead, take: &mut impl FnMut(String) -> Outcome<()>) -> Outcome<()> {
    let mut page = Vec::new();
    while file.read_until(0x0c, &mut page)? > 0 {
        take(String::from_utf8_lossy(&page).into_owned())?;
        page.clear();
    }
    Ok(())
}

fn bounded<'p>(text: &str, piece: &'p str) -> Outcome<&'p str> {
    match text.len() + piece.len() <= MOST {
        true => Ok(piece),
        false => Err(Fault::output_invalid("it is too large")),
    }
}
