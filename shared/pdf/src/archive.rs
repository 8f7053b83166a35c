//! ZIP archives of several output files, with stable names, order and dates.

use std::fs::File;
use std::io::{BufWriter, Read, Write as _};

use task::{Task, TaskError, TaskResult};
use zip::result::ZipError;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// The archive that is being written to the output of a task.
pub struct Archive<'a> {
    task: &'a Task,
    zip: ZipWriter<BufWriter<File>>,
    sizes: Vec<u64>,
}

impl<'a> Archive<'a> {
    /// Creates the output archive of a task.
    ///
    /// # Errors
    /// If the file cannot be created.
    pub fn create(task: &'a Task) -> TaskResult<Self> {
        let output = BufWriter::new(File::create(task.output())?);
        Ok(Self {
            task,
            zip: ZipWriter::new(output),
            sizes: Vec::new(),
        })
    }

    /// Adds the next file.
    ///
    /// # Errors
    /// If the file cannot be read, or the archive cannot be written.
    pub fn add(&mut self, mut file: impl Read) -> TaskResult<()> {
        // Images and PDF are compressed already, and a date would make the output irreproducible.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Stored)
            .last_modified_time(DateTime::default());
        let name = self.task.entry_name(self.sizes.len() + 1);
        self.zip.start_file(name, options).map_err(zip_error)?;
        self.sizes.push(std::io::copy(&mut file, &mut self.zip)?);
        Ok(())
    }

    /// Finishes the archive and returns the size of each file in bytes.
    ///
    /// # Errors
    /// If the archive cannot be written.
    pub fn finish(self) -> TaskResult<Vec<u64>> {
        self.zip.finish().map_err(zip_error)?.flush()?;
        Ok(self.sizes)
    }
}

fn zip_error(error: ZipError) -> TaskError {
    match error {
        ZipError::Io(error) => TaskError::Io(error),
        other => TaskError::Io(std::io::Error::other(other)),
    }
}
