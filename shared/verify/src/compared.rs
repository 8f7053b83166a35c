//! Checks results of the `compare` operation against the text and the look of both documents.

use std::collections::HashMap;
use std::fs::File;
use std::path::Path;

use domain::format::Format;
use image::RgbImage;
use pdf::pdfium;
use pdf::qpdf::{self, Integrity};
use pdfium_render::prelude::{PdfDocument, PdfRenderConfig, Pdfium};
use task::comparison::{ChangedText, Comparison, PagePair};
use task::{Product, Task, TaskError, TaskResult, Verified};
use unicode_normalization::UnicodeNormalization as _;

/// Width of a rendered page in pixels.
const WIDTH: i32 = 500;
/// Maximum number of pairs of pages that are rendered.
const MAX_RENDERED: usize = 10;
/// Maximum difference of a color component that looks the same, of 255.
const TOLERANCE: u8 = 100;
/// Different pixels of pages that look the same: one in this many.
const DIFFERENT: usize = 500;

/// Checks that each page is listed once and in order, that the characters of the earlier version without the deleted and with
/// the inserted ones are those of the later version, and that pages look the same outside of the listed areas; of a PDF, that
/// it has the pages and the characters of both versions.
///
/// # Errors
/// [`TaskError::Document`] with `output_invalid` if the result fails a check.
pub fn compared(task: &Task, product: &Product) -> TaskResult<Verified> {
    let missing = || TaskError::Installation("no document to compare with".to_owned());
    let earlier = task.attachment_tasks().next().ok_or_else(missing)?;
    let library = pdfium::load(task)?;
    let before = pdfium::open(&library, &earlier)?;
    let after = pdfium::open(&library, task)?;
    match task.to {
        Format::Json => {
            let comparison = serde_json::from_reader(File::open(task.output())?);
            let comparison: Comparison =
                comparison.map_err(|_| invalid("it does not match the schema"))?;
            check_pages(&comparison, (&before, &after))?;
            check_characters(&comparison, (&before, &after))?;
            check_look(&comparison.pages, (&before, &after))?;
            Ok(Verified::complete(count(comparison.pages.len())))
        }
        _ => check_document(&library, &task.output(), (&before, &after), product),
    }
}

type Versions<'a, 'd> = (&'a PdfDocument<'d>, &'a PdfDocument<'d>);

fn invalid(reason: &str) -> TaskError {
    TaskError::output_invalid(reason)
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// Checks that the pages of each version are listed in order, and that the summary fits.
fn check_pages(comparison: &Comparison, (before, after): Versions<'_, '_>) -> TaskResult<()> {
    let pages = &comparison.pages;
    let is_listed = |numbers: Vec<u32>, document: &PdfDocument<'_>| {
        numbers == (1..=pdfium::pages(document)).collect::<Vec<u32>>()
    };
    let all = is_listed(
        pages.iter().filter_map(|pair| pair.before).collect(),
        before,
    ) && is_listed(pages.iter().filter_map(|pair| pair.after).collect(), after)
        && comparison.pages_before == pdfium::pages(before)
        && comparison.pages_after == pdfium::pages(after);
    let has_changes = pages.iter().any(|pair| {
        !(pair.deleted.is_empty() && pair.inserted.is_empty() && pair.changed_pixels == 0.0)
    });
    let is_share = |pair: &PagePair| (0.0..=1.0).contains(&pair.changed_pixels);
    match all && has_changes != comparison.identical && pages.iter().all(is_share) {
        true => Ok(()),
        false => Err(invalid("its pages or its summary are wrong")),
    }
}

/// How often characters occur.
type Characters = HashMap<char, i64>;

fn add(characters: &mut Characters, text: &str, number: i64) {
    // PDFium returns U+FFFE for a hyphen at the end of a line.
    let is_compared = |it: &char| !it.is_whitespace() && !it.is_control() && *it != '\u{fffe}';
    // Decomposed, the characters of a text are those of its words.
    for character in text.nfkd().filter(is_compared) {
        *characters.entry(character).or_default() += number;
    }
}

fn add_document(
    characters: &mut Characters,
    document: &PdfDocument<'_>,
    number: i64,
) -> TaskResult<()> {
    let unreadable = |_| invalid("a page cannot be read");
    for page in document.pages().iter() {
        let text = pdfium::characters(&page).map_err(unreadable)?;
        add(characters, &text, number);
    }
    Ok(())
}

