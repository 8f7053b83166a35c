//! Check boxes and radio buttons drawn as shapes.

use layout::analysis::drawn_check_boxes;
use layout::{Area, Drawing, PathSegment, Point, Rect, Shape, Stroke, StrokeStyle};

use crate::pen::Pen;

const PAGE: Rect = Rect {
    left: 0.0,
    top: 0.0,
    right: 600.0,
    bottom: 800.0,
};
const BLUE: [u8; 3] = [0, 117, 255];
const GRAY: [u8; 3] = [118; 3];

/// The square of this side before text at this place.
fn square(x: f32, y: f32, side: f32) -> Rect {
    let middle = y - 3.5;
    Rect::between((x, middle - side / 2.0), (x + side, middle + side / 2.0))
}

fn shape(pen: &mut Pen, segments: Vec<PathSegment>, fill: Option<[u8; 3]>, line: Option<[u8; 3]>) {
    let stroke = line.map(|color| StrokeStyle {
        color,
        width: 1.0,
        dashes: Vec::new(),
    });
    let shape = Shape {
        segments,
        fill,
        is_even_odd: false,
        stroke,
    };
    pen.sheet.drawings.push(Drawing::Shape(shape, PAGE));
}

fn polyline(points: &[Point]) -> Vec<PathSegment> {
    let lines = points.iter().skip(1).copied().map(PathSegment::Line);
    std::iter::once(PathSegment::Move(points[0]))
        .chain(lines)
        .collect()
}

/// A square with round corners, or a circle if the radius is half of it.
fn rounded(bounds: &Rect, radius: f32) -> Vec<PathSegment> {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = *bounds;
    let (r, k) = (radius, radius * 0.45);
    let curve = PathSegment::Curve;
    let line = PathSegment::Line;
    vec![
        PathSegment::Move((left, bottom - r)),
        line((left, top + r)),
        curve((left, top + k), (left + k, top), (left + r, top)),
        line((right - r, top)),
        curve((right - k, top), (right, top + k), (right, top + r)),
        line((right, bottom - r)),
        curve(
            (right, bottom - k),
            (right - k, bottom),
            (right - r, bottom),
        ),
        line((left + r, bottom)),
        curve((left + k, bottom), (left, bottom - k), (left, bottom - r)),
        PathSegment::Close,
    ]
}

/// A filled square with round corners and a white check mark, or an outline, as browsers draw check boxes.
fn browser_box(pen: &mut Pen, x: f32, y: f32, is_set: bool) {
    let bounds = square(x, y, 10.0);
    let path = rounded(&bounds, 1.6);
    match is_set {
        true => {
            shape(pen, path, Some(BLUE), None);
            let at = |across: f32, down: f32| (bounds.left + across, bounds.top + down);
            let mark = polyline(&[at(2.0, 5.0), at(4.0, 7.0), at(8.0, 2.0)]);
            shape(pen, mark, None, Some([255; 3]));
        }
        false => shape(pen, path, None, Some(GRAY)),
    }
}

fn radio_button(pen: &mut Pen, x: f32, y: f32, is_set: bool) {
    let bounds = square(x, y, 10.0);
    shape(pen, rounded(&bounds, 5.0), None, Some(GRAY));
    if is_set {
        shape(pen, rounded(&bounds.grown(-2.5), 2.5), Some(BLUE), None);
    }
}

/// A frame of four lines.
fn frame(pen: &mut Pen, bounds: &Rect) {
    let Rect {
        left,
        top,
        right,
        bottom,
    } = *bounds;
    for (from, to) in [
        ((left, top), (right, top + 0.7)),
        ((right - 0.7, top), (right, bottom)),
        ((left, bottom - 0.7), (right, bottom)),
        ((left, top), (left + 0.7, bottom)),
    ] {
        let bounds = Rect::between(from, to);
        let color = [0; 3];
        pen.sheet.strokes.push(Stroke { bounds });
        pen.sheet
            .drawings
            .push(Drawing::Area(Area { bounds, color }));
    }
}

fn read(pen: &mut Pen) -> String {
    pen.sheet.check_boxes = drawn_check_boxes(&pen.sheet);
    pen.read()
}

#[test]
fn boxes_of_browsers_are_check_boxes() {
    let mut pen = Pen::new();
    pen.write(60.0, 60.0, "Send the letter by");
    browser_box(&mut pen, 155.0, 60.0, true);
    pen.write(170.0, 60.0, "mail");
    browser_box(&mut pen, 200.0, 60.0, false);
    pen.write(215.0, 60.0, "post");
    pen.write(60.0, 90.0, "Paid by card");
    browser_box(&mut pen, 125.0, 90.0, true);
    let expected = "p Send the letter by ☑ mail ☐ post\np Paid by card ☑\n";
    assert_eq!(read(&mut pen), expected);
}

