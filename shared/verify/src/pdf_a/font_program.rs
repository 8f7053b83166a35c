//! Embedded font programs: their type, and glyphs and widths of TrueType [ISO/IEC 14496-22].

/// A font program.
pub(super) enum FontProgram<'d> {
    /// Type 1, with a clear-text header.
    Type1,
    /// Compact Font Format.
    Cff,
    /// TrueType outlines.
    TrueType(TrueType<'d>),
    /// OpenType with Compact Font Format.
    OpenType,
}

/// A TrueType font.
pub(super) struct TrueType<'d> {
    units_per_em: u16,
    /// Number of glyphs.
    pub(super) glyphs: u16,
    /// Number of advance widths; the last is that of all further glyphs.
    metrics: u16,
    hmtx: &'d [u8],
    /// The platform and encoding of each character map.
    pub(super) maps: Vec<(u16, u16)>,
}

impl<'d> FontProgram<'d> {
    /// Reads a font program; `None` if it is damaged or of another type.
    pub(super) fn read(data: &'d [u8]) -> Option<Self> {
        match data {
            [b'%', b'!', ..] | [0x80, 1, ..] => {
                let has_private = memchr::memmem::find(data, b"eexec").is_some();
                has_private.then_some(Self::Type1)
            }
            [1, 0, header, 1..=4, rest @ ..] => {
                (usize::from(*header) < rest.len()).then_some(Self::Cff)
            }
            [b'O', b'T', b'T', b'O', ..] => table(data, b"CFF ").map(|_| Self::OpenType),
            [0, 1, 0, 0, ..] | [b't', b'r', b'u', b'e', ..] => {
                TrueType::read(data).map(Self::TrueType)
            }
            _ => None,
        }
    }
}

impl<'d> TrueType<'d> {
    fn read(data: &'d [u8]) -> Option<Self> {
        let head = table(data, b"head")?;
        let hhea = table(data, b"hhea")?;
        let maxp = table(data, b"maxp")?;
        table(data, b"glyf")?;
        table(data, b"loca")?;
        let maps = table(data, b"cmap");
        let map = |cmap: &[u8], index: u16| {
            let at = 4 + 8 * usize::from(index);
            Some((u16_at(cmap, at)?, u16_at(cmap, at + 2)?))
        };
        let maps = maps.and_then(|cmap| {
            let count = u16_at(cmap, 2)?;
            (0..count).map(|index| map(cmap, index)).collect()
        });
        Some(Self {
            units_per_em: u16_at(head, 18)?,
            glyphs: u16_at(maxp, 4)?,
            metrics: u16_at(hhea, 34)?,
            hmtx: table(data, b"hmtx")?,
            maps: maps.unwrap_or_default(),
        })
    }

    /// The advance width of a glyph in thousandths of the font size.
    pub(super) fn width(&self, glyph: u16) -> Option<f64> {
        let metric = glyph.min(self.metrics.checked_sub(1)?);
        let width = u16_at(self.hmtx, 4 * usize::from(metric))?;
        (self.units_per_em > 0).then(|| f64::from(width) * 1000.0 / f64::from(self.units_per_em))
    }
}

/// A table of a font.
fn table<'d>(data: &'d [u8], tag: &[u8; 4]) -> Option<&'d [u8]> {
    let count = usize::from(u16_at(data, 4)?);
    let records = data.get(12..)?.chunks_exact(16).take(count);
    let mut records = records.filter(|record| record.starts_with(tag));
    let record = records.next()?;
    let (start, length) = (usize_at(record, 8)?, usize_at(record, 12)?);
    data.get(start..start.checked_add(length)?)
}

fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(data.get(at..at + 2)?.try_into().ok()?))
}

fn usize_at(data: &[u8], at: usize) -> Option<usize> {
    let bytes = data.get(at..at + 4)?.try_into().ok()?;
    usize::try_from(u32::from_be_bytes(bytes)).ok()
}
