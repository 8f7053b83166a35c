//! Tab stops: of entries of contents, whose page numbers are at the right edge, and of headers and footers.

use crate::model::leaders;
use crate::{Run, plain};

/// The tab stops of a paragraph, by the width of the text area in twips.
#[derive(Clone, Copy, Default)]
pub(super) enum TabStops {
    #[default]
    None,
    /// At the right edge, with dots up to it.
    Contents(u32),
    /// In the middle and at the right edge, as usual in Word.
    HeaderFooter(u32),
}

impl TabStops {
    /// Returns the tab stops element, or nothing.
    pub(super) fn xml(self) -> String {
        match self {
            Self::None => String::new(),
            Self::Contents(width) => format!(
                "<w:tabs><w:tab w:val=\"right\" w:leader=\"dot\" w:pos=\"{width}\"/></w:tabs>"
            ),
            Self::HeaderFooter(width) => format!(
                "<w:tabs><w:tab w:val=\"center\" w:pos=\"{}\"/><w:tab w:val=\"right\" w:pos=\"{width}\"/></w:tabs>",
                width / 2
            ),
        }
    }
}

/// Returns the runs of an entry of contents with a tab in place of its leader; `None` for other text.
pub(super) fn of_entry(runs: &[Run]) -> Option<Vec<Run>> {
    let leader = leaders::of_entry(&plain(runs))?;
    let mut end = 0;
    let cut = |run: &Run| {
        let begin = end;
        end += run.text.len();
        let within = |place: usize| place.clamp(begin, end) - begin;
        let before = run.text.get(..within(leader.start)).unwrap_or_default();
        let behind = run.text.get(within(leader.end)..).unwrap_or_default();
        let is_here = (begin..end).contains(&leader.start);
        let tab = if is_here { "\t" } else { "" };
        Run {
            text: format!("{before}{tab}{behind}"),
            ..run.clone()
        }
    };
    Some(runs.iter().map(cut).collect())
}
