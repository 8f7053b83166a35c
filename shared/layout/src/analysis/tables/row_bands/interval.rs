//! The content between two horizontal rules.

use super::across::Across;
use crate::analysis::tables::segment::Text;

/// Maximum height of an empty row, points.
const EMPTY: f32 = 40.0;

/// The content between two consecutive rules.
#[derive(Clone)]
pub(in crate::analysis::tables) struct Interval<'t> {
    pub(in crate::analysis::tables) top: f32,
    pub(in crate::analysis::tables) bottom: f32,
    pub(in crate::analysis::tables) texts: &'t [Text],
    /// The rules above and below; `None` if there is none.
    pub(in crate::analysis::tables) above: Option<&'t Across>,
    pub(in crate::analysis::tables) below: Option<&'t Across>,
}

impl<'t> Interval<'t> {
    pub(in crate::analysis::tables) fn lines(&self) -> impl Iterator<Item = &'t Across> {
        self.above.into_iter().chain(self.below)
    }

    /// Whether a rule is missing on one side.
    pub(in crate::analysis::tables) fn is_open(&self) -> bool {
        self.above.is_none() || self.below.is_none()
    }

    /// Whether it may be between rows: a title of some of them, or empty.
    pub(in crate::analysis::tables) fn may_be_between(&self) -> bool {
        match self.texts {
            [] => self.bottom - self.top < EMPTY,
            [only] => self.bottom - self.top < only.size * 2.2,
            _ => false,
        }
    }

    /// Whether its text fills it from the rule above to the rule below.
    pub(in crate::analysis::tables) fn is_filled(&self) -> bool {
        let (Some(first), Some(last)) = (self.texts.first(), self.texts.last()) else {
            return false;
        };
        let above = first.baseline - first.size * 0.75 - self.top;
        let below = self.bottom - last.baseline - last.size * 0.25;
        above < first.size && below < last.size
    }
}

/// Returns the number of joints that a text crosses.
pub(in crate::analysis::tables) fn crosses<'j>(
    text: &Text,
    joints: impl Iterator<Item = &'j f32>,
) -> usize {
    let is_crossed = |joint: &&f32| {
        text.segments
            .iter()
            .any(|segment| segment.left + 1.0 < **joint && **joint < segment.right - 1.0)
    };
    joints.filter(is_crossed).count()
}
