//! Overwrites in a printed document, in place, its dates and the URL that a document without one is loaded under: the results
//! of two runs are equal, and relative links stay relative.
//!
//! The browser writes both in plain text. Offsets stay the same, because blanks fill what becomes shorter.

use std::fs::{File, OpenOptions};
use std::io::{Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;

use browser::DOCUMENT_URL;

/// Bytes in memory.
const WINDOW: usize = 1024 * 1024;
/// Maximum length of an entry in bytes, which may lie at the end of a window. Longer links are kept.
const MAX_ENTRY: usize = 16 * 1024;
/// The dates, up to their values.
const DATES: [&[u8]; 2] = [b"/CreationDate (D:", b"/ModDate (D:"];
/// A link, up to its URL.
const LINK: &[u8] = b"/URI (";
/// Schemes that run scripts, as Chromium writes them.
const SCRIPTS: [&[u8]; 2] = [b"javascript:", b"vbscript:"];

/// Overwrites the entries of a file.
pub(super) fn scrub(path: &Path) -> std::io::Result<()> {
    let mut file = OpenOptions::new().read(true).write(true).open(path)?;
    let mut offset = 0;
    loop {
        let mut window = read(&mut file, offset)?;
        if overwrite(&mut window) {
            file.seek(SeekFrom::Start(offset))?;
            file.write_all(&window)?;
        }
        if window.len() < WINDOW {
            return Ok(());
        }
        offset += (WINDOW - MAX_ENTRY) as u64;
    }
}

fn read(file: &mut File, offset: u64) -> std::io::Result<Vec<u8>> {
    let mut window = Vec::new();
    file.seek(SeekFrom::Start(offset))?;
    file.take(WINDOW as u64).read_to_end(&mut window)?;
    Ok(window)
}

/// Overwrites the complete entries; returns whether there were any.
fn overwrite(bytes: &mut [u8]) -> bool {
    let mut changed = false;
    for date in DATES {
        changed |= replace(bytes, date, |_| Vec::new());
    }
    for scheme in SCRIPTS {
        changed |= disarm(bytes, &[LINK, scheme].concat());
    }
    let link = [LINK, origin().as_bytes()].concat();
    changed | replace(bytes, &link, |path| [LINK, &relative(path), b")"].concat())
}

/// Makes links that begin with `start` links to a place that does not exist; their ends may be anywhere. Returns whether there were
/// any.
fn disarm(bytes: &mut [u8], start: &[u8]) -> bool {
    let (mut from, mut changed) = (0, false);
    while let Some(found) = find(bytes, start, from) {
        from = found + start.len();
        if let Some(scheme) = bytes.get_mut(found + LINK.len()..from) {
            scheme.fill(b' ');
            scheme.iter_mut().take(1).for_each(|first| *first = b'#');
            changed = true;
        }
    }
    changed
}

/// Replaces each entry that begins with `start` and ends with a parenthesis, by `new` of what lies between them.
fn replace(bytes: &mut [u8], start: &[u8], new: impl Fn(&[u8]) -> Vec<u8>) -> bool {
    let (mut from, mut changed) = (0, false);
    while let Some(found) = find(bytes, start, from) {
        from = found + start.len();
        let rest = bytes.get(from..).unwrap_or_default();
        let Some(length) = closing_parenthesis(rest) else {
            continue;
        };
        let new = new(rest.get(..length).unwrap_or_default());
        let end = from + length + 1;
        if let Some(entry) = bytes
            .get_mut(found..end)
            .filter(|entry| new.len() <= entry.len())
        {
            entry.fill(b' ');
            entry.iter_mut().zip(new).for_each(|(old, new)| *old = new);
            changed = true;
        }
        from = end;
    }
    changed
}

fn find(bytes: &[u8], pattern: &[u8], from: usize) -> Option<usize> {
    let rest = bytes.get(from..)?;
    let found = rest.windows(pattern.len());
    Some(from + found.into_iter().position(|window| window == pattern)?)
}

/// Length of a literal string [ISO 32000-1, 7.3.4.2] without its parentheses.
fn closing_parenthesis(string: &[u8]) -> Option<usize> {
    let mut is_escaped = false;
    let string = string.iter().take(MAX_ENTRY);
    string.into_iter().position(|byte| {
        let closes = *byte == b')' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        closes
    })
}

/// The document's URL up to the path, and the directories of its path.
fn origin() -> &'static str {
    let end = DOCUMENT_URL.match_indices('/').nth(2);
    end.map_or(DOCUMENT_URL, |(end, _)| {
        DOCUMENT_URL.get(..=end).unwrap_or_default()
    })
}

