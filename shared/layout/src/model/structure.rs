//! The structure tree of a page (tagged PDF): elements with roles that reference the content of the page.

use crate::model::block::Alignment;

/// The marked-content tag of a piece of page content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Untagged.
    #[default]
    None,
    /// Marked content with this identifier (MCID), referenced by a structure element.
    Content(u32),
    /// An artifact (header, page number, background): not part of the document's content.
    Artifact,
}

/// A structure element.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// Role.
    pub role: Role,
    /// Alternate description (`Alt`).
    pub alternative: Option<String>,
    /// Replacement text (`ActualText`).
    pub actual: Option<String>,
    /// Number of rows a cell spans, at least 1.
    pub row_span: usize,
    /// Number of columns a cell spans, at least 1.
    pub column_span: usize,
    /// Alignment of the lines, if declared.
    pub alignment: Option<Alignment>,
    /// Children in reading order.
    pub kids: Vec<StructureChild>,
}

/// A child of a structure element.
#[derive(Clone, Debug, PartialEq)]
pub enum StructureChild {
    /// A structure element.
    Element(Element),
    /// Marked content of the page with this identifier (MCID).
    Content(u32),
    /// Content on another page.
    Elsewhere,
}

/// The role of a structure element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// A grouping element without a meaning of its own.
    Group,
    /// A section; nested sections give the level of headings that declare none.
    Section,
    /// A heading with its level; `None` takes the level from the sections around it.
    Heading(Option<u8>),
    /// A paragraph, caption or similar block of text.
    Paragraph,
    /// A list.
    List,
    /// A list item.
    Item,
    /// The marker of a list item or the label of a note.
    Label,
    /// The body of a list item.
    Body,
    /// A table.
    Table,
    /// The header rows of a table.
    Head,
    /// A table row.
    Row,
    /// A header cell.
    HeaderCell,
    /// A data cell.
    Cell,
    /// A figure.
    Figure,
    /// A note.
    Note,
    /// An inline element.
    Inline,
    /// An artifact.
    Artifact,
    /// An unknown type: a group if it contains blocks, otherwise text.
    #[default]
    Other,
}

impl Role {
    /// Returns the role of a standard structure type of PDF (ISO 32000-2, 14.8.4), such as `H1` or `TD`.
    #[must_use]
    pub fn of_type(name: &str) -> Self {
        match name {
            "Document" | "DocumentFragment" | "Part" | "Art" | "Div" | "BlockQuote" | "TOC"
            | "Index" | "NonStruct" | "Private" | "Aside" | "TBody" | "TFoot" => Self::Group,
            "Sect" => Self::Section,
            "H" => Self::Heading(None),
            "Title" => Self::Heading(Some(1)),
            "P" | "Caption" | "TOCI" | "Formula" | "BibEntry" | "Sub" => Self::Paragraph,
            "L" => Self::List,
            "LI" => Self::Item,
            "Lbl" => Self::Label,
            "LBody" => Self::Body,
            "Table" => Self::Table,
            "THead" => Self::Head,
            "TR" => Self::Row,
            "TH" => Self::HeaderCell,
            "TD" => Self::Cell,
            "Figure" => Self::Figure,
            "Note" | "FENote" => Self::Note,
            "Span" | "Quote" | "Link" | "Reference" | "Annot" | "Form" | "Code" | "Em"
            | "Strong" | "Ruby" | "RB" | "RT" | "RP" | "Warichu" | "WT" | "WP" => Self::Inline,
            "Artifact" => Self::Artifact,
            _ => Self::numbered(name).unwrap_or_default(),
        }
    }

    /// Parses `H1` and so on; levels below the sixth become the sixth.
    fn numbered(name: &str) -> Option<Self> {
        let level: u8 = name.strip_prefix('H')?.parse().ok()?;
        (level > 0).then_some(Self::Heading(Some(level.min(6))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn standard_types_have_roles() {
        assert_eq!(Role::of_type("H3"), Role::Heading(Some(3)));
        assert_eq!(Role::of_type("H12"), Role::Heading(Some(6)));
        assert_eq!(Role::of_type("H"), Role::Heading(None));
        assert_eq!(Role::of_type("TH"), Role::HeaderCell);
        for unknown in ["H0", "Hx", "", "Standard", "td"] {
            assert_eq!(Role::of_type(unknown), Role::Other, "{unknown}");
        }
    }
}
