//! Columns that begin at different heights.

use crate::pen::Pen;

/// Reads two columns, the right one this many lines and points higher than the left one.
fn read(lines: u8, points: f32) -> String {
    let mut pen = Pen::new();
    let left = [
        "The keeper of the old lighthouse has",
        "looked after it for many years, and",
        "none of the boats that lie there ever",
        "left the harbour since he came to the",
        "island with his dogs and his old lamp",
        "and all of the books that his mother",
        "had read to him when he was a boy and",
        "left it since he came.",
    ];
    let right = [
        "Then he walked down to the old town",
        "where nobody knew him any more, since",
        "all of his friends and their children",
        "had gone to sea long before that year",
        "and the houses along the quay were as",
        "empty as the nets that hung in front",
        "of them and dried in the wind, so he",
        "went back to his tower.",
    ];
    let top = 190.0;
    for (index, text) in (0_u8..).zip(left) {
        pen.write(50.0, top + f32::from(index) * 12.0, text);
    }
    for (index, text) in (0_u8..).zip(right) {
        pen.write(
            290.0,
            top - f32::from(lines) * 12.0 - points + f32::from(index) * 12.0,
            text,
        );
    }
    pen.read()
}

#[test]
fn the_first_lines_of_a_higher_column_are_read_with_it() {
    let level = read(0, 0.0);
    assert!(level.contains("left it since he came."), "{level}");
    for (lines, points) in [(1, 0.0), (2, 0.0), (1, 4.5), (0, 4.5)] {
        assert_eq!(read(lines, points), level, "{lines} {points}");
    }
}
