//! Word documents by feature.

mod tables;

use domain::format::Format;

use crate::made::{docx, lines, opened, p, part, warnings};

fn read(body: &str) -> Vec<String> {
    lines(&opened(&docx(body, &[], &[]), Format::Docx).unwrap())
}

#[test]
fn headings_are_recognized_by_localized_styles() {
    let styles = part(
        "w:styles",
        "<w:style w:type='paragraph' w:styleId='berschrift2'><w:name w:val='heading 2'/></w:style>\
         <w:style w:type='paragraph' w:styleId='Kapitel'><w:name w:val='Kapitel'/><w:basedOn w:val='Mitte'/></w:style>\
         <w:style w:type='paragraph' w:styleId='Mitte'><w:name w:val='Mitte'/><w:pPr><w:outlineLvl w:val='2'/></w:pPr></w:style>\
         <w:style w:type='paragraph' w:styleId='Loop'><w:name w:val='Loop'/><w:basedOn w:val='Loop'/></w:style>\
         <w:style w:type='paragraph' w:styleId='TOC'><w:name w:val='TOC'/><w:basedOn w:val='berschrift2'/>\
         <w:pPr><w:outlineLvl w:val='9'/></w:pPr></w:style>",
    );
    let body = ["berschrift2", "Kapitel", "Loop", "TOC", "unknown"]
        .map(|style| p(&format!("<w:pStyle w:val='{style}'/>"), style))
        .concat();
    let document = opened(
        &docx(
            &(body + &p("<w:outlineLvl w:val='0'/>", "direct")),
            &[("styles", &styles)],
            &[],
        ),
        Format::Docx,
    );
    let expected = [
        "h2: berschrift2",
        "h3: Kapitel",
        "p: Loop",
        "p: TOC",
        "p: unknown",
        "h1: direct",
    ];
    assert_eq!(lines(&document.unwrap()), expected);
}

#[test]
fn items_have_their_displayed_markers() {
    let level = |number: usize, format: &str, text: &str| {
        format!(
            "<w:lvl w:ilvl='{number}'><w:start w:val='1'/><w:numFmt w:val='{format}'/><w:lvlText w:val='{text}'/>\
             <w:rPr><w:rFonts w:ascii='Symbol'/></w:rPr></w:lvl>"
        )
    };
    let scheme = level(0, "decimal", "%1.")
        + &level(1, "lowerLetter", "%1.%2)")
        + &level(2, "bullet", "\u{f0b7}");
    let numbering = part(
        "w:numbering",
        &format!(
            "<w:abstractNum w:abstractNumId='7'>{scheme}</w:abstractNum>\
             <w:num w:numId='1'><w:abstractNumId w:val='7'/></w:num>\
             <w:num w:numId='2'><w:abstractNumId w:val='7'/>\
             <w:lvlOverride w:ilvl='0'><w:startOverride w:val='5'/></w:lvlOverride></w:num>"
        ),
    );
    let item = |list: usize, level: usize, text: &str| {
        p(
            &format!("<w:numPr><w:ilvl w:val='{level}'/><w:numId w:val='{list}'/></w:numPr>"),
            text,
        )
    };
    let body = item(1, 0, "a")
        + &item(1, 1, "b")
        + &item(1, 1, "c")
        + &item(1, 2, "d")
        + &item(1, 0, "e")
        + &item(1, 1, "f")
        + &p("", "between")
        + &item(1, 0, "g")
        + &item(1, 0, "")
            .replace("<w:r>", "")
            .replace("</w:r>", "")
            .replace("<w:t xml:space='preserve'></w:t>", "")
        + &item(1, 0, "after an empty one")
        + &item(2, 0, "h")
        + &item(9, 0, "no list");
    let document = opened(
        &docx(&body, &[("numbering", &numbering)], &[]),
        Format::Docx,
    )
    .unwrap();
    let expected = [
        "o0 1.: a",
        "o1 1.a): b",
        "o1 1.b): c",
        "u2 •: d",
        "o0 2.: e",
        "o1 2.a): f",
        "p: between",
        "o0 3.: g",
        "o0 5.: after an empty one",
        "o0 5.: h",
        "p: no list",
    ];
    assert_eq!(lines(&document), expected);
}

#[test]
fn lines_of_a_part_are_spaces_of_its_text() {
    assert_eq!(read(&p("", "one\ntwo")), ["p: one two"]);
}

