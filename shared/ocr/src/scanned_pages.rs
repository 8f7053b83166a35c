//! OCR of scanned pages for the layout model.

use std::collections::BTreeMap;
use std::path::Path;

use ::pdf::content::{OcrCandidate, OcrPages, PageInk, Photograph};
use ::pdf::pdfium;

use domain::operation::Languages;
use image::DynamicImage;
use pdfium_render::prelude::PdfDocument;
use task::{Inspection, Task, TaskError, TaskResult, Warning};

use super::languages::{PageText, Recognition, model_names};
use super::ocr_page::words;
use super::ocr_result::OcrResult;
use super::page_plan::{ExistingText, PagePlan, limit_to_color_pixels, page_size};
use super::page_plans::PagePlans;
use super::partial_pages::PartialPage;
use super::shown::{Leaf, reads};
use super::{
    cut_photographs, document, doubts, enlarged, existing_text, image_languages, images,
    load_tesseract, pdf, photographs,
};

/// What to recognize.
#[derive(Clone, Copy)]
pub struct OcrRequest<'a> {
    /// The languages of the text; detected if `None`.
    pub languages: Option<&'a Languages>,
    /// Whether images are wanted: photographs are then cut from scans.
    pub pictures: bool,
    /// Whether the text is reflowed: pages are then rotated upright; otherwise they keep their orientation.
    pub reflows: bool,
}

/// Result of the OCR of a document.
#[derive(Default)]
pub struct OcrResults {
    /// The pages with words, and for images also those without.
    pub pages: OcrPages,
    /// The pages on which no word was found.
    pub without_text: Vec<u32>,
    /// The pages with outlined text or pictures that were not recognized because of a limit or because OCR is off.
    pub skipped: Vec<u32>,
    /// The pages with text of their own and a picture of text that was not readable.
    pub unread: Vec<u32>,
    /// The pages recognized as a whole on which rows of letters were not.
    pub missed: Vec<u32>,
    /// The pages of which only outlined text and pictures of text were recognized.
    in_part: Vec<u32>,
    /// The pages with an earlier text layer; only photographs are kept of their images.
    pub(super) searchable: Vec<u32>,
    /// All recognized words.
    pub words: Vec<String>,
    /// The languages of the models.
    languages: Languages,
    /// Mean confidence of all recognized words, in percent.
    confidence: u8,
    /// The warnings about pages that OCR is not sure of.
    doubts: Vec<Warning>,
}

impl OcrResults {
    /// Returns whether no page was recognized.
    pub fn is_empty(&self) -> bool {
        self.pages.0.is_empty() && self.without_text.is_empty()
    }

    /// Returns whether all outlined text of a page was recognized.
    pub fn has_outlined_text(&self, ink: &PageInk) -> bool {
        let read = self.pages.0.get(&ink.number);
        let is_whole = match read {
            Some(page) => page.partial.is_none(),
            None => self.without_text.contains(&ink.number),
        };
        let has_text = |area| read.is_some_and(|page| page.has_text_of(area));
        (is_whole || !ink.may_have_more_text()) && ink.outlined_text.iter().all(has_text)
    }

    /// Returns the number of photographs cut from pages with an earlier text layer, of whose images nothing else is kept;
    /// `None` without such pages.
    pub fn photographs_of_searchable(&self) -> Option<u32> {
        (!self.searchable.is_empty()).then(|| self.photographs(&self.searchable))
    }

    /// Returns the number of photographs cut from these pages.
    fn photographs(&self, pages: &[u32]) -> u32 {
        let reads = pages.iter().filter_map(|page| self.pages.0.get(page));
        let cut = reads.map(|read| read.photographs.len()).sum::<usize>();
        u32::try_from(cut).unwrap_or(u32::MAX)
    }

    /// Returns the warnings about the OCR result.
    pub fn warnings(&self) -> Vec<Warning> {
        let mut numbers: Vec<u32> = self.pages.0.keys().copied().collect();
        numbers.retain(|number| !self.without_text.contains(number));
        numbers.retain(|number| !self.searchable.contains(number));
        let is_in_part = |number: &u32| self.in_part.contains(number);
        let (in_part, numbers): (Vec<u32>, Vec<u32>) = numbers.into_iter().partition(is_in_part);
        let cut = self.photographs(&numbers);
        let recognized = (!numbers.is_empty()).then(|| Warning::TextRecognized {
            pages: numbers,
            confidence: self.confidence,
            languages: self.languages.codes().map(str::to_owned).collect(),
            photographs: Some(cut),
        });
        let in_part = (!in_part.is_empty()).then_some(Warning::TextRecognizedInPart(in_part));
        recognized
            .into_iter()
            .chain(in_part)
            .chain(self.doubts.iter().cloned())
            .collect()
    }
}

