//! Replaces properties of an XMP packet [ISO 16684-1] and keeps all others.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, Writer, escape::escape};

const DUBLIN_CORE: &str = "http://purl.org/dc/elements/1.1/";
const ADOBE: &str = "http://ns.adobe.com/pdf/1.3/";

/// Maximum depth of elements.
const MAX_DEPTH: usize = 256;

/// Returns the packet with these texts, keyed as in the information dictionary; `None` if it cannot be parsed.
pub(super) fn set(packet: &[u8], texts: &[(&str, &str)]) -> Option<Vec<u8>> {
    let packet = std::str::from_utf8(packet).ok()?;
    if !uses_prefix(packet, "dc", DUBLIN_CORE) || !uses_prefix(packet, "pdf", ADOBE) {
        return None;
    }
    let replaced = properties(texts);
    let mut reader = Reader::from_str(packet);
    let mut writer = Writer::new(Vec::new());
    let (mut depth, mut skipped, mut written) = (0_usize, None, false);
    loop {
        let event = reader.read_event().ok()?;
        match &event {
            Event::Eof => break,
            Event::DocType(_) => return None,
            Event::Start(start) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return None;
                }
                if skipped.is_none() && replaced.contains(&start.name().as_ref()) {
                    skipped = Some(depth);
                }
            }
            Event::End(end) => {
                if skipped.is_none() && end.name().as_ref() == "rdf:RDF" {
                    writer.get_mut().extend(description(texts).bytes());
                    written = true;
                }
                let started = depth;
                depth = depth.checked_sub(1)?;
                if skipped == Some(started) {
                    skipped = None;
                    continue;
                }
            }
            Event::Empty(empty) if replaced.contains(&empty.name().as_ref()) => continue,
            _ => {}
        }
        if skipped.is_none() {
            writer.write_event(strip(event, &replaced)?).ok()?;
        }
    }
    (written && depth == 0).then(|| writer.into_inner())
}

/// Whether all declarations of a namespace use its usual prefix.
fn uses_prefix(packet: &str, prefix: &str, vocabulary: &str) -> bool {
    ['"', '\''].iter().all(|quote| {
        let declaration = format!("={quote}{vocabulary}{quote}");
        let mut before = packet.split(&declaration).collect::<Vec<_>>();
        before.pop();
        before
            .iter()
            .all(|text| text.trim_end().ends_with(&format!(":{prefix}")))
    })
}

/// Returns the XMP properties that correspond to the texts.
fn properties(texts: &[(&str, &str)]) -> Vec<&'static str> {
    let names = texts.iter().flat_map(|(key, _)| match *key {
        "Title" => &["dc:title"][..],
        "Author" => &["dc:creator"],
        "Subject" => &["dc:description"],
        _ => &["pdf:Keywords", "dc:subject"],
    });
    names.copied().collect()
}

/// Removes the attributes that are replaced from the event's element; `None` if its attributes cannot be parsed.
fn strip<'a>(event: Event<'a>, replaced: &[&str]) -> Option<Event<'a>> {
    let strip = |start: &BytesStart<'a>| {
        let mut stripped = start.to_owned();
        stripped.clear_attributes();
        for attribute in start.attributes() {
            let attribute = attribute.ok()?;
            if !replaced.contains(&attribute.key.as_ref()) {
                stripped.push_attribute(attribute);
            }
        }
        Some(stripped)
    };
    match event {
        Event::Start(start) => Some(Event::Start(strip(&start)?)),
        Event::Empty(start) => Some(Event::Empty(strip(&start)?)),
        other => Some(other),
    }
}

pub(crate) fn description(texts: &[(&str, &str)]) -> String {
    let text = |(key, text): &(&str, &str)| {
        if text.is_empty() {
            return String::new();
        }
        let text = escape(*text);
        let list = |name: &str, kind: &str, language: &str| {
            format!(
                "<dc:{name}><rdf:{kind}><rdf:li{language}>{text}</rdf:li></rdf:{kind}></dc:{name}>"
            )
        };
        const ANY: &str = " xml:lang=\"x-default\"";
        match *key {
            "Title" => list("title", "Alt", ANY),
            "Author" => list("creator", "Seq", ""),
            "Subject" => list("description", "Alt", ANY),
            _ => format!("<pdf:Keywords>{text}</pdf:Keywords>"),
        }
    };
    let texts: String = texts.iter().map(text).collect();
    format!(
        "<rdf:Description rdf:about=\"\" xmlns:dc=\"{DUBLIN_CORE}\" xmlns:pdf=\"{ADOBE}\">{texts}</rdf:Description>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACKET: &str = r#"<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:pdf="http://ns.adobe.com/pdf/1.3/" pdf:Keywords="old" pdf:Producer="P"><dc:title><rdf:Alt><rdf:li xml:lang="x-default">Old</rdf:li></rdf:Alt></dc:title><dc:creator><rdf:Seq><rdf:li>Me</rdf:li></rdf:Seq></dc:creator></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>"#;

    fn text(texts: &[(&str, &str)]) -> String {
        String::from_utf8(set(PACKET.as_bytes(), texts).unwrap()).unwrap()
    }

    #[test]
    fn new_values_replace_old_ones_and_the_rest_is_kept() {
        let found = text(&[("Title", "New & <better>"), ("Keywords", "a, b")]);
        assert!(!found.contains("Old") && !found.contains("old"), "{found}");
        assert!(
            found.contains("New &amp; &lt;better&gt;</rdf:li>"),
            "{found}"
        );
        assert!(
            found.contains("<pdf:Keywords>a, b</pdf:Keywords>"),
            "{found}"
        );
        assert!(found.contains(r#"pdf:Producer="P""#), "{found}");
        assert!(found.contains("<rdf:li>Me</rdf:li>"), "{found}");
        assert_eq!(found.matches("dc:title>").count(), 2);
    }

    #[test]
    fn an_empty_text_removes_the_property() {
        let found = text(&[("Author", "")]);
        assert!(!found.contains("creator"), "{found}");
        assert!(found.contains(">Old<"), "{found}");
    }

    #[test]
    fn an_unparsable_packet_is_rejected() {
        for packet in [
            &b"\xff\xfe<"[..],
            b"no packet",
            b"<a><b></a>",
            br#"<rdf:RDF xmlns:d="http://purl.org/dc/elements/1.1/"></rdf:RDF>"#,
        ] {
            assert_eq!(set(packet, &[("Title", "T")]), None);
        }
    }
}
