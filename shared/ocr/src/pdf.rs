//! Recognizes the scanned pages of a PDF, and extracts the existing text of the others.

use domain::format::Format;
use domain::operation::{Languages, OcrMode};
use pdf::pdfium;
use pdfium_render::prelude::PdfDocument;
use task::matrix::Matrix;
use task::progress::ProgressWriter;
use task::{Task, TaskError, TaskResult};

use super::incremental_update::ContentChange;
use super::languages::{Recognition, model_names};
use super::ocr_page::{Page, TextLayer, Unit};
use super::page_plan::{ExistingText, PagePlan, page_size};
use super::partial_pages::PartialPages;
use super::pool::{PageInput, Pool};
use super::rasterized::RasterizedPage;
use super::recognize::OcrResult;
use super::{RECOGNITION_PROGRESS, check_cost, document, existing_text, transformed};

/// Memory factor of a page rendered in color as well.
const COLOR_FACTOR: u64 = 4;

/// Returns all pages, and the change to the content of each.
pub(super) fn read(
    task: &Task,
    recognition: &Recognition<'_>,
    mode: OcrMode,
) -> TaskResult<(Vec<Page>, Vec<ContentChange>, Languages)> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let count = usize::try_from(document.pages().len()).unwrap_or(0);
    let rewritten = task.to == Format::Pdf;
    let plan = |index| PagePlan::of(&document::page(&document, index)?, mode, rewritten);
    let plans: Vec<PagePlan> = (0..count).map(plan).collect::<TaskResult<_>>()?;
    let pixels: Vec<u64> = plans
        .iter()
        .filter_map(|plan| Some(plan.pixels()?.cost))
        .collect();
    let planned = (&plans[..], &PartialPages::new());
    let languages = languages(task, recognition, &document, planned)?;
    let models = model_names(&languages);
    check_cost(&pixels, &models)?;
    let pool = recognition.pool(&models, false);
    let readings = read_pictures(task, &pool, &document, planned)?;
    let mut pages = vec![Page::default(); count];
    let mut contents: Vec<ContentChange> = plans.iter().map(content_change).collect();
    for (index, mut reading) in readings {
        let (Some(plan), Some(page)) = (plans.get(index), pages.get_mut(index)) else {
            continue;
        };
        if let (Some(rasterized), Some(content)) = (
            rasterized_page(&document, index, *plan, &mut reading)?,
            contents.get_mut(index),
        ) {
            *content = ContentChange::Rasterized(rasterized);
        }
        *page = read_page(&document, index, *plan, reading)?;
    }
    for (index, plan) in plans.iter().enumerate() {
        if let (Some(page), PagePlan::KeepText) = (pages.get_mut(index), plan) {
            *page = document::existing_page(&mut document::page(&document, index)?)?;
        }
    }
    Ok((pages, contents, languages))
}

/// Returns the requested languages, or those detected on some of the planned pages.
pub(super) fn languages(
    task: &Task,
    recognition: &Recognition<'_>,
    document: &PdfDocument<'_>,
    (plans, partial): (&[PagePlan], &PartialPages),
) -> TaskResult<Languages> {
    let planned = plans.iter().enumerate();
    let planned = planned.filter(|(_, plan)| **plan != PagePlan::KeepText);
    let planned: Vec<usize> = planned.map(|(number, _)| number).collect();
    recognition.languages(planned.len(), |index| {
        let number = planned.get(index).copied().unwrap_or_default();
        let plan = plans.get(number).copied().unwrap_or(PagePlan::KeepText);
        let input = planned_picture(task, document, number, (plan, partial))?;
        input
            .map(|input| input.picture)
            .ok_or_else(TaskError::input_corrupt)
    })
}

/// Renders a planned page, of which only some areas are shown if only they are recognized; `None` if its text is kept.
fn planned_picture(
    task: &Task,
    document: &PdfDocument<'_>,
    number: usize,
    (plan, partial): (PagePlan, &PartialPages),
) -> TaskResult<Option<PageInput>> {
    let PagePlan::Recognize {
        sides, existing, ..
    } = plan
    else {
        return Ok(None);
    };
    let mut input = render_page(task, document, number, (sides, existing))?;
    if let Some(partial) = partial.get(&number) {
        input.picture = partial.masked(&input.picture);
    }
    Ok(Some(input))
}

