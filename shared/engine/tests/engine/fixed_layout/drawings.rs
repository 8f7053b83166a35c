//! Vector drawings and images keep their looks, checked by the color of single points.

use std::path::Path;

use image::RgbImage;

use super::{RENDERED_FORMATS, convert_fixed, page, printed, saved};
use crate::{harness, poppler};

/// An inline image of one brown pixel in the unit square.
const PICTURE: &str = "BI /W 1 /H 1 /BPC 8 /CS /RGB ID z00 EI";
const BROWN: [u8; 3] = [122, 48, 48];
const WHITE: [u8; 3] = [255; 3];
const BLACK: [u8; 3] = [0; 3];
const RED: [u8; 3] = [255, 0, 0];
const BLUE: [u8; 3] = [0, 0, 255];
const GREEN: [u8; 3] = [0, 153, 0];
const ORANGE: [u8; 3] = [255, 153, 0];

/// Circle path around the current origin.
const CIRCLE: &str = "50 0 m 50 28 28 50 0 50 c -28 50 -50 28 -50 0 c -50 -28 -28 -50 0 -50 c 28 -50 50 -28 50 0 c h";
const SMALL: &str = "25 0 m 25 14 14 25 0 25 c -14 25 -25 14 -25 0 c -25 -14 -14 -25 0 -25 c 14 -25 25 -14 25 0 c h";

/// A point, from the left and bottom edge of the page, and its color.
type Spot = ((u32, u32), [u8; 3]);

/// Content streams, each with the expected colors.
fn cases() -> Vec<(String, Vec<Spot>)> {
    let case = |contents: &str, points: &[Spot]| (format!("q {contents} Q\n"), points.to_vec());
    vec![
        case(
            &format!("q 200 0 0 200 50 600 cm {PICTURE} Q 0 0 1 rg 100 700 50 50 re f"),
            &[((60, 790), BROWN), ((125, 725), BLUE)],
        ),
        case(
            &format!("1 g 1 0 0 1 200 650 cm {CIRCLE} f"),
            &[((200, 650), WHITE), ((158, 608), BROWN)],
        ),
        case(
            &format!("0 0.6 0 rg 300 720 80 80 re f 40 0 0 40 320 740 cm {PICTURE}"),
            &[((305, 725), GREEN), ((340, 760), BROWN)],
        ),
        case(
            "1 0 0 RG 6 w 400 600 m 560 700 l S",
            &[((480, 650), RED), ((440, 680), WHITE)],
        ),
        case(
            &format!("1 0.6 0 rg 1 0 0 1 480 500 cm {CIRCLE} f"),
            &[
                ((480, 500), ORANGE),
                ((440, 460), WHITE),
                ((440, 540), WHITE),
            ],
        ),
        case(
            &format!("0 0.6 0 rg 1 0 0 1 150 500 cm {CIRCLE} {SMALL} f*"),
            &[((150, 500), WHITE), ((187, 500), GREEN)],
        ),
        case(
            &format!("0 0.6 0 rg 1 0 0 1 300 500 cm {CIRCLE} {SMALL} f"),
            &[((300, 500), GREEN), ((337, 500), GREEN)],
        ),
        case(
            &format!("300 400 50 20 re W n 100 0 0 100 280 350 cm {PICTURE}"),
            &[
                ((325, 410), BROWN),
                ((290, 410), WHITE),
                ((325, 430), WHITE),
            ],
        ),
        case(
            "8 w [20 20] 0 d 50 300 m 290 300 l S",
            &[((60, 300), BLACK), ((80, 300), WHITE), ((100, 300), BLACK)],
        ),
        // Beyond the page edge, and clipped to a rectangle.
        case(
            &format!("0 0 1 rg 1 0 0 1 0 200 cm 0 0 30 80 re W n {CIRCLE} f"),
            &[((20, 210), BLUE), ((20, 190), WHITE), ((40, 210), WHITE)],
        ),
        case(
            "0 0.6 0 rg 1 0 0 RG 12 w 400 200 m 500 200 l 450 290 l b",
            &[((450, 230), GREEN), ((450, 200), RED), ((405, 260), WHITE)],
        ),
    ]
}

/// A blue area with white letters.
const GROUND: &str = "0 0 1 rg 40 40 200 60 re f 1 g BT /F2 48 Tf 50 52 Td (Words) Tj ET\n";

fn color(picture: &RgbImage, (x, y): (u32, u32)) -> [u8; 3] {
    // Two pixels per point, y from the top.
    picture.get_pixel(x * 2, (842 - y) * 2).0
}

fn assert_colors(document: &Path, name: &str) {
    let picture = poppler::picture(document, 1, 144);
    let ground = (41..239).flat_map(|x| (41..99).map(move |y| (x, y)));
    let white = ground
        .filter(|place| color(&picture, *place) == WHITE)
        .count();
    assert!(white > 1_000, "{name}: {white} points of letters are seen");
    for (contents, points) in cases() {
        for (place, expected) in points {
            let found = color(&picture, place);
            let difference = found
                .iter()
                .zip(expected)
                .map(|(one, other)| one.abs_diff(other));
            assert!(
                difference.max() < Some(24),
                "{name}: {found:?} at {place:?} where {expected:?} is drawn by {contents}"
            );
        }
    }
}

#[test]
fn shapes_and_images_keep_their_colors() {
    let mut contents: String = cases().into_iter().map(|(contents, _)| contents).collect();
    contents.push_str(GROUND);
    let source = saved(&page(&contents));
    assert_colors(source.path(), "the source");
    harness::each(RENDERED_FORMATS.to_vec(), |(to, format)| {
        let result = convert_fixed(source.path(), to);
        assert_colors(printed(&result, format).path(), to);
    });
}

#[test]
fn excessive_drawings_are_dropped_with_a_warning() {
    let many = "100 100 m 200 201 l 300 100 l h S\n".repeat(20_001);
    let long = format!("100 100 m {} S", "200 201 l 300 100 l ".repeat(100_000));
    let far = "0 w 1e30 -1e30 m 1e38 1e38 l 3e38 2e38 5 5 -3e38 9 c S 1e9 w 10 10 m 90 95 l S \
               [1e30 0] 0 d 10 10 m 90 95 l S 0 0 0 0 0 0 cm 10 10 m 90 95 l 50 10 l b";
    for (contents, expects_warning) in [(many, true), (long, true), (far.to_owned(), false)] {
        // Without the drawings, the page has this text only.
        let source = saved(&page(&format!(
            "BT /F1 12 Tf 40 800 Td (Kept) Tj ET\n{contents}"
        )));
        for (to, _) in RENDERED_FORMATS {
            let result = convert_fixed(source.path(), to);
            assert_eq!(result.artifact.pages, 1, "{to}");
            let has_warning = result.warnings().contains(&"content_dropped");
            assert_eq!(
                has_warning,
                expects_warning,
                "{to}: {:?}",
                result.warnings()
            );
        }
    }
}
