//! HTML and Markdown by feature.

use domain::format::Format;

use crate::made::{lines, opened, warnings};

fn read(text: &str) -> Vec<String> {
    lines(&opened(text.as_bytes(), Format::Html).unwrap())
}

#[test]
fn content_between_table_cells_is_kept() {
    let text = "<table><form>one<tr><p>two</p><td>a</td></tr></form><tbody>three<td>b</table>";
    let found = read(text);
    assert_eq!(found[0], "p: one");
    assert_eq!(found[1], "p: two");
    assert_eq!(found[2], "p: three");
    let cells = found[3..].join(" ");
    assert!(cells.contains("p: a") && cells.contains("p: b"), "{cells}");
}

#[test]
fn elements_are_read_by_their_semantics() {
    let text = "<html lang=fr><head><title> A \n title</title><style>p{}</style></head><body><h2>Head <em>line</em></h2>\
        <p>one\n  two<br>three &amp; <b>bold</b> <code>x</code><a href='https://a.example/'>web</a><a href='javascript:x()'>no</a>\
        <div>four<script>alert('x')</script><p hidden>secret<hr><pre>  a\n b</pre>";
    let document = opened(text.as_bytes(), Format::Html).unwrap();
    let expected = [
        "h2: Head ⟨line|i⟩",
        "p: one two⏎three & ⟨bold|b⟩ ⟨x|m⟩⟨web|→https://a.example/⟩no",
        "p: four",
        "rule",
        "code: ⟨  a⏎ b|m⟩",
    ];
    assert_eq!(lines(&document), expected);
    assert_eq!(document.metadata.title.as_deref(), Some("A title"));
    assert_eq!(document.metadata.language.as_deref(), Some("fr"));
    assert_eq!(
        warnings(&document),
        [("hidden_left_out", 1), ("links_left_out", 1)]
    );
}

#[test]
fn lists_are_nested_and_counted() {
    let text = "<ul><li>a<ul><li>b<li>c<p>more</p></ul><li>d</ul><ol start=3 type=a><li>e<li value=9><p>f</p></ol><p>end";
    let expected = [
        "u0 •: a",
        "u1 ◦: b",
        "u1 ◦: c⏎more",
        "u0 •: d",
        "o0 c.: e",
        "o0 i.: f",
        "p: end",
    ];
    assert_eq!(read(text), expected);
}

#[test]
fn tables_have_header_rows_and_spans() {
    let text = "<table border=1><caption>Name</caption><thead><tr><th colspan=2>wide<th rowspan=0>high</thead>\
        <tfoot><tr><td>foot</tfoot><tr><td>a<td><ul><li>b</ul></table>";
    let expected = [
        "p: Name",
        "table 3 × [150 150 150] heads 1 ruled",
        "  0,0 (1, 2) p: ⟨wide|b⟩",
        "  0,2 (3, 1) p: ⟨high|b⟩",
        "  1,0 p: a",
        "  1,1 u0 •: b",
        "  2,0 p: foot",
    ];
    assert_eq!(read(text), expected);
}

#[test]
fn only_embedded_pictures_are_read() {
    let text = "<p>x<img src='data:image/png;base64,cG5n' alt='dot'><img src='https://a.example/a.png' alt='far'>\
        <img src='/etc/passwd'><img src='file:///etc/passwd'>";
    let document = opened(text.as_bytes(), Format::Html).unwrap();
    assert_eq!(lines(&document), ["p: xfar", "image 0 Some(\"dot\")"]);
    assert_eq!(warnings(&document), [("external_link_blocked", 3)]);
    assert_eq!(
        document.pictures.bytes(0).unwrap().as_deref(),
        Some(&b"png"[..])
    );
}

#[test]
fn markdown_is_read_by_its_semantics() {
    let text = "# Head\n\n*one* ~~two~~[^n]\n\n- a\n  1. b\n\n|x|y|\n|-|-|\n|1|2|\n\n```\ncode\n```\n\n[^n]: note\n<script>x</script>";
    let document = opened(text.as_bytes(), Format::Markdown).unwrap();
    let expected = [
        "h1: Head",
        "p: ⟨one|i⟩ ⟨two|s⟩⟨1|^⟩",
        "u0 •: a",
        "o1 1.: b",
        "table 2 × [226 226] heads 1 ruled",
        "  0,0 p: ⟨x|b⟩",
        "  0,1 p: ⟨y|b⟩",
        "  1,0 p: 1",
        "  1,1 p: 2",
        "code: ⟨code|m⟩",
        "note 1: note",
    ];
    assert_eq!(lines(&document), expected);
}

