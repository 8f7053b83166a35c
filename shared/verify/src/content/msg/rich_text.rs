//! Decompresses the body of a mail in RTF [MS-OXRTFCP]. Readers of RTF skip the markup that is encapsulated in it [MS-OXRTFEX].

/// The text before the first byte of each document, to which references lead.
const BEFORE: &str = "{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
/// References lead to one of this number of bytes before.
const WINDOW: usize = 4096;
/// Maximum size of a document in bytes.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Whether RTF has HTML or plain text of a mail program in it.
pub(super) fn is_markup(rtf: &[u8]) -> bool {
    let head = rtf.get(..512).unwrap_or(rtf);
    memchr::memmem::find(head, b"\\fromhtml").is_some()
}

/// Returns the document; `None` if it is damaged.
pub(super) fn decompressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let (header, content) = bytes.split_at_checked(16)?;
    match header.get(8..12)? {
        b"MELA" => return Some(content.to_vec()),
        b"LZFu" => {}
        _ => return None,
    }
    let mut history = BEFORE.as_bytes().to_vec();
    let mut input = content.iter();
    while let Some(flags) = input.next() {
        for bit in 0..8 {
            let Some(first) = input.next() else { break };
            if flags & 1 << bit == 0 {
                history.push(*first);
                continue;
            }
            let reference = u16::from_be_bytes([*first, *input.next()?]);
            let position = usize::from(reference >> 4);
            // Positions count from the start of the window that was filled last.
            let distance = (history.len() + WINDOW - position) % WINDOW;
            if distance == 0 || history.len() > MAX_BYTES {
                return Some(history.split_off(BEFORE.len()));
            }
            for _ in 0..usize::from(reference & 0xf) + 2 {
                let source = history.len().checked_sub(distance);
                let byte = source.and_then(|source| history.get(source).copied());
                history.push(byte.unwrap_or(b' '));
            }
        }
    }
    Some(history.split_off(BEFORE.len()))
}

#[cfg(test)]
mod tests {
    use super::decompressed;

    #[test]
    fn an_example_of_the_specification_is_decompressed() {
        // [MS-OXRTFCP, 3.2.1]
        let crossing = [
            0x1a, 0, 0, 0, 0x1c, 0, 0, 0, 0x4c, 0x5a, 0x46, 0x75, 0xe2, 0xd4, 0x4b, 0x51, 0x41, 0,
            0x04, 0x20, 0x57, 0x58, 0x59, 0x5a, 0x0d, 0x6e, 0x7d, 0x01, 0x0e, 0xb0,
        ];
        let text = decompressed(&crossing).unwrap();
        assert_eq!(text, b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}");
    }
}
