//! Plans which pages of a PDF are recognized, as a whole or in part, within the time limit of a job.

use domain::operation::OcrMode;
use pdf::content::{NearlyTextless, OcrCandidate};
use pdfium_render::prelude::{PdfDocument, PdfPage, PdfPageObjectsCommon as _};
use task::TaskResult;

use super::page_plan::PagePlan;
use super::partial_pages::{PartialPage, PartialPages};
use super::{MAX_SECONDS, check_cost, document, seconds};

/// Maximum estimated CPU seconds of the pages with text of their own.
const MAX_OPTIONAL_SECONDS: f64 = MAX_SECONDS / 4.0;

/// The plans of a document.
#[derive(Default)]
pub(super) struct PagePlans {
    /// The plan of each page.
    pub(super) plans: Vec<PagePlan>,
    /// The areas of the pages that are recognized in part.
    pub(super) partial: PartialPages,
    /// Indexes of the pages with text of their own, of which outlined text or pictures of text are recognized.
    pub(super) with_existing_text: Vec<usize>,
    /// Numbers of pages with outlined text or pictures that are not recognized because of a limit.
    pub(super) skipped: Vec<u32>,
}

impl PagePlans {
    /// Plans the pages of a document, of which the candidates may be recognized.
    pub(super) fn of(
        document: &PdfDocument<'_>,
        candidates: &[OcrCandidate],
        languages: &str,
    ) -> TaskResult<Self> {
        let count = usize::try_from(document.pages().len()).unwrap_or(0);
        let mut plans = Self {
            plans: vec![PagePlan::KeepText; count],
            ..Self::default()
        };
        for candidate in candidates {
            plans.add(document, candidate)?;
        }
        plans.limit(languages)?;
        Ok(plans)
    }

    fn add(&mut self, document: &PdfDocument<'_>, candidate: &OcrCandidate) -> TaskResult<()> {
        let index = (candidate.number as usize).saturating_sub(1);
        let page = document::page(document, index)?;
        let Some(plan) = self.plans.get_mut(index).filter(|_| shows_something(&page)) else {
            return Ok(());
        };
        *plan = match candidate.text {
            Some(NearlyTextless::Garbled) => PagePlan::of(&page, OcrMode::Force, true)?,
            Some(NearlyTextless::Sparse) => PagePlan::of(&page, OcrMode::SkipText, false)?,
            None => PagePlan::KeepText,
        };
        if *plan != PagePlan::KeepText {
            return Ok(());
        }
        if candidate.pictures.has_unexamined {
            self.skipped.push(candidate.number);
        }
        if let Some(areas) = PartialPage::of(candidate, &page) {
            self.with_existing_text.push(index);
            if areas.is_scan() {
                *plan = PagePlan::of(&page, OcrMode::Force, false)?;
            } else {
                *plan = areas.plan();
                self.partial.insert(index, areas);
            }
        }
        Ok(())
    }

    /// Skips pages with text of their own beyond their time limit, or that of the job. Pages without text fail the job if they
    /// exceed its limit.
    fn limit(&mut self, languages: &str) -> TaskResult<()> {
        let pixels = |(index, plan): (usize, &PagePlan)| match self.partial.get(&index) {
            Some(areas) => Some(areas.pixels),
            None => Some(plan.pixels()?.cost),
        };
        let pixels: Vec<Option<u64>> = self.plans.iter().enumerate().map(pixels).collect();
        let is_required = |index: &usize| self.with_existing_text.binary_search(index).is_err();
        let required = (0..pixels.len()).filter(is_required);
        let required: Vec<u64> = required.filter_map(|index| *pixels.get(index)?).collect();
        check_cost(&required, languages)?;
        let left = MAX_SECONDS - seconds(&required, languages);
        let mut left = left.min(MAX_OPTIONAL_SECONDS);
        let mut skipped = Vec::new();
        self.with_existing_text.retain(|index| {
            let pixels = pixels.get(*index).copied().flatten();
            left -= seconds(pixels.as_slice(), languages);
            if left < 0.0 {
                skipped.push(*index);
            }
            left >= 0.0
        });
        for index in skipped {
            self.partial.remove(&index);
            if let Some(plan) = self.plans.get_mut(index) {
                *plan = PagePlan::KeepText;
            }
            self.skipped
                .push(u32::try_from(index + 1).unwrap_or(u32::MAX));
        }
        Ok(())
    }
}

fn shows_something(page: &PdfPage<'_>) -> bool {
    !page.objects().is_empty() || !page.annotations().is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::page_plan::ExistingText;
    use super::*;

    /// Scans of ten megapixels, of which those with these indexes have text of their own.
    fn plans(count: usize, with_existing_text: Vec<usize>) -> PagePlans {
        let scan = PagePlan::Recognize {
            sides: (2_500, 4_000),
            resolution: 300,
            existing: ExistingText::Keep,
            kept_characters: 0,
            is_scan: true,
        };
        PagePlans {
            plans: vec![scan; count],
            with_existing_text,
            ..PagePlans::default()
        }
    }

    #[test]
    fn pages_with_text_of_their_own_are_skipped_beyond_the_limit() {
        // About 360 pages of this size are within the limit of the job, and 90 within that of pages with text of their own.
        let mut all = plans(300, vec![0, 299]);
        all.limit("eng").unwrap();
        assert_eq!((all.with_existing_text.len(), all.skipped.len()), (2, 0));
        let mut partly = plans(600, (100..600).collect());
        partly.limit("eng").unwrap();
        let kept = partly.with_existing_text.len();
        assert!((85..95).contains(&kept), "{kept}");
        assert_eq!(partly.skipped.len(), 500 - kept);
        assert_eq!(partly.skipped.last(), Some(&600));
        let skipped = partly
            .plans
            .iter()
            .filter(|plan| **plan == PagePlan::KeepText);
        assert_eq!(skipped.count(), 500 - kept);
        let mut last = plans(400, (330..400).collect());
        last.limit("eng").unwrap();
        let kept = last.with_existing_text.len();
        assert!((28..38).contains(&kept), "{kept}");
        assert!(plans(600, (0..100).collect()).limit("eng").is_err());
    }
}
