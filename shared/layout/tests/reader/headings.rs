//! Lines that look like headings, lines of code, and text with shifted letters.

use layout::Content;

use crate::pen::Pen;

const BODY: [&str; 4] = [
    "The river is wide here and the old bridge has seven arches, of which two",
    "were rebuilt after the flood. The town has grown around both of its ends,",
    "so that traffic has to wait for hours in the narrow streets whenever the",
    "market is held. A second bridge has been planned for more than fifty years.",
];

/// The first letters of the kinds of blocks: `h` is a heading, `p` a paragraph, `l` an item.
fn kinds(pen: &Pen) -> String {
    let read = pen.read();
    read.lines()
        .filter_map(|line| line.chars().next())
        .collect()
}

#[test]
fn bold_entries_of_contents_are_not_headings() {
    let entries = |numbers: [&str; 4]| {
        let mut pen = Pen::new();
        pen.lines(50.0, 60.0, &BODY);
        pen.bold(true).sized(14.0);
        let titles = [
            "2.1 Old Bridges",
            "2.2 Plans",
            "2.3 Costs and Dates",
            "2.4 Streets",
        ];
        for (index, (title, number)) in titles.iter().zip(numbers).enumerate() {
            let y = 150.0 + 30.0 * f32::from(u8::try_from(index).unwrap());
            let width = 7.0 * f32::from(u8::try_from(number.len()).unwrap());
            pen.write(50.0, y, title).write(420.0 - width, y, number);
        }
        pen.bold(false).sized(10.0).lines(50.0, 300.0, &BODY);
        kinds(&pen)
    };
    assert!(!entries(["2", "3", "9", "12"]).contains('h'));
    assert!(
        entries(["12", "9", "3", "2"]).contains('h'),
        "no page numbers"
    );
}

#[test]
fn overlapping_shifted_letters_are_one_word() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "Set in T")
        .write(89.0, 62.3, "E")
        .write(93.0, 60.0, "X")
        .write(105.0, 60.0, "by us.");
    assert_eq!(pen.read(), "p Set in TEX by us.\n");
}

#[test]
fn lines_of_code_are_one_block_with_their_indents() {
    let read = |is_monospaced: bool| {
        let mut pen = Pen::new();
        let y = pen.lines(50.0, 60.0, &BODY);
        pen.font = std::sync::Arc::new(layout::Font {
            is_monospaced,
            ..layout::Font::clone(&pen.font)
        });
        pen.write(50.0, y + 10.0, "for row in rows:")
            .write(70.0, y + 22.0, "1. add(row)")
            .write(70.0, y + 34.0, "total += row.sum")
            .write(50.0, y + 46.0, "print(total)");
        pen.font = Pen::new().font;
        pen.lines(50.0, y + 70.0, &BODY);
        format!("{:?}", pen.page().blocks)
    };
    let code = "for row in rows:\\n    1. add(row)\\n    total += row.sum\\nprint(total)";
    assert!(read(true).contains(code), "{}", read(true));
    assert!(!read(false).contains("preformatted: true"));
}

/// Programs may set leader dots without a space, so that an entry is one word.
#[test]
fn entries_with_attached_leaders_are_neither_headings_nor_items() {
    let mut pen = Pen::new();
    pen.bold(true).sized(14.0);
    let titles = ["1. Bridges", "2. Plans", "3. Costs", "4. Streets"];
    for (title, (y, page)) in titles
        .iter()
        .zip([(60.0, 2), (90.0, 3), (120.0, 9), (150.0, 12)])
    {
        pen.write(50.0, y, &format!("{title:.<48}{page:.>2}"));
    }
    pen.bold(false).sized(10.0).lines(50.0, 250.0, &BODY);
    assert_eq!(kinds(&pen), "ppppp");
}

#[test]
fn a_lone_entry_and_an_address_are_no_headings() {
    let kinds_of = |first: &str| {
        let mut pen = Pen::new();
        pen.bold(true).sized(14.0).write(50.0, 60.0, first);
        pen.bold(false).sized(10.0).lines(50.0, 100.0, &BODY);
        kinds(&pen)
    };
    assert_eq!(kinds_of("1. Introduction"), "hp");
    assert_eq!(kinds_of(&format!("{:.<48}7", "1. Introduction")), "pp");
    assert_eq!(kinds_of("Ada at Example"), "hp");
    assert_eq!(kinds_of("ada@example.org"), "pp");
}

/// As in books by LaTeX.
#[test]
fn the_number_of_a_chapter_has_the_level_of_its_larger_title() {
    let mut pen = Pen::new();
    let mut y = 60.0;
    for title in ["Bridges", "Streets"] {
        pen.bold(true).sized(20.0).write(50.0, y, "Chapter 1");
        pen.sized(25.0).write(50.0, y + 50.0, title);
        pen.sized(14.0).write(50.0, y + 90.0, "1.1 Their Use");
        y = pen.bold(false).sized(10.0).lines(50.0, y + 115.0, &BODY) + 40.0;
    }
    let levels = pen
        .page()
        .blocks
        .into_iter()
        .filter_map(|block| match block.content {
            Content::Heading { level, .. } => Some(level),
            _ => None,
        });
    assert_eq!(levels.collect::<Vec<_>>(), [1, 1, 2, 1, 1, 2]);
}
