//! Formulas on pages with paragraphs.

use std::sync::Arc;

use crate::analysis::candidates::candidate::Trace;
use crate::analysis::figures::{Figure, figures, take};
use crate::analysis::glyphs::clean;
use crate::model::fixed::Area;
use crate::model::geometry::{Rect, Size};
use crate::model::page_content::{Character, Drawing, Font, PageContent, Picture};
use crate::model::structure::Tag;

const PROSE: &str = "Most of what follows is said at some length here";

/// A page with text of a size in a font.
struct Page {
    sheet: PageContent,
    math: Arc<Font>,
    text: Arc<Font>,
}

impl Page {
    fn new() -> Self {
        Self {
            sheet: PageContent {
                number: 1,
                size: Size {
                    width: 600.0,
                    height: 800.0,
                },
                ..PageContent::default()
            },
            math: Arc::new(Font {
                is_math: true,
                ..Font::default()
            }),
            text: Arc::default(),
        }
    }

    fn write(&mut self, text: &str, place: (f32, f32), size: f32, font: &Arc<Font>) {
        let (mut left, baseline) = place;
        for text in text.chars() {
            let right = left + size / 2.0;
            self.sheet.characters.push(Character {
                text,
                bounds: Rect::between(
                    (left, baseline - size * 0.8),
                    (right, baseline + size * 0.2),
                ),
                baseline,
                start: left,
                advance: size / 2.0,
                size,
                font: font.clone(),
                color: [0; 3],
                angle: 0.0,
                is_hidden: false,
                tag: Tag::None,
            });
            left = right;
        }
    }

    fn text(&mut self, text: &str, left: f32, baseline: f32) {
        let font = self.text.clone();
        self.write(text, (left, baseline), 10.0, &font);
    }

    fn math(&mut self, text: &str, left: f32, baseline: f32) {
        let font = self.math.clone();
        self.write(text, (left, baseline), 10.0, &font);
    }

    fn small(&mut self, text: &str, left: f32, baseline: f32) {
        let font = self.math.clone();
        self.write(text, (left, baseline), 7.0, &font);
    }

    /// Writes a sum that hangs from its baseline.
    fn sum(&mut self, left: f32, top: f32) {
        self.math("∑", left, top);
        if let Some(sum) = self.sheet.characters.last_mut() {
            sum.bounds = Rect::between((left, top), (left + 14.0, top + 14.0));
        }
    }

    fn bar(&mut self, left: f32, right: f32, y: f32) {
        let bounds = Rect::between((left, y - 0.2), (right, y + 0.2));
        let color = [0; 3];
        self.sheet
            .drawings
            .push(Drawing::Area(Area { bounds, color }));
    }

    /// Writes paragraphs above 190 and below 250 points.
    fn paragraphs(&mut self) {
        for line in 0..4_u8 {
            let down = 12.0 * f32::from(line);
            self.text(PROSE, 80.0, 150.0 + down);
            self.text(PROSE, 80.0, 265.0 + down);
        }
    }

    fn formulas(&self) -> Vec<Rect> {
        figures(&self.sheet).formulas
    }

    fn taken(&self) -> (Vec<Figure>, String) {
        let mut glyphs = clean::glyphs(&self.sheet);
        let figures = take(&self.sheet, &mut glyphs, &Trace::default());
        (figures, glyphs.iter().map(|glyph| glyph.text).collect())
    }
}

fn texts(figure: &Figure) -> String {
    let lines = figure.lines.iter().map(|line| {
        let glyphs = line.glyphs().map(|glyph| glyph.text);
        glyphs.collect::<String>()
    });
    lines.collect::<Vec<String>>().join(" ")
}

/// A fraction with a number at its right, between paragraphs.
fn fraction() -> Page {
    let mut page = Page::new();
    page.paragraphs();
    page.math("x=", 200.0, 222.0);
    page.math("a+b", 222.0, 215.0);
    page.bar(220.0, 240.0, 219.5);
    page.math("c", 227.0, 229.0);
    page.text("(3)", 500.0, 222.0);
    page
}

#[test]
fn a_fraction_is_a_formula_without_its_number() {
    let page = fraction();
    let [region] = page.formulas()[..] else {
        panic!("{:?}", page.formulas());
    };
    assert!(region.left == 200.0 && region.right < 250.0, "{region:?}");
    let (figures, rest) = page.taken();
    assert_eq!(texts(&figures[0]), "a+b x= c");
    assert!(rest.contains("(3)") && !rest.contains('x'), "{rest}");
}

#[test]
fn the_text_of_a_rendered_formula_is_its_alternative_text() {
    let mut page = fraction();
    page.sheet.figures = page
        .formulas()
        .into_iter()
        .map(|bounds| Picture {
            bounds,
            image: 4,
            tag: Tag::None,
        })
        .collect();
    let (figures, rest) = page.taken();
    assert!(figures[0].is_rendered() && !rest.contains('c'), "{rest}");
    assert_eq!(texts(&figures[0]), "a+b x= c");
}

