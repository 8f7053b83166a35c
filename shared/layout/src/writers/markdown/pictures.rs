//! Pictures as links to files, or as reference links: `![words][image-1]` in the text, and their data once, at the end of the
//! document, where it does not get between the words.

use std::collections::HashMap;
use std::io::Write;

use super::escape::{self, Place};
use crate::writers::json::base64;
use crate::writers::{PictureInfo, Pictures, Result, WriteError, picture, plain};

/// The pictures used so far.
pub(super) struct References<'a> {
    pictures: &'a dyn Pictures,
    numbers: HashMap<usize, usize>,
    used: Vec<(usize, PictureInfo)>,
}

impl<'a> References<'a> {
    pub(super) fn new(pictures: &'a dyn Pictures) -> Self {
        Self {
            pictures,
            numbers: HashMap::new(),
            used: Vec::new(),
        }
    }

    /// Returns the reference of a picture, or its alternative text if there is no picture.
    pub(super) fn reference(
        &mut self,
        image: usize,
        alternative: Option<&str>,
        in_table: bool,
    ) -> Result<String> {
        let words = plain::clean(alternative.unwrap_or_default()).replace('\n', " ");
        let place = Place {
            in_table,
            in_link: true,
            ..Place::default()
        };
        let words = escape::text(&words, place);
        let Some(info) = picture::info(self.pictures, image)? else {
            return Ok(words);
        };
        let path = self.pictures.path(image, info);
        if let Some(path) = path.map_err(|reason| WriteError::Picture { image, reason })? {
            return Ok(format!("![{words}]({path})"));
        }
        let number = *self.numbers.entry(image).or_insert_with(|| {
            self.used.push((image, info));
            self.used.len()
        });
        Ok(format!("![{words}][image-{number}]"))
    }

    /// Whether a picture was used.
    pub(super) fn is_empty(&self) -> bool {
        self.used.is_empty()
    }

    /// Writes the data of the pictures.
    pub(super) fn write_data(&self, output: &mut impl Write) -> Result {
        for ((image, info), number) in self.used.iter().zip(1..) {
            let media_type = info.format.media_type();
            write!(output, "[image-{number}]: <data:{media_type};base64,")?;
            base64(&mut *picture::open(self.pictures, *image)?, output)?;
            output.write_all(b">\n")?;
        }
        Ok(())
    }
}
