//! Images of a PDF for the writers.

use std::io::{BufReader, Read, Result};

use layout::writers::{PictureFormat, PictureInfo, Pictures};
use pdf::content::{PictureStore, StoredPicture};

/// Images extracted to a store.
pub(super) struct StoredPictures<'a>(pub(super) &'a PictureStore);

impl Pictures for StoredPictures<'_> {
    fn info(&self, image: usize) -> Result<Option<PictureInfo>> {
        Ok(self.0.info(image).map(picture_info))
    }

    fn open(&self, image: usize) -> Result<Box<dyn Read + '_>> {
        Ok(Box::new(BufReader::new(self.0.open(image)?)))
    }
}

fn picture_info(stored: StoredPicture) -> PictureInfo {
    PictureInfo {
        format: match stored.is_jpeg {
            true => PictureFormat::Jpeg,
            false => PictureFormat::Png,
        },
        width: stored.width,
        height: stored.height,
    }
}
