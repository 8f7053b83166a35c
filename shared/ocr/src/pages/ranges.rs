//! Divides a document that is too long for one run into ranges of pages.

use domain::ocr_part::{MAX_RANGES, OcrPart, OcrRanges, PageSpan};
use domain::operation::Languages;
use task::Task;

use super::super::page_plan::{ExistingText, PagePlan};
use super::super::seconds;

/// Maximum estimated CPU seconds of a document that is recognized in one run.
const MAX_WHOLE_SECONDS: f64 = 300.0;
/// Maximum estimated CPU seconds of a range: little is lost with a run, and several runs make a long document faster.
const MAX_RANGE_SECONDS: f64 = 150.0;
/// Estimated CPU seconds of a page whose text is kept.
const KEPT_SECONDS: f64 = 0.05;
/// Maximum pages of a range.
const MAX_RANGE_PAGES: u32 = 500;

/// Returns the ranges of a document if the task permits them and it is too long for one run. `languages` are those of its
/// text, `models` those of Tesseract, joined by `+`. Documents with rasterized pages, whose images are large, have none, and neither
/// have those of too many ranges.
pub(in super::super) fn ranges(
    task: &Task,
    plans: &[PagePlan],
    languages: &Languages,
    models: &str,
) -> Option<OcrRanges> {
    let is_rasterized = |plan: &PagePlan| matches!(plan, PagePlan::Recognize { existing, .. } if *existing == ExistingText::Rasterize);
    if task.part != Some(OcrPart::WholeOrRanges) || plans.iter().any(is_rasterized) {
        return None;
    }
    let costs = plans.iter().map(|plan| match plan.pixels() {
        Some(pixels) => seconds(&[pixels.cost], models),
        None => KEPT_SECONDS,
    });
    let costs: Vec<f64> = costs.collect();
    let spans = spans(&costs);
    let is_long = costs.iter().sum::<f64>() > MAX_WHOLE_SECONDS;
    let is_long = is_long && (2..=MAX_RANGES).contains(&spans.len());
    is_long.then(|| OcrRanges {
        languages: languages.clone(),
        spans,
    })
}

/// Divides pages with these costs.
fn spans(costs: &[f64]) -> Vec<PageSpan> {
    let mut spans: Vec<PageSpan> = Vec::new();
    let mut left = 0.0;
    for (number, cost) in (1..).zip(costs) {
        left -= cost;
        match spans.last_mut() {
            Some(span) if left >= 0.0 && span.count() < MAX_RANGE_PAGES => span.last = number,
            _ => {
                spans.push(PageSpan {
                    first: number,
                    last: number,
                });
                left = MAX_RANGE_SECONDS - cost;
            }
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(costs: &[f64]) -> Vec<u32> {
        let spans = spans(costs);
        let ranges = OcrRanges {
            languages: Languages::default(),
            spans: spans.clone(),
        };
        assert!(spans.len() < 2 || ranges.is_valid(5_000));
        spans.iter().map(|span| span.count()).collect()
    }

    #[test]
    fn ranges_have_limited_cost_and_length() {
        assert!(counts(&[]).is_empty());
        assert_eq!(counts(&[2.0; 160]), [75, 75, 10]);
        assert_eq!(counts(&[1.0, 400.0, 1.0, 149.0, 1.0]), [1, 1, 2, 1]);
        assert_eq!(counts(&[0.05; 1_100]), [500, 500, 100]);
        assert_eq!(counts(&vec![2.0; 5_000]).len(), 67);
    }
}
