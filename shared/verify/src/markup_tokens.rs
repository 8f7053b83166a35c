//! Streaming tokenizer for HTML and XML of our own writers; attributes are skipped, as they may contain whole images.

use std::io::BufRead;

use task::{TaskError, TaskResult};

/// Maximum bytes of a tag name that are kept.
const MAX_NAME: usize = 32;

/// A token.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'p> {
    /// A tag name, with a leading slash for an end tag.
    Tag(&'p str),
    /// The text before the next tag.
    Text(&'p str),
}

/// Calls `take` with each token in order.
///
/// # Errors
/// Text that is not UTF-8, and errors of `take`.
pub(super) fn for_each_token(
    reader: &mut impl BufRead,
    mut take: impl FnMut(Token<'_>) -> TaskResult<()>,
) -> TaskResult<()> {
    let mut text = Vec::new();
    while reader.read_until(b'<', &mut text)? > 0 {
        let has_tag = text.pop_if(|last| *last == b'<').is_some();
        take(Token::Text(utf8(&text)?))?;
        text.clear();
        if has_tag {
            take(Token::Tag(utf8(&name(reader)?)?))?;
        }
    }
    Ok(())
}

/// Calls `take` with each token within the `body` of HTML.
pub(super) fn for_each_body_token(
    reader: &mut impl BufRead,
    mut take: impl FnMut(Token<'_>) -> TaskResult<()>,
) -> TaskResult<()> {
    let mut in_body = false;
    for_each_token(reader, |token| match in_body {
        true => take(token),
        false => {
            in_body = token == Token::Tag("body");
            Ok(())
        }
    })
}

/// Reads the name of a tag, and skips the rest of the tag.
fn name(reader: &mut impl BufRead) -> TaskResult<Vec<u8>> {
    let mut name = Vec::new();
    let is_name_byte = |byte: &u8| !byte.is_ascii_whitespace() && *byte != b'>';
    loop {
        let read = reader.fill_buf()?;
        let length = read.iter().take_while(|byte| is_name_byte(byte)).count();
        let room = MAX_NAME.saturating_sub(name.len());
        name.extend(read.iter().take(length.min(room)));
        let is_end = read.is_empty() || length < read.len();
        reader.consume(length);
        if is_end {
            reader.skip_until(b'>')?;
            return Ok(name);
        }
    }
}

/// # Errors
/// Bytes that are not UTF-8.
pub(super) fn utf8(bytes: &[u8]) -> TaskResult<&str> {
    std::str::from_utf8(bytes).map_err(|_| TaskError::output_invalid("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn tokens(page: &str, room: usize) -> Vec<String> {
        let mut tokens = Vec::new();
        let mut reader = BufReader::with_capacity(room, page.as_bytes());
        let record = |token: Token<'_>| {
            tokens.push(match token {
                Token::Tag(name) => format!("<{name}>"),
                Token::Text(text) => text.to_owned(),
            });
            Ok(())
        };
        for_each_body_token(&mut reader, record).unwrap();
        tokens.retain(|token| !token.is_empty());
        tokens
    }

    #[test]
    fn tag_names_and_texts_are_reported_without_attributes() {
        let page = "<title>x</title>\n<body>\n<p lang=\"de\">Fähre <img src=\"data:image/png;base64,AAAA\"> und<br/>See</p>";
        for room in [1, 3, 64] {
            assert_eq!(
                tokens(page, room),
                [
                    "\n", "<p>", "Fähre ", "<img>", " und", "<br/>", "See", "</p>"
                ],
                "{room}"
            );
        }
    }
}
