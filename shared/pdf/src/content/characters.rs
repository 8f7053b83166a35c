//! Extracts the characters of a page, in display coordinates.

mod font_encodings;
mod font_programs;
mod glyph_names;
mod glyph_texts;
mod overprints;
mod pitch;
mod unmapped_codes;
mod unnamed_fonts;
mod word_spaces;
mod words_outside;

use std::collections::{HashMap, HashSet};
use std::mem::take;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;

use layout::{Character, Font, Rect, Tag};
use task::matrix::Matrix;

pub(crate) use self::font_encodings::differences;
pub(crate) use self::glyph_names::text as glyph_text;
use self::glyph_texts::{CodeTexts, GlyphTexts};
use self::unmapped_codes::UnmappedCodes;
use self::unnamed_fonts::Factors;
pub(super) use self::word_spaces::is_from_right;
use self::words_outside::WordsOutside;
use super::declared_letters::DeclaredLetters;
use super::handles::{FontDescription, Glyph, PageHandle, PageObject, TextState};
use super::transform::{PageTransform, to_f32};
use super::{Source, fonts};
use crate::pdfium;

/// Maximum number of characters of a page.
pub const MAX_CHARACTERS: i32 = 500_000;
/// Default descent and ascent relative to the font size, for fonts without them.
const DESCENT: f32 = 0.22;
const ASCENT: f32 = 0.88;
/// Minimum extent of a sign of a formula beyond descent and ascent, relative to the font size.
const STANDS_OUT: f32 = 0.1;
/// PDFium's codes of a hyphen that divides a word at the end of a line.
const SOFT_HYPHENS: [u32; 2] = [0x2, 0xfffe];

/// Code units of UTF-16 of which two are a character. PDFium reports each as a glyph.
const SURROGATES: RangeInclusive<u32> = 0xd800..=0xdfff;

/// Private use area of the Adobe Glyph List.
const ADOBE_PRIVATE: RangeInclusive<u32> = 0xf6be..=0xf8fe;

/// The characters of a page.
pub(super) struct PageCharacters {
    pub(super) characters: Vec<Character>,
    /// Number of words outside the page.
    pub(super) words_outside: usize,
    /// Whether the page has more characters.
    pub(super) has_more: bool,
}

/// Extracts characters and caches fonts.
#[derive(Default)]
pub(super) struct CharacterReader {
    fonts: HashMap<(String, String, u32), Arc<Font>>,
    glyph_texts: GlyphTexts,
}

impl CharacterReader {
    /// Reads the pages of a document, with the text of codes that only the names of their glyphs have.
    pub(super) fn of_document(source: Source<'_>) -> Self {
        Self {
            fonts: HashMap::new(),
            glyph_texts: GlyphTexts::of(source),
        }
    }

