//! Keeps figures, such as charts, as images: renders their regions.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use image::RgbaImage;
use image::imageops::crop_imm;
use layout::{PageContent, Picture, Rect, Size, Tag};
use task::TaskResult;

use super::handles::{Image, PageHandle};
use super::store::PictureStore;

/// Figures by page number, and how many pixels may still be rendered.
pub(super) struct Figures<'a> {
    regions: &'a BTreeMap<u32, Vec<Rect>>,
    /// Pages with figures that could not be rendered.
    unrendered: &'a RefCell<BTreeSet<u32>>,
    pixels: u64,
}

/// Maximum number of pixels of the figures of a document, and how much each page adds to it.
const MAX_PIXELS: u64 = 400_000_000;
const PIXELS_PER_PAGE: u64 = 2_000_000;
/// Margin around a region, so that lines at its edge are not cut, in points.
const MARGIN: f32 = 1.0;
/// Maximum number of figures of a page that are rendered one by one: each takes as long as the page. More are cut out of one
/// image.
const MAX_SEPARATE: usize = 4;

impl<'a> Figures<'a> {
    pub(super) fn new(
        regions: &'a BTreeMap<u32, Vec<Rect>>,
        unrendered: &'a RefCell<BTreeSet<u32>>,
    ) -> Self {
        let pages = u64::try_from(regions.len()).unwrap_or(u64::MAX);
        Self {
            regions,
            unrendered,
            pixels: MAX_PIXELS.saturating_add(PIXELS_PER_PAGE.saturating_mul(pages)),
        }
    }

    /// Renders the figures of a page and adds them to its content. Those beyond the limits stay text, and the page is recorded.
    pub(super) fn add(
        &mut self,
        page: &PageHandle<'_>,
        content: &mut PageContent,
        store: &PictureStore,
    ) -> TaskResult<()> {
        let Some(regions) = self.regions.get(&content.number) else {
            return Ok(());
        };
        let size = content.size;
        let shown = Rect::between((0.0, 0.0), (size.width, size.height));
        let part = |region: &Rect| Some((*region, region.grown(MARGIN).within(&shown)?));
        let parts: Vec<(Rect, Rect)> = regions.iter().filter_map(part).collect();
        let is_together = parts.len() > MAX_SEPARATE;
        let all = Rect::around(parts.iter().map(|(_, part)| *part)).filter(|_| is_together);
        let all = all.and_then(|all| Some((self.render(page, all, size)?, all)));
        for (region, part) in parts {
            let image = match &all {
                Some((image, all)) => Some(cut(image, all, &part)),
                None if is_together => None,
                None => self.render(page, part, size),
            };
            let kept = image.map(|image| {
                let (width, height) = image.dimensions();
                let rgba = image.into_raw();
                store.keep(None, || {
                    Some(Image::Pixels {
                        rgba,
                        width,
                        height,
                    })
                })
            });
            match kept.transpose()?.filter(|kept| !kept.is_over_limit) {
                Some(kept) => content.figures.push(Picture {
                    bounds: region,
                    image: kept.number,
                    tag: Tag::None,
                }),
                None => {
                    self.unrendered.borrow_mut().insert(content.number);
                }
            }
        }
        Ok(())
    }

    /// Renders a part of a page of this size; `None` if that fails or is beyond the limit.
    fn render(&mut self, page: &PageHandle<'_>, part: Rect, size: Size) -> Option<RgbaImage> {
        let image = (self.pixels > 0).then(|| page.region(&part, size))??;
        let pixels = u64::from(image.width()) * u64::from(image.height());
        self.pixels = self.pixels.saturating_sub(pixels);
        Some(image)
    }
}

