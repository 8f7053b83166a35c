//! Fixed layout: everything is at its position, and nothing is duplicated.

use layout::analysis::{FixedReading, Warning, fixed_page};
use layout::{
    Area, Drawing, Element, Figure, FixedPage, Font, Graphic, Line, PathSegment, Rect, Shape,
    StrokeStyle, StructureChild, Tag, plain,
};
use proptest::prelude::{Just, Strategy, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};

use std::sync::Arc;

use crate::pen::Pen;

const RED: [u8; 3] = [200, 0, 0];

/// Creates a pen whose letters and spaces have the same width.
fn monospaced_pen() -> Pen {
    let mut pen = Pen::new();
    pen.font = Arc::new(Font {
        is_monospaced: true,
        ..Font::default()
    });
    pen
}

fn page(pen: &Pen) -> FixedPage {
    fixed_page(&pen.sheet, true).page
}

/// Returns text, start and rotation of lines.
fn positioned(lines: &[Line]) -> Vec<(String, f32, f32, f32)> {
    let positioned = lines.iter().map(|line| {
        let tenth = |value: f32| (value * 10.0).round() / 10.0;
        let place = [line.bounds.left, line.baseline, line.angle].map(tenth);
        (plain(&line.runs), place[0], place[1], place[2])
    });
    positioned.collect()
}

fn texts(page: &FixedPage) -> Vec<String> {
    page.lines.iter().map(|line| plain(&line.runs)).collect()
}

/// Writes 10-point letters along a line with this clockwise rotation.
fn write_rotated(pen: &mut Pen, (x, y): (f32, f32), angle: f32, text: &str) {
    let (sine, cosine) = angle.to_radians().sin_cos();
    let (mut x, mut y) = (x, y);
    for text in text.chars() {
        let ends = [(0.0, -9.0), (5.0, -9.0), (0.0, 2.0), (5.0, 2.0)];
        let at = |(along, down): (f32, f32)| {
            let point = (
                x + along * cosine - down * sine,
                y + along * sine + down * cosine,
            );
            Rect::between(point, point)
        };
        pen.character(text, Rect::around(ends.map(at)).unwrap(), y, angle);
        let character = pen.sheet.characters.last_mut().unwrap();
        (character.start, character.advance) = (x, 5.0);
        (x, y) = (x + 5.0 * cosine, y + 5.0 * sine);
    }
}

#[test]
fn lines_keep_their_positions() {
    let mut pen = monospaced_pen();
    pen.write(50.0, 60.0, "One line here")
        .write(300.0, 60.0, "and one apart");
    pen.write(50.0, 80.0, "1.").write(90.0, 80.0, "An item");
    let page = page(&pen);
    let expected = [
        ("One line here", 50.0, 60.0),
        ("and one apart", 300.0, 60.0),
        ("1.", 50.0, 80.0),
        ("An item", 90.0, 80.0),
    ];
    let mut found = positioned(&page.lines);
    found.sort_by(|one, other| (one.2, one.1).partial_cmp(&(other.2, other.1)).unwrap());
    let expected = expected.map(|(text, left, baseline)| (text.to_owned(), left, baseline, 0.0));
    assert_eq!(found, expected);
    let bounds = page.lines[0].bounds;
    assert_eq!((bounds.left, bounds.right), (50.0, 115.0));
}

#[test]
fn lines_are_split_where_space_widths_would_displace_text() {
    let mut pen = monospaced_pen();
    pen.font = Arc::new(Font::default());
    let words = pen.write(50.0, 60.0, "one").write(70.0, 60.0, "two");
    words.write(90.0, 60.0, "three");
    let begins = |text: &str, left: f32| (text.to_owned(), left, 60.0, 0.0);
    let expected = [begins("one two", 50.0), begins("three", 90.0)];
    assert_eq!(positioned(&page(&pen).lines), expected);
}

#[test]
fn columns_are_read_one_after_the_other() {
    let mut pen = monospaced_pen();
    for (row, y) in (0_u8..12).map(|row| (row, 60.0 + 12.0 * f32::from(row))) {
        pen.write(50.0, y, &format!("left {row} is_a_line of_length"));
        pen.write(320.0, y, &format!("right {row} is_a_line of_length"));
    }
    let texts = texts(&page(&pen));
    assert_eq!(texts.len(), 24);
    assert!(
        texts[..12].iter().all(|text| text.starts_with("left")),
        "{texts:?}"
    );
}

#[test]
fn text_of_any_direction_is_found_with_its_direction() {
    for angle in [12.0, 45.0, 90.0, 180.0, 270.0, 330.0] {
        let mut pen = monospaced_pen();
        pen.write(50.0, 700.0, "Most of it is level-and-comes-first.");
        write_rotated(&mut pen, (300.0, 300.0), angle, "Turned words");
        let found = positioned(&page(&pen).lines);
        let expected = ("Turned words".to_owned(), 300.0, 300.0, angle);
        assert_eq!(found[1..], [expected], "{angle}");
    }
}

