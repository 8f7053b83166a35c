//! TIFF structure, shared by EXIF blocks: image file directories (IFD) of tags, one per page [TIFF 6.0, section 2].

pub mod pixels;

use std::io::{Read, Seek, SeekFrom};

use image::metadata::Orientation;
use task::{TaskError, TaskResult};

/// Maximum tags read per directory.
const MAX_TAGS: u64 = 4096;

/// A page's directory, with the header bytes that make this page the first.
#[derive(Clone)]
pub struct Directory {
    at: u64,
    header: Vec<u8>,
    /// Offset of the directory from the start of the file.
    offset: u64,
    layout: Layout,
    /// Position and bytes of a value that replaces that of the file.
    replaced: Option<(u64, [u8; 2])>,
}

/// Byte order, and whether offsets have 64 bits (`BigTIFF`).
#[derive(Clone, Copy)]
struct Layout {
    little: bool,
    big: bool,
}

/// Finds the directories of the pages, at most `most`.
///
/// # Errors
/// [`TaskError::Document`] if there is none, or one cannot be parsed.
pub fn pages(file: &mut (impl Read + Seek), most: usize) -> TaskResult<Vec<Directory>> {
    let mut found = Vec::new();
    let layout = Layout::read(file)?;
    let mut place = if layout.big { 8 } else { 4 };
    let first = place;
    loop {
        let offset = layout.offset(file, place)?;
        let seen = found.iter().any(|page: &Directory| page.offset == offset);
        if offset == 0 || seen || found.len() >= most {
            break;
        }
        let count = layout.count(file, offset)?;
        found.push(Directory {
            at: first,
            header: layout.write(offset),
            offset,
            layout,
            replaced: None,
        });
        place = offset
            .checked_add(layout.count_bytes() + count * layout.entry_bytes())
            .ok_or_else(TaskError::input_corrupt)?;
    }
    match found.is_empty() {
        true => Err(TaskError::input_corrupt()),
        false => Ok(found),
    }
}

/// Reads the orientation of the first page, and rewinds the file.
///
/// # Errors
/// [`TaskError::Document`] if the first directory cannot be parsed.
pub fn orientation(file: &mut (impl Read + Seek)) -> TaskResult<Orientation> {
    const ORIENTATION: u16 = 274;
    let first = pages(file, 1)?;
    let number = first
        .first()
        .and_then(|page| page.number(file, ORIENTATION));
    file.seek(SeekFrom::Start(0))
        .map_err(TaskError::from_read_error)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "checked to be one of a few"
    )]
    let orientation = number.and_then(|number| Orientation::from_exif(number as u8));
    Ok(orientation.unwrap_or(Orientation::NoTransforms))
}

const SHORT: u16 = 3;
const RATIONAL: u16 = 5;

impl Directory {
    /// Returns the value of a tag of type SHORT or RATIONAL with one value.
    pub fn number(&self, file: &mut (impl Read + Seek), tag: u16) -> Option<f32> {
        let layout = self.layout;
        let (kind, value) = self.entry(file, tag)?;
        match kind {
            SHORT => layout.short(file, value).ok().map(f32::from),
            RATIONAL if layout.big => layout.fraction(file, value),
            RATIONAL => {
                let place = layout.offset(file, value).ok()?;
                layout.fraction(file, place)
            }
            _ => None,
        }
    }

    /// Returns the directory with another value of a tag of type SHORT, and the value in the file.
    fn replace(self, file: &mut (impl Read + Seek), tag: u16, new: u16) -> Option<(Self, u16)> {
        let (kind, value) = self.entry(file, tag)?;
        let old = self.layout.short(file, value).ok()?;
        let bytes = match self.layout.little {
            true => new.to_le_bytes(),
            false => new.to_be_bytes(),
        };
        let replaced = Some((value, bytes));
        (kind == SHORT).then_some((Self { replaced, ..self }, old))
    }

    /// Returns the type of a tag, and the position of its value or of the offset of its value.
    fn entry(&self, file: &mut (impl Read + Seek), tag: u16) -> Option<(u16, u64)> {
        let layout = self.layout;
        let count = layout.count(file, self.offset).ok()?;
        for index in 0..count.min(MAX_TAGS) {
            let entry = self.offset + layout.count_bytes() + index * layout.entry_bytes();
            if layout.short(file, entry).ok()? == tag {
                let value = entry + if layout.big { 12 } else { 8 };
                return Some((layout.short(file, entry + 2).ok()?, value));
            }
        }
        None
    }
}

