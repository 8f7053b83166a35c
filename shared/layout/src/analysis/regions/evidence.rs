//! Features of bands with common gaps, from which the readings of their area are scored.

use crate::analysis::candidates::weights::{Feature, ratio};
use crate::analysis::lines::entry::{self, Entry};
use crate::analysis::lines::line::Line;
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::band::{Band, Span, column};
use crate::analysis::regions::contents;
use crate::analysis::regions::step::Step;

/// Tolerance for one baseline, points.
const LEVEL: f32 = 1.5;
/// Minimum relative difference of font sizes.
const UNLIKE: f32 = 0.1;
/// Maximum difference of baselines in one row, as a fraction of the font size.
const STAGGERED: f32 = 0.2;
/// Number of characters of a long line, and number of rows that are many.
const LONG: f32 = 40.0;
const MANY: f32 = 50.0;

/// Returns the features of a run of bands with these gaps.
pub(in crate::analysis) fn features(run: &[Band], gaps: &[Span], from_right: bool) -> Vec<Feature> {
    let columns = columns(run, gaps);
    let all = || columns.iter().flatten();
    let joint = || run.iter().filter(|band| band.columns(gaps).len() > 1);
    let steps = steps(&columns, from_right);
    let runs = |(running, counted): &(usize, usize)| running * 8 > (counted + 1) * 5;
    let atoms = run.iter().flat_map(|band| &band.atoms);
    vec![
        ("long", long(&columns)),
        ("ran", log(steps.iter().map(|(running, _)| running).sum())),
        ("each", ratio(usize::from(steps.iter().all(runs)), 1)),
        ("staggered", share(joint(), is_staggered)),
        ("pictures", share(atoms, |atom| atom.line().is_none())),
        ("numeric", share(all(), |part| !part.has_letters())),
        ("mixed", mixed(&columns)),
        ("rows", log(joint().count())),
        ("paged", contents::paged(run, gaps, from_right)),
        ("continued", ratio(are_continued(&columns).into(), 1)),
    ]
}

/// Whether the columns are those of an index or of contents, whose entries go on in the next column.
fn are_continued(columns: &[Vec<Part<'_>>]) -> bool {
    let columns = columns
        .iter()
        .map(|column| column.iter().map(Part::entry).collect());
    entry::go_on(&columns.collect::<Vec<_>>())
}

/// Returns the gaps between pairs of columns, if the second column of each pair has the numbers of the entries in the first one,
/// and the entries go on in the next pair.
pub(in crate::analysis) fn between_entries(run: &[Band], gaps: &[Span]) -> Option<Vec<Span>> {
    let columns = columns(run, gaps);
    let are_numbers = |column: &Vec<Part<'_>>| {
        let written = column.iter().filter(|part| part.has_letters()).count();
        written * 8 <= column.len()
    };
    let mut pairs = columns.chunks(2);
    let are_pairs = pairs.all(|pair| match pair {
        [text, numbers] => !are_numbers(text) && are_numbers(numbers),
        _ => false,
    });
    let outer: Vec<Span> = gaps.iter().skip(1).step_by(2).copied().collect();
    (are_pairs && are_continued(&self::columns(run, &outer))).then_some(outer)
}

/// Lines of a column on one baseline.
struct Part<'a> {
    lines: Vec<&'a Line>,
    left: f32,
    right: f32,
    baseline: f32,
}

impl Part<'_> {
    fn characters(&self) -> usize {
        self.lines.iter().map(|line| line.glyphs().count()).sum()
    }

    fn entry(&self) -> Entry {
        let glyphs = self.lines.iter().flat_map(|line| &line.pieces);
        let texts: Vec<char> = glyphs
            .flat_map(|piece| piece.glyphs.iter().map(|glyph| glyph.text))
            .collect();
        Entry::of(texts.iter().copied(), self.left)
    }

    fn has_letters(&self) -> bool {
        let mut glyphs = self.lines.iter().flat_map(|line| line.glyphs());
        glyphs.any(|glyph| glyph.text.is_alphabetic())
    }
}

