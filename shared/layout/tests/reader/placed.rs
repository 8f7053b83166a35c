//! Pages that keep their looks: everything where the sheet has it, and nothing twice.

use layout::analysis::{FixedReading, Warning, fixed_page};
use layout::{
    Area, Drawing, Element, Figure, FixedPage, Font, Graphic, Kid, Line, Pen as Stylus, Rect,
    Shape, Step, Tag, plain,
};
use proptest::prelude::{Just, Strategy, prop, prop_assert, prop_assert_eq, prop_oneof, proptest};

use std::sync::Arc;

use crate::pen::Pen;

const RED: [u8; 3] = [200, 0, 0];

/// Its letters are as wide as each other, spaces too.
fn even_pen() -> Pen {
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

/// What lines say, where they begin and how far they are turned.
fn told(lines: &[Line]) -> Vec<(String, f32, f32, f32)> {
    let told = lines.iter().map(|line| {
        let tenth = |value: f32| (value * 10.0).round() / 10.0;
        let place = [line.bounds.left, line.baseline, line.angle].map(tenth);
        (plain(&line.runs), place[0], place[1], place[2])
    });
    told.collect()
}

fn texts(page: &FixedPage) -> Vec<String> {
    page.lines.iter().map(|line| plain(&line.runs)).collect()
}

/// Letters of 10 points along a line that is turned clockwise.
fn write_turned(pen: &mut Pen, (x, y): (f32, f32), angle: f32, text: &str) {
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
fn lines_stand_where_they_are_drawn() {
    let mut pen = even_pen();
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
    let mut found = told(&page.lines);
    found.sort_by(|one, other| (one.2, one.1).partial_cmp(&(other.2, other.1)).unwrap());
    let expected = expected.map(|(text, left, baseline)| (text.to_owned(), left, baseline, 0.0));
    assert_eq!(found, expected);
    let bounds = page.lines[0].bounds;
    assert_eq!((bounds.left, bounds.right), (50.0, 115.0));
}

#[test]
fn what_other_spaces_would_move_far_begins_anew() {
    let mut pen = even_pen();
    pen.font = Arc::new(Font::default());
    let words = pen.write(50.0, 60.0, "one").write(70.0, 60.0, "two");
    words.write(90.0, 60.0, "three");
    let begins = |text: &str, left: f32| (text.to_owned(), left, 60.0, 0.0);
    let expected = [begins("one two", 50.0), begins("three", 90.0)];
    assert_eq!(told(&page(&pen).lines), expected);
}

#[test]
fn columns_are_read_one_after_the_other() {
    let mut pen = even_pen();
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
        let mut pen = even_pen();
        pen.write(50.0, 700.0, "Most of it is level-and-comes-first.");
        write_turned(&mut pen, (300.0, 300.0), angle, "Turned words");
        let found = told(&page(&pen).lines);
        let expected = ("Turned words".to_owned(), 300.0, 300.0, angle);
        assert_eq!(found[1..], [expected], "{angle}");
    }
}

#[test]
fn a_little_askew_is_told_as_it_is() {
    let mut pen = even_pen();
    write_turned(&mut pen, (100.0, 300.0), 0.6, "A scan that lies-askew");
    let found = told(&page(&pen).lines);
    assert_eq!(
        found,
        [("A scan that lies-askew".to_owned(), 100.0, 300.0, 0.6)]
    );
}

#[test]
fn what_is_read_from_the_right_is_in_reading_order() {
    let mut pen = even_pen();
    pen.write(50.0, 60.0, ".123 הפיא םולש");
    assert_eq!(texts(&page(&pen)), ["שלום איפה 123."]);
}

#[test]
fn hidden_text_is_seen_only_where_its_picture_is_left_out() {
    let mut pen = even_pen();
    pen.write(50.0, 60.0, "Recognised.")
        .write(50.0, 700.0, "Elsewhere.");
    pen.sheet
        .characters
        .iter_mut()
        .for_each(|character| character.is_hidden = true);
    pen.picture(Rect::between((0.0, 0.0), (600.0, 400.0)));
    let unseen = |shows_pictures| -> Vec<bool> {
        let FixedReading { page, warnings } = fixed_page(&pen.sheet, shows_pictures);
        assert_eq!(warnings, [Warning::RecognisedText]);
        assert_eq!(page.drawn.len(), usize::from(shows_pictures));
        page.lines
            .iter()
            .map(|line| line.runs[0].style.unseen)
            .collect()
    };
    assert_eq!(unseen(true), [true, true]);
    assert_eq!(unseen(false), [false, true]);
}

#[test]
fn areas_stay_and_those_under_text_mark_it() {
    let mut pen = even_pen();
    pen.write(50.0, 60.0, "marked").write(50.0, 90.0, "Name:");
    let area = |left: f32, top: f32, right: f32, bottom: f32| Area {
        bounds: Rect::between((left, top), (right, bottom)),
        colour: RED,
    };
    let kept = [
        area(40.0, 40.0, 400.0, 300.0),
        area(85.0, 91.0, 300.0, 91.5),
    ];
    let drawn = [kept[0], area(50.0, 61.0, 80.0, 61.5), kept[1]];
    pen.sheet.drawings = drawn.map(Drawing::Area).to_vec();
    let page = page(&pen);
    assert_eq!(page.drawn, kept.map(Graphic::Area));
    let marked = |text: &str| {
        let mut lines = page.lines.iter();
        lines.any(|line| plain(&line.runs) == text && line.runs[0].style.underlined)
    };
    assert!(marked("marked") && !marked("Name:"));
}

#[test]
fn more_things_than_are_kept_are_told() {
    let mut pen = even_pen();
    let area = Area {
        bounds: Rect::between((0.0, 0.0), (9.0, 9.0)),
        colour: RED,
    };
    pen.sheet.drawings = vec![Drawing::Area(area); 10_001];
    let FixedReading { page, warnings } = fixed_page(&pen.sheet, true);
    assert_eq!(page.drawn.len(), 10_000);
    assert_eq!(warnings, [Warning::NoText, Warning::TooMuch]);
}

#[test]
fn letters_on_one_spot_and_places_off_the_page_are_borne() {
    let mut pen = even_pen();
    for _ in 0..10_000 {
        pen.write(50.0, 60.0, "w");
    }
    let all: String = texts(&page(&pen)).concat();
    assert_eq!(all.matches('w').count(), 10_000);
    for value in [f32::NAN, f32::INFINITY, -1e30, 1e30] {
        let mut pen = even_pen();
        pen.write(50.0, 60.0, "sound");
        write_turned(&mut pen, (300.0, 300.0), 45.0, "x");
        let character = pen.sheet.characters.last_mut().unwrap();
        (character.start, character.advance, character.size) = (value, value, value);
        let area = Area {
            bounds: Rect {
                left: value,
                ..Rect::default()
            },
            colour: RED,
        };
        let whole = Rect::between((0.0, 0.0), (600.0, 800.0));
        let shape = Shape {
            steps: vec![Step::Move((1.0, 1.0)), Step::Line((value, value))],
            pen: Some(Stylus {
                width: value,
                dashes: vec![value],
                ..Stylus::default()
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
        for drawn in &page.drawn {
            let points = match drawn {
                Graphic::Area(area) => vec![(area.bounds.left, area.bounds.bottom)],
                Graphic::Figure(figure) => vec![(figure.bounds.left, figure.bounds.bottom)],
                Graphic::Shape(shape) => {
                    let pen = shape.pen.as_ref().unwrap();
                    assert!((0.0..1_000.0).contains(&pen.width) && pen.dashes.is_empty());
                    let ends = shape.steps.iter().map(|step| match step {
                        Step::Move(point) | Step::Line(point) => *point,
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
fn what_is_drawn_stays_in_its_order_and_is_seen_as_far_as_it_is_shown() {
    let mut pen = even_pen();
    let area = |left: f32| Area {
        bounds: Rect::between((left, 0.0), (left + 50.0, 50.0)),
        colour: RED,
    };
    let picture = Rect::between((100.0, 100.0), (300.0, 300.0));
    let shown = Rect::between((150.0, 100.0), (300.0, 200.0));
    let shape = Shape {
        steps: vec![
            Step::Move((10.0, 10.0)),
            Step::Curve((20.0, 10.0), (20.0, 30.0), (10.0, 30.0)),
            Step::Close,
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
    assert_eq!(page(&pen).drawn, expected);
}

#[test]
fn pictures_say_what_they_show_where_the_document_does() {
    let mut pen = even_pen();
    for number in [4, 5] {
        pen.tag = Tag::Content(number);
        pen.picture(Rect::between((100.0, 100.0), (300.0, 300.0)));
    }
    pen.sheet.structure = vec![Element {
        alternative: Some("A map".to_owned()),
        kids: vec![Kid::Content(5)],
        ..Element::default()
    }];
    let page = page(&pen);
    let words = page.drawn.iter().map(|drawn| match drawn {
        Graphic::Figure(figure) => figure.alternative.as_deref(),
        other => panic!("{other:?}"),
    });
    assert_eq!(words.collect::<Vec<_>>(), [None, Some("A map")]);
}

/// A word: where it stands, how far it is turned, and whether it is hidden.
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
        let mut pen = even_pen();
        // Hidden text where other text is seen is left out: it stands by itself here.
        for (x, y, angle, is_hidden, text) in &words {
            let place = if *is_hidden { (20.0, 790.0) } else { (*x, *y) };
            let begin = pen.sheet.characters.len();
            write_turned(&mut pen, place, if *is_hidden { 0.0 } else { *angle }, text);
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
