//! Initials (drop caps).

use crate::pen::Pen;

/// Reads two columns; the left one begins with a large letter next to `height` of these lines.
fn read(letter: &str, left: [&str; 5], height: usize) -> String {
    let right = [
        "Then he walked down to the town",
        "where nobody knew him any more,",
        "since every one of his friends",
        "had gone to sea long before,",
        "and none of them came back.",
    ];
    let mut pen = Pen::new();
    pen.sized(32.0).write(50.0, 118.0, letter).sized(10.0);
    for (index, (left, right)) in left.into_iter().zip(right).enumerate() {
        let y = 102.0 + f32::from(u8::try_from(index).unwrap()) * 12.0;
        let x = if index < height { 67.0 } else { 50.0 };
        pen.write(x, y, left);
        pen.write(290.0, y, right);
    }
    pen.read()
}

const RIGHT: &str = "p Then he walked down to the town where nobody knew him any more, since every one of his friends had gone to sea \
                     long before, and none of them came back.\n";

#[test]
fn an_initial_begins_the_first_line_next_to_it_and_joins_no_columns() {
    let left = [
        "is father was a miller who had",
        "three sons, a mill, a donkey and",
        "a cat, which the sons were to share",
        "when he died, and they did so with",
        "no word.",
    ];
    let text = "p His father was a miller who had three sons, a mill, a donkey and a cat, which the sons were to share when he \
                died, and they did so with no word.\n";
    assert_eq!(read("H", left, 2), format!("{text}{RIGHT}"));
}

#[test]
fn an_initial_is_a_word_if_the_next_word_occurs_alone() {
    let left = [
        "keeper of a lighthouse has looked",
        "after the boats for many years, as",
        "no other keeper had done before him",
        "in all of the time of which anybody",
        "knows.",
    ];
    let read = read("A", left, 2);
    assert!(
        read.starts_with("p A keeper of a lighthouse has looked after the boats"),
        "{read}"
    );
}
