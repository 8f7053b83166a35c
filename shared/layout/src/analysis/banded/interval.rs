//! What stands between two lines across.

use super::across::Across;
use super::segment::Text;

/// The highest row without anything in it, points.
const EMPTY: f32 = 40.0;

/// What stands between two lines that follow each other.
#[derive(Clone)]
pub(super) struct Interval<'t> {
    pub(super) top: f32,
    pub(super) bottom: f32,
    pub(super) texts: &'t [Text],
    /// The lines above and below; none where nothing is drawn there.
    pub(super) above: Option<&'t Across>,
    pub(super) below: Option<&'t Across>,
}

impl<'t> Interval<'t> {
    pub(super) fn lines(&self) -> impl Iterator<Item = &'t Across> {
        self.above.into_iter().chain(self.below)
    }

    /// Whether no line is drawn at one side of it.
    pub(super) fn is_open(&self) -> bool {
        self.above.is_none() || self.below.is_none()
    }

    /// Whether it may stand between rows: a title of some of them, or nothing.
    pub(super) fn may_be_between(&self) -> bool {
        match self.texts {
            [] => self.bottom - self.top < EMPTY,
            [only] => self.bottom - self.top < only.size * 2.2,
            _ => false,
        }
    }

    /// Whether it is filled from the line above to the line below.
    pub(super) fn is_filled(&self) -> bool {
        let (Some(first), Some(last)) = (self.texts.first(), self.texts.last()) else {
            return false;
        };
        let above = first.baseline - first.size * 0.75 - self.top;
        let below = self.bottom - last.baseline - last.size * 0.25;
        above < first.size && below < last.size
    }
}

/// Over how many joints what is written reaches.
pub(super) fn crosses<'j>(text: &Text, joints: impl Iterator<Item = &'j f32>) -> usize {
    let is_crossed = |joint: &&f32| {
        text.segments
            .iter()
            .any(|segment| segment.left + 1.0 < **joint && **joint < segment.right - 1.0)
    };
    joints.filter(is_crossed).count()
}
