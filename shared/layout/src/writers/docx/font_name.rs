//! The font that a run names: its own, or a monospaced one that programs have, because with a substitute of other widths the
//! columns of code break.

use super::font_table::key;
use crate::Style;
use crate::writers::direction::is_wide;

/// Monospaced families of Windows, macOS, Microsoft Office and LibreOffice.
const INSTALLED: [&str; 20] = [
    "Andale Mono",
    "Cascadia Code",
    "Cascadia Mono",
    "Consolas",
    "Courier New",
    "DejaVu Sans Mono",
    "Liberation Mono",
    "Lucida Console",
    "Lucida Sans Typewriter",
    "Menlo",
    "MingLiU",
    "Monaco",
    "MS Gothic",
    "MS Mincho",
    "Noto Sans Mono",
    "NSimSun",
    "OCR A Extended",
    "SF Mono",
    "SimHei",
    "SimSun",
];

/// Font of code in no known or installed font.
const MONOSPACED: &str = "Courier New";

/// Returns the font that a run of this style and text names.
pub(super) fn font_name<'a>(style: &'a Style, text: &str) -> Option<&'a str> {
    let own = Some(style.font.as_str()).filter(|font| is_font(font));
    // Fonts of Western code have no East Asian characters.
    if !style.monospaced || own.is_some() && text.contains(is_wide) {
        return own;
    }
    let wanted = key(&style.font);
    let installed = INSTALLED.into_iter().find(|name| key(name) == wanted);
    Some(installed.unwrap_or(MONOSPACED))
}

/// Whether Word accepts a font name.
fn is_font(name: &str) -> bool {
    (1..=31).contains(&name.chars().count())
}

#[cfg(test)]
mod tests {
    use super::font_name;
    use crate::Style;

    #[test]
    fn monospaced_runs_name_installed_fonts() {
        let name = |text: &str, font: &str, monospaced| {
            let style = Style {
                font: font.to_owned(),
                monospaced,
                ..Style::default()
            };
            font_name(&style, text).unwrap_or_default().to_owned()
        };
        for (font, expected) in [
            ("M+ 1mn", "Courier New"),
            ("Cousine", "Courier New"),
            ("CMTT10", "Courier New"),
            ("", "Courier New"),
            ("DejaVuSansMono", "DejaVu Sans Mono"),
            ("Consolas", "Consolas"),
        ] {
            assert_eq!(name("code", font, true), expected);
            assert_eq!(name("text", font, false), font);
        }
        assert_eq!(name("等宽", "Sarasa Mono", true), "Sarasa Mono");
    }
}
