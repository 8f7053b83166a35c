use super::*;
use crate::limits::Limits;
use crate::xml::Node;

fn built(text: &str) -> Element {
    build(text, &Budget::new(Limits::default())).unwrap()
}

/// Formats the elements and texts of the body.
fn body(text: &str) -> String {
    fn show(element: &Element) -> String {
        let inner: Vec<String> = element
            .children()
            .iter()
            .map(|node| match node {
                Node::Element(inner) => format!("{}({})", inner.name(), show(inner)),
                Node::Text(text) => text.clone(),
            })
            .collect();
        inner.join(" ")
    }
    built(text)
        .at(&["html", "body"])
        .map(show)
        .unwrap_or_default()
}

#[test]
fn misnested_formatting_is_reconstructed() {
    // The adoption agency examples of the standard [13.2.10.1, 13.2.10.2].
    assert_eq!(body("<p>1<b>2<i>3</b>4</i>5</p>"), "p(1 b(2 i(3)) i(4) 5)");
    assert_eq!(body("<b>1<p>2</b>3</p>"), "b(1) p(b(2) 3)");
    assert_eq!(body("<b><p>a</b>b</p>"), "b() p(b(a) b)");
    assert_eq!(body("<a href=x>1<a href=y>2"), "a(1) a(2)");
    // Paragraphs reconstruct the active formatting elements [13.2.4.3].
    assert_eq!(body("<p><b>1<p>2"), "p(b(1)) p(b(2))");
    // At most three identical active formatting elements are reconstructed (Noah's Ark clause).
    assert_eq!(body("<p><b><b><b><b><p>x"), "p(b(b(b(b())))) p(b(b(b(x))))");
}

#[test]
fn misplaced_table_content_is_foster_parented() {
    // The foster parenting example of the standard [13.2.10.3].
    assert_eq!(
        body("<table><b><tr><td>aaa</td></tr>bbb</table>ccc"),
        "b() b(bbb) table(tbody(tr(td(aaa)))) b(ccc)"
    );
    assert_eq!(
        body("one<table>two<tr>three<td>a</td>four</table>"),
        "one two three four table(tbody(tr(td(a))))"
            .replace("one two three four", "onetwothreefour")
    );
    assert_eq!(
        body("<table><tr><td>a<table>b<tr><td>c"),
        "table(tbody(tr(td(a b table(tbody(tr(td(c))))))))".replace("a b", "ab")
    );
    assert_eq!(
        body("<table><td>a<form><tr><td>b</form></table>"),
        "table(tbody(tr(td(a form())) tr(td(b))))"
    );
    assert_eq!(
        body("<table><input type=hidden><tr><td>a"),
        "table(input() tbody(tr(td(a))))"
    );
}

#[test]
fn omitted_end_tags_are_implied() {
    assert_eq!(body("<p>a<p>b<div>c</div>"), "p(a) p(b) div(c)");
    assert_eq!(
        body("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>"),
        "ul(li(a) li(b ul(li(c))) li(d))"
    );
    assert_eq!(
        body("<ul><li>a<div><li>b</div></ul>"),
        "ul(li(a div()) li(b))"
    );
    assert_eq!(body("<ul>a<ul>b</ul>c"), "ul(a ul(b) c)");
    assert_eq!(body("<dl><dt>a<dd>b<dt>c</dl>"), "dl(dt(a) dd(b) dt(c))");
    assert_eq!(
        body("<table><tr><td>a<td><p>b<tr><td>c</table>"),
        "table(tbody(tr(td(a) td(p(b))) tr(td(c))))"
    );
    assert_eq!(
        body("<table><td>a<tbody><td>b<tfoot><th>c"),
        "table(tbody(tr(td(a))) tbody(tr(td(b))) tfoot(tr(th(c))))"
    );
    let paragraph = "<p>a<table><tr><td>b";
    assert_eq!(
        body(&format!("<!DOCTYPE html>{paragraph}")),
        "p(a) table(tbody(tr(td(b))))"
    );
    // In quirks mode a paragraph can contain tables.
    assert_eq!(body(paragraph), "p(a table(tbody(tr(td(b)))))");
    assert_eq!(
        body("<select><option>a<option>b<optgroup><option>c"),
        "select(option(a) option(b) optgroup(option(c)))"
    );
    assert_eq!(body("<ruby>a<rt>b<rp>)"), "ruby(a rt(b) rp()))");
    assert_eq!(body("<button>a<p>b<button>c"), "button(a p(b)) button(c)");
}

#[test]
fn stray_end_tags_are_ignored_except_p_and_br() {
    assert_eq!(body("a</div></td></b></table>b"), "ab");
    assert_eq!(body("a</p>b</br>c"), "a p() b br() c");
    assert_eq!(body("<h1>a</h2>b"), "h1(a) b");
    assert_eq!(body("<div>a</body></html>b"), "div(ab)");
    assert_eq!(body("<p>a</div>b"), "p(ab)");
}

#[test]
fn comments_end_as_in_browsers() {
    assert_eq!(body("a<!-->b"), "ab");
    assert_eq!(body("a<!--->b"), "ab");
    assert_eq!(body("a<!-- -- > --!>b"), "ab");
    assert_eq!(body("a<!-- b"), "a");
    assert_eq!(body("a<!- b>c<?php d ?>e</ f>g"), "aceg");
    assert_eq!(body("a<![CDATA[b]]>c"), "ac");
}

