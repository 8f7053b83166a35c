//! Detects external resources of a document: linked images, texts and sheets that would be displayed.
//!
//! The office suite never fetches them; this only produces the warning. Hyperlinks are harmless, and a template contributes
//! nothing visible.

use quick_xml::events::BytesStart;

use super::xml::{XmlEvent, attribute};

/// Fields with external results [ECMA-376-1, 17.16.5].
const EXTERNAL_FIELDS: [&str; 8] = [
    "DATABASE",
    "DDE",
    "DDEAUTO",
    "IMPORT",
    "INCLUDE",
    "INCLUDEPICTURE",
    "INCLUDETEXT",
    "LINK",
];
/// Types of relationships that may be external.
const HARMLESS_RELATIONSHIPS: [&str; 2] = ["hyperlink", "attachedTemplate"];
/// `OpenDocument` elements that display the target of their reference [`OpenDocument` 1.3, 19.916].
const EMBEDDING_ELEMENTS: [&str; 12] = [
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
/// Substrings of formulas with external references, in upper case.
const EXTERNAL_FORMULA_PARTS: [&str; 5] = ["WEBSERVICE(", "DDE(", "'FILE:", "'HTTP:", "'HTTPS:"];
/// Maximum length of a field instruction, in bytes.
const MAX_INSTRUCTION: usize = 4096;

/// External references in the parts of a package so far.
#[derive(Default)]
pub(super) struct Links {
    is_external: bool,
    /// The context of the current text.
    context: TextContext,
    /// The field instruction so far.
    instruction: String,
}

#[derive(Clone, Copy, Default)]
enum TextContext {
    #[default]
    Other,
    Instruction,
    Formula,
}

impl Links {
    /// Whether there is an external reference.
    pub(super) fn has_external(&self) -> bool {
        self.is_external
    }

    /// Processes an XML event.
    pub(super) fn take(&mut self, event: &XmlEvent<'_>) {
        match (event, self.context) {
            (XmlEvent::Element(element), _) => self.take_element(element),
            (XmlEvent::Text(text), TextContext::Instruction)
                if self.instruction.len() < MAX_INSTRUCTION =>
            {
                self.instruction.push_str(text);
            }
            (XmlEvent::Text(text), TextContext::Formula) => {
                self.is_external |= is_external_formula(text)
            }
            (XmlEvent::Text(_), _) => {}
        }
    }

    fn take_element(&mut self, element: &BytesStart<'_>) {
        let name = element.local_name();
        self.context = match name.as_ref() {
            "instrText" => TextContext::Instruction,
            "f" => TextContext::Formula,
            _ => TextContext::Other,
        };
        self.is_external |= match name.as_ref() {
            "Relationship" => is_external_relationship(element),
            "fldSimple" => attribute(element, "instr").is_some_and(|text| is_external_field(&text)),
            // The instruction of a field ends where its result starts.
            "fldChar" => is_external_field(&std::mem::take(&mut self.instruction)),
            "dde-source" | "ddeLink" => true,
            "table-cell" => {
                attribute(element, "formula").is_some_and(|text| is_external_formula(&text))
            }
            name if EMBEDDING_ELEMENTS.contains(&name) => {
                attribute(element, "href").is_some_and(|target| is_external_target(&target))
            }
            _ => false,
        };
    }
}

/// Whether the result of a field is external.
pub(super) fn is_external_field(instruction: &str) -> bool {
    let is_name = |character: char| character.is_ascii_alphabetic();
    let name = instruction
        .split(|character| !is_name(character))
        .find(|word| !word.is_empty());
    name.is_some_and(|name| {
        EXTERNAL_FIELDS
            .iter()
            .any(|field| field.eq_ignore_ascii_case(name))
    })
}

fn is_external_relationship(element: &BytesStart<'_>) -> bool {
    let mode = attribute(element, "TargetMode").unwrap_or_default();
    let kind = attribute(element, "Type").unwrap_or_default();
    let kind = kind.rsplit('/').next().unwrap_or_default();
    mode.eq_ignore_ascii_case("external") && !HARMLESS_RELATIONSHIPS.contains(&kind)
}

/// Whether a formula has an external reference.
fn is_external_formula(formula: &str) -> bool {
    let formula = formula.to_ascii_uppercase();
    EXTERNAL_FORMULA_PARTS
        .iter()
        .any(|part| formula.contains(part))
}

/// Whether a reference leaves the package.
fn is_external_target(target: &str) -> bool {
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

    fn has_external(text: &str) -> bool {
        let mut links = Links::default();
        let taken = xml::read(&mut text.as_bytes(), |event| {
            links.take(&event);
            Ok(())
        });
        taken.unwrap();
        links.has_external()
    }

    fn relationship(kind: &str, mode: &str) -> String {
        format!(
            r#"<Relationships><Relationship Type="http://x/relationships/{kind}" Target="file:///x" {mode}/></Relationships>"#
        )
    }

    #[test]
    fn external_relationships_are_detected_unless_they_are_hyperlinks() {
        let external = r#"TargetMode="External""#;
        assert!(has_external(&relationship("image", external)));
        assert!(has_external(&relationship("oleObject", external)));
        assert!(!has_external(&relationship("image", "")));
        assert!(!has_external(&relationship("hyperlink", external)));
        assert!(!has_external(&relationship("attachedTemplate", external)));
    }

    #[test]
    fn opendocument_references_are_external_by_scheme_or_absolute_path() {
        let image = |target: &str| has_external(&format!(r#"<d:image x:href="{target}"/>"#));
        assert!(image("http://host/a.png"));
        assert!(image("/etc/passwd") && image("../a.png"));
        assert!(!image("Pictures/1.png") && !image("./Object 1") && !image("#a"));
        assert!(!has_external(r#"<t:a x:href="http://host/">link</t:a>"#));
        assert!(has_external("<o:dde-source/>"));
    }

    #[test]
    fn external_fields_and_formulas_are_detected() {
        let run = |text: &str| format!("<w:instrText>{text}</w:instrText>");
        let split = format!(
            "<a><w:fldChar/>{}{}<w:fldChar/></a>",
            run(" INCLUDE"),
            run("TEXT x")
        );
        assert!(has_external(&split));
        let page = format!("<a>{}<w:fldChar/></a>", run("PAGEREF INCLUDETEXT"));
        assert!(!has_external(&page));
        assert!(has_external(
            r#"<w:fldSimple w:instr="&quot;ddeauto&quot; x"/>"#
        ));
        assert!(has_external("<f>_xlfn.WEBSERVICE(A1)</f>"));
        assert!(has_external(
            r#"<t:table-cell t:formula="of:='file:///x'#$S.A1"/>"#
        ));
        assert!(!has_external("<v>WEBSERVICE(A1)</v>"));
    }
}
