//! Hostile and degenerate pages.

use layout::analysis::Warning;
use layout::{Rect, Stroke, Tag};

use crate::pen::{Pen, readings};

fn warnings(pen: &Pen) -> Vec<Warning> {
    readings(std::slice::from_ref(&pen.sheet))
        .remove(0)
        .warnings
}

/// Returns the number of letters `w` that are read.
fn letters(pen: &Pen) -> usize {
    let read = pen.read();
    read.lines()
        .filter_map(|line| line.split_once(' '))
        .map(|(_, text)| text.matches('w').count())
        .sum()
}

#[test]
fn pages_without_text_are_reported() {
    let mut pen = Pen::new();
    assert_eq!(warnings(&pen), []);
    pen.line((10.0, 10.0), (90.0, 10.0));
    assert_eq!(warnings(&pen), [Warning::NoText]);
    let mut pen = Pen::new();
    pen.picture(Rect::between((0.0, 0.0), (600.0, 800.0)));
    assert_eq!(warnings(&pen), [Warning::NoText]);
}

#[test]
fn invisible_text_is_read_and_reported() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "Recognized.");
    pen.sheet
        .characters
        .iter_mut()
        .for_each(|character| character.is_hidden = true);
    assert_eq!(warnings(&pen), [Warning::RecognizedText]);
    assert_eq!(pen.read(), "p Recognized.\n");
}

#[test]
fn unknown_characters_are_counted() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "A\u{fffd}B \u{fffd}");
    assert_eq!(warnings(&pen), [Warning::UnknownCharacters { count: 2 }]);
}

#[test]
fn ten_thousand_letters_on_one_spot_are_all_read() {
    let mut pen = Pen::new();
    for _ in 0..10_000 {
        pen.write(50.0, 60.0, "w");
    }
    assert_eq!(letters(&pen), 10_000);
}

#[test]
fn a_hundred_thousand_letters_are_all_read() {
    let mut pen = Pen::new();
    pen.sized(1.0);
    for line in 0_u16..400 {
        pen.write(50.0, 20.0 + f32::from(line) * 1.5, &"wwww ".repeat(50));
    }
    assert_eq!(letters(&pen), 400 * 200);
}

#[test]
fn thousands_of_crossing_lines_are_handled() {
    let mut pen = Pen::new();
    for index in 0_u16..5_000 {
        let y = f32::from(index) * 0.15;
        pen.sheet.strokes.push(Stroke {
            bounds: Rect::between((50.0 + f32::from(index % 40), y), (500.0, y + 0.1)),
        });
        if index % 50 == 0 {
            pen.write(60.0, y, "w").write(300.0, y, "w");
        }
    }
    assert_eq!(letters(&pen), 200);
}

#[test]
fn thousands_of_rule_parts_among_thousands_of_texts_are_handled() {
    let mut pen = Pen::new();
    pen.sized(1.0);
    for line in 0_u16..4 {
        for index in 0_u16..4_900 {
            let (x, y) = (f32::from(index) * 5.0, 10.0 + f32::from(line) * 190.0);
            pen.sheet.strokes.push(Stroke {
                bounds: Rect::between((x, y), (x + 5.0, y + 0.5)),
            });
        }
    }
    for row in 0_u16..300 {
        for column in 0_u8..20 {
            let x = 20.0 + f32::from(column) * 25.0;
            pen.write(x, 20.0 + f32::from(row) * 1.8, "w");
        }
    }
    assert_eq!(letters(&pen), 6_000);
}

#[test]
fn skewed_text_is_read() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "Askew but whole.");
    for character in &mut pen.sheet.characters {
        character.angle = 3.0;
        let raised = (character.bounds.left - 50.0) * 0.05;
        character.bounds.top -= raised;
        character.bounds.bottom -= raised;
        character.baseline -= raised;
    }
    assert_eq!(pen.read(), "p Askew but whole.\n");
}

#[test]
fn tags_without_a_structure_tree_are_ignored() {
    let mut pen = Pen::new();
    pen.tag = Tag::Artifact;
    pen.write(50.0, 60.0, "It is read all the same.");
    assert_eq!(pen.read(), "p It is read all the same.\n");
    assert_eq!(warnings(&pen), []);
}
