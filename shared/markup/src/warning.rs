//! Warnings about dropped content, by page.

use std::collections::BTreeMap;

/// A kind of dropped content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Loss {
    /// An external resource, such as a linked picture; it is never fetched.
    ExternalLinkBlocked,
    /// Hidden sheets, rows, columns, slides or text.
    Hidden,
    /// A chart.
    Chart,
    /// An embedded object that only its own application can render.
    Object,
    /// A missing picture.
    PictureMissing,
    /// A table nested too deeply; its text is kept.
    NestedTable,
    /// The result of a formula, because the workbook stores none or requests recalculation. A stored result is kept.
    Formula,
    /// A damaged part of the document; the rest is kept.
    Damaged,
    /// A comment.
    Comment,
    /// A header or footer of a sheet with text of its own.
    SheetHeader,
    /// A shape with text of a slide master or layout, which slides show.
    MasterText,
    /// A link of a picture or shape, with a calculated target, or to a file, a network share, a place that is not in the result, or a
    /// scheme that is not allowed. Linked text is kept.
    Link,
}

impl Loss {
    /// Returns the warning code.
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
            Self::Comment => "comments_left_out",
            Self::SheetHeader => "headers_left_out",
            Self::MasterText => "master_text_left_out",
            Self::Link => "links_left_out",
        }
    }
}

/// The number of times content of one kind was dropped from a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Kind of dropped content.
    pub loss: Loss,
    /// Page, from 1; 0 is the whole document.
    pub page: u32,
    /// Number of times.
    pub count: u32,
}

/// Counts dropped content.
#[derive(Debug, Default)]
pub(crate) struct Losses {
    /// The current page.
    pub(crate) page: u32,
    counts: BTreeMap<(u32, Loss), u32>,
}

impl Losses {
    /// Creates an empty count that starts at a page.
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

    /// Replaces the page numbers.
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