    /// Returns the characters of a page in PDFium's order, including the spaces it generates between words. `tag` returns the
    /// structure tag of a text object.
    pub(super) fn of(
        &mut self,
        page: &PageHandle<'_>,
        transform: &PageTransform,
        declared_letters: &DeclaredLetters,
        tag: impl Fn(PageObject<'_>) -> Tag,
    ) -> PageCharacters {
        let mut pieces = TextObjects::default();
        let mut characters: Vec<Character> = Vec::new();
        let mut before = None;
        let (mut widths, mut unmapped_codes) = (Widths::default(), UnmappedCodes::default());
        let mut code_texts: HashMap<usize, Rc<CodeTexts>> = HashMap::new();
        let (mut is_parted, mut unmapped) = (false, None);
        let mut outside = WordsOutside::default();
        let count = page.glyphs();
        let mut is_paired = false;
        let mut declared: HashSet<usize> = HashSet::new();
        for index in 0..count.min(MAX_CHARACTERS) {
            if take(&mut is_paired) {
                continue;
            }
            let Some(mut glyph) = page.glyph(index).map(without_control_code) else {
                is_parted |= page.is_generated_space(index);
                outside.end_word();
                continue;
            };
            if SURROGATES.contains(&glyph.code) {
                let next = page.glyph(index + 1);
                if let Some(code) =
                    next.and_then(|next| pdfium::surrogate_pair(glyph.code, next.code))
                {
                    glyph.code = code.into();
                    is_paired = true;
                }
            }
            let piece = pieces.of(&glyph, self, &tag, (page, transform));
            let mut character = character(&glyph, piece, transform, &mut widths);
            if let Some(factor) = piece.factor {
                let next = page.glyph(index + 1);
                resize(&mut character, factor, (&glyph, next.as_ref()), transform);
            }
            let letter = declared_letters.of(glyph.object);
            let letter = letter.filter(|_| character.angle < f32::EPSILON);
            let is_placed = letter.is_none() && !declared_letters.adds(&character);
            if character.text.is_whitespace() && !is_placed {
                is_parted = true;
                outside.end_word();
                continue;
            }
            if let Some((number, letter)) = letter {
                if !declared.insert(number) {
                    continue;
                }
                character = letter.place(character);
            }
            // PDFium reports the same position for every letter of a ligature.
            let spot = (glyph.origin, glyph.loose_bounds);
            if before == Some(spot) && glyph.loose_bounds[0] < glyph.loose_bounds[2] {
                character.bounds.left = character.bounds.right;
                character.advance = 0.0;
            }
            before = Some(spot);
            let is_inside = transform.area().contains(character.bounds.center());
            outside.add(&character, is_inside);
            if is_inside {
                if take(&mut is_parted) {
                    let by_place = declared_letters.are_from_right();
                    let space = word_spaces::space(&characters, &character, by_place);
                    characters.extend(space);
                }
                if let Some((_, letter)) = letter {
                    characters.extend(spelled(character, letter.text()));
                    continue;
                }
                let font = piece.text_state.font;
                let named = lacks_text(&glyph).then(|| {
                    let texts = code_texts.entry(font.address());
                    let texts = texts.or_insert_with(|| self.glyph_texts.font(font));
                    texts.of_glyph(&glyph)
                });
                let named = named.flatten();
                match named.as_deref() {
                    Some(text) => {
                        for character in spelled(character, text) {
                            push(&mut characters, character, unmapped);
                        }
                    }
                    None if glyph.is_known => push(&mut characters, character, unmapped),
                    None => {
                        unmapped = Some(characters.len());
                        unmapped_codes.record(characters.len(), font.address(), &glyph);
                        characters.push(character);
                    }
                }
            }
        }
        unmapped_codes.replace_unmapped(&mut characters);
        for (font, monospaced) in pitch::mark_monospaced(&mut characters) {
            let known = self.fonts.values_mut();
            known
                .filter(|known| Arc::ptr_eq(known, &font))
                .for_each(|known| *known = monospaced.clone());
        }
        PageCharacters {
            characters,
            words_outside: outside.finish(),
            has_more: count > MAX_CHARACTERS,
        }
    }

    fn font(&mut self, face: FontDescription) -> Arc<Font> {
        if face.name.is_empty() {
            return Arc::new(fonts::font(&face));
        }
        let key = (face.name.clone(), face.family.clone(), face.flags);
        let font = self.fonts.entry(key);
        font.or_insert_with(|| Arc::new(fonts::font(&face))).clone()
    }
}

/// Adds a character, or joins it to an overprinted one before it. The last one without a Unicode mapping, at index `unmapped`,
/// stays as it is: its code is no accent.
fn push(characters: &mut Vec<Character>, character: Character, unmapped: Option<usize>) {
    let is_after_unmapped = unmapped.is_some_and(|index| index + 1 == characters.len());
    if is_after_unmapped || !overprints::join(characters, &character) {
        characters.push(character);
    }
}

/// Marks a visible glyph that is mapped to a control character as unknown: writers map codes like that if they have no text for
/// them.
fn without_control_code(glyph: Glyph<'_>) -> Glyph<'_> {
    let [left, bottom, right, top] = glyph.ink_bounds;
    let is_control = glyph.code < u32::from(b' ') && !SOFT_HYPHENS.contains(&glyph.code);
    let is_visible = top > bottom && right > left;
    Glyph {
        is_known: glyph.is_known && !(is_control && is_visible),
        ..glyph
    }
}

/// Whether PDFium has no text for a glyph, or only a character of the private use area that glyph names are mapped to.
fn lacks_text(glyph: &Glyph<'_>) -> bool {
    !glyph.is_known || glyph.code == 0 || ADOBE_PRIVATE.contains(&glyph.code)
}

/// Returns the characters of a glyph: the first one has its width, as those of ligatures.
fn spelled(character: Character, text: &str) -> impl Iterator<Item = Character> {
    text.char_indices().map(move |(index, text)| {
        let mut own = Character {
            text,
            ..character.clone()
        };
        if index > 0 {
            own.bounds.left = own.bounds.right;
            own.advance = 0.0;
        }
        own
    })
}

/// Cache of the last text object and of all fonts, because characters are queried one by one.
#[derive(Default)]
struct TextObjects<'p> {
    last: Option<TextObject<'p>>,
    fonts: HashMap<usize, Arc<Font>>,
    /// Addresses of the fonts without a name.
    unnamed: HashSet<usize>,
    /// Known since the first of them.
    factors: Option<Factors>,
}

/// Advance widths by font handle and character code.
type Widths = HashMap<(usize, u32), Option<f32>>;

struct TextObject<'p> {
    address: usize,
    text_state: TextState<'p>,
    font: Arc<Font>,
    /// Ratio of the estimated size of the font to the declared one.
    factor: Option<f32>,
    tag: Tag,
}

