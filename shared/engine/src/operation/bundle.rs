//! Writes a document and its images as a ZIP archive.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, BufWriter, Error, Read, Result, Write as _};

use domain::format::Format;
use domain::job::{BUNDLED_DOCUMENT, bundled_image};
use layout::writers::{PictureFormat, PictureInfo, Pictures};
use task::{Product, Task, TaskError, TaskResult};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

/// Maximum number of images, so that the list of files is bounded.
const MAX_IMAGES: usize = 4_000;

/// Pictures that become files, numbered in the order of their first use.
pub(super) struct BundledPictures<'a> {
    pictures: &'a dyn Pictures,
    numbers: RefCell<HashMap<usize, usize>>,
    used: RefCell<Vec<(usize, Format)>>,
    is_full: Cell<bool>,
}

impl<'a> BundledPictures<'a> {
    pub(super) fn new(pictures: &'a dyn Pictures) -> Self {
        Self {
            pictures,
            numbers: RefCell::default(),
            used: RefCell::default(),
            is_full: Cell::new(false),
        }
    }

    /// Writes the archive of the document that was written with these pictures.
    pub(super) fn archive(&self, task: &Task) -> TaskResult<Product> {
        if self.is_full.get() {
            return Err(TaskError::too_large(&format!(
                "An archive has at most {MAX_IMAGES} images, but the document has more. Set `images` to `embed`."
            )));
        }
        let mut archive = ZipWriter::new(BufWriter::new(File::create(task.output())?));
        let used = self.used.borrow();
        let mut product = Product {
            images: Some(used.iter().map(|(_, format)| *format).collect()),
            ..Product::default()
        };
        let mut add = |name: &str, compression, mut file: Box<dyn Read + '_>| {
            // A date would make the output irreproducible.
            let options = SimpleFileOptions::default()
                .compression_method(compression)
                .last_modified_time(DateTime::default());
            archive.start_file(name, options).map_err(Error::other)?;
            product
                .entries
                .push(std::io::copy(&mut file, &mut archive)?);
            Ok::<_, TaskError>(())
        };
        let document = Box::new(File::open(task.document())?);
        add(BUNDLED_DOCUMENT, CompressionMethod::Deflated, document)?;
        for ((image, format), number) in used.iter().zip(1..) {
            let name = bundled_image(number, *format);
            let file = BufReader::new(self.pictures.open(*image)?);
            add(&name, CompressionMethod::Stored, Box::new(file))?;
        }
        archive.finish().map_err(Error::other)?.flush()?;
        Ok(product)
    }
}

impl Pictures for BundledPictures<'_> {
    fn info(&self, image: usize) -> Result<Option<PictureInfo>> {
        let is_known = self.numbers.borrow().contains_key(&image);
        if !is_known && self.used.borrow().len() >= MAX_IMAGES {
            self.is_full.set(true);
            return Ok(None);
        }
        self.pictures.info(image)
    }

    fn path(&self, image: usize, info: PictureInfo) -> Result<Option<String>> {
        let format = match info.format {
            PictureFormat::Png => Format::Png,
            PictureFormat::Jpeg => Format::Jpeg,
            PictureFormat::Gif => Format::Gif,
        };
        let number = *self.numbers.borrow_mut().entry(image).or_insert_with(|| {
            let mut used = self.used.borrow_mut();
            used.push((image, format));
            used.len()
        });
        Ok(Some(bundled_image(number, format)))
    }

    fn open(&self, image: usize) -> Result<Box<dyn Read + '_>> {
        self.pictures.open(image)
    }
}
