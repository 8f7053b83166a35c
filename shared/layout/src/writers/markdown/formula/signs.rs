//! The characters of a text by what they may be in a formula.

use super::latex;
use crate::writers::notes::Notes;
use crate::{Run, Script};

/// A character of a text.
#[derive(Debug)]
pub(super) struct Sign {
    pub(super) character: char,
    pub(super) kind: Kind,
    pub(super) script: Script,
    pub(super) is_italic: bool,
    /// Font size, points.
    pub(super) size: f32,
    /// Index of its run.
    pub(super) run: usize,
    /// Position in the text of its run, bytes.
    pub(super) at: usize,
}

/// What a character may be in a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Ends formulas: words, punctuation and text with other formatting.
    Text,
    Space,
    Variable,
    Number,
    Operator,
    /// Punctuation, except within brackets.
    Separator,
    Open,
    Close,
    /// A bar, which opens or closes.
    Bar,
    /// Has no certain notation.
    Unknown,
}

impl Sign {
    fn is_digit(&self) -> bool {
        self.kind == Kind::Number && self.character.is_ascii_digit()
    }

    /// Whether it may be a letter of a word.
    fn is_letter(&self) -> bool {
        let is_word = self.character.is_alphabetic() && !is_mathematical(self.character);
        self.script == Script::None && is_word && self.kind != Kind::Unknown
    }

    fn is_greek(&self) -> bool {
        latex::is_greek(self.character)
    }

    fn ends_operand(&self) -> bool {
        matches!(self.kind, Kind::Variable | Kind::Number | Kind::Close)
            || self.script != Script::None
    }

    fn begins_operand(&self) -> bool {
        matches!(self.kind, Kind::Variable | Kind::Number | Kind::Open)
    }
}

/// Returns the characters of runs.
pub(super) fn signs(runs: &[Run], notes: &Notes) -> Vec<Sign> {
    let mut signs = Vec::new();
    for (index, run) in runs.iter().enumerate() {
        let style = &run.style;
        let is_note = notes.at(run).is_some();
        let is_formatted = style.bold
            || style.monospaced
            || style.underlined
            || style.strikethrough
            || style.highlight.is_some()
            || run.link.is_some();
        signs.extend(run.text.char_indices().map(|(at, character)| Sign {
            // A reference to a note begins with a bracket.
            character: if is_note { '[' } else { character },
            kind: match kind(character, style.script) {
                Kind::Space => Kind::Space,
                _ if is_formatted || is_note => Kind::Text,
                kind => kind,
            },
            script: if is_note { Script::None } else { style.script },
            is_italic: style.italic || is_mathematical(character),
            size: style.size,
            run: index,
            at,
        }));
    }
    mark_numbers(&mut signs);
    mark_words(&mut signs, runs);
    mark_spaces(&mut signs);
    mark_brackets(&mut signs);
    signs
}

/// Whether a letter is an italic one of the mathematical alphabets.
fn is_mathematical(letter: char) -> bool {
    matches!(letter, 'ℎ' | '\u{1d434}'..='\u{1d467}' | '\u{1d6e2}'..='\u{1d714}')
}

fn kind(character: char, script: Script) -> Kind {
    match character {
        ' ' | '\u{a0}' | '\u{2009}' | '\u{2005}' => Kind::Space,
        '0'..='9' | '∞' | '∅' => Kind::Number,
        '′' if script != Script::None => Kind::Number,
        '′' => Kind::Unknown,
        '(' | '[' | '{' | '⟨' | '⌈' | '⌊' => Kind::Open,
        ')' | ']' | '}' | '⟩' | '⌉' | '⌋' => Kind::Close,
        '|' | '∣' | '‖' | '∥' => Kind::Bar,
        ',' | ';' | ':' | '.' if script == Script::None => Kind::Separator,
        'ℓ' => Kind::Variable,
        _ if latex::is_greek(character) || latex::plain_letter(character).is_ascii_alphabetic() => {
            Kind::Variable
        }
        _ if latex::of(character).is_some() => Kind::Operator,
        // Letter-like symbols and mathematical alphabets.
        '\u{2100}'..='\u{214f}' | '\u{1d400}'..='\u{1d7ff}' => Kind::Unknown,
        _ if character.is_alphabetic() || character.is_whitespace() => Kind::Text,
        '!' | '?' | '"' | '\'' | '–' | '—' | '‘' | '’' | '“' | '”' | '„' | '«' | '»' | '•' => {
            Kind::Text
        }
        _ => Kind::Unknown,
    }
}