#[test]
fn run_properties_are_read() {
    let run = |properties: &str, text: &str| {
        format!("<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>")
    };
    let body = run("<w:b/><w:i w:val='0'/>", "b")
        + &run("<w:u w:val='single'/><w:strike/>", "us")
        + &run("<w:vertAlign w:val='superscript'/>", "2")
        + &run("<w:color w:val='FF0000'/>", "red")
        + &run("<w:caps/>", "caps")
        + &run("<w:rFonts w:ascii='Courier New'/>", "code")
        + &run("<w:color w:val='auto'/>", "end");
    let expected = "p: ⟨b|b⟩⟨us|us⟩⟨2|^⟩⟨red|#ff0000⟩CAPS⟨code|m⟩end";
    assert_eq!(read(&format!("<w:p>{body}</w:p>")), [expected]);
}

#[test]
fn outer_spaces_count_with_xml_space_preserve() {
    let body = "<w:p><w:r><w:t>one</w:t></w:r><w:r><w:t> two </w:t></w:r><w:r><w:t xml:space='preserve'> three</w:t></w:r></w:p>";
    assert_eq!(read(body), ["p: onetwo three"]);
}

#[test]
fn tracked_changes_are_accepted_and_hidden_text_is_dropped() {
    let body = "<w:p><w:ins><w:r><w:t xml:space='preserve'>new </w:t></w:r></w:ins><w:del><w:r><w:delText>old </w:delText></w:r></w:del>\
        <w:moveFrom><w:r><w:t>from</w:t></w:r></w:moveFrom><w:moveTo><w:r><w:t>to</w:t></w:r></w:moveTo>\
        <w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r></w:p>\
        <w:p><w:pPr><w:rPr><w:del/></w:rPr></w:pPr><w:r><w:t xml:space='preserve'>one </w:t></w:r></w:p><w:p><w:r><w:t>line</w:t></w:r></w:p>";
    let document = opened(&docx(body, &[], &[]), Format::Docx).unwrap();
    assert_eq!(lines(&document), ["p: new to", "p: one line"]);
    assert_eq!(warnings(&document), [("hidden_left_out", 1)]);
}

#[test]
fn field_results_and_links_are_read() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let said = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let body = format!(
        "<w:p><w:bookmarkStart w:name='top'/>{}<w:r><w:instrText>DATE</w:instrText><w:t>code</w:t></w:r>{}{}{}{}</w:p>\
         <w:p><w:hyperlink r:id='l'>{}</w:hyperlink><w:hyperlink w:anchor='far'>{}</w:hyperlink>\
         <w:fldSimple w:instr=' HYPERLINK \\l \"top\"'>{}</w:fldSimple><w:hyperlink w:anchor='gone'>{}</w:hyperlink></w:p>\
         <w:p><w:r><w:br w:type='page'/></w:r><w:bookmarkStart w:name='far'/>{}</w:p>",
        mark("begin"),
        mark("separate"),
        said("today"),
        mark("end"),
        said("!"),
        said("web"),
        said("far"),
        said("top"),
        said("gone"),
        said("second"),
    );
    let bytes = docx(&body, &[], &[("l", "hyperlink", "https://a.example/?b=1")]);
    let document = opened(&bytes, Format::Docx).unwrap();
    let second = "p: ⟨web|→https://a.example/?b=1⟩⟨far|→#page=2⟩⟨top|→#page=1⟩gone";
    assert_eq!(lines(&document), ["p: today!", second, "p: second"]);
    assert_eq!(document.pages.len(), 2);
}

#[test]
fn page_number_fields_are_dropped() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let said = |text: &str| format!("<w:r><w:t>{text}</w:t></w:r>");
    let field = |name: &str| {
        let instruction = format!("<w:r><w:instrText> {name} </w:instrText></w:r>");
        [
            mark("begin"),
            instruction,
            mark("separate"),
            said("7"),
            mark("end"),
        ]
        .concat()
    };
    let simple = format!("<w:fldSimple w:instr='PAGE'>{}</w:fldSimple>", said("8"));
    let body = format!(
        "<w:p>{}{}{simple}{}{}</w:p>",
        said("Page"),
        field("PAGE"),
        said("of"),
        field("NUMPAGES")
    );
    assert_eq!(read(&body), ["p: Pageof7"]);
}

