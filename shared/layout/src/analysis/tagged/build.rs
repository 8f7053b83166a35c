//! Converts structure parts to blocks.

use std::collections::HashMap;

use super::breaks;
use super::plan::{Part, Text};
use crate::analysis::blocks::block::alignment;
use crate::analysis::blocks::footnote::{self, Side};
use crate::analysis::document::page::PageReader;
use crate::analysis::figures::Figure;
use crate::analysis::glyphs::bidi;
use crate::analysis::lines::code;
use crate::analysis::lines::column::Margins;
use crate::analysis::lines::line::Line;
use crate::model::block::{Alignment, Block, Content};
use crate::model::geometry::Rect;
use crate::model::page_content::Picture;
use crate::model::structure::Tag;

/// Converts parts to blocks; each leaf and picture is used once.
pub(super) struct Builder<'a> {
    pub(super) reader: &'a PageReader<'a>,
    pub(super) leaves: Vec<Vec<Line>>,
    /// Lines missing from the structure tree.
    pub(super) rest: Vec<Line>,
    pictures: HashMap<u32, Vec<Picture>>,
    loose: Vec<Picture>,
    figures: HashMap<u32, Vec<&'a Figure>>,
    loose_figures: Vec<&'a Figure>,
    notes: Vec<Block>,
    /// Whether cells are at other positions than the structure tree implies.
    pub(super) contradicts: bool,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        reader: &'a PageReader<'a>,
        leaves: Vec<Vec<Line>>,
        left_out: Vec<Line>,
    ) -> Self {
        let mut pictures: HashMap<u32, Vec<Picture>> = HashMap::new();
        let mut loose = Vec::new();
        for picture in &reader.drawn.pictures {
            match picture.tag {
                Tag::Content(id) => pictures.entry(id).or_default().push(*picture),
                Tag::None => loose.push(*picture),
                Tag::Artifact => {}
            }
        }
        let mut figures: HashMap<u32, Vec<&Figure>> = HashMap::new();
        let mut loose_figures = Vec::new();
        for figure in &reader.drawn.figures {
            match figure.tag {
                Tag::Content(id) => figures.entry(id).or_default().push(figure),
                Tag::None | Tag::Artifact => loose_figures.push(figure),
            }
        }
        Self {
            reader,
            leaves,
            rest: left_out,
            pictures,
            loose,
            figures,
            loose_figures,
            notes: Vec::new(),
            contradicts: false,
        }
    }

    /// Returns the pictures, figures and lines that no part contains, and the footnotes.
    pub(super) fn finish(self) -> (Vec<Block>, Vec<Line>, Vec<Block>) {
        let mut rest = self.loose;
        rest.extend(self.pictures.into_values().flatten());
        // Pictures drawn twice have the same number.
        rest.sort_by(|one, other| {
            let by_place = one.bounds.top.total_cmp(&other.bounds.top);
            let by_place = by_place.then(one.bounds.left.total_cmp(&other.bounds.left));
            one.image.cmp(&other.image).then(by_place)
        });
        let mut figures = self.loose_figures;
        figures.extend(self.figures.into_values().flatten());
        figures.sort_by(|one, other| {
            let by_top = one.bounds.top.total_cmp(&other.bounds.top);
            by_top.then(one.bounds.left.total_cmp(&other.bounds.left))
        });
        let writer = self.reader.maker.writer;
        let figures = figures
            .into_iter()
            .filter_map(|figure| figure.block(None, writer));
        let rest = rest.into_iter().map(|picture| image(&picture, None));
        let rest = rest.chain(figures);
        let mut lines = self.rest;
        lines.extend(self.leaves.into_iter().flatten());
        (rest.collect(), lines, self.notes)
    }

    /// Converts parts to blocks, in order.
    pub(super) fn blocks(&mut self, parts: Vec<Part>) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut parts = parts.into_iter().peekable();
        while let Some(part) = parts.next() {
            match part {
                Part::Text(text) => blocks.extend(self.text(&text)),
                Part::List(mut entries) => {
                    // Some programs write a list as several lists.
                    while let Some(Part::List(more)) =
                        parts.next_if(|next| matches!(next, Part::List(_)))
                    {
                        entries.extend(more);
                    }
                    self.list(entries, &mut blocks);
                }
                Part::Table(rows) => self.table(rows, &mut blocks),
                Part::Figure {
                    leaf,
                    contents,
                    alternative,
                } => self.figure(leaf, &contents, alternative, &mut blocks),
                Part::Note { label, parts } => self.note(label, parts),
            }
        }
        blocks
    }

    /// Removes and returns the lines of a leaf.
    pub(super) fn lines(&mut self, leaf: usize) -> Vec<Line> {
        self.leaves
            .get_mut(leaf)
            .map(std::mem::take)
            .unwrap_or_default()
    }

    fn text(&mut self, text: &Text) -> Option<Block> {
        let lines = self.lines(text.leaf);
        let bounds = Rect::around(lines.iter().map(|line| line.bounds))?;
        let writer = self.reader.maker.writer;
        let content = match text.heading {
            Some(level) => Content::Heading {
                level,
                runs: writer.runs(&lines),
                alignment: Alignment::Start,
            },
            None if code::is_code(&lines) => Content::Paragraph {
                runs: code::runs(&lines, writer),
                alignment: Alignment::Start,
                continues: text.continues,
                preformatted: true,
            },
            None => Content::Paragraph {
                runs: breaks::runs(&lines, writer),
                alignment: text
                    .alignment
                    .unwrap_or_else(|| self.alignment(&lines, bounds)),
                continues: text.continues,
                preformatted: false,
            },
        };
        Some(Block {
            bounds: Some(bounds),
            ..Block::from(content)
        })
    }

    /// Returns the alignment of lines in their cell, or on the page if they take most of its width.
    pub(super) fn alignment(&self, lines: &[Line], bounds: Rect) -> Alignment {
        let drawn = self.reader.drawn;
        let cell = drawn.tables.iter().find_map(|table| {
            let index = table.grid.cell_at(bounds.center())?;
            table.grid.cells.get(index).map(|cell| cell.bounds)
        });
        let limits = match cell {
            Some(cell) => {
                let free = (bounds.left - cell.left)
                    .min(cell.right - bounds.right)
                    .max(0.0);
                Some((cell.left + free, cell.right - free))
            }
            None => self
                .reader
                .statistics
                .margins(&drawn.page)
                .filter(|(left, right)| lines.len() == 1 || bounds.width() > (right - left) * 0.6),
        };
        let (left, right) = limits.unwrap_or((bounds.left, bounds.right));
        let limits = (left.min(bounds.left), right.max(bounds.right));
        alignment(lines, Margins::new(limits, self.reader.from_right))
    }

    fn figure(
        &mut self,
        leaf: usize,
        contents: &[u32],
        alternative: Option<String>,
        blocks: &mut Vec<Block>,
    ) {
        let pictures = contents.iter().filter_map(|id| self.pictures.remove(id));
        let mut alternative = alternative;
        let pictures = pictures
            .flatten()
            .map(|picture| image(&picture, alternative.take()));
        blocks.extend(pictures.collect::<Vec<_>>());
        let figures = contents.iter().filter_map(|id| self.figures.remove(id));
        for figure in figures.flatten().collect::<Vec<_>>() {
            blocks.extend(figure.block(alternative.take(), self.reader.maker.writer));
        }
        let lines = self.lines(leaf);
        if !lines.is_empty() {
            blocks.extend(self.reader.rows(lines));
        }
    }

    fn note(&mut self, label: Option<usize>, parts: Vec<Part>) {
        let label = label.map(|leaf| self.lines(leaf)).unwrap_or_default();
        let mut lines = Vec::new();
        let mut others = Vec::new();
        for part in parts {
            match part {
                Part::Text(text) => lines.extend(self.lines(text.leaf)),
                other => others.push(other),
            }
        }
        let marked = Rect::around(label.iter().map(|line| line.bounds));
        let mut label: String = label
            .iter()
            .flat_map(Line::glyphs)
            .map(|glyph| glyph.text)
            .collect();
        let mut side = side(marked, &lines);
        if let Some(first) = lines.first_mut().filter(|_| label.is_empty())
            && let Some(own) = footnote::label(first)
        {
            *first = footnote::without_label(first, own.side);
            (label, side) = (own.text, own.side);
        }
        let said = Rect::around(lines.iter().map(|line| line.bounds));
        if let Some(bounds) = said.or(marked) {
            self.notes.push(Block {
                bounds: Some(bounds),
                ..Block::from(Content::Footnote {
                    label: label.trim_end_matches(['.', ')']).to_owned(),
                    runs: footnote::runs(&lines, side, self.reader.maker.writer),
                })
            });
        }
        let others = self.blocks(others);
        self.notes.extend(others);
    }
}

fn image(picture: &Picture, alternative: Option<String>) -> Block {
    Block {
        bounds: Some(picture.bounds),
        ..Block::from(Content::Image {
            image: picture.image,
            alternative,
        })
    }
}

/// Returns the side of a note's label; without a label, the side where reading begins.
fn side(label: Option<Rect>, lines: &[Line]) -> Side {
    let first = lines.first().map(|line| line.bounds.center().0);
    let is_right = match label.zip(first) {
        Some((label, first)) => label.center().0 > first,
        None => {
            let glyphs = lines.iter().flat_map(Line::glyphs);
            bidi::is_mostly_from_right(glyphs)
        }
    };
    if is_right { Side::Right } else { Side::Left }
}
