//! Reads the visible text and the images of a PDF with pdfium.

mod column;
mod fields;
mod pictures;
mod signs;

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::ops::RangeInclusive;

use domain::format::Category;
use pdf::pdfium;
use pdfium_render::prelude::{
    PdfDocument, PdfPage, PdfPageObject, PdfPageObjectCommon as _, PdfPageObjectType,
    PdfPageObjectsCommon as _, PdfPageRenderRotation, PdfPageTextObject, PdfPageTextRenderMode,
    PdfPoints,
};
use task::Task;
use task::page_selection::pages_to_convert;

use self::column::{Extent, single_column};
use self::fields::Form;
use self::pictures::Pictures;
use self::signs::Signs;
use super::item::{Item, Place, Take, Unreadable};
use super::words::is_roman;

/// Maximum number of characters that are read on one page.
const MAX_CHARACTERS: usize = 1_000_000;

/// Calls `take` with the items of each page of a result.
pub(super) fn read_result(task: &Task, take: Take<'_>) -> Result<(), Unreadable> {
    let library = pdfium::load(task).map_err(|_| Unreadable)?;
    let document = library.load_pdf_from_file(&task.output(), None)?;
    let pages = 0..document.pages().len();
    let edges = match task.from.spec().category {
        // What a slide has beyond its edges is invisible in the source, too.
        Category::Presentation => Edges::Hide,
        _ => Edges::Cut,
    };
    let (form, signs) = (Form::of(task.output()), Signs::none());
    read_pages((&document, &form, &signs), pages, (edges, false), take)
}

/// Maximum number of different lines that are remembered.
const MAX_LINES: usize = 1_000_000;

/// Calls `take` with the text of each selected page of a source.
pub(super) fn read_source(task: &Task, take: Take<'_>) -> Result<(), Unreadable> {
    let library = pdfium::load(task).map_err(|_| Unreadable)?;
    let document = pdfium::open(&library, task).map_err(|_| Unreadable)?;
    let selected = pages_to_convert(&task.operation, pdfium::pages(&document));
    let selected = selected.map_err(|_| Unreadable)?;
    let pages = selected
        .iter()
        .filter_map(|page| i32::try_from(page - 1).ok());
    let (form, signs) = (Form::of(task.readable()), Signs::of(&task.readable()));
    read_pages((&document, &form, &signs), pages, (Edges::Cut, true), take)
}

/// Lines that pages repeat, which a result without pages has once: headers and footers, in which the page number does not
/// matter, and header rows of tables.
#[derive(Default)]
struct Repeated {
    lines: HashMap<u64, Occurrence>,
    /// Where lines in margins occur first, without their digits, and the last number in them.
    numbered: HashMap<u64, (u32, u64)>,
}

/// Where a line occurs first.
struct Occurrence {
    page: u32,
    is_in_margin: bool,
    /// Whether another page repeats it.
    is_repeated: bool,
}

/// What pdfium returns for a hyphen that divides a word.
const HYPHENS: [u16; 2] = [0x2, 0xfffe];
/// Maximum distance of the lines of a divided word, in font sizes.
const LARGEST_STEP: f32 = 3.0;
/// Share of a page at both ends in which headers and footers are.
const MARGIN: f32 = 0.16;
/// Maximum number of digits of a header or footer without letters.
const MAX_PAGE_NUMBER: usize = 8;

