//! Pictures that cover a page, such as backgrounds of slides: they are anchored behind the text of the page.

use std::fmt::Write as _;

use super::section::is_background;
use super::story::Story;
use super::{drawing, section};
use crate::writers::page_transform::PageTransform;
use crate::writers::{PictureInfo, length, picture};
use crate::{Basis, Block, Content, Page, Size};

impl Story<'_> {
    /// Whether a page has a background that is written. The picture of a recognized page shows its text, so it is none.
    pub(super) fn has_background(&self, page: &Page) -> bool {
        let is_known = |block: &Block| match block.content {
            Content::Image { image, .. } => matches!(self.pictures.info(image), Ok(Some(_))),
            _ => false,
        };
        let mut backgrounds = page
            .blocks
            .iter()
            .filter(|block| is_background(block, page.size));
        page.basis != Basis::Recognition && backgrounds.any(is_known)
    }

    /// Anchors a background to the next paragraph.
    pub(super) fn background(&mut self, block: &Block, info: PictureInfo, page: Size) {
        let (Content::Image { image, alternative }, Some(bounds)) =
            (&block.content, length::place(block.bounds))
        else {
            return;
        };
        self.used.insert(*image, info);
        let relation = self
            .relations
            .part("image", &picture::part(*image, info.format));
        let frame = PageTransform::between(
            length::size(page, 1.0, length::MAX_DISTANCE),
            section::allowed(page),
        );
        let place = frame.place(bounds);
        let shape = drawing::picture(
            self.numbered + 1,
            &relation,
            "",
            (place.width, place.height),
        );
        let words = alternative.as_deref().unwrap_or_default();
        let drawing = self.anchored(("Picture", words), place, true, (drawing::PICTURE, &shape));
        write!(self.backgrounds, "<w:r>{drawing}</w:r>").ok();
    }

    /// Writes a minimal paragraph for the backgrounds without one.
    pub(super) fn anchor_backgrounds(&mut self, begins_page: bool) {
        let begin = if begins_page {
            "<w:pageBreakBefore/>"
        } else {
            ""
        };
        let backgrounds = std::mem::take(&mut self.backgrounds);
        write!(
            self.xml,
            "<w:p><w:pPr>{begin}{}</w:pPr>{backgrounds}</w:p>",
            section::MINIMAL
        )
        .ok();
    }
}
