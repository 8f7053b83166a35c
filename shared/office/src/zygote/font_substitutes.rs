//! The fontconfig file with substitutes for fonts that are not installed, added to those of the system.

use domain::font_substitutes::FONT_SUBSTITUTES;

/// Substitutes of unknown fonts whose names contain a word. Of several, the last one ranks first.
const BY_WORD: [(&str, &str); 14] = [
    ("Antiqua", "Liberation Serif"),
    ("Roman", "Liberation Serif"),
    ("Serif", "Liberation Serif"),
    ("Arial", "Liberation Sans"),
    ("Gothic", "Liberation Sans"),
    ("Grotesk", "Liberation Sans"),
    ("Grotesque", "Liberation Sans"),
    ("Helvetica", "Liberation Sans"),
    ("Sans", "Liberation Sans"),
    ("Code", "Liberation Mono"),
    ("Console", "Liberation Mono"),
    ("Courier", "Liberation Mono"),
    ("Mono", "Liberation Mono"),
    ("Typewriter", "Liberation Mono"),
];

/// Substitutes of all other fonts by generic family, which LibreOffice requests with each font: `sans` if the document declares
/// the font as swiss, else `serif`.
const BY_GENERIC: [(&str, &str); 2] = [
    ("sans-serif", "Liberation Sans"),
    ("serif", "Liberation Serif"),
];

/// Languages whose script the Liberation fonts do not cover.
const OTHER_SCRIPTS: [&str; 9] = ["ar", "fa", "he", "hi", "ja", "ko", "th", "ur", "zh"];

/// The content of the fontconfig file. A later rule ranks before an earlier one, because each puts its substitute directly after
/// the requested font. The binding is `same`: substitutes with a weak one rank after the generic family.
#[must_use]
pub fn font_substitutes() -> String {
    let mut rules = String::new();
    let mut rule = |tests: &str, mode: &str, substitute: &str| {
        rules.push_str(&format!(
            "<match target=\"pattern\">{tests}<edit name=\"family\" mode=\"{mode}\" binding=\"same\">\
             <string>{substitute}</string></edit></match>\n"
        ));
    };
    let latin = OTHER_SCRIPTS
        .map(|language| format!(r#"<test name="lang" qual="all" compare="not_contains"><string>{language}</string></test>"#))
        .concat();
    for (family, substitute) in BY_GENERIC {
        let tests = format!(r#"{latin}<test name="family"><string>{family}</string></test>"#);
        rule(&tests, "prepend", substitute);
    }
    for (word, substitute) in BY_WORD {
        let tests = format!(
            r#"<test name="family" qual="first" compare="contains"><string>{word}</string></test>"#
        );
        rule(&tests, "append", substitute);
    }
    for (substitute, names) in FONT_SUBSTITUTES {
        for name in names {
            let tests = format!(r#"<test name="family"><string>{name}</string></test>"#);
            rule(&tests, "append", substitute);
        }
    }
    format!(
        "<?xml version=\"1.0\"?>\n<fontconfig>\n<include>/etc/fonts/fonts.conf</include>\n{rules}</fontconfig>\n"
    )
}
