//! Converts structure items to lists.

use super::build::Builder;
use super::plan::Entry;
use crate::analysis::blocks::group::{marker_of, without_marker};
use crate::analysis::blocks::list::{Indent, Nesting, shown};
use crate::analysis::glyphs::bidi;
use crate::analysis::lines::caption_words::{CaptionKind, caption_kind};
use crate::analysis::lines::column::Margins;
use crate::analysis::lines::line::Line;
use crate::analysis::lines::marker::{self, Marker};
use crate::model::block::{Block, Content, Item};
use crate::model::geometry::Rect;
use crate::model::text::plain;

/// Maximum indent between items, as a fraction of the page width.
const INDENT: f32 = 0.35;

/// Maximum vertical and horizontal distance of a label from its item, as a fraction of the font size.
const LEVEL: f32 = 0.3;
const GAP: f32 = 6.0;
/// Maximum number of letters of a label missing from the structure tree.
const LETTERS: usize = 8;
/// Maximum number of untagged lines that are searched for labels.
const REST: usize = 2_000;

/// An item with its start and marker.
struct Read {
    item: Item,
    bounds: Rect,
    start: f32,
    marker: Marker,
}

impl Builder<'_> {
    /// Adds the lists of these entries; other content between items splits lists.
    pub(super) fn list(&mut self, entries: Vec<Entry>, blocks: &mut Vec<Block>) {
        // In flat lists, some programs express levels by indents only.
        let is_flat = entries.iter().all(|entry| entry.level == 0);
        let mut open: Vec<Read> = Vec::new();
        for entry in entries {
            let Entry {
                level,
                label,
                texts,
                others,
            } = entry;
            if label.is_some_and(|label| self.is_caption(label)) {
                self.close(std::mem::take(&mut open), is_flat, blocks);
                blocks.extend(self.caption(label.into_iter().chain(texts)));
            } else {
                open.extend(self.item(level, label, texts));
            }
            let others = self.blocks(others);
            if !others.is_empty() {
                self.close(std::mem::take(&mut open), is_flat, blocks);
                blocks.extend(others);
            }
        }
        self.close(open, is_flat, blocks);
    }

    /// Whether a label names a caption, such as `Figure 12`: Word tags captions as items.
    fn is_caption(&self, label: usize) -> bool {
        let lines = self.leaves.get(label).map(Vec::as_slice);
        let text = plain(&self.reader.maker.writer.runs(lines.unwrap_or_default()));
        let mut words = text.split_whitespace();
        words
            .next()
            .and_then(caption_kind)
            .is_some_and(|kind| !matches!(kind, CaptionKind::Note | CaptionKind::Box))
            && words
                .next()
                .is_some_and(|word| word.starts_with(char::is_numeric))
    }

    /// Returns the paragraph of a label and its text.
    fn caption(&mut self, leaves: impl Iterator<Item = usize>) -> Option<Block> {
        let lines: Vec<Line> = leaves.flat_map(|leaf| self.lines(leaf)).collect();
        let bounds = Rect::around(lines.iter().map(|line| line.bounds))?;
        Some(Block {
            bounds: Some(bounds),
            ..Block::from(Content::Paragraph {
                runs: self.reader.maker.writer.runs(&lines),
                alignment: self.alignment(&lines, bounds),
                continues: false,
                preformatted: false,
            })
        })
    }

    fn item(&mut self, level: u8, label: Option<usize>, texts: Vec<usize>) -> Option<Read> {
        let mut label = label.map(|leaf| self.lines(leaf)).unwrap_or_default();
        let mut lines: Vec<Line> = texts
            .into_iter()
            .flat_map(|leaf| self.lines(leaf))
            .collect();
        if let Some(first) = lines.first().filter(|_| label.is_empty())
            && marker_of(first).is_none()
        {
            label.extend(self.beside(first));
        }
        let all = label.iter().chain(&lines);
        let bounds = Rect::around(all.clone().map(|line| line.bounds))?;
        let from_right = bidi::is_mostly_from_right(all.clone().flat_map(Line::glyphs));
        let start = all
            .clone()
            .next()
            .map(|line| self.margins(from_right).start_of(line))?;
        let mut text = plain(&self.reader.maker.writer.runs(&label))
            .trim()
            .to_owned();
        if all
            .clone()
            .next()
            .is_some_and(|line| line.is_mirrored() != from_right)
        {
            text = marker::from_right(&text);
        }
        if let Some(first) = lines.first_mut().filter(|_| label.is_empty())
            && let Some(own) = marker_of(first)
        {
            text = own;
            *first = without_marker(first);
        }
        let marker = marker::of_label(&text);
        lines.retain(|line| !line.pieces.is_empty());
        let item = Item {
            level,
            ordered: marker.is_ordered(),
            marker: shown(&text),
            runs: self.reader.maker.writer.runs(&lines),
        };
        Some(Read {
            item,
            bounds,
            start,
            marker,
        })
    }

    /// Returns the untagged label of the item that begins with this line: generated markers are often missing from the
    /// structure tree.
    fn beside(&mut self, first: &Line) -> Option<Line> {
        let from_right = bidi::is_mostly_from_right(first.glyphs());
        let is_label = |line: &Line| {
            let gap = match from_right {
                true => line.bounds.left - first.bounds.right,
                false => first.bounds.left - line.bounds.right,
            };
            (line.baseline - first.baseline).abs() < first.size * LEVEL
                && (-1.0..first.size * GAP).contains(&gap)
                && !line.is_turned()
                && line.glyphs().count() <= LETTERS
                && matches!(line.pieces.as_slice(), [_])
        };
        if self.rest.len() > REST {
            return None;
        }
        let place = self.rest.iter().position(is_label)?;
        Some(self.rest.remove(place))
    }

    fn margins(&self, from_right: bool) -> Margins {
        let page = self.reader.drawn.page;
        Margins::new((page.left, page.right), from_right)
    }

    /// Adds the lists of consecutive items.
    fn close(&self, read: Vec<Read>, is_flat: bool, blocks: &mut Vec<Block>) {
        let least = read.iter().map(|read| read.start).fold(f32::MAX, f32::min);
        let most = read.iter().map(|read| read.start).fold(f32::MIN, f32::max);
        let by_indent = is_flat && most - least < self.reader.drawn.page.width() * INDENT;
        let mut nesting = Nesting::default();
        let mut list: Option<(Rect, Vec<Item>)> = None;
        for mut one in read {
            let indent = Indent {
                marker: one.start,
                text: one.start,
            };
            let begins = nesting.open(indent, one.marker);
            if by_indent {
                one.item.level = nesting.level();
            }
            match &mut list {
                Some((bounds, items)) if !(begins && one.item.level == 0) => {
                    *bounds = bounds.union(&one.bounds);
                    items.push(one.item);
                }
                _ => {
                    blocks.extend(list.take().map(block));
                    list = Some((one.bounds, vec![one.item]));
                }
            }
        }
        blocks.extend(list.map(block));
    }
}

fn block((bounds, items): (Rect, Vec<Item>)) -> Block {
    Block {
        bounds: Some(bounds),
        ..Block::from(Content::List { items })
    }
}