impl<'p> TextObjects<'p> {
    fn of(
        &mut self,
        glyph: &Glyph<'p>,
        known: &mut CharacterReader,
        tag: impl Fn(PageObject<'_>) -> Tag,
        (page, transform): (&PageHandle<'_>, &PageTransform),
    ) -> &TextObject<'p> {
        let address = glyph.object.address();
        let last = self.last.take().filter(|last| last.address == address);
        let last = last.unwrap_or_else(|| {
            let text_state = glyph.object.text_state();
            let font_address = text_state.font.address();
            let font = self.fonts.entry(font_address).or_insert_with(|| {
                let face = text_state.font.description();
                if face.name.is_empty() {
                    self.unnamed.insert(font_address);
                    self.factors
                        .get_or_insert_with(|| unnamed_fonts::factors(page, transform));
                }
                known.font(face)
            });
            let factors = self.factors.as_ref();
            TextObject {
                address,
                text_state,
                font: font.clone(),
                factor: factors
                    .filter(|_| self.unnamed.contains(&font_address))
                    .and_then(|factors| factors.get(&font_address).copied()),
                tag: tag(glyph.object),
            }
        });
        self.last.insert(last)
    }
}

fn character(
    glyph: &Glyph<'_>,
    piece: &TextObject<'_>,
    transform: &PageTransform,
    widths: &mut Widths,
) -> Character {
    let text_state = &piece.text_state;
    let matrix = transform.after(glyph.matrix);
    let (_, scale) = matrix.extent();
    let size = (text_state.size * to_f32(scale)).abs();
    let origin = transform.point(glyph.origin);
    Character {
        text: text(glyph.code),
        bounds: match is_upright(glyph.matrix) {
            true if piece.font.is_math => math_bounds(
                &transform.rect(glyph.loose_bounds.map(f64::from)),
                &transform.rect(glyph.ink_bounds),
                (origin.1, size),
            ),
            true => transform.rect(glyph.loose_bounds.map(f64::from)),
            false => rotated_bounds(origin, size, matrix, &transform.rect(glyph.ink_bounds)),
        },
        baseline: origin.1,
        start: origin.0,
        advance: advance(glyph, text_state, widths),
        size,
        font: piece.font.clone(),
        color: text_state.color,
        angle: angle(matrix),
        is_hidden: text_state.is_hidden,
        tag: piece.tag,
    }
}

/// Sets size and bounds of a character whose font has this factor, given the next one.
fn resize(
    character: &mut Character,
    factor: f32,
    (glyph, next): (&Glyph<'_>, Option<&Glyph<'_>>),
    transform: &PageTransform,
) {
    let size = unnamed_fonts::size(character.size, factor);
    character.size = size;
    if !is_upright(glyph.matrix) {
        return;
    }
    let (left, right) = unnamed_fonts::extent(glyph, next, size);
    let y = glyph.origin.1;
    let extent = transform.rect([f64::from(left), y, f64::from(right), y]);
    character.bounds = Rect::between(
        (extent.left, character.baseline - ASCENT * size),
        (extent.right, character.baseline + DESCENT * size),
    );
    character.advance = right - left;
}

/// Whether the text is horizontal. PDFium's loose bounds ignore rotation.
fn is_upright(Matrix([a, b, ..]): Matrix) -> bool {
    a > 0.0 && b.abs() < a * 1e-3
}

/// Returns the bounds of a character of a font for formulas, whose ascent and descent say nothing about its letters: those of
/// a usual font of this size, and of what stands out of them, such as a sum or a stretched bracket, its ink.
fn math_bounds(loose: &Rect, ink: &Rect, (baseline, size): (f32, f32)) -> Rect {
    let (top, bottom) = (baseline - ASCENT * size, baseline + DESCENT * size);
    let excess = STANDS_OUT * size;
    let stands_out = ink.height() > 0.0 && (ink.top < top - excess || ink.bottom > bottom + excess);
    match stands_out {
        true => Rect {
            top: ink.top,
            bottom: ink.bottom,
            ..*loose
        },
        false => Rect {
            top,
            bottom,
            ..*loose
        },
    }
}

/// Returns the distance to the origin of the next character, in writing direction: for horizontal text the width of PDFium's
/// loose bounds, for rotated text the glyph width of the font, by default half the font size.
fn advance(glyph: &Glyph<'_>, text_state: &TextState<'_>, widths: &mut Widths) -> f32 {
    let [left, _, right, _] = glyph.loose_bounds;
    if is_upright(glyph.matrix) {
        return right - left;
    }
    let Matrix([a, b, ..]) = glyph.matrix;
    let along = to_f32((a * a + b * b).sqrt()) * text_state.size.abs();
    // Cached, because PDFium searches the codes of a font linearly.
    let width = widths
        .entry((text_state.font.address(), glyph.code))
        .or_insert_with(|| text_state.font.width(glyph.code));
    width.unwrap_or(0.5) * along
}

/// Returns the bounds of a rotated character: its ink, extended by ascent and descent of the font.
fn rotated_bounds((x, y): (f32, f32), size: f32, Matrix([a, b, ..]): Matrix, ink: &Rect) -> Rect {
    let length = to_f32((a * a + b * b).sqrt()).max(f32::MIN_POSITIVE);
    let (across, down) = (to_f32(a) / length, to_f32(b) / length);
    let at = |part: f32| (x + down * part * size, y - across * part * size);
    let font = Rect::between(at(-DESCENT), at(ASCENT));
    match ink.width() > 0.0 && ink.height() > 0.0 {
        true => font.union(ink),
        false => font,
    }
}

/// Returns the clockwise angle of the writing direction.
fn angle(Matrix([a, b, ..]): Matrix) -> f32 {
    let angle = to_f32(b.atan2(a).to_degrees()).rem_euclid(360.0);
    match angle < 360.0 {
        true => angle,
        false => 0.0,
    }
}

fn text(code: u32) -> char {
    match code {
        code if SOFT_HYPHENS.contains(&code) => '-',
        0 | 0xffff => char::REPLACEMENT_CHARACTER,
        code => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}

#[cfg(test)]
pub(super) mod samples {
    use super::*;

    /// A character of 5 by 10 points at the top of the page.
    pub(in super::super) fn character(text: char, left: f32, tag: u32) -> Character {
        Character {
            text,
            bounds: Rect::between((left, 0.0), (left + 5.0, 10.0)),
            baseline: 8.0,
            start: left,
            advance: 5.0,
            size: 10.0,
            font: Arc::default(),
            color: [0; 3],
            angle: 0.0,
            is_hidden: false,
            tag: Tag::Content(tag),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::samples::character;
    use super::*;

    #[test]
    fn a_sign_of_a_formula_that_stands_out_of_its_line_has_the_bounds_of_its_ink() {
        let loose = Rect::between((10.0, 90.0), (16.0, 130.0));
        let bounds = |ink: Rect| {
            let bounds = math_bounds(&loose, &ink, (100.0, 10.0));
            (bounds.left, bounds.top, bounds.bottom)
        };
        let letter = Rect::between((11.0, 95.0), (15.0, 100.0));
        assert_eq!(bounds(letter), (10.0, 91.2, 102.2));
        let sum = Rect::between((11.0, 100.0), (24.0, 114.0));
        assert_eq!(bounds(sum), (10.0, 100.0, 114.0));
    }

    #[test]
    fn a_letter_over_an_unmapped_code_is_not_joined_to_it() {
        let pushed = |unmapped: Option<usize>| {
            let mut characters = vec![character('^', 0.0, 0)];
            push(&mut characters, character('o', 0.5, 0), unmapped);
            let texts = characters.iter().map(|character| character.text);
            texts.collect::<String>()
        };
        assert_eq!(pushed(None), "ô");
        assert_eq!(pushed(Some(0)), "^o");
    }
}