impl Repeated {
    /// Returns the item for a line; `None` if no result needs to have it again.
    fn item<'l>(&mut self, page: u32, line: &'l Line) -> Option<Item<'l>> {
        // Roman numbers may be page numbers.
        let is_counted = |word: &&str| !line.is_in_margin || !is_roman(&bare(word));
        let texts = line.text.split_whitespace().filter(is_counted);
        let letters = texts
            .flat_map(str::chars)
            .filter(|letter| letter.is_alphabetic());
        let digits = line.text.chars().filter(|letter| letter.is_numeric());
        let has_letters = line.text.contains(char::is_alphabetic);
        // A date with a page number, or figures.
        let is_figures = !has_letters && digits.clone().nth(MAX_PAGE_NUMBER).is_some();
        let is_repeatable = has_letters || line.is_in_margin;
        if !is_repeatable || self.lines.len() >= MAX_LINES {
            return Some(Item::Text(&line.text));
        }
        let mut hasher = DefaultHasher::new();
        letters.for_each(|letter| letter.hash(&mut hasher));
        let counted_from = match line.is_in_margin {
            true => self.counted_from(hasher.finish(), page, &line.text),
            false => None,
        };
        let words: Vec<&str> = line.text.split_whitespace().collect();
        let has_digit = |word: &&str| word.contains(|letter: char| letter.is_ascii_digit());
        let page_number = match counted_from.is_some() || is_figures {
            true => words.iter().rposition(has_digit),
            false => None,
        };
        let mut has_amount = false;
        for (index, word) in words.into_iter().enumerate() {
            let is_amount = (is_figures || has_decimals(word)) && page_number != Some(index);
            if !line.is_in_margin || is_amount {
                has_amount = true;
                word.chars()
                    .filter(|letter| letter.is_numeric())
                    .for_each(|digit| digit.hash(&mut hasher));
            }
        }
        let first = Occurrence {
            is_in_margin: line.is_in_margin,
            page: counted_from.filter(|_| !has_amount).unwrap_or(page),
            is_repeated: false,
        };
        let is_new = !self.lines.contains_key(&hasher.finish());
        let first = self.lines.entry(hasher.finish()).or_insert(first);
        // A header may repeat a heading of its page.
        let is_content = is_new || !line.is_in_margin || first.is_in_margin || !has_letters;
        let is_uncounted = is_figures && counted_from.is_none();
        if is_uncounted || (first.page == page && is_content) {
            return Some(Item::Text(&line.text));
        }
        let is_first_repetition = !std::mem::replace(&mut first.is_repeated, true);
        (line.is_in_margin && is_first_repetition).then_some(Item::Repetition(&line.text))
    }

    /// The page since which the last number of a line in a margin has grown with the pages. `letters` is the hash of the line
    /// without digits.
    fn counted_from(&mut self, letters: u64, page: u32, text: &str) -> Option<u32> {
        let number = last_number(text)?;
        let (first_page, first) = *self.numbered.entry(letters).or_insert((page, number));
        let pages = u64::from(page.checked_sub(first_page)?);
        (pages > 0 && number.checked_sub(first) == Some(pages)).then_some(first_page)
    }
}

/// A word without the punctuation around it, in lower case.
fn bare(word: &str) -> String {
    let bare = word.trim_matches(|letter: char| !letter.is_alphanumeric());
    bare.to_lowercase()
}

/// The last number of a line, such as the 12 of `4.12`.
fn last_number(text: &str) -> Option<u64> {
    let mut numbers = text.split(|letter: char| !letter.is_ascii_digit());
    numbers.rfind(|number| !number.is_empty())?.parse().ok()
}

/// Whether a word has a number with decimals, which is no page number.
fn has_decimals(word: &str) -> bool {
    word.as_bytes().windows(4).any(|part| {
        matches!(part, [whole, b'.' | b',', tenth, hundredth]
            if [whole, tenth, hundredth].iter().all(|digit| digit.is_ascii_digit()))
    })
}

fn read_pages(
    (document, form, signs): (&PdfDocument<'_>, &Form, &Signs),
    pages: impl Iterator<Item = i32>,
    (edges, skips_repeated): (Edges, bool),
    take: Take<'_>,
) -> Result<(), Unreadable> {
    let (mut repeated, mut pictures) = (Repeated::default(), Pictures::default());
    for index in pages {
        let page = document.pages().get(index)?;
        // Those of annotations are not counted.
        let images = match skips_repeated {
            // A result may have the pictures of a page as one.
            true => usize::from(pictures.are_new(&page)?),
            false => count_images(&page),
        };
        let (page, values) = form.flattened(document, (index, page))?;
        let place = Place {
            number: u32::try_from(index).unwrap_or(0) + 1,
            cell: None,
        };
        take(Item::Part, place);
        let lines = match skips_repeated {
            false if is_visible(&page)? => match plain_lines(&page)? {
                // The text is not valid UTF-16.
                lines if lines.is_empty() => visible_lines(&page, edges, signs)?,
                lines => lines,
            },
            false => visible_lines(&page, edges, signs)?,
            true => in_order(visible_lines(&page, edges, signs)?),
        };
        for line in lines {
            take(Item::Aside(!line.is_in_order), place);
            let item = match skips_repeated {
                _ if line.is_beyond => Some(Item::Beyond(&line.text)),
                true => repeated.item(place.number, &line),
                false => Some(Item::Text(&line.text)),
            };
            if let Some(item) = item {
                take(item, place);
            }
            take(Item::Break, place);
        }
        take(Item::Aside(true), place);
        for value in &values {
            take(Item::Text(value), place);
            take(Item::Break, place);
        }
        for _ in 0..images {
            take(Item::Image, place);
        }
    }
    Ok(())
}

/// The number of objects of a page that may be an image: a form may draw one.
fn count_images(page: &PdfPage<'_>) -> usize {
    let objects = page.objects().iter();
    let images = objects.filter(|object| {
        matches!(
            object.object_type(),
            PdfPageObjectType::Image | PdfPageObjectType::XObjectForm
        )
    });
    images.count()
}

/// What text beyond the edges of a page is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Edges {
    /// Missing.
    Cut,
    /// Hidden.
    Hide,
}

