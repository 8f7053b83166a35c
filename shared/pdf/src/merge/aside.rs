//! Lays the content of large streams into files of their own, which libqpdf reads in pieces: of content in a document it holds
//! all that it reads and all that it writes at once.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lopdf::Object;
use task::{Outcome, Task};

use crate::patch::Patch;
use crate::qpdf::Unwritten;

/// Bytes from which on content is large.
const LARGE: u64 = 16_000_000;

/// Lays large content of a merged document aside, compressed if nothing has compressed it yet.
pub(super) fn set_aside(task: &Task, merged: &Unwritten) -> Outcome<()> {
    if !has_large(task)? {
        return Ok(());
    }
    let least = i64::try_from(LARGE).unwrap_or(i64::MAX);
    let large = merged.document().streams_from(least)?;
    let mut patch = Patch::none();
    for (id, stream) in &large.objects {
        let Object::Stream(stream) = stream else {
            continue;
        };
        let file = task.directory.join(format!("content-{}-{}", id.0, id.1));
        let mut about = stream.dict.clone();
        let mut taker: Box<dyn Content> = match about.has(b"Filter") {
            true => Box::new(BufWriter::new(File::create(&file)?)),
            false => Box::new(Deflated::into(&file)?),
        };
        let is_whole = merged.pass(*id, &mut taker)?;
        taker.end()?;
        if !is_whole || std::fs::metadata(&file)?.len() == 0 {
            std::fs::remove_file(file)?;
            continue;
        }
        if !about.has(b"Filter") {
            about.remove(b"DecodeParms");
            about.set("Filter", "FlateDecode");
        }
        patch.set_stream(*id, &about, &file);
    }
    patch.apply(merged.document(), &task.directory.join("aside"))
}

/// Whether any of the documents can have large content.
fn has_large(task: &Task) -> io::Result<bool> {
    let attached = task.attached().map(|attached| attached.readable());
    for path in attached.chain([task.readable()]) {
        if std::fs::metadata(path)?.len() >= LARGE {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Where content goes.
trait Content: Write {
    /// All of it has come.
    fn end(self: Box<Self>) -> io::Result<()>;
}

impl Content for BufWriter<File> {
    fn end(mut self: Box<Self>) -> io::Result<()> {
        self.flush()
    }
}

/// Content that is compressed, unless that is of no use.
struct Deflated {
    /// Where it goes, until some has come.
    file: Option<BufWriter<File>>,
    encoder: Option<ZlibEncoder<BufWriter<File>>>,
}

/// Pieces of content that tell whether it is worth to compress it, and the bytes of each.
const SAMPLES: (usize, usize) = (16, 16_384);

impl Deflated {
    fn into(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: Some(BufWriter::new(File::create(path)?)),
            encoder: None,
        })
    }
}

impl Write for Deflated {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = self.file.take() {
            let level = level(bytes)?;
            self.encoder = Some(ZlibEncoder::new(file, level));
        }
        match &mut self.encoder {
            Some(encoder) => encoder.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.encoder.as_mut().map_or(Ok(()), Write::flush)
    }
}

impl Content for Deflated {
    fn end(self: Box<Self>) -> io::Result<()> {
        match self.encoder {
            Some(encoder) => encoder.finish()?.flush(),
            None => Ok(()),
        }
    }
}

/// How to compress content that begins with these bytes: not at all where samples do not become a fiftieth smaller.
fn level(bytes: &[u8]) -> io::Result<Compression> {
    let (count, size) = SAMPLES;
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    let mut taken = 0;
    for sample in bytes
        .chunks(size)
        .step_by(bytes.len().div_ceil(size * count).max(1))
    {
        encoder.write_all(sample)?;
        taken += sample.len();
    }
    let left = encoder.finish()?.len();
    Ok(match left > taken - taken / 50 {
        true => Compression::none(),
        false => Compression::default(),
    })
}
