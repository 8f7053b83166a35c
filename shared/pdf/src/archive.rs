//! The archive that holds a result of several files: in order, with stable names and dates.

use std::fs::File;
use std::io::{BufWriter, Read, Write as _};

use task::{Fault, Outcome, Task};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// An archive that is being written as the result of a task.
pub struct Archive<'a> {
    task: &'a Task,
    zip: ZipWriter<BufWriter<File>>,
    sizes: Vec<u64>,
}

impl<'a> Archive<'a> {
    /// Begins the result of a task.
    pub fn begin(task: &'a Task) -> Outcome<Self> {
        let output = BufWriter::new(File::create(task.output())?);
        Ok(Self {
            task,
            zip: ZipWriter::new(output),
            sizes: Vec::new(),
        })
    }

    /// Adds the next file.
    pub fn add(&mut self, mut file: impl Read) -> Outcome<()> {
        // Pictures and PDF are compressed already, and a date would differ from run to run.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default());
        let name = self.task.entry_name(self.sizes.len() + 1);
        self.zip.start_file(name, options).map_err(fault)?;
        self.sizes.push(std::io::copy(&mut file, &mut self.zip)?);
        Ok(())
    }

    /// Ends it, and tells the size of each file in bytes.
    pub fn finish(self) -> Outcome<Vec<u64>> {
        self.zip.finish().map_err(fault)?.flush()?;
        Ok(self.sizes)
    }
}

fn fault(error: ZipError) -> Fault {
    match error {
        ZipError::Io(error) => Fault::Io(error),
        other => Fault::Io(std::io::Error::other(other)),
    }
}
