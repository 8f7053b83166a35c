//! First-line indents of paragraphs and items, and text margins.

use layout::PageContent;

use crate::pen::{Pen, pages, shown};

/// Reads a page of lines; those that begin with the indent mark are indented by 20 points.
fn read(lines: &[&str]) -> String {
    let mut pen = Pen::new();
    for (index, line) in (0_u8..).zip(lines) {
        let y = 100.0 + f32::from(index) * 12.0;
        match line.strip_prefix('|') {
            Some(line) => pen.write(70.0, y, line),
            None => pen.write(50.0, y, line),
        };
    }
    pen.read()
}

const INDENTED: [&str; 6] = [
    "|The keeper of the old lighthouse has looked after it for many years,",
    "and none of the boats that lie there is his or has been his before now.",
    "|Then he walked down to the town where nobody knew him any more at all,",
    "since all of his friends had gone to sea and had not come back by then.",
    "|When he was back he lit the lamp once more, as he had done every night",
    "before this one, and he would do so in every night that came after it.",
];

#[test]
fn an_indented_item_continues_at_the_margin() {
    let mut lines = INDENTED.to_vec();
    lines.extend([
        "|a) The lamp must be lit by the keeper, and by nobody else, as all the",
        "Notices say that hang in the tower and at the gate of the old harbour;",
        "|b) the lamp must not go out before the sun is seen by those who are on",
        "the boats that lie there.",
    ]);
    let read = read(&lines);
    let items = "a) The lamp must be lit by the keeper, and by nobody else, as all the Notices say that hang in the tower and at \
                 the gate of the old harbour;\nb) the lamp must not go out before the sun is seen by those who are on the boats \
                 that lie there.\n";
    assert!(read.ends_with(items), "{read}");
}

#[test]
fn text_without_indents_does_not_continue_an_indented_item() {
    let read = read(&[
        "The keeper of the old lighthouse has looked after it for many years, and",
        "none of the boats is his.",
        "|• The lamp must be lit by the keeper and by no one else, as all know by",
        "These are the rules of the harbour, and they hold for the boats, too.",
    ]);
    assert!(read.contains("all know by\np These are"), "{read}");
}

#[test]
fn indented_single_lines_are_separate_paragraphs() {
    let mut lines = INDENTED.to_vec();
    lines.extend([
        "|The lamp is old, and so is the tower, but the light is seen from afar.",
        "|The keeper is old, too, and there is no one who will come after him.",
    ]);
    let read = read(&lines);
    let last = "p The lamp is old, and so is the tower, but the light is seen from afar.\np The keeper is old, too, and there is no \
                one who will come after him.\n";
    assert!(read.ends_with(last), "{read}");
}

#[test]
fn wide_headers_do_not_determine_the_margin() {
    let sheet = |number: u32| -> PageContent {
        let mut pen = Pen::new();
        pen.sheet.number = number;
        pen.write(50.0, 40.0, "Quarterly Report").write(
            500.0,
            40.0,
            &format!("Page {number} of 3"),
        );
        let lines = [
            "Stock rose by a part of what it was in the third quarter of this year, as",
            "everybody knew that it would, and the new hall was opened in September; its",
            "warehouses hold many pallets, of which most were taken when the month ended,",
            "so there was no room.",
        ];
        for (index, line) in (0_u8..).zip(lines) {
            pen.write(50.0, 100.0 + f32::from(index) * 12.0, line);
        }
        pen.sheet
    };
    let sheets: Vec<PageContent> = (1..=3).map(sheet).collect();
    for page in pages(&sheets) {
        let read = shown(&page.blocks);
        assert_eq!(read.lines().count(), 1, "{read}");
    }
}

#[test]
fn a_closing_bracket_at_the_page_end_does_not_end_the_sentence() {
    let continues = |next: &str| {
        let sheet = |number: u32, lines: [&str; 2]| {
            let mut pen = Pen::new();
            pen.sheet.number = number;
            pen.lines(50.0, 400.0, &lines);
            pen.sheet
        };
        let first = [
            "The keeper of the old lighthouse has looked after it for many years, and",
            "as all of them know who are at sea (or were so at some time in their life)",
        ];
        let read = pages(&[
            sheet(1, first),
            sheet(
                2,
                [
                    next,
                    "and nobody knows whose else they are, though many of them asked him.",
                ],
            ),
        ]);
        match &read[1].blocks[0].content {
            layout::Content::Paragraph { continues, .. } => *continues,
            other => panic!("{other:?}"),
        }
    };
    assert!(continues(
        "none of the boats that lie there in summer is his or has ever been his,"
    ));
    assert!(!continues(
        "None of the boats that lie there in summer is his or has ever been his,"
    ));
}

#[test]
fn descriptions_of_two_lines_continue_in_the_indented_line() {
    let mut pen = Pen::new();
    let entries = [
        (
            "Anchor",
            "holds a boat at its place in all winds and weathers that",
        ),
        (
            "Rudder",
            "turns a boat to the side that the keeper of it has in his",
        ),
        (
            "Lantern",
            "shows a boat to all others that come near it on the sea",
        ),
    ];
    let mut y = 60.0;
    for (term, text) in entries {
        pen.bold(true).write(50.0, y, term).bold(false);
        pen.write(100.0, y, text);
        y = pen.lines(100.0, y + 12.0, &["come up in the night"]) + 4.0;
    }
    let expected: String = entries
        .iter()
        .map(|(term, text)| format!("p {term} {text} come up in the night\n"))
        .collect();
    assert_eq!(pen.read(), expected);
}

/// A short note has margins of its own on both sides.
#[test]
fn lines_of_a_set_in_sentence_are_one_paragraph() {
    let read = |lines: &[&str]| {
        let mut pen = Pen::new();
        pen.lines(
            50.0,
            60.0,
            &[
                "The river is wide here and the old bridge has seven arches, of which two were",
                "rebuilt after the flood, so that the traffic has to wait for hours whenever the",
            ],
        );
        pen.lines(120.0, 110.0, lines);
        pen.read()
            .lines()
            .skip(1)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let sentence = read(&[
        "Note that both gates of the hall must be closed at",
        "night, and opened again in the morning.",
    ]);
    assert_eq!(
        sentence,
        [
            "p Note that both gates of the hall must be closed at night, and opened again in the morning."
        ]
    );
    let lines = [
        "gate.close(Side::North, Mode::Slow, Count::Both);",
        "hall.open();",
    ];
    assert_eq!(read(&lines).len(), 2);
}
