//! Features of heading candidates: of their text, of their place on the page, and of their style in the document.

mod entries;
pub(in crate::analysis) mod outline;
pub(in crate::analysis) mod page_lines;
pub(in crate::analysis) mod style;
mod text;

use crate::analysis::candidates::weights::Feature;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::typed::{ends_with_leader_and_number, has_leader};
use crate::analysis::survey::headings::page_lines::PageLines;
use crate::analysis::survey::headings::text::Text;
use crate::model::geometry::Rect;

/// Maximum length of a candidate, in lines and characters.
const LINES: usize = 5;
const CHARACTERS: usize = 300;
/// Gap assumed where there is no other line, and the largest that counts, as fractions of the font size.
const GAP: f32 = 2.0;
/// Maximum distance between the baselines of the number of a part and its title, as a multiple of the title's font size.
const TITLE: f32 = 4.0;
/// Check boxes, and further signs that forms use as check boxes but also precede titles, so that one alone decides nothing.
pub(in crate::analysis) const CHECK_BOXES: &str = "☐☑☒🗹🗷❏❐❑❒";
const CHECK_SIGNS: &str = "□■✓✔✗✘";

/// Returns the features of lines that do not depend on the document; `None` if they are too long for a heading, have check
/// boxes, are the value of a form field, or are an address or an entry of contents with leader dots that the outline does not have.
pub(in crate::analysis) fn features(lines: &[&Line], page: &PageLines) -> Option<Vec<Feature>> {
    let count: usize = lines.iter().map(|line| line.glyphs().count()).sum();
    let is_value = || lines.iter().any(|line| page.is_in_field(line));
    if lines.len() > LINES || count > CHARACTERS || have_check_boxes(lines) || is_value() {
        return None;
    }
    let (first, last) = (lines.first()?, lines.last()?);
    let is_outlined = page.outline.depth(lines).is_some();
    let text = Text::of(lines)?;
    if !is_outlined && (text.is_address() || ends_with_leader_and_number(last)) {
        return None;
    }
    let area = Rect {
        top: first.core().start,
        bottom: last.core().end,
        ..Rect::around(lines.iter().map(|line| line.bounds))?
    };
    let gap = |gap: Option<f32>| gap.map_or(GAP, |gap| (gap / first.size).clamp(0.0, GAP)) / GAP;
    let below = page.below(&area);
    let above = page.above(&area);
    let (over, under) = (
        gap(above.map(|above| area.top - above.bottom)),
        gap(below.map(|below| below.top - area.bottom)),
    );
    let mut features = text.features();
    features.extend([
        ("outlined", flag(is_outlined)),
        ("largest", flag(first.size > page.largest * 0.98)),
        ("gap_difference", over - under),
        (
            "unlike_above",
            above.map_or(0.5, |above| flag(above.is_unlike(first))),
        ),
        (
            "unlike_below",
            below.map_or(0.0, |below| flag(below.is_unlike(last))),
        ),
        ("width", area.width() / page.page.width().max(1.0)),
        ("foot", flag(area.top > page.page.height() * 0.9)),
        ("entry", flag(page.is_entry(last)) + flag(has_leader(last))),
    ]);
    Some(features)
}

/// Whether a line is the number of a part, such as `Chapter 3`, above its larger title.
pub(in crate::analysis) fn is_label(lines: &[&Line], next: &Line) -> bool {
    let [label] = lines else {
        return false;
    };
    next.size > label.size
        && next.baseline - label.baseline < next.size * TITLE
        && Text::of(lines).is_some_and(|text| text.is_label())
}

/// Whether lines have a check box: they are the options of a form.
fn have_check_boxes(lines: &[&Line]) -> bool {
    let signs = |signs: &'static str| {
        let glyphs = lines.iter().flat_map(|line| line.glyphs());
        glyphs.filter(|glyph| signs.contains(glyph.text)).count()
    };
    signs(CHECK_BOXES) > 0 || signs(CHECK_SIGNS) > 1
}

fn flag(is_so: bool) -> f32 {
    f32::from(u8::from(is_so))
}

#[expect(clippy::cast_precision_loss, reason = "counts are limited")]
fn count_of(count: usize) -> f32 {
    count as f32
}
