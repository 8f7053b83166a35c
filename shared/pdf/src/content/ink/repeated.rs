//! Removes ink that pages repeat: logos, running titles, watermarks and the decoration of slides. The first page keeps repeated
//! outlined text, and repeated figures are rendered there.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use layout::Rect;

use super::{InkArea, PageInk};

/// Minimum number of pages with the same ink.
const MIN_REPETITIONS: usize = 3;
/// Height of the margins, relative to the page. Ink at the same place in a margin is the same. Elsewhere, it is the same only if
/// its paths are the same, too, and it repeats on more than half of the pages with ink: charts of one template differ in their paths.
const MARGIN: f32 = 0.15;
/// Maximum number of areas that are compared.
const MAX_COMPARED: usize = 100_000;
/// Minimum part of the width of outlined text that is in repeated rows: characters on a watermark divide it.
const MIN_IN_ROWS: f32 = 0.8;
/// Edges that differ by less are the same, in points.
const STEP: f32 = 4.0;

/// Edges in steps, and number of segments and shape outside of margins.
type Key = ([i32; 4], usize, u64);

/// Removes repeated ink, except the first occurrence of outlined text, and pages without any other. Returns the regions of
/// figures to render by page: those that are not repeated, and the first occurrence of the others.
pub(in super::super) fn remove_repeated(pages: &mut Vec<PageInk>) -> BTreeMap<u32, Vec<Rect>> {
    let mut repetitions: HashMap<Key, usize> = HashMap::new();
    let keys = pages.iter().flat_map(|page| {
        let areas = page.outlined_text.iter().chain(&page.drawings);
        let keys = areas
            .chain(&page.figures)
            .chain(&page.rows)
            .map(|area| key(area, page));
        keys.collect::<BTreeSet<Key>>()
    });
    for key in keys.take(MAX_COMPARED) {
        *repetitions.entry(key).or_default() += 1;
    }
    let majority = MIN_REPETITIONS.max(pages.len() / 2 + 1);
    let mut seen: BTreeSet<Key> = BTreeSet::new();
    let (mut rendered, mut seen_figures) = (BTreeMap::new(), BTreeSet::new());
    for page in pages.iter_mut() {
        let is_repeated = |area: &InkArea| {
            let minimum = match is_in_margin(area, page) {
                true => MIN_REPETITIONS,
                false => majority,
            };
            let count = repetitions.get(&key(area, page));
            count.is_some_and(|count| *count >= minimum)
        };
        let rows: Vec<InkArea> = page.rows.iter().copied().filter(is_repeated).collect();
        let is_new = |area: &InkArea| !is_repeated(area) && !consists_of(area, &rows);
        let kept =
            |areas: &[InkArea]| -> Vec<InkArea> { areas.iter().copied().filter(is_new).collect() };
        let (outlined_text, drawings) = (kept(&page.outlined_text), kept(&page.drawings));
        let is_seen = |area: &InkArea| seen.contains(&key(area, page));
        let seen_rows: Vec<InkArea> = rows.iter().copied().filter(is_seen).collect();
        let is_first =
            |area: &InkArea| !is_new(area) && !is_seen(area) && !consists_of(area, &seen_rows);
        let first = page.outlined_text.iter().copied().filter(is_first);
        let first: Vec<InkArea> = first.collect();
        let repeated = page.outlined_text.iter().filter(|area| is_repeated(area));
        seen.extend(repeated.chain(&rows).map(|area| key(area, page)));
        // Those in margins may differ.
        let figure = |area: &InkArea| (steps(area), area.segments, area.shape);
        let shown = page.figures.iter();
        let shown = shown.filter(|area| !is_repeated(area) || seen_figures.insert(figure(area)));
        let shown: Vec<Rect> = shown.map(|area| area.bounds).collect();
        if !shown.is_empty() {
            rendered.insert(page.number, shown);
        }
        page.figures = kept(&page.figures);
        (page.outlined_text, page.drawings) = (outlined_text, drawings);
        page.rows = Vec::new();
        // Repeated text does not make most of a page outlined.
        let is_most = page.is_mostly_outlined(&page.outlined_text);
        if !is_most {
            page.outlined_text.extend(first);
        }
        if is_most || page.has_more_drawings {
            page.extend_outlined_text();
        }
    }
    pages.retain(|page| !page.is_empty());
    rendered
}

/// Whether most of outlined text is in these rows.
fn consists_of(area: &InkArea, rows: &[InkArea]) -> bool {
    let is_in_area = |row: &&InkArea| {
        let (_, center) = row.bounds.center();
        row.bounds.shared_width(&area.bounds) > 0.0
            && (area.bounds.top..=area.bounds.bottom).contains(&center)
    };
    let width = rows.iter().filter(is_in_area).map(|row| row.text_width);
    area.letters > 0 && width.sum::<f32>() >= MIN_IN_ROWS * area.text_width
}

fn is_in_margin(area: &InkArea, page: &PageInk) -> bool {
    let (margin, height) = (MARGIN * page.size.height, page.size.height);
    area.bounds.bottom <= margin || area.bounds.top >= height - margin
}

fn key(area: &InkArea, page: &PageInk) -> Key {
    match is_in_margin(area, page) {
        true => (steps(area), 0, 0),
        false => (steps(area), area.segments, area.shape),
    }
}

