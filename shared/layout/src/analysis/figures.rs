//! Charts, diagrams and other vector drawings of a page, with their labels, and formulas.
//!
//! Drawings that are near each other form regions (run-length smoothing, Wong 1982), which grow by the short texts around them.
//! Each region is a scored candidate; the largest ones with a positive score are figures.

mod features;
mod figure;
mod formulas;
mod labels;
mod linked;
mod marks;
mod regions;
mod setting;
mod text;

use std::cell::LazyCell;

use crate::analysis::candidates::candidate::{Candidate, Trace};
use crate::analysis::glyphs::clean;
use crate::analysis::glyphs::glyph::Glyph;
use crate::analysis::glyphs::piece::pieces;
use crate::analysis::glyphs::turn::Turn;
use crate::analysis::lines::line::{Line, lines};
use crate::analysis::tables::grid::Grid;
use crate::analysis::tables::{content, detect};
use crate::model::geometry::Rect;
use crate::model::page_content::{PageContent, Stroke};
use crate::model::structure::Tag;

pub(in crate::analysis) use self::figure::Figure;
use self::labels::extended;
use self::marks::{Mark, marks};
use self::setting::Setting;
use self::text::Text;

/// Maximum number of figures of a page, and of further regions beyond the limit of regions that are scored.
const FIGURES: usize = 50;
const FURTHER: usize = 40;
/// Minimum score of a region that may be a figure: a probability of a tenth.
const DOUBTFUL: f32 = -2.2;
/// Maximum distance of the rules above and below a table from its edges, points, and minimum part of its width that they have.
const EDGE: f32 = 4.0;
const WIDE: f32 = 0.7;

/// Regions of vector drawings and formulas of a page, labels included.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureRegions {
    /// Regions kept as pictures.
    pub figures: Vec<Rect>,
    /// Possible figures that are not kept. Tables, rules, boxes and backgrounds are none.
    pub others: Vec<Rect>,
    /// Formulas that a line of text cannot show, kept as pictures; apart from the figures.
    pub formulas: Vec<Rect>,
}

/// Returns the regions of vector drawings and formulas of a page.
#[must_use]
pub fn figures(content: &PageContent) -> FigureRegions {
    let turn = Turn::of(content);
    let turned = turn.sheet(content);
    let upright = turned.as_ref().unwrap_or(content);
    let glyphs = LazyCell::new(|| clean::glyphs(upright));
    let Some((mut found, _)) = found(upright, &glyphs, &Trace::default()) else {
        return FigureRegions::default();
    };
    found.keep_apart();
    if !found.others.is_empty() {
        let tables = tables_of(upright, &glyphs);
        let is_in = |one: &Rect, other: &Rect| other.contains(one.center());
        found.others.retain(|region| {
            let mut tables = tables.iter().map(|table| &table.bounds);
            !tables.any(|table| is_in(region, table) || is_in(table, region))
        });
    }
    let drawn = found.figures.iter_mut().chain(&mut found.others);
    for region in drawn.chain(&mut found.formulas) {
        *region = turn.back_from(*region, content.size);
    }
    found
}

/// Returns the figures and formulas of a page, and the lines of its characters; `None` if it has neither drawings nor signs of
/// formulas.
fn found(
    sheet: &PageContent,
    glyphs: &[Glyph],
    trace: &Trace,
) -> Option<(FigureRegions, Vec<Line>)> {
    let page = clean::page(sheet);
    let marks = marks(sheet, &page);
    let is_drawn = !marks.iter().all(Mark::is_rule);
    let has_signs = formulas::may_have_some(sheet, glyphs);
    if !is_drawn && !has_signs {
        return None;
    }
    let lines = lines_of(glyphs);
    let mut found = match is_drawn {
        true => find(&page, &marks, &lines, trace),
        false => FigureRegions::default(),
    };
    if has_signs {
        let tables = || ruled(&tables_of(sheet, glyphs), &marks);
        found.formulas = formulas::regions((&page, &marks), &lines, tables, trace);
        let figures = &found.figures;
        let is_apart = |one: &Rect| figures.iter().all(|figure| figure.within(one).is_none());
        found.formulas.retain(is_apart);
    }
    Some((found, lines))
}