#[test]
fn a_field_without_an_end_hides_its_paragraph_only() {
    let mark =
        "<w:r><w:fldChar w:fldCharType='begin'/></w:r><w:r><w:instrText>DATE</w:instrText></w:r>";
    let body = format!("<w:p>{mark}</w:p>{}", p("", "seen"));
    let document = opened(&docx(&body, &[], &[]), Format::Docx).unwrap();
    assert_eq!(lines(&document), ["p: seen"]);
}

#[test]
fn notes_follow_the_text_of_their_page() {
    let notes = part(
        "w:footnotes",
        &format!(
            "<w:footnote w:type='separator' w:id='0'/><w:footnote w:id='2'>{}</w:footnote>",
            p("", "a note")
        ),
    );
    let ends = part(
        "w:endnotes",
        &format!("<w:endnote w:id='2'>{}</w:endnote>", p("", "the end")),
    );
    let body = "<w:p><w:r><w:t>x</w:t><w:footnoteReference w:id='2'/></w:r><w:r><w:endnoteReference w:id='2'/></w:r>\
        <w:r><w:footnoteReference w:id='9'/></w:r></w:p><w:p><w:r><w:br w:type='page'/><w:t>y</w:t></w:r></w:p>";
    let document = opened(
        &docx(body, &[("footnotes", &notes), ("endnotes", &ends)], &[]),
        Format::Docx,
    )
    .unwrap();
    assert_eq!(
        lines(&document),
        ["p: x⟨1i|^⟩", "note 1: a note", "p: y", "note i: the end"]
    );
}

#[test]
fn pages_have_the_size_and_the_headers_of_their_section() {
    let header = part("w:hdr", &p("", "head"));
    let section = |kind: &str, width: u32| {
        format!(
            "<w:sectPr><w:headerReference w:type='default' r:id='o-header'/><w:type w:val='{kind}'/>\
                 <w:pgSz w:w='{width}' w:h='2000'/></w:sectPr>"
        )
    };
    let body = p(&section("nextPage", 1000), "one")
        + &p(&section("nextPage", 3000), "two")
        + &p("", "still two")
        + &section("continuous", 5000);
    let document = opened(&docx(&body, &[("header", &header)], &[]), Format::Docx).unwrap();
    let sizes: Vec<f32> = document.pages.iter().map(|page| page.size.width).collect();
    assert_eq!(sizes, [50.0, 150.0]);
    assert_eq!(lines(&document), ["p: one", "p: two", "p: still two"]);
    assert!(
        document
            .pages
            .iter()
            .all(|page| crate::outline::lines(&page.header) == "p: head\n")
    );
}

#[test]
fn a_page_break_splits_a_continued_paragraph() {
    let body = "<w:p><w:r><w:t>before</w:t><w:br w:type='page'/><w:t>behind</w:t><w:br/><w:tab/><w:t>x</w:t></w:r></w:p>";
    assert_eq!(read(body), ["p: before", "p+: behind⏎⇥x"]);
}

#[test]
fn pictures_and_text_boxes_follow_their_paragraph() {
    let picture = |link: &str, words: &str| {
        format!(
            "<w:r><w:drawing><wp:inline><wp:docPr descr='{words}'/><a:graphic><a:graphicData><pic:pic><pic:blipFill>\
                 <a:blip {link}/></pic:blipFill></pic:pic></a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
        )
    };
    let text_box = format!(
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wp:anchor><wps:txbx><w:txbxContent>{}\
         </w:txbxContent></wps:txbx></wp:anchor></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox><w:txbxContent>{}\
         </w:txbxContent></v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>",
        p("", "boxed"),
        p("", "again")
    );
    let body = format!(
        "<w:p><w:r><w:t>text</w:t></w:r>{}{}{}{}{text_box}<w:r><w:t xml:space='preserve'> goes on</w:t></w:r></w:p>",
        picture("r:embed='i'", "a dot"),
        picture("r:link='web'", ""),
        picture("r:embed='none'", ""),
        picture("r:embed='web'", ""),
    );
    let links = [
        ("i", "image", "media/a.png"),
        ("web", "image", "https://a.example/a.png"),
        ("none", "image", "gone.png"),
    ];
    let document = opened(&docx(&body, &[], &links), Format::Docx).unwrap();
    assert_eq!(
        lines(&document),
        ["p: text goes on", "image 0 Some(\"a dot\")", "p: boxed"]
    );
    assert_eq!(
        warnings(&document),
        [("external_link_blocked", 2), ("picture_missing", 1)]
    );
    assert_eq!(
        document.pictures.bytes(0).unwrap().as_deref(),
        Some(&b"picture"[..])
    );
    assert_eq!(document.pictures.bytes(1).unwrap(), None);
}

