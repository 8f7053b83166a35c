//! What the pages of a result say.

use std::fs::File;
use std::io::{BufRead, BufReader};

use domain::format::Format;
use quick_xml::Reader;
use quick_xml::events::Event;
use task::{Fault, Outcome, Task};
use zip::ZipArchive;

use super::super::tags::{Piece, each_shown};

/// Most bytes of text on a page of a result.
const MOST: usize = 256 * 1024 * 1024;

/// What a page of the result says and shows.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub(super) text: String,
    /// How many pictures it has.
    pub(super) pictures: usize,
}

/// The elements that are pictures, in packages and in HTML.
const PICTURES: [&str; 5] = ["pic:pic", "p:pic", "img", "image", "use"];

/// Gives each page of the result to `take`, in their order.
pub(super) fn each_page(task: &Task, mut take: impl FnMut(Shown) -> Outcome<()>) -> Outcome<()> {
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
    take: &mut impl FnMut(Shown) -> Outcome<()>,
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

/// What each element of a name says and shows that is nested so deeply. What is said once more for programs that do not know
/// how it was said counts once.
fn texts(
    part: impl BufRead,
    (depth, name): (usize, &str),
    take: &mut impl FnMut(Shown) -> Outcome<()>,
) -> Outcome<()> {
    let mut reader = Reader::from_reader(part);
    let (mut within, mut buffer, mut shown) = (0_usize, Vec::new(), Shown::default());
    let mut repeated: Option<usize> = None;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|_| damaged())? {
            Event::Start(element) => {
                within += 1;
                let is_fallback = element.name().as_ref() == "mc:Fallback";
                repeated = repeated.or(is_fallback.then_some(within));
                shown.note(element.name().as_ref(), repeated);
            }
            Event::Text(piece) if repeated.is_none() => shown.say(&piece)?,
            Event::End(element) => {
                if within == depth && element.name().as_ref() == name {
                    take(std::mem::take(&mut shown))?;
                }
                repeated = repeated.filter(|depth| *depth != within);
                within = within.saturating_sub(1);
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// The same of each section of HTML.
fn sections(file: &mut impl BufRead, take: &mut impl FnMut(Shown) -> Outcome<()>) -> Outcome<()> {
    let mut shown: Option<Shown> = None;
    each_shown(file, |piece| match (piece, &mut shown) {
        (Piece::Tag("section"), _) => {
            shown = Some(Shown::default());
            Ok(())
        }
        (Piece::Tag("/section"), _) => take(shown.take().unwrap_or_default()),
        (Piece::Text(piece), Some(shown)) => shown.say(piece),
        (Piece::Tag(name), Some(shown)) => {
            shown.note(name, None);
            Ok(())
        }
        _ => Ok(()),
    })
}

/// The pages of a text.
fn leaves(file: &mut impl BufRead, take: &mut impl FnMut(Shown) -> Outcome<()>) -> Outcome<()> {
    let mut page = Vec::new();
    while file.read_until(0x0c, &mut page)? > 0 {
        take(Shown {
            text: String::from_utf8_lossy(&page).into_owned(),
            pictures: 0,
        })?;
        page.clear();
    }
    Ok(())
}

impl Shown {
    fn say(&mut self, piece: &str) -> Outcome<()> {
        if self.text.len() + piece.len() > MOST {
            return Err(Fault::output_invalid("it is too large"));
        }
        self.text.push_str(piece);
        Ok(())
    }

    /// Counts a picture, unless it is in something repeated.
    fn note(&mut self, element: &str, repeated: Option<usize>) {
        self.pictures += usize::from(repeated.is_none() && PICTURES.contains(&element));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_once_more_for_other_programs_counts_once() {
        let part = "<d><b><w:p><mc:AlternateContent><mc:Choice><t>turned</t><pic:pic></pic:pic></mc:Choice>\
                    <mc:Fallback><t>turned</t><pic:pic></pic:pic></mc:Fallback></mc:AlternateContent><t> level</t></w:p>\
                    <w:p><t>next</t></w:p></b></d>";
        let mut said = Vec::new();
        let mut take = |shown: Shown| {
            said.push((shown.text, shown.pictures));
            Ok(())
        };
        texts(part.as_bytes(), (3, "w:p"), &mut take).unwrap();
        let expected = [("turned level".to_owned(), 1), ("next".to_owned(), 0)];
        assert_eq!(said, expected);
    }
}