/// A line of text.
#[derive(Default)]
struct Line {
    text: String,
    /// Whether it is at the top or bottom of its page.
    is_in_margin: bool,
    /// Whether it is beyond the edges of the page.
    is_beyond: bool,
    /// Where it is, if it is not in a margin.
    extent: Option<Extent>,
    /// Whether its order among the lines is known.
    is_in_order: bool,
}

/// Moves the lines whose order is known to the beginning, in this order.
fn in_order(mut lines: Vec<Line>) -> Vec<Line> {
    let extents: Vec<Option<Extent>> = lines.iter().map(|line| line.extent).collect();
    let column = single_column(&extents).unwrap_or_default();
    let mut ordered: Vec<Line> = Vec::with_capacity(lines.len());
    for index in column {
        ordered.extend(lines.get_mut(index).map(std::mem::take));
    }
    ordered.iter_mut().for_each(|line| line.is_in_order = true);
    lines.retain(|line| !line.text.is_empty());
    ordered.append(&mut lines);
    ordered
}

/// Whether all text of a page is visible, which is known without its characters.
fn is_visible(page: &PdfPage<'_>) -> Result<bool, Unreadable> {
    let page_bounds = page.boundaries().bounding()?.bounds;
    let is_inside = |text: &PdfPageTextObject<'_>| {
        text.bounds().is_ok_and(|bounds| {
            let bounds = bounds.to_rect();
            page_bounds.contains(bounds.left(), bounds.bottom())
                && page_bounds.contains(bounds.right(), bounds.top())
        })
    };
    Ok(page.objects().iter().all(|object| match object {
        PdfPageObject::Text(text) => is_drawn(text.render_mode()) && is_inside(&text),
        // It may have text.
        PdfPageObject::XObjectForm(_) => false,
        _ => true,
    }))
}

fn is_drawn(mode: PdfPageTextRenderMode) -> bool {
    !matches!(
        mode,
        PdfPageTextRenderMode::Invisible | PdfPageTextRenderMode::InvisibleClipping
    )
}

/// All lines of a page.
fn plain_lines(page: &PdfPage<'_>) -> Result<Vec<Line>, Unreadable> {
    let text = page.text()?.all();
    let lines = text.lines().map(|line| Line {
        text: line.to_owned(),
        ..Line::default()
    });
    Ok(lines.collect())
}

/// The lines of a page without invisible characters. What is beyond its edges is left out or, if it is hidden, the last line.
fn visible_lines(page: &PdfPage<'_>, edges: Edges, signs: &Signs) -> Result<Vec<Line>, Unreadable> {
    let text = page.text()?;
    let bounds = page.boundaries().bounding()?.bounds;
    let is_turned = matches!(
        page.rotation(),
        Ok(PdfPageRenderRotation::Degrees90 | PdfPageRenderRotation::Degrees270)
    );
    let is_in_margin = |(x, y): (PdfPoints, PdfPoints)| {
        let (from_end, length) = match is_turned {
            true => (x - bounds.left(), bounds.width()),
            false => (y - bounds.bottom(), bounds.height()),
        };
        !(MARGIN..1.0 - MARGIN).contains(&(from_end.value / length.value))
    };
    let (mut lines, mut units, mut margin) = (Vec::new(), Vec::new(), None);
    let mut extent: Option<Extent> = None;
    let mut baseline = f32::MIN;
    let (mut beyond, mut is_word_inside) = (Vec::new(), None);
    let mut end = |units: &mut Vec<u16>, margin: &mut Option<bool>, extent: Option<Extent>| {
        order_surrogates(units);
        let decoded = char::decode_utf16(units.drain(..));
        let is_in_margin = margin.take().unwrap_or(false);
        lines.push(Line {
            text: decoded.map(|unit| unit.unwrap_or(' ')).collect(),
            is_in_margin,
            extent: extent.filter(|_| !is_in_margin && !is_turned),
            ..Line::default()
        });
    };
    for character in text.chars().iter().take(MAX_CHARACTERS) {
        let value = character.unicode_value();
        let is_space = character.unicode_char().is_some_and(char::is_whitespace);
        if is_space || signs.has(&character) {
            match char::from_u32(value) {
                Some('\n' | '\r') => end(&mut units, &mut margin, extent.take()),
                _ => units.push(u16::from(b' ')),
            }
            beyond.push(u16::from(b' '));
            is_word_inside = None;
            continue;
        }
        let is_drawn = character.render_mode().map_or(true, is_drawn);
        let origin = character.origin();
        let is_inside = matches!(origin, Ok((x, y)) if bounds.contains(x, y));
        if !is_drawn || (!is_inside && edges == Edges::Cut) {
            continue;
        }
        // A word across the edge is not divided.
        let units = match *is_word_inside.get_or_insert(is_inside) || edges == Edges::Cut {
            true => &mut units,
            false => &mut beyond,
        };
        if let Ok((x, y)) = origin {
            // pdfium joins a word that is divided at the end of a page with the footer.
            let is_divided =
                edges == Edges::Cut && units.last().is_some_and(|unit| HYPHENS.contains(unit));
            let step = is_divided.then(|| character.scaled_font_size().value * LARGEST_STEP);
            if step.is_some_and(|step| baseline - y.value > step) {
                end(units, &mut margin, extent.take());
            }
            baseline = y.value;
            margin = margin.or(Some(is_in_margin((x, y))));
            let size = || character.scaled_font_size().value;
            let first = extent.unwrap_or_else(|| Extent::new((x.value, y.value), size()));
            extent = Some(first.with(x.value));
        }
        // pdfium reports the code units of UTF-16 as a character each, but those of an ActualText as whole characters.
        match (u16::try_from(value), char::from_u32(value)) {
            (Ok(unit), _) => units.push(unit),
            (Err(_), Some(letter)) => units.extend_from_slice(letter.encode_utf16(&mut [0; 2])),
            (Err(_), None) => {}
        }
    }
    end(&mut units, &mut margin, extent);
    if edges == Edges::Hide {
        lines.push(Line {
            text: String::from_utf16_lossy(&beyond),
            is_beyond: true,
            ..Line::default()
        });
    }
    Ok(lines)
}

