//! The text of markup that our own engine wrote.

/// What stands in the body of an HTML document, without its tags and with the characters that its entities stand for. Each
/// tag separates words.
pub(crate) fn text(html: &str) -> String {
    let body = html.find("<body").and_then(|start| html.get(start..));
    let (mut text, mut rest) = (String::new(), body.unwrap_or(html));
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        rest = tag.split_once('>').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    with_characters(&text)
}

/// The text with the five entities of XML, and characters by their number, written out. What is none stays.
fn with_characters(text: &str) -> String {
    let mut parts = text.split('&');
    let mut written = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part
            .split_once(';')
            .and_then(|(name, rest)| Some((character(name)?, rest)))
        {
            Some((character, rest)) => {
                written.push(character);
                written.push_str(rest);
            }
            None => {
                written.push('&');
                written.push_str(part);
            }
        }
    }
    written
}

fn character(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let number = name.strip_prefix('#')?;
            let number = match number.strip_prefix(['x', 'X']) {
                Some(hex) => u32::from_str_radix(hex, 16),
                None => number.parse(),
            };
            char::from_u32(number.ok()?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_separate_and_entities_are_written_out() {
        let html = "<html><head><title>no</title></head><body id='a'>na&#239;ve<b>&amp;</b>x&lt;y &unknown; 1&2";
        let words: Vec<_> = text(html).split_whitespace().map(str::to_owned).collect();
        assert_eq!(words, ["naïve", "&", "x<y", "&unknown;", "1&2"]);
        assert_eq!(text("plain"), "plain");
    }
}
