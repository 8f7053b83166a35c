//! The characters of a page as they are shown.

mod codes;
mod parting;

use std::collections::HashMap;
use std::mem::take;
use std::sync::Arc;

use layout::{Character, Font, Rect, Tag};
use pdfium_render::prelude::FPDF_PAGEOBJECT;
use task::matrix::Matrix;

use self::codes::Codes;
use super::fonts;
use super::handles::{Face, Glyph, Leaf, Lettering};
use super::place::{Place, narrow};

/// Most characters of a page that are read.
pub const CHARACTERS: i32 = 500_000;
/// How far a font reaches below and above the line where it does not say so, in parts of its size.
const DESCENT: f32 = 0.22;
const ASCENT: f32 = 0.88;
/// What a hyphen that divides a word at the end of a line is to the library.
const DIVIDES: [u32; 2] = [0x2, 0xfffe];

/// Reads characters, and knows the fonts that it met.
#[derive(Default)]
pub(super) struct Characters {
    fonts: HashMap<(String, String, u32), Arc<Font>>,
}

impl Characters {
    /// Those of a page, in the order of the library, with the spaces that it finds between words.
    /// `tag` is what the document says of a piece of text; beside them whether there are more.
    pub(super) fn of(
        &mut self,
        leaf: &Leaf<'_>,
        place: &Place,
        tag: impl Fn(FPDF_PAGEOBJECT) -> Tag,
    ) -> (Vec<Character>, bool) {
        let mut pieces = Pieces::default();
        let mut characters: Vec<Character> = Vec::new();
        let mut before = None;
        let (mut widths, mut codes) = (Widths::default(), Codes::default());
        let mut is_parted = false;
        let count = leaf.glyphs();
        for index in 0..count.min(CHARACTERS) {
            let Some(glyph) = leaf.glyph(index) else {
                is_parted |= leaf.is_parting(index);
                continue;
            };
            let piece = pieces.of(leaf, &glyph, self, &tag);
            let mut character = shown(leaf, &glyph, piece, place, &mut widths);
            // Letters of one ligature have one place, and the library tells it for each of them.
            let spot = (glyph.origin, glyph.loose);
            if before == Some(spot) && glyph.loose[0] < glyph.loose[2] {
                character.bounds.left = character.bounds.right;
                character.advance = 0.0;
            }
            before = Some(spot);
            if place.area().contains(character.bounds.centre()) {
                if take(&mut is_parted) {
                    characters.extend(parting::space(characters.last(), &character));
                }
                codes.note(characters.len(), piece.lettering.font.addr(), &glyph);
                characters.push(character);
            }
        }
        codes.silence(&mut characters);
        (characters, count > CHARACTERS)
    }

    fn font(&mut self, face: Face) -> Arc<Font> {
        let key = (face.name.clone(), face.family.clone(), face.flags);
        let font = self.fonts.entry(key);
        font.or_insert_with(|| Arc::new(fonts::font(&face))).clone()
    }
}

/// What is known of pieces of text: as every character asks for its own, the last one is kept, and all fonts.
#[derive(Default)]
struct Pieces {
    last: Option<Piece>,
    fonts: HashMap<usize, Arc<Font>>,
}

/// How wide the characters of fonts are, by the fonts' handles and the characters' codes.
type Widths = HashMap<(usize, u32), Option<f32>>;

struct Piece {
    address: usize,
    lettering: Lettering,
    font: Arc<Font>,
    tag: Tag,
}

impl Pieces {
    fn of(
        &mut self,
        leaf: &Leaf<'_>,
        glyph: &Glyph,
        known: &mut Characters,
        tag: impl Fn(FPDF_PAGEOBJECT) -> Tag,
    ) -> &Piece {
        let address = glyph.object.addr();
        let last = self.last.take().filter(|last| last.address == address);
        let last = last.unwrap_or_else(|| {
            let lettering = leaf.lettering(glyph.object);
            let font = self.fonts.entry(lettering.font.addr());
            let font = font
                .or_insert_with(|| known.font(leaf.face(lettering.font)))
                .clone();
            Piece {
                address,
                lettering,
                font,
                tag: tag(glyph.object),
            }
        });
        self.last.insert(last)
    }
}

fn shown(
    leaf: &Leaf<'_>,
    glyph: &Glyph,
    piece: &Piece,
    place: &Place,
    widths: &mut Widths,
) -> Character {
    let lettering = &piece.lettering;
    let matrix = place.after(glyph.matrix);
    let (_, scale) = matrix.extent();
    let size = (lettering.size * narrow(scale)).abs();
    let origin = place.point(glyph.origin);
    Character {
        text: text(glyph.code),
        bounds: match is_upright(glyph.matrix) {
            true => place.rect(glyph.loose.map(f64::from)),
            false => turned(origin, size, matrix, &place.rect(glyph.tight)),
        },
        baseline: origin.1,
        start: origin.0,
        advance: advance(leaf, glyph, lettering, widths),
        size,
        font: piece.font.clone(),
        colour: lettering.colour,
        angle: angle(matrix),
        is_hidden: lettering.is_hidden,
        tag: piece.tag,
    }
}

/// Whether the library knows the place of such a character whole: it does not look at turns.
fn is_upright(Matrix([a, b, ..]): Matrix) -> bool {
    a > 0.0 && b.abs() < a * 1e-3
}

/// How far it is to where the next one begins, in the direction of writing. The library tells that of upright characters; of
/// others its fonts know, and half of the size is usual.
fn advance(leaf: &Leaf<'_>, glyph: &Glyph, lettering: &Lettering, widths: &mut Widths) -> f32 {
    let [left, _, right, _] = glyph.loose;
    if is_upright(glyph.matrix) {
        return right - left;
    }
    let Matrix([a, b, ..]) = glyph.matrix;
    let along = narrow((a * a + b * b).sqrt()) * lettering.size.abs();
    // The library goes through all codes of a font for one.
    let width = widths
        .entry((lettering.font.addr(), glyph.code))
        .or_insert_with(|| leaf.width(lettering.font, glyph.code));
    width.unwrap_or(0.5) * along
}

/// A turned character: what is inked, and what its font takes across the line.
fn turned((x, y): (f32, f32), size: f32, Matrix([a, b, ..]): Matrix, ink: &Rect) -> Rect {
    let length = narrow((a * a + b * b).sqrt()).max(f32::MIN_POSITIVE);
    let (across, down) = (narrow(a) / length, narrow(b) / length);
    let at = |part: f32| (x + down * part * size, y - across * part * size);
    let font = Rect::between(at(-DESCENT), at(ASCENT));
    match ink.width() > 0.0 && ink.height() > 0.0 {
        true => font.union(ink),
        false => font,
    }
}

/// How far the direction of writing is turned clockwise.
fn angle(Matrix([a, b, ..]): Matrix) -> f32 {
    let angle = narrow(b.atan2(a).to_degrees()).rem_euclid(360.0);
    match angle < 360.0 {
        true => angle,
        false => 0.0,
    }
}

fn text(code: u32) -> char {
    match code {
        code if DIVIDES.contains(&code) => '-',
        0 | 0xffff => char::REPLACEMENT_CHARACTER,
        code => char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER),
    }
}
