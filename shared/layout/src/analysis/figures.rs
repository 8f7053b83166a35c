//! Charts, diagrams and other vector drawings of a page, with their labels.
//!
//! Drawings that are near each other form regions (run-length smoothing, Wong 1982), which grow by the short texts around them.
//! Each region is a scored candidate; the largest ones with a positive score are figures.

mod features;
mod labels;
mod linked;
mod marks;
mod regions;
mod setting;
mod text;

use crate::analysis::candidates::candidate::{Candidate, Trace};
use crate::analysis::glyphs::clean;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::pieces;
use crate::analysis::glyphs::turn::Turn;
use crate::analysis::lines::line::{Line, lines};
use crate::analysis::lines::write::Writer;
use crate::model::block::{Alignment, Block, Content};
use crate::model::geometry::Rect;
use crate::model::page_content::{PageContent, Picture};
use crate::model::structure::Tag;
use crate::model::text::{Run, Style, plain};

use self::labels::extended;
use self::marks::{Mark, marks};
use self::setting::Setting;
use self::text::Text;

/// Maximum number of figures of a page.
const FIGURES: usize = 50;

/// A figure with the text in it.
pub(in crate::analysis) struct Figure {
    pub(in crate::analysis) bounds: Rect,
    /// Tag of its first character that has one.
    pub(in crate::analysis) tag: Tag,
    /// Index of its image among the pictures of the document, if it was rendered.
    image: Option<usize>,
    /// From top to bottom.
    lines: Vec<Line>,
}

/// Returns the regions of vector drawings of a page that should be kept as pictures, labels included.
#[must_use]
pub fn figures(content: &PageContent) -> Vec<Rect> {
    let turn = Turn::of(content);
    let turned = turn.sheet(content);
    let upright = turned.as_ref().unwrap_or(content);
    let page = clean::page(upright);
    let marks = drawn(upright, &page);
    if marks.is_empty() {
        return Vec::new();
    }
    let lines = lines_of(&clean::glyphs(upright));
    let found = find(&page, &marks, &lines, &Trace::default());
    let back = |region: Rect| turn.back_from(region, content.size);
    found.into_iter().map(back).collect()
}

/// Removes the text of figures from the characters of a page and returns the figures: those that were rendered, else all.
pub(in crate::analysis) fn take(
    sheet: &PageContent,
    glyphs: &mut Vec<Glyph>,
    trace: &Trace,
) -> Vec<Figure> {
    let page = clean::page(sheet);
    let marks = match sheet.figures.is_empty() {
        true => drawn(sheet, &page),
        false => Vec::new(),
    };
    if marks.is_empty() && sheet.figures.is_empty() {
        return Vec::new();
    }
    let lines = lines_of(glyphs);
    let found = find(&page, &marks, &lines, trace).into_iter();
    let found = found.map(|bounds| Figure::new(bounds, None));
    let rendered = sheet.figures.iter().map(Figure::rendered);
    let mut figures: Vec<Figure> = rendered.chain(found).collect();
    if figures.is_empty() {
        return figures;
    }
    let mut taken = vec![false; glyphs.len()];
    for line in lines {
        let holds = |figure: &&mut Figure| text::is_within(&line.bounds, &figure.bounds);
        let Some(figure) = figures.iter_mut().find(holds) else {
            continue;
        };
        for glyph in line.glyphs() {
            let place = taken.get_mut(glyph.order);
            place.into_iter().for_each(|taken| *taken = true);
            if figure.tag == Tag::None {
                figure.tag = glyph.tag;
            }
        }
        figure.lines.push(line);
    }
    let mut taken = taken.into_iter();
    glyphs.retain(|_| taken.next() != Some(true));
    figures.iter_mut().for_each(Figure::sort);
    figures
}

/// Returns the marks of a page; none if all are rules.
fn drawn(sheet: &PageContent, page: &Rect) -> Vec<Mark> {
    let mut marks = marks(sheet, page);
    if marks.iter().all(Mark::is_rule) {
        marks.clear();
    }
    marks
}

