//! Text in columns, which is not a table.

use crate::pen::{Pen, pages, shown};

/// Writes words spaced to fill a line between two positions.
fn filled(pen: &mut Pen, y: f32, (left, right): (f32, f32), words: &[&str]) {
    let width = |word: &&str| f32::from(u16::try_from(word.chars().count()).unwrap()) * 5.0;
    let free = right - left - words.iter().map(width).sum::<f32>();
    let gaps = f32::from(u16::try_from(words.len() - 1).unwrap());
    let mut x = left;
    for word in words {
        pen.write(x, y, word);
        x += width(word) + free / gaps;
    }
}

#[test]
fn two_words_that_fill_a_column_line_are_not_a_row() {
    let mut pen = Pen::new();
    let column = (50.0, 190.0);
    let lines: [&[&str]; 8] = [
        &["The", "old", "lighthouse", "keeper"],
        &["and", "walked", "down", "to", "the"],
        &["harbour", "of", "the", "old", "town"],
        &["again."],
        &["Understands", "neighbours"],
        &["Remembering", "something"],
        &["Lighthouses", "everywhere"],
        &["alone."],
    ];
    for (index, words) in (0_u8..).zip(lines) {
        let y = 60.0 + f32::from(index) * 12.0;
        match words {
            [only] => {
                pen.write(column.0, y, only);
            }
            _ => filled(&mut pen, y, column, words),
        }
    }
    assert_eq!(
        pen.read(),
        "p The old lighthouse keeper and walked down to the harbour of the old town again.\n\
         p Understands neighbours Remembering something Lighthouses everywhere alone.\n"
    );
}

#[test]
fn words_with_equal_spaces_are_not_columns() {
    let mut pen = Pen::new();
    let (left, right) = ((50.0, 230.0), (260.0, 440.0));
    let lines = [
        (
            "In the old house by the harbour lived",
            "None of the boats that lay there was",
        ),
        (
            "a keeper who had seen all of its boats",
            "of any use to him, for all were old.",
        ),
    ];
    for (index, (one, other)) in (0_u8..).zip(lines.iter().cycle().take(4)) {
        let y = 60.0 + f32::from(index) * 12.0;
        filled(&mut pen, y, left, &one.split(' ').collect::<Vec<_>>());
        filled(&mut pen, y, right, &other.split(' ').collect::<Vec<_>>());
    }
    filled(&mut pen, 108.0, left, &["Lighthouse", "123", "of"]);
    filled(&mut pen, 108.0, right, &["Carpenter", "45", "remembers"]);
    pen.write(50.0, 120.0, "them.").write(260.0, 120.0, "it.");
    let read = pen.read();
    assert!(read.lines().all(|line| line.starts_with("p ")), "{read}");
    assert!(read.contains("Lighthouse 123 of them."), "{read}");
}

#[test]
fn lines_side_by_side_on_different_baselines_are_not_merged() {
    let mut pen = Pen::new();
    let (left, right) = (
        ["Lamp", "Rope", "Bell", "Boat"],
        ["First", "Other", "Third", "Last"],
    );
    for (index, (one, other)) in (0_u8..).zip(left.into_iter().zip(right)) {
        let y = 60.0 + f32::from(index) * 16.0;
        pen.write(50.0, y, one).write(200.0, y + 4.0, other);
    }
    let expected = "t 4x2 header 0
  0,0: p Lamp
  0,1: p First
  1,0: p Rope
  1,1: p Other
  2,0: p Bell
  2,1: p Third
  3,0: p Boat
  3,1: p Last
";
    assert_eq!(pen.read(), expected);
}

#[test]
fn text_continuing_in_all_columns_is_not_a_table() {
    let mut pen = Pen::new();
    let columns = [
        [
            "The keeper of",
            "lighthouses has",
            "looked after it",
            "for long years.",
        ],
        [
            "No boat comes",
            "into this old",
            "harbour as its",
            "water is low.",
        ],
        [
            "Carpenters are",
            "building all of",
            "their houses of",
            "stones now.",
        ],
    ];
    for (x, lines) in [50.0, 160.0, 270.0].into_iter().zip(columns) {
        pen.lines(x, 60.0, &lines);
    }
    assert_eq!(
        pen.read(),
        "p The keeper of lighthouses has looked after it for long years.\n\
         p No boat comes into this old harbour as its water is low.\n\
         p Carpenters are building all of their houses of stones now.\n"
    );
}

