//! Recognizes the scanned pages of a PDF, and extracts the existing text of the others.

use std::collections::BTreeMap;
use std::ops::Range;

use domain::format::Format;
use domain::ocr_part::{OcrPart, OcrRanges};
use domain::operation::{Languages, OcrMode};
use pdf::pdfium;
use pdfium_render::prelude::PdfDocument;
use task::matrix::Matrix;
use task::progress::ProgressWriter;
use task::{Task, TaskError, TaskResult};

use super::languages::{Recognition, model_names};
use super::ocr_page::{Page, TextLayer, Unit};
use super::ocr_result::OcrResult;
use super::page_plan::{ExistingText, PagePlan, page_size};
use super::page_result::{ContentChange, PageResult};
use super::pages::{Journal, Noted, Watchdog, Watched, ranges};
use super::partial_pages::PartialPages;
use super::pool::{PageInput, Pool};
use super::rasterized::RasterizedPage;
use super::{RECOGNITION_PROGRESS, check_cost, document, existing_text, transformed};

/// The reading of a PDF.
pub(super) enum PdfReading {
    /// The pages of the task, and the languages that were used.
    Pages(Vec<PageResult>, Languages),
    /// The document is too long for one run.
    TooLong(OcrRanges),
}

/// Reads all pages, or those of the task's part.
pub(super) fn read(
    task: &Task,
    recognition: &Recognition<'_>,
    mode: OcrMode,
) -> TaskResult<PdfReading> {
    let library = pdfium::load(task)?;
    let document = pdfium::open(&library, task)?;
    let count = usize::try_from(document.pages().len()).unwrap_or(0);
    let indexes = indexes(task, count)?;
    let rewritten = task.to == Format::Pdf;
    let plan = |index: usize| match indexes.contains(&index) {
        true => PagePlan::of(&document::page(&document, index)?, mode, rewritten),
        false => Ok(PagePlan::KeepText),
    };
    let plans: Vec<PagePlan> = (0..count).map(plan).collect::<TaskResult<_>>()?;
    let watchdog = Watchdog::start();
    let partial = PartialPages::new();
    let planned = Planned {
        watchdog: Some(&watchdog),
        ..Planned::unwatched(task, &document, (&plans, &partial))
    };
    let (journal, noted) = Journal::open(&task.directory)?;
    let languages = planned.noted_languages(recognition, (&journal, &noted))?;
    let models = model_names(&languages);
    if let Some(ranges) = ranges(task, &plans, &languages, &models) {
        return Ok(PdfReading::TooLong(ranges));
    }
    let pixels = plans.iter().filter_map(|plan| Some(plan.pixels()?.cost));
    check_cost(&pixels.collect::<Vec<_>>(), &models)?;
    let pool = Pool {
        watchdog: Some(&watchdog),
        ..recognition.pool(&models, false)
    };
    let mut results = planned.read_with_journal(&pool, (&journal, noted))?;
    let mut pages = Vec::new();
    for index in indexes {
        let page = match results.remove(&index) {
            Some(result) => result,
            None => PageResult::unchanged(unrecognized(&planned, index)?),
        };
        pages.push(page);
    }
    Ok(PdfReading::Pages(pages, languages))
}

/// Returns the indexes of the pages to read.
fn indexes(task: &Task, count: usize) -> TaskResult<Range<usize>> {
    let Some(OcrPart::Pages { span, .. }) = &task.part else {
        return Ok(0..count);
    };
    let range = (span.first as usize).saturating_sub(1)..span.last as usize;
    match range.end <= count {
        true => Ok(range),
        false => Err(TaskError::Installation(
            "a range has more pages than the document".to_owned(),
        )),
    }
}

/// Returns a page without recognized text: with its existing text, or one whose recognition failed.
fn unrecognized(planned: &Planned<'_, '_>, index: usize) -> TaskResult<Page> {
    let mut page = document::page(planned.document, index)?;
    match planned.plan(index) {
        PagePlan::KeepText => document::existing_page(&mut page),
        PagePlan::Recognize { .. } => Ok(Page {
            sides: page_size(&page),
            unit: Unit::Point,
            has_failed: true,
            ..Page::default()
        }),
    }
}

