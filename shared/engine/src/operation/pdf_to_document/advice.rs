//! How to get a result with content from a document without text.

use domain::format::Format;
use domain::operation::{ConvertOptions, OcrPolicy, WITH_IMAGES};
use ocr::OcrResults;
use pdf::content::SurveyedDocument;
use task::TaskResult;
use task::options::keeps_pictures;

use super::is_flowing;

/// Returns sentences for the error message. `has_other_content` is whether pages without text have pictures or drawings.
pub(super) fn advice(
    options: &ConvertOptions,
    surveyed: &SurveyedDocument<'_>,
    found: &OcrResults,
    has_other_content: bool,
) -> TaskResult<String> {
    let mut advice = Vec::new();
    if !found.without_text.is_empty() {
        advice.push("OCR recognized no text: check the `language`, or try a sharper scan.");
    }
    let is_ocr_off = options.ocr == Some(OcrPolicy::Off);
    if is_ocr_off && !surveyed.ocr_candidates()?.is_empty() {
        advice.push("Set `ocr` to `auto` to recognize the text of scans and pictures.");
    }
    let keeps_images = keeps_pictures(options);
    if has_other_content && !keeps_images && WITH_IMAGES.contains(&options.format) {
        advice.push("Set `images` to `embed` to include images.");
    }
    let has_layout = matches!(options.format, Format::Docx | Format::Html | Format::Pptx);
    if has_other_content && keeps_images && has_layout && is_flowing(options) {
        advice.push("Set `mode` to `layout` to keep drawings.");
    }
    Ok(advice.join(" "))
}