#[test]
fn larger_lines_next_to_other_columns_are_headings() {
    let mut pen = Pen::new();
    let text = [
        "The lamp is cleaned every Monday, and it",
        "takes all of the morning, as nobody else",
        "is there to help before the boats are in.",
    ];
    for y in [60.0, 144.0] {
        pen.bold(true).sized(12.0).write(50.0, y, "Of lamps");
        pen.bold(false).sized(10.0).lines(50.0, y + 18.0, &text);
    }
    for paragraph in 0..5_u8 {
        pen.lines(310.0, 60.0 + f32::from(paragraph) * 36.0, &text);
    }
    let read = pen.read();
    let titles = read.lines().filter(|line| *line == "h1 Of lamps");
    assert_eq!(titles.count(), 2, "{read}");
}

#[test]
fn a_table_header_with_a_two_line_cell_is_not_a_page_header() {
    let sheets: Vec<_> = (1..=4)
        .map(|number| {
            let mut pen = Pen::new();
            pen.sheet.number = number;
            for (x, name) in [(50.0, "Thing"), (200.0, "In the"), (350.0, "Price")] {
                pen.write(x, 60.0, name);
            }
            pen.write(200.0, 72.0, "house");
            for row in 0..30_u16 {
                let y = 88.0 + f32::from(row) * 16.0;
                let count = u16::try_from(number).unwrap() * 100 + row;
                let name = char::from_u32(u32::from(b'A') + u32::from(row) % 26).unwrap();
                pen.write(50.0, y, &format!("{name}lamp"));
                pen.write(200.0, y, &format!("{count}"));
                pen.write(350.0, y, &format!("{count}.50"));
            }
            pen.sheet
        })
        .collect();
    for page in pages(&sheets) {
        assert_eq!(shown(&page.header), "");
        let read = shown(&page.blocks);
        assert!(
            read.starts_with("t 31x3 ")
                && read.contains("\n  0,0: p Thing\n  0,1: p In the house\n"),
            "{read}"
        );
    }
}

#[test]
fn gaps_separate_words_in_fonts_without_spaces() {
    let mut pen = Pen::new();
    let mut x = 50.0;
    for word in ["Lamps", "of", "harbours"] {
        pen.bold(true).write(x, 60.0, word);
        x += f32::from(u8::try_from(word.len()).unwrap()) * 5.0 + 2.4;
    }
    pen.bold(false);
    pen.lines(
        50.0,
        90.0,
        &["The lamp is cleaned every Monday.", "It is gray."],
    );
    assert!(pen.read().contains("Lamps of harbours\n"), "{}", pen.read());
}

#[test]
fn lines_across_the_page_above_narrow_columns_do_not_join_them() {
    let mut pen = Pen::new();
    for y in [60.0, 180.0] {
        pen.write(
            50.0,
            y,
            "Figure: boats in the harbor of the old town, from the year it was built until today",
        );
    }
    let rows = [
        (
            "In the old house by the harbor lived",
            "of the boats that lay there was of use",
        ),
        (
            "a keeper who had seen all of its old",
            "to him, for all of them were very old",
        ),
        (
            "boats and who knew each of them, from",
            "and had been left there by their owner",
        ),
        (
            "the large to the smallest, so that no",
            "who had gone to sea and did not return",
        ),
        (
            "one asked him any more for it, as none",
            "to the town for many years after that.",
        ),
    ];
    for (index, (left, right)) in (0_u8..).zip(rows) {
        let y = 300.0 + f32::from(index) * 12.0;
        filled(
            &mut pen,
            y,
            (50.0, 250.0),
            &left.split(' ').collect::<Vec<_>>(),
        );
        filled(
            &mut pen,
            y,
            (259.0, 459.0),
            &right.split(' ').collect::<Vec<_>>(),
        );
    }
    let text = pen.read();
    assert!(text.contains("as none of the boats that lay"), "{text}");
}

#[test]
fn a_table_whose_padding_reaches_into_the_gutter_is_in_its_column() {
    let mut pen = Pen::new();
    let lines = |pen: &mut Pen, x: f32, from: u8, word: &str| {
        for line in 0..5 {
            let y = 60.0 + f32::from(from + line) * 12.0;
            pen.write(x, y, &format!("{word} and the boats of the old"));
        }
    };
    // The gutter is from 210 to 222; the table reaches to 218.
    lines(&mut pen, 50.0, 0, "keeper");
    for (row, (name, count)) in (0_u8..).zip([("Name", "Count"), ("Boats", "12"), ("Lamps", "1")]) {
        let y = 140.0 + f32::from(row) * 20.0;
        pen.write(50.0, y, name).write(180.0, y, count);
        pen.line((44.0, y - 14.0), (218.0, y - 14.0));
    }
    pen.line((44.0, 186.0), (218.0, 186.0));
    for x in [44.0, 160.0, 218.0] {
        pen.line((x, 126.0), (x, 186.0));
    }
    lines(&mut pen, 50.0, 12, "lights");
    for from in [0, 5, 10] {
        lines(&mut pen, 222.0, from, "sailor");
    }
    let read = pen.read();
    let places = ["keeper", "Boats", "lights", "sailor"].map(|word| read.find(word));
    assert!(places.is_sorted() && places[0].is_some(), "{read}");
    assert!(!read[places[3].unwrap()..].contains("lights"), "{read}");
}