/// The relative reference to a path at the document's origin [RFC 3986, 4.2].
fn relative(path: &[u8]) -> Vec<u8> {
    let directories = DOCUMENT_URL.get(origin().len()..).unwrap_or_default();
    let directories: Vec<&[u8]> = directories
        .split_terminator('/')
        .map(str::as_bytes)
        .collect();
    let mut rest = path;
    let mut common = 0;
    for directory in &directories {
        match rest
            .strip_prefix(*directory)
            .and_then(|rest| rest.strip_prefix(b"/"))
        {
            Some(below) => rest = below,
            None => break,
        }
        common += 1;
    }
    let up: &[u8] = if common == 0 { b"/" } else { b"" };
    let ups = match common {
        0 => 0,
        _ => directories.len() - common,
    };
    // A colon in the first segment would end a scheme, two slashes begin a host.
    let first = rest.split(|byte| *byte == b'/').next();
    let is_ambiguous =
        ups == 0 && up.is_empty() && first.is_some_and(|first| first.contains(&b':'));
    let start: &[u8] = match (is_ambiguous, rest.first()) {
        (true, _) => b"./",
        (false, Some(b'/')) => b"/.",
        _ => up,
    };
    [start, &b"../".repeat(ups), rest].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overwritten(text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        overwrite(&mut bytes);
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn dates_become_blanks_and_lengths_stay() {
        let text = "/Title (/ModDate \\(D:)\n/CreationDate (D:20261121075253+00'00')\n/ModDate (D:20261121075253+00'00')>>";
        let blanks = |count| " ".repeat(count);
        assert_eq!(
            overwritten(text),
            format!("/Title (/ModDate \\(D:)\n{}\n{}>>", blanks(39), blanks(34))
        );
        assert_eq!(overwritten("/ModDate (D:2026"), "/ModDate (D:2026");
    }

    #[test]
    fn links_to_the_document_become_relative() {
        for (path, reference) in [
            ("a.html#b", "a.html#b"),
            ("a\\(1\\).html", "a\\(1\\).html"),
            ("", ""),
        ] {
            let link = format!("/URI ({DOCUMENT_URL}{path})>>");
            let expected = format!("/URI ({reference})");
            let found = overwritten(&link);
            assert_eq!(found.len(), link.len());
            assert_eq!(found.strip_suffix(">>").unwrap().trim_end(), expected);
        }
        assert_eq!(relative(b"a/b"), b"/a/b");
        assert_eq!(relative(b"1/2/3/x"), b"../x");
        assert_eq!(relative(b"1/x"), b"../../../x");
        let code = format!("alert\\(1\\);{}", "a".repeat(MAX_ENTRY));
        let script = overwritten(&format!("/URI (javascript:{code})"));
        assert_eq!(script, format!("/URI (#          {code})"));
        let other = "/URI (https://example.com/)\n/Title (/URI \\(https://document.invalid/)";
        assert_eq!(overwritten(other), other);
    }

    #[test]
    fn entries_at_the_end_of_a_window_are_overwritten() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let link = format!("/URI ({DOCUMENT_URL}x)");
        for start in [
            WINDOW - 10,
            WINDOW - MAX_ENTRY - 5,
            2 * WINDOW - MAX_ENTRY - 3,
        ] {
            let mut bytes = vec![b'.'; start];
            bytes.extend(link.as_bytes());
            bytes.extend(vec![b'.'; WINDOW]);
            std::fs::write(file.path(), &bytes).unwrap();
            scrub(file.path()).unwrap();
            let found = std::fs::read(file.path()).unwrap();
            assert_eq!(found.len(), bytes.len());
            assert!(found[start..].starts_with(b"/URI (x) "), "{start}");
        }
    }
}
