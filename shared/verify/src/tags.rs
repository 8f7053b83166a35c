//! What stands between the tags of HTML and XML that we wrote, read piece by piece: what stands within a tag may be a whole picture.

use std::io::BufRead;

use task::{Fault, Outcome};

/// Most bytes of a tag's name that are told.
const NAME: usize = 32;

/// A piece of a page.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece<'p> {
    /// The name of a tag, with a slash before it where it ends something.
    Tag(&'p str),
    /// What stands before the next tag.
    Text(&'p str),
}

/// Gives each piece to `take`, in their order.
///
/// # Errors
/// That it is not UTF-8, and what `take` says.
pub(super) fn each_piece(
    reader: &mut impl BufRead,
    mut take: impl FnMut(Piece<'_>) -> Outcome<()>,
) -> Outcome<()> {
    let mut text = Vec::new();
    while reader.read_until(b'<', &mut text)? > 0 {
        let has_tag = text.pop_if(|last| *last == b'<').is_some();
        take(Piece::Text(utf8(&text)?))?;
        text.clear();
        if has_tag {
            take(Piece::Tag(utf8(&name(reader)?)?))?;
        }
    }
    Ok(())
}

/// The same for what stands in the body of HTML: what stands before is not shown.
pub(super) fn each_shown(
    reader: &mut impl BufRead,
    mut take: impl FnMut(Piece<'_>) -> Outcome<()>,
) -> Outcome<()> {
    let mut is_shown = false;
    each_piece(reader, |piece| match is_shown {
        true => take(piece),
        false => {
            is_shown = piece == Piece::Tag("body");
            Ok(())
        }
    })
}

/// The name of a tag, whose end is gone to.
fn name(reader: &mut impl BufRead) -> Outcome<Vec<u8>> {
    let mut name = Vec::new();
    let is_of_name = |byte: &u8| !byte.is_ascii_whitespace() && *byte != b'>';
    loop {
        let read = reader.fill_buf()?;
        let length = read.iter().take_while(|byte| is_of_name(byte)).count();
        let room = NAME.saturating_sub(name.len());
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
/// That it is not UTF-8.
pub(super) fn utf8(bytes: &[u8]) -> Outcome<&str> {
    std::str::from_utf8(bytes).map_err(|_| Fault::output_invalid("it is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    fn pieces(page: &str, room: usize) -> Vec<String> {
        let mut pieces = Vec::new();
        let mut reader = BufReader::with_capacity(room, page.as_bytes());
        let told = |piece: Piece<'_>| {
            pieces.push(match piece {
                Piece::Tag(name) => format!("<{name}>"),
                Piece::Text(text) => text.to_owned(),
            });
            Ok(())
        };
        each_shown(&mut reader, told).unwrap();
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    #[test]
    fn names_and_texts_are_told_and_what_is_in_tags_is_not() {
        let page = "<title>x</title>\n<body>\n<p lang=\"de\">Fähre <img src=\"data:image/png;base64,AAAA\"> und<br/>See</p>";
        for room in [1, 3, 64] {
            assert_eq!(
                pieces(page, room),
                [
                    "\n", "<p>", "Fähre ", "<img>", " und", "<br/>", "See", "</p>"
                ],
                "{room}"
            );
        }
    }
}
