//! Pictures of a document, each in a file of its own.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use task::{Fault, Outcome};

use super::handles::Image;

/// Most pictures of one document that are kept apart from others.
const PICTURES: usize = 100_000;

/// Keeps pictures in a directory; of one that is met again one file is kept.
pub struct Store {
    directory: PathBuf,
    kept: RefCell<Kept>,
}

#[derive(Default)]
struct Kept {
    /// By number; none for those that cannot be read.
    pictures: Vec<Option<Stored>>,
    /// Numbers by what tells pictures from others before they are read, and by what they are.
    seen: HashMap<u64, usize>,
    files: HashMap<u64, usize>,
    /// The number of those that cannot be read.
    nothing: Option<usize>,
}

/// Under which number a picture is kept.
pub(super) struct Numbered {
    pub(super) number: usize,
    /// Whether it is left out as there are too many.
    pub(super) is_too_much: bool,
}

/// A picture that is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stored {
    file: u32,
    /// Whether it is JPEG, as the document holds it or as it was cut; it is PNG otherwise.
    pub is_jpeg: bool,
    /// From left to right, pixels.
    pub width: u32,
    /// From top to bottom, pixels.
    pub height: u32,
}

impl Store {
    /// With this directory for its files.
    pub fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
            kept: RefCell::default(),
        }
    }

    /// How many pictures there are, each counted once; those that cannot be read are one.
    pub fn count(&self) -> usize {
        self.kept.borrow().pictures.len()
    }

    /// What is known of a picture that is named by a page already handed out; none where it cannot be read.
    pub fn facts(&self, picture: usize) -> Option<Stored> {
        self.kept.borrow().pictures.get(picture).copied().flatten()
    }

    /// The bytes of such a picture.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn open(&self, picture: usize) -> io::Result<File> {
        let stored = self.facts(picture).ok_or(io::ErrorKind::NotFound)?;
        File::open(self.path(stored.file))
    }

    /// Takes a picture, which is read only if none with this key was: what is the same has the same number.
    pub(super) fn keep(
        &self,
        key: Option<u64>,
        image: impl FnOnce() -> Option<Image>,
    ) -> Outcome<Numbered> {
        let mut kept = self.kept.borrow_mut();
        let known = key.and_then(|key| kept.seen.get(&key).copied());
        if let Some(number) = known {
            return Ok(Numbered::of(number));
        }
        let Some(image) = image() else {
            return Ok(Numbered::of(kept.nothing()));
        };
        let content = content(&image);
        let number = match kept.files.get(&content) {
            Some(number) => *number,
            None if kept.files.len() >= PICTURES => {
                return Ok(Numbered {
                    number: kept.nothing(),
                    is_too_much: true,
                });
            }
            None => {
                let file = u32::try_from(kept.files.len()).map_err(|_| Fault::corrupt())?;
                write(&self.path(file), &image)?;
                kept.add(content, stored(file, &image))
            }
        };
        kept.seen.extend(key.map(|key| (key, number)));
        Ok(Numbered::of(number))
    }

    fn path(&self, file: u32) -> PathBuf {
        self.directory.join(format!("picture-{file}"))
    }
}

impl Numbered {
    fn of(number: usize) -> Self {
        Self {
            number,
            is_too_much: false,
        }
    }
}

impl Kept {
    fn add(&mut self, content: u64, stored: Stored) -> usize {
        let number = self.pictures.len();
        self.pictures.push(Some(stored));
        self.files.insert(content, number);
        number
    }

    fn nothing(&mut self) -> usize {
        let pictures = &mut self.pictures;
        *self.nothing.get_or_insert_with(|| {
            pictures.push(None);
            pictures.len() - 1
        })
    }
}

fn stored(file: u32, image: &Image) -> Stored {
    let (is_jpeg, width, height) = match image {
        Image::Jpeg { width, height, .. } => (true, *width, *height),
        Image::Png { width, height, .. } | Image::Pixels { width, height, .. } => {
            (false, *width, *height)
        }
    };
    Stored {
        file,
        is_jpeg,
        width,
        height,
    }
}

fn content(image: &Image) -> u64 {
    let mut hasher = DefaultHasher::new();
    match image {
        Image::Jpeg { bytes, .. } | Image::Png { bytes, .. } => bytes.hash(&mut hasher),
        Image::Pixels {
            rgba,
            width,
            height,
        } => (rgba, width, height).hash(&mut hasher),
    }
    hasher.finish()
}

fn write(path: &Path, image: &Image) -> Outcome<()> {
    match image {
        Image::Jpeg { bytes, .. } | Image::Png { bytes, .. } => Ok(fs::write(path, bytes)?),
        Image::Pixels {
            rgba,
            width,
            height,
        } => {
            let file = BufWriter::new(File::create(path)?);
            png(file, rgba, *width, *height).map_err(|error| match error {
                EncodingError::IoError(error) => Fault::from(error),
                _ => Fault::corrupt(),
            })
        }
    }
}

