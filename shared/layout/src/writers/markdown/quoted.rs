//! Prefixes the lines of quotations.

use std::io::{Result, Write};

/// Writes lines with one `> ` per quotation level.
pub(super) struct Quoted<W> {
    output: W,
    /// Quotation depth of the lines.
    pub(super) depth: u8,
    /// Whether the next byte begins a line.
    is_start: bool,
}

impl<W: Write> Quoted<W> {
    pub(super) fn new(output: W) -> Self {
        Self {
            output,
            depth: 0,
            is_start: true,
        }
    }

    /// Writes the empty line before a block at depth `next`; it belongs to the quotations that continue.
    pub(super) fn end_block(&mut self, next: u8) -> Result<()> {
        self.depth = self.depth.min(next);
        self.write_all(b"\n")
    }

    fn line(&mut self, line: &[u8]) -> Result<()> {
        if self.is_start && self.depth > 0 {
            let signs = vec!["> "; self.depth.into()].concat();
            let signs = if line == b"\n" {
                signs.trim_end()
            } else {
                &signs
            };
            self.output.write_all(signs.as_bytes())?;
        }
        self.is_start = line.ends_with(b"\n");
        self.output.write_all(line)
    }
}

impl<W: Write> Write for Quoted<W> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        for line in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.line(line)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        self.output.flush()
    }
}