/// Restores the order of the code units of characters that pdfium reverses in text from right to left.
fn order_surrogates(units: &mut [u16]) {
    const HIGH: RangeInclusive<u16> = 0xd800..=0xdbff;
    const LOW: RangeInclusive<u16> = 0xdc00..=0xdfff;
    let mut rest = units;
    while let [first, second, ..] = rest {
        let is_reversed = LOW.contains(first) && HIGH.contains(second);
        let is_pair = is_reversed || (HIGH.contains(first) && LOW.contains(second));
        if is_reversed {
            std::mem::swap(first, second);
        }
        rest = rest
            .get_mut(if is_pair { 2 } else { 1 }..)
            .unwrap_or_default();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reversed_surrogates_are_in_order_again() {
        let ordered = |units: [u16; 5]| {
            let mut units = units;
            order_surrogates(&mut units);
            String::from_utf16(&units).ok()
        };
        let expected = Some("a😀😁".to_owned());
        assert_eq!(ordered([0x61, 0xde00, 0xd83d, 0xde01, 0xd83d]), expected);
        assert_eq!(ordered([0x61, 0xd83d, 0xde00, 0xd83d, 0xde01]), expected);
        assert_eq!(ordered([0x61, 0xde00, 0xde00, 0xd83d, 0x62]), None);
    }

    #[test]
    fn a_header_may_repeat_a_heading_of_its_page() {
        let mut repeated = Repeated::default();
        let mut taken = |text: &str, is_in_margin| {
            let text = text.to_owned();
            let line = Line {
                text,
                is_in_margin,
                ..Line::default()
            };
            matches!(repeated.item(6, &line), Some(Item::Text(_)))
        };
        assert!(taken("Tides", false) && taken("Tides", false) && taken("Storms", true));
        assert!(!taken("Tides", true) && !taken("Tides 116", true));
        assert!(taken("Room 101 85", true) && taken("Room 102 90", true));
    }

    #[test]
    fn amounts_in_margins_are_content_and_page_numbers_are_not() {
        let mut repeated = Repeated::default();
        let mut taken = |page, text: &str| {
            let line = Line {
                text: text.to_owned(),
                is_in_margin: true,
                ..Line::default()
            };
            matches!(repeated.item(page, &line), Some(Item::Text(_)))
        };
        assert!(taken(1, "Page 1") && !taken(2, "Page 2") && !taken(3, "Page 3"));
        assert!(taken(1, "Rent 640.00") && taken(2, "Rent 812.50") && !taken(3, "Rent 640.00"));
        assert!(taken(1, "24.12.2024 Rev. 1.02 Page 1"));
        assert!(!taken(2, "24.12.2024 Rev. 1.02 Page 2"));
        assert!(taken(1, "Carried forward 640.00 page 1"));
        assert!(taken(2, "Carried forward 812.50 page 2"));
        assert!(taken(1, "2015-12-31 1") && !taken(2, "2015-12-31 2"));
        assert!(taken(3, "12345 67890 3") && taken(4, "12345 67891 4"));
        assert!(taken(5, "12345 67890 7"), "no page number");
        assert!(
            taken(8, "Chapter 4.09") && !taken(9, "Chapter 4.10") && !taken(12, "Chapter 4.13")
        );
    }
}
