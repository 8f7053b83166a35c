//! RTF destinations.

use super::state::Purpose;

/// The destination of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Destination {
    /// Text with this purpose.
    Text(Purpose),
    /// A separate story, such as a header or a note.
    Story(StoryKind),
    /// A field: an instruction and a result.
    Field,
    /// The result of a field.
    Result,
}

/// The kind of a story.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StoryKind {
    Header,
    Footer,
    Note,
    Box,
}

/// Returns the destination of a control word; `None` for other control words.
pub(super) fn of(word: &str) -> Option<Destination> {
    use Destination::{Field, Result, Story, Text};
    Some(match word {
        "fonttbl" => Text(Purpose::Fonts),
        "colortbl" => Text(Purpose::Colors),
        "stylesheet" => Text(Purpose::Styles),
        "title" => Text(Purpose::Title),
        "listtext" | "pntext" => Text(Purpose::Marker),
        "fldinst" => Text(Purpose::Instruction),
        "pict" => Text(Purpose::Picture),
        "bkmkstart" => Text(Purpose::Bookmark),
        "shppict" | "shpinst" | "ud" | "shpgrp" | "background" | "moMath" | "moMathPara" => {
            Text(Purpose::Body)
        }
        "field" => Field,
        "fldrslt" => Result,
        "header" | "headerl" | "headerr" | "headerf" => Story(StoryKind::Header),
        "footer" | "footerl" | "footerr" | "footerf" => Story(StoryKind::Footer),
        "footnote" => Story(StoryKind::Note),
        "shptxt" | "dptxbxtext" => Story(StoryKind::Box),
        "author" | "operator" | "keywords" | "comment" | "subject" | "doccomm" | "company"
        | "category" | "manager" | "creatim" | "revtim" | "printim" | "buptim" | "hlinkbase"
        | "nonshppict" | "shprslt" | "sp" | "objdata" | "objclass" | "objname" | "filetbl"
        | "listtable" | "listoverridetable" | "rsidtbl" | "revtbl" | "xe" | "tc" | "tcn"
        | "rxe" | "nonesttables" | "annotation" | "atnid" | "atnauthor" | "atnref" | "atndate"
        | "atrfstart" | "atrfend" | "ftnsep" | "ftnsepc" | "ftncn" | "aftnsep" | "aftnsepc"
        | "aftncn" | "pnseclvl" | "pntxta" | "pntxtb" | "template" | "private" | "bkmkend"
        | "mmathPict" | "upr" | "stylerestrictions" | "do" => Text(Purpose::Nothing),
        // Properties of formulas.
        _ if word.starts_with('m') && word.ends_with("Pr") => Text(Purpose::Nothing),
        _ => return None,
    })
}
