//! Finds RTF fields with external results: the office suite would open the files that they name [Rich Text Format 1.9.1,
//! "Fields"].

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::ops::Range;
use std::path::Path;

use task::{TaskError, TaskResult};

use super::links::is_external_field;

/// Maximum number of external fields.
const MAX_FIELDS: usize = 1000;
/// Maximum nesting depth of groups.
const MAX_DEPTH: usize = 10_000;
/// Maximum length of a control word [Rich Text Format 1.9.1, "Control Word"].
const MAX_WORD: usize = 32;
/// Maximum length of a field instruction, in bytes.
const MAX_INSTRUCTION: usize = 4096;

/// Returns the byte ranges of the instructions of external fields, and whether the file ends within a group.
pub(super) fn external_fields(path: &Path) -> TaskResult<(Vec<Range<u64>>, bool)> {
    let mut scan = Scan::new(BufReader::new(File::open(path)?));
    scan.run()?;
    Ok((scan.found, scan.is_truncated))
}

/// The state of the scan.
struct Scan<R> {
    reader: R,
    /// Current offset in bytes.
    at: u64,
    /// Number of open groups.
    depth: usize,
    /// Open field instructions, innermost last.
    open: Vec<Instruction>,
    found: Vec<Range<u64>>,
    /// Whether the file ends within a group.
    is_truncated: bool,
}

/// A field instruction so far.
struct Instruction {
    start: u64,
    depth: usize,
    text: String,
}

impl<R: BufRead> Scan<R> {
    fn new(reader: R) -> Self {
        Self {
            reader,
            at: 0,
            depth: 0,
            open: Vec::new(),
            found: Vec::new(),
            is_truncated: false,
        }
    }

    fn run(&mut self) -> TaskResult<()> {
        while let Some(byte) = self.next()? {
            match byte {
                b'{' => self.depth += 1,
                b'}' => self.close(),
                b'\\' => self.control()?,
                b'\r' | b'\n' => {}
                other => self.text(other.into()),
            }
            if self.depth > MAX_DEPTH {
                return Err(TaskError::too_large("The document is nested too deeply."));
            }
            if self.found.len() > MAX_FIELDS {
                let message = "The document has more than 1,000 external references.";
                return Err(TaskError::too_large(message));
            }
        }
        self.is_truncated = self.depth > 0;
        // Instructions that are never closed extend to the end of the file.
        while !self.open.is_empty() {
            self.close();
        }
        self.found.sort_by_key(|range| range.start);
        Ok(())
    }

    fn next(&mut self) -> TaskResult<Option<u8>> {
        let byte = self.reader.fill_buf()?.first().copied();
        if byte.is_some() {
            self.reader.consume(1);
            self.at += 1;
        }
        Ok(byte)
    }

    fn peek(&mut self) -> TaskResult<Option<u8>> {
        Ok(self.reader.fill_buf()?.first().copied())
    }

    /// Closes a group, and the instruction that started in it.
    fn close(&mut self) {
        let closing = self.depth;
        while let Some(instruction) = self.open.pop_if(|open| open.depth >= closing) {
            if is_external_field(&instruction.text) {
                self.found
                    .push(instruction.start..self.at.saturating_sub(1));
            }
        }
        self.depth = closing.saturating_sub(1);
    }

    fn text(&mut self, character: char) {
        for instruction in &mut self.open {
            if instruction.text.len() < MAX_INSTRUCTION {
                instruction.text.push(character);
            }
        }
    }

    /// Parses a control word with its number, or a control symbol.
    fn control(&mut self) -> TaskResult<()> {
        match self.peek()? {
            Some(letter) if letter.is_ascii_alphabetic() => {
                let word = self.read_while(|byte| byte.is_ascii_alphabetic())?;
                let number = self.read_while(|byte| byte.is_ascii_digit() || byte == b'-')?;
                if self.peek()? == Some(b' ') {
                    self.next()?;
                }
                self.word(&word, number.parse().unwrap_or(0))
            }
            Some(b'\'') => {
                self.next()?;
                let mut digits = String::new();
                for _ in 0..2 {
                    digits.extend(self.next()?.map(char::from));
                }
                let code = u8::from_str_radix(&digits, 16);
                self.text(code.map_or(' ', char::from));
                Ok(())
            }
            symbol => {
                self.next()?;
                if let Some(escaped @ (b'\\' | b'{' | b'}')) = symbol {
                    self.text(escaped.into());
                }
                Ok(())
            }
        }
    }

