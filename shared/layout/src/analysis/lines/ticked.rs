//! Check boxes of forms as characters: ☑, ☒ and ☐.

use crate::model::geometry::Rect;
use crate::model::page_content::{Character, CheckBox, Drawing, PageContent};
use crate::model::structure::Tag;

const SET: char = '☑';
const CROSSED: char = '☒';
const UNSET: char = '☐';
/// Private code points of the check boxes of Wingdings. The empty ones are also bullets.
const PRIVATE_SET: char = '\u{f0fe}';
const PRIVATE_CROSSED: char = '\u{f0fd}';
const PRIVATE_UNSET: [char; 2] = ['\u{f0a8}', '\u{f06f}'];
/// Part of the name of the font that has other characters there.
const OTHER_FONT: &str = "Symbol";
/// Tolerance for content of a box, points.
const EDGE: f32 = 1.5;
/// Maximum distance of the label from a box, as a multiple of the box height.
const FAR: f32 = 3.0;
/// Maximum ratio of width to height of a box, and of its height to that of its label.
const WIDE: f32 = 1.6;
const HIGH: f32 = 2.5;
/// Maximum number of letters drawn in a box, such as the check mark of a symbol font.
const SIGNS: usize = 2;
/// Maximum number of boxes of a page, and of comparisons with its characters.
const BOXES: usize = 500;
const LOOKS: usize = 25_000_000;

/// Returns the page with check boxes as characters; `None` if it has no labeled ones.
pub(in crate::analysis) fn ticked(sheet: &PageContent) -> Option<PageContent> {
    let written = written(sheet);
    fields(written.as_ref().unwrap_or(sheet)).or(written)
}

/// Returns the page with the characters that are check boxes at standard code points; `None` if it has no set ones.
fn written(sheet: &PageContent) -> Option<PageContent> {
    let is_set = |one: &Character| matches!(one.text, PRIVATE_SET | PRIVATE_CROSSED);
    let is_box = |one: &Character| !one.font.family.contains(OTHER_FONT);
    let mut characters = sheet.characters.iter();
    if !characters.any(|one| is_set(one) && is_box(one)) {
        return None;
    }
    let mut sheet = sheet.clone();
    for one in sheet.characters.iter_mut().filter(|one| is_box(one)) {
        one.text = match one.text {
            PRIVATE_SET => SET,
            PRIVATE_CROSSED => CROSSED,
            empty if PRIVATE_UNSET.contains(&empty) => UNSET,
            other => other,
        };
    }
    Some(sheet)
}

/// Returns the page with its labeled check boxes as characters; `None` if there are none.
fn fields(sheet: &PageContent) -> Option<PageContent> {
    let most = BOXES.min(LOOKS / sheet.characters.len().max(1));
    let ticks = sheet.check_boxes.iter().take(most);
    let written = ticks.filter_map(|tick| {
        let label = row_label(sheet, &tick.bounds)?;
        (is_box(tick, label) && signs(sheet, tick) <= SIGNS)
            .then(|| (*tick, character(tick, label)))
    });
    let written: Vec<(CheckBox, Character)> = written.collect();
    if written.is_empty() {
        return None;
    }
    let mut sheet = sheet.clone();
    let boxes = || written.iter().map(|(tick, _)| &tick.bounds);
    let is_within = |bounds: &Rect| boxes().any(|whole| encloses(whole, bounds));
    sheet.strokes.retain(|stroke| !is_within(&stroke.bounds));
    sheet.fills.retain(|fill| !is_within(fill));
    sheet
        .drawings
        .retain(|drawing| !is_part(drawing, is_within));
    for (tick, character) in written {
        sheet
            .characters
            .retain(|other| !tick.bounds.contains(other.bounds.center()));
        let label = sheet.characters.iter().position(|other| {
            other.baseline.to_bits() == character.baseline.to_bits()
                && other.bounds.left >= character.bounds.right
        });
        let place = label.unwrap_or(sheet.characters.len());
        let space = label.and_then(|label| between(&character, sheet.characters.get(label)?));
        let written = [Some(character), space].into_iter().flatten();
        sheet.characters.splice(place..place, written);
    }
    Some(sheet)
}

