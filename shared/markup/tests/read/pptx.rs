//! Presentations by feature.

use domain::format::Format;

use crate::made::{archive, archive_of, lines, opened, part, relations, warnings};

fn presentation(shapes: &str) -> Vec<u8> {
    let master = part(
        "p:sldMaster",
        "<p:txStyles><p:bodyStyle><a:lvl1pPr><a:buChar char='•'/></a:lvl1pPr>\
         <a:lvl2pPr><a:buAutoNum type='alphaLcParenR'/></a:lvl2pPr></p:bodyStyle></p:txStyles>",
    );
    let slide = |shapes: &str, more: &str| {
        let part = part(
            "p:sld",
            &format!("<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"),
        );
        part.replacen("<p:sld ", &format!("<p:sld {more} "), 1)
    };
    let layout = part(
        "p:sldLayout",
        "<p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type='body' idx='1'/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm>\
         <a:off x='0' y='5000000'/><a:ext cx='100' cy='100'/></a:xfrm></p:spPr></p:sp></p:spTree></p:cSld>",
    );
    let links = [
        ("l", "slideLayout", "layout.xml"),
        ("i", "image", "a.png"),
        ("web", "hyperlink", "https://a.example/"),
        ("two", "slide", "slide2.xml"),
        ("place", "hyperlink", "#a:b"),
    ];
    archive(&[
        (
            "_rels/.rels",
            &relations(&[("r", "officeDocument", "ppt/presentation.xml")]),
        ),
        (
            "ppt/presentation.xml",
            &part(
                "p:presentation",
                "<p:sldIdLst><p:sldId r:id='s1'/><p:sldId r:id='s2'/></p:sldIdLst><p:sldSz cx='1270000' cy='2540000'/>",
            ),
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            &relations(&[("s1", "slide", "slide1.xml"), ("s2", "slide", "slide2.xml")]),
        ),
        ("ppt/slide1.xml", &slide(shapes, "")),
        ("ppt/slide2.xml", &slide("", "show='0'")),
        ("ppt/_rels/slide1.xml.rels", &relations(&links)),
        ("ppt/layout.xml", &layout),
        (
            "ppt/_rels/layout.xml.rels",
            &relations(&[("m", "slideMaster", "master.xml")]),
        ),
        ("ppt/master.xml", &master),
        ("ppt/a.png", "picture"),
    ])
}

fn shape(placeholder: &str, top: u32, paragraphs: &str) -> String {
    let place = match top {
        0 => String::new(),
        top => format!("<a:xfrm><a:off x='0' y='{top}'/><a:ext cx='100' cy='100'/></a:xfrm>"),
    };
    format!(
        "<p:sp><p:nvSpPr><p:nvPr>{placeholder}</p:nvPr></p:nvSpPr><p:spPr>{place}</p:spPr><p:txBody>{paragraphs}</p:txBody></p:sp>"
    )
}

fn said(level: u32, text: &str) -> String {
    format!("<a:p><a:pPr lvl='{level}'/><a:r><a:t>{text}</a:t></a:r></a:p>")
}

#[test]
fn slides_are_read_title_first_and_then_from_top_to_bottom() {
    let shapes = shape("", 9_000_000, &said(0, "low"))
        + &shape(
            "<p:ph type='body' idx='1'/>",
            0,
            &(said(0, "first") + &said(1, "a") + &said(1, "b") + &said(0, "second")),
        )
        + &shape("<p:ph type='title'/>", 7_000_000, &said(0, "Title"))
        + &shape("<p:ph type='ftr'/>", 8_000_000, &said(0, "foot"));
    let document = opened(&presentation(&shapes), Format::Pptx).unwrap();
    assert_eq!(
        lines(&document),
        [
            "h1: Title",
            "u0 •: first",
            "o1 a): a",
            "o1 b): b",
            "u0 •: second",
            "p: low"
        ]
    );
    assert_eq!(
        crate::outline::lines(&document.pages[0].footer),
        "p: foot\n"
    );
    assert_eq!(
        (document.pages.len(), document.pages[0].size.width),
        (1, 100.0)
    );
    assert_eq!(warnings(&document), [("hidden_left_out", 1)]);
}

#[test]
fn pictures_tables_and_links_are_read() {
    let frame = |inner: &str| {
        format!(
            "<p:graphicFrame><a:graphic><a:graphicData>{inner}</a:graphicData></a:graphic></p:graphicFrame>"
        )
    };
    let cell = |more: &str, text: &str| {
        format!("<a:tc {more}><a:txBody>{}</a:txBody></a:tc>", said(0, text))
    };
    let table = format!(
        "<a:tbl><a:tblPr firstRow='1'/><a:tblGrid><a:gridCol w='127000'/><a:gridCol w='254000'/></a:tblGrid>\
         <a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl>",
        cell("gridSpan='2'", "wide"),
        cell("hMerge='1'", ""),
        cell("", "a"),
        cell("", "b")
    );
    let link = |id: &str, text: &str| {
        format!("<a:r><a:rPr b='1'><a:hlinkClick r:id='{id}'/></a:rPr><a:t>{text}</a:t></a:r>")
    };
    let shapes = format!(
        "<p:pic><p:nvPicPr><p:cNvPr descr='a dot'/></p:nvPicPr><p:blipFill><a:blip r:embed='i'/></p:blipFill></p:pic>{}{}{}",
        frame(&table),
        frame("<c:chart/>"),
        shape(
            "",
            0,
            &format!("<a:p>{}{}</a:p>", link("web", "web"), link("two", "two"))
        )
    );
    let document = opened(&presentation(&shapes), Format::Pptx).unwrap();
    let expected = [
        "image 0 Some(\"a dot\")",
        "table 2 × [10 20] heads 1 ruled",
        "  0,0 (1, 2) p: wide",
        "  1,0 p: a",
        "  1,1 p: b",
        "p: ⟨web|b→https://a.example/⟩⟨two|b⟩",
    ];
    assert_eq!(lines(&document), expected);
    assert!(warnings(&document).contains(&("chart_left_out", 1)));
}