/// Returns the bounds of the tables with rules at their upper and lower edges.
fn ruled(tables: &[Grid], marks: &[Mark]) -> Vec<Rect> {
    let is_rule_at = |table: &Rect, y: f32| {
        let mut rules = marks.iter().filter(|mark| mark.is_rule());
        rules.any(|rule| {
            (rule.bounds.center().1 - y).abs() < EDGE
                && rule.bounds.shared_width(table) > WIDE * table.width()
        })
    };
    let tables = tables.iter().map(|table| table.bounds);
    let ruled = tables.filter(|one| is_rule_at(one, one.top) && is_rule_at(one, one.bottom));
    ruled.collect()
}

/// Returns the tables of a page with their fills and rules.
fn tables_of(sheet: &PageContent, glyphs: &[Glyph]) -> Vec<Grid> {
    let page = clean::page(sheet);
    let strokes = sheet.strokes.iter();
    let strokes = strokes.filter_map(|stroke| clean::on(&page, &stroke.bounds));
    let strokes: Vec<Stroke> = strokes.map(|bounds| Stroke { bounds }).collect();
    let fills = sheet.fills.iter().filter_map(|fill| clean::on(&page, fill));
    let fills: Vec<Rect> = fills.collect();
    let graphics = content::Content::new(page, &strokes, &fills, glyphs);
    detect::tables(&graphics, glyphs, &Trace::default())
}

