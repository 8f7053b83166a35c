//! Writes JSON: `{"title":…,"language":…,"pages":[…],"images":[…]}`, a serialization of the model.
//!
//! `title` and `language` are null if unknown or, for the language, not a well-formed tag. `images` has an entry for each
//! number up to the last referenced one: `{"format":"png","width":…,"height":…,"data":"…"}` with the bytes in Base64, or null
//! if there is no such picture.

use std::io::Write;

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;

use super::text::tables;
use super::{Metadata, Pictures, Result, WriteReport, Writer, picture};
use crate::{Block, Content, Page};

/// Creates a JSON writer.
///
/// # Errors
/// If the output cannot be written.
pub fn json<'a>(
    mut output: impl Write + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Box<dyn Writer + 'a>> {
    let title = serde_json::to_string(&metadata.title)?;
    let language = serde_json::to_string(&metadata.language_tag())?;
    write!(
        output,
        r#"{{"title":{title},"language":{language},"pages":["#
    )?;
    Ok(Box::new(Json {
        output,
        pictures,
        images: 0,
        written: WriteReport::default(),
    }))
}

struct Json<'a, W> {
    output: W,
    pictures: &'a dyn Pictures,
    /// One more than the highest referenced picture number.
    images: usize,
    written: WriteReport,
}

impl<W: Write> Writer for Json<'_, W> {
    fn page(&mut self, page: Page) -> Result {
        let comma = if self.written.pages > 0 { "," } else { "" };
        writeln!(self.output, "{comma}")?;
        serde_json::to_writer(&mut self.output, &page)?;
        let blocks = [&page.header, &page.blocks, &page.footer];
        self.images = blocks
            .iter()
            .map(|blocks| images(blocks))
            .fold(self.images, usize::max);
        self.written.pages += 1;
        self.written.tables += tables(&page);
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Result<WriteReport> {
        self.output.write_all(b"\n],\"images\":[")?;
        for image in 0..self.images {
            let comma = if image > 0 { "," } else { "" };
            writeln!(self.output, "{comma}")?;
            self.image(image)?;
        }
        self.output.write_all(b"\n]}\n")?;
        self.output.flush()?;
        Ok(self.written)
    }
}

impl<W: Write> Json<'_, W> {
    fn image(&mut self, image: usize) -> Result {
        let Some(info) = picture::info(self.pictures, image)? else {
            return Ok(self.output.write_all(b"null")?);
        };
        let (format, width, height) = (info.format.extension(), info.width, info.height);
        write!(
            self.output,
            r#"{{"format":"{format}","width":{width},"height":{height},"data":""#
        )?;
        base64(&mut *picture::open(self.pictures, image)?, &mut self.output)?;
        Ok(self.output.write_all(b"\"}")?)
    }
}

/// Writes bytes in Base64.
pub(super) fn base64(input: &mut dyn std::io::Read, output: &mut impl Write) -> Result {
    let mut encoder = EncoderWriter::new(output, &STANDARD);
    std::io::copy(input, &mut encoder)?;
    encoder.finish()?;
    Ok(())
}

/// Returns one more than the highest picture number in blocks.
fn images(blocks: &[Block]) -> usize {
    let of = |block: &Block| match &block.content {
        Content::Image { image, .. } => image.saturating_add(1),
        Content::Table(table) => table
            .cells
            .iter()
            .map(|cell| images(&cell.blocks))
            .max()
            .unwrap_or(0),
        _ => 0,
    };
    blocks.iter().map(of).max().unwrap_or(0)
}
