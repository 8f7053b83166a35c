//! What documents hold that is left out of what is made of them by what they say.

use domain::limits::NESTED_TABLES;
use serde::{Deserialize, Serialize};

/// A kind of what is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum LeftOut {
    /// Hidden sheets, rows, columns, slides or text.
    Hidden,
    /// Charts.
    Charts,
    /// Embedded objects that only the program which made them can show.
    Objects,
    /// Pictures that are missing, damaged, too large, or in a format that is not read here.
    Pictures,
    /// Tables that lie in too many others, whose text is there.
    NestedTables,
    /// Results of formulas that the document does not hold, or says do not hold.
    Formulas,
    /// What cannot be read of the document.
    Damage,
}

impl LeftOut {
    /// The code of the warning.
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Hidden => "hidden_left_out",
            Self::Charts => "chart_left_out",
            Self::Objects => "object_left_out",
            Self::Pictures => "picture_missing",
            Self::NestedTables => "nested_tables_dissolved",
            Self::Formulas => "formulas_not_calculated",
            Self::Damage => "damage_left_out",
        }
    }

    /// What it says of so many.
    pub(super) fn message(self, count: u32) -> String {
        let are = |one: &str, many: &str| match count {
            1 => format!("1 {one} is"),
            count => format!("{count} {many} are"),
        };
        match self {
            Self::Hidden => {
                "The source hides parts, such as sheets, rows, slides or text, which are left out."
                    .to_owned()
            }
            Self::Charts => format!("{} left out. PDF shows charts.", are("chart", "charts")),
            Self::Objects => format!(
                "{} left out, as only the program that made them can show them.",
                are("embedded object", "embedded objects")
            ),
            Self::Pictures => format!(
                "{} left out: missing, damaged, too large, or in a format that is not read, such as EMF.",
                are("picture", "pictures")
            ),
            Self::NestedTables => format!(
                "{} no tables in the result, as they lie in {NESTED_TABLES} others. Their text is there.",
                are("table", "tables")
            ),
            Self::Formulas => format!(
                "{} not calculated: the source holds no result, or asks for a new one. Open and save it in a spreadsheet program first.",
                are("formula", "formulas")
            ),
            Self::Damage => {
                "Parts of the source are damaged and left out. The rest is there; compare the two."
                    .to_owned()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_told_as_one() {
        assert_eq!(
            LeftOut::Charts.message(1),
            "1 chart is left out. PDF shows charts."
        );
        assert_eq!(
            LeftOut::Charts.message(2),
            "2 charts are left out. PDF shows charts."
        );
    }
}