#[test]
fn the_number_of_remaining_slides_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("slides");
    std::fs::write(&path, presentation(&shape("", 1, &said(0, "one")))).unwrap();
    let mut reader = markup::Reader::open(&path, Format::Pptx, &Default::default()).unwrap();
    let mut left = vec![reader.left()];
    while reader.next_page().unwrap().is_some() {
        left.push(reader.left());
    }
    left.push(reader.left());
    assert_eq!(left, [2, 1, 0]);
}

/// Reads three slides, the second one with these bytes or missing; the first one links to the third.
fn around(second: Option<&[u8]>) -> Vec<String> {
    let slide = |paragraph: &str| {
        let shapes = shape("", 1, paragraph);
        part(
            "p:sld",
            &format!("<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"),
        )
    };
    let first =
        slide("<a:p><a:r><a:rPr><a:hlinkClick r:id='three'/></a:rPr><a:t>on</a:t></a:r></a:p>");
    let third = slide(&said(0, "third"));
    let root = relations(&[("r", "officeDocument", "ppt/presentation.xml")]);
    let show = part(
        "p:presentation",
        "<p:sldIdLst><p:sldId r:id='s1'/><p:sldId r:id='s2'/><p:sldId r:id='s3'/></p:sldIdLst>",
    );
    let slides = ["1", "2", "3"].map(|number| (format!("s{number}"), format!("{number}.xml")));
    let slides = slides
        .each_ref()
        .map(|(id, target)| (id.as_str(), "slide", target.as_str()));
    let (slides, links) = (
        relations(&slides),
        relations(&[("three", "slide", "3.xml")]),
    );
    let mut parts = vec![
        ("_rels/.rels", root.as_bytes()),
        ("ppt/presentation.xml", show.as_bytes()),
        ("ppt/_rels/presentation.xml.rels", slides.as_bytes()),
        ("ppt/1.xml", first.as_bytes()),
        ("ppt/_rels/1.xml.rels", links.as_bytes()),
        ("ppt/3.xml", third.as_bytes()),
    ];
    parts.extend(second.map(|second| ("ppt/2.xml", second)));
    lines(&opened(&archive_of(&parts), Format::Pptx).unwrap())
}

#[test]
fn links_to_slides_skip_hidden_slides() {
    let plain = part("p:sld", "<p:cSld/>");
    let with = |more: &str| plain.replacen("<p:sld ", &format!("<p:sld{more}"), 1);
    let wide: Vec<u8> = [0xfeff]
        .into_iter()
        .chain(with(" show='0' ").replace("UTF-8", "UTF-16").encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let far = format!("<!--{}--><p:sld", "far ".repeat(2_000));
    let hidden = [
        Some(with(" show=\"false\" ").into_bytes()),
        Some(with("\nshow='0' ").into_bytes()),
        Some(with(" show = '0' ").into_bytes()),
        Some(with(" show='&#48;' ").into_bytes()),
        Some(with(" show='0' ").replace("p:sld ", "p:sld\n").into_bytes()),
        Some(with(" show='0' ").replacen("<p:sld", &far, 1).into_bytes()),
        Some(wide),
        None,
    ];
    for second in hidden {
        assert_eq!(
            around(second.as_deref()),
            ["p: ⟨on|→#page=2⟩", "p: third"],
            "{}",
            String::from_utf8_lossy(second.as_deref().unwrap_or_default())
        );
    }
    let shown = [
        with(" "),
        with(" show='1' "),
        with(" title='a show=\"0\" of it' "),
    ];
    for second in shown {
        assert_eq!(
            around(Some(second.as_bytes())),
            ["p: ⟨on|→#page=3⟩", "p: third"],
            "{second}"
        );
    }
}

#[test]
fn hidden_shapes_and_links_that_are_not_kept_are_counted() {
    let with = |properties: &str, text: &str| {
        shape("", 1, &said(0, text)).replacen("<p:nvSpPr>", &format!("<p:nvSpPr>{properties}"), 1)
    };
    let link = |id: &str, text: &str| {
        format!("<a:r><a:rPr><a:hlinkClick r:id='{id}'/></a:rPr><a:t>{text}</a:t></a:r>")
    };
    // The runs of one link, one without text, and another link.
    let run = format!(
        "<a:p>{}<a:br><a:rPr><a:hlinkClick r:id='two'/></a:rPr></a:br>{}{}{}{}</a:p>",
        link("two", "hidden "),
        link("two", "slide"),
        link("web", ""),
        link("web", ", web, "),
        link("two", "again") + &link("place", ", place")
    );
    let shapes = with("<p:cNvPr hidden='1'/>", "no")
        + &with("<p:cNvPr hidden='1'/>", "")
        + &with("<p:cNvPr><a:hlinkClick r:id='web'/></p:cNvPr>", "one")
        + &shape("", 2, &run);
    let document = opened(&presentation(&shapes), Format::Pptx).unwrap();
    assert_eq!(
        lines(&document),
        [
            "p: one",
            "p: hidden ⏎slide⟨, web, |→https://a.example/⟩again, place"
        ]
    );
    // The second slide is hidden, too.
    assert_eq!(
        warnings(&document),
        [
            ("hidden_left_out", 1),
            ("hidden_left_out", 1),
            ("links_left_out", 4)
        ]
    );
}