/// Removes the text of figures and formulas from the characters of a page and returns them: those that were rendered, else all.
pub(in crate::analysis) fn take(
    sheet: &PageContent,
    glyphs: &mut Vec<Glyph>,
    trace: &Trace,
) -> Vec<Figure> {
    let (found, lines) = match sheet.figures.is_empty() {
        true => match found(sheet, glyphs, trace) {
            Some(found) => found,
            None => return Vec::new(),
        },
        false => (FigureRegions::default(), lines_of(glyphs)),
    };
    let found = found.figures.into_iter().chain(found.formulas);
    let found = found.map(|bounds| Figure::new(bounds, None));
    let rendered = sheet.figures.iter().map(Figure::rendered);
    let mut figures: Vec<Figure> = rendered.chain(found).collect();
    if figures.is_empty() {
        return figures;
    }
    let mut taken = vec![false; glyphs.len()];
    for line in lines {
        let core = formulas::core(&line);
        let is_in =
            |area: &Rect| text::is_within(&line.bounds, area) || text::is_within(&core, area);
        let holds = |figure: &&mut Figure| is_in(&figure.bounds);
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

/// Returns the figures among the candidates of a page, and the other ones that may be figures.
fn find(page: &Rect, marks: &[Mark], lines: &[Line], trace: &Trace) -> FigureRegions {
    let mut found = FigureRegions::default();
    let texts: Vec<Text> = match marks.is_empty() {
        true => return found,
        false => lines.iter().map(Text::of).collect(),
    };
    let setting = Setting::new(page, marks, &texts);
    let mut candidates: Vec<Candidate> = Vec::new();
    let (regions, further) = regions::regions(&setting);
    for region in regions {
        let region = extended(region, &setting);
        let is_known = candidates.iter().any(|known| known.bounds == region);
        if !is_known {
            candidates.extend(features::candidate(&region, &setting));
        }
    }
    let area = |candidate: &Candidate| candidate.bounds.width() * candidate.bounds.height();
    candidates.sort_by(|one, other| area(other).total_cmp(&area(one)));
    for mut candidate in candidates {
        let is_apart = |other: &Rect| other.within(&candidate.bounds).is_none();
        let figures = &found.figures;
        candidate.is_chosen &= figures.len() < FIGURES && figures.iter().all(is_apart);
        if candidate.is_chosen {
            found.figures.push(candidate.bounds);
        } else if candidate.score > DOUBTFUL {
            found.others.push(candidate.bounds);
        }
        trace.note(|| candidate);
    }
    let further = further.iter().take(FURTHER);
    let further = further.filter_map(|region| features::candidate(region, &setting));
    let further = further.filter(|candidate| candidate.score > 0.0);
    found
        .others
        .extend(further.map(|candidate| candidate.bounds));
    found
}

impl FigureRegions {
    /// Removes other regions that overlap figures.
    fn keep_apart(&mut self) {
        let is_apart = |one: &Rect, other: &Rect| one.within(other).is_none();
        let kept = || self.figures.iter().chain(&self.formulas);
        let is_other = |region: &Rect| kept().all(|figure| is_apart(figure, region));
        self.others.retain(is_other);
    }
}

/// Returns the lines of characters; each character has its index as its order.
fn lines_of(glyphs: &[Glyph]) -> Vec<Line> {
    let numbered = glyphs.iter().enumerate().map(|(order, glyph)| Glyph {
        order,
        ..glyph.clone()
    });
    lines(pieces(numbered.collect()))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::analysis::front::marked;
    use crate::model::fixed::{Area, PathSegment, Shape};
    use crate::model::geometry::Size;
    use crate::model::page_content::{Character, Drawing, Font, Picture};

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
        assert_eq!(figures(&sheet), FigureRegions::default());
    }

    #[test]
    fn a_rendered_figure_replaces_what_is_in_it() {
        let mut sheet = chart();
        let region = figures(&sheet).figures[0];
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

    #[test]
    fn a_picture_in_a_figure_stays_unless_the_figure_is_rendered() {
        let mut sheet = chart();
        let picture = |bounds| Picture {
            bounds,
            image: 3,
            tag: Tag::None,
        };
        let inner = Rect::between((200.0, 380.0), (220.0, 395.0));
        sheet.pictures.push(picture(inner));
        let pictures = |sheet: &PageContent| marked(sheet, &Trace::default()).1.pictures.len();
        assert_eq!(pictures(&sheet), 1);
        sheet.figures.push(picture(figures(&sheet).figures[0]));
        assert_eq!(pictures(&sheet), 0);
    }

    /// A page with a line of a chart that fills most of it, in a frame.
    fn large(fill: Option<[u8; 3]>) -> PageContent {
        let mut sheet = blank();
        let points = (0..30_u8).map(|point| {
            let height = if point.is_multiple_of(2) {
                100.0
            } else {
                680.0
            };
            (50.0 + 17.0 * f32::from(point), height)
        });
        let lines = points.skip(1).map(PathSegment::Line);
        let shape = Shape {
            segments: std::iter::once(PathSegment::Move((50.0, 100.0)))
                .chain(lines)
                .collect(),
            fill,
            is_even_odd: false,
            stroke: None,
        };
        let clip = Rect::between((0.0, 0.0), (600.0, 800.0));
        sheet.drawings.push(Drawing::Shape(shape, clip));
        sheet
    }

    #[test]
    fn a_line_that_fills_the_page_is_a_chart_and_a_filled_path_is_a_background() {
        let found = |sheet: &PageContent| {
            let found = figures(sheet);
            (found.figures.len(), found.others.len())
        };
        assert_eq!(found(&large(None)), (1, 0));
        assert_eq!(found(&large(Some([9; 3]))), (0, 0));
    }

    #[test]
    fn figures_beyond_the_limit_may_be_figures() {
        let mut sheet = blank();
        // Small bar charts far from each other.
        for place in 0..48_u8 {
            let (column, row) = (f32::from(place % 6), f32::from(place / 6));
            let (left, base) = (20.0 + 98.0 * column, 60.0 + 90.0 * row);
            for bar in 0..4_u8 {
                let (at, height) = (left + 10.0 * f32::from(bar), 8.0 + 8.0 * f32::from(bar));
                fill(&mut sheet, (at, base - height), (at + 6.0, base));
            }
        }
        let found = figures(&sheet);
        assert_eq!(found.figures.len(), 40);
        assert_eq!(found.others.len(), 8);
    }
}
