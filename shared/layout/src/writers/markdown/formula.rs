//! Finds formulas in a text: sequences of variables, numbers and signs with superscripts or subscripts, each with exactly one
//! notation in LaTeX. They end at words, punctuation and text with other formatting.

mod latex;
mod signs;

use std::borrow::Cow;

use self::signs::{Kind, Sign, signs};
use crate::writers::notes::Notes;
use crate::{Run, Script};

/// A part of a text.
pub(super) enum Part<'r> {
    Run(Cow<'r, Run>),
    /// LaTeX.
    Formula(String),
}

impl<'r> From<&'r Run> for Part<'r> {
    fn from(run: &'r Run) -> Self {
        Self::Run(Cow::Borrowed(run))
    }
}

/// The index of a run and a position in its text, bytes.
type Position = (usize, usize);

/// Splits runs into formulas and other text.
pub(super) fn parts<'r>(runs: &'r [Run], notes: &Notes) -> Vec<Part<'r>> {
    let mut parts = Vec::new();
    let mut from = (0, 0);
    for (latex, start, end) in formulas(runs, notes) {
        parts.extend(between(runs, from, start));
        parts.push(Part::Formula(latex));
        from = end;
    }
    parts.extend(between(runs, from, (runs.len(), 0)));
    parts
}

/// Returns the runs between two positions.
fn between(runs: &[Run], start: Position, end: Position) -> impl Iterator<Item = Part<'_>> {
    let runs = runs.iter().enumerate().take(end.0 + 1).skip(start.0);
    runs.map(move |(index, run)| {
        let from = if index == start.0 { start.1 } else { 0 };
        let to = if index == end.0 {
            end.1
        } else {
            run.text.len()
        };
        let text = run.text.get(from..to).unwrap_or_default();
        if text.len() == run.text.len() {
            return Part::from(run);
        }
        Part::Run(Cow::Owned(Run {
            text: text.to_owned(),
            style: run.style.clone(),
            link: run.link.clone(),
        }))
    })
}

/// Signs after which a formula continues, so that only a part of it would be LaTeX.
const CONTINUATIONS: &str = "=≠<>≤≥≈≡+−±×·∈∉⊂→↦";
/// Signs that may be far from their operands, because they are large.
const LARGE: [char; 4] = ['√', '∑', '∏', '∫'];

/// Returns the LaTeX of each formula and the positions of its ends.
fn formulas(runs: &[Run], notes: &Notes) -> Vec<(String, Position, Position)> {
    let has_script = runs.iter().any(|run| run.style.script != Script::None);
    let is_displaced = || runs.iter().any(|run| run.text.contains(LARGE));
    if !has_script || is_displaced() {
        return Vec::new();
    }
    let signs = signs(runs, notes);
    let mut formulas = Vec::new();
    let mut end = 0;
    for sequence in
        signs.chunk_by(|one, other| (one.kind == Kind::Text) == (other.kind == Kind::Text))
    {
        let start = end;
        end += sequence.len();
        let is_unknown = |sign: &Sign| matches!(sign.kind, Kind::Text | Kind::Unknown);
        if sequence.iter().any(is_unknown) {
            continue;
        }
        let before = start.checked_sub(1).and_then(|at| signs.get(at));
        let formula = trimmed(sequence, before);
        let [first, .., last] = formula else { continue };
        let begins = sequence
            .first()
            .is_some_and(|sign| std::ptr::eq(sign, first));
        let ends = sequence.last().is_some_and(|sign| std::ptr::eq(sign, last));
        let (before, after) = (before.filter(|_| begins), signs.get(end).filter(|_| ends));
        if before.is_some_and(touches) || after.is_some_and(touches) {
            continue;
        }
        let place = sequence.iter().rposition(|sign| std::ptr::eq(sign, last));
        let rest = signs.get(start + place.unwrap_or_default() + 1..);
        if goes_on(rest.unwrap_or_default()) {
            continue;
        }
        if let Some(latex) = latex(formula) {
            let end = (last.run, last.at + last.character.len_utf8());
            formulas.push((latex, (first.run, first.at), end));
        }
    }
    formulas
}

/// Whether a formula continues after its last sign: with an operator, or with a bracket before another sign of a formula.
fn goes_on(rest: &[Sign]) -> bool {
    let mut rest = rest.iter().filter(|sign| sign.kind != Kind::Space);
    let next = rest.next().map(|sign| sign.character);
    let is_bracket = next.is_some_and(|next| "([{".contains(next));
    next.is_some_and(|next| CONTINUATIONS.contains(next))
        || is_bracket && rest.next().is_some_and(|sign| sign.kind != Kind::Text)
}

/// Whether readers take no dollar next to a character for the end of a formula, or the formula may continue there.
fn touches(sign: &Sign) -> bool {
    sign.script != Script::None
        || sign.character.is_alphanumeric()
        || "$\\".contains(sign.character)
}

