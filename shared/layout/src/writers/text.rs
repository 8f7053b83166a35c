//! Pages to plain text: UTF-8, an empty line between blocks, a line feed at the end of every page and a form feed between
//! pages. Lists have their markers, two spaces of indentation a level; the cells of a table have tabs between them.
//! What refers to notes is in square brackets, as are the labels of these. What pictures show is left out.

pub(super) mod fixed;

use std::io::Write;

use super::notes::{self, Notes};
use super::{Outcome, WriteReport, Writer, plain};
use crate::{Content, Page};

/// A writer of plain text.
///
/// # Errors
/// None yet: nothing is written before the first page.
pub fn text<'a>(output: impl Write + 'a) -> Outcome<Box<dyn Writer + 'a>> {
    let written = WriteReport::default();
    Ok(Box::new(Text { output, written }))
}

struct Text<W> {
    output: W,
    written: WriteReport,
}

impl<W: Write> Writer for Text<W> {
    fn page(&mut self, mut page: Page) -> Outcome {
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

    fn finish(mut self: Box<Self>) -> Outcome<WriteReport> {
        self.output.flush()?;
        Ok(self.written)
    }
}

/// Parts what refers to notes from the words before it.
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

/// How many tables a page has, those in cells apart.
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
    fn notes_are_told_from_the_words_before_them() {
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