#[test]
fn slight_skew_is_reported_exactly() {
    let mut pen = monospaced_pen();
    write_rotated(&mut pen, (100.0, 300.0), 0.6, "A scan that lies-askew");
    let found = positioned(&page(&pen).lines);
    assert_eq!(
        found,
        [("A scan that lies-askew".to_owned(), 100.0, 300.0, 0.6)]
    );
}

#[test]
fn right_to_left_lines_are_in_logical_order() {
    let mut pen = monospaced_pen();
    pen.write(50.0, 60.0, ".123 הפיא םולש");
    assert_eq!(texts(&page(&pen)), ["שלום איפה 123."]);
}

#[test]
fn hidden_text_is_visible_only_without_its_picture() {
    let mut pen = monospaced_pen();
    pen.write(50.0, 60.0, "Recognized.")
        .write(50.0, 700.0, "Elsewhere.");
    pen.sheet
        .characters
        .iter_mut()
        .for_each(|character| character.is_hidden = true);
    pen.picture(Rect::between((0.0, 0.0), (600.0, 400.0)));
    let unseen = |shows_pictures| -> Vec<bool> {
        let FixedReading { page, warnings } = fixed_page(&pen.sheet, shows_pictures);
        assert_eq!(warnings, [Warning::RecognizedText]);
        assert_eq!(page.graphics.len(), usize::from(shows_pictures));
        page.lines
            .iter()
            .map(|line| line.runs[0].style.invisible)
            .collect()
    };
    assert_eq!(unseen(true), [true, true]);
    assert_eq!(unseen(false), [false, true]);
}

#[test]
fn areas_are_kept_and_thin_ones_under_text_are_underlines() {
    let mut pen = monospaced_pen();
    pen.write(50.0, 60.0, "marked").write(50.0, 90.0, "Name:");
    let area = |left: f32, top: f32, right: f32, bottom: f32| Area {
        bounds: Rect::between((left, top), (right, bottom)),
        color: RED,
    };
    let kept = [
        area(40.0, 40.0, 400.0, 300.0),
        area(85.0, 91.0, 300.0, 91.5),
    ];
    let drawn = [kept[0], area(50.0, 61.0, 80.0, 61.5), kept[1]];
    pen.sheet.drawings = drawn.map(Drawing::Area).to_vec();
    let page = page(&pen);
    assert_eq!(page.graphics, kept.map(Graphic::Area));
    let marked = |text: &str| {
        let mut lines = page.lines.iter();
        lines.any(|line| plain(&line.runs) == text && line.runs[0].style.underlined)
    };
    assert!(marked("marked") && !marked("Name:"));
}

#[test]
fn dropped_graphics_are_reported() {
    let mut pen = monospaced_pen();
    let area = Area {
        bounds: Rect::between((0.0, 0.0), (9.0, 9.0)),
        color: RED,
    };
    pen.sheet.drawings = vec![Drawing::Area(area); 10_001];
    let FixedReading { page, warnings } = fixed_page(&pen.sheet, true);
    assert_eq!(page.graphics.len(), 10_000);
    assert_eq!(warnings, [Warning::NoText, Warning::TooMuch]);
}

#[test]
fn overlapping_letters_and_positions_off_the_page_are_handled() {
    let mut pen = monospaced_pen();
    for _ in 0..10_000 {
        pen.write(50.0, 60.0, "w");
    }
    let all: String = texts(&page(&pen)).concat();
    assert_eq!(all.matches('w').count(), 10_000);
    for value in [f32::NAN, f32::INFINITY, -1e30, 1e30] {
        let mut pen = monospaced_pen();
        pen.write(50.0, 60.0, "sound");
        write_rotated(&mut pen, (300.0, 300.0), 45.0, "x");
        let character = pen.sheet.characters.last_mut().unwrap();
        (character.start, character.advance, character.size) = (value, value, value);
        let area = Area {
            bounds: Rect {
                left: value,
                ..Rect::default()
            },
            color: RED,
        };
        let whole = Rect::between((0.0, 0.0), (600.0, 800.0));
        let shape = Shape {
            segments: vec![
                PathSegment::Move((1.0, 1.0)),
                PathSegment::Line((value, value)),
            ],
            stroke: Some(StrokeStyle {
                width: value,
                dashes: vec![value],
                ..StrokeStyle::default()
            }),
            ..Shape::default()
        };
        pen.picture(area.bounds);
        pen.sheet.drawings.extend([
            Drawing::Area(area),
            Drawing::Shape(shape.clone(), whole),
            Drawing::Shape(shape, area.bounds),
            Drawing::Picture(7, whole),
        ]);
        let page = page(&pen);
        assert_eq!(texts(&page)[0], "sound");
        assert!(
            page.lines.iter().all(|line| line.bounds.right.is_finite()),
            "{page:?}"
        );
        let paper = Rect::between((-1.0, -1.0), (601.0, 801.0));
        for drawn in &page.graphics {
            let points = match drawn {
                Graphic::Area(area) => vec![(area.bounds.left, area.bounds.bottom)],
                Graphic::Figure(figure) => vec![(figure.bounds.left, figure.bounds.bottom)],
                Graphic::Shape(shape) => {
                    let stroke = shape.stroke.as_ref().unwrap();
                    assert!((0.0..1_000.0).contains(&stroke.width) && stroke.dashes.is_empty());
                    let ends = shape.segments.iter().map(|segment| match segment {
                        PathSegment::Move(point) | PathSegment::Line(point) => *point,
                        other => panic!("{other:?}"),
                    });
                    ends.collect()
                }
            };
            assert!(
                points.iter().all(|point| paper.contains(*point)),
                "{drawn:?}"
            );
        }
    }
}

