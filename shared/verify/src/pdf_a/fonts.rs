//! Fonts that show text: embedding, encodings, metrics, and Unicode values.

mod composite;
mod simple;

use std::collections::{BTreeSet, HashMap};

use domain::operation::PdfaLevel;
use serde_json::Value;

use super::font_program::FontProgram;
use super::objects::{Dict, Document};
use super::unicode::{UnicodeMap, code_length, number};
use super::{Clauses, Report};

const TYPES: Clauses = ["6.3.2", "6.2.11.2"];
const EMBEDDED: Clauses = ["6.3.4", "6.2.11.4.1"];
const GLYPHS: Clauses = ["6.3.5", "6.2.11.4.1"];
const METRICS: Clauses = ["6.3.6", "6.2.11.5"];
pub(super) const UNICODE: Clauses = ["", "6.2.11.7.2"];

/// Allowed difference between widths in thousandths of the font size.
const TOLERANCE: f64 = 1.0;

/// The fonts that content streams use.
#[derive(Default)]
pub(super) struct UsedFonts<'a> {
    fonts: Vec<UsedFont<'a>>,
    /// The index of a font by the address of its dictionary.
    indices: HashMap<*const Dict, usize>,
}

/// A font and what it shows.
struct UsedFont<'a> {
    object: &'a str,
    dict: &'a Dict,
    /// Length of its codes in bytes; `None` if that is unknown.
    code_length: Option<usize>,
    codes: BTreeSet<u32>,
    /// Codes that are visible.
    visible: BTreeSet<u32>,
    is_visible: bool,
}

/// Maximum number of codes of a font that are checked.
const MAX_CODES: usize = 65_536;

impl<'a> UsedFonts<'a> {
    /// Notes that a font shows a string. `object` is the content stream.
    pub(super) fn show(
        &mut self,
        document: &'a Document<'a>,
        font: Option<&'a Value>,
        object: &'a str,
        text: &[u8],
        is_visible: bool,
    ) {
        let Some(value) = font else {
            return;
        };
        let Some(dict) = document.graph.dictionary(value) else {
            return;
        };
        let fonts = &mut self.fonts;
        let index = *self
            .indices
            .entry(std::ptr::from_ref(dict))
            .or_insert_with(|| {
                fonts.push(UsedFont {
                    object: value.as_str().unwrap_or(object),
                    dict,
                    code_length: length_of_codes(document, dict),
                    codes: BTreeSet::new(),
                    visible: BTreeSet::new(),
                    is_visible: false,
                });
                fonts.len() - 1
            });
        let Some(font) = fonts.get_mut(index) else {
            return;
        };
        font.is_visible |= is_visible && !text.is_empty();
        let Some(length) = font.code_length else {
            return;
        };
        for code in text.chunks(length).map(number) {
            if font.codes.len() < MAX_CODES {
                font.codes.insert(code);
                if is_visible {
                    font.visible.insert(code);
                }
            }
        }
    }

    /// Checks the fonts.
    pub(super) fn check(&self, document: &Document<'_>, report: &mut Report) {
        for font in &self.fonts {
            font.check(document, report);
        }
    }
}

fn length_of_codes(document: &Document<'_>, font: &Dict) -> Option<usize> {
    if document.graph.name(font, "/Subtype") != Some("/Type0") {
        return Some(1);
    }
    let encoding = font.get("/Encoding")?;
    match document.graph.resolve(encoding).as_str() {
        Some("/Identity-H" | "/Identity-V") => Some(2),
        Some(_) => None,
        None => code_length(&document.data(encoding)?),
    }
}