#[test]
fn quotations_contain_any_block() {
    let text = "<blockquote>one<blockquote><p>two<pre>  x</pre></blockquote><ul><li>three</ul></blockquote>\
        <ul><li>four<blockquote>five</blockquote></ul>";
    let expected = [
        "> p: one",
        "> > p: two",
        "> > code: ⟨  x|m⟩",
        "> u0 •: three",
        "u0 •: four⏎five",
    ];
    assert_eq!(read(text), expected);
    let markdown = opened(b"> one\n>\n> > two\n\nthree", Format::Markdown).unwrap();
    assert_eq!(lines(&markdown), ["> p: one", "> > p: two", "p: three"]);
}

#[test]
fn checkboxes_are_the_markers_of_their_items() {
    let text = "- [ ] a\n- [x] b\n- c\n\n1. [x] d";
    let expected = ["u0 ☐: a", "u0 ☑: b", "u0 •: c", "o0 1.: ☑ d"];
    let markdown = opened(text.as_bytes(), Format::Markdown).unwrap();
    assert_eq!(lines(&markdown), expected);
    let page = "<p><label><input type=Checkbox checked> e</label> <input type=checkbox> f <input type=text value=g>";
    assert_eq!(read(page), ["p: ☑ e ☐ f g"]);
}

#[test]
fn words_in_attributes_frames_and_drawings_are_read() {
    let text = "<p><input value=a><input type=hidden value=no><select><option>no<option selected>b</select>\
        <select><optgroup label=x><option>c<option>no</select></p><svg><g><text>d</text><foreignObject><p>i</p></foreignObject></g></svg>\
        <svg aria-hidden=true><text>no</text></svg><iframe srcdoc='<h2>e</h2><template>no</template>'></iframe>\
        <object><p>f</p></object><div><template shadowrootmode=open><p>g</template></div>\
        <dialog>no</dialog><dialog open>h</dialog>";
    let page = opened(text.as_bytes(), Format::Html).unwrap();
    let expected = ["p: a b c", "p: d i", "h2: e", "p: f", "p: g", "p: h"];
    assert_eq!(lines(&page), expected);
    let frame = |inner: &str| {
        format!(
            "<iframe srcdoc=\"<p>x</p>{}\"></iframe>",
            inner.replace('"', "&quot;")
        )
    };
    let nested = (0..6).fold(String::new(), |inner, _| {
        frame(&inner.replace('&', "&amp;"))
    });
    assert_eq!(read(&nested), ["p: x"]);
}

#[test]
fn headings_and_tables_have_their_styles() {
    let text = "<h1 style='text-align:center'>a</h1><h2 align=right>b</h2>\
        <table><tr><td style='border: 1px solid'>c</table><table class='x ruled'><tr><td>d</table>\
        <table style='border:none'><tr><td>e</table>";
    let expected = [
        "h1 Center: a",
        "h2 End: b",
        "table 1 × [451] heads 0 ruled",
        "  0,0 p: c",
        "table 1 × [451] heads 0 ruled",
        "  0,0 p: d",
        "table 1 × [451] heads 0",
        "  0,0 p: e",
    ];
    assert_eq!(read(text), expected);
}

#[test]
fn front_matter_is_the_title_and_not_text() {
    let text = "---\ntitle: Front\nlang: en\n---\n# Head\n";
    let document = opened(text.as_bytes(), Format::Markdown).unwrap();
    assert_eq!(lines(&document), ["h1: Head"]);
    assert_eq!(document.metadata.title.as_deref(), Some("Front"));
}

#[test]
fn markdown_note_references_are_read() {
    let text = "At 5 m[^4] and x<sup>2</sup>.\n\n[^4]: fourth\n";
    let document = opened(text.as_bytes(), Format::Markdown).unwrap();
    let layout::Content::Paragraph { runs, .. } = &document.pages[0].blocks[0].content else {
        panic!("no paragraph");
    };
    let linked: Vec<_> = runs
        .iter()
        .filter_map(|run| Some((run.text.as_str(), run.link.as_deref()?)))
        .collect();
    assert_eq!(linked, [("1", layout::NOTE)]);
}

