//! Lines → runs: inserts spaces between words, removes hyphens at line ends, and restores logical order.

use std::borrow::Cow;

use crate::analysis::glyphs::bidi;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::Piece;
use crate::analysis::lines::line::{Line, PART};
use crate::analysis::lines::words::Words;
use crate::model::page_content::LinkArea;
use crate::model::seam::{Vocabulary as _, continues_address, is_hyphen};
use crate::model::text::{NOTE, Run, Script};

/// The letters of the most frequent Arabic ligature, in logical order.
const LAM: char = 'ل';
const ALEFS: [char; 4] = ['ا', 'أ', 'إ', 'آ'];

/// Context of text output.
#[derive(Clone, Copy)]
pub(in crate::analysis) struct Writer<'a> {
    pub(in crate::analysis) links: &'a [LinkArea],
    pub(in crate::analysis) words: &'a Words,
}

/// A character or space with its style.
struct Sign<'a> {
    text: char,
    glyph: &'a Glyph,
}

impl Writer<'_> {
    /// Returns the runs of consecutive lines.
    pub(in crate::analysis) fn runs<'l>(
        &self,
        lines: impl IntoIterator<Item = &'l Line>,
    ) -> Vec<Run> {
        self.runs_towards(lines, None)
    }

    /// Returns the runs of a paragraph with a known direction on its page, which may be mirrored; `None` detects it.
    pub(in crate::analysis) fn runs_towards<'l>(
        &self,
        lines: impl IntoIterator<Item = &'l Line>,
        from_right: Option<bool>,
    ) -> Vec<Run> {
        let lines: Vec<&Line> = lines.into_iter().collect();
        let is_mirrored = lines.first().is_some_and(|line| line.is_mirrored());
        let from_right = match from_right {
            Some(from_right) => from_right != is_mirrored,
            None => is_right_to_left(&lines, is_mirrored),
        };
        let mut signs: Vec<Sign<'_>> = Vec::new();
        let mut was_word = false;
        for line in lines {
            let next = signs_of(line, from_right);
            let is_word = line.pieces.iter().skip(1).all(|piece| piece.is_close);
            self.join(&mut signs, &next, was_word);
            signs.extend(next);
            was_word = is_word;
        }
        self.written(&signs)
    }

    /// Prepares the end of a line for the next one: adds a space, removes the hyphen, or leaves it. `is_word` is set if the
    /// line is a single word or a part of one that is longer than a line.
    fn join(&self, signs: &mut Vec<Sign<'_>>, next: &[Sign<'_>], is_word: bool) {
        let (Some(last), Some(first)) = (signs.last(), next.first()) else {
            return;
        };
        let (text, glyph) = (last.text, last.glyph);
        let written = signs.iter().rev().map(|sign| sign.text);
        let after = next.iter().map(|sign| sign.text);
        if text != '\u{ad}' && continues_address(written, after) {
            return;
        }
        let before = signs.iter().rev().nth(1).map_or(' ', |sign| sign.text);
        let is_hyphen = is_hyphen(text);
        let divides = is_hyphen && before.is_alphabetic();
        // A date or a range of numbers.
        let is_number = is_hyphen && before.is_numeric() && first.text.is_numeric();
        if divides && text != '\u{ad}' && self.is_suspended(signs, next) {
            signs.push(Sign { text: ' ', glyph });
        } else if text == '\u{ad}'
            || divides && first.text.is_lowercase() && !self.keeps_hyphen(signs, next)
        {
            signs.pop();
        } else if divides
            || is_number
            || is_dash(text) && !before.is_whitespace()
            || is_ideographic(text) && is_ideographic(first.text)
            || is_word && self.is_broken(signs, next)
        {
        } else {
            signs.push(Sign { text: ' ', glyph });
        }
    }

    /// Whether the lines split a word that the document contains elsewhere.
    fn is_broken(&self, signs: &[Sign<'_>], next: &[Sign<'_>]) -> bool {
        let before = signs.iter().rev().map(|sign| sign.text);
        let mut begin: Vec<char> = before.take_while(|text| text.is_alphabetic()).collect();
        begin.reverse();
        let end = next.iter().map(|sign| sign.text);
        let end: Vec<char> = end.take_while(|text| text.is_alphabetic()).collect();
        !begin.is_empty()
            && end.first().is_some_and(|first| first.is_lowercase())
            && self.words.is_whole(&begin, &end)
    }

    /// Whether the hyphen at the end of a line is suspended (`short- and long-term`).
    fn is_suspended(&self, signs: &[Sign<'_>], next: &[Sign<'_>]) -> bool {
        let rest = next.iter().map(|sign| sign.text);
        self.words.is_suspended(&divided(signs), rest)
    }

    /// Whether the hyphen at the end of the line belongs to the word.
    fn keeps_hyphen(&self, signs: &[Sign<'_>], next: &[Sign<'_>]) -> bool {
        let end = next
            .iter()
            .map(|sign| sign.text)
            .take_while(|text| text.is_alphabetic());
        let end: Vec<char> = end.collect();
        self.words.is_compound(&divided(signs), &end)
    }

    fn written(&self, signs: &[Sign<'_>]) -> Vec<Run> {
        let mut runs: Vec<Run> = Vec::new();
        let mut last: Option<Cow<'_, Glyph>> = None;
        for (place, sign) in signs.iter().enumerate() {
            let next = signs.get(place + 1).map(|next| next.glyph);
            let glyph = match sign.text {
                ' ' => self.of_space(sign.glyph, next),
                _ => Cow::Borrowed(sign.glyph),
            };
            match runs
                .last_mut()
                .filter(|_| last.as_ref().is_some_and(|last| self.is_same(last, &glyph)))
            {
                Some(run) => run.text.push(sign.text),
                None => runs.push(Run {
                    text: sign.text.to_string(),
                    style: glyph.style(),
                    link: self.target(&glyph).map(str::to_owned),
                }),
            }
            last = Some(glyph);
        }
        runs
    }

    /// Returns the style of a space: that of the character before it, without underline, strikethrough, highlight or link that
    /// ends there.
    fn of_space<'g>(&self, before: &'g Glyph, after: Option<&Glyph>) -> Cow<'g, Glyph> {
        let marks = |glyph: &Glyph| {
            let target = self.target(glyph).map(str::to_owned);
            (
                glyph.underlined,
                glyph.strikethrough,
                glyph.script,
                glyph.highlight,
                target,
            )
        };
        match after.is_none_or(|after| marks(after) == marks(before)) {
            true => Cow::Borrowed(before),
            false => Cow::Owned(Glyph {
                underlined: false,
                strikethrough: false,
                script: Script::None,
                highlight: None,
                link: None,
                ..before.clone()
            }),
        }
    }

    /// Whether both belong to one run: a link may have several areas.
    fn is_same(&self, one: &Glyph, other: &Glyph) -> bool {
        let mut relinked = other.clone();
        relinked.link = one.link;
        one.looks_like(&relinked) && self.target(one) == self.target(other)
    }

    /// Returns the link target of a character. A superscript with an internal link is a reference to a note.
    fn target(&self, glyph: &Glyph) -> Option<&str> {
        let target = self.links.get(glyph.link?)?.target.as_str();
        let is_label = glyph.script == Script::Super && target.starts_with('#');
        Some(if is_label { NOTE } else { target })
    }
}

