//! Writes plain text: UTF-8, an empty line between blocks, a line feed at the end of each page and a form feed between pages.
//! List items have their markers and two spaces of indent per level; cells are separated by tabs. Note references and the
//! labels of notes are in square brackets. Pictures are dropped.

pub(super) mod fixed;

use std::io::Write;

use super::notes::{self, Notes};
use super::{Result, WriteReport, Writer, plain};
use crate::{Content, Page};

/// Creates a plain text writer.
///
/// # Errors
/// None: nothing is written before the first page.
pub fn text<'a>(output: impl Write + 'a) -> Result<Box<dyn Writer + 'a>> {
    let written = WriteReport::default();
    Ok(Box::new(Text { output, written }))
}

struct Text<W> {
    output: W,
    written: WriteReport,
}

impl<W: Write> Writer for Text<W> {
    fn page(&mut self, mut page: Page) -> Result {
        label_notes(&mut page);
        if self.written.pages > 0 {
            self.output.write_all(b"\x0c")?;
        }
        self.written.pages += 1;
        self.written.tables += tables(&page);
        let blocks = [&page.header, &page.blocks, &page.footer]
            .into_iter()
            .flatten();
        let texts: Vec<_> = blocks
            .map(plain::of_block)
            .filter(|text| !text.is_empty())
            .collect();
        writeln!(self.output, "{}", texts.join("\n\n"))?;
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<WriteReport> {
        self.output.flush()?;
        Ok(self.written)
    }
}

/// Puts note references in brackets, so that they are not read as part of the word before them.
fn label_notes(page: &mut Page) {
    let known = Notes::of(page, &mut 0);
    notes::each_text(&mut page.blocks, &mut |runs| {
        for run in runs {
            if let Some(note) = known.at(run) {
                let mark = format!("[{}]", notes::bare(&note.label));
                let behind = run.text.trim_start();
                let space = run.text.len() - behind.len();
                let end = space + behind.trim_end().len();
                run.text.replace_range(space..end, &mark);
            }
        }
    });
    for block in &mut page.blocks {
        if let Content::Footnote { label, .. } = &mut block.content
            && !label.is_empty()
        {
            *label = format!("[{}]", notes::bare(label));
        }
    }
}

/// Returns the number of tables of a page, nested ones not included.
pub(super) fn tables(page: &Page) -> u32 {
    let is_table = |block: &&crate::Block| matches!(block.content, crate::Content::Table(_));
    let count = page.blocks.iter().filter(is_table).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Alignment, Basis, Block, NOTE, Run, Script, Size, Style};

    #[test]
    fn note_references_are_separated_from_words() {
        let run = |text: &str, script, link: Option<&str>| Run {
            text: text.to_owned(),
            style: Style {
                script,
                ..Style::default()
            },
            link: link.map(str::to_owned),
        };
        let runs = vec![
            run("to us", Script::None, None),
            run("1", Script::Super, Some(NOTE)),
            run(", 5 m", Script::None, None),
            run("2", Script::Super, None),
        ];
        let blocks = vec![
            Block::from(Content::Paragraph {
                runs,
                alignment: Alignment::Start,
                continues: false,
                preformatted: false,
            }),
            Block::from(Content::Footnote {
                label: "1".to_owned(),
                runs: vec![run("first", Script::None, None)],
            }),
        ];
        let page = Page {
            number: 1,
            size: Size::default(),
            basis: Basis::Structure,
            header: Vec::new(),
            blocks,
            footer: Vec::new(),
        };
        let mut made = Vec::new();
        let mut writer = text(&mut made).unwrap();
        writer.page(page).unwrap();
        writer.finish().unwrap();
        assert_eq!(made, b"to us[1], 5 m2\n\n[1] first\n");
    }
}