    fn word(&mut self, word: &str, number: i64) -> TaskResult<()> {
        match word {
            "fldinst" => self.open.push(Instruction {
                start: self.at,
                depth: self.depth,
                text: String::new(),
            }),
            // The next `number` bytes are binary data.
            "bin" => {
                let length = u64::try_from(number).unwrap_or(0);
                let reader = &mut self.reader;
                let passed = std::io::copy(&mut reader.take(length), &mut std::io::sink())?;
                self.at += passed;
                // The office suite allocates memory for all of it up front.
                if passed < length {
                    return Err(TaskError::input_corrupt());
                }
            }
            "u" => self.text(
                u32::try_from(number)
                    .ok()
                    .and_then(char::from_u32)
                    .unwrap_or(' '),
            ),
            _ => {}
        }
        Ok(())
    }

    /// Reads consecutive bytes that satisfy `is`, at most the maximum length of a control word.
    fn read_while(&mut self, is: impl Fn(u8) -> bool) -> TaskResult<String> {
        let mut taken = String::new();
        while let Some(byte) = self.peek()?.filter(|byte| is(*byte))
            && taken.len() < MAX_WORD
        {
            taken.push(byte.into());
            self.next()?;
        }
        Ok(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut scan = Scan::new(text.as_bytes());
        scan.run().unwrap();
        let place =
            |range: &Range<u64>| text.get(range.start as usize..range.end as usize).unwrap();
        scan.found.iter().map(place).collect()
    }

    #[test]
    fn only_the_instruction_is_found() {
        let text = r#"{\rtf1 a {\field{\*\fldinst INCLUDEPICTURE "x" \\d}{\fldrslt b}} c}"#;
        assert_eq!(found(text), [r#"INCLUDEPICTURE "x" \\d"#]);
        assert_eq!(found(&text.replace("INCLUDEPICTURE", "HYPERLINK")), [""; 0]);
    }

    #[test]
    fn groups_formatting_escapes_and_line_ends_hide_nothing() {
        for hidden in [
            "{ INCLUDEPICTURE x}",
            "{INC}{\\b LUDE}PIC\r\nTURE x",
            "INCLUDEPICT\\'55RE x",
            "\\\"INCLUDETEXT\\\" x",
            "\\uc0\\u73 NCLUDETEXT x",
            "includetext x",
            "{\\bin3 }}}INCLUDETEXT x}",
        ] {
            let text = format!("{{\\rtf1 {{\\field{{\\*\\fldinst {hidden}}}{{\\fldrslt}}}}}}");
            assert_eq!(found(&text), [hidden], "{hidden}");
        }
    }

    #[test]
    fn missing_data_and_an_end_within_a_group_are_damage() {
        let scanned = |text: &str| {
            let mut scan = Scan::new(text.as_bytes());
            scan.run().map(|()| scan.is_truncated)
        };
        assert!(matches!(scanned("{\\rtf1 {\\bin3 abc}}"), Ok(false)));
        assert!(matches!(scanned("{\\rtf1 {\\b word"), Ok(true)));
        assert!(scanned("{\\rtf1 a\\bin999999999 abc} end}").is_err());
    }

    #[test]
    fn unclosed_and_overclosed_groups_are_found() {
        assert_eq!(found("{\\rtf1{\\field{\\fldinst DDE x").len(), 1);
        let often = "}}{\\rtf1{\\field{\\fldinst DDE x}}}";
        assert_eq!(found(often), ["DDE x"]);
        let inside = "{\\rtf1{\\field\\fldinst DDE x{\\fldrslt y}}}";
        assert_eq!(found(inside), ["DDE x{\\fldrslt y}"]);
    }
}
