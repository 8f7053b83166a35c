//! Rewrites EXIF of a processed image: orientation, dimensions and preview are updated in place, so that all other data,
//! including offsets in maker notes, stay valid [Exif 2.32, 4.6; TIFF 6.0].

use image::metadata::Orientation;

const IMAGE_WIDTH: u16 = 0x0100;
const IMAGE_LENGTH: u16 = 0x0101;
const ORIENTATION: u16 = 0x0112;
const THUMBNAIL: u16 = 0x0201;
const THUMBNAIL_LENGTH: u16 = 0x0202;
const EXIF_DIRECTORY: u16 = 0x8769;
const PIXEL_X_DIMENSION: u16 = 0xA002;
const PIXEL_Y_DIMENSION: u16 = 0xA003;

const SHORT: u32 = 3;
const LONG: u32 = 4;
/// Bytes of a directory entry.
const ENTRY: usize = 12;

/// Returns the block for an upright image of these dimensions; `None` if the block is invalid.
pub(super) fn for_upright(bytes: Vec<u8>, (width, height): (u32, u32)) -> Option<Vec<u8>> {
    let mut block = Block::new(bytes)?;
    let first = block.offset(4)?;
    let first_ifd = block.entries(first)?;
    for (tag, value) in [
        (ORIENTATION, 1),
        (IMAGE_WIDTH, width),
        (IMAGE_LENGTH, height),
    ] {
        block.set(&first_ifd, tag, value);
    }
    let exif_ifd = block.value(&first_ifd, EXIF_DIRECTORY);
    if let Some(exif_ifd) = exif_ifd.and_then(|offset| block.entries(offset as usize)) {
        block.set(&exif_ifd, PIXEL_X_DIMENSION, width);
        block.set(&exif_ifd, PIXEL_Y_DIMENSION, height);
    }
    block.remove_thumbnail(first + 2 + first_ifd.len() * ENTRY)?;
    Some(block.bytes)
}

/// Returns an EXIF block with only the orientation.
pub(crate) fn orientation_block(orientation: Orientation) -> Vec<u8> {
    let mut block = b"MM\0*\0\0\0\x08\0\x01".to_vec();
    block.extend(ORIENTATION.to_be_bytes());
    block.extend([0, 3, 0, 0, 0, 1, 0, orientation.to_exif(), 0, 0]);
    block.extend([0; 4]);
    block
}

struct Block {
    bytes: Vec<u8>,
    is_big_endian: bool,
}

/// Position and tag of a directory entry.
#[derive(Clone, Copy)]
struct Entry {
    at: usize,
    tag: u16,
}

impl Block {
    fn new(bytes: Vec<u8>) -> Option<Self> {
        let is_big_endian = match bytes.get(..4)? {
            b"II*\0" => false,
            b"MM\0*" => true,
            _ => return None,
        };
        Some(Self {
            bytes,
            is_big_endian,
        })
    }

    /// Reads a number of `size` bytes.
    fn number(&self, at: usize, size: usize) -> Option<u32> {
        let bytes = self.bytes.get(at..at.checked_add(size)?)?.iter();
        let join = |number: u32, byte: &u8| number << 8 | u32::from(*byte);
        Some(match self.is_big_endian {
            true => bytes.fold(0, join),
            false => bytes.rev().fold(0, join),
        })
    }

    fn offset(&self, at: usize) -> Option<usize> {
        usize::try_from(self.number(at, 4)?).ok()
    }

    fn entries(&self, directory: usize) -> Option<Vec<Entry>> {
        let count = self.number(directory, 2)? as usize;
        let places = (0..count).map(|index| directory + 2 + index * ENTRY);
        let entry = |at: usize| {
            self.bytes.get(at..at.checked_add(ENTRY)?)?;
            let tag = u16::try_from(self.number(at, 2)?).ok()?;
            Some(Entry { at, tag })
        };
        places.map(entry).collect()
    }

    /// Returns position and size of the single value of a tag.
    fn place(&self, entries: &[Entry], tag: u16) -> Option<(usize, usize)> {
        let entry = entries.iter().find(|entry| entry.tag == tag)?;
        let size = match (self.number(entry.at + 2, 2)?, self.number(entry.at + 4, 4)?) {
            (SHORT, 1) => 2,
            (LONG, 1) => 4,
            _ => return None,
        };
        Some((entry.at + 8, size))
    }

    fn value(&self, entries: &[Entry], tag: u16) -> Option<u32> {
        let (at, size) = self.place(entries, tag)?;
        self.number(at, size)
    }

