//! What a document itself says of the structure of a page: elements with roles, which hold the page's content.

use crate::model::block::Alignment;

/// What a document says of a piece of a page's content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Tag {
    /// Nothing.
    #[default]
    None,
    /// It is content of this number, which an element of the page's structure may hold.
    Content(u32),
    /// It belongs to the page and not to what the document says: a header, a page number, a background.
    Artifact,
}

/// A part of a document that plays a role.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    /// Which one.
    pub role: Role,
    /// What it shows, in words.
    pub alternative: Option<String>,
    /// What it says, where its characters say something else.
    pub actual: Option<String>,
    /// How many rows a cell takes, 1 or more.
    pub row_span: usize,
    /// How many columns a cell takes, 1 or more.
    pub column_span: usize,
    /// How its lines stand, if it says so.
    pub alignment: Option<Alignment>,
    /// What it holds, in reading order.
    pub kids: Vec<Kid>,
}

/// What an element holds.
#[derive(Clone, Debug, PartialEq)]
pub enum Kid {
    /// Another one.
    Element(Element),
    /// The page's content of this number.
    Content(u32),
    /// Something that is not on this page.
    Elsewhere,
}

/// The role of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// Holds others, and has no meaning here.
    Group,
    /// Holds others, and is a level of headings that tell none themselves.
    Section,
    /// A title: of this level, or of that of the sections around it.
    Heading(Option<u8>),
    /// Text by itself, such as a paragraph or a caption.
    Paragraph,
    /// A list.
    List,
    /// An item of a list.
    Item,
    /// The marker of an item, or the label of a note.
    Label,
    /// The text of an item.
    Body,
    /// A table.
    Table,
    /// The rows at the top of a table that say what is below them.
    Head,
    /// A row of a table.
    Row,
    /// A cell of a table that says what is below or beside it.
    HeaderCell,
    /// A cell of a table.
    Cell,
    /// A picture or a drawing.
    Figure,
    /// A note to the text.
    Note,
    /// A part of a line.
    Inline,
    /// Not part of what the document says.
    Artifact,
    /// Not known: it is what it is held by and what it holds.
    #[default]
    Other,
}

impl Role {
    /// The role of a standard structure type of PDF, such as `H1` or `TD`.
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

    /// `H1` and so on; levels below the sixth are the sixth.
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
