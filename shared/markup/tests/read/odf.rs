//! OpenDocument by feature.

use domain::format::Format;

use crate::made::{lines, odf, opened, warnings};

fn read(automatic: &str, body: &str) -> Vec<String> {
    lines(&opened(&odf("text", automatic, body, ""), Format::Odt).unwrap())
}

#[test]
fn text_is_read_with_its_formatting_and_symbols() {
    let automatic = "<style:style style:name='B' style:family='text'><style:text-properties fo:font-weight='bold'/></style:style>\
        <style:style style:name='H' style:family='text'><style:text-properties text:display='none'/></style:style>";
    let body = "<text:h text:outline-level='2'>Title</text:h>\
        <text:p>a  b\n<text:s text:c='2'/>c<text:tab/>d<text:line-break/><text:span text:style-name='B'>bold</text:span>\
        <text:span text:style-name='H'>hidden</text:span><text:a xlink:href='https://a.example/'>web</text:a></text:p>\
        <text:tracked-changes><text:changed-region><text:deletion><text:p>gone</text:p></text:deletion></text:changed-region></text:tracked-changes>";
    assert_eq!(
        read(automatic, body),
        [
            "h2: Title",
            "p: a b   c⇥d⏎⟨bold|b⟩⟨web|→https://a.example/⟩"
        ]
    );
}

#[test]
fn items_have_their_displayed_markers() {
    let automatic = "<text:list-style style:name='L'>\
        <text:list-level-style-number text:level='1' style:num-format='1' style:num-suffix='.'/>\
        <text:list-level-style-number text:level='2' style:num-format='a' style:num-suffix=')' text:display-levels='2'/>\
        <text:list-level-style-bullet text:level='3' text:bullet-char='•'/></text:list-style>";
    let item = |inner: &str| format!("<text:list-item>{inner}</text:list-item>");
    let body = format!(
        "<text:list text:style-name='L'>{}{}{}</text:list><text:p>between</text:p>\
         <text:list text:style-name='L' text:continue-numbering='true'>{}</text:list><text:list text:style-name='L'>{}</text:list>",
        item("<text:p>a</text:p><text:p>more</text:p>"),
        item(&format!(
            "<text:p>b</text:p><text:list>{}{}</text:list>",
            item("<text:p>c</text:p>"),
            item(&format!(
                "<text:p>d</text:p><text:list>{}</text:list>",
                item("<text:p>e</text:p>")
            ))
        )),
        "<text:list-item text:start-value='7'><text:p>f</text:p></text:list-item>",
        item("<text:p>g</text:p>"),
        item("<text:p>h</text:p>"),
    );
    let expected = [
        "o0 1.: a⏎more",
        "o0 2.: b",
        "o1 2.a): c",
        "o1 2.b): d",
        "u2 •: e",
        "o0 7.: f",
        "p: between",
        "o0 8.: g",
        "o0 1.: h",
    ];
    assert_eq!(read(automatic, &body), expected);
}

#[test]
fn separate_lists_are_nested_by_their_indents() {
    let list = |name: &str, properties: &str| {
        format!(
            "<text:list-style style:name='{name}'><text:list-level-style-bullet text:level='1' text:bullet-char='•'>\
             <style:list-level-properties {properties}</text:list-level-style-bullet></text:list-style>"
        )
    };
    let automatic = list(
        "A",
        "text:space-before='0.2cm' text:min-label-width='0.4cm'/>",
    ) + &list(
        "B",
        "><style:list-level-label-alignment fo:margin-left='1.2cm'/></style:list-level-properties>",
    );
    let items = |list: &str, text: &str| {
        format!(
            "<text:list text:style-name='{list}'><text:list-item><text:p>{text}</text:p></text:list-item></text:list>"
        )
    };
    let body = [
        items("A", "a"),
        items("B", "b"),
        items("A", "c"),
        "<text:p>between</text:p>".to_owned(),
        items("B", "d"),
    ];
    let expected = ["u0 •: a", "u1 •: b", "u0 •: c", "p: between", "u0 •: d"];
    assert_eq!(read(&automatic, &body.concat()), expected);
}

#[test]
fn page_number_fields_are_dropped() {
    let body = "<text:p>Page <text:page-number>7</text:page-number> of <text:page-count>9</text:page-count></text:p>";
    assert_eq!(read("", body), ["p: Page of 9"]);
}

