//! Reading order by recursive XY-cut: bands that share vertical gaps are read as columns or as lines; spanning content is read
//! before and after them.

use crate::analysis::candidates::candidate::{Kind, Trace};
use crate::analysis::regions::atom::Atom;
use crate::analysis::regions::band::{Band, Span, bands, column};
use crate::analysis::regions::clause_numbers;
use crate::analysis::regions::column_tops;
use crate::analysis::regions::extent;
use crate::analysis::regions::gutter;
use crate::analysis::regions::justified;
use crate::analysis::regions::known_gutters::KnownGutters;
use crate::analysis::regions::line_end_numbers;
use crate::analysis::regions::reading;
use crate::model::geometry::Rect;

/// Maximum nesting depth of columns.
const DEPTH: u8 = 6;
/// Minimum gap between columns (gutter), as a fraction of the font size.
const GUTTER: f32 = 0.5;
/// Part of a run of lines that is certain.
const LINES: usize = 16;
/// Maximum number of bands that are examined together.
const BANDS: usize = 2_000;

/// Content that is read from top to bottom.
#[derive(Debug)]
pub(in crate::analysis) struct Region {
    /// Atoms; those on one baseline are merged to a line.
    pub(in crate::analysis) atoms: Vec<Atom>,
    /// Bounding box.
    pub(in crate::analysis) bounds: Rect,
    /// Whether it covers only a part of the page width.
    pub(in crate::analysis) is_column: bool,
    /// Whether each line is an entry of contents.
    pub(in crate::analysis) is_contents: bool,
}

/// Options of reading order.
#[derive(Clone, Copy)]
pub(in crate::analysis) struct Order<'a> {
    /// Most frequent font size, points.
    pub(in crate::analysis) size: f32,
    /// Whether columns are read from right to left.
    pub(in crate::analysis) from_right: bool,
    /// Gutters of columns that were read before.
    pub(in crate::analysis) known: &'a KnownGutters,
    /// Collects the readings of areas.
    pub(in crate::analysis) trace: &'a Trace,
}

impl Order<'_> {
    /// Returns the content of a page in reading order.
    pub(in crate::analysis) fn regions(&self, atoms: Vec<Atom>) -> Vec<Region> {
        let mut regions = Vec::new();
        let atoms = gutter::parted(atoms, self.from_right);
        self.read(justified::whole(atoms), DEPTH, &mut regions);
        regions
    }

    fn read(&self, atoms: Vec<Atom>, depth: u8, regions: &mut Vec<Region>) {
        let mut flow: Vec<Atom> = Vec::new();
        let mut bands = bands(clause_numbers::whole(atoms));
        // Reversed, so that the next band is removed from the end without moving the others.
        bands.reverse();
        while let Some(band) = bands.pop() {
            let least = self.size * GUTTER;
            let gaps = band.gaps(least);
            if gaps.is_empty() || depth == 0 {
                flow.extend(side_by_side(band, self.size));
                continue;
            }
            let (run, gaps) = self.gather(band, gaps, &mut bands);
            let open = Open {
                flow: &mut flow,
                regions,
                rest: &mut bands,
            };
            self.run(run, &gaps, depth, open);
        }
        regions.extend(region(flow, depth < DEPTH));
    }

    /// Returns the next bands that share gaps with the first one, and these gaps.
    fn gather(
        &self,
        first: Band,
        mut gaps: Vec<Span>,
        bands: &mut Vec<Band>,
    ) -> (Vec<Band>, Vec<Span>) {
        let least = self.size * GUTTER;
        let mut run = vec![first];
        while run.len() < BANDS
            && let Some(next) = bands.pop()
        {
            let next = line_end_numbers::parted(next, &gaps, least);
            let free = next.free(&gaps, least);
            let mut free = still_parting(&run, free);
            if free.is_empty() || loses(gaps.len(), &free, &next, least) {
                bands.push(next);
                break;
            }
            free.extend(beyond(&run, &next, least));
            free.sort_by(|one, other| one.0.total_cmp(&other.0));
            gaps = free;
            run.push(next);
        }
        (run, gaps)
    }

    /// Reads a run of bands with common gaps; bands that do not belong to it are put back.
    fn run(&self, mut run: Vec<Band>, gaps: &[Span], depth: u8, open: Open<'_>) {
        let Open {
            flow,
            regions,
            rest,
        } = open;
        match reading::best(&run, gaps, self.from_right, self.known, self.trace) {
            Some((Kind::Contents, _)) => {
                regions.extend(region(std::mem::take(flow), depth < DEPTH));
                let rows = run
                    .into_iter()
                    .flat_map(|band| side_by_side(band, self.size));
                let contents = region(rows.collect(), depth < DEPTH);
                regions.extend(contents.map(|region| Region {
                    is_contents: true,
                    ..region
                }));
            }
            Some((Kind::Columns, gaps)) => {
                let gaps = gaps.as_slice();
                if !rest.is_empty() {
                    let end = extent::of_columns(&run, gaps, self.size);
                    rest.extend(run.split_off(end).into_iter().rev());
                }
                self.known.note(gaps);
                let first = if self.from_right { gaps.len() } else { 0 };
                if let Some(title) = extent::title(&run, gaps, first) {
                    rest.extend(run.split_off(title).into_iter().rev());
                }
                let early = column_tops::taken(flow, &run, gaps, first);
                regions.extend(region(std::mem::take(flow), depth < DEPTH));
                for atoms in self.columns(early, run, gaps) {
                    self.read(atoms, depth - 1, regions);
                }
            }
            _ => {
                // Only the first bands are certainly lines; the others are examined again.
                let first = (run.len() / LINES).max(1);
                rest.extend(run.split_off(first).into_iter().rev());
                flow.extend(
                    run.into_iter()
                        .flat_map(|band| side_by_side(band, self.size)),
                );
            }
        }
    }

    /// Returns the content of each column, in reading order.
    fn columns(&self, early: Vec<Atom>, run: Vec<Band>, gaps: &[Span]) -> Vec<Vec<Atom>> {
        let mut columns: Vec<Vec<Atom>> = Vec::new();
        columns.resize_with(gaps.len() + 1, Vec::new);
        let run = run.into_iter().flat_map(|band| band.atoms);
        for atom in early.into_iter().chain(run) {
            let column = columns.get_mut(column(&atom.bounds(), gaps));
            column
                .into_iter()
                .for_each(|column| column.push(atom.clone()));
        }
        if self.from_right {
            columns.reverse();
        }
        columns
    }
}

