//! The container of AVIF and HEIC: images are items, described by properties [ISO/IEC 23008-12; boxes: ISO/IEC 14496-12].

mod boxes;
mod meta;

use std::io::{Read, Seek, SeekFrom};

use image::metadata::Orientation;
use task::{Fault, Outcome};

use self::boxes::Bytes;
pub(crate) use self::meta::Cicp;
use self::meta::{Item, Meta, Property};

/// Most bytes of the box that describes all items.
const META: u64 = 16 * 1024 * 1024;
/// Most tiles that one image is made of.
const TILES: usize = 1024;

/// The items of a file.
pub struct Container {
    meta: Meta,
}

/// An image that is made of others, which have the same sides.
pub struct Grid {
    /// How many tiles stand side by side.
    pub columns: usize,
    /// Width and height of the whole: the last tiles may hang over.
    pub sides: (u32, u32),
    /// The tiles, row by row.
    pub(crate) tiles: Vec<u32>,
}

/// What the numbers of an item's pixels mean.
#[derive(Default)]
pub struct Colours {
    /// The colour profile.
    pub profile: Option<Vec<u8>>,
    /// The code points for coding-independent video signals.
    pub(crate) cicp: Option<Cicp>,
}

impl Container {
    /// Reads what describes the items.
    pub fn read(file: &mut (impl Read + Seek)) -> Outcome<Self> {
        let meta = boxes::find(file, *b"meta", META)?.ok_or_else(Fault::corrupt)?;
        let meta = Meta::read(Bytes::new(&meta)).ok_or_else(Fault::corrupt)?;
        match meta.items.contains_key(&meta.primary) {
            true => Ok(Self { meta }),
            false => Err(Fault::corrupt()),
        }
    }

    /// The image that is shown.
    pub(crate) fn primary(&self) -> u32 {
        self.meta.primary
    }

    /// Width and height of an item, before it is turned.
    pub fn sides(&self, item: u32) -> Outcome<(u32, u32)> {
        let found = self.properties(item).find_map(|property| match property {
            Property::Sides(width, height) => Some((*width, *height)),
            _ => None,
        });
        found.ok_or_else(Fault::corrupt)
    }

    /// How the shown image is turned. It is turned first and mirrored then [ISO/IEC 23000-22, 7.3.6.7].
    pub fn orientation(&self) -> Orientation {
        let (mut quarters, mut mirror) = (0, None);
        for property in self.properties(self.meta.primary) {
            match property {
                Property::Turned(count) => quarters = *count,
                Property::Mirrored(axis) => mirror = Some(*axis),
                _ => {}
            }
        }
        orientation(quarters, mirror)
    }

    /// Whether there is something about an item that has to be understood and is not.
    pub(crate) fn is_beyond(&self, item: u32) -> bool {
        let mut properties = self.properties(item);
        properties.any(|property| matches!(property, Property::Beyond))
            || self.item(item).is_some_and(|item| item.needs_beyond)
    }

    /// What the numbers of an item's pixels mean.
    pub fn colours(&self, item: u32) -> Colours {
        let mut colours = Colours::default();
        for property in self.properties(item) {
            match property {
                Property::Profile(profile) => colours.profile = Some(profile.clone()),
                Property::Cicp(cicp) => colours.cicp = Some(*cicp),
                _ => {}
            }
        }
        colours
    }

