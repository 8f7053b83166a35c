//! The second pass: analyzes page by page.

use super::continued::{self, Tail};
use super::front::Front;
use super::page::PageReader;
use super::resumed::Resumed;
use super::statistics::DocumentStatistics;
use super::ticked::ticked;
use super::turn::Turn;
use super::untable::untable;
use super::warning::{Reading, Warning};
use super::{Options, Tables, tagged, warning};
use crate::model::page::{Basis, Page};
use crate::model::page_content::PageContent;

/// Analyzes the pages of a document in order.
pub struct Reader<'a> {
    statistics: &'a DocumentStatistics,
    options: Options,
    tail: Tail,
    lists: Resumed,
    /// Number of the last page; 0 before the first one.
    last: u32,
}

impl<'a> Reader<'a> {
    /// Creates a reader with the statistics of the document.
    #[must_use]
    pub fn new(statistics: &'a DocumentStatistics, options: Options) -> Self {
        Self {
            statistics,
            options,
            tail: Tail::default(),
            lists: Resumed::default(),
            last: 0,
        }
    }

    /// Analyzes the next page. After skipped pages, nothing is marked as continued.
    pub fn read(&mut self, sheet: &PageContent) -> Reading {
        let ticked = ticked(sheet);
        let sheet = ticked.as_ref().unwrap_or(sheet);
        let turn = Turn::of(sheet);
        let turned = turn.sheet(sheet);
        let upright = turned.as_ref().unwrap_or(sheet);
        let mut page = Page {
            number: sheet.number,
            size: sheet.size,
            basis: match sheet.is_recognized {
                true => Basis::Recognition,
                false => Basis::Geometry,
            },
            header: Vec::new(),
            blocks: Vec::new(),
            footer: Vec::new(),
        };
        let mut warnings = warning::of_sheet(sheet);
        let is_next = self.last.checked_add(1) == Some(sheet.number);
        self.last = sheet.number;
        if !is_next {
            self.tail = Tail::default();
            self.lists = Resumed::default();
        }
        let mut is_row_open = false;
        if let Some(is_open) = self.by_tags(upright, &mut page) {
            is_row_open = is_open && is_next;
            if !is_next {
                continued::begin(&mut page.blocks);
            }
            self.tail.note(&page.blocks);
            self.lists = Resumed::default();
        } else {
            is_row_open |= self.by_geometry(upright, &mut page);
            warnings.extend(
                (self.options.tags && !sheet.structure.is_empty()).then_some(Warning::TagsIgnored),
            );
        }
        for blocks in [&mut page.header, &mut page.blocks, &mut page.footer] {
            if self.options.tables == Tables::Off {
                untable(blocks, |_| false);
            }
            turn.back(blocks, sheet.size);
        }
        warnings.extend(warning::of_page(&page));
        Reading {
            page,
            warnings,
            is_row_open,
        }
    }

    /// Analyzes the page by its structure tree and returns whether a table row continues at its beginning; `None` if the tree
    /// is unreliable.
    fn by_tags(&self, sheet: &PageContent, page: &mut Page) -> Option<bool> {
        let has_tags = self.options.tags && !sheet.structure.is_empty();
        has_tags
            .then(|| tagged::read(sheet, self.statistics, self.options, page))
            .flatten()
    }

    /// Analyzes the page by geometry and returns whether a table row continues at its beginning.
    fn by_geometry(&mut self, sheet: &PageContent, page: &mut Page) -> bool {
        let Front { lines, drawn } = Front::of(sheet);
        PageReader::new(self.statistics, self.options, &drawn, &lines).read(lines, page);
        if self.options.tables == Tables::Ruled {
            untable(&mut page.blocks, |table| table.ruled);
        }
        self.lists.resume(&mut page.blocks);
        self.tail.join(&mut page.blocks)
    }
}