/// Returns the change to the content of a page that is not rasterized.
fn content_change(plan: &PagePlan) -> ContentChange {
    match plan {
        PagePlan::Recognize {
            existing: ExistingText::RemoveInvisible,
            ..
        } => ContentChange::InvisibleTextRemoved,
        _ => ContentChange::Unchanged,
    }
}

/// Recognizes the planned pages, or their areas; results are in any order.
pub(super) fn read_pictures(
    task: &Task,
    pool: &Pool<'_>,
    document: &PdfDocument<'_>,
    (plans, partial): (&[PagePlan], &PartialPages),
) -> TaskResult<Vec<(usize, OcrResult)>> {
    let memory = |plan: &PagePlan| match plan {
        PagePlan::Recognize {
            existing: ExistingText::Rasterize,
            ..
        } => plan.pixels().map(|pixels| pixels.original * COLOR_FACTOR),
        _ => plan.pixels().map(|pixels| pixels.recognized),
    };
    let weights: Vec<u64> = plans.iter().filter_map(memory).collect();
    let heaviest = weights.iter().copied().max().unwrap_or(0);
    let mut progress = ProgressWriter::for_range(&task.scratch, RECOGNITION_PROGRESS);
    let mut readings = Vec::new();
    pool.read(
        (weights.len(), heaviest),
        |give| {
            for (number, plan) in plans.iter().enumerate() {
                if let Some(input) = planned_picture(task, document, number, (*plan, partial))? {
                    give(input)?;
                }
            }
            Ok(())
        },
        |index, reading| {
            readings.push((index, reading));
            progress.report(readings.len(), weights.len());
        },
    )?;
    Ok(readings)
}

/// Renders a page. In a PDF result, annotations and form fields stay interactive, so they are not recognized.
fn render_page(
    task: &Task,
    document: &PdfDocument<'_>,
    number: usize,
    (sides, existing): ((u32, u32), ExistingText),
) -> TaskResult<PageInput> {
    let page = document::page(document, number)?;
    let (picture, shown) = match existing {
        ExistingText::Rasterize => {
            let (picture, shown) = document::render_in_color(&page, sides)?;
            (picture, Some(shown))
        }
        _ => (
            document::render(&page, sides, task.to != Format::Pdf)?,
            None,
        ),
    };
    Ok(PageInput {
        number,
        picture,
        replacement: shown,
    })
}

/// Returns the image that replaces a page, if it is rasterized.
fn rasterized_page(
    document: &PdfDocument<'_>,
    index: usize,
    plan: PagePlan,
    reading: &mut OcrResult,
) -> TaskResult<Option<RasterizedPage>> {
    let (PagePlan::Recognize { sides, .. }, Some(image)) = (plan, reading.rasterized.take()) else {
        return Ok(None);
    };
    Ok(Some(RasterizedPage {
        image,
        to_user_space: document::pixels_to_user_space(&document::page(document, index)?, sides)?,
        sides,
    }))
}

/// Builds a page from its OCR result.
fn read_page(
    document: &PdfDocument<'_>,
    index: usize,
    plan: PagePlan,
    reading: OcrResult,
) -> TaskResult<Page> {
    let PagePlan::Recognize {
        sides,
        existing,
        kept_characters,
        ..
    } = plan
    else {
        return Err(TaskError::Installation(
            "a page was recognized without plan".to_owned(),
        ));
    };
    let page = document::page(document, index)?;
    let (width, height) = page_size(&page);
    let (across, down) = (f64::from(sides.0), f64::from(sides.1));
    let to_points = Matrix([width / across, 0.0, 0.0, height / down, 0.0, 0.0]);
    let shown = reading.back.then(to_points);
    let blocks = transformed(&reading.blocks, shown);
    let rotation = reading.character_rotation();
    let visible = match existing {
        ExistingText::Rasterize => Vec::new(),
        _ => existing_text::visible_character_bounds(&page, sides)?,
    };
    Ok(Page {
        sides: (width, height),
        unit: Unit::Point,
        is_recognized: true,
        has_unread_rows: !existing_text::uncovered(reading.unread, &visible, reading.back)
            .is_empty(),
        script: reading.script,
        rotation,
        blocks,
        text: None,
        existing_characters: kept_characters,
        layer: Some(TextLayer {
            back: reading.back,
            to_user_space: reading
                .back
                .then(document::pixels_to_user_space(&page, sides)?),
            blocks: existing_text::remove_covered_words(reading.blocks, &visible, reading.back),
        }),
    })
}