/// Returns the characters and spaces of a line in logical order.
fn signs_of(line: &Line, from_right: bool) -> Vec<Sign<'_>> {
    let has_right = || {
        line.glyphs()
            .any(|glyph| bidi::is_right_to_left(glyph.text))
    };
    match !line.is_turned() && (line.is_mirrored() || has_right()) {
        false => spaced(&line.pieces),
        true => turned_round(line, from_right),
    }
}

fn spaced(pieces: &[Piece]) -> Vec<Sign<'_>> {
    let mut signs: Vec<Sign<'_>> = Vec::new();
    let mut before: Option<&Piece> = None;
    for piece in pieces {
        if let Some((last, before)) = signs.last().zip(before)
            && (before.is_spaced || !piece.is_close)
        {
            let glyph = last.glyph;
            signs.push(Sign { text: ' ', glyph });
        }
        let glyphs = piece
            .glyphs
            .iter()
            .filter(|glyph| glyph.text != '\u{ad}' || is_last(piece, glyph));
        signs.extend(glyphs.map(|glyph| Sign {
            text: glyph.text,
            glyph,
        }));
        before = Some(piece);
    }
    signs
}

fn is_last(piece: &Piece, glyph: &Glyph) -> bool {
    piece
        .glyphs
        .last()
        .is_some_and(|last| std::ptr::eq(last, glyph))
}

/// Whether a paragraph is right-to-left: most of its letters are, or, on a page of such text, a significant part.
fn is_right_to_left(lines: &[&Line], is_mirrored: bool) -> bool {
    let texts = lines
        .iter()
        .flat_map(|line| line.glyphs())
        .map(|glyph| glyph.text);
    let letters: Vec<char> = texts.filter(|text| text.is_alphabetic()).collect();
    let right = letters
        .iter()
        .filter(|text| bidi::is_right_to_left(**text))
        .count();
    let left = letters.len() - right;
    match is_mirrored {
        true => right * PART > left || end_at_left(lines),
        false => right > left,
    }
}