/// Recognizes those pages of a PDF that have content but no text, or only garbled text; of the others, outlined text and
/// pictures of text, within the time limit.
///
/// # Errors
/// Damaged documents, jobs beyond the time limit, or failures of Tesseract.
pub fn recognize_pdf(
    task: &Task,
    file: &Path,
    candidates: &[OcrCandidate],
    request: OcrRequest<'_>,
) -> TaskResult<OcrResults> {
    if candidates.is_empty() {
        return Ok(OcrResults::default());
    }
    let library = pdfium::load(task)?;
    let document = library.load_pdf_from_file(file, None);
    let document = document.map_err(pdfium::load_error)?;
    let PagePlans {
        plans,
        partial,
        with_existing_text,
        skipped,
    } = PagePlans::of(
        &document,
        candidates,
        &model_names(&request.languages.cloned().unwrap_or_default()),
    )?;
    if plans.iter().all(|plan| *plan == PagePlan::KeepText) {
        return Ok(OcrResults {
            skipped,
            ..OcrResults::default()
        });
    }
    let tesseract = load_tesseract()?;
    let recognition = Recognition::new(task, &tesseract, request.languages);
    let languages = pdf::languages(task, &recognition, &document, (&plans, &partial))?;
    let models = model_names(&languages);
    let pool = recognition.pool(&models, true);
    let readings = pdf::read_pictures(task, &pool, &document, (&plans, &partial))?;
    let leaves = readings.into_iter().map(|(index, reading)| {
        let plan = plans.get(index).copied().unwrap_or(PagePlan::KeepText);
        leaf(
            &document,
            index,
            (plan, partial.get(&index), request),
            reading,
        )
    });
    let leaves: Vec<Leaf> = leaves.collect::<TaskResult<_>>()?;
    let unread = leaves.iter().filter(|leaf| {
        let (index, reading) = (leaf.index(), &leaf.reading);
        match partial.get(&index) {
            Some(areas) => areas.has_unread_picture(&reading.blocks, reading.back),
            None => with_existing_text.contains(&index) && words(&reading.blocks).next().is_none(),
        }
    });
    let unread = unread.map(|leaf| leaf.number).collect();
    let found = OcrResults {
        in_part: partial.keys().copied().map(page_number).collect(),
        skipped,
        unread,
        ..found(&leaves, false, languages)
    };
    found.with_photographs(task, &leaves, |leaf| {
        let page = document::page(&document, leaf.index())?;
        let (_, shown) = document::render_in_color(&page, limit_to_color_pixels(leaf.sides))?;
        Ok(shown)
    })
}

/// Recognizes all pages of an image. A page without text becomes a single picture.
///
/// # Errors
/// Damaged documents, jobs beyond the time limit, or failures of Tesseract.
pub fn recognize_image(
    task: &Task,
    inspection: &Inspection,
    request: OcrRequest<'_>,
) -> TaskResult<OcrResults> {
    let sides = images::sides(task, inspection.pages.unwrap_or(1))?;
    let tesseract = load_tesseract()?;
    let recognition = Recognition::new(task, &tesseract, request.languages);
    let languages = image_languages(task, &recognition, &sides)?;
    let models = model_names(&languages);
    let pool = recognition.pool(&models, true);
    let readings = super::read_pictures(task, &pool, &sides)?;
    let leaves = readings.into_iter().filter_map(|(index, reading)| {
        let (sides, _) = *sides.get(index)?;
        let (width, height) = (f64::from(sides.0), f64::from(sides.1));
        let scale = enlarged::points(width.max(height), reading.resolution);
        let reading = without_noise(
            reading.separate_photographs(request.pictures),
            request.pictures,
        );
        Some(Leaf {
            number: page_number(index),
            points: (width * scale, height * scale),
            sides,
            is_scan: true,
            is_upright: request.reflows,
            is_all: false,
            partial: None,
            reading: match request.pictures && reading.blocks.is_empty() {
                true => reading.into_photograph(sides),
                false => reading,
            },
        })
    });
    let leaves: Vec<Leaf> = leaves.collect();
    found(&leaves, true, languages).with_photographs(task, &leaves, |leaf| {
        images::decode_page(task, leaf.index())
    })
}

/// Discards the text if no word is credible and the page is shown as an image anyway.
fn without_noise(mut reading: OcrResult, is_shown: bool) -> OcrResult {
    if is_shown && !photographs::has_credible_word(&reading.blocks) {
        reading.blocks.clear();
        reading.photographs.clear();
        reading.unread.clear();
    }
    reading
}

fn page_number(index: usize) -> u32 {
    u32::try_from(index + 1).unwrap_or(u32::MAX)
}

