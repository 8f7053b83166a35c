//! Web pages that render successfully despite scripts, dialogs and endless requests.

use crate::internet::{Internet, html, not_found, redirect, response};
use crate::support::print;

const SITE: &str = "http://site.example.com";

#[test]
fn content_of_scripts_and_redirects_is_printed() {
    let internet = Internet::with_site(|path| {
        match path {
        "/" => redirect("/page"),
        "/page" => html(
            "<title>T</title><h1 id=h>before</h1><script src=script.js></script>\
             <div style='height:4000px'></div><img loading=lazy src=/picture.svg><p>the end</p>",
        ),
        "/script.js" => response(
            "200 OK",
            "Content-Type: text/javascript\r\n",
            b"fetch('/words').then(r => r.text()).then(t => h.textContent = t)",
        ),
        "/words" => response("200 OK", "Content-Type: text/plain\r\n", b"brought by a script"),
        "/picture.svg" => response(
            "200 OK",
            "Content-Type: image/svg+xml\r\n",
            b"<svg xmlns='http://www.w3.org/2000/svg' width='300' height='50'><text y='30'>in the picture</text></svg>",
        ),
        _ => not_found(),
    }
    });
    let text = print(&internet, &format!("{SITE}/")).unwrap();
    for words in ["brought by a script", "in the picture", "the end"] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!text.contains("before"), "{text}");
    assert!(text.matches('\u{c}').count() >= 3, "{text}");
}

#[test]
fn dialogs_popups_and_missing_resources_do_not_prevent_printing() {
    let internet = Internet::with_site(|path| match path {
        "/" => html(
            "<img src=/missing.png><iframe src=/missing></iframe><p id=p>first</p>\
             <script>alert('x'); confirm('y'); prompt('z'); onbeforeunload = () => 'no';
             const w = window.open('http://10.1.2.3/'); print();
             p.textContent = w ? 'opened' : 'no window';</script>",
        ),
        _ => not_found(),
    });
    let text = print(&internet, &format!("{SITE}/")).unwrap();
    assert!(text.contains("no window"), "{text}");
    assert_eq!(internet.dialed(), ["93.184.216.34:80"]);
}

#[test]
fn a_page_that_never_finishes_loading_is_printed_as_is() {
    let internet = Internet::with_site(|path| match path {
        "/" => html(
            "<p>here</p><script>setInterval(() => fetch('/again?' + Math.random()), 50)</script>",
        ),
        "/refresh" => html("<meta http-equiv=refresh content='0;url=/refresh'><p>and again</p>"),
        _ => html("x"),
    });
    let text = print(&internet, &format!("{SITE}/")).unwrap();
    assert!(text.contains("here"), "{text}");
    let text = print(&internet, &format!("{SITE}/refresh")).unwrap();
    assert!(text.contains("and again"), "{text}");
}
