//! What in a document asks for something outside itself that would show on its pages: linked pictures, texts and sheets.
//!
//! The office suite is kept from fetching any of it; this only tells, so that the customer knows what is missing. Links
//! that a reader may follow are harmless, and a template lends nothing that shows.

use quick_xml::events::BytesStart;

use super::xml::{Piece, attribute};

/// Fields whose result comes from elsewhere [ECMA-376-1, 17.16.5].
const FIELDS: [&str; 8] = [
    "DATABASE",
    "DDE",
    "DDEAUTO",
    "IMPORT",
    "INCLUDE",
    "INCLUDEPICTURE",
    "INCLUDETEXT",
    "LINK",
];
/// Relationships that are allowed to lead outside.
const HARMLESS: [&str; 2] = ["hyperlink", "attachedTemplate"];
/// Elements of `OpenDocument` that show what their reference names [`OpenDocument` 1.3, 19.916].
const SHOWN: [&str; 12] = [
    "background-image",
    "cell-range-source",
    "fill-image",
    "floating-frame",
    "image",
    "list-level-style-image",
    "object",
    "object-ole",
    "plugin",
    "section-source",
    "sound",
    "table-source",
];
/// What a formula that looks elsewhere holds.
const FORMULAS: [&str; 5] = ["WEBSERVICE(", "DDE(", "'FILE:", "'HTTP:", "'HTTPS:"];
/// Longest instruction of a field that is looked at, in bytes.
const INSTRUCTION: usize = 4096;

/// What was found in the parts of a package so far.
#[derive(Default)]
pub(super) struct Links {
    outside: bool,
    /// What the text at hand belongs to.
    within: Within,
    /// The instruction of a field, as far as it was read.
    instruction: String,
}

#[derive(Clone, Copy, Default)]
enum Within {
    #[default]
    Nothing,
    Instruction,
    Formula,
}

impl Links {
    /// Whether anything leads outside.
    pub(super) fn lead_outside(&self) -> bool {
        self.outside
    }

    /// Takes a piece of a part.
    pub(super) fn take(&mut self, piece: &Piece<'_>) {
        match (piece, self.within) {
            (Piece::Element(element), _) => self.take_element(element),
            (Piece::Text(text), Within::Instruction) if self.instruction.len() < INSTRUCTION => {
                self.instruction.push_str(text);
            }
            (Piece::Text(text), Within::Formula) => self.outside |= is_formula_outside(text),
            (Piece::Text(_), _) => {}
        }
    }

    fn take_element(&mut self, element: &BytesStart<'_>) {
        let name = element.local_name();
        self.within = match name.as_ref() {
            "instrText" => Within::Instruction,
            "f" => Within::Formula,
            _ => Within::Nothing,
        };
        self.outside |= match name.as_ref() {
            "Relationship" => is_relationship_outside(element),
            "fldSimple" => attribute(element, "instr").is_some_and(|text| is_field_outside(&text)),
            // A field's instruction is over where its result begins.
            "fldChar" => is_field_outside(&std::mem::take(&mut self.instruction)),
            "dde-source" | "ddeLink" => true,
            "table-cell" => {
                attribute(element, "formula").is_some_and(|text| is_formula_outside(&text))
            }
            shown if SHOWN.contains(&shown) => {
                attribute(element, "href").is_some_and(|target| is_outside(&target))
            }
            _ => false,
        };
    }
}

/// Whether the result of a field comes from elsewhere.
pub(super) fn is_field_outside(instruction: &str) -> bool {
    let is_name = |character: char| character.is_ascii_alphabetic();
    let name = instruction
        .split(|character| !is_name(character))
        .find(|word| !word.is_empty());
    name.is_some_and(|name| FIELDS.iter().any(|field| field.eq_ignore_ascii_case(name)))
}

fn is_relationship_outside(element: &BytesStart<'_>) -> bool {
    let mode = attribute(element, "TargetMode").unwrap_or_default();
    let kind = attribute(element, "Type").unwrap_or_default();
    let kind = kind.rsplit('/').next().unwrap_or_default();
    mode.eq_ignore_ascii_case("external") && !HARMLESS.contains(&kind)
}

/// Whether a formula looks elsewhere.
fn is_formula_outside(formula: &str) -> bool {
    let formula = formula.to_ascii_uppercase();
    FORMULAS.iter().any(|outside| formula.contains(outside))
}

/// Whether a reference leads out of the package.
fn is_outside(target: &str) -> bool {
    let scheme = target.split_once(':').map_or("", |(scheme, _)| scheme);
    let has_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .chars()
            .all(|other| other.is_ascii_alphanumeric() || "+-.".contains(other));
    has_scheme || target.starts_with('/') || target.starts_with("../")
}

#[cfg(test)]
mod tests {
    use super::super::xml;
    use super::*;

    fn lead_outside(text: &str) -> bool {
        let mut links = Links::default();
        let taken = xml::read(&mut text.as_bytes(), |piece| {
            links.take(&piece);
            Ok(())
        });
        taken.unwrap();
        links.lead_outside()
    }

    fn relationship(kind: &str, mode: &str) -> String {
        format!(
            r#"<Relationships><Relationship Type="http://x/relationships/{kind}" Target="file:///x" {mode}/></Relationships>"#
        )
    }

    #[test]
    fn relationships_that_show_something_lead_outside_and_links_do_not() {
        let external = r#"TargetMode="External""#;
        assert!(lead_outside(&relationship("image", external)));
        assert!(lead_outside(&relationship("oleObject", external)));
        assert!(!lead_outside(&relationship("image", "")));
        assert!(!lead_outside(&relationship("hyperlink", external)));
        assert!(!lead_outside(&relationship("attachedTemplate", external)));
    }

    #[test]
    fn references_of_open_document_lead_outside_by_a_scheme_or_an_absolute_path() {
        let image = |target: &str| lead_outside(&format!(r#"<d:image x:href="{target}"/>"#));
        assert!(image("http://host/a.png"));
        assert!(image("/etc/passwd") && image("../a.png"));
        assert!(!image("Pictures/1.png") && !image("./Object 1") && !image("#a"));
        assert!(!lead_outside(r#"<t:a x:href="http://host/">link</t:a>"#));
        assert!(lead_outside("<o:dde-source/>"));
    }

    #[test]
    fn fields_and_formulas_are_told_by_what_they_call() {
        let run = |text: &str| format!("<w:instrText>{text}</w:instrText>");
        let split = format!(
            "<a><w:fldChar/>{}{}<w:fldChar/></a>",
            run(" INCLUDE"),
            run("TEXT x")
        );
        assert!(lead_outside(&split));
        let page = format!("<a>{}<w:fldChar/></a>", run("PAGEREF INCLUDETEXT"));
        assert!(!lead_outside(&page));
        assert!(lead_outside(
            r#"<w:fldSimple w:instr="&quot;ddeauto&quot; x"/>"#
        ));
        assert!(lead_outside("<f>_xlfn.WEBSERVICE(A1)</f>"));
        assert!(lead_outside(
            r#"<t:table-cell t:formula="of:='file:///x'#$S.A1"/>"#
        ));
        assert!(!lead_outside("<v>WEBSERVICE(A1)</v>"));
    }
}
