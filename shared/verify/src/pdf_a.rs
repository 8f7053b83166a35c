//! Checks of PDF/A conformance: the rules of ISO 19005-1, -2 and -3 for levels 1b, 2b, 2u and 3b that apply to what Octavo writes.
//!
//! What they prove is checked by Octavo's own code and by no independent validator.
//!
//! Not checked: spacing of keywords in the file; metrics and glyphs of fonts other than TrueType, names in `CharSet` and the
//! CIDs in `CIDSet`; glyph names against the Adobe Glyph List, so a simple font with `Differences` needs a `ToUnicode` map in
//! 2u; the tags of ICC profiles; the data of images, JPEG 2000 among them; overprint mode with ICCBased CMYK; equality of
//! Separation spaces with one name; the value types of XMP properties and which properties a predefined namespace has; embedded
//! files of 2b, which are rejected as a whole; digests of signatures. Streams that have to be read must be uncompressed or have
//! the one filter `FlateDecode` without predictor.

mod attachments;
mod color;
mod content;
mod file;
mod font_program;
mod fonts;
mod graphics;
mod icc;
mod interaction;
mod metadata;
mod objects;
mod tokens;
mod unicode;
mod walk;

#[cfg(test)]
mod tests;

use std::fmt;
use std::path::Path;

use domain::operation::PdfaLevel;
use task::TaskResult;

use self::objects::Document;
use crate::object_graph::ObjectGraph;

/// A rule of ISO 19005 that a file breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Violation {
    /// The clause in the part of the level, such as `6.2.11.4.1`.
    clause: &'static str,
    /// The object, such as `12 0 R`; `None` for the file as a whole.
    object: Option<String>,
    /// What is wrong, without content of the document.
    reason: &'static str,
}

impl Violation {
    /// Whether the Unicode values of characters are not defined, as level U requires.
    pub(super) fn is_of_unicode(&self) -> bool {
        fonts::UNICODE.contains(&self.clause)
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let object = self.object.as_deref().unwrap_or("file");
        write!(f, "ISO 19005 {}, {object}: {}", self.clause, self.reason)
    }
}

/// Maximum number of violations that are reported.
const MAX_VIOLATIONS: usize = 100;

/// The clause of a rule in ISO 19005-1 and in ISO 19005-2 and -3; empty where the part does not have the rule.
type Clauses = [&'static str; 2];

/// Returns the rules of a level that a file breaks, at most 100. Temporary files are written to `scratch`, a directory.
///
/// # Errors
/// `output_invalid` if libqpdf cannot read the file.
pub(super) fn violations(
    file: &Path,
    scratch: &Path,
    level: PdfaLevel,
) -> TaskResult<Vec<Violation>> {
    let graph = ObjectGraph::read(file, scratch)?;
    let document = Document::read(file, scratch, &graph)?;
    let mut report = Report::new(level);
    file::check(file, &document, &mut report)?;
    let intent = color::output_intent(&document, &mut report);
    let has_transparency = walk::check(&document, intent, &mut report);
    attachments::check(&document, &mut report);
    metadata::check(&document, &mut report);
    content::check(&document, intent, has_transparency, &mut report);
    Ok(report.found)
}

/// The violations so far.
struct Report {
    level: PdfaLevel,
    found: Vec<Violation>,
}

impl Report {
    fn new(level: PdfaLevel) -> Self {
        Self {
            level,
            found: Vec::new(),
        }
    }

    /// Whether the level is of ISO 19005-1.
    fn is_part_1(&self) -> bool {
        self.level == PdfaLevel::A1b
    }

    /// Adds a violation of an object (empty: of the file), if the part of the level has the rule.
    fn add(&mut self, object: &str, clauses: Clauses, reason: &'static str) {
        let [first, second] = clauses;
        let clause = if self.is_part_1() { first } else { second };
        if clause.is_empty() || self.found.len() >= MAX_VIOLATIONS {
            return;
        }
        let violation = Violation {
            clause,
            object: (!object.is_empty()).then(|| object.to_owned()),
            reason,
        };
        if !self.found.contains(&violation) {
            self.found.push(violation);
        }
    }

    /// Adds a violation unless `holds`.
    fn require(&mut self, holds: bool, object: &str, clauses: Clauses, reason: &'static str) {
        if !holds {
            self.add(object, clauses, reason);
        }
    }
}