/// Builds a page of a PDF, without recognized words that its existing text covers.
fn leaf(
    document: &PdfDocument<'_>,
    index: usize,
    (plan, partial, request): (PagePlan, Option<&PartialPage>, OcrRequest<'_>),
    reading: OcrResult,
) -> TaskResult<Leaf> {
    let PagePlan::Recognize {
        sides,
        existing,
        is_scan,
        ..
    } = plan
    else {
        return Err(TaskError::Installation(
            "a page was recognized without plan".to_owned(),
        ));
    };
    let mut page = document::page(document, index)?;
    // Flattening turns the text of annotations and form fields into existing text of the page, as readers see it.
    page.flatten().ok();
    let mut reading = reading.separate_photographs(request.pictures && is_scan);
    let visible = match existing {
        ExistingText::Rasterize => Vec::new(),
        ExistingText::Keep | ExistingText::RemoveInvisible => {
            existing_text::visible_character_bounds(&page, sides)?
        }
    };
    reading.blocks = existing_text::remove_covered_words(reading.blocks, &visible, reading.back);
    reading.unread = existing_text::uncovered(reading.unread, &visible, reading.back);
    if let Some(partial) = partial {
        reading.blocks = partial.readable(reading.blocks, reading.back);
    }
    Ok(Leaf {
        number: page_number(index),
        points: page_size(&page),
        sides,
        is_scan,
        is_upright: request.reflows && is_scan,
        is_all: existing == ExistingText::Rasterize,
        partial: partial.map(|partial| partial.replaced_pictures(&reading.blocks, reading.back)),
        // Words recognized in drawings alone are misread lines.
        reading: without_noise(reading, request.pictures || !is_scan),
    })
}

/// Collects the results of pages, recognized with models of `languages`; those without words only if `keeps_textless`.
fn found(leaves: &[Leaf], keeps_textless: bool, languages: Languages) -> OcrResults {
    let all = || leaves.iter().flat_map(|leaf| words(&leaf.reading.blocks));
    let texts = leaves.iter().map(|leaf| {
        let reading = &leaf.reading;
        let words = words(&reading.blocks);
        PageText::of(leaf.number, words, reading.script, &languages)
    });
    let texts: Vec<PageText> = texts.collect();
    let missed = leaves
        .iter()
        .filter(|leaf| leaf.partial.is_none() && !leaf.reading.unread.is_empty());
    let said = all().map(|word| word.text.clone()).collect();
    let mut pages = BTreeMap::new();
    let mut without_text = Vec::new();
    for (leaf, read) in leaves.iter().zip(reads(leaves)) {
        let is_textless = read.words.is_empty();
        let has_other_text = leaf.partial.is_some();
        without_text.extend((is_textless && !has_other_text).then_some(leaf.number));
        if keeps_textless || !is_textless {
            pages.insert(leaf.number, read);
        }
    }
    without_text.sort_unstable();
    OcrResults {
        pages: OcrPages(pages),
        without_text,
        words: said,
        confidence: doubts::percent(texts.iter()).unwrap_or(0),
        doubts: doubts::warnings(&texts, &languages),
        languages,
        missed: missed.map(|leaf| leaf.number).collect(),
        ..OcrResults::default()
    }
}

impl OcrResults {
    /// Cuts out the photographs; `shown` renders a page.
    fn with_photographs(
        mut self,
        task: &Task,
        leaves: &[Leaf],
        shown: impl Fn(&Leaf) -> TaskResult<DynamicImage>,
    ) -> TaskResult<Self> {
        for leaf in leaves.iter().filter(|leaf| leaf.shows_photographs()) {
            self.cut(task, leaf, shown(leaf)?)?;
        }
        Ok(self)
    }

    /// Cuts the photographs of a page out of its rendering.
    pub(super) fn cut(&mut self, task: &Task, leaf: &Leaf, shown: DynamicImage) -> TaskResult<()> {
        let Some(read) = self.pages.0.get_mut(&leaf.number) else {
            return Ok(());
        };
        let name = format!("cutting-{}", leaf.number);
        if words(&leaf.reading.blocks).next().is_none() {
            let whole = leaf.bounds(
                leaf.reading
                    .photographs
                    .first()
                    .copied()
                    .unwrap_or_default(),
            );
            let path = task.directory.join(name);
            read.photographs
                .push(cut_photographs::store_whole(task, shown, whole, path)?);
            return Ok(());
        }
        for (index, area) in leaf.reading.photographs.iter().enumerate() {
            let path = task.directory.join(format!("{name}-{index}"));
            let (place, back) = leaf.cut(*area, (shown.width(), shown.height()));
            let sides = cut_photographs::cut(&shown, back, place, &path)?;
            read.photographs.push(Photograph {
                bounds: leaf.bounds(*area),
                path,
                sides,
                is_jpeg: true,
            });
        }
        Ok(())
    }
}
