//! HEIF container of AVIF and HEIC: images are items described by properties [ISO/IEC 23008-12; boxes: ISO/IEC 14496-12].

mod boxes;
mod meta;

use std::io::{Read, Seek, SeekFrom};

use image::metadata::Orientation;
use task::{TaskError, TaskResult};

use self::boxes::Bytes;
pub(crate) use self::meta::Cicp;
use self::meta::{Item, Meta, Property};

/// Maximum bytes of the `meta` box.
const MAX_META: u64 = 16 * 1024 * 1024;
/// Maximum tiles of a grid.
const MAX_TILES: usize = 1024;

/// The `meta` box of a file: its items and their properties.
pub struct Container {
    meta: Meta,
}

/// A grid image derived from tiles of equal dimensions.
pub struct Grid {
    /// Tiles per row.
    pub columns: usize,
    /// Width and height of the whole image; the last tiles may extend beyond it.
    pub sides: (u32, u32),
    /// Item ids of the tiles, row by row.
    pub(crate) tiles: Vec<u32>,
}

/// Color information of an item (`colr` properties).
#[derive(Default)]
pub struct ColorInfo {
    /// The ICC profile.
    pub profile: Option<Vec<u8>>,
    /// The CICP code points [ITU-T H.273].
    pub(crate) cicp: Option<Cicp>,
}

impl Container {
    /// Reads the `meta` box.
    ///
    /// # Errors
    /// [`TaskError::Document`] if it is missing or invalid.
    pub fn read(file: &mut (impl Read + Seek)) -> TaskResult<Self> {
        let meta = boxes::find(file, *b"meta", MAX_META)?.ok_or_else(TaskError::input_corrupt)?;
        let meta = Meta::read(Bytes::new(&meta)).ok_or_else(TaskError::input_corrupt)?;
        match meta.items.contains_key(&meta.primary) {
            true => Ok(Self { meta }),
            false => Err(TaskError::input_corrupt()),
        }
    }

    /// Returns the id of the primary item, which viewers show.
    pub(crate) fn primary(&self) -> u32 {
        self.meta.primary
    }

    /// Returns width and height of the part of an item that is shown, before rotation.
    ///
    /// # Errors
    /// [`TaskError::Document`] if the item has no dimensions.
    pub fn sides(&self, item: u32) -> TaskResult<(u32, u32)> {
        let [_, _, width, height] = self.visible_part(item)?;
        Ok((width, height))
    }

    /// Returns left, top, width and height of the part of an item that is shown: encoders pad images to even dimensions.
    pub(crate) fn visible_part(&self, item: u32) -> TaskResult<[u32; 4]> {
        let (width, height) = self.coded_sides(item)?;
        let aperture = self.properties(item).find_map(|property| match property {
            Property::CleanAperture(aperture) => Some(*aperture),
            _ => None,
        });
        match aperture {
            Some(aperture) => aperture
                .part((width, height))
                .ok_or_else(TaskError::input_corrupt),
            None => Ok([0, 0, width, height]),
        }
    }

    /// Returns width and height of an item as it is coded.
    ///
    /// # Errors
    /// [`TaskError::Document`] if the item has no dimensions.
    pub fn coded_sides(&self, item: u32) -> TaskResult<(u32, u32)> {
        let found = self.properties(item).find_map(|property| match property {
            Property::Dimensions(width, height) => Some((*width, *height)),
            _ => None,
        });
        found.ok_or_else(TaskError::input_corrupt)
    }

    /// Returns the orientation of the primary item. Rotation (`irot`) applies before mirroring (`imir`)
    /// [ISO/IEC 23000-22, 7.3.6.7].
    pub fn orientation(&self) -> Orientation {
        let (mut quarters, mut mirror) = (0, None);
        for property in self.properties(self.meta.primary) {
            match property {
                Property::Rotation(count) => quarters = *count,
                Property::Mirror(axis) => mirror = Some(*axis),
                _ => {}
            }
        }
        orientation(quarters, mirror)
    }

    /// Returns whether the item's content is constructed by a method that is not supported.
    pub(crate) fn is_unsupported(&self, item: u32) -> bool {
        self.item(item).is_some_and(|item| item.is_unsupported)
    }

    /// Returns the color information of an item.
    pub fn color_info(&self, item: u32) -> ColorInfo {
        let mut colors = ColorInfo::default();
        for property in self.properties(item) {
            match property {
                Property::Profile(profile) => colors.profile = Some(profile.clone()),
                Property::Cicp(cicp) => colors.cicp = Some(*cicp),
                _ => {}
            }
        }
        colors
    }