#[test]
fn graphics_keep_their_order_and_are_clipped() {
    let mut pen = monospaced_pen();
    let area = |left: f32| Area {
        bounds: Rect::between((left, 0.0), (left + 50.0, 50.0)),
        color: RED,
    };
    let picture = Rect::between((100.0, 100.0), (300.0, 300.0));
    let shown = Rect::between((150.0, 100.0), (300.0, 200.0));
    let shape = Shape {
        segments: vec![
            PathSegment::Move((10.0, 10.0)),
            PathSegment::Curve((20.0, 10.0), (20.0, 30.0), (10.0, 30.0)),
            PathSegment::Close,
        ],
        fill: Some(RED),
        ..Shape::default()
    };
    let page_area = Rect::between((0.0, 0.0), (600.0, 800.0));
    pen.sheet.drawings = vec![Drawing::Area(area(0.0))];
    pen.picture(picture);
    pen.sheet.drawings.extend([
        Drawing::Shape(shape.clone(), page_area),
        Drawing::Picture(0, shown),
        Drawing::Area(area(200.0)),
    ]);
    let figure = |bounds, whole| Figure {
        bounds,
        image: 0,
        whole,
        alternative: None,
    };
    let expected = vec![
        Graphic::Area(area(0.0)),
        Graphic::Figure(figure(picture, None)),
        Graphic::Shape(shape),
        Graphic::Figure(figure(shown, Some(picture))),
        Graphic::Area(area(200.0)),
    ];
    assert_eq!(page(&pen).graphics, expected);
}

#[test]
fn pictures_get_their_alternative_text() {
    let mut pen = monospaced_pen();
    for number in [4, 5] {
        pen.tag = Tag::Content(number);
        pen.picture(Rect::between((100.0, 100.0), (300.0, 300.0)));
    }
    pen.sheet.structure = vec![Element {
        alternative: Some("A map".to_owned()),
        kids: vec![StructureChild::Content(5)],
        ..Element::default()
    }];
    let page = page(&pen);
    let words = page.graphics.iter().map(|drawn| match drawn {
        Graphic::Figure(figure) => figure.alternative.as_deref(),
        other => panic!("{other:?}"),
    });
    assert_eq!(words.collect::<Vec<_>>(), [None, Some("A map")]);
}

/// A word: position, rotation and whether it is hidden.
type Word = (f32, f32, f32, bool, String);

fn words() -> impl Strategy<Value = Vec<Word>> {
    let angle =
        prop_oneof![6 => Just(0.0_f32), 1 => Just(90.0), 1 => Just(270.0), 1 => 0.0_f32..360.0];
    let hidden = prop_oneof![9 => Just(false), 1 => Just(true)];
    let word = (
        100.0_f32..500.0,
        100.0_f32..700.0,
        angle,
        hidden,
        "[a-z0-9.•שלם]{1,9}",
    );
    prop::collection::vec(word, 0..100)
}

fn counted(text: &str) -> Vec<char> {
    let mut counted: Vec<char> = text.chars().filter(|c| !c.is_whitespace()).collect();
    counted.sort_unstable();
    counted
}

proptest! {
    #[test]
    fn no_character_is_lost_or_doubled_and_lines_are_on_their_page(words in words()) {
        let mut pen = monospaced_pen();
        // Hidden text under visible text is dropped, so it gets a position of its own.
        for (x, y, angle, is_hidden, text) in &words {
            let place = if *is_hidden { (20.0, 790.0) } else { (*x, *y) };
            let begin = pen.sheet.characters.len();
            write_rotated(&mut pen, place, if *is_hidden { 0.0 } else { *angle }, text);
            pen.sheet.characters[begin..].iter_mut().for_each(|one| one.is_hidden = *is_hidden);
        }
        let page = page(&pen);
        let drawn: String = words.iter().map(|word| word.4.as_str()).collect();
        prop_assert_eq!(counted(&texts(&page).concat()), counted(&drawn));
        for line in &page.lines {
            let (sine, cosine) = line.angle.to_radians().sin_cos();
            let length = line.bounds.width();
            let (x, y) = (line.bounds.left, line.baseline);
            let end = (x + length * cosine, y + length * sine);
            let paper = Rect::between((-1.0, -1.0), (601.0, 801.0));
            prop_assert!(paper.contains((x, y)) && paper.contains(end), "{:?}", line);
            prop_assert!(line.bounds.top <= line.baseline && line.baseline <= line.bounds.bottom);
        }
    }
}
