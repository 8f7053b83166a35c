//! The work of analysis grows about linearly with what is on a page.
//!
//! Work is measured as the processor time of this thread, and only compared with that of the same run.

use std::time::Duration;

use layout::analysis::figures;
use layout::{Area, Drawing, Rect};
use rustix::time::{ClockId, clock_gettime};

use crate::pen::{Pen, readings};

/// Size of the larger page as a multiple of that of the smaller one, and maximum multiple of its work: quadratic work is 64
/// times as much, and larger pages also miss the caches of a busy machine.
const LARGER: usize = 8;
const WORK: f64 = 32.0;
/// Number of times that a page is read.
const TIMES: usize = 2;
/// Number of characters of the smaller page.
const CHARACTERS: usize = 4_000;

fn spent() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap()
}

/// Returns the least work of some readings of a page.
fn work(pen: &Pen) -> f64 {
    let times = (0..TIMES).map(|_| {
        let begin = spent();
        readings(std::slice::from_ref(&pen.sheet));
        std::hint::black_box(figures(&pen.sheet));
        (spent() - begin).as_secs_f64()
    });
    times.fold(f64::INFINITY, f64::min)
}

/// Asserts that the work grows like the page; `page` draws one with this number of characters.
#[track_caller]
fn assert_linear(page: impl Fn(usize) -> Pen) {
    let small = work(&page(CHARACTERS)).max(0.001);
    let large = work(&page(CHARACTERS * LARGER));
    assert!(large < small * WORK, "{small:.3} s, {large:.3} s");
}

#[expect(clippy::cast_precision_loss, reason = "counts are small")]
fn part(index: usize, count: usize) -> f32 {
    index as f32 / count.max(1) as f32
}

/// Returns a place on the page, random but the same for the same index.
fn place(index: usize) -> (f32, f32) {
    let scattered = |factor: usize| part(index * factor % 65_521, 65_521);
    (scattered(28_657) * 560.0, 20.0 + scattered(46_368) * 760.0)
}

/// Draws `rows` rows of `columns` words each, as large as they fit.
fn rows(pen: &mut Pen, rows: usize, columns: usize, word: impl Fn(usize, usize) -> String) {
    let width = 580.0 / part(columns, 1);
    let longest = part(word(0, 0).chars().count() + 2, 1);
    pen.sized((700.0 / part(rows, 1)).min(width * 2.0 / longest));
    for row in 0..rows {
        for column in 0..columns {
            let (x, y) = (
                10.0 + part(column, 1) * width,
                20.0 + 760.0 * part(row, rows),
            );
            pen.write(x, y, &word(row, column));
        }
    }
}

fn rules(pen: &mut Pen, levels: usize, uprights: usize) {
    for index in 0..levels {
        let y = 10.0 + 760.0 * part(index, levels);
        pen.line((5.0, y), (595.0, y));
    }
    for index in 0..uprights {
        let x = 5.0 + 580.0 * part(index, uprights);
        pen.line((x, 10.0), (x, 780.0));
    }
}

#[test]
fn prose_grows_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        rows(&mut pen, count / 200, 1, |_, _| {
            "words and more ".repeat(13)
        });
        pen
    });
}

#[test]
fn columns_and_overlapping_columns_grow_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        rows(&mut pen, count / 200, 4, |row, _| {
            "text of a column ".repeat(3 + row % 3)
        });
        pen
    });
}

#[test]
fn right_to_left_text_grows_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        rows(&mut pen, count / 200, 1, |_, _| "שלום עולם ".repeat(20));
        pen
    });
}

#[test]
fn grids_of_numbers_grow_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        rows(&mut pen, count / 160, 40, |row, column| {
            format!("{:04}", row * column)
        });
        pen
    });
}

#[test]
fn short_lines_grow_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        rows(&mut pen, count / 50, 5, |row, _| format!("line {row:05}"));
        pen
    });
}

#[test]
fn ruled_tables_grow_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        let count = count / 20;
        rows(&mut pen, count / 10, 10, |_, _| "7".to_owned());
        rules(&mut pen, count / 10, 11);
        pen
    });
}

#[test]
fn rules_across_text_grow_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        rows(&mut pen, count / 100, 10, |_, _| "some text".to_owned());
        rules(&mut pen, count / 20, 0);
        pen
    });
}

#[test]
fn crossing_rules_grow_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        rows(&mut pen, count / 1_000, 10, |_, _| "some text".to_owned());
        for index in 0..count / 4 {
            let (x, y) = place(index);
            let length = 200.0 * part(index % 7, 7);
            let end = match index % 2 {
                0 => (x + length, y),
                _ => (x, y + length),
            };
            pen.line((x, y), end);
        }
        pen
    });
}

#[test]
fn text_at_one_place_grows_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        for _ in 0..count / 5 {
            pen.write(100.0, 100.0, "wwww ");
        }
        pen
    });
}

#[test]
fn scattered_and_rotated_text_grows_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        for index in 0..count / 10 {
            let (x, y) = place(index);
            pen.sized(4.0 + part(index % 7, 1))
                .write(x, y, "some text ");
        }
        let angles = [0.0, 0.0, 33.0, 90.0, 270.0].into_iter().cycle();
        for (word, angle) in pen.sheet.characters.chunks_mut(10).zip(angles) {
            word.iter_mut()
                .for_each(|character| character.angle = angle);
        }
        pen
    });
}

#[test]
fn drawings_with_labels_grow_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        pen.sized(4.0);
        for index in 0..count / 10 {
            let (x, y) = place(index);
            let bounds = Rect::between((x, y), (x + 3.0, y + 2.0 + part(index % 9, 1)));
            let color = [60, 90, 200];
            pen.sheet.fills.push(bounds);
            pen.sheet
                .drawings
                .push(Drawing::Area(Area { bounds, color }));
            let (x, y) = place(index + 9);
            pen.write(x, y, "label 1");
        }
        pen
    });
}

#[test]
fn formulas_grow_linearly() {
    assert_linear(|count| {
        let mut pen = Pen::new();
        pen.font = std::sync::Arc::new(layout::Font {
            is_math: true,
            ..layout::Font::default()
        });
        pen.sized(4.0);
        for index in 0..count / 10 {
            let (x, y) = place(index);
            let bounds = Rect::between((x, y + 1.0), (x + 10.0, y + 1.4));
            let color = [0; 3];
            pen.sheet
                .drawings
                .push(Drawing::Area(Area { bounds, color }));
            pen.write(x, y, "a+b=c").write(x, y + 5.0, "d+e=f");
        }
        pen
    });
}
