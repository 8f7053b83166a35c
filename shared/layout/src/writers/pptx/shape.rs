//! Blocks as shapes of a slide.

use std::fmt::Write as _;

use super::slide::Slide;
use super::table;
use super::text::{self, ParagraphStyle};
use crate::writers::{Result, length, picture, plain};
use crate::{Alignment, Block, Content, Rect, Run, Script, Style};

impl Slide<'_> {
    pub(super) fn block(&mut self, block: &Block) -> Result {
        let bounds = self.bounds(block);
        match &block.content {
            Content::Heading {
                runs, alignment, ..
            } => {
                let is_title = !std::mem::replace(&mut self.has_title, true);
                let style = ParagraphStyle {
                    alignment: *alignment,
                    ..ParagraphStyle::default()
                };
                let body = text::paragraph(self, runs, &style);
                self.text(bounds, &body, is_title, runs_size(runs));
            }
            Content::Paragraph {
                runs, alignment, ..
            } => self.paragraph(bounds, runs, *alignment),
            Content::Footnote { label, runs } => {
                let style = Style {
                    script: Script::Super,
                    ..Style::default()
                };
                let label = Run {
                    text: format!("{label} "),
                    style,
                    link: None,
                };
                let runs: Vec<_> = std::iter::once(label).chain(runs.iter().cloned()).collect();
                self.paragraph(bounds, &runs, Alignment::Start);
            }
            Content::List { items } => {
                let body = text::list(self, items);
                self.text(bounds, &body, false, 0.0);
            }
            Content::Table(table) => table::frame(self, table, bounds),
            Content::Image { image, alternative } => {
                return self.image(bounds, *image, alternative.as_deref().unwrap_or_default());
            }
            Content::Rule => self.rule(bounds),
        }
        Ok(())
    }

    /// Returns the bounds of a block; without bounds, below the previous one.
    fn bounds(&mut self, block: &Block) -> Rect {
        let below = Rect {
            left: 36.0,
            top: self.bottom,
            right: (self.page.width - 36.0).max(37.0),
            bottom: self.bottom + height(block),
        };
        let bounds = length::place(block.bounds).unwrap_or(below);
        self.bottom = bounds.bottom + 6.0;
        bounds
    }

    fn paragraph(&mut self, bounds: Rect, runs: &[Run], alignment: Alignment) {
        let body = text::paragraph(
            self,
            runs,
            &ParagraphStyle {
                alignment,
                ..ParagraphStyle::default()
            },
        );
        self.text(bounds, &body, false, runs_size(runs));
    }

    /// Writes a text box. A single line is not wrapped, regardless of the font.
    fn text(&mut self, bounds: Rect, paragraphs: &str, is_title: bool, size: f32) {
        let is_line = size > 0.0 && bounds.height() < size * 1.8;
        let wrap = if is_line { "none" } else { "square" };
        let place = self.place(bounds).xml("a:xfrm");
        self.text_box(&place, paragraphs, is_title, wrap);
    }

    fn image(&mut self, bounds: Rect, image: usize, words: &str) -> Result {
        let Some(info) = picture::info(self.pictures, image)? else {
            if !words.is_empty() {
                let run = Run {
                    text: words.to_owned(),
                    style: Style::default(),
                    link: None,
                };
                self.paragraph(bounds, &[run], Alignment::Start);
            }
            return Ok(());
        };
        self.picture((image, info), bounds, words, "");
        Ok(())
    }

    fn rule(&mut self, bounds: Rect) {
        let name = self.named("Line", "");
        let place = self
            .place(Rect {
                bottom: bounds.top,
                ..bounds
            })
            .xml("a:xfrm");
        write!(
            self.xml,
            "<p:cxnSp><p:nvCxnSpPr>{name}<p:cNvCxnSpPr/><p:nvPr/></p:nvCxnSpPr>\
<p:spPr>{place}<a:prstGeom prst=\"line\"><a:avLst/></a:prstGeom><a:ln w=\"9525\"><a:solidFill><a:srgbClr val=\"000000\"/></a:solidFill></a:ln></p:spPr></p:cxnSp>"
        )
        .ok();
    }
}

/// Returns the font size of runs; 0 if unknown.
fn runs_size(runs: &[Run]) -> f32 {
    runs.iter().map(|run| run.style.size).fold(0.0, f32::max)
}

/// Estimates the height of a block, points.
fn height(block: &Block) -> f32 {
    let lines = match &block.content {
        Content::Image { .. } => 8,
        Content::Rule => 1,
        Content::Table(table) => table.rows.max(1),
        _ => plain::of_block(block)
            .lines()
            .map(|line| 1 + line.chars().count() / 90)
            .sum::<usize>()
            .max(1),
    };
    let lines = u16::try_from(lines).unwrap_or(u16::MAX);
    f32::from(lines) * 16.0
}
