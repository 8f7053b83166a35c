//! RTF by feature.

use domain::format::Format;

use crate::made::{lines, opened, warnings};

fn read(text: &str) -> Vec<String> {
    lines(&opened(format!("{{\\rtf1\\ansi {text}}}").as_bytes(), Format::Rtf).unwrap())
}

#[test]
fn characters_are_read_in_their_encodings() {
    let fonts = "{\\fonttbl{\\f0\\fcharset0 Arial;}{\\f1\\fcharset128 MS Mincho;}{\\f2\\fcharset2 Symbol;}}";
    let text = "\\f0 d\\'e9j\\'e0 \\u8364?\\uc2\\u-10179??\\u-8704??\\uc1 {\\f1\\'93\\'fa\\'96{\\f0 -}}\\f1\\'93\\'fa\\f2 \\'b7a\\f0\\~x\\_y\\{\\}";
    assert_eq!(
        read(&format!("{fonts}{text}\\par")),
        ["p: déjà €😀日\u{fffd}-日•α\u{a0}x\u{2011}y{}"]
    );
}

#[test]
fn formatting_titles_and_items_are_read() {
    let text = "{\\colortbl;\\red255\\green0\\blue0;}{\\stylesheet{\\s0 Normal;}{\\s1\\outlinelevel0 heading 1;}}\
        {\\info{\\title A title}{\\author nobody}}\\pard\\s1 Title\\par\\pard\\plain {\\b bold}{\\i\\ul\\strike x}{\\super 2}\
        {\\cf1 red}{\\v hidden}{\\deleted gone}\\par{\\listtext\\tab 1.\\tab}\\ilvl1 item\\par{\\pntext\\'95\\tab}dot\\par";
    let document = opened(format!("{{\\rtf1 {text}}}").as_bytes(), Format::Rtf).unwrap();
    let expected = [
        "h1: Title",
        "p: ⟨bold|b⟩⟨x|ius⟩⟨2|^⟩⟨red|#ff0000⟩",
        "o1 1.: item",
        "u1 •: dot",
    ];
    assert_eq!(lines(&document), expected);
    assert_eq!(document.metadata.title.as_deref(), Some("A title"));
    assert_eq!(warnings(&document), [("hidden_left_out", 1)]);
}

#[test]
fn quotations_are_read_by_the_names_of_their_styles() {
    let text = "{\\stylesheet{\\s0 Normal;}{\\s2 Quote;}{\\s3 Quote 2;}}\\pard\\s2 one\\par\\pard\\s3 two\\par\\pard\\s0 three\\par";
    let document = opened(format!("{{\\rtf1 {text}}}").as_bytes(), Format::Rtf).unwrap();
    let quoted: Vec<_> = document.pages[0]
        .blocks
        .iter()
        .map(|block| block.quote_depth)
        .collect();
    assert_eq!(quoted, [1, 2, 0]);
}

#[test]
fn cells_are_placed_by_their_edges() {
    let text = "\\trowd\\trhdr\\clvmgf\\cellx1000\\cellx2000\\cellx3000\\intbl high\\cell b\\cell c\\cell\\row\
        \\trowd\\clvmrg\\cellx1000\\cellx3000\\intbl\\cell wide\\cell\\row\\pard behind\\par";
    let expected = [
        "table 2 × [50 50 50] heads 1",
        "  0,0 (2, 1) p: high",
        "  0,1 p: b",
        "  0,2 p: c",
        "  1,1 (1, 2) p: wide",
        "p: behind",
    ];
    assert_eq!(read(text), expected);
    let merged = "\\trowd\\clmgf\\cellx1000\\clmrg\\cellx2000\\cellx3000\\intbl wide\\cell more\\cell c\\cell\\row\\pard";
    let expected = [
        "table 1 × [50 50 50] heads 0",
        "  0,0 (1, 2) p: wide",
        "  0,0 (1, 2) p: more",
        "  0,2 p: c",
    ];
    assert_eq!(read(merged), expected);
}

#[test]
fn tables_within_cells_are_read() {
    let text = "\\trowd\\cellx2000\\pard\\intbl outer\\par\\pard\\intbl\\itap2 inner\\nestcell\
        {\\*\\nesttableprops\\trowd\\cellx900\\nestrow}{\\nonesttables\\par}\\pard\\intbl\\itap1 last\\cell\\row\\pard x\\par";
    let expected = [
        "table 1 × [100] heads 0",
        "  0,0 p: outer",
        "  0,0 table 1 × [45] heads 0",
        "  0,0   0,0 p: inner",
        "  0,0 p: last",
        "p: x",
    ];
    assert_eq!(read(text), expected);
}

#[test]
fn fields_notes_pictures_and_pages_are_read() {
    let text = "{\\header\\pard head\\par}{\\field{\\*\\fldinst HYPERLINK \"https://a.example/\"}{\\fldrslt web}}\
        {\\field{\\*\\fldinst INCLUDEPICTURE \"https://a.example/a.png\"}{\\fldrslt }} x{\\super\\chftn}{\\footnote\\pard\\chftn  note\\par}\
        {\\*\\unknown secret}{\\*\\shppict{\\pict\\pngblip 706e67}}{\\nonshppict{\\pict\\wmetafile8 00}}\\par\\page second\\par";
    let document = opened(format!("{{\\rtf1 {text}}}").as_bytes(), Format::Rtf).unwrap();
    let expected = [
        "p: ⟨web|→https://a.example/⟩ x⟨1|^⟩",
        "image 0 None",
        "note 1: note",
        "p: second",
    ];
    assert_eq!(lines(&document), expected);
    assert_eq!(warnings(&document), [("external_link_blocked", 1)]);
    assert_eq!(
        document.pictures.bytes(0).unwrap().as_deref(),
        Some(&b"png"[..])
    );
    assert_eq!(document.pages.len(), 2);
    assert_eq!(
        crate::outline::lines(&document.pages[1].header),
        "p: head\n"
    );
}

#[test]
fn formulas_are_read_as_their_letters() {
    let formula = r"a {\mmath{\*\moMathPara{\*\moMathParaPr\mjc1}{\*\moMath{\mf{\mfPr{\mtype lin}{\mctrlPr\f1}}{\mnum{\mr over}}{\mden{\mr under}}}{\mrad{\mradPr{\mdegHide 1}}{\mdeg }{\me{\mr root}}}}}{\mmathPict{\pict\pngblip 00}}} b";
    assert_eq!(read(&format!("{formula}\\par")), ["p: a overunderroot b"]);
}

#[test]
fn links_that_are_not_kept_are_counted() {
    let link = |target: &str, shown: &str| {
        format!("{{\\field{{\\*\\fldinst HYPERLINK {target}}}{{\\fldrslt {shown}}}}}")
    };
    let picture = "{\\pict\\pngblip 706e67}";
    let web = |shown: &str| link("https://a.example/", shown);
    let text = format!(
        "{{\\header\\pard {}\\par}}{} {}\\par\\page two\\par",
        link("\\\\l gone", "head"),
        web(picture),
        web(&format!("{picture} text")),
    );
    let document = opened(format!("{{\\rtf1 {text}}}").as_bytes(), Format::Rtf).unwrap();
    assert_eq!(document.pages.len(), 2);
    assert_eq!(warnings(&document), [("links_left_out", 2)]);
    assert_eq!(
        crate::outline::lines(&document.pages[1].header),
        "p: head\n"
    );
}