#[test]
fn formulas_are_read_on_one_line() {
    let text = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let body = format!(
        "<w:p><m:oMath>{}<m:f><m:num>{}</m:num><m:den>{}</m:den></m:f><m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup></m:oMath></w:p>",
        text("x="),
        text("a"),
        text("b"),
        text("c"),
        text("2")
    );
    assert_eq!(read(&body), ["p: x=a/bc⟨2|^⟩"]);
}

#[test]
fn quotations_and_code_are_recognized_by_styles() {
    let style = |id: &str, name: &str, base: &str| {
        format!(
            "<w:style w:type='paragraph' w:styleId='{id}'><w:name w:val='{name}'/><w:basedOn w:val='{base}'/></w:style>"
        )
    };
    let styles = style("Zitat", "Quote", "")
        + &style("Own", "Mine", "Zitat")
        + &style("Deep", "Quote 3", "")
        + &style("Code", "HTML Preformatted", "");
    let said = |style: &str, text: &str| p(&format!("<w:pStyle w:val='{style}'/>"), text);
    let indented = |left: u32, right: u32| {
        let indents = format!("<w:ind w:left='{left}' w:right='{right}'/>");
        p(
            &format!("<w:pStyle w:val='Code'/>{indents}"),
            &format!("{left} {right}"),
        )
    };
    let centered = p("<w:outlineLvl w:val='0'/><w:jc w:val='center'/>", "title");
    let body = centered
        + &said("Zitat", "one")
        + &said("Own", "two")
        + &said("Deep", "three")
        + &said("Code", "  first")
        + &said("Code", "")
        + &said("Code", "    third")
        + &p("", "text")
        + &said("Code", "apart")
        + &indented(1_134, 567)
        + &indented(1_134, 0)
        + &indented(1_000, 567);
    let styles = part("w:styles", &styles);
    let document = opened(&docx(&body, &[("styles", &styles)], &[]), Format::Docx);
    let expected = [
        "h1 Center: title",
        "> p: one",
        "> p: two",
        "> > > p: three",
        "code: ⟨  first⏎⏎    third|m⟩",
        "p: text",
        "code: ⟨apart|m⟩",
        "> > code: ⟨1134 567|m⟩",
        "code: ⟨1134 0⏎1000 567|m⟩",
    ];
    assert_eq!(lines(&document.unwrap()), expected);
}

#[test]
fn note_references_are_kept_and_dangling_links_removed() {
    let notes = part(
        "w:footnotes",
        "<w:footnote w:id='2'><w:p><w:r><w:t>note</w:t></w:r></w:p></w:footnote>",
    );
    let body = "<w:p><w:r><w:t>5 m</w:t></w:r><w:r><w:footnoteReference w:id='2'/></w:r>\
        <w:hyperlink w:anchor='note'><w:r><w:t>gone</w:t></w:r></w:hyperlink></w:p>";
    let document = opened(&docx(body, &[("footnotes", &notes)], &[]), Format::Docx).unwrap();
    let layout::Content::Paragraph { runs, .. } = &document.pages[0].blocks[0].content else {
        panic!("no paragraph");
    };
    let links: Vec<_> = runs
        .iter()
        .map(|run| (run.text.as_str(), run.link.as_deref()))
        .collect();
    let expected = [("5 m", None), ("1", Some(layout::NOTE)), ("gone", None)];
    assert_eq!(links, expected);
}

#[test]
fn monospaced_lines_with_indents_are_code() {
    let line = |text: &str| {
        format!(
            "<w:p><w:r><w:rPr><w:rFonts w:ascii='Liberation Mono'/></w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"
        )
    };
    let code = ["def f(x):", "    if x:", "        return 1", "    return 2"];
    let body = code.map(line).concat() + &p("", "    Text.");
    let found = read(&body);
    assert_eq!(found.len(), 2, "{found:?}");
    assert!(
        found[0].contains("def f(x):⏎    if x:⏎        return 1⏎    return 2"),
        "{found:?}"
    );
    assert_eq!(found[1], "p: Text.");
    let alone = read(&(line("One") + &line("two")));
    assert_eq!(alone.len(), 2, "{alone:?}");
}

