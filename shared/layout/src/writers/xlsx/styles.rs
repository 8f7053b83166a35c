//! Cell styles: one for each number format.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::MAIN;
use crate::writers::xml::Escaped;

/// General format.
pub(super) const GENERAL: usize = 0;

/// Header cells.
pub(super) const HEADER: usize = 1;

/// Cells with several lines.
pub(super) const WRAPPED: usize = 2;

const NUMBERS: usize = 3;

/// Maximum number of formats, of which applications support a few thousand.
const MAX_FORMATS: usize = 1_000;

/// The number formats in use.
#[derive(Default)]
pub(super) struct Styles {
    codes: Vec<String>,
    by_code: HashMap<String, usize>,
}

impl Styles {
    /// Returns the style with a format code.
    pub(super) fn of(&mut self, code: String) -> usize {
        if let Some(style) = self.by_code.get(&code) {
            return *style;
        }
        if self.codes.len() == MAX_FORMATS {
            return GENERAL;
        }
        let style = NUMBERS + self.codes.len();
        self.codes.push(code.clone());
        self.by_code.insert(code, style);
        style
    }

    /// Returns the styles part.
    pub(super) fn xml(&self) -> String {
        let (mut formats, mut cells) = (String::new(), String::new());
        for (code, number) in self.codes.iter().zip(164..) {
            let code = Escaped(code);
            write!(
                formats,
                "<numFmt numFmtId=\"{number}\" formatCode=\"{code}\"/>"
            )
            .ok();
            write!(cells, "<xf numFmtId=\"{number}\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>").ok();
        }
        if !formats.is_empty() {
            formats = format!(
                "<numFmts count=\"{}\">{formats}</numFmts>",
                self.codes.len()
            );
        }
        let all = self.codes.len() + NUMBERS;
        format!(
            "<styleSheet xmlns=\"{MAIN}\">{formats}\
<fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font><font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>\
<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
<cellXfs count=\"{all}\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>\
<xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyFont=\"1\" applyAlignment=\"1\"><alignment vertical=\"top\" wrapText=\"1\"/></xf>\
<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyAlignment=\"1\"><alignment vertical=\"top\" wrapText=\"1\"/></xf>{cells}</cellXfs>\
<cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>"
        )
    }
}
