//! Groups horizontal rules by table: rules of one table have the same ends, or end at joints of its other rules.

use super::across::{Across, JOINTS};

/// Minimum length of a rule, and tolerance for equal ends, points.
const SHORTEST: f32 = 50.0;
const UNLIKE: f32 = 3.0;
/// Rules closer than this are one, points.
const DOUBLE: f32 = 3.0;
/// Maximum number of rules, and of bundles, of a page.
const LINES: usize = 2_000;
const BUNDLES: usize = 32;

/// Horizontal rules with the same ends.
#[derive(Debug)]
pub(super) struct Bundle {
    pub(super) left: f32,
    pub(super) right: f32,
    /// Rules from top to bottom.
    pub(super) lines: Vec<Across>,
    /// Joints of the rules, from left to right.
    pub(super) joints: Vec<f32>,
    /// Whether the vertical rules at both sides have matching parts: one per row.
    pub(super) is_framed: bool,
}

/// Bundles rules, which are sorted from top to bottom. A bundle has at least two rules, or one with joints. `upright` are the
/// vertical rules, with x and y swapped.
pub(super) fn bundles(lines: Vec<Across>, upright: &[Across]) -> Vec<Bundle> {
    let (mut bundles, mut loose) = bundled(lines);
    for index in 0..bundles.len() {
        let (done, open) = bundles.split_at_mut(index + 1);
        let Some(bundle) = done.last_mut().filter(|bundle| bundle.is_jointed()) else {
            continue;
        };
        bundle.close(upright);
        for other in open {
            bundle.adopt(&mut other.lines);
        }
        bundle.adopt(&mut loose);
        bundle.part(upright);
    }
    bundles.iter_mut().for_each(Bundle::settle);
    bundles.retain(|bundle| bundle.lines.len() > usize::from(!bundle.is_jointed()));
    bundles
}

/// Returns the bundles, the widest first, and the remaining rules.
fn bundled(lines: Vec<Across>) -> (Vec<Bundle>, Vec<Across>) {
    let mut bundles: Vec<Bundle> = Vec::new();
    let mut loose: Vec<Across> = Vec::new();
    for line in lines.into_iter().take(LINES) {
        let count = bundles.len();
        let is_short = line.right() - line.left() < SHORTEST;
        let like = bundles
            .iter_mut()
            .rev()
            .find(|bundle| bundle.is_like(&line));
        match like {
            _ if line.is_weak || is_short => loose.push(line),
            Some(bundle) => bundle.take(line),
            None if count < BUNDLES => bundles.push(Bundle::of(line)),
            None => {}
        }
    }
    bundles.sort_by(|one, other| other.width().total_cmp(&one.width()));
    (bundles, loose)
}

impl Bundle {
    fn of(line: Across) -> Self {
        Self {
            left: line.left(),
            right: line.right(),
            joints: line.joints.clone(),
            lines: vec![line],
            is_framed: false,
        }
    }

    pub(super) fn width(&self) -> f32 {
        self.right - self.left
    }

    /// Whether its joints indicate column boundaries.
    pub(super) fn is_jointed(&self) -> bool {
        (1..=JOINTS).contains(&self.joints.len())
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

    /// Adds rules within the bundle that begin and end at column boundaries.
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

    /// Closes a bundle with an upper rule alone where the vertical rules end: the table continues on the next page.
    fn close(&mut self, upright: &[Across]) {
        let [only] = self.lines.as_slice() else {
            return;
        };
        let end = |x: f32| {
            let mut sides = upright.iter().filter(|side| (side.y - x).abs() <= UNLIKE);
            let side = sides.find(|side| (side.left() - only.y).abs() <= UNLIKE);
            side.map(Across::right)
        };
        let ends = end(self.left).zip(end(self.right));
        if let Some((y, _)) = ends.filter(|(one, other)| (one - other).abs() <= UNLIKE) {
            self.lines.push(edge(y, (self.left, self.right)));
        }
    }

    /// Adds the row boundaries given by the joints of the vertical rules at the sides.
    fn part(&mut self, upright: &[Across]) {
        let (left, right) = (
            self.joints_at(self.left, upright),
            self.joints_at(self.right, upright),
        );
        let (first, last) = (
            self.joints.first().copied().unwrap_or(self.right),
            self.joints.last().copied().unwrap_or(self.left),
        );
        let from_left = left.iter().map(|y| match is_among(&right, *y) {
            true => edge(*y, (self.left, self.right)),
            false => edge(*y, (self.left, last)),
        });
        let from_right = right.iter().filter(|y| !is_among(&left, **y));
        let from_right = from_right.map(|y| edge(*y, (first, self.right)));
        let all: Vec<Across> = from_left.chain(from_right).collect();
        let are_both = left.len() == right.len() && left.iter().all(|y| is_among(&right, *y));
        self.is_framed = are_both && !left.is_empty();
        self.lines.extend(all);
    }

    /// Returns the heights of the joints of a vertical rule at one side.
    fn joints_at(&self, x: f32, upright: &[Across]) -> Vec<f32> {
        let (top, bottom) = self.extent();
        let near = upright.iter().filter(|side| (side.y - x).abs() <= UNLIKE);
        let joints = near.flat_map(|side| side.joints.iter().copied());
        joints
            .filter(|y| (top..=bottom).contains(y))
            .take(LINES)
            .collect()
    }

    fn extent(&self) -> (f32, f32) {
        let ys = || self.lines.iter().map(|line| line.y);
        (ys().fold(f32::INFINITY, f32::min), ys().fold(0.0, f32::max))
    }

    /// Merges rules at the same height.
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

/// Returns a rule that is not drawn itself.
fn edge(y: f32, span: (f32, f32)) -> Across {
    Across {
        y,
        drawn: vec![span],
        joints: Vec::new(),
        is_weak: true,
    }
}

/// Whether a position is approximately one of these.
fn is_among(all: &[f32], place: f32) -> bool {
    all.iter().any(|one| (one - place).abs() <= UNLIKE / 2.0)
}
