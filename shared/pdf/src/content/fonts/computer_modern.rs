//! Weight and pitch of Computer Modern and the fonts named after it, by their names.
//!
//! Their font descriptors have neither: stems of bold ones are thinner than those of other bold fonts. Names are a family, a
//! code and design sizes, such as `CMBX10` [Knuth, The METAFONTbook] and `SFBX1000` [cm-super, after the EC fonts].

/// Computer Modern, and its versions for other scripts and encodings: cm-super, EC, TC, LH (Cyrillic), VNR (Vietnamese).
const FAMILIES: [&str; 6] = ["cm", "sf", "ec", "tc", "la", "vn"];
const BOLD: [&str; 17] = [
    "b", "bx", "bxti", "bxsl", "bxcd", "mib", "bsy", "ssbx", "ssdc", "bi", "bl", "rb", "xc", "oc",
    "sx", "so", "xi",
];
const MONOSPACED: [&str; 8] = ["tt", "itt", "sltt", "tcsc", "tex", "it", "st", "tc"];
const OTHERS: [&str; 19] = [
    "r", "rm", "ti", "sl", "ss", "si", "ssi", "ssq", "ssqi", "csc", "cc", "sc", "fib", "dunh", "u",
    "vtt", "mi", "sy", "ex",
];

/// Weight and pitch by font name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Design {
    pub(super) is_bold: bool,
    pub(super) is_monospaced: bool,
}

/// Returns the design of a font by its name without subset tag; `None` for other fonts.
pub(super) fn design(name: &str) -> Option<Design> {
    let name = name.to_ascii_lowercase();
    let style = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
    let has_size = style.len() < name.len();
    let codes = FAMILIES
        .iter()
        .filter_map(|family| style.strip_prefix(family));
    let code = codes.into_iter().next().filter(|_| has_size)?;
    let found = Design {
        is_bold: BOLD.contains(&code),
        is_monospaced: MONOSPACED.contains(&code),
    };
    let is_known = found.is_bold || found.is_monospaced || OTHERS.contains(&code);
    is_known.then_some(found)
}

#[cfg(test)]
mod tests {
    use super::{Design, design};

    #[test]
    fn names_give_weight_and_pitch() {
        for (name, is_bold, is_monospaced) in [
            ("CMBX12", true, false),
            ("CMR10", false, false),
            ("CMTT9", false, true),
            ("CMSSBX10", true, false),
            ("SFBX1440", true, false),
            ("SFRM1000", false, false),
            ("SFTT0900", false, true),
            ("CMVTT10", false, false),
        ] {
            let expected = Design {
                is_bold,
                is_monospaced,
            };
            assert_eq!(design(name), Some(expected), "{name}");
        }
    }

    #[test]
    fn other_fonts_have_none() {
        for name in [
            "CMBX",
            "Cambria",
            "SFPro10",
            "Lato",
            "CMUSerif-Bold",
            "B612",
        ] {
            assert_eq!(design(name), None, "{name}");
        }
    }
}