fn check_characters(comparison: &Comparison, (before, after): Versions<'_, '_>) -> TaskResult<()> {
    let mut balance = Characters::new();
    add_document(&mut balance, before, 1)?;
    add_document(&mut balance, after, -1)?;
    let add_texts = |balance: &mut Characters, texts: &[ChangedText], number| {
        for text in texts {
            add(balance, &text.text, number);
        }
    };
    for pair in &comparison.pages {
        add_texts(&mut balance, &pair.deleted, -1);
        add_texts(&mut balance, &pair.inserted, 1);
    }
    match balance.values().all(|number| *number == 0) {
        true => Ok(()),
        false => Err(invalid("its words are not the difference of the documents")),
    }
}

fn render(document: &PdfDocument<'_>, number: u32) -> Option<RgbImage> {
    let page = document.pages().get(i32::try_from(number).ok()? - 1).ok()?;
    let config = PdfRenderConfig::new()
        .set_target_width(WIDTH)
        .set_maximum_height(3 * WIDTH)
        .render_form_data(true);
    let rendered = page.render_with_config(&config).ok()?;
    Some(rendered.as_image().ok()?.into_rgb8())
}

/// Checks that pages of one size look the same outside of the listed areas.
fn check_look(pairs: &[PagePair], (before, after): Versions<'_, '_>) -> TaskResult<()> {
    let both: Vec<(&PagePair, u32, u32)> = pairs
        .iter()
        .filter(|pair| !pair.more_regions)
        .filter_map(|pair| Some((pair, pair.before?, pair.after?)))
        .collect();
    let every = both.len().div_ceil(MAX_RENDERED).max(1);
    for (pair, one, other) in both.into_iter().step_by(every) {
        let (Some(one), Some(other)) = (render(before, one), render(after, other)) else {
            return Err(invalid("a page cannot be rendered"));
        };
        if one.dimensions() != other.dimensions() {
            continue;
        }
        let width = pair.after.and_then(|number| {
            let page = after.pages().get(i32::try_from(number).ok()? - 1);
            Some(page.ok()?.width().value)
        });
        #[expect(clippy::cast_precision_loss, reason = "a few hundred pixels")]
        let scale = one.width() as f32 / width.unwrap_or(1.0).max(1.0);
        let is_listed = |x: u32, y: u32| {
            #[expect(clippy::cast_precision_loss, reason = "a few hundred pixels")]
            let (x, y) = (x as f32 / scale, y as f32 / scale);
            let margin = 2.0 / scale;
            pair.regions.iter().any(|area| {
                (area.left - margin..=area.right + margin).contains(&x)
                    && (area.top - margin..=area.bottom + margin).contains(&y)
            })
        };
        let different = one.enumerate_pixels().zip(other.pixels());
        let different = different.filter(|((x, y, a), b)| {
            let mut components = a.0.iter().zip(b.0);
            components.any(|(a, b)| a.abs_diff(b) > TOLERANCE) && !is_listed(*x, *y)
        });
        if different.count() > one.len() / 3 / DIFFERENT {
            return Err(invalid("pages look different outside of the listed areas"));
        }
    }
    Ok(())
}

/// Checks that the PDF has the characters of both versions, and as many pages as it reports.
fn check_document(
    library: &Pdfium,
    output: &Path,
    (before, after): Versions<'_, '_>,
    product: &Product,
) -> TaskResult<Verified> {
    let structure = qpdf::access(output, "")?.shape();
    if !structure.is_some_and(|it| it.integrity == Integrity::Intact && it.has_size) {
        return Err(invalid("its structure is damaged"));
    }
    let result = library.load_pdf_from_file(output, None);
    let result = result.map_err(|_| invalid("it does not open"))?;
    let pages = pdfium::pages(&result);
    let is_plausible = pages >= pdfium::pages(before).max(pdfium::pages(after));
    if product.pages != Some(pages) || !is_plausible {
        return Err(invalid("it has another number of pages"));
    }
    let mut balance = Characters::new();
    add_document(&mut balance, &result, 1)?;
    add_document(&mut balance, before, -1)?;
    add_document(&mut balance, after, -1)?;
    // Annotations and fields became content.
    if balance.values().any(|number| *number < 0) {
        return Err(invalid("text of a document is missing"));
    }
    for number in 1..=pages.min(count(MAX_RENDERED)) {
        if render(&result, number).is_none() {
            return Err(invalid("a page cannot be rendered"));
        }
    }
    Ok(Verified::complete(pages))
}
