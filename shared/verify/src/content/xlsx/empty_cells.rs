//! Leaves out cells without a value, of which a worksheet may have a million: to parse them takes most of the time.

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// What a cell without a position, and content that is no markup, begin with.
const UNSUITABLE: [&[u8]; 4] = [b"<c>", b"<c/>", b"<!--", b"<![CDATA["];

/// Returns a worksheet without its empty cells, if all cells have positions.
pub(super) fn without_empty_cells(part: &[u8]) -> Cow<'_, [u8]> {
    let mut unsuitable = UNSUITABLE.iter();
    if unsuitable.any(|start| memmem::find(part, start).is_some()) {
        return Cow::Borrowed(part);
    }
    let mut kept = Vec::new();
    let mut start = 0;
    for begin in memmem::find_iter(part, b"<c ") {
        let rest = part.get(begin..).unwrap_or_default();
        let Some(end) = memchr(b'>', rest) else { break };
        let (tag, after) = rest.split_at(end + 1);
        let end_tag: &[u8] = if tag.ends_with(b"/>") { b"" } else { b"</c>" };
        if memmem::find(tag, b" r=\"").is_none() {
            return Cow::Borrowed(part);
        }
        if after.starts_with(end_tag) {
            kept.extend_from_slice(part.get(start..begin).unwrap_or_default());
            start = begin + tag.len() + end_tag.len();
        }
    }
    if start == 0 {
        return Cow::Borrowed(part);
    }
    kept.extend_from_slice(part.get(start..).unwrap_or_default());
    Cow::Owned(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_cells_are_left_out_if_all_have_positions() {
        let kept = "<row><c r=\"B1\"><v>1</v></c></row>";
        let part = format!(
            "<row><c r=\"A1\" s=\"1\"/>{}<c s=\"1\" r=\"C1\"></c></row>",
            kept.trim_start_matches("<row>").trim_end_matches("</row>")
        );
        assert_eq!(without_empty_cells(part.as_bytes()), kept.as_bytes());
        for other in [
            "",
            "<c/>",
            "<c>",
            "<c s=\"1\"/>",
            "<!-- -->",
            "<![CDATA[]]>",
        ] {
            let part = format!("<row><c r=\"A1\"/>{other}</row>{kept}");
            let is_kept = matches!(without_empty_cells(part.as_bytes()), Cow::Borrowed(_));
            assert_eq!(is_kept, !other.is_empty(), "{other}");
        }
    }
}