#[test]
fn a_sum_with_limits_is_a_formula() {
    let mut page = Page::new();
    page.paragraphs();
    page.math("S=", 200.0, 222.0);
    page.sum(222.0, 212.0);
    page.small("n", 227.0, 210.0);
    page.small("k=1", 224.0, 233.0);
    page.math("k+1", 240.0, 222.0);
    assert_eq!(page.formulas().len(), 1);
    let (figures, rest) = page.taken();
    assert!(!rest.contains('∑') && !rest.contains('='), "{rest}");
    assert_eq!(figures[0].lines.len(), 5);
}

#[test]
fn a_formula_of_one_line_stays_text() {
    let mut page = Page::new();
    page.paragraphs();
    page.math("E=mc", 200.0, 222.0);
    page.small("2", 220.0, 218.0);
    page.math("+x", 225.0, 222.0);
    page.small("ij", 235.0, 224.0);
    page.text("(4)", 500.0, 222.0);
    assert!(page.formulas().is_empty());
}

#[test]
fn signs_within_a_paragraph_stay_text() {
    let mut page = Page::new();
    page.paragraphs();
    page.text("which is the value of", 80.0, 198.0);
    page.sum(190.0, 188.0);
    page.small("k=1", 204.0, 201.0);
    page.math("x", 216.0, 198.0);
    page.text("and of the other values", 226.0, 198.0);
    page.text("where half of it is", 80.0, 210.0);
    page.small("1", 182.0, 205.0);
    page.bar(181.0, 187.0, 207.0);
    page.small("2", 182.0, 214.0);
    page.text("and the rest of it is not", 192.0, 210.0);
    assert!(page.formulas().is_empty(), "{:?}", page.formulas());
}

#[test]
fn a_table_of_numbers_has_no_formulas() {
    let mut page = Page::new();
    page.bar(80.0, 400.0, 100.0);
    for row in 0..6_u8 {
        let baseline = 115.0 + 14.0 * f32::from(row);
        page.text("Bridges", 85.0, baseline);
        for left in [200.0, 280.0, 360.0] {
            page.math("−", left, baseline);
            page.text("12.5", left + 5.0, baseline);
        }
        page.bar(80.0, 400.0, baseline + 4.0);
    }
    assert!(page.formulas().is_empty(), "{:?}", page.formulas());
}

#[test]
fn recognized_pages_and_those_without_signs_of_formulas_have_none() {
    let mut page = fraction();
    page.sheet.is_recognized = true;
    assert!(page.formulas().is_empty());
    let mut page = fraction();
    for character in &mut page.sheet.characters {
        character.font = Arc::default();
    }
    assert!(page.formulas().is_empty());
}

#[test]
fn a_fraction_in_a_cell_of_a_table_stays_text() {
    let mut page = Page::new();
    page.paragraphs();
    for row in 0..5_u8 {
        let top = 320.0 + 30.0 * f32::from(row);
        page.bar(80.0, 400.0, top);
        page.text("Bridges", 85.0, top + 18.0);
        page.math("a", 251.0, top + 12.0);
        page.bar(250.0, 257.0, top + 15.0);
        page.math("b", 251.0, top + 24.0);
        page.text("open", 350.0, top + 18.0);
    }
    page.bar(80.0, 400.0, 470.0);
    assert!(page.formulas().is_empty(), "{:?}", page.formulas());
}

#[test]
fn rotated_labels_are_no_formulas() {
    let mut page = Page::new();
    page.paragraphs();
    page.math("xyz", 200.0, 222.0);
    for character in page.sheet.characters.iter_mut().rev().take(3) {
        character.angle = 60.0;
        character.bounds.bottom += 12.0;
    }
    assert!(page.formulas().is_empty(), "{:?}", page.formulas());
}

#[test]
fn conditions_at_the_right_of_cases_are_part_of_the_formula() {
    let mut page = Page::new();
    page.paragraphs();
    page.math("f(x)=", 150.0, 222.0);
    page.math("{", 178.0, 222.0);
    if let Some(brace) = page.sheet.characters.last_mut() {
        brace.bounds = Rect::between((178.0, 207.0), (184.0, 233.0));
    }
    page.math("0,", 186.0, 215.0);
    page.text("if", 206.0, 215.0);
    page.math("x<y", 219.0, 215.0);
    page.math("x,", 186.0, 230.0);
    page.text("otherwise", 206.0, 230.0);
    let [region] = page.formulas()[..] else {
        panic!("{:?}", page.formulas());
    };
    assert_eq!((region.left, region.right), (150.0, 251.0));
    let (_, rest) = page.taken();
    assert!(!rest.contains("otherwise"), "{rest}");
}