#[test]
fn links_that_are_not_kept_are_counted() {
    let run = "<w:r><w:t>x</w:t></w:r>";
    let picture = "<w:r><w:drawing><wp:inline><wp:docPr><a:hlinkClick r:id='web'/></wp:docPr></wp:inline></w:drawing></w:r>";
    let body = format!(
        "<w:p><w:hyperlink r:id='file'>{run}</w:hyperlink><w:hyperlink w:anchor='gone'>{run}</w:hyperlink>\
         <w:fldSimple w:instr='HYPERLINK javascript:x()'>{run}</w:fldSimple>{picture}</w:p>"
    );
    let links = [
        ("file", "hyperlink", "file:///C:/a.docx"),
        ("web", "hyperlink", "https://a.example/"),
    ];
    let document = opened(&docx(&body, &[], &links), Format::Docx).unwrap();
    let count: u32 = warnings(&document).iter().map(|(_, count)| count).sum();
    assert_eq!(count, 4);
    assert!(
        document
            .warnings
            .iter()
            .all(|warning| warning.loss == markup::Loss::Link)
    );
}

#[test]
fn links_of_pictures_are_counted_unless_text_has_them() {
    let mark = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let field = |inner: &str| {
        let instruction = "<w:r><w:instrText>HYPERLINK https://a.example/</w:instrText></w:r>";
        let parts = [&mark("begin"), instruction, &mark("separate"), inner];
        parts.concat() + &mark("end")
    };
    let picture = "<w:r><w:drawing><wp:inline><wp:docPr/></wp:inline></w:drawing></w:r>";
    let with_text = format!("{picture}<w:r><w:t>x</w:t></w:r>");
    let link = |inner: &str| format!("<w:hyperlink r:id='web'>{inner}</w:hyperlink>");
    let dropped = |content: &str| {
        let body = format!("<w:p>{content}{picture}</w:p>");
        let bytes = docx(&body, &[], &[("web", "hyperlink", "https://a.example/")]);
        let warnings = warnings(&opened(&bytes, Format::Docx).unwrap());
        warnings.iter().map(|(_, count)| count).sum::<u32>()
    };
    assert_eq!([dropped(&field(picture)), dropped(&link(picture))], [1, 1]);
    assert_eq!(
        [dropped(&field(&with_text)), dropped(&link(&with_text))],
        [0, 0]
    );
}

#[test]
fn dangling_links_are_counted_on_their_page_and_once_in_a_header() {
    let link = "<w:p><w:hyperlink w:anchor='gone'><w:r><w:t>x</w:t></w:r></w:hyperlink></w:p>";
    let header = part("w:hdr", link);
    let section = "<w:sectPr><w:headerReference w:type='default' r:id='o-header'/></w:sectPr>";
    let pages = format!(
        "{}<w:p><w:r><w:br w:type='page'/></w:r></w:p>{link}",
        p("", "one")
    );
    let counts = |body: &str| {
        let document = opened(&docx(body, &[("header", &header)], &[]), Format::Docx).unwrap();
        let warnings = document.warnings.iter();
        let counts: Vec<_> = warnings.map(|one| (one.page, one.count)).collect();
        counts
    };
    assert_eq!(counts(&pages), [(2, 1)]);
    assert_eq!(counts(&(pages + section)), [(1, 1), (2, 1)]);
}

#[test]
fn operands_of_formulas_are_in_parentheses() {
    let text = |text: &str| format!("<m:r><m:t>{text}</m:t></m:r>");
    let fraction =
        |over: &str, under: &str| format!("<m:f><m:num>{over}</m:num><m:den>{under}</m:den></m:f>");
    let raised = format!(
        "<m:sSup><m:e>{}</m:e><m:sup>{}</m:sup></m:sSup>",
        text("y"),
        text("2")
    );
    let root = format!("<m:rad><m:e>{}</m:e></m:rad>", text("x"));
    let body = format!(
        "<w:p><m:oMath>{}{}{}{root}</m:oMath></w:p>",
        fraction(&text("x+1"), &text("10")),
        text("="),
        fraction(&raised, &text("(a+b)"))
    );
    assert_eq!(read(&body), ["p: (x+1)/10=y⟨2|^⟩/(a+b)√(x)"]);
}
