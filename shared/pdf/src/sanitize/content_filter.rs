//! Removes hidden marked content from a content stream. Operators that set the graphics state stay, so that what follows looks
//! as before [ISO 32000-1, 8.11.3.2].

use std::collections::{HashMap, HashSet};

use task::TaskResult;

use super::unsupported;
use crate::operators::{Operands, for_each_operator};

/// Names of resources whose content is hidden.
#[derive(Default)]
pub(super) struct HiddenNames {
    /// Property lists of marked content.
    pub(super) properties: HashSet<Vec<u8>>,
    /// Images and forms.
    pub(super) objects: HashSet<Vec<u8>>,
    /// Identifiers of marked content in property lists, whether it is hidden or not.
    pub(super) marks: HashMap<Vec<u8>, i64>,
}

/// A content stream without hidden content.
#[derive(Debug, Default)]
pub(super) struct Filtered {
    /// The content; `None` if nothing was hidden.
    pub(super) content: Option<Vec<u8>>,
    /// The names of images and forms that are drawn.
    pub(super) drawn: HashSet<Vec<u8>>,
    /// Number of hidden sections and objects.
    pub(super) hidden: usize,
    /// Identifiers of the marked content that was hidden.
    pub(super) marks: Vec<i64>,
}

/// Filters a content stream. `None` if it cannot be parsed.
///
/// # Errors
/// `input_corrupt` if text after hidden text in the same line has no position of its own.
pub(super) fn filter(content: &[u8], hidden: &HiddenNames) -> TaskResult<Option<Filtered>> {
    let mut filter = Filter {
        source: content,
        names: hidden,
        output: Vec::with_capacity(content.len()),
        filtered: Filtered::default(),
        is_changed: false,
        open: Vec::new(),
        depth: 0,
        path: (Vec::new(), false),
        is_path_open: false,
        has_advanced: false,
        clips_text: false,
    };
    let mut failed = None;
    let parsed = for_each_operator(content, |operator, operands| {
        let result = filter.operator(operator, operands);
        result.map_err(|error| failed = Some(error)).ok()
    });
    match (failed, parsed) {
        (Some(error), _) => Err(error),
        (None, None) => Ok(None),
        (None, Some(())) => {
            let mut filtered = filter.filtered;
            filtered.content = filter.is_changed.then_some(filter.output);
            Ok(Some(filtered))
        }
    }
}

struct Filter<'a> {
    source: &'a [u8],
    names: &'a HiddenNames,
    output: Vec<u8>,
    filtered: Filtered,
    is_changed: bool,
    /// Open marked content: whether each section is hidden.
    open: Vec<bool>,
    /// Number of open hidden sections.
    depth: usize,
    /// A hidden path, and whether it clips.
    path: (Vec<u8>, bool),
    /// Whether a path began in visible content.
    is_path_open: bool,
    /// Whether hidden text has moved the position of the next text.
    has_advanced: bool,
    /// Whether text clips.
    clips_text: bool,
}

impl Filter<'_> {
    fn operator(&mut self, operator: &[u8], operands: &Operands) -> TaskResult<()> {
        let source = self.source.get(operands.range.clone()).unwrap_or_default();
        match operator {
            b"BMC" | b"BDC" => return self.begin(operator, operands, source),
            b"EMC" => {
                let was_hidden = self.depth > 0;
                if self.open.pop() == Some(true) {
                    self.depth -= 1;
                }
                match was_hidden {
                    false => self.output.extend(source),
                    true if self.depth == 0 => {
                        let (path, _) = std::mem::take(&mut self.path);
                        self.output.extend(path);
                    }
                    true => {}
                }
                return Ok(());
            }
            b"Tr" => {
                let mode = operands.numbers.last().copied().unwrap_or(0.0);
                self.clips_text = mode >= 4.0;
            }
            b"BT" | b"ET" | b"Td" | b"TD" | b"Tm" | b"T*" | b"'" | b"\"" => {
                self.has_advanced = false;
            }
            _ => {}
        }
        match self.depth {
            0 => self.visible(operator, operands, source),
            _ => self.hidden(operator, operands, source),
        }
    }

    fn begin(&mut self, operator: &[u8], operands: &Operands, source: &[u8]) -> TaskResult<()> {
        let name = operands.name.as_ref().filter(|_| operator == b"BDC");
        let is_optional = operands.tag.as_deref() == Some(b"OC");
        let hides = name.is_some_and(|name| is_optional && self.names.properties.contains(name));
        let is_hidden = self.depth > 0 || hides;
        if is_hidden {
            let listed = name.and_then(|name| self.names.marks.get(name)).copied();
            self.filtered.marks.extend(inline_mark(source).or(listed));
        }
        self.open.push(is_hidden);
        self.depth += usize::from(is_hidden);
        self.filtered.hidden += usize::from(hides);
        match is_hidden {
            true => self.is_changed = true,
            false => self.output.extend(source),
        }
        Ok(())
    }

    fn visible(&mut self, operator: &[u8], operands: &Operands, source: &[u8]) -> TaskResult<()> {
        match operator {
            b"Do" => {
                let name = operands.name.clone().unwrap_or_default();
                if self.names.objects.contains(&name) {
                    self.is_changed = true;
                    self.filtered.hidden += 1;
                    return Ok(());
                }
                self.filtered.drawn.insert(name);
            }
            b"Tj" | b"TJ" if self.has_advanced => {
                return Err(unsupported(
                    "Text after text of a hidden layer has no position of its own.",
                ));
            }
            b"m" | b"re" => self.is_path_open = true,
            _ if is_painting(operator) => self.is_path_open = false,
            _ => {}
        }
        self.output.extend(source);
        Ok(())
    }

    fn hidden(&mut self, operator: &[u8], operands: &Operands, source: &[u8]) -> TaskResult<()> {
        match operator {
            b"m" | b"l" | b"c" | b"v" | b"y" | b"h" | b"re" => self.path.0.extend(source),
            b"W" | b"W*" => {
                self.path.0.extend(source);
                self.path.1 = true;
            }
            b"Tj" | b"TJ" | b"'" | b"\"" if self.clips_text => {
                return Err(unsupported("Text of a hidden layer clips other content."));
            }
            b"Tj" | b"TJ" => self.has_advanced = true,
            b"'" | b"\"" => {
                if let ([word, character], b"\"") = (operands.numbers.as_slice(), operator) {
                    let spacing = format!(" {word} Tw {character} Tc");
                    self.output.extend(spacing.into_bytes());
                }
                self.output.extend(b" T*");
                self.has_advanced = true;
            }
            b"Do" | b"sh" | b"BI" | b"EI" | b"MP" | b"DP" => {}
            _ if is_painting(operator) => {
                let (path, clips) = std::mem::take(&mut self.path);
                if clips {
                    self.output.extend(path);
                }
                if clips || self.is_path_open {
                    self.output.extend(b" n");
                }
                self.is_path_open = false;
            }
            _ => self.output.extend(source),
        }
        Ok(())
    }
}