/// Marks the separators within numbers.
fn mark_numbers(signs: &mut [Sign]) {
    for at in 1..signs.len() {
        if let Some([before, separator, after]) = signs.get_mut(at - 1..at + 2)
            && matches!(separator.character, '.' | ',')
            && separator.kind == Kind::Separator
            && before.is_digit()
            && after.is_digit()
        {
            separator.kind = Kind::Number;
        }
    }
}

/// Marks the letters of words, and single ones next to words in the same italic font.
fn mark_words(signs: &mut [Sign], runs: &[Run]) {
    let is_word = |one: &Sign, other: &Sign| {
        one.is_letter()
            && other.is_letter()
            && (one.is_italic, one.is_greek()) == (other.is_italic, other.is_greek())
    };
    // The font of the last word, if that is italic.
    let mut prose = None;
    let mut mark = |word: &mut [Sign]| {
        let length = word.len();
        let Some(first) = word.first_mut().filter(|first| first.is_letter()) else {
            return;
        };
        let font = runs.get(first.run).map(|run| run.style.font.as_str());
        if first.is_greek() && length < 3 {
            return;
        }
        if length == 1 && first.is_italic && first.kind == Kind::Variable && prose != font {
            return;
        }
        if !first.is_italic || length > 2 {
            prose = font.filter(|_| first.is_italic);
        }
        for letter in word {
            letter.kind = Kind::Text;
        }
    };
    signs.chunk_by_mut(is_word).for_each(&mut mark);
    signs.chunk_by_mut(is_word).rev().for_each(mark);
}

/// Marks spaces that separate operands, and assigns those next to scripts to the line. After a bracket or on one side of a slash, a
/// space may have had a sign.
fn mark_spaces(signs: &mut [Sign]) {
    for at in 0..signs.len() {
        let neighbor = |at: Option<usize>| at.and_then(|at| signs.get(at));
        let (before, after) = (neighbor(at.checked_sub(1)), neighbor(Some(at + 1)));
        let is_inner = before.map(|sign| sign.script) == after.map(|sign| sign.script);
        let is_apart = before.is_none_or(|sign| sign.ends_operand() || sign.kind == Kind::Space)
            && after.is_none_or(Sign::begins_operand);
        let is_slash = |sign: Option<&Sign>| sign.is_some_and(|sign| sign.character == '/');
        let is_space = |at: Option<usize>| neighbor(at).is_none_or(|sign| sign.kind == Kind::Space);
        let is_gap = before.is_some_and(|sign| sign.kind == Kind::Close)
            && after.is_some_and(|sign| sign.kind == Kind::Variable)
            || is_slash(before) && !is_space(at.checked_sub(2))
            || is_slash(after) && !is_space(Some(at + 2));
        if let Some(space) = signs.get_mut(at).filter(|sign| sign.kind == Kind::Space) {
            space.script = if is_inner { space.script } else { Script::None };
            space.kind = match (is_apart, space.script) {
                _ if is_gap => Kind::Unknown,
                (false, _) => Kind::Space,
                (true, Script::None) => Kind::Text,
                (true, _) => Kind::Unknown,
            };
        }
    }
}

/// Marks brackets that text or the end separates from their partners, and separators outside of the others.
fn mark_brackets(signs: &mut [Sign]) {
    let mut open: Vec<usize> = Vec::new();
    let mut unpaired = Vec::new();
    let mut follows_word = false;
    for (at, sign) in signs.iter().enumerate() {
        match sign.kind {
            Kind::Text => unpaired.append(&mut open),
            // An argument of a function whose name is a word.
            Kind::Open if follows_word => unpaired.push(at),
            Kind::Open => open.push(at),
            Kind::Close => {
                let partner = open.pop();
                let is_pair = partner.and_then(|at| signs.get(at)).is_some_and(|partner| {
                    partner.script == sign.script && is_pair(partner.character, sign.character)
                });
                if !is_pair {
                    unpaired.append(&mut open);
                    unpaired.extend(partner);
                    unpaired.push(at);
                }
            }
            _ => {}
        }
        follows_word = sign.kind == Kind::Text && sign.is_letter();
    }
    unpaired.append(&mut open);
    for at in unpaired {
        if let Some(sign) = signs.get_mut(at) {
            sign.kind = Kind::Text;
        }
    }
    let mut depth = 0_usize;
    for sign in signs {
        match sign.kind {
            Kind::Open => depth += 1,
            Kind::Close => depth = depth.saturating_sub(1),
            Kind::Separator if depth == 0 => sign.kind = Kind::Text,
            Kind::Separator => sign.kind = Kind::Operator,
            _ => {}
        }
    }
}

fn is_pair(open: char, close: char) -> bool {
    matches!(
        (open, close),
        ('(', ')') | ('[', ']') | ('{', '}') | ('⟨', '⟩') | ('⌈', '⌉') | ('⌊', '⌋')
    )
}
