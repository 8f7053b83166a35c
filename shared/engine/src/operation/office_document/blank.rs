//! Copies a document with byte ranges replaced by spaces.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Write as _};
use std::ops::Range;
use std::path::Path;

/// Copies a file with `ranges` replaced by spaces. The ranges are sorted and may overlap.
pub(super) fn copy(source: &Path, ranges: &[Range<u64>], target: &Path) -> std::io::Result<()> {
    let mut source = BufReader::new(File::open(source)?);
    let mut target = BufWriter::new(File::create(target)?);
    let mut at = 0;
    for range in ranges {
        at += std::io::copy(
            &mut (&mut source).take(range.start.saturating_sub(at)),
            &mut target,
        )?;
        let mut hidden = (&mut source).take(range.end.saturating_sub(at));
        let length = std::io::copy(&mut hidden, &mut std::io::sink())?;
        std::io::copy(&mut std::io::repeat(b' ').take(length), &mut target)?;
        at += length;
    }
    std::io::copy(&mut source, &mut target)?;
    target.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_become_spaces_and_offsets_stay() {
        let directory = tempfile::tempdir().unwrap();
        let path = |name: &str| directory.path().join(name);
        std::fs::write(path("source"), "0123456789").unwrap();
        copy(&path("source"), &[1..3, 2..4, 8..20], &path("target")).unwrap();
        assert_eq!(std::fs::read(path("target")).unwrap(), b"0   4567  ");
    }
}