fn is_painting(operator: &[u8]) -> bool {
    matches!(
        operator,
        b"S" | b"s" | b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" | b"n"
    )
}

/// The identifier of marked content in a property list that is an operand.
fn inline_mark(source: &[u8]) -> Option<i64> {
    const KEY: &[u8] = b"/MCID";
    let start = source.windows(KEY.len()).position(|bytes| bytes == KEY)?;
    let value = source.get(start + KEY.len()..)?.trim_ascii_start();
    let digits = value.iter().take_while(|byte| byte.is_ascii_digit());
    std::str::from_utf8(value.get(..digits.count())?)
        .ok()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filtered(content: &str) -> TaskResult<Option<Filtered>> {
        let names = HiddenNames {
            properties: HashSet::from([b"H".to_vec()]),
            objects: HashSet::from([b"X".to_vec()]),
            marks: HashMap::from([(b"M".to_vec(), 9)]),
        };
        filter(content.as_bytes(), &names)
    }

    fn kept(content: &str) -> String {
        let filtered = filtered(content).unwrap().unwrap();
        let content = String::from_utf8(filtered.content.unwrap()).unwrap();
        content.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn hidden_content_is_dropped_and_its_state_stays() {
        for (content, expected) in [
            (
                "/OC /H BDC 1 0 0 rg 0 0 9 9 re f EMC 1 1 2 2 re f",
                "1 0 0 rg 1 1 2 2 re f",
            ),
            (
                "/OC /H BDC q 1 0 0 1 5 5 cm /A Do Q EMC /A Do",
                "q 1 0 0 1 5 5 cm Q /A Do",
            ),
            (
                "/OC /H BDC 0 0 9 9 re W n EMC 1 1 2 2 re f",
                "0 0 9 9 re W n 1 1 2 2 re f",
            ),
            (
                "q /OC /H BDC /P <</MCID 3>> BDC BT (a) Tj ET EMC EMC Q",
                "q BT ET Q",
            ),
            (
                "BT /OC /H BDC (a) ' 1 2 (b) \" EMC 0 -9 Td (c) Tj ET",
                "BT T* 1 Tw 2 Tc T* 0 -9 Td (c) Tj ET",
            ),
            (
                "/OC /H BDC BI /W 1 ID \0 EI /S sh EMC /OC /V BDC EMC",
                "/OC /V BDC EMC",
            ),
            ("q /X Do Q /Y Do", "q Q /Y Do"),
        ] {
            assert_eq!(kept(content), expected);
        }
    }

    #[test]
    fn visible_content_is_unchanged() {
        let found = filtered("/OC /V BDC /A Do EMC /P /H BDC EMC")
            .unwrap()
            .unwrap();
        assert_eq!(found.content, None);
        assert_eq!(found.drawn, HashSet::from([b"A".to_vec()]));
    }

    #[test]
    fn marks_of_hidden_content_are_listed() {
        let marks = |content: &str| filtered(content).unwrap().unwrap().marks;
        let content = "/P <</MCID 1>> BDC EMC /P /M BDC EMC /OC /H BDC /P <</MCID 2>> BDC EMC \
            /P <</MCID 3/Lang(en)/Width 7>> BDC EMC /P /M BDC EMC EMC";
        assert_eq!(marks(content), [2, 3, 9]);
    }

    #[test]
    fn text_that_depends_on_hidden_text_is_rejected() {
        assert!(filtered("BT /OC /H BDC (a) Tj EMC (b) Tj ET").is_err());
        assert!(filtered("BT 7 Tr /OC /H BDC (a) Tj EMC ET").is_err());
        assert!(filtered("BT /OC /H BDC (a) Tj EMC ET BT (b) Tj ET").is_ok());
    }
}