/// The state of reading a part of a page.
struct Open<'a> {
    flow: &'a mut Vec<Atom>,
    regions: &'a mut Vec<Region>,
    /// Remaining bands, the next one last.
    rest: &'a mut Vec<Band>,
}

/// Whether adding the next band would lose too many gaps, because it spans some of them or has another layout.
fn loses(before: usize, free: &[Span], next: &Band, least: f32) -> bool {
    let is_solid = next.gaps(least).is_empty();
    free.len() < before && is_solid || free.len() * 2 < before
}

/// Returns the gaps between the columns of a run and a column that begins below its first bands.
fn beyond(run: &[Band], next: &Band, least: f32) -> Vec<Span> {
    let (left, right) = edges(run);
    let gaps = next.gaps(least).into_iter();
    let gaps = gaps.filter(|(from, to)| *from < left || right < *to);
    let gaps = gaps.map(|(from, to)| match from < left {
        true => (from, to.min(left)),
        false => (from.max(right), to),
    });
    gaps.filter(|(from, to)| to - from >= least).collect()
}

/// Returns the left and right edge of the content of a run.
fn edges(run: &[Band]) -> Span {
    let taken = || run.iter().flat_map(|band| &band.taken);
    let left = taken().map(|span| span.0).fold(f32::INFINITY, f32::min);
    let right = taken().map(|span| span.1).fold(0.0, f32::max);
    (left, right)
}

/// Returns the gaps that have content of the run on both sides.
fn still_parting(run: &[Band], gaps: Vec<Span>) -> Vec<Span> {
    let (left, right) = edges(run);
    gaps.into_iter()
        .filter(|(from, to)| left < *from && *to < right)
        .collect()
}

fn region(atoms: Vec<Atom>, is_column: bool) -> Option<Region> {
    let bounds = Rect::around(atoms.iter().map(Atom::bounds))?;
    Some(Region {
        atoms,
        bounds,
        is_column,
        is_contents: false,
    })
}

/// Returns the atoms of a band from top to bottom; lines on one baseline are merged.
fn side_by_side(band: Band, size: f32) -> Vec<Atom> {
    let mut lines = Vec::new();
    let mut others = Vec::new();
    for atom in band.atoms {
        match atom {
            Atom::Line(line) if !line.is_turned() => lines.push(line),
            other => others.push(other),
        }
    }
    let rows = crate::analysis::survey::headers_footers::rows(lines).into_iter();
    let rows = rows.filter_map(crate::analysis::lines::line::Line::joined);
    others.extend(rows.map(Atom::Line));
    // Atoms that begin at about the same height are read from left to right.
    others.sort_by(|one, other| {
        let place = |atom: &Atom| ((atom.top() / size.max(1.0)).floor(), atom.bounds().left);
        let (one, other) = (place(one), place(other));
        one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
    });
    others
}