    fn set(&mut self, entries: &[Entry], tag: u16, value: u32) {
        if let Some((at, size)) = self.place(entries, tag) {
            self.write(at, size, value);
        }
    }

    fn write(&mut self, at: usize, size: usize, value: u32) {
        let mut bytes = value.to_le_bytes();
        let bytes = bytes.get_mut(..size).unwrap_or_default();
        if self.is_big_endian {
            bytes.reverse();
        }
        if let Some(place) = self.bytes.get_mut(at..at + size) {
            place.copy_from_slice(bytes);
        }
    }

    /// Removes the directory of the preview, linked at `link`, and the preview itself.
    fn remove_thumbnail(&mut self, link: usize) -> Option<()> {
        let directory = self.offset(link)?;
        self.write(link, 4, 0);
        let Some(entries) = self.entries(directory).filter(|_| directory > 0) else {
            return Some(());
        };
        let begin = self.value(&entries, THUMBNAIL).unwrap_or(0) as usize;
        let length = self.value(&entries, THUMBNAIL_LENGTH).unwrap_or(0) as usize;
        if begin > link && length > 0 {
            let end = begin.saturating_add(length);
            match end >= self.bytes.len() {
                true => self.bytes.truncate(begin),
                false => self.bytes.get_mut(begin..end)?.fill(0),
            }
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Orientation 6, two dimensions in the EXIF directory, and a preview of three bytes followed by two more bytes.
    fn block(is_big_endian: bool) -> Vec<u8> {
        let mut bytes = if is_big_endian {
            b"MM\0*".to_vec()
        } else {
            b"II*\0".to_vec()
        };
        let mut put = |number: u32, size: usize| {
            let four = number.to_be_bytes();
            let part = &four[4 - size..];
            match is_big_endian {
                true => bytes.extend(part),
                false => bytes.extend(part.iter().rev()),
            }
        };
        let entry = |put: &mut dyn FnMut(u32, usize), tag: u16, kind: u32, value: u32| {
            put(tag.into(), 2);
            put(kind, 2);
            put(1, 4);
            match kind {
                SHORT => {
                    put(value, 2);
                    put(0, 2);
                }
                _ => put(value, 4),
            }
        };
        put(8, 4);
        put(2, 2);
        entry(&mut put, ORIENTATION, SHORT, 6);
        entry(&mut put, EXIF_DIRECTORY, LONG, 38);
        put(68, 4);
        put(2, 2);
        entry(&mut put, PIXEL_X_DIMENSION, LONG, 1800);
        entry(&mut put, PIXEL_Y_DIMENSION, SHORT, 1200);
        put(0, 4);
        put(2, 2);
        entry(&mut put, THUMBNAIL, LONG, 98);
        entry(&mut put, THUMBNAIL_LENGTH, LONG, 3);
        put(0, 4);
        bytes.extend(b"SEEok");
        bytes
    }

    #[test]
    fn orientation_dimensions_and_preview_are_updated() {
        for is_big_endian in [false, true] {
            let found = Block::new(for_upright(block(is_big_endian), (60, 90)).unwrap()).unwrap();
            assert_eq!(found.bytes.len(), block(is_big_endian).len());
            let first_ifd = found.entries(8).unwrap();
            assert_eq!(found.value(&first_ifd, ORIENTATION), Some(1));
            let exif_ifd = found.entries(38).unwrap();
            assert_eq!(found.value(&exif_ifd, PIXEL_X_DIMENSION), Some(60));
            assert_eq!(found.value(&exif_ifd, PIXEL_Y_DIMENSION), Some(90));
            assert_eq!(found.number(34, 4), Some(0));
            assert!(found.bytes.ends_with(b"\0\0\0ok"));
        }
    }

    #[test]
    fn a_preview_at_the_end_is_truncated() {
        let mut bytes = block(true);
        bytes.truncate(bytes.len() - 2);
        let found = for_upright(bytes.clone(), (1, 1)).unwrap();
        assert_eq!(found.len(), bytes.len() - 3);
    }

    #[test]
    fn invalid_blocks_are_dropped_and_offsets_stay_within_bounds() {
        assert_eq!(for_upright(Vec::new(), (1, 1)), None);
        assert_eq!(for_upright(b"JFIF\0\0\0\x08".to_vec(), (1, 1)), None);
        let whole = block(false);
        for end in 0..whole.len() {
            for_upright(whole[..end].to_vec(), (1, 1));
        }
        for at in 0..whole.len() {
            let mut broken = whole.clone();
            broken[at] = 0xFF;
            for_upright(broken, (1, 1));
        }
    }
}
