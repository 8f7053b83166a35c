//! Cell styles: one for each number format.

use std::fmt::Write as _;

use super::MAIN;

/// General format.
pub(super) const GENERAL: usize = 0;

/// Header cells.
pub(super) const HEADER: usize = 1;

/// Cells with several lines.
pub(super) const WRAPPED: usize = 2;

/// Maximum number of decimals.
pub(super) const DECIMALS: usize = 9;

const NUMBERS: usize = 3;

const GROUPED: usize = NUMBERS + DECIMALS + 1;

const PERCENTAGES: usize = GROUPED + DECIMALS + 1;

/// `2024-03-05`.
pub(super) const DATE: usize = PERCENTAGES + DECIMALS + 1;

/// `05.03.2024`.
pub(super) const DATE_WITH_POINTS: usize = DATE + 1;

/// Returns the style of a number with this number of decimals, with or without thousands separators.
pub(super) fn number(decimals: usize, is_grouped: bool) -> usize {
    let first = if is_grouped { GROUPED } else { NUMBERS };
    first + decimals.min(DECIMALS)
}

/// Returns the style of a percentage with this number of decimals.
pub(super) fn percentage(decimals: usize) -> usize {
    PERCENTAGES + decimals.min(DECIMALS)
}

/// Returns the styles part.
pub(super) fn xml() -> String {
    let (mut formats, mut cells) = (String::new(), String::new());
    let codes = codes();
    for (code, number) in codes.iter().zip(164..) {
        write!(
            formats,
            "<numFmt numFmtId=\"{number}\" formatCode=\"{code}\"/>"
        )
        .ok();
        write!(cells, "<xf numFmtId=\"{number}\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyNumberFormat=\"1\"/>").ok();
    }
    let (count, all) = (codes.len(), codes.len() + NUMBERS);
    format!(
        "<styleSheet xmlns=\"{MAIN}\"><numFmts count=\"{count}\">{formats}</numFmts>\
<fonts count=\"2\"><font><sz val=\"11\"/><name val=\"Calibri\"/></font><font><b/><sz val=\"11\"/><name val=\"Calibri\"/></font></fonts>\
<fills count=\"2\"><fill><patternFill patternType=\"none\"/></fill><fill><patternFill patternType=\"gray125\"/></fill></fills>\
<borders count=\"1\"><border><left/><right/><top/><bottom/><diagonal/></border></borders>\
<cellStyleXfs count=\"1\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\"/></cellStyleXfs>\
<cellXfs count=\"{all}\"><xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\"/>\
<xf numFmtId=\"0\" fontId=\"1\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyFont=\"1\" applyAlignment=\"1\"><alignment vertical=\"top\" wrapText=\"1\"/></xf>\
<xf numFmtId=\"0\" fontId=\"0\" fillId=\"0\" borderId=\"0\" xfId=\"0\" applyAlignment=\"1\"><alignment vertical=\"top\" wrapText=\"1\"/></xf>{cells}</cellXfs>\
<cellStyles count=\"1\"><cellStyle name=\"Normal\" xfId=\"0\" builtinId=\"0\"/></cellStyles></styleSheet>"
    )
}

/// Returns the number format codes in the order of the styles.
fn codes() -> Vec<String> {
    let with_decimals = |whole: &str, behind: &str| {
        let decimals = (0..=DECIMALS).map(|count| {
            if count == 0 {
                String::new()
            } else {
                format!(".{}", "0".repeat(count))
            }
        });
        decimals
            .map(|decimals| format!("{whole}{decimals}{behind}"))
            .collect::<Vec<_>>()
    };
    let mut codes = with_decimals("0", "");
    codes.extend(with_decimals("#,##0", ""));
    codes.extend(with_decimals("0", "%"));
    codes.extend(["yyyy\\-mm\\-dd".to_owned(), "dd\\.mm\\.yyyy".to_owned()]);
    codes
}