/// Returns the figures among the candidates of a page.
fn find(page: &Rect, marks: &[Mark], lines: &[Line], trace: &Trace) -> Vec<Rect> {
    let texts: Vec<Text> = match marks.is_empty() {
        true => return Vec::new(),
        false => lines.iter().map(Text::of).collect(),
    };
    let setting = Setting::new(page, marks, &texts);
    let mut candidates: Vec<Candidate> = Vec::new();
    for region in regions::regions(&setting) {
        let region = extended(region, &setting);
        let is_known = candidates.iter().any(|known| known.bounds == region);
        if !is_known {
            candidates.extend(features::candidate(&region, &setting));
        }
    }
    let area = |candidate: &Candidate| candidate.bounds.width() * candidate.bounds.height();
    candidates.sort_by(|one, other| area(other).total_cmp(&area(one)));
    let mut found: Vec<Rect> = Vec::new();
    for mut candidate in candidates {
        let is_apart = |other: &Rect| other.within(&candidate.bounds).is_none();
        candidate.is_chosen &= found.len() < FIGURES && found.iter().all(is_apart);
        if candidate.is_chosen {
            found.push(candidate.bounds);
        }
        trace.note(|| candidate);
    }
    found
}

/// Returns the lines of characters; each character has its index as its order.
fn lines_of(glyphs: &[Glyph]) -> Vec<Line> {
    let numbered = glyphs.iter().enumerate().map(|(order, glyph)| Glyph {
        order,
        ..glyph.clone()
    });
    lines(pieces(numbered.collect()))
}

impl Figure {
    fn new(bounds: Rect, image: Option<usize>) -> Self {
        Self {
            bounds,
            tag: Tag::None,
            image,
            lines: Vec::new(),
        }
    }

    fn rendered(picture: &Picture) -> Self {
        Self::new(picture.bounds, Some(picture.image))
    }

    /// Sorts its lines from top to bottom, those on one baseline from left to right.
    fn sort(&mut self) {
        self.lines
            .sort_by(|one, other| one.core().end.total_cmp(&other.core().end));
        let size = self.lines.iter().map(|line| line.size).sum::<f32>();
        let size = size / text::to_f32(self.lines.len().max(1));
        let is_level = |one: &Line, next: &Line| next.core().end - one.core().end < size * 0.3;
        for row in self.lines.chunk_by_mut(is_level) {
            row.sort_by(|one, other| one.bounds.left.total_cmp(&other.bounds.left));
        }
    }

    /// Returns the font and size of its text.
    fn style(&self) -> Style {
        let first = self.lines.iter().flat_map(Line::glyphs).next();
        let Style { font, size, .. } = first.map(Glyph::style).unwrap_or_default();
        Style {
            font,
            size,
            ..Style::default()
        }
    }