/// Returns the requested languages, or those detected on some of the planned pages.
pub(super) fn languages(
    task: &Task,
    recognition: &Recognition<'_>,
    document: &PdfDocument<'_>,
    (plans, partial): (&[PagePlan], &PartialPages),
) -> TaskResult<Languages> {
    let planned = Planned::unwatched(task, document, (plans, partial));
    planned.languages(recognition, &planned.pages(), |_| Ok(()))
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

/// Notes that a page is no longer running.
fn end(running: Option<(usize, Option<Watched<'_>>)>, journal: &Journal) -> TaskResult<()> {
    running.map_or(Ok(()), |(index, _)| journal.end(index))
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
    let planned = Planned::unwatched(task, document, (plans, partial));
    let pages = planned.pages();
    let mut progress = ProgressWriter::for_range(&task.scratch, RECOGNITION_PROGRESS);
    let mut readings = Vec::new();
    planned.read(
        pool,
        &pages,
        |_| Ok(()),
        |_, error| Err(error),
        |index, reading| {
            readings.push((index, reading?));
            progress.report(readings.len(), pages.len());
            Ok(())
        },
    )?;
    Ok(readings)
}

/// The planned pages of a document.
struct Planned<'a, 'd> {
    task: &'a Task,
    document: &'a PdfDocument<'d>,
    plans: &'a [PagePlan],
    partial: &'a PartialPages,
    watchdog: Option<&'a Watchdog>,
}

impl<'a, 'd> Planned<'a, 'd> {
    fn unwatched(
        task: &'a Task,
        document: &'a PdfDocument<'d>,
        (plans, partial): (&'a [PagePlan], &'a PartialPages),
    ) -> Self {
        Self {
            task,
            document,
            plans,
            partial,
            watchdog: None,
        }
    }
}

impl Planned<'_, '_> {
    fn plan(&self, index: usize) -> PagePlan {
        let plan = self.plans.get(index).copied();
        plan.unwrap_or(PagePlan::KeepText)
    }

    /// Returns the indexes of the pages to recognize.
    fn pages(&self) -> Vec<usize> {
        let planned = self.plans.iter().enumerate();
        let planned = planned.filter(|(_, plan)| **plan != PagePlan::KeepText);
        planned.map(|(index, _)| index).collect()
    }

    /// Returns the requested languages, or those detected on some of these pages; `start` is called before each.
    fn languages(
        &self,
        recognition: &Recognition<'_>,
        pages: &[usize],
        mut start: impl FnMut(usize) -> TaskResult<()>,
    ) -> TaskResult<Languages> {
        recognition.languages(pages.len(), |sample| {
            let index = pages.get(sample).copied().unwrap_or_default();
            start(index)?;
            let planned = (self.plan(index), self.partial);
            let input = planned_picture(self.task, self.document, index, planned)?;
            input
                .map(|input| input.picture)
                .ok_or_else(TaskError::input_corrupt)
        })
    }

    /// Detects languages on pages that have not failed, and notes each, because it may end the process.
    fn noted_languages(
        &self,
        recognition: &Recognition<'_>,
        (journal, noted): (&Journal, &Noted),
    ) -> TaskResult<Languages> {
        let mut pages = self.pages();
        pages.retain(|index| !noted.failed.contains(index));
        let mut running = None;
        let found = self.languages(recognition, &pages, |index| {
            end(running.take(), journal)?;
            journal.start(index, true)?;
            running = Some((index, self.watch(index)));
            Ok(())
        })?;
        end(running, journal)?;
        Ok(found)
    }

    fn watch(&self, index: usize) -> Option<Watched<'_>> {
        let pixels = self.plan(index).pixels();
        let pixels = pixels.map_or(0, |pixels| pixels.recognized);
        self.watchdog.map(|watchdog| watchdog.page(pixels))
    }

    /// Recognizes pages and notes each, and goes on from what earlier processes noted. Pages that have failed have no result.
    fn read_with_journal(
        &self,
        pool: &Pool<'_>,
        (journal, mut noted): (&Journal, Noted),
    ) -> TaskResult<BTreeMap<usize, PageResult>> {
        for suspect in std::mem::take(&mut noted.suspects) {
            self.read_and_note(pool, &[suspect], true, (journal, &mut noted))?;
        }
        let is_left =
            |index: &usize| !noted.done.contains_key(index) && !noted.failed.contains(index);
        let left: Vec<usize> = self.pages().into_iter().filter(is_left).collect();
        self.read_and_note(pool, &left, false, (journal, &mut noted))?;
        Ok(noted.done)
    }

    fn read_and_note(
        &self,
        pool: &Pool<'_>,
        pages: &[usize],
        is_alone: bool,
        (journal, noted): (&Journal, &mut Noted),
    ) -> TaskResult<()> {
        let all = self.pages().len();
        let mut progress = ProgressWriter::for_range(&self.task.scratch, RECOGNITION_PROGRESS);
        self.read(
            pool,
            pages,
            |index| journal.start(index, is_alone),
            |index, error| match error {
                TaskError::Document(_) => journal.fail(index),
                error => Err(error),
            },
            |index, reading| {
                match reading {
                    Ok(reading) => {
                        let result = self.result(index, reading)?;
                        journal.done(index, &result)?;
                        noted.done.insert(index, result);
                    }
                    Err(TaskError::Document(_)) => {
                        journal.fail(index)?;
                        noted.failed.push(index);
                    }
                    Err(error) => return Err(error),
                }
                progress.report(noted.done.len() + noted.failed.len(), all);
                Ok(())
            },
        )
    }

    /// Recognizes pages: `start` is called before each, `unrendered` with the error of one that cannot be rendered, `done` with
    /// each result in any order.
    fn read(
        &self,
        pool: &Pool<'_>,
        pages: &[usize],
        mut start: impl FnMut(usize) -> TaskResult<()>,
        mut unrendered: impl FnMut(usize, TaskError) -> TaskResult<()>,
        done: impl FnMut(usize, TaskResult<OcrResult>) -> TaskResult<()>,
    ) -> TaskResult<()> {
        let memory = pages.iter().filter_map(|index| self.plan(*index).memory());
        let largest = memory.max().unwrap_or(0);
        pool.read(
            (pages.len(), largest),
            |give| {
                for index in pages {
                    start(*index)?;
                    let watched = self.watch(*index);
                    let planned = (self.plan(*index), self.partial);
                    let input = planned_picture(self.task, self.document, *index, planned);
                    drop(watched);
                    match input {
                        Ok(Some(input)) => give(input)?,
                        Ok(None) => {}
                        Err(error) => unrendered(*index, error)?,
                    }
                }
                Ok(())
            },
            done,
        )
    }

    /// Builds a page and the change to its content from its OCR result.
    fn result(&self, index: usize, mut reading: OcrResult) -> TaskResult<PageResult> {
        let plan = self.plan(index);
        let rasterized = rasterized_page(self.document, index, plan, &mut reading)?;
        let content = match rasterized {
            Some(rasterized) => ContentChange::Rasterized(rasterized),
            None => content_change(&plan),
        };
        let page = read_page(self.document, index, plan, reading)?;
        Ok(PageResult { page, content })
    }
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
        has_failed: false,
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