#[test]
fn headings_side_by_side_above_short_columns_are_not_a_table() {
    let mut pen = Pen::new();
    for (x, heading, lines) in [
        (
            50.0,
            "The lamps",
            [
                "Of all the lamps that burned in",
                "the harbour at night only two are",
                "still lit by the keeper, who walks",
                "up to them alone.",
            ],
        ),
        (
            320.0,
            "The boats",
            [
                "None of the boats that lay there",
                "was of any use to him, for all of",
                "them were old and full of water.",
                "",
            ],
        ),
    ] {
        pen.sized(12.0).bold(true).write(x, 60.0, heading);
        pen.sized(10.0).bold(false);
        for (row, line) in (0_u8..).zip(lines) {
            pen.write(x, 80.0 + f32::from(row) * 12.0, line);
        }
    }
    for (row, line) in (0_u8..).zip([
        "The harbour was built when the town was young, and the town paid for all of the walls and",
        "for the light, which was lit for the first time in spring.",
    ]) {
        pen.write(50.0, 160.0 + f32::from(row) * 12.0, line);
    }
    assert_eq!(
        pen.read(),
        "h1 The lamps\n\
         p Of all the lamps that burned in the harbour at night only two are still lit by the keeper, who walks up to them alone.\n\
         h1 The boats\n\
         p None of the boats that lay there was of any use to him, for all of them were old and full of water.\n\
         p The harbour was built when the town was young, and the town paid for all of the walls and for the light, which was lit for the first time in spring.\n"
    );
}

#[test]
fn a_column_whose_heading_is_higher_is_read_after_the_column_before() {
    let mut pen = Pen::new();
    for (x, y, heading, word) in [
        (50.0, 76.0, "The lamps", "lights"),
        (320.0, 60.0, "The boats", "sailor"),
    ] {
        pen.sized(14.0).bold(true).write(x, y, heading);
        pen.sized(10.0).bold(false);
        let lines = [
            format!("Nobody who came down to the {word}"),
            format!("could have said whose {word} it was,"),
            format!("but all of them knew how the {word}"),
            format!("had got its name and why a {word} is"),
            "better than none when the wind turns".to_owned(),
            "and the water of the harbour rises.".to_owned(),
        ];
        for (row, line) in (0_u8..).zip(lines) {
            pen.write(x, y + 24.0 + f32::from(row) * 12.0, &line);
        }
    }
    let read = pen.read();
    let places =
        ["The lamps", "lights", "The boats", "sailor"].map(|word| read.find(word).unwrap());
    assert!(places.is_sorted(), "{read}");
    assert!(!read[places[2]..].contains("lights"), "{read}");
}

/// Draws two columns of entries, each with its number after a gap of this width.
fn entries(names: &[&str; 12], gap: f32) -> String {
    let mut pen = Pen::new();
    for (place, name) in (0_u8..).zip(names) {
        let (column, row) = (place / 6, place % 6);
        let (x, y) = (
            50.0 + f32::from(column) * 250.0,
            60.0 + f32::from(row) * 12.0,
        );
        let number = format!("{}", u16::from(place) * 7 + 3);
        pen.write(x, y, name);
        let end = x + 5.0 * f32::from(u16::try_from(name.len()).unwrap());
        match gap > 0.0 {
            true => pen.write(x + gap, y, &number),
            false => pen.write(end, y, &format!(", {number}")),
        };
    }
    let read = pen.read();
    assert!(!read.contains("\nt ") && !read.starts_with("t "), "{read}");
    let names = names.iter().map(|name| read.find(name).unwrap());
    match names.is_sorted() {
        true => String::new(),
        false => read,
    }
}

#[test]
fn an_index_is_read_column_by_column() {
    let names = [
        "Adam", "Beacon", "Castle", "Dock", "Eagle", "Falcon", "Garden", "Harbour", "Island",
        "Jetty", "Kiln", "Ladder",
    ];
    assert_eq!(entries(&names, 0.0), "");
}

#[test]
fn contents_in_columns_are_read_column_by_column() {
    let names = [
        "Of mills",
        "Rivers",
        "And lanes",
        "Ships",
        "Boats",
        "Towns",
        "Barns",
        "The sea",
        "Ice and snow",
        "Ropes",
        "Sails",
        "Weirs",
    ];
    assert_eq!(entries(&names, 0.0), "");
    assert_eq!(entries(&names, 150.0), "");
}