/// Returns a sequence without spaces and operators at its ends, except for a sign. Nothing is certain before a slash.
fn trimmed<'s>(mut sequence: &'s [Sign], before: Option<&Sign>) -> &'s [Sign] {
    let mut is_apart = before.is_none_or(|sign| sign.character.is_whitespace());
    while let [first, rest @ ..] = sequence {
        let is_operator = first.kind == Kind::Operator && first.script == Script::None;
        let is_sign = is_operator && is_apart && "+-−±∓∂∇∀∃".contains(first.character);
        let has_operand = rest.first().is_some_and(|next| next.kind != Kind::Space);
        if first.kind != Kind::Space && (!is_operator || is_sign && has_operand) {
            break;
        }
        is_apart = first.kind == Kind::Space;
        sequence = rest;
    }
    while let [rest @ .., last] = sequence {
        let is_operator = last.kind == Kind::Operator && last.script == Script::None;
        if last.kind != Kind::Space && !is_operator {
            break;
        }
        sequence = if last.character == '/' { &[] } else { rest };
    }
    sequence
}

/// Whether signs have one size, unlike those of several levels.
fn are_even<'s>(signs: impl IntoIterator<Item = &'s Sign>) -> bool {
    let signs = signs.into_iter().filter(|sign| sign.kind != Kind::Space);
    let (mut least, mut most) = (f32::MAX, 0.0_f32);
    for sign in signs {
        (least, most) = (least.min(sign.size), most.max(sign.size));
    }
    most <= least * SIZES
}

/// Largest ratio of font sizes on one level.
const SIZES: f32 = 1.15;

/// Returns the LaTeX of a sequence, if a variable or bracket has a superscript or subscript and all others have a base.
fn latex(signs: &[Sign]) -> Option<String> {
    if !are_even(signs.iter().filter(|sign| sign.script == Script::None)) {
        return None;
    }
    let is_variable = |sign: &&Sign| sign.kind == Kind::Variable && sign.script == Script::None;
    let has_italic = signs.iter().filter(is_variable).any(|sign| sign.is_italic);
    let mut latex = String::new();
    let (mut is_certain, mut bars) = (false, 0);
    // The base of scripts, and the number of those that it has.
    let (mut base, mut scripts) = (Kind::Space, 0);
    for group in signs.chunk_by(|one, other| one.script == other.script) {
        let mark = match group.first()?.script {
            Script::None => {
                for sign in group {
                    push(&mut latex, &latex_of(sign)?);
                    bars += usize::from(sign.kind == Kind::Bar);
                }
                base = group.last()?.kind;
                scripts = 0;
                continue;
            }
            Script::Super => '^',
            Script::Sub => '_',
        };
        scripts += 1;
        let has_base = match base {
            Kind::Variable | Kind::Close | Kind::Number => true,
            Kind::Bar => bars % 2 == 0,
            _ => false,
        };
        if !has_base || scripts > 2 {
            return None;
        }
        is_certain |= matches!(base, Kind::Variable | Kind::Close);
        latex.push(mark);
        latex.push_str(&script(group, has_italic)?);
    }
    let latex = latex.replace("\\cdot \\cdot \\cdot", "\\cdots");
    let has_variable = signs.iter().any(|sign| is_variable(&sign));
    (is_certain && has_variable).then_some(latex)
}

/// Returns the LaTeX of a superscript or subscript, without braces around a single sign. Upright letters are a name, if the font of
/// variables is known to be italic; otherwise one letter is a variable.
fn script(signs: &[Sign], has_italic: bool) -> Option<String> {
    let is_upright = |sign: &Sign| !sign.is_italic && sign.character.is_ascii_alphabetic();
    let is_name = |sign: &Sign| has_italic && is_upright(sign);
    let is_unclear = |pair: &[Sign]| !has_italic && pair.iter().all(is_upright);
    if signs.windows(2).any(is_unclear) || !are_even(signs) {
        return None;
    }
    let mut latex = String::new();
    for part in signs.chunk_by(|one, other| is_name(one) == is_name(other)) {
        if part.first().is_some_and(is_name) {
            let name: String = part.iter().map(|sign| sign.character).collect();
            push(&mut latex, &format!("\\mathrm{{{name}}}"));
            continue;
        }
        for sign in part {
            push(&mut latex, &latex_of(sign)?);
        }
    }
    let is_single = signs.len() == 1 && !latex.ends_with(['}', ' ']);
    Some(match is_single {
        true => latex,
        false => format!("{{{latex}}}"),
    })
}

fn latex_of(sign: &Sign) -> Option<String> {
    match sign.kind {
        Kind::Space => Some(" ".to_owned()),
        _ => latex::of(sign.character),
    }
}

/// Appends the LaTeX of a sign: a space ends a command before a letter, and keeps brackets from becoming a link.
fn push(latex: &mut String, sign: &str) {
    let (_, command) = latex.rsplit_once('\\').unwrap_or_default();
    let is_open = !command.is_empty() && command.chars().all(|letter| letter.is_ascii_alphabetic());
    let is_letter = sign.starts_with(|letter: char| letter.is_ascii_alphabetic());
    let is_link = latex.ends_with(']') && sign.starts_with(['(', '[']);
    if is_open && is_letter || is_link {
        latex.push(' ');
    }
    let sign = match latex.is_empty() || latex.ends_with(' ') {
        true => sign.trim_start_matches(' '),
        false => sign,
    };
    latex.push_str(sign);
}