    /// Returns its block: a picture with its text as alternative text, or the text; `None` if there is neither.
    pub(in crate::analysis) fn block(
        &self,
        alternative: Option<String>,
        writer: Writer<'_>,
    ) -> Option<Block> {
        let texts = self.lines.iter().map(|line| plain(&writer.runs([line])));
        let texts: Vec<String> = alternative.into_iter().chain(texts).collect();
        let text = texts.join(" ");
        let content = match self.image {
            Some(image) => Content::Image {
                image,
                alternative: (!text.is_empty()).then_some(text),
            },
            None if text.is_empty() => return None,
            None => Content::Paragraph {
                runs: vec![Run {
                    text,
                    style: self.style(),
                    link: None,
                }],
                alignment: Alignment::Start,
                continues: false,
                preformatted: false,
            },
        };
        Some(Block {
            bounds: Some(self.bounds),
            ..Block::from(content)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::model::fixed::Area;
    use crate::model::geometry::Size;
    use crate::model::page_content::{Character, Drawing, Font};

    /// Writes a word at a place.
    fn write(sheet: &mut PageContent, word: &str, left: f32, baseline: f32) {
        let places = (0..200_u8).map(|place| left + 5.0 * f32::from(place));
        let characters = word.chars().zip(places).map(|(text, start)| Character {
            text,
            bounds: Rect::between((start, baseline - 8.0), (start + 5.0, baseline + 2.0)),
            baseline,
            start,
            advance: 5.0,
            size: 10.0,
            font: Arc::new(Font::default()),
            color: [0; 3],
            angle: 0.0,
            is_hidden: false,
            tag: Tag::None,
        });
        sheet.characters.extend(characters);
    }

    fn fill(sheet: &mut PageContent, corner: (f32, f32), other: (f32, f32)) {
        let bounds = Rect::between(corner, other);
        let color = [60, 90, 200];
        sheet.drawings.push(Drawing::Area(Area { bounds, color }));
    }

    fn blank() -> PageContent {
        PageContent {
            number: 1,
            size: Size {
                width: 600.0,
                height: 800.0,
            },
            ..PageContent::default()
        }
    }

    /// Bars with labels below a paragraph.
    fn chart() -> PageContent {
        let mut sheet = blank();
        for line in 0..4_u8 {
            let baseline = 60.0 + 12.0 * f32::from(line);
            write(
                &mut sheet,
                "Most of this is said at length here",
                80.0,
                baseline,
            );
        }
        fill(&mut sheet, (140.0, 399.0), (400.0, 400.0));
        for (place, label) in (0..5_u8).zip(["May", "June", "July", "Aug", "Sep"]) {
            let left = 150.0 + 50.0 * f32::from(place);
            let height = 40.0 + 20.0 * f32::from(place);
            fill(&mut sheet, (left, 400.0 - height), (left + 20.0, 400.0));
            write(&mut sheet, label, left, 412.0);
        }
        sheet
    }

    fn taken(sheet: &PageContent) -> (Vec<Figure>, String) {
        let mut glyphs = clean::glyphs(sheet);
        let figures = take(sheet, &mut glyphs, &Trace::default());
        (figures, glyphs.iter().map(|glyph| glyph.text).collect())
    }

    #[test]
    fn a_chart_takes_its_labels_and_leaves_the_text() {
        let (figures, rest) = taken(&chart());
        assert_eq!(figures.len(), 1);
        assert_eq!(figures[0].lines.len(), 5);
        assert!(rest.starts_with("Most") && rest.ends_with("here"), "{rest}");
    }

    #[test]
    fn a_table_with_fills_is_no_figure() {
        let mut sheet = blank();
        for row in 0..6_u8 {
            let top = 200.0 + 20.0 * f32::from(row);
            fill(
                &mut sheet,
                (100.0, top),
                (180.0 + f32::from(row), top + 18.0),
            );
            for left in [105.0, 205.0, 305.0] {
                write(&mut sheet, "Some words of it", left, top + 13.0);
            }
        }
        assert!(taken(&sheet).0.is_empty());
        assert!(figures(&sheet).is_empty());
    }

    #[test]
    fn a_rendered_figure_replaces_what_is_in_it() {
        let mut sheet = chart();
        let region = figures(&sheet)[0];
        sheet.figures.push(Picture {
            bounds: region,
            image: 7,
            tag: Tag::None,
        });
        let (figures, _) = taken(&sheet);
        assert_eq!(figures[0].image, Some(7));
        sheet.figures[0].bounds = Rect::between((0.0, 0.0), (1.0, 1.0));
        let (figures, rest) = taken(&sheet);
        assert!(figures[0].lines.is_empty() && rest.contains("May"));
    }

    /// Four boxes below one another with a label in each, and lines between them if they are linked.
    fn flow_chart(is_linked: bool) -> PageContent {
        let mut sheet = blank();
        for (place, label) in (0..4_u8).zip(["Order", "Check", "Pack", "Send"]) {
            let top = 200.0 + 60.0 * f32::from(place);
            fill(&mut sheet, (200.0, top), (480.0, top + 30.0));
            write(&mut sheet, label, 330.0, top + 18.0);
            if is_linked && place > 0 {
                fill(&mut sheet, (339.5, top - 30.0), (340.5, top));
            }
        }
        sheet
    }

    #[test]
    fn boxes_that_lines_connect_are_a_figure_and_others_are_not() {
        let (figures, rest) = taken(&flow_chart(true));
        assert!(figures.len() == 1 && rest.is_empty(), "{rest}");
        assert_eq!(figures[0].lines.len(), 4);
        assert!(taken(&flow_chart(false)).0.is_empty());
    }

    #[test]
    fn linked_boxes_of_prose_are_no_figure() {
        let mut sheet = flow_chart(true);
        for place in 0..4_u8 {
            let top = 200.0 + 60.0 * f32::from(place);
            for line in 0..2_u8 {
                let baseline = top + 8.0 + 10.0 * f32::from(line);
                let text = "the order of the miller is in the box by the river";
                write(&mut sheet, text, 205.0, baseline);
            }
        }
        assert!(taken(&sheet).0.is_empty());
    }
}
