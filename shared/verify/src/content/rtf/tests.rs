use super::*;
use crate::content::test_files::items;

const ALL: Scope = Scope {
    headers: true,
    running_text: false,
    text_boxes: true,
    tables_only: false,
    active_sheet_only: false,
    print_ranges: false,
    mixes_cells: false,
    is_aside: false,
    charts: true,
    diagrams: true,
    is_result: false,
    values: false,
    formulas: true,
};

/// Reads a document with these groups.
fn read_rtf(groups: &str, scope: Scope) -> Result<String, Unreadable> {
    let document = format!("{{\\rtf1\\ansi\\ansicpg1250 {groups}}}");
    items(document.as_bytes(), |path, take| read(path, scope, take))
}

fn text(groups: &str) -> String {
    read_rtf(groups, ALL).unwrap()
}

#[test]
fn text_is_decoded_by_font_or_document() {
    let fonts = r"{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset128 Mincho;}{\f2\fcharset2 Symbol;}{\f3 Times;}}";
    let body = r"{\f3 m\'f9\'9ee}{\f0 \'9e}{\f1 \'93\'fa\'83A}{\f2 abc}\'f9";
    assert_eq!(
        text(&format!("{fonts}{body}")),
        "m\u{16f}\u{17e}e\u{17e}\u{65e5}\u{30a2}\u{16f}"
    );
}

#[test]
fn unicode_replaces_the_following_characters() {
    assert_eq!(
        text(r"a\u945?b{\uc2\u-10179\'3f?\u-8704\'3f?c}\u8364\'80d"),
        "aαb😀c€d"
    );
    assert_eq!(text("\\uc0\\u945 x\\~\\{\\emdash y\\\n"), "αx\u{a0}{—y|");
}

#[test]
fn breaks_end_words() {
    assert_eq!(
        text("a\\par b\\line c\\cell\r\nd\\tab e\\row f"),
        "a|b|c|d|e|f"
    );
}

#[test]
fn destinations_without_text_are_skipped() {
    let skipped = [
        r"{\stylesheet{\s0 Normal;}}",
        r"{\info{\title T}{\author A}}",
        r"{\*\unknown{\b x}}",
        r"{\header h}",
        r"{\pict\wmetafile8 0102}",
        r"{\*\bkmkstart mark}",
        r"{\*\annotation remark}",
        "{\\object{\\*\\objdata\\bin5 }}{{}}",
        r"{\listtext 1.}",
    ];
    assert_eq!(text(&format!("a{}b", skipped.concat())), "ab");
}

#[test]
fn notes_and_text_boxes_are_read() {
    let shape = r"{\shp{\*\shpinst\shptop1{\sp{\sn name}{\sv value}}{\shptxt box\par}}{\shprslt{\*\do{\dptxbxtext box}}}}";
    let groups = format!(r"a{{\footnote \chftn note}}{shape}{{\*\footnote other}}");
    assert_eq!(text(&groups), "a|note||box|||other|");
    assert_eq!(
        read_rtf(&groups, Scope::default()).unwrap(),
        "a|note||other|"
    );
}

#[test]
fn hidden_deleted_and_recalculated_text_is_omitted() {
    assert_eq!(
        text(r"a{\v b}\v c\v0 d{\deleted e}\deleted f\plain g"),
        "adg"
    );
    let link = r#"{\field{\*\fldinst {HYPERLINK "x"}}{\fldrslt {\ul link}}}"#;
    let page = r"{\field\flddirty{\*\fldinst { PAGE  \\* Arabic}}{\fldrslt 7}}";
    assert_eq!(text(&format!("{link}{page}end")), "linkend");
}

#[test]
fn images_are_counted_once() {
    let png = r"{\*\shppict{\pict\pngblip 8950}}{\nonshppict{\pict\wmetafile8 01}}";
    let shape =
        r"{\shp{\*\shpinst{\sp{\sn pib}{\sv {\pict\jpegblip ff}}}}{\shprslt{\pict\pngblip 89}}}";
    assert_eq!(text(&format!("a{png}{shape}b")), "a**b");
}

#[test]
fn only_tables_are_read_if_the_scope_says_so() {
    let tables = Scope {
        tables_only: true,
        ..ALL
    };
    let groups = r"\pard before\par\trowd\pard\intbl in{\b side}\cell\row\pard after";
    assert_eq!(read_rtf(groups, tables).unwrap().replace('|', ""), "inside");
}

#[test]
fn hostile_documents_are_unreadable() {
    assert!(read_rtf(&"{".repeat(1000), ALL).is_ok());
    assert!(read_rtf(&"{".repeat(10_000), ALL).is_err());
    assert!(read_rtf(r"\bin999999999 text\u99999999999 \'", ALL).is_ok());
    assert!(items(b"text", |path, take| read(path, ALL, take)).is_err());
}

#[test]
fn formulas_are_text_for_results_that_draw_none() {
    let formula = r"a {\mmath{\*\moMathPara{\*\moMathParaPr\mjc1}{\*\moMath{\mf{\mfPr{\mtype lin}{\mctrlPr\f1}}{\mnum{\mr over}}{\mden{\mr under}}}{\mrad{\mradPr{\mdegHide 1}}{\mdeg }{\me{\mr root}}}}}{\mmathPict{\pict\pngblip 00}}} b";
    let without = Scope {
        formulas: false,
        ..ALL
    };
    assert_eq!(text(formula), "a overunderroot b");
    assert_eq!(read_rtf(formula, without).unwrap(), "a  b");
}

#[test]
fn headers_of_all_pages_have_to_be_in_a_text_once() {
    let scope = Scope {
        running_text: true,
        ..ALL
    };
    let groups = r"{\header Ferries}{\headerf First}a\par b";
    assert_eq!(read_rtf(groups, scope).unwrap(), "|^Ferries|a|b");
    assert_eq!(text(groups), "a|b");
}

#[test]
fn tables_with_several_texts_are_counted() {
    let tables = |body: &str| text(body).matches('&').count();
    let row = r"\trowd\cellx1\cellx2\pard\intbl a\cell b\cell\row ";
    assert_eq!(tables(&format!("{row}{row}")), 1);
    assert_eq!(tables(&format!(r"{row}\pard x\par {row}")), 2);
    assert_eq!(tables(&format!(r"{{\header {row}}}x\par ")), 0);
    assert_eq!(
        tables(r"\trowd\cellx1\cellx2\pard\intbl a\cell\cell\row "),
        0
    );
    assert_eq!(
        tables(r"\trowd\cellx1\pard\intbl a{\footnote\pard note}\cell b\cell\row "),
        1
    );
}
