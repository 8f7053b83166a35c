//! Spools large streams to files, which libqpdf reads in blocks. It would keep the whole data of streams in memory, both as
//! read and as written.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use lopdf::Object;
use task::{Task, TaskResult};

use crate::patch::Patch;
use crate::qpdf::PendingWrite;

/// Minimum size of a large stream, in bytes.
const MIN_LARGE: u64 = 16_000_000;

/// Spools the large streams of a merged document, compressed unless they are compressed already.
pub(super) fn spool(task: &Task, merged: &PendingWrite) -> TaskResult<()> {
    if !has_large(task)? {
        return Ok(());
    }
    let least = i64::try_from(MIN_LARGE).unwrap_or(i64::MAX);
    let large = merged.document().streams_of_at_least(least)?;
    let mut patch = Patch::none();
    for (id, stream) in &large.objects {
        let Object::Stream(stream) = stream else {
            continue;
        };
        let file = task.directory.join(format!("content-{}-{}", id.0, id.1));
        let mut dict = stream.dict.clone();
        let mut taker: Box<dyn StreamSink> = match dict.has(b"Filter") {
            true => Box::new(BufWriter::new(File::create(&file)?)),
            false => Box::new(DeflateSink::into(&file)?),
        };
        let is_whole = merged.document().copy_stream(*id, &mut taker)?;
        taker.finish()?;
        if !is_whole || std::fs::metadata(&file)?.len() == 0 {
            std::fs::remove_file(file)?;
            continue;
        }
        if !dict.has(b"Filter") {
            dict.remove(b"DecodeParms");
            dict.set("Filter", "FlateDecode");
        }
        patch.set_stream(*id, &dict, &file);
    }
    patch.apply(merged.document(), &task.directory.join("aside"))
}

/// Whether a source is large enough to have large streams.
fn has_large(task: &Task) -> io::Result<bool> {
    let attached = task.attachment_tasks().map(|attached| attached.readable());
    for path in attached.chain([task.readable()]) {
        if std::fs::metadata(path)?.len() >= MIN_LARGE {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Destination of stream data.
trait StreamSink: Write {
    /// Completes the data.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

impl StreamSink for BufWriter<File> {
    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()
    }
}

/// Data that is compressed if that pays off.
struct DeflateSink {
    /// The file, until the first data decides on the compression.
    file: Option<BufWriter<File>>,
    encoder: Option<ZlibEncoder<BufWriter<File>>>,
}

/// Number and size in bytes of the samples that decide whether to compress.
const SAMPLES: (usize, usize) = (16, 16_384);

impl DeflateSink {
    fn into(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: Some(BufWriter::new(File::create(path)?)),
            encoder: None,
        })
    }
}

impl Write for DeflateSink {
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

impl StreamSink for DeflateSink {
    fn finish(self: Box<Self>) -> io::Result<()> {
        match self.encoder {
            Some(encoder) => encoder.finish()?.flush(),
            None => Ok(()),
        }
    }
}

/// Returns the compression level by the first bytes: none if samples shrink by less than 2 percent.
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