/// Whether it is a box with a label, not a large clickable area.
fn is_box(tick: &CheckBox, label: &Character) -> bool {
    let (width, height) = (tick.bounds.width(), tick.bounds.height());
    width <= height * WIDE && height <= label.size * HIGH
}

/// Returns the number of letters drawn in a box.
fn signs(sheet: &PageContent, tick: &CheckBox) -> usize {
    let letters = sheet.characters.iter();
    let letters = letters.filter(|letter| !letter.text.is_whitespace());
    letters
        .filter(|letter| tick.bounds.contains(letter.bounds.center()))
        .count()
}

/// Returns the nearest letter next to a box, preferably after it.
pub(super) fn label<'a>(sheet: &'a PageContent, bounds: &Rect) -> Option<&'a Character> {
    let (letter, distance) = nearest(sheet, bounds)?;
    (distance <= bounds.height() * FAR * 2.0).then_some(letter)
}

/// Returns the nearest letter on the row of a box: next to it, or anywhere before a box at the end of a row or in a table cell.
pub(super) fn row_label<'a>(sheet: &'a PageContent, bounds: &Rect) -> Option<&'a Character> {
    let before = nearest(sheet, bounds).map(|(letter, _)| letter);
    let before = before.filter(|letter| letter.bounds.right <= bounds.left);
    label(sheet, bounds).or(before)
}

fn nearest<'a>(sheet: &'a PageContent, bounds: &Rect) -> Option<(&'a Character, f32)> {
    let (_, middle) = bounds.center();
    let height = bounds.height();
    let is_beside = |letter: &&Character| {
        let (_, y) = letter.bounds.center();
        let is_word = !letter.text.is_whitespace() && !letter.is_hidden && letter.angle < 1.0;
        is_word && (y - middle).abs() < height * 0.5 && !bounds.contains(letter.bounds.center())
    };
    let distance = |letter: &Character| match letter.bounds.left - bounds.right {
        behind if behind > -EDGE => behind,
        _ => (bounds.left - letter.bounds.right).max(0.0) + height * FAR,
    };
    let letters = sheet.characters.iter().filter(is_beside);
    let letters = letters.map(|letter| (letter, distance(letter)));
    letters.min_by(|(_, one), (_, other)| one.total_cmp(other))
}

fn character(tick: &CheckBox, label: &Character) -> Character {
    Character {
        text: if tick.is_set { SET } else { UNSET },
        bounds: Rect {
            left: tick.bounds.left,
            right: tick.bounds.right,
            ..label.bounds
        },
        start: tick.bounds.left,
        advance: tick.bounds.width(),
        tag: match tick.tag {
            Tag::Content(_) => tick.tag,
            Tag::None | Tag::Artifact => label.tag,
        },
        ..label.clone()
    }
}

/// Returns a space between a box and its label, if they are close.
fn between(mark: &Character, label: &Character) -> Option<Character> {
    (label.bounds.left < mark.bounds.right + mark.size).then(|| Character {
        text: ' ',
        bounds: Rect {
            left: mark.bounds.right,
            right: label.bounds.left.max(mark.bounds.right),
            ..mark.bounds
        },
        start: mark.bounds.right,
        advance: 0.0,
        ..mark.clone()
    })
}

fn encloses(whole: &Rect, part: &Rect) -> bool {
    part.left > whole.left - EDGE
        && part.right < whole.right + EDGE
        && part.top > whole.top - EDGE
        && part.bottom < whole.bottom + EDGE
}

/// Whether a drawing is in a box.
fn is_part(drawing: &Drawing, is_within: impl Fn(&Rect) -> bool) -> bool {
    match drawing {
        Drawing::Area(area) => is_within(&area.bounds),
        Drawing::Shape(shape, clip) => shape
            .bounds()
            .and_then(|bounds| bounds.within(clip))
            .is_some_and(|bounds| is_within(&bounds)),
        Drawing::Picture(..) => false,
    }
}
