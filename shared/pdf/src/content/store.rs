//! Stores the images of a document as files.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use png::{BitDepth, ColorType, Compression, Encoder, EncodingError};
use task::{TaskError, TaskResult};

use super::handles::Image;

/// Maximum number of distinct images.
const MAX_PICTURES: usize = 100_000;

/// Writes images to a directory. An image that occurs repeatedly is stored once.
pub struct PictureStore {
    directory: PathBuf,
    index: RefCell<StoreIndex>,
}

#[derive(Default)]
struct StoreIndex {
    /// By number; `None` for unreadable images.
    pictures: Vec<Option<StoredPicture>>,
    /// Numbers by the hash of the undecoded image.
    seen: HashMap<u64, usize>,
    /// Numbers by the hash of the decoded image.
    files: HashMap<u64, usize>,
    /// The number shared by all unreadable images.
    unreadable: Option<usize>,
}

/// The number of an image.
pub(super) struct PictureNumber {
    pub(super) number: usize,
    /// Whether the image was dropped, because there are too many.
    pub(super) is_over_limit: bool,
}

/// A stored image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoredPicture {
    file: u32,
    /// Whether it is JPEG; otherwise PNG.
    pub is_jpeg: bool,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

impl PictureStore {
    /// Creates a store in this directory.
    pub fn new(directory: &Path) -> Self {
        Self {
            directory: directory.to_owned(),
            index: RefCell::default(),
        }
    }

    /// Number of distinct images. Unreadable images count as one.
    pub fn count(&self) -> usize {
        self.index.borrow().pictures.len()
    }

    /// Returns the information about an image of a page that was yielded; `None` if it is unreadable.
    pub fn info(&self, picture: usize) -> Option<StoredPicture> {
        self.index.borrow().pictures.get(picture).copied().flatten()
    }

    /// Opens the file of an image.
    ///
    /// # Errors
    /// If there is no such image, or the file cannot be opened.
    pub fn open(&self, picture: usize) -> io::Result<File> {
        let stored = self.info(picture).ok_or(io::ErrorKind::NotFound)?;
        File::open(self.path(stored.file))
    }

    /// Adds an image and returns its number. An image with a known key is not decoded again.
    pub(super) fn keep(
        &self,
        key: Option<u64>,
        image: impl FnOnce() -> Option<Image>,
    ) -> TaskResult<PictureNumber> {
        let mut index = self.index.borrow_mut();
        let known = key.and_then(|key| index.seen.get(&key).copied());
        if let Some(number) = known {
            return Ok(PictureNumber::of(number));
        }
        let Some(image) = image() else {
            return Ok(PictureNumber::of(index.unreadable()));
        };
        let content = content(&image);
        let number = match index.files.get(&content) {
            Some(number) => *number,
            None if index.files.len() >= MAX_PICTURES => {
                return Ok(PictureNumber {
                    number: index.unreadable(),
                    is_over_limit: true,
                });
            }
            None => {
                let file =
                    u32::try_from(index.files.len()).map_err(|_| TaskError::input_corrupt())?;
                write(&self.path(file), &image)?;
                index.add(content, stored(file, &image))
            }
        };
        index.seen.extend(key.map(|key| (key, number)));
        Ok(PictureNumber::of(number))
    }

    fn path(&self, file: u32) -> PathBuf {
        self.directory.join(format!("picture-{file}"))
    }
}

impl PictureNumber {
    fn of(number: usize) -> Self {
        Self {
            number,
            is_over_limit: false,
        }
    }
}

impl StoreIndex {
    fn add(&mut self, content: u64, stored: StoredPicture) -> usize {
        let number = self.pictures.len();
        self.pictures.push(Some(stored));
        self.files.insert(content, number);
        number
    }

    fn unreadable(&mut self) -> usize {
        let pictures = &mut self.pictures;
        *self.unreadable.get_or_insert_with(|| {
            pictures.push(None);
            pictures.len() - 1
        })
    }
}

fn stored(file: u32, image: &Image) -> StoredPicture {
    let (is_jpeg, width, height) = match image {
        Image::Jpeg { width, height, .. } => (true, *width, *height),
        Image::Png { width, height, .. } | Image::Pixels { width, height, .. } => {
            (false, *width, *height)
        }
    };
    StoredPicture {
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

fn write(path: &Path, image: &Image) -> TaskResult<()> {
    match image {
        Image::Jpeg { bytes, .. } | Image::Png { bytes, .. } => Ok(fs::write(path, bytes)?),
        Image::Pixels {
            rgba,
            width,
            height,
        } => {
            let file = BufWriter::new(File::create(path)?);
            png(file, rgba, *width, *height).map_err(|error| match error {
                EncodingError::IoError(error) => TaskError::from(error),
                _ => TaskError::input_corrupt(),
            })
        }
    }
}

/// Encodes PNG with the fewest channels and bits that the pixels need.
fn png(output: impl io::Write, rgba: &[u8], width: u32, height: u32) -> Result<(), EncodingError> {
    let mut encoder = Encoder::new(output, width, height);
    encoder.set_compression(Compression::Fast);
    let pixels = || rgba.chunks_exact(4);
    let is_opaque = pixels().all(|pixel| pixel.last() == Some(&u8::MAX));
    let is_grey = is_opaque
        && pixels()
            .all(|pixel| matches!(pixel, [red, green, blue, _] if red == green && green == blue));
    let (color, channels) = match (is_opaque, is_grey) {
        (_, true) => (ColorType::Grayscale, 1),
        (true, false) => (ColorType::Rgb, 3),
        (false, false) => (ColorType::Rgba, 4),
    };
    let is_bilevel = is_grey && pixels().all(|pixel| matches!(pixel.first(), Some(0 | &u8::MAX)));
    encoder.set_color(color);
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
            .flat_map(pack_bits)
            .collect(),
        false => pixels()
            .flat_map(|pixel| pixel.iter().copied().take(channels))
            .collect(),
    };
    writer.write_image_data(&kept)?;
    writer.finish()
}

/// Packs black-and-white pixels into bits.
fn pack_bits(row: &[u8]) -> Vec<u8> {
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
    fn png_uses_the_fewest_channels_and_bits() {
        let black_and_white = [[0, 0, 0, 255], [255; 4], [255; 4]];
        let (color, depth, read) = written(&black_and_white, 3);
        assert_eq!(
            (color, depth, read),
            (ColorType::Grayscale, BitDepth::One, vec![0b0110_0000])
        );
        let gray = [[7, 7, 7, 255], [255; 4]];
        assert_eq!(
            written(&gray, 1),
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
    fn a_repeated_image_is_stored_once() {
        let directory = tempfile::tempdir().unwrap();
        let store = PictureStore::new(directory.path());
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
        assert_eq!(store.info(1), None);
        assert_eq!(
            io::read_to_string(store.open(2).unwrap()).unwrap(),
            "\u{2}\u{2}\u{2}"
        );
        assert!(store.open(1).is_err() && store.open(9).is_err());
    }

    #[test]
    fn an_image_with_a_known_key_is_not_decoded_again() {
        let directory = tempfile::tempdir().unwrap();
        let store = PictureStore::new(directory.path());
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
