//! Pages to plain text: UTF-8, an empty line between blocks, a line feed at the end of every page and a form feed between
//! pages. Lists have their markers, two spaces of indentation a level; the cells of a table have tabs between them.
//! What pictures show is left out.

pub(super) mod placed;

use std::io::Write;

use super::{Outcome, Writer, Written, plain};
use crate::Page;

/// A writer of plain text.
///
/// # Errors
/// None yet: nothing is written before the first page.
pub fn text<'a>(output: impl Write + 'a) -> Outcome<Box<dyn Writer + 'a>> {
    let written = Written::default();
    Ok(Box::new(Text { output, written }))
}

struct Text<W> {
    output: W,
    written: Written,
}

impl<W: Write> Writer for Text<W> {
    fn page(&mut self, page: Page) -> Outcome {
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

    fn finish(mut self: Box<Self>) -> Outcome<Written> {
        self.output.flush()?;
        Ok(self.written)
    }
}

/// How many tables a page has, those in cells apart.
pub(super) fn tables(page: &Page) -> u32 {
    let is_table = |block: &&crate::Block| matches!(block.content, crate::Content::Table(_));
    let count = page.blocks.iter().filter(is_table).count();
    u32::try_from(count).unwrap_or(u32::MAX)
}