impl Layout {
    fn read(file: &mut (impl Read + Seek)) -> TaskResult<Self> {
        match &bytes::<4>(file, 0)? {
            b"II*\0" => Ok(Self::new(true, false)),
            b"MM\0*" => Ok(Self::new(false, false)),
            b"II+\0" => Ok(Self::new(true, true)),
            b"MM\0+" => Ok(Self::new(false, true)),
            _ => Err(TaskError::input_corrupt()),
        }
    }

    fn new(little: bool, big: bool) -> Self {
        Self { little, big }
    }

    fn short(self, file: &mut (impl Read + Seek), at: u64) -> TaskResult<u16> {
        let read = bytes(file, at)?;
        Ok(match self.little {
            true => u16::from_le_bytes(read),
            false => u16::from_be_bytes(read),
        })
    }

    fn long(self, file: &mut (impl Read + Seek), at: u64) -> TaskResult<u32> {
        let read = bytes(file, at)?;
        Ok(match self.little {
            true => u32::from_le_bytes(read),
            false => u32::from_be_bytes(read),
        })
    }

    fn offset(self, file: &mut (impl Read + Seek), at: u64) -> TaskResult<u64> {
        if !self.big {
            return self.long(file, at).map(u64::from);
        }
        let read = bytes(file, at)?;
        Ok(match self.little {
            true => u64::from_le_bytes(read),
            false => u64::from_be_bytes(read),
        })
    }

    /// Returns the number of tags of the directory at an offset.
    fn count(self, file: &mut (impl Read + Seek), at: u64) -> TaskResult<u64> {
        let count = match self.big {
            true => self.offset(file, at)?,
            false => self.short(file, at)?.into(),
        };
        match count {
            0..=65_535 => Ok(count),
            _ => Err(TaskError::input_corrupt()),
        }
    }

    fn fraction(self, file: &mut (impl Read + Seek), at: u64) -> Option<f32> {
        let numerator = self.long(file, at).ok()?;
        let denominator = self.long(file, at + 4).ok()?;
        #[expect(clippy::cast_precision_loss, reason = "a resolution has few digits")]
        let value = numerator as f32 / denominator as f32;
        value.is_finite().then_some(value)
    }

    fn write(self, offset: u64) -> Vec<u8> {
        let wide = match self.little {
            true => offset.to_le_bytes().to_vec(),
            false => offset.to_be_bytes().to_vec(),
        };
        match (self.big, self.little) {
            (true, _) => wide,
            (false, true) => wide.into_iter().take(4).collect(),
            (false, false) => wide.into_iter().skip(4).collect(),
        }
    }

    fn count_bytes(self) -> u64 {
        if self.big { 8 } else { 2 }
    }

    fn entry_bytes(self) -> u64 {
        if self.big { 20 } else { 12 }
    }
}

fn bytes<const N: usize>(file: &mut (impl Read + Seek), at: u64) -> TaskResult<[u8; N]> {
    let mut read = [0; N];
    file.seek(SeekFrom::Start(at))
        .map_err(TaskError::from_read_error)?;
    file.read_exact(&mut read)
        .map_err(TaskError::from_read_error)?;
    Ok(read)
}

/// A reader of a multi-page file that presents one page as the first, because decoders read only that.
pub struct Page<R> {
    inner: R,
    directory: Directory,
    position: u64,
}

impl<R: Read + Seek> Page<R> {
    /// Wraps `inner` so that the page at `directory` is the first.
    pub fn new(inner: R, directory: Directory) -> std::io::BufReader<Self> {
        std::io::BufReader::new(Self {
            inner,
            directory,
            position: 0,
        })
    }
}

impl<R: Read + Seek> Read for Page<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.inner.seek(SeekFrom::Start(self.position))?;
        let count = self.inner.read(buffer)?;
        let header = (self.directory.at..).zip(self.directory.header.iter().copied());
        let replaced = self.directory.replaced.into_iter();
        let replaced = replaced.flat_map(|(at, bytes)| (at..).zip(bytes));
        for (at, byte) in header.chain(replaced) {
            let index = at
                .checked_sub(self.position)
                .and_then(|index| usize::try_from(index).ok());
            if let Some(target) = index
                .filter(|index| *index < count)
                .and_then(|index| buffer.get_mut(index))
            {
                *target = byte;
            }
        }
        self.position += count as u64;
        Ok(count)
    }
}

impl<R: Read + Seek> Seek for Page<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        self.position = match to {
            SeekFrom::Current(by) => self
                .position
                .checked_add_signed(by)
                .ok_or(std::io::ErrorKind::InvalidInput)?,
            other => self.inner.seek(other)?,
        };
        Ok(self.position)
    }
}
