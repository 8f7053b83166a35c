//! Clause numbers such as `1.1`, whose distance from the text looks like a gap between columns.

use crate::analysis::blocks::group::marker_of;
use crate::analysis::glyphs::bidi;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::marker::{self, Marker};
use crate::analysis::regions::atom::Atom;
use crate::analysis::survey::headers_footers::rows;

/// Maximum space between number and text, as a fraction of the font size.
const WIDEST: f32 = 5.0;
/// Tolerance for the start of the texts of clauses, points.
const ALIKE: f32 = 1.5;
/// Maximum line pitch within a clause, as a fraction of the font size.
const STEP: f32 = 2.0;
/// Maximum number of rows of a page that are examined: each is compared with the others.
const ROWS: usize = 2_000;
/// Minimum number of words of a line that wraps.
const WORDS: usize = 4;

/// Merges each clause number with the line next to it.
pub(in crate::analysis) fn whole(atoms: Vec<Atom>) -> Vec<Atom> {
    let mut lines = atoms.iter().filter_map(Atom::line);
    if !lines.any(|line| number(line).is_some_and(|number| number.contains('.'))) {
        return atoms;
    }
    let mut lines = Vec::new();
    let mut others = Vec::new();
    for atom in atoms {
        match atom {
            Atom::Line(line) if !line.is_turned() => lines.push(line),
            other => others.push(other),
        }
    }
    let rows = rows(lines);
    let clauses = match rows.len() > ROWS {
        true => vec![false; rows.len()],
        false => clauses(&rows),
    };
    for (row, is_clause) in rows.into_iter().zip(clauses) {
        match is_clause {
            true => others.extend(Line::joined(row).map(Atom::Line)),
            false => others.extend(row.into_iter().map(Atom::Line)),
        }
    }
    others
}

/// Returns which rows are a number and the text of its clause.
fn clauses(rows: &[Vec<Line>]) -> Vec<bool> {
    let found: Vec<Option<Clause>> = rows.iter().map(|row| Clause::of(row)).collect();
    let mut families: Vec<Vec<usize>> = Vec::new();
    for (index, clause) in found.iter().enumerate() {
        let Some(clause) = clause.as_ref().filter(|clause| clause.depth() > 1) else {
            continue;
        };
        let like = |family: &&mut Vec<usize>| {
            let first = family.first().and_then(|first| found.get(*first));
            first.is_some_and(|first| first.as_ref().is_some_and(|first| first.is_like(clause)))
        };
        match families.iter_mut().find(like) {
            Some(family) => family.push(index),
            None => families.push(vec![index]),
        }
    }
    let mut are_clauses = vec![false; rows.len()];
    for family in families {
        let members: Vec<&Clause> = family
            .iter()
            .filter_map(|index| found.get(*index)?.as_ref())
            .collect();
        if !counts(&members) || !goes_on(rows, &family, &members) || has_head(rows, &family) {
            continue;
        }
        let is_over = |clause: &Clause| members.iter().any(|member| clause.is_over(member));
        for (clause, is_clause) in found.iter().zip(&mut are_clauses) {
            *is_clause |= clause.as_ref().is_some_and(is_over);
        }
        for index in family {
            are_clauses
                .get_mut(index)
                .into_iter()
                .for_each(|is_clause| *is_clause = true);
        }
    }
    are_clauses
}

/// A number, and the start of the number and of its text.
struct Clause {
    number: String,
    left: f32,
    text: f32,
}

impl Clause {
    /// Returns the clause of a row that consists of a number and a text.
    fn of(row: &[Line]) -> Option<Self> {
        let [first, text] = row else { return None };
        let number = number(first)?;
        let gap = text.bounds.left - first.bounds.right;
        let says = || text.glyphs().any(|glyph| glyph.text.is_alphabetic());
        let from_right = || bidi::is_mostly_from_right(text.glyphs());
        (gap < text.size * WIDEST && says() && !from_right()).then_some(Self {
            number,
            left: first.bounds.left,
            text: text.bounds.left,
        })
    }

    /// Returns the number of components.
    fn depth(&self) -> usize {
        self.number.split('.').count()
    }

    fn is_like(&self, other: &Self) -> bool {
        self.depth() == other.depth()
            && (self.left - other.left).abs() < ALIKE
            && (self.text - other.text).abs() < ALIKE
    }

    fn follows(&self, before: &Self) -> bool {
        let marker = |clause: &Self| marker::clause(&clause.number);
        marker(self)
            .zip(marker(before))
            .is_some_and(|(marker, before)| marker.follows(before))
    }

    /// Whether it is the parent clause of another one with the same text start.
    fn is_over(&self, part: &Self) -> bool {
        let rest = part.number.strip_prefix(&self.number);
        rest.is_some_and(|rest| rest.starts_with('.')) && (part.left - self.text).abs() < ALIKE
    }
}

/// Returns the number if a line consists of nothing else.
fn number(line: &Line) -> Option<String> {
    match line.pieces.as_slice() {
        [only] if only.glyphs.len() <= 12 => {
            let text = only.text();
            marker::clause(&text).map(|_| text)
        }
        _ => None,
    }
}

/// Whether most numbers are the first of a sequence or the successor of the one before.
fn counts(members: &[&Clause]) -> bool {
    let pairs = members.iter().zip(members.iter().skip(1));
    let next = pairs.filter(|(before, clause)| {
        let is_first = marker::clause(&clause.number).is_some_and(Marker::is_first);
        clause.follows(before) || is_first
    });
    next.count() * 4 >= (members.len() - 1) * 3
}

/// Whether a text has more lines, or list items begin where it does.
fn goes_on(rows: &[Vec<Line>], family: &[usize], members: &[&Clause]) -> bool {
    let Some(text) = members.first().map(|clause| clause.text) else {
        return false;
    };
    let begins = |line: &Line| (line.bounds.left - text).abs() < ALIKE;
    let has_more = |index: &usize| {
        let above = rows.get(*index).and_then(|row| row.last());
        let below = rows.get(index + 1).map(Vec::as_slice);
        let (Some(above), Some([below, ..])) = (above, below) else {
            return false;
        };
        let is_near = below.baseline - above.baseline < above.size * STEP;
        let words = above.pieces.iter().filter(|piece| !piece.is_close).count();
        let is_rest =
            is_near && words >= WORDS && rows.get(index + 1).is_some_and(|row| row.len() == 1);
        begins(below) && (is_rest || marker_of(below).is_some())
    };
    family.iter().any(has_more)
}

/// Whether there are column headers above the first number and its text.
fn has_head(rows: &[Vec<Line>], family: &[usize]) -> bool {
    let first = family.first().copied();
    let row = first.and_then(|first| rows.get(first)).map(Vec::as_slice);
    let above = first.and_then(|first| rows.get(first.checked_sub(1)?));
    let (Some([number, text]), Some([one, other])) = (row, above.map(Vec::as_slice)) else {
        return false;
    };
    let is_over =
        |above: &Line, below: &Line| (above.bounds.left - below.bounds.left).abs() < ALIKE;
    is_over(one, number) && is_over(other, text) && self::number(one).is_none()
}
