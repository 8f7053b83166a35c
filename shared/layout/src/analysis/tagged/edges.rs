//! Headers and footers that the structure tree declares as paragraphs of each page.

use super::leaves::Leaves;
use super::plan::{Part, Plan};
use crate::analysis::document::page::PageReader;
use crate::analysis::lines::line::Line;

impl Plan {
    /// Removes the paragraphs that are repeated at the top and bottom of pages from the leaves, and returns their lines.
    pub(super) fn edges(
        &self,
        leaves: &mut Leaves,
        reader: &PageReader<'_>,
        number: u32,
    ) -> [Vec<Line>; 2] {
        let paragraphs = self.parts.iter().filter_map(|part| match part {
            Part::Text(text) if text.heading.is_none() && !text.continues => Some(text.leaf),
            _ => None,
        });
        let paragraphs: Vec<usize> = paragraphs.collect();
        let lines = paragraphs
            .iter()
            .filter_map(|leaf| leaves.by_leaf.get(*leaf));
        let mut edges = reader.edges(lines.flatten().cloned().collect(), number);
        // A paragraph is part of the header as a whole or not at all.
        for edge in &mut edges {
            let count = |leaf: usize| edge.iter().filter(|line| line.zone() == leaf).count();
            let whole = paragraphs.iter().filter(|leaf| {
                let lines = leaves.by_leaf.get(**leaf);
                lines.is_some_and(|lines| !lines.is_empty() && lines.len() == count(**leaf))
            });
            let whole: Vec<usize> = whole.copied().collect();
            edge.retain(|line| whole.contains(&line.zone()));
            for leaf in whole {
                leaves
                    .by_leaf
                    .get_mut(leaf)
                    .into_iter()
                    .for_each(Vec::clear);
            }
        }
        edges
    }
}
