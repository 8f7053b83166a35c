//! The pictures of a PDF, as writers ask for them.

use std::io::{BufReader, Read, Result};

use layout::writers::{PictureFormat, PictureInfo, Pictures};
use pdf::content::{Store, Stored};

/// Those that are kept in a store.
pub(super) struct Kept<'a>(pub(super) &'a Store);

impl Pictures for Kept<'_> {
    fn info(&self, image: usize) -> Result<Option<PictureInfo>> {
        Ok(self.0.facts(image).map(facts))
    }

    fn open(&self, image: usize) -> Result<Box<dyn Read + '_>> {
        Ok(Box::new(BufReader::new(self.0.open(image)?)))
    }
}

fn facts(stored: Stored) -> PictureInfo {
    PictureInfo {
        format: match stored.is_jpeg {
            true => PictureFormat::Jpeg,
            false => PictureFormat::Png,
        },
        width: stored.width,
        height: stored.height,
    }
}
