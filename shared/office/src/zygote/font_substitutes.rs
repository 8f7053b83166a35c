//! The fontconfig file with substitutes for fonts that are not installed, added to those of the system.

/// Each substitute and the fonts that it replaces: a font of the same widths where one is installed, else one of the same kind
/// and about the same width.
const SUBSTITUTES: [(&str, &[&str]); 9] = [
    (
        "Liberation Sans",
        &[
            "Arial Black",
            "Arial MT",
            "Arial Unicode MS",
            "ArialMT",
            "Avenir",
            "Avenir Next",
            "Comic Sans MS",
            "Franklin Gothic Book",
            "Franklin Gothic Medium",
            "Frutiger",
            "Futura",
            "Geneva",
            "Helvetica",
            "Helvetica Neue",
            "Impact",
            "Inter",
            "Lucida Grande",
            "Lucida Sans",
            "Lucida Sans Unicode",
            "MS Sans Serif",
            "Microsoft Sans Serif",
            "Myriad Pro",
            "Nimbus Sans",
            "Nimbus Sans L",
            "Optima",
            "Roboto",
            "SF Pro Display",
            "SF Pro Text",
            "Swiss 721",
            "Tahoma",
            "Trebuchet MS",
            "Univers",
        ],
    ),
    (
        "Liberation Sans Narrow",
        &["Arial Narrow", "Helvetica-Narrow", "Nimbus Sans Narrow"],
    ),
    (
        "Carlito",
        &[
            "Aptos",
            "Aptos Display",
            "Aptos Narrow",
            "Calibri Light",
            "Candara",
            "Corbel",
            "Gill Sans",
            "Gill Sans MT",
            "Lato",
        ],
    ),
    (
        "Open Sans",
        &[
            "Avant Garde",
            "Century Gothic",
            "ITC Avant Garde Gothic",
            "Montserrat",
            "Poppins",
            "Segoe UI",
            "Segoe UI Light",
            "Segoe UI Semibold",
            "Ubuntu",
        ],
    ),
    ("DejaVu Sans", &["Bitstream Vera Sans", "Verdana"]),
    (
        "Liberation Mono",
        &[
            "Andale Mono",
            "Consolas",
            "Courier",
            "Inconsolata",
            "Lucida Console",
            "Lucida Sans Typewriter",
            "Menlo",
            "Monaco",
            "Nimbus Mono L",
            "Nimbus Mono PS",
            "OCR A Extended",
        ],
    ),
    (
        "Liberation Serif",
        &[
            "Adobe Garamond Pro",
            "Baskerville",
            "Baskerville Old Face",
            "Bell MT",
            "Bodoni MT",
            "Californian FB",
            "Didot",
            "EB Garamond",
            "Garamond",
            "Goudy Old Style",
            "Minion Pro",
            "Nimbus Roman",
            "Nimbus Roman No9 L",
            "Perpetua",
            "Times",
            "TimesNewRomanPSMT",
        ],
    ),
    (
        "Caladea",
        &[
            "Book Antiqua",
            "Bookman",
            "Bookman Old Style",
            "Century",
            "Century Schoolbook",
            "Constantia",
            "Georgia",
            "Palatino",
            "Palatino Linotype",
            "Rockwell",
        ],
    ),
    (
        "WenQuanYi Micro Hei",
        &[
            "Apple SD Gothic Neo",
            "Batang",
            "DengXian",
            "Dotum",
            "FangSong",
            "Gulim",
            "Hiragino Mincho ProN",
            "Hiragino Sans",
            "KaiTi",
            "MS Gothic",
            "MS Mincho",
            "MS PGothic",
            "MS PMincho",
            "MS UI Gothic",
            "Malgun Gothic",
            "Meiryo",
            "Meiryo UI",
            "Microsoft JhengHei",
            "Microsoft YaHei",
            "Microsoft YaHei UI",
            "MingLiU",
            "NSimSun",
            "PMingLiU",
            "PingFang SC",
            "PingFang TC",
            "STHeiti",
            "STSong",
            "SimHei",
            "SimSun",
            "Yu Gothic",
            "Yu Gothic UI",
            "Yu Mincho",
            "仿宋",
            "宋体",
            "微软雅黑",
            "微軟正黑體",
            "新宋体",
            "新細明體",
            "楷体",
            "標楷體",
            "等线",
            "細明體",
            "黑体",
            "メイリオ",
            "游ゴシック",
            "游明朝",
            "ＭＳ Ｐゴシック",
            "ＭＳ Ｐ明朝",
            "ＭＳ ゴシック",
            "ＭＳ 明朝",
            "굴림",
            "돋움",
            "맑은 고딕",
            "바탕",
        ],
    ),
];

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
    for (substitute, names) in SUBSTITUTES {
        for name in names {
            let tests = format!(r#"<test name="family"><string>{name}</string></test>"#);
            rule(&tests, "append", substitute);
        }
    }
    format!(
        "<?xml version=\"1.0\"?>\n<fontconfig>\n<include>/etc/fonts/fonts.conf</include>\n{rules}</fontconfig>\n"
    )
}