/// Returns the edges in steps.
fn steps(area: &InkArea) -> [i32; 4] {
    #[expect(
        clippy::cast_possible_truncation,
        reason = "only to compare; the cast saturates"
    )]
    let step = |edge: f32| (edge / STEP).round() as i32;
    let bounds = area.bounds;
    [bounds.left, bounds.top, bounds.right, bounds.bottom].map(step)
}

#[cfg(test)]
mod tests {
    use layout::Size;

    use super::*;

    /// Outlined letters at this height of the page.
    fn area(top: f32, letters: usize) -> InkArea {
        InkArea {
            bounds: Rect::between((100.0, top), (300.0, top + 20.0)),
            letters,
            text_width: 200.0,
            segments: 9 * letters,
            shape: 0,
        }
    }

    /// Pages with these areas of outlined text.
    fn pages(areas: &[&[InkArea]]) -> Vec<PageInk> {
        let page = |(number, areas): (u32, &&[InkArea])| PageInk {
            number,
            size: Size {
                width: 600.0,
                height: 800.0,
            },
            characters: 1_000,
            outlined_text: areas.to_vec(),
            ..PageInk::default()
        };
        (1..).zip(areas).map(page).collect()
    }

    fn left(areas: &[&[InkArea]]) -> Vec<u32> {
        let mut pages = pages(areas);
        remove_repeated(&mut pages);
        pages.iter().map(|page| page.number).collect()
    }

    #[test]
    fn ink_that_pages_repeat_is_removed_except_the_first_text() {
        let (logo, watermark) = (&[area(30.0, 20)][..], &[area(400.0, 40)][..]);
        assert_eq!(left(&[logo, logo]), [1, 2]);
        let text = &[area(500.0, 70)][..];
        // In margins, three pages are enough, and the letters may differ, as those of page numbers do.
        let other = &[area(30.0, 22)][..];
        assert_eq!(
            left(&[
                logo,
                other,
                logo,
                text,
                &[area(510.0, 60)],
                &[area(550.0, 60)]
            ]),
            [1, 4, 5, 6]
        );
        assert_eq!(left(&[watermark, watermark, watermark, text]), [1, 4]);
        let mut drawings = pages(&[&[], &[], &[]]);
        for page in &mut drawings {
            page.drawings.push(area(400.0, 0));
        }
        remove_repeated(&mut drawings);
        assert!(drawings.is_empty());
        // Charts of one template.
        let mut charts = pages(&[&[], &[], &[]]);
        for (page, shape) in charts.iter_mut().zip(1..) {
            let chart = area(400.0, 0);
            page.drawings.push(InkArea { shape, ..chart });
        }
        remove_repeated(&mut charts);
        assert_eq!(charts.len(), 3);
        assert_eq!(
            left(&[
                watermark,
                watermark,
                watermark,
                text,
                text,
                &[area(550.0, 60)]
            ]),
            [1, 2, 3, 4, 5, 6]
        );
        // Different letters at the same place.
        assert_eq!(
            left(&[watermark, &[area(400.0, 41)], &[area(400.0, 42)]]),
            [1, 2, 3]
        );
    }

    #[test]
    fn the_first_one_of_repeated_figures_is_rendered() {
        let mut repeated = pages(&[&[], &[], &[], &[]]);
        for (page, shape) in repeated.iter_mut().zip([7, 7, 7, 9]) {
            let logo = area(30.0, 0);
            page.figures.push(InkArea { shape, ..logo });
        }
        repeated[1].figures.push(area(400.0, 0));
        let rendered = remove_repeated(&mut repeated);
        let logo = area(30.0, 0).bounds;
        let chart = area(400.0, 0).bounds;
        let expected = [(1, vec![logo]), (2, vec![chart]), (4, vec![logo])];
        assert_eq!(rendered, BTreeMap::from(expected));
        // None is reported as a repeated drawing.
        let [page] = &repeated[..] else {
            panic!("{repeated:?}");
        };
        assert_eq!((page.number, page.figures.len()), (2, 1));
    }

    #[test]
    fn a_watermark_on_which_pages_have_different_text_is_removed_except_the_first() {
        let part = |letters: u8| InkArea {
            bounds: Rect::between((100.0, 400.0), (100.0 + 4.0 * f32::from(letters), 420.0)),
            letters: letters.into(),
            text_width: 4.0 * f32::from(letters),
            segments: 9 * usize::from(letters),
            shape: 0,
        };
        let text = area(500.0, 30);
        let mut marked = pages(&[&[part(20), text], &[part(25)], &[part(31)]]);
        for page in &mut marked {
            page.rows.push(area(400.0, 50));
        }
        remove_repeated(&mut marked);
        let [page] = &marked[..] else {
            panic!("{marked:?}");
        };
        assert_eq!(page.outlined_text, [text, part(20)]);
    }

    #[test]
    fn a_watermark_does_not_make_most_of_a_page_outlined() {
        let watermark = area(400.0, 120);
        let mut marked = pages(&[&[watermark, area(500.0, 30)], &[watermark], &[watermark]]);
        marked.iter_mut().for_each(|page| page.characters = 10);
        remove_repeated(&mut marked);
        let [page] = &marked[..] else {
            panic!("{marked:?}");
        };
        assert_eq!(page.outlined_text, [area(500.0, 30), watermark]);
        let mut outlined = pages(&[&[area(500.0, 1_000)]]);
        remove_repeated(&mut outlined);
        assert!(outlined[0].outlined_text[0].bounds.height() > 500.0);
    }
}
