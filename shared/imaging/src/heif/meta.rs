//! The `meta` box: items and their properties [ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12, 6.5].

use std::collections::BTreeMap;

use super::Reference;
use super::boxes::Bytes;

/// Maximum number of items.
const MAX_ITEMS: usize = 4096;

/// The content of the `meta` box.
#[derive(Default)]
pub(super) struct Meta {
    pub(super) primary: u32,
    pub(super) items: BTreeMap<u32, Item>,
    /// Item properties (`ipco`); items refer to them by 1-based index.
    pub(super) properties: Vec<Property>,
    pub(super) references: Vec<Reference>,
    /// Content of items stored within the `meta` box (`idat`).
    pub(super) data: Vec<u8>,
}

/// An item.
#[derive(Default)]
pub(super) struct Item {
    pub(super) kind: [u8; 4],
    pub(super) is_hidden: bool,
    /// Whether its content is in the `idat` box instead of the file.
    pub(super) is_in_idat: bool,
    /// Offset and length of its extents; length 0 extends to the end.
    pub(super) extents: Vec<(u64, u64)>,
    pub(super) properties: Vec<u16>,
    /// Whether its construction method is not supported.
    pub(super) is_unsupported: bool,
}

/// A property of an item.
pub(super) enum Property {
    /// Width and height (`ispe`).
    Dimensions(u32, u32),
    /// ICC profile (`colr`).
    Profile(Vec<u8>),
    /// CICP code points (`colr`).
    Cicp(Cicp),
    /// Rotation in counterclockwise quarter turns (`irot`).
    Rotation(u8),
    /// Mirror axis (`imir`).
    Mirror(u8),
    /// Marks an auxiliary alpha image (`auxC`).
    Alpha,
    /// The part of the image that is shown (`clap`).
    CleanAperture(CleanAperture),
    /// A property that can be ignored.
    Other,
}

/// Size of the part that is shown, and the distance of its center from that of the image, as fractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CleanAperture {
    width: (u32, u32),
    height: (u32, u32),
    across: (u32, u32),
    down: (u32, u32),
}

impl CleanAperture {
    fn read(mut bytes: Bytes<'_>) -> Option<Self> {
        let mut fraction = || Some((bytes.short(4)?, bytes.short(4)?));
        Some(Self {
            width: fraction()?,
            height: fraction()?,
            across: fraction()?,
            down: fraction()?,
        })
    }

    /// Returns left, top, width and height of the part of an image; `None` if it is not within the image
    /// [ISO/IEC 14496-12, 12.1.4.1].
    pub(super) fn part(self, sides: (u32, u32)) -> Option<[u32; 4]> {
        let (left, width) = range(self.width, self.across, sides.0)?;
        let (top, height) = range(self.height, self.down, sides.1)?;
        Some([left, top, width, height])
    }
}

fn range(length: (u32, u32), offset: (u32, u32), side: u32) -> Option<(u32, u32)> {
    let length = f64::from(length.0) / f64::from(length.1);
    let offset = f64::from(offset.0.cast_signed()) / f64::from(offset.1);
    let first = (offset + (f64::from(side) - length) / 2.0).round();
    let length = length.round();
    let is_within = first >= 0.0 && length >= 1.0 && first + length <= f64::from(side);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "within the image"
    )]
    is_within.then_some((first as u32, length as u32))
}

/// Coding-independent code points [ITU-T H.273].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cicp {
    /// Color primaries.
    pub(crate) primaries: u8,
    /// Transfer characteristics.
    pub(crate) transfer: u8,
    /// Matrix coefficients.
    pub matrix: u8,
    /// Whether samples use the full range.
    pub(crate) is_full_range: bool,
}

impl Meta {
    pub(super) fn read(mut bytes: Bytes<'_>) -> Option<Self> {
        bytes.version()?;
        let mut meta = Self::default();
        let mut boxes = Vec::new();
        while let Some(found) = bytes.next_box() {
            boxes.push(found);
        }
        // `iinf` first: the other boxes refer to its items.
        for (name, content) in &boxes {
            if name == b"iinf" {
                meta.read_items(*content)?;
            }
        }
        for (name, content) in boxes {
            match &name {
                b"pitm" => meta.primary = read_primary(content)?,
                b"iloc" => meta.read_locations(content)?,
                b"iref" => meta.read_references(content)?,
                b"iprp" => meta.read_properties(content)?,
                b"idat" => meta.data = content.rest().to_vec(),
                _ => {}
            }
        }
        Some(meta)
    }

    fn read_items(&mut self, mut bytes: Bytes<'_>) -> Option<()> {
        let (version, _) = bytes.version()?;
        let count = bytes.short(if version == 0 { 2 } else { 4 })?;
        for _ in 0..count {
            let Some((_, mut entry)) = bytes.next_box() else {
                break;
            };
            let (version, flags) = entry.version()?;
            if version < 2 {
                continue;
            }
            let id = entry.short(if version == 2 { 2 } else { 4 })?;
            entry.take(2)?;
            let item = Item {
                kind: entry.name()?,
                is_hidden: flags & 1 == 1,
                ..Item::default()
            };
            self.items.insert(id, item);
            if self.items.len() > MAX_ITEMS {
                return None;
            }
        }
        Some(())
    }

