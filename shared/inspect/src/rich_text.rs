//! Finds the fields of rich text whose result comes from elsewhere: the office suite opens the pictures that they name
//! [Rich Text Format 1.9.1, "Fields"].

use std::fs::File;
use std::io::{BufRead, BufReader, Read as _};
use std::ops::Range;
use std::path::Path;

use task::{Fault, Outcome};

use super::links::is_field_outside;

/// Most fields that are left out.
const FIELDS: usize = 1000;
/// Deepest nesting of groups.
const DEPTH: usize = 10_000;
/// Longest control word [Rich Text Format 1.9.1, "Control Word"].
const WORD: usize = 32;
/// Longest instruction that is looked at, in bytes.
const INSTRUCTION: usize = 4096;

/// Where the instructions of such fields lie in a file, in bytes, in order; and whether the file ends within a group.
pub(super) fn fields_outside(path: &Path) -> Outcome<(Vec<Range<u64>>, bool)> {
    let mut scan = Scan::new(BufReader::new(File::open(path)?));
    scan.run()?;
    Ok((scan.found, scan.is_cut))
}

/// A file, as far as it was read.
struct Scan<R> {
    reader: R,
    /// Bytes read so far.
    at: u64,
    /// Groups that are open.
    depth: usize,
    /// Instructions that are open, the innermost last.
    open: Vec<Instruction>,
    found: Vec<Range<u64>>,
    /// Whether its end lies within a group.
    is_cut: bool,
}

/// An instruction, as far as it was read.
struct Instruction {
    begins: u64,
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
            is_cut: false,
        }
    }

    fn run(&mut self) -> Outcome<()> {
        while let Some(byte) = self.next()? {
            match byte {
                b'{' => self.depth += 1,
                b'}' => self.close(),
                b'\\' => self.control()?,
                b'\r' | b'\n' => {}
                other => self.text(other.into()),
            }
            if self.depth > DEPTH {
                return Err(Fault::too_large("The document is nested too deeply."));
            }
            if self.found.len() > FIELDS {
                let message = "The document asks for more than 1,000 things outside itself.";
                return Err(Fault::too_large(message));
            }
        }
        self.is_cut = self.depth > 0;
        // What is never closed counts up to the end.
        while !self.open.is_empty() {
            self.close();
        }
        self.found.sort_by_key(|range| range.start);
        Ok(())
    }

    fn next(&mut self) -> Outcome<Option<u8>> {
        let byte = self.reader.fill_buf()?.first().copied();
        if byte.is_some() {
            self.reader.consume(1);
            self.at += 1;
        }
        Ok(byte)
    }

    fn peek(&mut self) -> Outcome<Option<u8>> {
        Ok(self.reader.fill_buf()?.first().copied())
    }

    /// Ends a group, and with it the instruction that began in it.
    fn close(&mut self) {
        let closing = self.depth;
        while let Some(instruction) = self.open.pop_if(|open| open.depth >= closing) {
            if is_field_outside(&instruction.text) {
                self.found
                    .push(instruction.begins..self.at.saturating_sub(1));
            }
        }
        self.depth = closing.saturating_sub(1);
    }

    fn text(&mut self, character: char) {
        for instruction in &mut self.open {
            if instruction.text.len() < INSTRUCTION {
                instruction.text.push(character);
            }
        }
    }

    /// A control word with its number, or a control symbol.
    fn control(&mut self) -> Outcome<()> {
        match self.peek()? {
            Some(letter) if letter.is_ascii_alphabetic() => {
                let word = self.taken(|byte| byte.is_ascii_alphabetic())?;
                let number = self.taken(|byte| byte.is_ascii_digit() || byte == b'-')?;
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

    fn word(&mut self, word: &str, number: i64) -> Outcome<()> {
        match word {
            "fldinst" => self.open.push(Instruction {
                begins: self.at,
                depth: self.depth,
                text: String::new(),
            }),
            // So many bytes are data, whatever they look like.
            "bin" => {
                let length = u64::try_from(number).unwrap_or(0);
                let reader = &mut self.reader;
                let passed = std::io::copy(&mut reader.take(length), &mut std::io::sink())?;
                self.at += passed;
                // The office suite makes room for all of it first.
                if passed < length {
                    return Err(Fault::corrupt());
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

    /// The bytes from here on that are of a kind, at most as many as a control word has.
    fn taken(&mut self, is: impl Fn(u8) -> bool) -> Outcome<String> {
        let mut taken = String::new();
        while let Some(byte) = self.peek()?.filter(|byte| is(*byte))
            && taken.len() < WORD
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
    fn the_instruction_and_nothing_else_is_found() {
        let text = r#"{\rtf1 a {\field{\*\fldinst INCLUDEPICTURE "x" \\d}{\fldrslt b}} c}"#;
        assert_eq!(found(text), [r#"INCLUDEPICTURE "x" \\d"#]);
        assert_eq!(found(&text.replace("INCLUDEPICTURE", "HYPERLINK")), [""; 0]);
    }

    #[test]
    fn groups_formatting_escapes_and_ends_of_line_hide_nothing() {
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
    fn data_that_is_not_there_and_an_end_within_a_group_are_damage() {
        let scanned = |text: &str| {
            let mut scan = Scan::new(text.as_bytes());
            scan.run().map(|()| scan.is_cut)
        };
        assert!(matches!(scanned("{\\rtf1 {\\bin3 abc}}"), Ok(false)));
        assert!(matches!(scanned("{\\rtf1 {\\b word"), Ok(true)));
        assert!(scanned("{\\rtf1 a\\bin999999999 abc} end}").is_err());
    }

    #[test]
    fn what_is_never_closed_and_what_closes_too_often_is_found_as_well() {
        assert_eq!(found("{\\rtf1{\\field{\\fldinst DDE x").len(), 1);
        let often = "}}{\\rtf1{\\field{\\fldinst DDE x}}}";
        assert_eq!(found(often), ["DDE x"]);
        let inside = "{\\rtf1{\\field\\fldinst DDE x{\\fldrslt y}}}";
        assert_eq!(found(inside), ["DDE x{\\fldrslt y}"]);
    }
}
