//! Lines across that belong to the same tables: they begin and end alike, or where parts of others do.

use super::across::{Across, JOINTS};

/// The shortest lines that are looked at, and how unlike the ends of lines are that belong together, points.
const SHORTEST: f32 = 50.0;
const UNLIKE: f32 = 3.0;
/// Lines that are nearer to each other are one, points.
const DOUBLE: f32 = 3.0;
/// Most lines, and most bundles of lines, of a page.
const LINES: usize = 2_000;
const BUNDLES: usize = 32;

/// Level lines of the same ends.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) left: f32,
    pub(super) right: f32,
    /// From top to bottom.
    pub(super) lines: Vec<Across>,
    /// Where their parts meet, from left to right.
    pub(super) joints: Vec<f32>,
}

/// The bundles of at least two of these lines, which are from top to bottom; `upright` are the places at which the parts of upright
/// lines meet, by their x.
pub(super) fn bundles(lines: Vec<Across>, upright: &[(f32, Vec<f32>)]) -> Vec<Bundle> {
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut loose: Vec<Across> = Vec::new();
    for line in lines.into_iter().take(LINES) {
        let count = bundles.len();
        let is_short = line.right() - line.left() < SHORTEST;
        match bundles
            .iter_mut()
            .rev()
            .find(|bundle| bundle.is_like(&line))
        {
            _ if line.is_weak || is_short => loose.push(line),
            Some(bundle) => bundle.take(line),
            None if count < BUNDLES => bundles.push(Bundle::of(line)),
            None => {}
        }
    }
    bundles.sort_by(|one, other| other.width().total_cmp(&one.width()));
    for index in 0..bundles.len() {
        let (done, open) = bundles.split_at_mut(index + 1);
        let Some(bundle) = done.last_mut().filter(|bundle| bundle.is_jointed()) else {
            continue;
        };
        for other in open {
            bundle.adopt(&mut other.lines);
        }
        bundle.adopt(&mut loose);
        bundle.part(upright);
    }
    bundles.iter_mut().for_each(Bundle::settle);
    bundles.retain(|bundle| bundle.lines.len() > 1);
    bundles
}

impl Bundle {
    fn of(line: Across) -> Self {
        Self {
            left: line.left(),
            right: line.right(),
            joints: line.joints.clone(),
            lines: vec![line],
        }
    }

    pub(super) fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Whether its lines tell where columns are parted.
    pub(super) fn is_jointed(&self) -> bool {
        (1..=JOINTS).contains(&self.joints.len()) && self.lines.len() > 1
    }

    fn is_like(&self, line: &Across) -> bool {
        let are_like = |one: f32, other: f32| (one - other).abs() <= UNLIKE;
        let within = |some: &[f32], all: &[f32]| some.iter().all(|joint| is_among(all, *joint));
        are_like(self.left, line.left())
            && are_like(self.right, line.right())
            && (within(&self.joints, &line.joints) || within(&line.joints, &self.joints))
    }

    fn take(&mut self, line: Across) {
        for joint in &line.joints {
            if self.joints.len() <= JOINTS && !is_among(&self.joints, *joint) {
                self.joints.push(*joint);
            }
        }
        self.joints.sort_by(f32::total_cmp);
        self.lines.push(line);
    }

    /// Takes those lines between its own that begin and end where columns do.
    fn adopt(&mut self, lines: &mut Vec<Across>) {
        let (top, bottom) = self.extent();
        let edges: Vec<f32> = [self.left, self.right]
            .into_iter()
            .chain(self.joints.iter().copied())
            .collect();
        let is_own = |line: &mut Across| {
            (top..=bottom).contains(&line.y)
                && is_among(&edges, line.left())
                && is_among(&edges, line.right())
                && line.joints.iter().all(|joint| is_among(&edges, *joint))
        };
        self.lines.extend(lines.extract_if(.., is_own));
    }

    /// Adds what the parts say that the lines at its sides are drawn in.
    fn part(&mut self, upright: &[(f32, Vec<f32>)]) {
        let (top, bottom) = self.extent();
        let at = |x: f32| -> Vec<f32> {
            let near = upright
                .iter()
                .filter(|(place, _)| (place - x).abs() <= UNLIKE);
            let joints = near.flat_map(|(_, joints)| joints.iter().copied());
            joints
                .filter(|y| (top..=bottom).contains(y))
                .take(LINES)
                .collect()
        };
        let (left, right) = (at(self.left), at(self.right));
        let (first, last) = (
            self.joints.first().copied().unwrap_or(self.right),
            self.joints.last().copied().unwrap_or(self.left),
        );
        let line = |y: f32, from: f32, to: f32| Across {
            y,
            drawn: vec![(from, to)],
            joints: Vec::new(),
            is_weak: true,
        };
        let from_left = left.iter().map(|y| match is_among(&right, *y) {
            true => line(*y, self.left, self.right),
            false => line(*y, self.left, last),
        });
        let from_right = right.iter().filter(|y| !is_among(&left, **y));
        let from_right = from_right.map(|y| line(*y, first, self.right));
        let all: Vec<Across> = from_left.chain(from_right).collect();
        self.lines.extend(all);
    }

    fn extent(&self) -> (f32, f32) {
        let ys = || self.lines.iter().map(|line| line.y);
        (ys().fold(f32::INFINITY, f32::min), ys().fold(0.0, f32::max))
    }

    /// Makes one line of those on one height.
    fn settle(&mut self) {
        self.lines.sort_by(|one, other| one.y.total_cmp(&other.y));
        self.lines.dedup_by(|next, before| {
            let is_one = next.y - before.y < DOUBLE;
            if is_one {
                before.drawn.append(&mut next.drawn);
                before.joints.append(&mut next.joints);
                before.drawn.sort_by(|one, other| one.0.total_cmp(&other.0));
            }
            is_one
        });
    }
}

/// Whether a place is one of some, nearly.
fn is_among(all: &[f32], place: f32) -> bool {
    all.iter().any(|one| (one - place).abs() <= UNLIKE / 2.0)
}
