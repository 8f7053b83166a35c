//! Leaves out cells without a value, of which a worksheet may have a million: to parse them takes most of the time.

use std::borrow::Cow;

use memchr::{memchr, memmem};

/// Returns a worksheet without the empty cells whose position is given.
pub(super) fn without_empty_cells(part: &[u8]) -> Cow<'_, [u8]> {
    let mut kept = Vec::new();
    let mut start = 0;
    for begin in memmem::find_iter(part, b"<c ") {
        let rest = part.get(begin..).unwrap_or_default();
        let Some(end) = memchr(b'>', rest) else { break };
        let (tag, after) = rest.split_at(end + 1);
        let end_tag: &[u8] = if tag.ends_with(b"/>") { b"" } else { b"</c>" };
        if after.starts_with(end_tag) && memmem::find(tag, b" r=\"").is_some() {
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
    fn only_empty_cells_with_a_position_are_left_out() {
        let kept = "<row><c r=\"B1\"><v>1</v></c><c/><c s=\"1\"/><c s=\"2\"></c></row>";
        let part = format!(
            "<row><c r=\"A1\" s=\"1\"/>{}<c s=\"1\" r=\"C1\"></c></row>",
            kept.trim_start_matches("<row>").trim_end_matches("</row>")
        );
        assert_eq!(without_empty_cells(part.as_bytes()), kept.as_bytes());
        assert!(matches!(
            without_empty_cells(kept.as_bytes()),
            Cow::Borrowed(_)
        ));
    }
}