impl UsedFont<'_> {
    fn check(&self, document: &Document<'_>, report: &mut Report) {
        const SUBTYPES: [&str; 5] = ["/Type1", "/MMType1", "/TrueType", "/Type3", "/Type0"];
        let (graph, object) = (document.graph, self.object);
        let subtype = graph.name(self.dict, "/Subtype").unwrap_or("");
        let is_font =
            graph.name(self.dict, "/Type") == Some("/Font") && SUBTYPES.contains(&subtype);
        report.require(is_font, object, TYPES, "a font has no valid type");
        let has_name = subtype == "/Type3" || graph.name(self.dict, "/BaseFont").is_some();
        report.require(has_name, object, TYPES, "a font has no name");
        match subtype {
            "/Type0" => composite::check(self, document, report),
            _ => simple::check(self, document, subtype, report),
        }
        if report.level == PdfaLevel::A2u {
            self.check_unicode(document, subtype, report);
        }
    }

    /// Checks that every code has a Unicode value.
    fn check_unicode(&self, document: &Document<'_>, subtype: &str, report: &mut Report) {
        let map = self
            .dict
            .get("/ToUnicode")
            .and_then(|map| document.data(map));
        let has_values = match map {
            Some(map) => {
                let map = UnicodeMap::read(&map);
                self.codes.iter().all(|code| map.has_value(*code))
            }
            None => match subtype {
                "/Type0" => composite::has_known_collection(document, self.dict),
                _ => simple::has_standard_encoding(document, self.dict),
            },
        };
        let reason = "a character has no Unicode value";
        report.require(has_values, self.object, UNICODE, reason);
    }
}

/// Checks that a font program is embedded, and returns its data. `font` is the dictionary with the descriptor.
fn embedded_program(
    document: &Document<'_>,
    font: &Dict,
    object: &str,
    report: &mut Report,
) -> Option<Vec<u8>> {
    let descriptor = document.dict(font, "/FontDescriptor");
    let keys = ["/FontFile", "/FontFile2", "/FontFile3"];
    let found = descriptor.and_then(|descriptor| {
        let mut keys = keys.iter();
        keys.find_map(|key| Some((*key, descriptor.get(*key)?)))
    });
    let Some((key, stream)) = found else {
        report.add(object, EMBEDDED, "the font is not embedded");
        return None;
    };
    let data = document.data(stream).unwrap_or_default();
    let program = FontProgram::read(&data);
    let dict = document.graph.dictionary(stream);
    let kind = dict.and_then(|dict| document.graph.name(dict, "/Subtype"));
    let subtype = document.graph.name(font, "/Subtype").unwrap_or("");
    let is_open_type = kind == Some("/OpenType") && !report.is_part_1();
    let is_valid = match (key, subtype, &program) {
        ("/FontFile", "/Type1" | "/MMType1", Some(FontProgram::Type1)) => true,
        ("/FontFile2", "/TrueType" | "/CIDFontType2", Some(FontProgram::TrueType(_))) => true,
        ("/FontFile3", "/Type1" | "/MMType1", Some(FontProgram::Cff)) => kind == Some("/Type1C"),
        ("/FontFile3", "/CIDFontType0", Some(FontProgram::Cff)) => kind == Some("/CIDFontType0C"),
        (
            "/FontFile3",
            "/Type1" | "/CIDFontType0" | "/CIDFontType2",
            Some(FontProgram::OpenType),
        ) => is_open_type,
        ("/FontFile3", "/TrueType" | "/CIDFontType2", Some(FontProgram::TrueType(_))) => {
            is_open_type
        }
        _ => false,
    };
    let reason = "the font program is damaged or of another type than the font";
    report.require(is_valid, object, EMBEDDED, reason);
    is_valid.then_some(data)
}

/// Whether the name of a font is that of a subset.
fn is_subset(document: &Document<'_>, font: &Dict) -> bool {
    let name = document.graph.name(font, "/BaseFont");
    let tag = name.and_then(|name| name.strip_prefix('/')?.split_once('+'));
    tag.is_some_and(|(tag, _)| tag.len() == 6 && tag.bytes().all(|byte| byte.is_ascii_uppercase()))
}
