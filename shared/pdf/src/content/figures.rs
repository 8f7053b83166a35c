//! Keeps figures, such as charts, as images: renders their regions.

use std::collections::BTreeMap;

use layout::{PageContent, Picture, Rect, Tag};
use task::TaskResult;

use super::handles::{Image, PageHandle};
use super::store::PictureStore;

/// Figures by page number, and how many pixels may still be rendered.
pub(super) struct Figures<'a> {
    regions: &'a BTreeMap<u32, Vec<Rect>>,
    pixels: u64,
}

/// Maximum number of pixels of the figures of a document, and how much each page adds to it.
const MAX_PIXELS: u64 = 400_000_000;
const PIXELS_PER_PAGE: u64 = 2_000_000;
/// Margin around a region, so that lines at its edge are not cut, in points.
const MARGIN: f32 = 1.0;

impl<'a> Figures<'a> {
    pub(super) fn new(regions: &'a BTreeMap<u32, Vec<Rect>>) -> Self {
        let pages = u64::try_from(regions.len()).unwrap_or(u64::MAX);
        Self {
            regions,
            pixels: MAX_PIXELS.saturating_add(PIXELS_PER_PAGE.saturating_mul(pages)),
        }
    }

    /// Renders the figures of a page and adds them to its content. Those beyond the limit stay text, and the page is truncated.
    pub(super) fn add(
        &mut self,
        page: &PageHandle<'_>,
        content: &mut PageContent,
        store: &PictureStore,
    ) -> TaskResult<()> {
        let shown = Rect::between((0.0, 0.0), (content.size.width, content.size.height));
        for region in self.regions.get(&content.number).into_iter().flatten() {
            let Some(part) = region.grown(MARGIN).within(&shown) else {
                continue;
            };
            if self.pixels == 0 {
                content.is_truncated = true;
                break;
            }
            let Some(image) = page.region(&part, content.size) else {
                continue;
            };
            if let Image::Pixels { width, height, .. } = &image {
                let pixels = u64::from(*width) * u64::from(*height);
                self.pixels = self.pixels.saturating_sub(pixels);
            }
            let kept = store.keep(None, || Some(image))?;
            content.is_truncated |= kept.is_over_limit;
            content.figures.push(Picture {
                bounds: *region,
                image: kept.number,
                tag: Tag::None,
            });
        }
        Ok(())
    }
}
