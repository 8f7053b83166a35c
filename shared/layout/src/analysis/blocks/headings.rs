//! Decides which blocks are headings, by their score, and their levels.

use crate::analysis::blocks::group::Group;
use crate::analysis::candidates::candidate::{Candidate, Kind, Trace};
use crate::analysis::candidates::weights::headings::HEADINGS;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::text_style::TextStyle;
use crate::analysis::survey::headings::features;
use crate::analysis::survey::headings::page_lines::PageLines;
use crate::analysis::survey::numbered;
use crate::analysis::survey::statistics::DocumentStatistics;
use crate::model::geometry::Rect;

/// Returns the heading level of a group; `None` if it is not a heading.
pub(in crate::analysis) fn level(
    group: &Group,
    page: &PageLines,
    statistics: &DocumentStatistics,
    trace: &Trace,
) -> Option<u8> {
    let lines: Vec<&Line> = group.lines.iter().collect();
    let mut features = features(&lines, page)?;
    let look = TextStyle::of_most(&group.lines)?;
    features.extend(statistics.style_features(&look));
    let bounds = Rect::around(group.lines.iter().map(|line| line.bounds))?;
    let candidate = Candidate::new(Kind::Heading, "block", bounds, features, &HEADINGS);
    let is_chosen = candidate.is_chosen;
    trace.note(|| candidate);
    let depth = || group.lines.first().and_then(numbered);
    let depth = page.outline.depth(&lines).or_else(depth);
    is_chosen.then(|| statistics.levels.of_heading(&look, depth))
}
