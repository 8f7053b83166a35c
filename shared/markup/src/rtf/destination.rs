//! What groups are for, by the words that they begin with.

use super::state::Purpose;

/// What a group that begins with a word is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// Text of this purpose.
    Text(Purpose),
    /// A story of its own.
    Story(Kind),
    /// A field, of which the instruction and the result are to come.
    Field,
    /// The result of a field.
    Result,
}

/// Whose story it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Header,
    Footer,
    Note,
    Box,
}

/// The destination that a word begins; `None` if it begins none.
pub(super) fn of(word: &str) -> Option<Destination> {
    use Destination::{Field, Result, Story, Text};
    Some(match word {
        "fonttbl" => Text(Purpose::Fonts),
        "colortbl" => Text(Purpose::Colours),
        "stylesheet" => Text(Purpose::Styles),
        "title" => Text(Purpose::Title),
        "listtext" | "pntext" => Text(Purpose::Marker),
        "fldinst" => Text(Purpose::Instruction),
        "pict" => Text(Purpose::Picture),
        "bkmkstart" => Text(Purpose::Bookmark),
        "shppict" | "shpinst" | "ud" | "shpgrp" | "background" => Text(Purpose::Body),
        "field" => Field,
        "fldrslt" => Result,
        "header" | "headerl" | "headerr" | "headerf" => Story(Kind::Header),
        "footer" | "footerl" | "footerr" | "footerf" => Story(Kind::Footer),
        "footnote" => Story(Kind::Note),
        "shptxt" | "dptxbxtext" => Story(Kind::Box),
        "author" | "operator" | "keywords" | "comment" | "subject" | "doccomm" | "company"
        | "category" | "manager" | "creatim" | "revtim" | "printim" | "buptim" | "hlinkbase"
        | "nonshppict" | "shprslt" | "sp" | "objdata" | "objclass" | "objname" | "filetbl"
        | "listtable" | "listoverridetable" | "rsidtbl" | "revtbl" | "xe" | "tc" | "tcn"
        | "rxe" | "nonesttables" | "annotation" | "atnid" | "atnauthor" | "atnref" | "atndate"
        | "atrfstart" | "atrfend" | "ftnsep" | "ftnsepc" | "ftncn" | "aftnsep" | "aftnsepc"
        | "aftncn" | "pnseclvl" | "pntxta" | "pntxtb" | "template" | "private" | "bkmkend"
        | "mmathPr" | "upr" | "stylerestrictions" | "do" => Text(Purpose::Nothing),
        _ => return None,
    })
}