#[test]
fn values_of_form_fields_are_shown() {
    let field = |kind: &str, parameters: &[(&str, &str)]| {
        let parameters = parameters.iter().map(|(name, value)| {
            format!("<field:param field:name='{name}' field:value='{value}'/>")
        });
        format!(
            "<text:p><field:fieldmark xmlns:field='urn:openoffice:names:experimental:ooo-ms-interop:xmlns:field:1.0' \
             field:type='vnd.oasis.opendocument.field.{kind}'>{}</field:fieldmark></text:p>",
            parameters.collect::<String>()
        )
    };
    let entries = [("Dropdown_ListEntry", "one"), ("Dropdown_ListEntry", "two")];
    let selected = [entries[0], entries[1], ("Dropdown_Selected", "1")];
    let body = [
        field("FORMCHECKBOX", &[]),
        field("FORMCHECKBOX", &[("Checkbox_Checked", "true")]),
        field("FORMDROPDOWN", &entries),
        field("FORMDROPDOWN", &selected),
    ];
    assert_eq!(
        read("", &body.concat()),
        ["p: ☐", "p: ☒", "p: one", "p: two"]
    );
}

#[test]
fn notes_pictures_and_boxes_are_read() {
    let body = "<text:p>x<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation><text:note-body>\
        <text:p>note</text:p></text:note-body></text:note><draw:frame><draw:image xlink:href='Pictures/a.png'/>\
        <svg:desc>a dot</svg:desc></draw:frame><draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box></draw:frame>\
        <draw:frame><draw:image xlink:href='https://a.example/a.png'/></draw:frame></text:p>";
    let document = opened(&odf("text", "", body, ""), Format::Odt).unwrap();
    assert_eq!(
        lines(&document),
        [
            "p: x⟨1|^⟩",
            "image 0 Some(\"a dot\")",
            "p: boxed",
            "note 1: note"
        ]
    );
    assert_eq!(warnings(&document), [("external_link_blocked", 1)]);
}

#[test]
fn page_breaks_of_styles_and_headers_are_read() {
    let automatic = "<style:style style:name='N' style:family='paragraph'><style:paragraph-properties fo:break-before='page'/></style:style>";
    let styles = "<office:automatic-styles><style:page-layout style:name='A'><style:page-layout-properties \
        fo:page-width='10in' fo:page-height='5in'/></style:page-layout></office:automatic-styles><office:master-styles>\
        <style:master-page style:name='Standard' style:page-layout-name='A'><style:header><text:p>head</text:p></style:header>\
        </style:master-page></office:master-styles>";
    let body = "<text:p text:style-name='N'>one</text:p><text:p text:style-name='N'>two</text:p>";
    let document = opened(&odf("text", automatic, body, styles), Format::Odt).unwrap();
    assert_eq!(document.pages.len(), 2);
    for page in &document.pages {
        assert_eq!((page.size.width, page.size.height), (720.0, 360.0));
        assert_eq!(crate::outline::lines(&page.header), "p: head\n");
    }
}

#[test]
fn tables_have_header_rows_and_spans() {
    let body = "<table:table><table:table-column table:number-columns-repeated='2'/><table:table-header-rows><table:table-row>\
        <table:table-cell table:number-columns-spanned='2'><text:p>wide</text:p></table:table-cell><table:covered-table-cell/>\
        </table:table-row></table:table-header-rows><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell>\
        <table:table-cell><text:p>b</text:p></table:table-cell></table:table-row></table:table>";
    assert_eq!(
        read("", body),
        [
            "table 2 × [72 72] heads 1",
            "  0,0 (1, 2) p: wide",
            "  1,0 p: a",
            "  1,1 p: b"
        ]
    );
}

#[test]
fn links_target_the_web_or_sheets() {
    let cell = |target: &str| {
        format!(
            "<table:table-row><table:table-cell><text:p><text:a xlink:href='{target}'>x</text:a></text:p></table:table-cell></table:table-row>"
        )
    };
    let cells =
        cell("#$Two.A1") + &cell("javascript:x()") + &cell("http://a.example/") + &cell("#None");
    let body = format!(
        "<table:table table:name='One'>{cells}</table:table><table:table table:name='Two'></table:table>"
    );
    let document = opened(&odf("spreadsheet", "", &body, ""), Format::Ods).unwrap();
    let layout::Content::Table(table) = &document.pages[0].blocks[1].content else {
        panic!("no table");
    };
    let links: Vec<Option<&str>> = table
        .cells
        .iter()
        .map(|cell| match &cell.blocks[0].content {
            layout::Content::Paragraph { runs, .. } => runs[0].link.as_deref(),
            _ => None,
        })
        .collect();
    assert_eq!(
        links,
        [Some("#page=2"), None, Some("http://a.example/"), None]
    );
}