/// Returns a part of the image of a larger part.
fn cut(image: &RgbaImage, all: &Rect, part: &Rect) -> RgbaImage {
    let (width, height) = image.dimensions();
    let along = |at: f32, length: f32, pixels: u32| {
        let at = f64::from(at / length.max(f32::MIN_POSITIVE)) * f64::from(pixels);
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "limited to the number of pixels"
        )]
        let at = at.round().clamp(0.0, f64::from(pixels)) as u32;
        at
    };
    let (x, y) = (
        along(part.left - all.left, all.width(), width),
        along(part.top - all.top, all.height(), height),
    );
    let (right, bottom) = (
        along(part.right - all.left, all.width(), width),
        along(part.bottom - all.top, all.height(), height),
    );
    let (x, y) = (
        x.min(width.saturating_sub(1)),
        y.min(height.saturating_sub(1)),
    );
    let sides = (right.saturating_sub(x), bottom.saturating_sub(y));
    crop_imm(image, x, y, sides.0.max(1), sides.1.max(1)).to_image()
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use layout::analysis::{Options, Reader, Survey};
    use layout::{Content, plain};

    use super::*;
    use crate::content::samples::{pages, stream};

    /// The page of a chart, rendered with this many pixels at most: alternative texts of images, texts, and numbers of the pages
    /// with figures that could not be rendered.
    fn chart(pixels: u64) -> (Vec<String>, Vec<String>, Vec<u32>) {
        let mut content = "0 0 1 rg ".to_owned();
        for (bar, label) in (0..).zip(["North", "South", "East", "West"]) {
            let (left, height) = (100 + 40 * bar, 30 + 25 * bar);
            write!(
                content,
                "{left} 300 20 {height} re f BT /F 9 Tf {left} 288 Td ({label}) Tj ET "
            )
            .unwrap();
        }
        let directory = tempfile::tempdir().unwrap();
        let store = PictureStore::new(directory.path());
        let region = Rect::between((96.0, 430.0), (250.0, 560.0));
        let regions = BTreeMap::from([(1, vec![region])]);
        let unrendered = RefCell::default();
        let figures = Figures {
            regions: &regions,
            unrendered: &unrendered,
            pixels,
        };
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>",
            "<</Type/Pages/Kids[3 0 R]/Count 1>>",
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>",
            &stream(&content),
            "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
        ];
        let pages = pages(&objects, Some((&store, figures)));
        let mut survey = Survey::default();
        pages.iter().for_each(|page| survey.note(page));
        let statistics = survey.finish();
        let mut reader = Reader::new(&statistics, Options::default());
        let blocks = pages.iter().flat_map(|page| reader.read(page).page.blocks);
        let (mut images, mut texts) = (Vec::new(), Vec::new());
        for block in blocks {
            match block.content {
                Content::Image { alternative, .. } => images.push(alternative.unwrap_or_default()),
                Content::Paragraph { runs, .. } => texts.push(plain(&runs)),
                other => panic!("{other:?}"),
            }
        }
        (images, texts, unrendered.into_inner().into_iter().collect())
    }

    #[test]
    fn a_figure_that_is_not_rendered_keeps_its_text_and_its_page_is_recorded() {
        let labels = vec!["North South East West".to_owned()];
        assert_eq!(chart(1), (labels.clone(), vec![], vec![]));
        assert_eq!(chart(0), (vec![], labels, vec![1]));
    }

    #[test]
    fn a_figure_is_cut_out_of_the_image_of_all() {
        let image = RgbaImage::from_fn(40, 20, |x, y| {
            let is_inside = (10..30).contains(&x) && (10..20).contains(&y);
            image::Rgba([if is_inside { 0 } else { 255 }; 4])
        });
        let all = Rect::between((100.0, 200.0), (120.0, 210.0));
        let part = Rect::between((105.0, 205.0), (115.0, 210.0));
        let cut = cut(&image, &all, &part);
        assert!(cut.width().abs_diff(20) <= 1 && cut.height().abs_diff(10) <= 1);
        let inside = cut.pixels().filter(|pixel| pixel.0 == [0; 4]).count();
        assert!(inside >= 190, "{inside}");
    }
}
