//! The page in which the browser prints documents that bring no style sheet of their own.

use pulldown_cmark::{Event, html};

/// Start of the HTML page. Scripts are also disabled in the browser.
const HEAD: &str = "<!doctype html>
<html><head><meta charset=\"utf-8\">
<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'\">
<style>
body { font: 11pt/1.5 'Open Sans', 'Noto Sans', 'DejaVu Sans', sans-serif; color: #1a1a1a; margin: 0; overflow-wrap: break-word; }
@media screen { body { max-width: 60em; margin: 2em auto; padding: 0 2em; } }
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.2em 0 0.5em; break-after: avoid; }
h1 { font-size: 22pt; margin-top: 0; } h2 { font-size: 17pt; } h3 { font-size: 14pt; } h4, h5, h6 { font-size: 11.5pt; }
p, ul, ol, table, pre, blockquote { margin: 0 0 0.8em; }
code, pre { font-family: 'DejaVu Sans Mono', 'Liberation Mono', monospace; font-size: 9.5pt; }
code { background: #f2f2f2; padding: 0.1em 0.3em; border-radius: 3px; }
pre { background: #f6f6f6; padding: 0.8em; border-radius: 4px; white-space: pre-wrap; }
pre code { background: none; padding: 0; }
blockquote { border-left: 3px solid #ccc; padding-left: 1em; color: #555; }
table { border-collapse: collapse; } thead { display: table-header-group; } tr { break-inside: avoid; }
th:not(.mail *), td:not(.mail *) { border: 1px solid #bbb; padding: 0.3em 0.6em; text-align: left; vertical-align: top; }
th:not(.mail *) { background: #f2f2f2; } table:where(.mail *) { border-collapse: separate; margin: 0; }
img { max-width: 100%; } hr { border: 0; border-top: 1px solid #ccc; } a { color: #0b57d0; }
</style>
";

/// Returns a page with a title and the content of its body.
pub(super) fn page(title: Option<&str>, body: &str) -> String {
    let mut page = HEAD.to_owned();
    if let Some(title) = title {
        page.push_str("<title>");
        html::push_html(&mut page, std::iter::once(Event::Text(title.into())));
        page.push_str("</title>");
    }
    page.push_str("</head><body>\n");
    page.push_str(body);
    page.push_str("</body></html>\n");
    page
}