#[test]
fn links_of_formulas_are_read() {
    let cell = |formula: &str, text: &str| {
        format!(
            "<table:table-cell table:formula='{formula}' office:value-type='string'><text:p>{text}</text:p></table:table-cell>"
        )
    };
    let calculated = r#"of:=IF([.A1]="";"";HYPERLINK([.A1]))"#;
    let cells = [
        cell(r#"of:=HYPERLINK("https://a.example/")"#, "a"),
        cell(calculated, "b"),
        cell(calculated, ""),
    ];
    let body = format!(
        "<table:table><table:table-row>{}</table:table-row></table:table>",
        cells.concat()
    );
    let document = opened(&odf("spreadsheet", "", &body, ""), Format::Ods).unwrap();
    let lines = lines(&document);
    assert_eq!(
        lines[lines.len() - 2..],
        ["  0,0 p: ⟨a|→https://a.example/⟩", "  0,1 p: b"]
    );
    assert_eq!(warnings(&document), [("links_left_out", 1)]);
}

#[test]
fn formulas_without_a_value_are_counted() {
    let body = "<table:table><table:table-row><table:table-cell table:formula='of:=2*21'/>\
        <table:table-cell table:formula='of:=\"\"' office:value-type='string'/></table:table-row></table:table>";
    let document = opened(&odf("spreadsheet", "", body, ""), Format::Ods).unwrap();
    assert_eq!(warnings(&document), [("formulas_not_calculated", 1)]);
}

#[test]
fn formulas_stay_in_their_line() {
    let body = "<text:p>with <draw:frame><draw:object xlink:href='./Object 1'><math xmlns='http://www.w3.org/1998/Math/MathML'><mi>x</mi></math></draw:object></draw:frame> known</text:p>";
    assert_eq!(read("", body), ["p: with x known"]);
}

#[test]
fn sheets_are_tables_without_hidden_rows_and_columns() {
    let automatic = "<style:style style:name='H' style:family='table'><style:table-properties table:display='false'/></style:style>";
    let cell = |text: &str| format!("<table:table-cell><text:p>{text}</text:p></table:table-cell>");
    let body = format!(
        "<table:table table:name='No' table:style-name='H'><table:table-row>{0}</table:table-row></table:table>\
         <table:table table:name='Yes'><table:table-column/><table:table-column table:visibility='collapse'/>\
         <table:table-column table:number-columns-repeated='16382'/><table:table-row>{0}{1}{2}</table:table-row>\
         <table:table-row table:number-rows-repeated='2'>{3}<table:table-cell table:number-columns-repeated='16383'/></table:table-row>\
         <table:table-row table:visibility='filter'>{0}</table:table-row>\
         <table:table-row table:number-rows-repeated='1048500'><table:table-cell table:number-columns-repeated='16384'/></table:table-row>\
         </table:table>",
        cell("1"),
        cell("2"),
        cell("3"),
        cell("4<office:annotation><text:p>remark</text:p></office:annotation>")
    );
    let document = opened(&odf("spreadsheet", automatic, &body, ""), Format::Ods).unwrap();
    let expected = [
        "h1: Yes",
        "table 3 × [48 48] heads 0 ruled",
        "  0,0 p: 1",
        "  0,1 p: 3",
        "  1,0 p: 4",
        "  2,0 p: 4",
    ];
    assert_eq!(lines(&document), expected);
    assert_eq!(
        warnings(&document),
        [
            ("hidden_left_out", 1),
            ("hidden_left_out", 2),
            ("comments_left_out", 1)
        ]
    );
}

#[test]
fn slides_are_pages_with_titles_first() {
    let frame = |class: &str, y: &str, text: &str| {
        format!(
            "<draw:frame presentation:class='{class}' svg:x='1cm' svg:y='{y}' svg:width='9cm' svg:height='2cm'>\
             <draw:text-box><text:p>{text}</text:p></draw:text-box></draw:frame>"
        )
    };
    let body = format!(
        "<draw:page draw:name='a'>{}{}{}<presentation:notes>{}</presentation:notes></draw:page>",
        frame("subtitle", "9cm", "low"),
        frame("outline", "5cm", "middle"),
        frame("title", "7cm", "Title"),
        frame("notes", "1cm", "say this")
    );
    let bytes = odf("presentation", "", &body, "");
    let document = opened(&bytes, Format::Odp).unwrap();
    assert_eq!(lines(&document), ["h1: Title", "p: middle", "p: low"]);
    let options = markup::Options {
        speaker_notes: true,
        ..Default::default()
    };
    let document = crate::made::opened_with(&bytes, Format::Odp, &options).unwrap();
    assert_eq!(
        lines(&document),
        ["h1: Title", "p: middle", "p: low", "rule", "p: say this"]
    );
}

#[test]
fn quotations_and_code_are_recognized_by_styles() {
    let style = |name: &str, parent: &str, more: &str| {
        format!(
            "<style:style style:name='{name}' style:family='paragraph' style:parent-style-name='{parent}'>{more}</style:style>"
        )
    };
    let centered = "<style:paragraph-properties fo:text-align='center'/>";
    let automatic = style("Quotations", "", "")
        + &style("P1", "Quotations", "")
        + &style("Preformatted_20_Text", "", "")
        + &style("P2", "", centered);
    let body = "<text:h text:style-name='P2' text:outline-level='1'>title</text:h>\
        <text:p text:style-name='P1'>quoted</text:p><text:p>text</text:p>\
        <text:p text:style-name='Preformatted_20_Text'><text:s text:c='2'/>a</text:p>\
        <text:p text:style-name='Preformatted_20_Text'/>\
        <text:p text:style-name='Preformatted_20_Text'>b</text:p>";
    let expected = [
        "h1 Center: title",
        "> p: quoted",
        "p: text",
        "code: ⟨  a⏎⏎b|m⟩",
    ];
    assert_eq!(read(&automatic, body), expected);
}

#[test]
fn links_to_hidden_slides_are_removed() {
    let automatic = "<style:style style:name='no' style:family='drawing-page'>\
        <style:drawing-page-properties presentation:visibility='hidden'/></style:style>";
    let page = |name: &str, style: &str, inner: &str| {
        format!("<draw:page draw:name='{name}' draw:style-name='{style}'>{inner}</draw:page>")
    };
    let link = |to: &str| format!("<text:a xlink:href='#{to}'>{to}</text:a>");
    let links = format!(
        "<draw:frame><draw:text-box><text:p>{}{}</text:p></draw:text-box></draw:frame>",
        link("b"),
        link("c")
    );
    let body = page("a", "", &links) + &page("b", "no", "") + &page("c", "", "");
    let bytes = odf("presentation", automatic, &body, "");
    let document = opened(&bytes, Format::Odp).unwrap();
    assert_eq!(lines(&document), ["p: b⟨c|→#page=2⟩"]);
}

#[test]
fn tables_with_lines_between_cells_are_ruled() {
    let style = |name: &str, sides: &str| {
        format!(
            "<style:style style:name='{name}' style:family='table-cell'><style:table-cell-properties {sides}/></style:style>"
        )
    };
    let automatic = style("All", "fo:border='1pt solid #000000'")
        + &style("Below", "fo:border-bottom='1pt solid #000000'")
        + &style("None", "fo:border='none'");
    let table = |first: &str, second: &str| {
        let row = |style: &str| {
            let cell = format!(
                "<table:table-cell table:style-name='{style}'><text:p>x</text:p></table:table-cell>"
            );
            format!("<table:table-row>{cell}{cell}</table:table-row>")
        };
        format!("<table:table>{}{}</table:table>", row(first), row(second))
    };
    for (first, second, ruled) in [
        ("All", "All", true),
        ("All", "None", true),
        ("Below", "None", false),
        ("Below", "Below", false),
        ("None", "None", false),
    ] {
        let lines = read(&automatic, &table(first, second));
        assert_eq!(lines[0].ends_with("ruled"), ruled, "{first} {second}");
    }
}

#[test]
fn links_lead_out_of_the_package() {
    let link = |to: &str| format!("<text:a xlink:href='{to}'>x</text:a> ");
    let body = ["..", "../", "../..", "../a.odt"].map(link).concat();
    let expected = "p: ⟨x|→.⟩ ⟨x|→.⟩ ⟨x|→..⟩ ⟨x|→a.odt⟩";
    assert_eq!(read("", &format!("<text:p>{body}</text:p>")), [expected]);
}

#[test]
fn links_that_are_not_kept_are_counted() {
    let picture = "<draw:frame><draw:image xlink:href='Pictures/a.png'/></draw:frame>";
    let link = |to: &str| format!("<text:a xlink:href='{to}'>x</text:a>");
    let body = format!(
        "<text:p><draw:a xlink:href='https://a.example/'>{picture}</draw:a>\
         <text:a xlink:href='https://a.example/'>{picture}</text:a>\
         <text:a xlink:href='https://a.example/'>{picture}text</text:a>{}{}</text:p>",
        link("file:///a"),
        link("#gone")
    );
    let document = opened(&odf("text", "", &body, ""), Format::Odt).unwrap();
    assert_eq!(warnings(&document), [("links_left_out", 4)]);
}

#[test]
fn dangling_links_are_counted_on_their_page_and_once_in_a_header() {
    let counts = |bytes: &[u8], format| {
        let document = opened(bytes, format).unwrap();
        let links = document
            .warnings
            .iter()
            .filter(|one| one.loss == markup::Loss::Link);
        let counts: Vec<_> = links.map(|one| (one.page, one.count)).collect();
        (document.pages.len(), counts)
    };
    let link = "<text:p><text:a xlink:href='#gone'>x</text:a></text:p>";
    let automatic = "<style:style style:name='N' style:family='paragraph'><style:paragraph-properties fo:break-before='page'/></style:style>\
        <style:style style:name='H' style:family='table'><style:table-properties table:display='false'/></style:style>";
    let styles = format!(
        "<office:master-styles><style:master-page style:name='Standard'><style:header>{link}</style:header></style:master-page></office:master-styles>"
    );
    let body = format!("<text:p>one</text:p><text:p text:style-name='N'>two</text:p>{link}");
    let text = |styles: &str| counts(&odf("text", automatic, &body, styles), Format::Odt);
    assert_eq!(text(""), (2, vec![(2, 1)]));
    assert_eq!(text(&styles), (2, vec![(1, 1), (2, 1)]));
    let sheet = |style: &str, inner: &str| {
        format!(
            "<table:table table:style-name='{style}'><table:table-row><table:table-cell>{inner}</table:table-cell></table:table-row></table:table>"
        )
    };
    let sheets = sheet("", "<text:p>1</text:p>") + &sheet("H", link) + &sheet("", link);
    let sheets = odf("spreadsheet", automatic, &sheets, "");
    assert_eq!(counts(&sheets, Format::Ods), (2, vec![(2, 1)]));
}

#[test]
fn links_lead_to_headings_tables_and_frames() {
    let automatic = "<style:style style:name='N' style:family='paragraph'><style:paragraph-properties fo:break-before='page'/></style:style>";
    let link = |to: &str| format!("<text:a xlink:href='#{to}'>x</text:a> ");
    let links = ["1.2.Head%7Coutline", "T|table", "F|frame", "F|region"].map(link);
    let body = format!(
        "<text:p>{}</text:p><text:h text:style-name='N'>Head</text:h>\
         <table:table table:name='T'><table:table-row><table:table-cell><text:p>y</text:p></table:table-cell></table:table-row></table:table>\
         <text:p><draw:frame draw:name='F'><draw:text-box><text:p>z</text:p></draw:text-box></draw:frame></text:p>",
        links.concat()
    );
    let document = opened(&odf("text", automatic, &body, ""), Format::Odt).unwrap();
    assert_eq!(
        lines(&document)[0],
        "p: ⟨x|→#page=2⟩ ⟨x|→#page=2⟩ ⟨x|→#page=2⟩ x"
    );
    assert_eq!(warnings(&document), [("links_left_out", 1)]);
}

#[test]
fn hidden_shapes_are_dropped_and_counted() {
    let shape = |display: &str| {
        format!(
            "<draw:frame draw:display='{display}'><draw:text-box><text:p>{display}</text:p></draw:text-box></draw:frame>"
        )
    };
    let extended = "<draw:frame xmlns:drawooo='http://openoffice.org/2010/draw' drawooo:display='none'><draw:text-box>\
        <text:p>extended</text:p></draw:text-box></draw:frame>";
    let shapes = ["none", "printer", "screen"].map(shape).concat() + extended;
    let text = odf("text", "", &format!("<text:p>{shapes}</text:p>"), "");
    let text = opened(&text, Format::Odt).unwrap();
    assert_eq!(lines(&text), ["p: printer", "p: screen"]);
    assert_eq!(warnings(&text), [("hidden_left_out", 2)]);
    let slide = format!("<draw:page><draw:g>{shapes}</draw:g></draw:page>");
    let slides = opened(&odf("presentation", "", &slide, ""), Format::Odp).unwrap();
    assert_eq!(lines(&slides), ["p: screen"]);
    assert_eq!(warnings(&slides), [("hidden_left_out", 3)]);
}
