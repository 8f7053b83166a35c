//! Reading order by recursive XY-cut: bands that share vertical gaps become columns or borderless tables; spanning content is
//! read before and after them.

use super::atom::Atom;
use super::band::{Band, Span, bands, column};
use super::kind::{Kind, kind, table_end};
use super::{apart, clauses, early, flow, justified, sparse, uneven, unruled};
use crate::model::geometry::Rect;

/// Maximum nesting depth of columns.
const DEPTH: u8 = 6;
/// Minimum gap between columns (gutter), as a fraction of the font size.
const GUTTER: f32 = 0.9;
/// Minimum number of rows below a header that spans several columns.
const ROWS: usize = 3;
/// Maximum number of bands that are examined together.
const BANDS: usize = 2_000;

/// Content that is read from top to bottom.
#[derive(Debug)]
pub(super) struct Region {
    /// Atoms; those on one baseline are merged to a line.
    pub(super) atoms: Vec<Atom>,
    /// Bounding box.
    pub(super) bounds: Rect,
    /// Whether it covers only a part of the page width.
    pub(super) is_column: bool,
}

/// Options of reading order.
#[derive(Clone, Copy)]
pub(super) struct Order<'a> {
    /// Most frequent font size, points.
    pub(super) size: f32,
    /// Whether columns are read from right to left.
    pub(super) from_right: bool,
    /// Converts bands with column gaps to a table; `None` if tables are not detected.
    pub(super) table: Option<&'a dyn Fn(unruled::Found) -> Option<Atom>>,
}

impl Order<'_> {
    /// Returns the content of a page in reading order.
    pub(super) fn regions(&self, atoms: Vec<Atom>) -> Vec<Region> {
        let mut regions = Vec::new();
        self.read(justified::whole(atoms), DEPTH, &mut regions);
        regions
    }

    fn read(&self, atoms: Vec<Atom>, depth: u8, regions: &mut Vec<Region>) {
        let mut flow: Vec<Atom> = Vec::new();
        let mut bands = bands(clauses::whole(atoms));
        let measure = justified::measure(&bands);
        // Reversed, so that the next band is removed from the end without moving the others.
        bands.reverse();
        while let Some(band) = bands.pop() {
            let least = self.size * GUTTER;
            let gaps = band.gaps(least);
            if gaps.is_empty() || depth == 0 {
                flow.extend(side_by_side(band, self.size));
                continue;
            }
            let (run, gaps) = self.with_head(self.gather(band, gaps, &mut bands), &mut bands);
            let open = Open {
                flow: &mut flow,
                regions,
                rest: &mut bands,
                measure,
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
            let next = apart::parted(next, &gaps, least);
            let free = next.free(&gaps, least);
            let free = still_parting(&run, free);
            if free.is_empty() || loses(gaps.len(), &free, &next, least) {
                bands.push(next);
                break;
            }
            gaps = free;
            run.push(next);
        }
        (run, gaps)
    }

    /// Moves the start of a table up to its header if that spans several columns and hides the gaps between them.
    fn with_head(
        &self,
        (mut run, gaps): (Vec<Band>, Vec<Span>),
        bands: &mut Vec<Band>,
    ) -> (Vec<Band>, Vec<Span>) {
        let own = match run.get(1) {
            Some(second) => second.gaps(self.size * GUTTER),
            None => return (run, gaps),
        };
        if own.len() <= gaps.len() || self.table.is_none() {
            return (run, gaps);
        }
        let before = run.len();
        bands.extend(run.drain(1..).rev());
        let Some(second) = bands.pop() else {
            return (run, gaps);
        };
        let (below, narrow) = self.gather(second, own, bands);
        if below.len() >= ROWS
            && narrow.len() > gaps.len()
            && kind(&below, &narrow, self.size) == Kind::Table
        {
            run.extend(below);
            return (run, narrow);
        }
        bands.extend(below.into_iter().rev());
        for _ in 1..before {
            run.extend(bands.pop());
        }
        (run, gaps)
    }

    /// Reads a run of bands with common gaps; bands that do not belong to it are put back.
    fn run(&self, mut run: Vec<Band>, gaps: &[Span], depth: u8, open: Open<'_>) {
        let Open {
            flow,
            regions,
            rest,
            measure,
        } = open;
        let is_justified = flow::is_justified(&run, measure, flow.last(), rest.last())
            || justified::are_pairs(&run);
        let centered = || uneven::centered::starts(&run, gaps, self.size);
        let centered = self
            .table
            .filter(|_| !is_justified)
            .and_then(|_| centered());
        let kind = match is_justified {
            true => Kind::Rows,
            false => kind(&run, gaps, self.size),
        };
        let is_split = matches!(kind, Kind::Columns | Kind::Flow);
        let kind = match is_split && sparse::are_notes(&run, gaps, self.from_right) {
            true => Kind::Rows,
            false => kind,
        };
        match kind {
            _ if let Some((table, starts)) = self.table.zip(centered) => {
                let gaps = unruled::gaps(&run, gaps);
                flow.extend(table(unruled::Found {
                    bands: run,
                    gaps,
                    starts: Some(starts),
                }));
            }
            Kind::Table if let Some(table) = self.table => {
                let end = table_end(&run, gaps, self.size);
                rest.extend(run.split_off(end).into_iter().rev());
                let gaps = unruled::gaps(&run, gaps);
                flow.extend(table(unruled::Found {
                    bands: run,
                    gaps,
                    starts: None,
                }));
            }
            Kind::Columns | Kind::Rows
                if let Some((table, starts)) =
                    self.table.zip(uneven::starts(&run, gaps, self.size)) =>
            {
                let gaps = unruled::gaps(&run, gaps);
                flow.extend(table(unruled::Found {
                    bands: run,
                    gaps,
                    starts: Some(starts),
                }));
            }
            Kind::Columns | Kind::Flow => {
                let first = if self.from_right { gaps.len() } else { 0 };
                let early = early::taken(flow, &run, gaps, first);
                regions.extend(region(std::mem::take(flow), depth < DEPTH));
                for atoms in self.columns(early, run, gaps) {
                    self.read(atoms, depth - 1, regions);
                }
            }
            Kind::Table | Kind::Rows => {
                // Only the first band is certainly a row; the others are examined again.
                rest.extend(run.split_off(1).into_iter().rev());
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
    /// Left and right edge of its full lines.
    measure: Option<Span>,
}

/// Whether adding the next band would lose too many gaps, because it spans some of them or has another layout.
fn loses(before: usize, free: &[Span], next: &Band, least: f32) -> bool {
    let is_solid = next.gaps(least).is_empty();
    free.len() < before && is_solid || free.len() * 2 < before
}

/// Returns the gaps that have content of the run on both sides.
fn still_parting(run: &[Band], gaps: Vec<Span>) -> Vec<Span> {
    let left = run
        .iter()
        .filter_map(|band| band.taken.first())
        .map(|span| span.0)
        .fold(f32::INFINITY, f32::min);
    let right = run
        .iter()
        .filter_map(|band| band.taken.last())
        .map(|span| span.1)
        .fold(0.0, f32::max);
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
    let rows = super::edges::rows(lines).into_iter();
    let rows = rows.filter_map(super::line::Line::joined);
    others.extend(rows.map(Atom::Line));
    // Atoms that begin at about the same height are read from left to right.
    others.sort_by(|one, other| {
        let place = |atom: &Atom| ((atom.top() / size.max(1.0)).floor(), atom.bounds().left);
        let (one, other) = (place(one), place(other));
        one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1))
    });
    others
}