#[test]
fn character_references_are_resolved() {
    assert_eq!(
        body("&eacute;&#233;&#xE9;&hellip;&nbsp&ampx &notit; &copy2"),
        "ééé…\u{a0}&x ¬it; ©2"
    );
    assert_eq!(
        body("&#150;&#0;&#x110000;&#xD800;&unknown; & &; &#; &#x;"),
        "–\u{fffd}\u{fffd}\u{fffd}&unknown; & &; &#; &#x;"
    );
    let link = |text: &str| {
        let root = built(text);
        let found = root.descendant("a").and_then(|a| a.get("href"));
        found.map(str::to_owned)
    };
    assert_eq!(
        link("<a href='?a=1&copy=2&amp;b&lt'>").as_deref(),
        Some("?a=1&copy=2&b<")
    );
}

#[test]
fn raw_text_is_not_parsed() {
    assert_eq!(
        body("<div><script>if (a</b) '</scripty>' <!-- <script> </script> --></SCRIPT >x"),
        "div(script(if (a</b) '</scripty>' <!-- <script> </script> -->) x)"
    );
    assert_eq!(body("<div><style><p>a</style>b"), "div(style(<p>a) b)");
    assert_eq!(body("<textarea>\n<b>&lt;</textarea>c"), "textarea(<b><) c");
    assert_eq!(body("<xmp><b>&lt;</xmp>c"), "xmp(<b>&lt;) c");
    assert_eq!(
        body("<div><noscript><p>a</noscript>"),
        "div(noscript(p(a)))"
    );
    assert_eq!(body("<plaintext></plaintext>"), "plaintext(</plaintext>)");
    assert_eq!(body("<pre>\n\na</pre>"), "pre(\na)");
    let title = "<title>a&lt;b<i></title>";
    assert_eq!(
        built(title)
            .descendant("title")
            .map(Element::text)
            .as_deref(),
        Some("a<b<i>")
    );
}

#[test]
fn null_characters_are_dropped_or_replaced() {
    assert_eq!(body("a\0b<p title='\0'>c\r\nd\re"), "ab p(c\nd\ne)");
    assert_eq!(
        body("<div><script>a\0b</script>"),
        "div(script(a\u{fffd}b))"
    );
}

#[test]
fn attributes_are_parsed_in_all_syntaxes() {
    let root = built("<P Class=x id='a' ID=b hidden data-a=\"1>2\"/title=t>");
    let paragraph = root.descendant("p").unwrap();
    let values = ["class", "id", "hidden", "data-a", "title"].map(|name| paragraph.get(name));
    assert_eq!(
        values,
        [Some("x"), Some("a"), Some(""), Some("1>2"), Some("t")]
    );
}

#[test]
fn unterminated_constructs_end_with_the_page() {
    for text in [
        "<", "</", "<a", "<a b", "<a b=", "<a b='", "<!--", "<script>", "&#", "&", "<a/", "</é",
        "é<",
    ] {
        let root = built(text);
        assert!(root.find("html").is_some(), "{text}");
    }
    assert_eq!(body("é<b>ü&eacute"), "é b(üé)");
}

#[test]
fn elements_nested_too_deeply_are_flattened() {
    for (tag, end) in [
        ("<div>", "</div>"),
        ("<b>", "</b>"),
        ("<svg>", ""),
        ("<table><td>", ""),
    ] {
        let text = tag.repeat(100_000) + "x<br>" + &end.repeat(100_000) + "y";
        assert_eq!(built(&text).text(), "xy", "{tag}");
    }
}

#[test]
fn hostile_pages_take_linear_time() {
    let fonts: String = (0..2_000)
        .map(|size| format!("<font size={size}>"))
        .collect();
    let text = format!("<p>{fonts}") + &"<p>x".repeat(2_000);
    let limits = Limits {
        elements_at_once: 100_000,
        ..Limits::default()
    };
    let refused = build(&text, &Budget::new(limits));
    assert!(matches!(refused, Err(MarkupError::TooLarge(_))));
    // Without the limit, each of these attributes would be compared with all others.
    let attributes: String = (0..200_000)
        .map(|number| format!(" a{number}='<>'"))
        .collect();
    let root = built(&format!(
        "<p{attributes} hidden>x<p{attributes}>y</p{attributes}>"
    ));
    assert_eq!(root.text(), "xy");
    let paragraph = root.descendant("p").unwrap();
    assert_eq!(
        (paragraph.get("a255"), paragraph.get("a256")),
        (Some("<>"), None)
    );
    // Text that resembles attributes is kept.
    let words = "<b".to_owned() + &" a=1".repeat(1_000);
    assert_eq!(built(&format!("<xmp>{words}</xmp>")).text(), words);
    assert_eq!(
        built(&format!("<textarea>{words}</textarea>")).text(),
        words
    );
    assert_eq!(built(&format!("<!--{words}-->x")).text(), "x");
    let moved = "<table>".to_owned() + &"x<i>".repeat(100_000);
    assert_eq!(built(&moved).text().len(), 100_000);
}
