//! The characters of formulas.

use crate::analysis::glyphs::glyph::Glyph;

/// Names of functions, which are no words.
const FUNCTIONS: [&str; 33] = [
    "sin", "cos", "tan", "cot", "sec", "csc", "sinh", "cosh", "tanh", "coth", "arcsin", "arccos",
    "arctan", "log", "exp", "lim", "liminf", "limsup", "max", "min", "sup", "inf", "det", "dim",
    "ker", "deg", "gcd", "lcm", "arg", "mod", "diag", "rank", "sgn",
];
/// Bullets of lists.
const BULLETS: [char; 8] = ['•', '·', '∗', '*', '◦', '–', '−', '■'];
/// Minimum extents of a tall sign below the baseline and as a whole, as fractions of the font size.
const BELOW: f32 = 0.45;
const TALL: f32 = 1.2;

/// Whether a character is only in pages with formulas: those with lists alone have bullets of the same fonts.
pub(super) fn is_of_formula(glyph: &Glyph) -> bool {
    glyph.font.is_math && !glyph.text.is_whitespace() && !BULLETS.contains(&glyph.text)
}

/// Whether a character is a letter or sign of a formula.
pub(super) fn is_math(glyph: &Glyph) -> bool {
    glyph.font.is_math || is_operator(glyph.text)
}

/// Whether a character is one of Unicode's mathematical signs and letters.
fn is_operator(text: char) -> bool {
    matches!(text,
        '=' | '+' | '<' | '>' | '±' | '×' | '÷' | '¬'
        | '\u{2190}'..='\u{21ff}'
        | '\u{2200}'..='\u{22ff}'
        | '\u{239b}'..='\u{23b3}'
        | '\u{27c0}'..='\u{27ff}'
        | '\u{2900}'..='\u{2aff}'
        | '\u{1d400}'..='\u{1d7ff}')
}

/// Whether it is a sign that is larger than the letters next to it, such as a sum, an integral, a root or a stretched bracket.
pub(super) fn is_tall(glyph: &Glyph) -> bool {
    let is_piece = matches!(glyph.text, '\u{239b}'..='\u{23b3}' | '\u{f8e5}'..='\u{f8fe}');
    let is_large = glyph.bounds.bottom > glyph.baseline + BELOW * glyph.size
        || glyph.bounds.height() > TALL * glyph.size;
    glyph.font.is_math && (is_piece || is_large)
}

/// Whether letters are the name of a function.
pub(super) fn is_function(letters: &str) -> bool {
    FUNCTIONS.contains(&letters)
}