    /// The item that holds the transparency of another, and whether the colours are multiplied by it.
    pub fn transparency(&self, item: u32) -> Option<(u32, bool)> {
        let to = |kind: &'static [u8; 4], from: u32| {
            let references = self.meta.references.iter();
            references
                .filter(move |reference| &reference.kind == kind && reference.from == from)
                .flat_map(|reference| &reference.to)
                .copied()
        };
        let items = self.meta.items.keys().copied();
        let found = items.filter(|other| to(b"auxl", *other).any(|of| of == item));
        let is_alpha = |other: &u32| {
            let mut properties = self.properties(*other);
            properties.any(|property| matches!(property, Property::Transparency))
        };
        let alpha = found.into_iter().find(is_alpha)?;
        Some((alpha, to(b"prem", item).any(|of| of == alpha)))
    }

    /// The images that stand for themselves: neither hidden, nor a part, thumbnail or plane of another.
    pub fn images(&self) -> Vec<u32> {
        let parts: Vec<u32> = self
            .meta
            .references
            .iter()
            .flat_map(Reference::parts)
            .collect();
        let stands = |(id, item): &(&u32, &Item)| {
            **id == self.meta.primary || (item.is_image() && !item.is_hidden && !parts.contains(id))
        };
        self.meta
            .items
            .iter()
            .filter(stands)
            .map(|(id, _)| *id)
            .collect()
    }

    /// The tiles of an item, if it is made of any.
    pub fn grid(&self, file: &mut (impl Read + Seek), item: u32) -> Outcome<Option<Grid>> {
        if self.item(item).is_none_or(|item| item.kind != *b"grid") {
            return Ok(None);
        }
        let content = self.content(file, item)?;
        let grid = read_grid(Bytes::new(&content)).ok_or_else(Fault::corrupt)?;
        let mut references = self.meta.references.iter();
        let tiles = references
            .find(|reference| reference.kind == *b"dimg" && reference.from == item)
            .map(|reference| reference.to.clone())
            .unwrap_or_default();
        let (rows, columns, sides) = grid;
        match tiles.len() == rows * columns && tiles.len() <= TILES {
            true => Ok(Some(Grid {
                columns,
                sides,
                tiles,
            })),
            false => Err(Fault::corrupt()),
        }
    }

    /// The bytes of an item that is coded as `kind`.
    pub fn coded(
        &self,
        file: &mut (impl Read + Seek),
        item: u32,
        kind: [u8; 4],
    ) -> Outcome<Vec<u8>> {
        match self.item(item).is_some_and(|item| item.kind == kind) {
            true => self.content(file, item),
            false => Err(Fault::variant()),
        }
    }

    fn item(&self, id: u32) -> Option<&Item> {
        self.meta.items.get(&id)
    }

    fn properties(&self, item: u32) -> impl Iterator<Item = &Property> {
        let places = self.item(item).map(|item| item.properties.as_slice());
        places.unwrap_or_default().iter().filter_map(|place| {
            self.meta
                .properties
                .get(usize::from(*place).checked_sub(1)?)
        })
    }

    fn content(&self, file: &mut (impl Read + Seek), item: u32) -> Outcome<Vec<u8>> {
        let item = self.item(item).ok_or_else(Fault::corrupt)?;
        if item.is_inside {
            return item.inside(&self.meta.data).ok_or_else(Fault::corrupt);
        }
        let end = file.seek(SeekFrom::End(0)).map_err(Fault::reading)?;
        let mut content = Vec::new();
        for (offset, length) in &item.extents {
            let length = match length {
                0 => end.saturating_sub(*offset),
                length => *length,
            };
            // Extents may overlap, so that their sum would be no bound; together they are no longer than the file.
            if content.len() as u64 + length > end {
                return Err(Fault::corrupt());
            }
            file.seek(SeekFrom::Start(*offset))
                .map_err(Fault::reading)?;
            let read = file.by_ref().take(length).read_to_end(&mut content);
            if read.map_err(Fault::reading)? as u64 != length {
                return Err(Fault::corrupt());
            }
        }
        Ok(content)
    }
}

/// That one item is about others.
pub(super) struct Reference {
    kind: [u8; 4],
    from: u32,
    to: Vec<u32>,
}

impl Reference {
    /// The items that do not stand for themselves because of it.
    fn parts(&self) -> Vec<u32> {
        match &self.kind {
            b"dimg" => self.to.clone(),
            b"thmb" | b"auxl" | b"cdsc" => vec![self.from],
            _ => Vec::new(),
        }
    }
}

/// Rows, columns and sides [ISO/IEC 23008-12, 6.6.2.3.2].
fn read_grid(mut bytes: Bytes<'_>) -> Option<(usize, usize, (u32, u32))> {
    let _version = bytes.number(1)?;
    let wide = bytes.number(1)? & 1 == 1;
    let rows = usize::try_from(bytes.number(1)?).ok()? + 1;
    let columns = usize::try_from(bytes.number(1)?).ok()? + 1;
    let size = if wide { 4 } else { 2 };
    let mut side = || u32::try_from(bytes.number(size)?).ok();
    Some((rows, columns, (side()?, side()?)))
}

/// Quarters are counted anticlockwise; axis 0 exchanges top and bottom, 1 left and right.
fn orientation(quarters: u8, mirror: Option<u8>) -> Orientation {
    match (quarters & 3, mirror.map(|axis| axis & 1)) {
        (0, None) => Orientation::NoTransforms,
        (1, None) => Orientation::Rotate270,
        (2, None) => Orientation::Rotate180,
        (_, None) => Orientation::Rotate90,
        (0, Some(1)) | (2, Some(0)) => Orientation::FlipHorizontal,
        (0, Some(_)) | (2, Some(_)) => Orientation::FlipVertical,
        (1, Some(1)) | (3, Some(0)) => Orientation::Rotate270FlipH,
        (_, Some(_)) => Orientation::Rotate90FlipH,
    }
}

#[cfg(test)]
mod tests {
    use image::{DynamicImage, GrayImage, Luma};

    use super::*;

    #[test]
    fn an_image_is_turned_and_then_mirrored() {
        let source = GrayImage::from_fn(3, 2, |x, y| Luma([x as u8 + y as u8 * 3]));
        let source = DynamicImage::from(source);
        for quarters in 0..4 {
            let mut turned = source.clone();
            for _ in 0..quarters {
                turned = turned.rotate270();
            }
            for (mirror, expected) in [
                (None, turned.clone()),
                (Some(0), turned.flipv()),
                (Some(1), turned.fliph()),
            ] {
                let mut found = source.clone();
                found.apply_orientation(orientation(quarters, mirror));
                assert_eq!(found, expected, "{quarters} {mirror:?}");
            }
        }
    }
}