    /// Returns the auxiliary alpha item of an item, and whether the colors are premultiplied (`prem`).
    pub fn alpha_item(&self, item: u32) -> Option<(u32, bool)> {
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
            properties.any(|property| matches!(property, Property::Alpha))
        };
        let alpha = found.into_iter().find(is_alpha)?;
        Some((alpha, to(b"prem", item).any(|of| of == alpha)))
    }

    /// Returns the independent images: not hidden, and not a tile, thumbnail or auxiliary plane of another item.
    pub fn independent_images(&self) -> Vec<u32> {
        let dependents: Vec<u32> = self
            .meta
            .references
            .iter()
            .flat_map(Reference::dependents)
            .collect();
        let is_independent = |(id, item): &(&u32, &Item)| {
            **id == self.meta.primary
                || (item.is_image() && !item.is_hidden && !dependents.contains(id))
        };
        self.meta
            .items
            .iter()
            .filter(is_independent)
            .map(|(id, _)| *id)
            .collect()
    }

    /// Returns the number of independent images before the primary one.
    pub fn primary_place(&self) -> usize {
        let images = self.independent_images().into_iter();
        images.take_while(|image| *image != self.primary()).count()
    }

    /// Returns the grid of an item, or `None` if the item is not of type `grid`.
    ///
    /// # Errors
    /// [`TaskError::Document`] if the grid is invalid.
    pub fn grid(&self, file: &mut (impl Read + Seek), item: u32) -> TaskResult<Option<Grid>> {
        if self.item(item).is_none_or(|item| item.kind != *b"grid") {
            return Ok(None);
        }
        let content = self.content(file, item)?;
        let grid = read_grid(Bytes::new(&content)).ok_or_else(TaskError::input_corrupt)?;
        let mut references = self.meta.references.iter();
        let tiles = references
            .find(|reference| reference.kind == *b"dimg" && reference.from == item)
            .map(|reference| reference.to.clone())
            .unwrap_or_default();
        let (rows, columns, sides) = grid;
        match tiles.len() == rows * columns && tiles.len() <= MAX_TILES {
            true => Ok(Some(Grid {
                columns,
                sides,
                tiles,
            })),
            false => Err(TaskError::input_corrupt()),
        }
    }

    /// Returns the bytes of an item, which must have the type `kind`.
    ///
    /// # Errors
    /// [`TaskError::Document`] if the item has another type, or its bytes are not within the file.
    pub fn item_data(
        &self,
        file: &mut (impl Read + Seek),
        item: u32,
        kind: [u8; 4],
    ) -> TaskResult<Vec<u8>> {
        match self.item(item).is_some_and(|item| item.kind == kind) {
            true => self.content(file, item),
            false => Err(TaskError::unsupported_variant()),
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

    fn content(&self, file: &mut (impl Read + Seek), item: u32) -> TaskResult<Vec<u8>> {
        let item = self.item(item).ok_or_else(TaskError::input_corrupt)?;
        if item.is_in_idat {
            return item
                .idat_content(&self.meta.data)
                .ok_or_else(TaskError::input_corrupt);
        }
        let end = file
            .seek(SeekFrom::End(0))
            .map_err(TaskError::from_read_error)?;
        let mut content = Vec::new();
        for (offset, length) in &item.extents {
            let length = match length {
                0 => end.saturating_sub(*offset),
                length => *length,
            };
            // Extents may overlap, so each is bounded by the file size together with those before it.
            if content.len() as u64 + length > end {
                return Err(TaskError::input_corrupt());
            }
            file.seek(SeekFrom::Start(*offset))
                .map_err(TaskError::from_read_error)?;
            let read = file.by_ref().take(length).read_to_end(&mut content);
            if read.map_err(TaskError::from_read_error)? as u64 != length {
                return Err(TaskError::input_corrupt());
            }
        }
        Ok(content)
    }
}

/// A reference from one item to others (`iref`).
pub(super) struct Reference {
    kind: [u8; 4],
    from: u32,
    to: Vec<u32>,
}

impl Reference {
    /// Returns the items that the reference makes dependent on another.
    fn dependents(&self) -> Vec<u32> {
        match &self.kind {
            b"dimg" => self.to.clone(),
            b"thmb" | b"auxl" | b"cdsc" => vec![self.from],
            _ => Vec::new(),
        }
    }
}

/// Parses rows, columns, and width and height [ISO/IEC 23008-12, 6.6.2.3.2].
fn read_grid(mut bytes: Bytes<'_>) -> Option<(usize, usize, (u32, u32))> {
    let _version = bytes.number(1)?;
    let wide = bytes.number(1)? & 1 == 1;
    let rows = usize::try_from(bytes.number(1)?).ok()? + 1;
    let columns = usize::try_from(bytes.number(1)?).ok()? + 1;
    let size = if wide { 4 } else { 2 };
    let mut side = || u32::try_from(bytes.number(size)?).ok();
    Some((rows, columns, (side()?, side()?)))
}

/// Rotation is counted in counterclockwise quarter turns; mirror axis 0 swaps top and bottom, 1 left and right.
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
    fn rotation_applies_before_mirroring() {
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
