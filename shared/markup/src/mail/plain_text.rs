//! Plain text of a mail as HTML: lines stay lines, unless they are parts of a flowed paragraph [RFC 3676].

use crate::html_fragment::escaped;

/// Returns the HTML of a text. `is_flowed` joins lines that end with a space.
pub(super) fn html(text: &str, is_flowed: bool) -> String {
    let text = text.replace("\r\n", "\n");
    let mut html = String::with_capacity(text.len() + text.len() / 8);
    html.push_str("<p style=\"white-space:pre-wrap\">");
    let mut lines = text.trim_end().split(['\n', '\r']).peekable();
    while let Some(line) = lines.next() {
        if line.trim().is_empty() {
            html.push_str("</p>\n<p style=\"white-space:pre-wrap\">");
            continue;
        }
        html.push_str(&escaped(line));
        let next = lines.peek().copied().unwrap_or_default();
        // The separator of a signature is a line of its own.
        let is_joined = is_flowed && line.ends_with(' ') && line != "-- " && !is_quoted(next);
        if !is_joined && !next.trim().is_empty() {
            html.push_str("<br>");
        }
    }
    html.push_str("</p>");
    html.replace("<p style=\"white-space:pre-wrap\"></p>\n", "")
}

fn is_quoted(line: &str) -> bool {
    line.starts_with('>')
}

#[cfg(test)]
mod tests {
    use super::html;

    #[test]
    fn lines_and_paragraphs_are_kept() {
        let paragraph = |text: &str| format!("<p style=\"white-space:pre-wrap\">{text}</p>");
        let text = "\r\none <b>\r\n  two\r\n\r\n\r\n> three\r\n";
        let expected = [paragraph("one &lt;b&gt;<br>  two"), paragraph("&gt; three")].join("\n");
        assert_eq!(html(text, false), expected);
        let flowed = "long \nparagraph\n-- \nname";
        assert_eq!(
            html(flowed, true),
            paragraph("long paragraph<br>-- <br>name")
        );
    }
}