/// Whether lines of a mirrored page have signs at their left end alone: they are in a right-to-left paragraph.
fn end_at_left(lines: &[&Line]) -> bool {
    let center = |glyph: &&Glyph| glyph.bounds.center().0;
    let by_place = |one: &&Glyph, other: &&Glyph| center(one).total_cmp(&center(other));
    let is_end = |glyph: Option<&Glyph>| glyph.is_some_and(|glyph| ends_sentence(glyph.text));
    let mut lines = lines.iter();
    lines
        .clone()
        .any(|line| is_end(line.glyphs().max_by(by_place)))
        && !lines.any(|line| is_end(line.glyphs().min_by(by_place)))
}

/// Returns the characters of a line with right-to-left text in logical order; combining characters stay with their base.
fn turned_round(line: &Line, from_right: bool) -> Vec<Sign<'_>> {
    let mut clusters: Vec<Vec<&Glyph>> = Vec::new();
    for glyph in line.glyphs() {
        match clusters.last_mut().filter(|_| glyph.is_attached()) {
            Some(cluster) => cluster.push(glyph),
            None => clusters.push(vec![glyph]),
        }
    }
    let center =
        |cluster: &Vec<&Glyph>| cluster.first().map_or(0.0, |glyph| glyph.bounds.center().0);
    clusters.sort_by(|one, other| center(one).total_cmp(&center(other)));
    let mut clusters = with_spaces(clusters, &line.pieces);
    if line.is_mirrored() {
        clusters.reverse();
    }
    let seen: Vec<char> = clusters.iter().map(|(text, _)| *text).collect();
    let order = bidi::read_order(&seen, from_right).into_iter();
    let order = order.filter_map(|(place, text)| Some((text, clusters.get(place)?)));
    order
        .flat_map(|(text, (seen, cluster))| {
            let mut signs: Vec<Sign<'_>> = cluster
                .iter()
                .take(if *seen == ' ' { 1 } else { usize::MAX })
                .map(|glyph| Sign {
                    text: glyph.text,
                    glyph,
                })
                .collect();
            if let [only] = signs.as_mut_slice() {
                only.text = text;
            }
            turn_ligature(&mut signs);
            signs
        })
        .collect()
}

/// Restores the order of the letters of a ligature: PDFium reverses those of right-to-left text, unless it decomposed a
/// single character.
fn turn_ligature(signs: &mut [Sign<'_>]) {
    let is_letter =
        |sign: &Sign<'_>| bidi::is_right_to_left(sign.text) && sign.text.is_alphabetic();
    let is_ordered = || {
        let mut letters = signs.iter().map(|sign| sign.text);
        letters.next() == Some(LAM) && letters.next().is_some_and(|next| ALEFS.contains(&next))
    };
    if signs.iter().all(is_letter) && !is_ordered() {
        signs.reverse();
    }
}

/// Returns clusters by base character, and the spaces between them in the style of the cluster before.
fn with_spaces<'a>(clusters: Vec<Vec<&'a Glyph>>, pieces: &[Piece]) -> Vec<(char, Vec<&'a Glyph>)> {
    let before = std::iter::once(None).chain(pieces.iter().map(Some));
    let starts = pieces.iter().zip(before).map(|(piece, before)| {
        let is_parted = before.is_some_and(|before| before.is_spaced && !before.is_spaced_left);
        let is_close = piece.is_close && !is_parted && !piece.is_spaced_left;
        (piece.bounds.left, is_close)
    });
    let mut all: Vec<(char, Vec<&Glyph>)> = Vec::new();
    let mut starts = starts.peekable();
    for cluster in clusters {
        let Some(first) = cluster.first().copied() else {
            continue;
        };
        let mut begins = false;
        while let Some((_, is_close)) =
            starts.next_if(|(start, _)| *start <= first.bounds.center().0)
        {
            begins |= !is_close;
        }
        if begins && !all.is_empty() {
            all.push((' ', vec![first]));
        }
        all.push((first.text, cluster));
    }
    all
}

/// Returns the letters before the hyphen at the end of a text.
fn divided(signs: &[Sign<'_>]) -> Vec<char> {
    let before = signs.iter().rev().skip(1).map(|sign| sign.text);
    let mut begin: Vec<char> = before.take_while(|text| text.is_alphabetic()).collect();
    begin.reverse();
    begin
}

fn is_dash(text: char) -> bool {
    matches!(text, '—' | '–')
}

/// Whether a character may end a sentence or a clause.
pub(in crate::analysis) fn ends_sentence(text: char) -> bool {
    matches!(
        text,
        '.' | ',' | ';' | ':' | '…' | '。' | '、' | '؛' | '،' | '۔' | '؟' | '?' | '!'
    )
}

/// Whether a character belongs to a script without spaces between words.
pub(in crate::analysis) fn is_ideographic(text: char) -> bool {
    matches!(text, '\u{2e80}'..='\u{312f}' | '\u{3190}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{ff00}'..='\u{ffef}' | '\u{20000}'..='\u{3ffff}')
}