/// Returns the parts of each column from top to bottom.
fn columns<'a>(run: &'a [Band], gaps: &[Span]) -> Vec<Vec<Part<'a>>> {
    let mut columns: Vec<Vec<Part<'a>>> = Vec::new();
    columns.resize_with(gaps.len() + 1, Vec::new);
    let lines = run
        .iter()
        .flat_map(|band| &band.atoms)
        .filter_map(Atom::line);
    for line in lines {
        if let Some(column) = columns.get_mut(column(&line.bounds, gaps)) {
            column.push(Part {
                lines: vec![line],
                left: line.bounds.left,
                right: line.bounds.right,
                baseline: line.baseline,
            });
        }
    }
    for column in &mut columns {
        column.sort_by(|one, other| one.baseline.total_cmp(&other.baseline));
        column.dedup_by(|next, before| {
            let is_one = next.baseline - before.baseline < LEVEL;
            if is_one {
                before.lines.append(&mut next.lines);
                before.left = before.left.min(next.left);
                before.right = before.right.max(next.right);
            }
            is_one
        });
    }
    columns
}

/// Returns the mean length of the lines of the column with the shortest ones.
fn long(columns: &[Vec<Part<'_>>]) -> f32 {
    let lengths = columns.iter().map(|column| {
        let all: usize = column.iter().map(Part::characters).sum();
        ratio(all, column.len()) / LONG
    });
    lengths.fold(1.0, f32::min)
}

/// Whether the lines of a band have different baselines, unlike those of rows.
fn is_staggered(band: &Band) -> bool {
    let lines = || band.atoms.iter().filter_map(Atom::line);
    let places = || lines().map(|line| line.baseline);
    let apart = places().fold(f32::NEG_INFINITY, f32::max) - places().fold(f32::INFINITY, f32::min);
    apart > lines().map(|line| line.size).fold(0.0, f32::max) * STAGGERED
}

/// Returns for each column the number of lines at which text certainly continues, and of those at which it certainly
/// continues or begins.
fn steps(columns: &[Vec<Part<'_>>], from_right: bool) -> Vec<(usize, usize)> {
    let mut steps = Vec::new();
    for column in columns {
        let (mut running, mut counted) = (0, 0);
        let start = column
            .iter()
            .map(|part| part.left)
            .fold(f32::INFINITY, f32::min);
        let end = column.iter().map(|part| part.right).fold(0.0, f32::max);
        for pair in column.windows(2) {
            let [above, line] = pair else { continue };
            let ends = match from_right {
                false => (above.lines.last(), line.lines.first()),
                true => (above.lines.first(), line.lines.last()),
            };
            if let (Some(above), Some(line)) = ends {
                let step = Step {
                    above,
                    line,
                    start,
                    end,
                };
                let goes_on = step.goes_on();
                running += usize::from(goes_on);
                counted += usize::from(goes_on || step.begins());
            }
        }
        steps.push((running, counted));
    }
    steps
}

/// Returns the share of lines that are larger or smaller than the median line, as titles of cards are.
fn mixed(columns: &[Vec<Part<'_>>]) -> f32 {
    let sizes = columns
        .iter()
        .flatten()
        .filter_map(|part| Some(part.lines.first()?.size));
    let mut sizes: Vec<f32> = sizes.collect();
    sizes.sort_by(f32::total_cmp);
    let usual = sizes.get(sizes.len() / 2).copied().unwrap_or_default();
    share(sizes.iter(), |size| (*size - usual).abs() > usual * UNLIKE)
}

fn log(number: usize) -> f32 {
    (ratio(number, 1).ln_1p() / MANY.ln()).min(1.0)
}

fn share<T>(all: impl Iterator<Item = T>, is: impl Fn(T) -> bool) -> f32 {
    let (part, all) = all.fold((0, 0), |(part, all), item| {
        (part + usize::from(is(item)), all + 1)
    });
    ratio(part, all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn features_of_empty_bands_are_numbers_from_0_to_1() {
        let bands = [Band::new(Vec::new(), 0.0, 10.0)];
        for run in [&bands[..], &[]] {
            let features = features(run, &[(10.0, 20.0)], false);
            assert!(
                features
                    .iter()
                    .all(|(_, value)| (0.0..=1.0).contains(value))
            );
        }
    }
}