/// Writes PNG with no more channels and bits than the pixels need.
fn png(output: impl io::Write, rgba: &[u8], width: u32, height: u32) -> Result<(), EncodingError> {
    let mut encoder = Encoder::new(output, width, height);
    encoder.set_compression(Compression::Fast);
    let pixels = || rgba.chunks_exact(4);
    let is_opaque = pixels().all(|pixel| pixel.last() == Some(&u8::MAX));
    let is_grey = is_opaque
        && pixels()
            .all(|pixel| matches!(pixel, [red, green, blue, _] if red == green && green == blue));
    let (colour, channels) = match (is_opaque, is_grey) {
        (_, true) => (ColorType::Grayscale, 1),
        (true, false) => (ColorType::Rgb, 3),
        (false, false) => (ColorType::Rgba, 4),
    };
    let is_bilevel = is_grey && pixels().all(|pixel| matches!(pixel.first(), Some(0 | &u8::MAX)));
    encoder.set_color(colour);
    encoder.set_depth(if is_bilevel {
        BitDepth::One
    } else {
        BitDepth::Eight
    });
    let mut writer = encoder.write_header()?;
    let row = usize::try_from(width).unwrap_or(usize::MAX);
    let kept: Vec<u8> = match is_bilevel {
        true => rgba
            .chunks(row.saturating_mul(4).max(1))
            .flat_map(packed)
            .collect(),
        false => pixels()
            .flat_map(|pixel| pixel.iter().copied().take(channels))
            .collect(),
    };
    writer.write_image_data(&kept)?;
    writer.finish()
}

/// A row of black and white pixels, eight a byte.
fn packed(row: &[u8]) -> Vec<u8> {
    let bits: Vec<bool> = row
        .chunks_exact(4)
        .map(|pixel| pixel.first() != Some(&0))
        .collect();
    bits.chunks(8)
        .map(|bits| {
            bits.iter()
                .enumerate()
                .fold(0, |byte, (place, bit)| byte | u8::from(*bit) << (7 - place))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(pixels: &[[u8; 4]], width: u32) -> (ColorType, BitDepth, Vec<u8>) {
        let mut file = Vec::new();
        let height = u32::try_from(pixels.len()).unwrap() / width;
        png(&mut file, &pixels.concat(), width, height).unwrap();
        let mut reader = png::Decoder::new(io::Cursor::new(file))
            .read_info()
            .unwrap();
        let mut read = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut read).unwrap();
        (reader.info().color_type, reader.info().bit_depth, read)
    }

    #[test]
    fn pixels_take_no_more_than_they_need() {
        let black_and_white = [[0, 0, 0, 255], [255; 4], [255; 4]];
        let (colour, depth, read) = written(&black_and_white, 3);
        assert_eq!(
            (colour, depth, read),
            (ColorType::Grayscale, BitDepth::One, vec![0b0110_0000])
        );
        let grey = [[7, 7, 7, 255], [255; 4]];
        assert_eq!(
            written(&grey, 1),
            (ColorType::Grayscale, BitDepth::Eight, vec![7, 255])
        );
        let red = [[255, 0, 0, 255]];
        assert_eq!(
            written(&red, 1),
            (ColorType::Rgb, BitDepth::Eight, vec![255, 0, 0])
        );
        let clear = [[1, 2, 3, 4]];
        assert_eq!(
            written(&clear, 1),
            (ColorType::Rgba, BitDepth::Eight, vec![1, 2, 3, 4])
        );
    }

    #[test]
    fn a_picture_that_is_met_again_is_kept_once() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::new(directory.path());
        let jpeg = |byte: u8| {
            Some(Image::Jpeg {
                bytes: vec![byte; 3],
                width: 5,
                height: 4,
            })
        };
        let pictures = [jpeg(1), None, jpeg(2), jpeg(1), None];
        let numbers = pictures.map(|image| store.keep(None, || image).unwrap().number);
        assert_eq!(numbers, [0, 1, 2, 0, 1]);
        assert_eq!(store.count(), 3);
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 2);
        assert_eq!(store.facts(1), None);
        assert_eq!(
            io::read_to_string(store.open(2).unwrap()).unwrap(),
            "\u{2}\u{2}\u{2}"
        );
        assert!(store.open(1).is_err() && store.open(9).is_err());
    }

    #[test]
    fn a_picture_that_is_recognised_is_not_read_again() {
        let directory = tempfile::tempdir().unwrap();
        let store = Store::new(directory.path());
        let mut read = 0;
        for key in [Some(7), Some(7), Some(8), None] {
            let kept = store.keep(key, || {
                read += 1;
                Some(Image::Jpeg {
                    bytes: vec![1],
                    width: 5,
                    height: 4,
                })
            });
            assert_eq!(kept.unwrap().number, 0);
        }
        assert_eq!(read, 3);
    }
}
