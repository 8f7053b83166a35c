//! Drawings of which clip paths hide a part.

use std::fmt::Write as _;

use crate::pdf::{Pdf, extract};

/// The types of the blocks of three lines after circles, drawn with this clip.
fn kinds(clip: &str) -> Vec<String> {
    let mut content = String::new();
    for (line, word) in ["English", "German", "Polish"].into_iter().enumerate() {
        let y = 700 - 14 * line;
        write!(
            content,
            "q {clip} 1 0 0 1 63.5 {} cm 1.5 0 m 1.5 .83 .83 1.5 0 1.5 c -.83 1.5 -1.5 .83 -1.5 0 c -1.5 -.83 -.83 -1.5 0 -1.5 c .83 -1.5 1.5 -.83 1.5 0 c S Q BT /F 10 Tf 70 {y} Td ({word}) Tj ET ",
            y + 3
        )
        .unwrap();
    }
    let model = extract(&Pdf::new(&content), false);
    let blocks = model["pages"][0]["blocks"].as_array().unwrap().iter();
    blocks
        .map(|block| block["type"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn only_visible_circles_are_bullets() {
    assert_eq!(kinds(""), ["list"]);
    assert_eq!(kinds("50 600 30 120 re W n"), ["list"]);
    assert_eq!(kinds("300 600 30 120 re W n"), ["paragraph"]);
    // Of a circle whose center is hidden, too little is visible.
    assert_eq!(kinds("50 600 13 120 re W n"), ["paragraph"]);
    // Of several clip paths, only their common part is visible.
    assert_eq!(
        kinds("50 600 30 120 re W n 0 0 55 800 re W n"),
        ["paragraph"]
    );
}
