//! Writes JSON: `{"title":…,"language":…,"pages":[…],"images":[…]}`, a serialization of the model.
//!
//! `title` and `language` are null if unknown or, for the language, not a well-formed tag. `images` has an entry for each
//! number up to the last referenced one: `{"format":"png","width":…,"height":…,"data":"…"}` with the bytes in Base64, or null
//! if there is no such picture. On request, `chunks` follows: `{"text":…,"tokens":…,"pages":[…],"headings":[…]}` for each part
//! of the text, and pages have `candidates`: the evidence for what was detected.

use std::fs::File;
use std::io::{BufReader, BufWriter, Seek, Write};
use std::path::Path;

use base64::engine::general_purpose::STANDARD;
use base64::write::EncoderWriter;
use serde::Serialize;

use super::chunks::{Chunk, Chunker};
use super::text::tables;
use super::{Metadata, Pictures, Result, WriteReport, Writer, picture};
use crate::model::candidate::Candidate;
use crate::{Block, Content, Page};

/// Creates a JSON writer.
///
/// # Errors
/// If the output cannot be written.
pub fn json<'a>(
    output: impl Write + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
) -> Result<Box<dyn Writer + 'a>> {
    Ok(Box::new(Json::new(output, metadata, pictures, None)?))
}

/// Creates a JSON writer that adds chunks of the text as Markdown, each of at most `max_tokens` estimated tokens unless a row
/// of a table with its header, or rows that one cell spans, have more. They are kept in a temporary file in `directory` until the end.
///
/// # Errors
/// If the output or the temporary file cannot be written.
pub fn json_with_chunks<'a>(
    output: impl Write + 'a,
    metadata: &Metadata,
    pictures: &'a dyn Pictures,
    max_tokens: usize,
    directory: &Path,
) -> Result<Box<dyn Writer + 'a>> {
    let chunks = Chunks {
        chunker: Chunker::new(max_tokens),
        spool: BufWriter::new(tempfile::tempfile_in(directory)?),
        has_some: false,
    };
    Ok(Box::new(Json::new(
        output,
        metadata,
        pictures,
        Some(chunks),
    )?))
}

impl<'a, W: Write> Json<'a, W> {
    fn new(
        mut output: W,
        metadata: &Metadata,
        pictures: &'a dyn Pictures,
        chunks: Option<Chunks>,
    ) -> Result<Self> {
        let title = serde_json::to_string(&metadata.title)?;
        let language = serde_json::to_string(&metadata.language_tag())?;
        write!(
            output,
            r#"{{"title":{title},"language":{language},"pages":["#
        )?;
        Ok(Self {
            output,
            pictures,
            images: 0,
            chunks,
            candidates: Vec::new(),
            written: WriteReport::default(),
        })
    }
}

struct Json<'a, W> {
    output: W,
    pictures: &'a dyn Pictures,
    /// One more than the highest referenced picture number.
    images: usize,
    chunks: Option<Chunks>,
    /// Candidates of the next page.
    candidates: Vec<Candidate>,
    written: WriteReport,
}

/// A page with the evidence for what was detected.
#[derive(Serialize)]
struct ExplainedPage<'a> {
    #[serde(flatten)]
    page: &'a Page,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    candidates: Vec<Candidate>,
}

impl<W: Write> Writer for Json<'_, W> {
    fn page(&mut self, page: Page) -> Result {
        let comma = if self.written.pages > 0 { "," } else { "" };
        writeln!(self.output, "{comma}")?;
        let candidates = std::mem::take(&mut self.candidates);
        let explained = ExplainedPage {
            page: &page,
            candidates,
        };
        serde_json::to_writer(&mut self.output, &explained)?;
        if let Some(chunks) = &mut self.chunks {
            let done = chunks.chunker.page(&page)?;
            done.iter().try_for_each(|chunk| chunks.write(chunk))?;
        }
        let blocks = [&page.header, &page.blocks, &page.footer];
        self.images = blocks
            .iter()
            .map(|blocks| images(blocks))
            .fold(self.images, usize::max);
        self.written.pages += 1;
        self.written.tables += tables(&page);
        Ok(())
    }

    fn candidates(&mut self, candidates: Vec<Candidate>) {
        self.candidates = candidates;
    }

    fn finish(mut self: Box<Self>) -> Result<WriteReport> {
        self.output.write_all(b"\n],\"images\":[")?;
        for image in 0..self.images {
            let comma = if image > 0 { "," } else { "" };
            writeln!(self.output, "{comma}")?;
            self.image(image)?;
        }
        self.output.write_all(b"\n]")?;
        if let Some(chunks) = self.chunks.take() {
            self.output.write_all(b",\"chunks\":[")?;
            std::io::copy(&mut chunks.finish()?, &mut self.output)?;
            self.output.write_all(b"\n]")?;
        }
        self.output.write_all(b"}\n")?;
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

/// The chunks of the text, written to a temporary file.
struct Chunks {
    chunker: Chunker,
    spool: BufWriter<File>,
    has_some: bool,
}

impl Chunks {
    fn write(&mut self, chunk: &Chunk) -> Result {
        let comma = if self.has_some { "," } else { "" };
        writeln!(self.spool, "{comma}")?;
        self.has_some = true;
        Ok(serde_json::to_writer(&mut self.spool, chunk)?)
    }

    /// Returns the entries of the array.
    fn finish(mut self) -> Result<BufReader<File>> {
        let last = self.chunker.finish()?;
        last.iter().try_for_each(|chunk| self.write(chunk))?;
        let mut file = self
            .spool
            .into_inner()
            .map_err(|error| error.into_error())?;
        file.rewind()?;
        Ok(BufReader::new(file))
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