#[test]
fn links_start_at_the_base_of_the_page() {
    let links = "<p><a href='a.html'>a</a> <a href='../b'>b</a> <a href='/c'>c</a> <a href='//d.example/'>d</a>\
        <a href='mailto:e@e.example'>e</a> <a href='#f'>f</a><a href='#gone'>g</a><a href='#'>h</a><b id=f>i</b>";
    let with = |base: &str| {
        let document = opened(format!("{base}{links}").as_bytes(), Format::Html).unwrap();
        (lines(&document).concat(), warnings(&document))
    };
    let rest = "⟨d|→https://d.example/⟩⟨e|→mailto:e@e.example⟩ ⟨f|→#page=1⟩gh⟨i|b⟩";
    let (shown, dropped) = with("<base target=_top><base href='https://a.example/x/y.html'>");
    assert_eq!(
        shown,
        format!(
            "p: ⟨a|→https://a.example/x/a.html⟩ ⟨b|→https://a.example/b⟩ ⟨c|→https://a.example/c⟩ {rest}"
        )
    );
    assert_eq!(dropped, []);
    let (shown, dropped) = with("<base href='../x/y.html'>");
    assert_eq!(
        shown,
        format!("p: ⟨a|→../x/a.html⟩ ⟨b|→../x/../b⟩ c {rest}")
    );
    // Writers drop paths from the root.
    assert_eq!(dropped, [("links_left_out", 1)]);
    let long = format!("<base href='https://a.example/{}/'>", "x".repeat(2_048));
    assert!(with(&long).0.starts_with("p: ⟨a|→a.html⟩"));
}

#[test]
fn links_of_a_frame_start_at_its_own_base() {
    let text = "<base href='https://a.example/'><p><a href='#here'>a</a><b id=here>b</b>\
        <iframe srcdoc='<p id=there><a href=c>c</a><a href=#here>d</a><a href=#there>e</a>'></iframe>\
        <iframe srcdoc='<base href=https://f.example/><p><a href=f>f</a>'></iframe><p><a href=g>g</a>";
    assert_eq!(
        read(text),
        [
            "p: ⟨a|→#page=1⟩⟨b|b⟩",
            "p: ⟨c|→https://a.example/c⟩d⟨e|→#page=1⟩",
            "p: ⟨f|→https://f.example/f⟩",
            "p: ⟨g|→https://a.example/g⟩",
        ]
    );
}

#[test]
fn links_of_pictures_are_counted() {
    let picture = "<img src='data:image/png;base64,cG5n'>";
    let count = |inner: &str| {
        let text = format!("<p>x<a href='https://a.example/'>{inner}</a>{picture}");
        let document = opened(text.as_bytes(), Format::Html).unwrap();
        let warnings = warnings(&document).into_iter();
        let links = warnings.filter(|(code, _)| *code == "links_left_out");
        links.map(|(_, count)| count).sum::<u32>()
    };
    assert_eq!(count(picture), 1);
    assert_eq!(count(&format!("{picture} Home")), 0);
    assert_eq!(count("<svg><path/></svg>"), 1);
    assert_eq!(count("<svg aria-hidden=true><path/></svg>"), 1);
    assert_eq!(count("<svg><text>Home</text></svg>"), 0);
    assert_eq!(count("<img alt=Home>"), 0);
    assert_eq!(count(""), 0);
}

#[test]
fn formulas_are_read_on_one_line() {
    let text =
        "<p>is <math><mfrac><mn>1</mn><mn>2</mn></mfrac><msup><mi>x</mi><mn>2</mn></msup></math>.";
    assert_eq!(read(text), ["p: is 1/2x⟨2|^⟩."]);
}

#[test]
fn hidden_rows_cells_and_items_are_dropped_and_counted() {
    let page = "<ul><li style='Display: None !important'>no<li>a</ul><table><caption hidden>no</caption><tr><td style='visibility:hidden'>no<td hidden>no<td>b</tr>\
        <tr style='visibility:collapse'><td>no</tr><tbody hidden><tr><td>no</tr></tbody></table>";
    let document = opened(page.as_bytes(), Format::Html).unwrap();
    assert_eq!(
        lines(&document),
        ["u0 •: a", "table 1 × [226 226] heads 0", "  0,1 p: b"]
    );
    assert_eq!(warnings(&document), [("hidden_left_out", 6)]);
}
