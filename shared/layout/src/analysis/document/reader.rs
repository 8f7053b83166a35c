//! The second pass: analyzes page by page.

use crate::analysis::Options;
use crate::analysis::Tables;
use crate::analysis::candidates::candidate::Trace;
use crate::analysis::document::blocks_across_pages::{self, Tail};
use crate::analysis::document::lists_across_pages::Resumed;
use crate::analysis::document::page::PageReader;
use crate::analysis::formatting::cells;
use crate::analysis::front::Front;
use crate::analysis::glyphs::mirror;
use crate::analysis::glyphs::turn::Turn;
use crate::analysis::lines::ticked::ticked;
use crate::analysis::regions::known_gutters::KnownGutters;
use crate::analysis::survey::headings::page_lines::PageLines;
use crate::analysis::survey::statistics::DocumentStatistics;
use crate::analysis::tables::untable::untable;
use crate::analysis::tagged;
use crate::analysis::warning;
use crate::analysis::warning::{Reading, Warning};
use crate::model::page::{Basis, Page};
use crate::model::page_content::PageContent;

/// Analyzes the pages of a document in order.
pub struct Reader<'a> {
    statistics: &'a DocumentStatistics,
    options: Options,
    tail: Tail,
    lists: Resumed,
    /// Gutters of the columns so far.
    known: KnownGutters,
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
            known: KnownGutters::default(),
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
        let trace = Trace::new(self.options.explain);
        if let Some(is_open) = self.by_tags(upright, &mut page) {
            is_row_open = is_open && is_next;
            if !is_next {
                blocks_across_pages::begin(&mut page.blocks);
            }
            self.tail.note(&page.blocks);
            self.lists = Resumed::default();
        } else {
            is_row_open |= self.by_geometry(upright, &trace, &mut page);
            warnings.extend(
                (self.options.tags && !sheet.structure.is_empty()).then_some(Warning::TagsIgnored),
            );
        }
        cells::add(&mut page.blocks, upright);
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
            candidates: trace.into_candidates(|bounds| turn.back_from(bounds, sheet.size)),
            is_row_open,
        }
    }

    /// Analyzes the page by its structure tree and returns whether a table row continues at its beginning; `None` if the tree
    /// is unreliable. Its candidates decide nothing if the tree is reliable, so they are not collected.
    fn by_tags(&self, sheet: &PageContent, page: &mut Page) -> Option<bool> {
        let has_tags = self.options.tags && !sheet.structure.is_empty();
        has_tags
            .then(|| tagged::read(sheet, self.statistics, &Trace::default(), page))
            .flatten()
    }

    /// Analyzes the page by geometry and returns whether a table row continues at its beginning.
    fn by_geometry(&mut self, sheet: &PageContent, trace: &Trace, page: &mut Page) -> bool {
        let Front { lines, drawn } = Front::of(sheet, trace);
        let places = PageLines::of(&lines, drawn.page, &sheet.outline, &drawn.fields);
        let known = &self.known;
        PageReader::new(self.statistics, &drawn, &lines, &places, known, trace).read(lines, page);
        drawn.back(page);
        if drawn.is_mirrored {
            trace.place(|bounds| mirror::mirror(bounds, drawn.page.width()));
        }
        if self.options.tables == Tables::Ruled {
            untable(&mut page.blocks, |table| table.ruled);
        }
        self.lists.resume(&mut page.blocks);
        self.tail.join(&mut page.blocks)
    }
}
