//! Destinations: what the text of a group is for.

use crate::content::scope::Scope;

/// The destination of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// Text of the body, a note or a text box.
    Text,
    /// Text of the header or footer of all pages.
    RunningText,
    /// A picture, or a property of a shape, which may be a picture.
    Picture,
    Field,
    FieldInstruction,
    FieldResult,
    FontTable,
    /// Not part of the document's text, nor are the groups in it.
    Skipped,
}

/// Destinations with text that readers may ignore.
const KNOWN_IGNORABLE: [&str; 11] = [
    "shppict",
    "shpinst",
    "footnote",
    "do",
    "dptxbxtext",
    "fldinst",
    "cs",
    "moMath",
    "moMathPara",
    "moveto",
    "ud",
];

/// Destinations without text of the document.
const SKIPPED: &[&str] = &[
    "aftncn",
    "aftnsep",
    "aftnsepc",
    "annotation",
    "atnauthor",
    "atnicn",
    "atnid",
    "atnref",
    "atrfend",
    "atrfstart",
    "author",
    "bkmkend",
    "bkmkstart",
    "buptim",
    "category",
    "colortbl",
    "comment",
    "company",
    "creatim",
    "datafield",
    "doccomm",
    "docvar",
    "falt",
    "filetbl",
    "fname",
    "footer",
    "footerf",
    "footerl",
    "footerr",
    "formfield",
    "ftncn",
    "ftnsep",
    "ftnsepc",
    "generator",
    "gridtbl",
    "header",
    "headerf",
    "headerl",
    "headerr",
    "hlinkbase",
    "info",
    "keywords",
    "linkval",
    "listoverridetable",
    "listtable",
    "listtext",
    "manager",
    "mmathPict",
    "nextfile",
    "nonesttables",
    "nonshppict",
    "objalias",
    "objclass",
    "objdata",
    "objname",
    "objsect",
    "objtime",
    "operator",
    "panose",
    "pgdsctbl",
    "pgptbl",
    "pn",
    "pnseclvl",
    "pntext",
    "pntxta",
    "pntxtb",
    "printim",
    "private",
    "propname",
    "revtbl",
    "revtim",
    "rsidtbl",
    "rxe",
    "shprslt",
    "staticval",
    "stylesheet",
    "subject",
    "tc",
    "tcn",
    "template",
    "title",
    "txe",
    "upr",
    "userprops",
    "xe",
    "xmlnstbl",
];

impl Destination {
    /// The destination that a control word begins.
    pub(super) fn of(word: &str, is_ignorable: bool, scope: Scope) -> Option<Self> {
        Some(match word {
            "field" => Self::Field,
            "fldinst" => Self::FieldInstruction,
            "fldrslt" => Self::FieldResult,
            "fonttbl" => Self::FontTable,
            "pict" | "sp" => Self::Picture,
            "shptxt" | "dptxbxtext" if !scope.text_boxes || scope.tables_only => Self::Skipped,
            "footnote" if scope.tables_only => Self::Skipped,
            "moMath" | "moMathPara" if !scope.formulas => Self::Skipped,
            // Properties of formulas.
            _ if word.starts_with('m') && word.ends_with("Pr") => Self::Skipped,
            "shptxt" | "dptxbxtext" | "footnote" => Self::Text,
            "header" | "headerf" | "headerl" | "headerr" if scope.is_result => Self::Text,
            "footer" | "footerf" | "footerl" | "footerr" if scope.is_result => Self::Text,
            "header" | "footer" if scope.running_text => Self::RunningText,
            _ if SKIPPED.binary_search(&word).is_ok() => Self::Skipped,
            _ if is_ignorable && !KNOWN_IGNORABLE.contains(&word) => Self::Skipped,
            _ => return None,
        })
    }

    /// Enters a destination within this one.
    pub(super) fn enter(&mut self, inner: Self) {
        if *self != Self::Skipped {
            *self = inner;
        }
    }

    /// Whether the group has text of the document or of a field's instruction.
    pub(super) fn has_text(self) -> bool {
        matches!(self, Self::Text | Self::FieldInstruction)
    }

    /// Whether pictures of the group belong to the document.
    pub(super) fn has_images(self) -> bool {
        matches!(self, Self::Text | Self::Picture)
    }
}