    fn read_locations(&mut self, mut bytes: Bytes<'_>) -> Option<()> {
        let (version, _) = bytes.version()?;
        let sizes = bytes.number(2)?;
        let size = |shift: u32| usize::try_from(sizes >> shift & 0xf).ok();
        let (offsets, lengths, bases) = (size(12)?, size(8)?, size(4)?);
        let indices = if version == 0 { 0 } else { size(0)? };
        if [offsets, lengths, bases, indices]
            .iter()
            .any(|size| *size > 8)
        {
            return None;
        }
        let wide = if version < 2 { 2 } else { 4 };
        for _ in 0..bytes.short(wide)? {
            let id = bytes.short(wide)?;
            let method = match version {
                0 => 0,
                _ => bytes.number(2)? & 0xf,
            };
            bytes.take(2)?;
            let base = bytes.number(bases)?;
            let mut extents = Vec::new();
            for _ in 0..bytes.short(2)? {
                bytes.take(indices)?;
                let offset = bytes.number(offsets)?.checked_add(base)?;
                extents.push((offset, bytes.number(lengths)?));
            }
            if let Some(item) = self.items.get_mut(&id) {
                item.extents = extents;
                item.is_in_idat = method == 1;
                item.is_unsupported |= method > 1;
            }
        }
        Some(())
    }

    fn read_references(&mut self, mut bytes: Bytes<'_>) -> Option<()> {
        let (version, _) = bytes.version()?;
        let size = if version == 0 { 2 } else { 4 };
        while let Some((kind, mut content)) = bytes.next_box() {
            let from = content.short(size)?;
            let count = content.short(2)?;
            let to = (0..count).map(|_| content.short(size));
            let to = to.collect::<Option<Vec<u32>>>()?;
            self.references.push(Reference { kind, from, to });
        }
        Some(())
    }

    fn read_properties(&mut self, mut bytes: Bytes<'_>) -> Option<()> {
        while let Some((name, mut content)) = bytes.next_box() {
            match &name {
                b"ipco" => {
                    while let Some((name, property)) = content.next_box() {
                        self.properties.push(Property::read(name, property)?);
                    }
                }
                b"ipma" => self.read_associations(content)?,
                _ => {}
            }
        }
        Some(())
    }

    fn read_associations(&mut self, mut bytes: Bytes<'_>) -> Option<()> {
        let (version, flags) = bytes.version()?;
        let wide = flags & 1 == 1;
        for _ in 0..bytes.short(4)? {
            let id = bytes.short(if version == 0 { 2 } else { 4 })?;
            for _ in 0..bytes.number(1)? {
                // The highest bit is the `essential` flag.
                let index = match wide {
                    true => bytes.number(2)? & 0x7fff,
                    false => bytes.number(1)? & 0x7f,
                };
                if let Some(item) = self.items.get_mut(&id) {
                    item.properties.push(u16::try_from(index).ok()?);
                }
            }
        }
        Some(())
    }
}

impl Item {
    /// Returns whether the item is a coded or derived image.
    pub(super) fn is_image(&self) -> bool {
        matches!(&self.kind, b"av01" | b"hvc1" | b"grid" | b"iovl" | b"iden")
    }

    /// Returns its content from the `idat` box.
    pub(super) fn idat_content(&self, data: &[u8]) -> Option<Vec<u8>> {
        let mut content = Vec::new();
        for (offset, length) in &self.extents {
            let begin = usize::try_from(*offset).ok()?;
            let end = match length {
                0 => data.len(),
                length => begin.checked_add(usize::try_from(*length).ok()?)?,
            };
            content.extend(data.get(begin..end)?);
            if content.len() > data.len() {
                return None;
            }
        }
        Some(content)
    }
}

impl Property {
    fn read(name: [u8; 4], mut bytes: Bytes<'_>) -> Option<Self> {
        Some(match &name {
            b"ispe" => {
                bytes.version()?;
                Self::Dimensions(bytes.short(4)?, bytes.short(4)?)
            }
            b"colr" => Self::colors(bytes)?,
            b"irot" => Self::Rotation(u8::try_from(bytes.number(1)? & 3).ok()?),
            b"imir" => Self::Mirror(u8::try_from(bytes.number(1)? & 1).ok()?),
            b"auxC" => {
                bytes.version()?;
                match bytes.rest() {
                    rest if rest.starts_with(b"urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0")
                        || rest.starts_with(b"urn:mpeg:hevc:2015:auxid:1\0") =>
                    {
                        Self::Alpha
                    }
                    _ => Self::Other,
                }
            }
            b"clap" => Self::CleanAperture(CleanAperture::read(bytes)?),
            _ => Self::Other,
        })
    }

    fn colors(mut bytes: Bytes<'_>) -> Option<Self> {
        Some(match &bytes.name()? {
            b"nclx" => {
                let mut code = || u8::try_from(bytes.number(2)?).ok();
                let (primaries, transfer, matrix) = (code()?, code()?, code()?);
                Self::Cicp(Cicp {
                    primaries,
                    transfer,
                    matrix,
                    is_full_range: bytes.number(1)? & 0x80 != 0,
                })
            }
            b"prof" | b"rICC" => Self::Profile(bytes.rest().to_vec()),
            _ => Self::Other,
        })
    }
}

/// Reads the id of the primary item (`pitm`).
fn read_primary(mut bytes: Bytes<'_>) -> Option<u32> {
    let (version, _) = bytes.version()?;
    bytes.short(if version == 0 { 2 } else { 4 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clean_aperture_is_a_part_of_the_image() {
        let aperture = |across: i32| CleanAperture {
            width: (201, 1),
            height: (302, 2),
            across: (across.cast_unsigned(), 2),
            down: (1, 2),
        };
        assert_eq!(aperture(-1).part((202, 152)), Some([0, 1, 201, 151]));
        assert_eq!(aperture(1).part((202, 152)), Some([1, 1, 201, 151]));
        assert_eq!(aperture(3).part((202, 152)), None);
        assert_eq!(aperture(-1).part((200, 152)), None);
    }
}
