//! What was left out of a document, page by page.

use std::collections::BTreeMap;

/// What was left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// Something outside of the document, such as a linked picture: it is never fetched.
    ExternalLinkBlocked,
    /// Hidden sheets, rows, columns, slides or text.
    Hidden,
    /// A chart.
    Chart,
    /// An embedded object that only the program which made it can show.
    Object,
    /// A picture that is missing.
    PictureMissing,
    /// A table that lies in too many others: its text is there.
    NestedTable,
    /// The result of a formula: the workbook holds none, or asks for new ones. What it holds is there.
    Formula,
    /// What cannot be read of the document; the rest is there.
    Damaged,
}

impl Loss {
    /// Its name among the warnings of a job.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::ExternalLinkBlocked => "external_link_blocked",
            Self::Hidden => "hidden_left_out",
            Self::Chart => "chart_left_out",
            Self::Object => "object_left_out",
            Self::PictureMissing => "picture_missing",
            Self::NestedTable => "nested_tables_dissolved",
            Self::Formula => "formulas_not_calculated",
            Self::Damaged => "damage_left_out",
        }
    }
}

/// How often something was left out of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What was left out.
    pub loss: Loss,
    /// The page, from 1; 0 is the whole document.
    pub page: u32,
    /// How often.
    pub count: u32,
}

/// Counts what is left out.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    /// The page that is being read.
    pub(crate) page: u32,
    counts: BTreeMap<(u32, Loss), u32>,
}

impl Losses {
    /// None so far, of a page.
    pub(crate) fn of_page(page: u32) -> Self {
        Self {
            page,
            counts: BTreeMap::new(),
        }
    }

    pub(crate) fn add(&mut self, loss: Loss) {
        self.add_many(loss, 1);
    }

    pub(crate) fn add_many(&mut self, loss: Loss, count: u32) {
        if count > 0 {
            let before = self.counts.entry((self.page, loss)).or_default();
            *before = before.saturating_add(count);
        }
    }

    /// Numbers pages otherwise than while they were read.
    pub(crate) fn renumber(&mut self, page: impl Fn(u32) -> u32) {
        for ((old, loss), count) in std::mem::take(&mut self.counts) {
            let total = self.counts.entry((page(old), loss)).or_default();
            *total = total.saturating_add(count);
        }
    }

    pub(crate) fn all(&self) -> Vec<Warning> {
        let counts = self.counts.iter();
        let warning = |(&(page, loss), &count): (&(u32, Loss), &u32)| Warning { loss, page, count };
        counts.map(warning).collect()
    }
}
