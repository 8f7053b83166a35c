//! Reads the pages of a fixed-layout result.

use std::fs::File;
use std::io::{BufRead, BufReader};

use domain::format::Format;
use quick_xml::Reader;
use quick_xml::events::Event;
use task::{Task, TaskError, TaskResult};
use zip::ZipArchive;

use super::super::markup_tokens::{Token, for_each_body_token};

/// Maximum bytes of text per page.
const MAX_TEXT: usize = 256 * 1024 * 1024;

/// Text and image count of a page.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ResultPage {
    pub(super) text: String,
    /// Number of images.
    pub(super) images: usize,
}

/// Image elements in OOXML packages and HTML.
const IMAGE_ELEMENTS: [&str; 5] = ["pic:pic", "p:pic", "img", "image", "use"];

/// Calls `take` with each page of the result in order.
pub(super) fn for_each_page(
    task: &Task,
    mut take: impl FnMut(ResultPage) -> TaskResult<()>,
) -> TaskResult<()> {
    let mut file = BufReader::new(File::open(task.output())?);
    match task.to {
        Format::Docx => {
            let mut package = package(file)?;
            let part = package
                .by_name("word/document.xml")
                .map_err(|_| damaged())?;
            elements(BufReader::new(part), (3, "w:p"), &mut take)
        }
        Format::Pptx => slides(package(file)?, &mut take),
        Format::Html => sections(&mut file, &mut take),
        _ => text_pages(&mut file, &mut take),
    }
}

fn damaged() -> TaskError {
    TaskError::output_invalid("it does not open")
}

fn package(file: BufReader<File>) -> TaskResult<ZipArchive<BufReader<File>>> {
    ZipArchive::new(file).map_err(|_| damaged())
}

fn slides(
    mut package: ZipArchive<BufReader<File>>,
    take: &mut impl FnMut(ResultPage) -> TaskResult<()>,
) -> TaskResult<()> {
    for number in 1.. {
        let name = format!("ppt/slides/slide{number}.xml");
        let Ok(part) = package.by_name(&name) else {
            return Ok(());
        };
        elements(BufReader::new(part), (1, "p:sld"), take)?;
    }
    Ok(())
}

/// Calls `take` with each element of a name and nesting depth. Content of `mc:Fallback`, which repeats its `mc:Choice`, is
/// skipped.
fn elements(
    part: impl BufRead,
    (depth, name): (usize, &str),
    take: &mut impl FnMut(ResultPage) -> TaskResult<()>,
) -> TaskResult<()> {
    let mut reader = Reader::from_reader(part);
    let (mut within, mut buffer, mut page) = (0_usize, Vec::new(), ResultPage::default());
    let mut fallback_depth: Option<usize> = None;
    loop {
        buffer.clear();
        match reader.read_event_into(&mut buffer).map_err(|_| damaged())? {
            Event::Start(element) => {
                within += 1;
                let is_fallback = element.name().as_ref() == "mc:Fallback";
                fallback_depth = fallback_depth.or(is_fallback.then_some(within));
                page.count_image(element.name().as_ref(), fallback_depth);
            }
            Event::Text(text) if fallback_depth.is_none() => page.push_text(&text)?,
            Event::End(element) => {
                if within == depth && element.name().as_ref() == name {
                    take(std::mem::take(&mut page))?;
                }
                fallback_depth = fallback_depth.filter(|depth| *depth != within);
                within = within.saturating_sub(1);
            }
            Event::Eof => return Ok(()),
            _ => {}
        }
    }
}

/// Calls `take` with each `section` element of HTML.
fn sections(
    file: &mut impl BufRead,
    take: &mut impl FnMut(ResultPage) -> TaskResult<()>,
) -> TaskResult<()> {
    let mut page: Option<ResultPage> = None;
    for_each_body_token(file, |token| match (token, &mut page) {
        (Token::Tag("section"), _) => {
            page = Some(ResultPage::default());
            Ok(())
        }
        (Token::Tag("/section"), _) => take(page.take().unwrap_or_default()),
        (Token::Text(text), Some(page)) => page.push_text(text),
        (Token::Tag(name), Some(page)) => {
            page.count_image(name, None);
            Ok(())
        }
        _ => Ok(()),
    })
}

/// Calls `take` with each page of a text, separated by form feeds.
fn text_pages(
    file: &mut impl BufRead,
    take: &mut impl FnMut(ResultPage) -> TaskResult<()>,
) -> TaskResult<()> {
    let mut page = Vec::new();
    while file.read_until(0x0c, &mut page)? > 0 {
        take(ResultPage {
            text: String::from_utf8_lossy(&page).into_owned(),
            images: 0,
        })?;
        page.clear();
    }
    Ok(())
}

impl ResultPage {
    fn push_text(&mut self, text: &str) -> TaskResult<()> {
        if self.text.len() + text.len() > MAX_TEXT {
            return Err(TaskError::output_invalid("it is too large"));
        }
        self.text.push_str(text);
        Ok(())
    }

    /// Counts an image, unless within a fallback.
    fn count_image(&mut self, element: &str, fallback_depth: Option<usize>) {
        self.images += usize::from(fallback_depth.is_none() && IMAGE_ELEMENTS.contains(&element));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fallback_content_is_not_counted() {
        let part = "<d><b><w:p><mc:AlternateContent><mc:Choice><t>turned</t><pic:pic></pic:pic></mc:Choice>\
                    <mc:Fallback><t>turned</t><pic:pic></pic:pic></mc:Fallback></mc:AlternateContent><t> level</t></w:p>\
                    <w:p><t>next</t></w:p></b></d>";
        let mut found = Vec::new();
        let mut take = |page: ResultPage| {
            found.push((page.text, page.images));
            Ok(())
        };
        elements(part.as_bytes(), (3, "w:p"), &mut take).unwrap();
        let expected = [("turned level".to_owned(), 1), ("next".to_owned(), 0)];
        assert_eq!(found, expected);
    }
}
