//! Hyperlinks of a worksheet. A cell can have one, so it keeps its link only if all its links have the same target.

use std::fmt::Write as _;

use crate::writers::link::{Target, target};
use crate::writers::ooxml::package::{OFFICE, Relations};
use crate::{Block, Content, Run};

/// Maximum number of hyperlinks of a worksheet; Excel removes all of a sheet with more.
const MAX_LINKS: usize = 65_530;
/// Maximum bytes of the targets of a worksheet, which are held until its end.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// The hyperlinks of a worksheet that is being written.
#[derive(Default)]
pub(super) struct Links {
    pub(super) relations: Relations,
    elements: String,
    count: usize,
    bytes: usize,
}

impl Links {
    /// Adds the link of a cell whose text has links to these targets, if all are the same.
    pub(super) fn add(&mut self, place: &str, mut targets: Vec<&str>) {
        targets.dedup();
        let [link] = *targets else { return };
        if let Some(Target::External(url)) = target(link)
            && self.count < MAX_LINKS
            && self.bytes < MAX_BYTES
        {
            self.bytes += url.len();
            let relation = self.relations.hyperlink(&url);
            write!(
                self.elements,
                "<hyperlink ref=\"{place}\" r:id=\"{relation}\"/>"
            )
            .ok();
            self.count += 1;
        }
    }

    /// The element `hyperlinks`; empty without links.
    pub(super) fn xml(&self) -> String {
        match self.elements.as_str() {
            "" => String::new(),
            links => format!("<hyperlinks xmlns:r=\"{OFFICE}\">{links}</hyperlinks>"),
        }
    }
}

/// The targets of all links of blocks.
pub(super) fn targets(blocks: &[Block]) -> Vec<&str> {
    blocks.iter().flat_map(of_block).collect()
}

fn of_block(block: &Block) -> Vec<&str> {
    match &block.content {
        Content::Heading { runs, .. }
        | Content::Paragraph { runs, .. }
        | Content::Footnote { runs, .. } => of_runs(runs),
        Content::List { items } => items.iter().flat_map(|item| of_runs(&item.runs)).collect(),
        Content::Table(table) => {
            let cells = table.cells.iter();
            cells.flat_map(|cell| targets(&cell.blocks)).collect()
        }
        Content::Image { .. } | Content::Rule => Vec::new(),
    }
}

/// The targets of the links of runs.
pub(super) fn of_runs(runs: &[Run]) -> Vec<&str> {
    let links = runs.iter().filter_map(|run| run.link.as_deref());
    links.collect()
}
