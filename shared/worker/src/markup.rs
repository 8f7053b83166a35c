//! Text extraction from hOCR written by the OCR engine.

/// Returns the text of an HTML body with character references decoded. Each tag separates words.
pub(crate) fn text(html: &str) -> String {
    let body = html.find("<body").and_then(|start| html.get(start..));
    let (mut text, mut rest) = (String::new(), body.unwrap_or(html));
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        text.push(' ');
        rest = tag.split_once('>').map_or("", |(_, rest)| rest);
    }
    text.push_str(rest);
    decode_references(&text)
}

/// Decodes the five predefined entities of XML and numeric character references. Others stay as they are.
fn decode_references(text: &str) -> String {
    let mut parts = text.split('&');
    let mut decoded = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part
            .split_once(';')
            .and_then(|(name, rest)| Some((character(name)?, rest)))
        {
            Some((character, rest)) => {
                decoded.push(character);
                decoded.push_str(rest);
            }
            None => {
                decoded.push('&');
                decoded.push_str(part);
            }
        }
    }
    decoded
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
    fn tags_separate_words_and_references_are_decoded() {
        let html = "<html><head><title>no</title></head><body id='a'>na&#239;ve<b>&amp;</b>x&lt;y &unknown; 1&2";
        let words: Vec<_> = text(html).split_whitespace().map(str::to_owned).collect();
        assert_eq!(words, ["naïve", "&", "x<y", "&unknown;", "1&2"]);
        assert_eq!(text("plain"), "plain");
    }
}