#[test]
fn radio_buttons_next_to_each_other_are_check_boxes() {
    let mut pen = Pen::new();
    radio_button(&mut pen, 60.0, 60.0, true);
    pen.write(75.0, 60.0, "Standard");
    radio_button(&mut pen, 125.0, 60.0, false);
    pen.write(140.0, 60.0, "Express");
    assert_eq!(read(&mut pen), "p ☑ Standard ☐ Express\n");
}

#[test]
fn frames_with_a_cross_or_a_letter_are_set() {
    let mut pen = Pen::new();
    for (index, x) in (0_u8..).zip([60.0, 160.0, 260.0]) {
        let bounds = square(x, 60.0, 10.0);
        frame(&mut pen, &bounds);
        pen.write(x + 14.0, 60.0, "Owner");
        let Rect {
            left,
            top,
            right,
            bottom,
        } = bounds.grown(-2.0);
        match index {
            0 => shape(
                &mut pen,
                [
                    polyline(&[(left, top), (right, bottom)]),
                    polyline(&[(right, top), (left, bottom)]),
                ]
                .concat(),
                None,
                Some([0; 3]),
            ),
            1 => {
                pen.write(x + 2.5, 60.0, "X");
            }
            _ => {}
        }
    }
    let read = read(&mut pen);
    assert_eq!(read.matches("☑ Owner").count(), 2, "{read}");
    assert_eq!(read.matches("☐ Owner").count(), 1, "{read}");
    assert!(!read.contains('X'), "{read}");
}

#[test]
fn boxes_alone_in_the_cells_of_a_row_are_check_boxes() {
    let mut pen = Pen::new();
    for y in [80.0, 100.0, 120.0, 140.0] {
        pen.line((50.0, y), (350.0, y));
    }
    for x in [50.0, 150.0, 250.0, 350.0] {
        pen.line((x, 80.0), (x, 140.0));
    }
    for (x, text) in [(56.0, "Item"), (156.0, "Yes"), (256.0, "No")] {
        pen.write(x, 93.0, text);
    }
    for (y, text, is_set) in [(113.0, "Heating", true), (133.0, "Water", false)] {
        pen.write(56.0, y, text);
        browser_box(&mut pen, 195.0, y, is_set);
        browser_box(&mut pen, 295.0, y, !is_set);
    }
    let read = read(&mut pen);
    for cell in ["1,1: p ☑", "1,2: p ☐", "2,1: p ☐", "2,2: p ☑"] {
        assert!(read.contains(cell), "{read}");
    }
}

#[test]
fn keys_of_charts_icons_and_cells_for_letters_are_no_check_boxes() {
    // Keys, one of which is white.
    let mut pen = Pen::new();
    for (x, color) in [(60.0, [200, 30, 30]), (160.0, [30, 30, 200])] {
        let area = Area {
            bounds: square(x, 60.0, 8.0),
            color,
        };
        pen.sheet.drawings.push(Drawing::Area(area));
        pen.write(x + 14.0, 60.0, "North");
    }
    frame(&mut pen, &square(260.0, 60.0, 8.0));
    pen.write(274.0, 60.0, "South");
    // The icon of a company: letters in a square.
    let icon = square(60.0, 90.0, 10.0);
    shape(&mut pen, rounded(&icon, 1.6), Some(BLUE), None);
    let bar = |left: f32, top: f32| {
        let (x, y) = (icon.left + left, icon.top + top);
        polyline(&[
            (x, y),
            (x + 1.5, y),
            (x + 1.5, icon.bottom - 2.0),
            (x, icon.bottom - 2.0),
        ])
    };
    shape(
        &mut pen,
        [bar(2.0, 4.0), bar(5.0, 4.0)].concat(),
        Some([255; 3]),
        None,
    );
    pen.write(74.0, 90.0, "in/miller");
    // Cells for the letters of a name.
    pen.write(60.0, 120.0, "Name");
    for cell in 0..8_u8 {
        frame(
            &mut pen,
            &square(90.0 + 13.0 * f32::from(cell), 120.0, 12.0),
        );
    }
    // A bullet that is a small hollow square.
    frame(&mut pen, &square(60.0, 150.0, 5.0));
    pen.write(74.0, 150.0, "Item");
    assert_eq!(drawn_check_boxes(&pen.sheet), []);
}

#[test]
fn squares_that_lines_connect_are_no_check_boxes() {
    let mut pen = Pen::new();
    for y in [60.0, 90.0, 120.0] {
        frame(&mut pen, &square(60.0, y, 10.0));
        pen.write(75.0, y, "Station");
    }
    assert_eq!(drawn_check_boxes(&pen.sheet).len(), 3);
    pen.line((65.0, 61.5), (65.0, 81.5));
    pen.line((65.0, 91.5), (65.0, 111.5));
    assert_eq!(drawn_check_boxes(&pen.sheet), []);
}
