//! A buffer with a maximum size for data of a document.

use std::io::{self, Write};

/// Collects at most `most` bytes; more are an error.
pub(super) struct Bounded {
    pub(super) bytes: Vec<u8>,
    most: usize,
}

impl Bounded {
    pub(super) fn new(most: usize) -> Self {
        Self {
            bytes: Vec::new(),
            most,
        }
    }
}

impl Write for Bounded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.bytes.len() + bytes.len() <= self.most {
            true => self.bytes.write(bytes),
            false => Err(io::ErrorKind::FileTooLarge.into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
