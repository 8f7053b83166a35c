//! Each kind of structure on its own.

use layout::{Content, Page, Rect};

use crate::pen::{Pen, marked, pages, shown};

const FULL: &str =
    "This line is as long as the lines of this page are at most, or nearly so and no more";

fn body(pen: &mut Pen, y: f32) -> f32 {
    pen.lines(
        50.0,
        y,
        &[
            FULL,
            "and it goes on here and comes to an end of its own soon.",
        ],
    )
}

#[test]
fn short_lines_end_paragraphs() {
    let mut pen = Pen::new();
    let y = body(&mut pen, 60.0);
    body(&mut pen, y);
    let one = "p This line is as long as the lines of this page are at most, or nearly so and no more and it goes on here and comes to an end of its own soon.\n";
    assert_eq!(pen.read(), one.repeat(2));
}

#[test]
fn titles_are_ranked_by_size_and_weight() {
    let mut pen = Pen::new();
    pen.sized(18.0).write(50.0, 60.0, "Whole");
    pen.sized(14.0).write(50.0, 100.0, "Part");
    let y = body(pen.sized(10.0), 130.0);
    pen.bold(true).write(50.0, y + 12.0, "Section");
    let y = body(pen.bold(false), y + 30.0);
    pen.sized(14.0).write(50.0, y + 20.0, "Another part");
    body(pen.sized(10.0), y + 50.0);
    let read = pen.read();
    let titles: Vec<&str> = read.lines().filter(|line| line.starts_with('h')).collect();
    assert_eq!(
        titles,
        ["h1 Whole", "h2 Part", "h3 Section", "h2 Another part"]
    );
}

#[test]
fn items_are_detected_by_markers_and_nested_by_indent() {
    let mut pen = Pen::new();
    let items = [
        (50.0, "•", "Kitchen"),
        (70.0, "◦", "Pots"),
        (70.0, "◦", "Knives"),
        (50.0, "•", "Lamps"),
    ];
    for (row, (x, marker, text)) in (0_u8..).zip(items) {
        let y = 60.0 + 14.0 * f32::from(row);
        pen.write(x, y, marker).write(x + 18.0, y, text);
    }
    let y = body(&mut pen, 130.0);
    pen.write(50.0, y + 12.0, "1.")
        .write(68.0, y + 12.0, "First");
    pen.write(50.0, y + 24.0, "2.")
        .write(68.0, y + 24.0, "Second");
    let read = pen.read();
    assert!(
        read.starts_with("• Kitchen\n  ◦ Pots\n  ◦ Knives\n• Lamps\np "),
        "{read}"
    );
    assert!(read.ends_with("1. First\n2. Second\n"), "{read}");
}

#[test]
fn a_number_at_the_start_of_a_sentence_is_not_a_marker() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "12. is what he said, and he meant it");
    assert_eq!(pen.read(), "p 12. is what he said, and he meant it\n");
}

#[test]
fn ruled_tables_have_spans_and_headers() {
    let mut pen = Pen::new();
    for y in [100.0, 120.0, 140.0] {
        pen.line((50.0, y), (250.0, y));
    }
    pen.line((50.0, 100.0), (50.0, 140.0))
        .line((250.0, 100.0), (250.0, 140.0));
    pen.line((150.0, 120.0), (150.0, 140.0));
    pen.bold(true).write(60.0, 114.0, "Both");
    pen.bold(false)
        .write(60.0, 134.0, "One")
        .write(160.0, 134.0, "Other");
    assert_eq!(
        pen.read(),
        "t 2x2 header 1\n  0,0 over 1x2: p Both\n  1,0: p One\n  1,1: p Other\n"
    );
}

#[test]
fn a_nested_table_stays_in_its_cell() {
    let mut pen = Pen::new();
    let mut grid = |left: f32, top: f32, step: f32, high: f32| {
        for part in [0.0, 1.0, 2.0] {
            let (x, y) = (left + step * part, top + high * part);
            pen.line((left, y), (left + step * 2.0, y))
                .line((x, top), (x, top + high * 2.0));
        }
    };
    grid(50.0, 100.0, 200.0, 100.0);
    grid(270.0, 110.0, 60.0, 20.0);
    pen.write(60.0, 120.0, "Outer").write(60.0, 220.0, "Lower");
    pen.write(275.0, 124.0, "Inner")
        .write(335.0, 144.0, "Corner");
    let read = pen.read();
    let expected = "t 2x2 header 0\n  0,0: p Outer\n  0,1: t 2x2 header 0 /   0,0: p Inner /   1,1: p Corner\n  1,0: p Lower\n";
    assert_eq!(read, expected);
}

#[test]
fn aligned_rows_are_a_borderless_table() {
    let mut pen = Pen::new();
    let y = body(&mut pen, 60.0) + 12.0;
    for (row, (name, price)) in (0_u8..).zip([
        ("Bread", "2.40"),
        ("Milk", "1.10"),
        ("Honey", "6.75"),
        ("Tea", "3.00"),
    ]) {
        let y = y + 14.0 * f32::from(row);
        pen.write(50.0, y, name).write(300.0, y, price);
    }
    body(&mut pen, y + 80.0);
    let page = pen.page();
    let read = shown(&page.blocks);
    assert!(
        read.contains("t 4x2 header 0\n  0,0: p Bread\n  0,1: p 2.40\n  1,0: p Milk\n"),
        "{read}"
    );
    let tables = page.blocks.iter().filter_map(|block| match &block.content {
        Content::Table(table) => Some((
            table.ruled,
            table.confidence > 0.6 && table.confidence < 1.0,
        )),
        _ => None,
    });
    assert_eq!(tables.collect::<Vec<_>>(), [(false, true)]);
}

#[test]
fn columns_are_read_one_after_another_below_spanning_content() {
    let mut pen = Pen::new();
    pen.sized(18.0).write(
        50.0,
        50.0,
        "A heading that reaches across both of the columns",
    );
    pen.sized(10.0);
    let (left, right) = (
        [
            "left column has lines that are full of words to",
            "read before any of those on the other side, and",
            "they come to an end.",
        ],
        [
            "right column has such lines, too, and they stand",
            "beside those on the left, so that both begin at",
            "one height on the page.",
        ],
    );
    pen.lines(50.0, 80.0, &left);
    pen.lines(320.0, 80.0, &right);
    let expected = format!(
        "h1 A heading that reaches across both of the columns\np {}\np {}\n",
        left.join(" "),
        right.join(" ")
    );
    assert_eq!(pen.read(), expected);
}

#[test]
fn repeated_edge_rows_are_headers_and_footers() {
    let sheets: Vec<_> = (1..=4)
        .map(|number| {
            let mut pen = Pen::new();
            pen.sheet.number = number;
            pen.write(50.0, 30.0, "Survey of bridges");
            body(&mut pen, 150.0);
            pen.write(280.0, 780.0, &format!("Page {number}"));
            pen.sheet
        })
        .collect();
    for page in pages(&sheets) {
        assert_eq!(shown(&page.header), "p Survey of bridges\n");
        assert_eq!(shown(&page.footer), format!("p Page {}\n", page.number));
        assert_eq!(page.blocks.len(), 1);
    }
}

#[test]
fn the_only_content_of_pages_is_not_a_header() {
    let sheets: Vec<_> = (1..=4)
        .map(|number| {
            let mut pen = Pen::new();
            pen.sheet.number = number;
            pen.write(50.0, 30.0, &format!("Ticket {number}"));
            pen.sheet
        })
        .collect();
    for page in pages(&sheets) {
        assert_eq!(shown(&page.header), "");
        assert_eq!(shown(&page.blocks), format!("p Ticket {}\n", page.number));
    }
}

/// Returns for two pages with these numbers, which split a paragraph, whether the first block continues.
fn continues_on(numbers: [u32; 2]) -> Vec<bool> {
    let mut sheets = [[FULL, FULL], ["and this is the rest of it.", "It is over."]].map(|lines| {
        let mut pen = Pen::new();
        pen.lines(50.0, 100.0, &lines);
        pen.sheet
    });
    for (sheet, number) in sheets.iter_mut().zip(numbers) {
        sheet.number = number;
    }
    let first = |page: &Page| page.blocks[0].content.clone();
    pages(&sheets)
        .iter()
        .map(|page| matches!(first(page), Content::Paragraph { continues, .. } if continues))
        .collect()
}

#[test]
fn a_paragraph_continues_on_the_next_consecutive_page() {
    assert_eq!(continues_on([1, 2]), [false, true]);
    assert_eq!(continues_on([1, 3]), [false, false]);
    assert_eq!(continues_on([2, 1]), [false, false]);
}

#[test]
fn the_number_of_tried_note_rules_is_limited() {
    let read = |others: u16| {
        let mut pen = Pen::new();
        body(&mut pen, 60.0);
        for other in 0..others {
            let y = 220.0 + f32::from(other) * 2.0;
            pen.line((400.0, y), (500.0, y));
        }
        pen.line((50.0, 700.0), (150.0, 700.0)).sized(8.0);
        pen.write(50.0, 715.0, "1 See the second volume.");
        pen.read()
    };
    assert!(read(199).contains("note 1: See the second volume."));
    assert!(read(200).contains("p 1 See the second volume."));
}

#[test]
fn small_text_below_a_short_line_is_a_note() {
    let mut pen = Pen::new();
    body(&mut pen, 60.0);
    pen.line((50.0, 700.0), (150.0, 700.0));
    pen.sized(8.0)
        .write(50.0, 715.0, "1 See the second volume for all of it.");
    pen.write(50.0, 725.0, "2 Not so.");
    let read = pen.read();
    assert!(
        read.ends_with("note 1: See the second volume for all of it.\nnote 2: Not so.\n"),
        "{read}"
    );
}

#[test]
fn styles_and_links_are_those_of_the_characters() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "plain under gone x");
    pen.sized(6.0)
        .write(140.0, 56.0, "2")
        .sized(10.0)
        .write(150.0, 60.0, "site");
    pen.line((80.0, 61.5), (105.0, 61.5))
        .line((110.0, 57.0), (130.0, 57.0));
    pen.link(
        Rect {
            left: 149.0,
            top: 50.0,
            right: 171.0,
            bottom: 62.0,
        },
        "https://example.org/",
    );
    let page = pen.page();
    let Content::Paragraph { runs, .. } = &page.blocks[0].content else {
        panic!()
    };
    assert_eq!(
        marked(runs),
        "[plain ][uunder][ ][sgone][ x][sup2][ ][@site]"
    );
}

#[test]
fn a_page_of_rotated_text_is_read_upright() {
    let mut pen = Pen::new();
    for (index, text) in (0_u8..).zip("Across the page it runs".chars()) {
        // Rotated clockwise by 90 degrees, the text runs down.
        let top = 100.0 + 5.0 * f32::from(index);
        pen.character(
            text,
            Rect {
                left: 298.0,
                right: 309.0,
                top,
                bottom: top + 5.0,
            },
            top,
            90.0,
        );
    }
    let page = pen.page();
    assert_eq!(shown(&page.blocks), "p Across the page it runs\n");
    let bounds = page.blocks[0].bounds.unwrap();
    assert!(
        (bounds.left - 298.0).abs() < 0.1 && (bounds.top - 100.0).abs() < 0.1,
        "{bounds:?}"
    );
}

#[test]
fn rotated_text_on_an_upright_page_is_not_merged() {
    let mut pen = Pen::new();
    let y = body(&mut pen, 60.0);
    body(&mut pen, y);
    for (index, text) in (0_u8..).zip("Draft".chars()) {
        let bottom = 400.0 - 5.0 * f32::from(index);
        pen.character(
            text,
            Rect {
                left: 20.0,
                right: 31.0,
                top: bottom - 5.0,
                bottom,
            },
            bottom,
            270.0,
        );
    }
    assert!(
        pen.read().lines().any(|line| line == "p Draft"),
        "{}",
        pen.read()
    );
}

#[test]
fn right_to_left_lines_are_written_in_reading_order() {
    let mut pen = Pen::new();
    // In visual order: the first letter is the rightmost.
    pen.write(450.0, 60.0, ".123 הפיא םולש");
    assert_eq!(pen.read(), "p שלום איפה 123.\n");
}

#[test]
fn lines_without_spaces_are_joined_without_one() {
    let mut pen = Pen::new();
    pen.lines(
        50.0,
        60.0,
        &["船在傍晚回到港口船在傍晚回到港口", "船在傍晚。"],
    );
    assert_eq!(pen.read(), "p 船在傍晚回到港口船在傍晚回到港口船在傍晚。\n");
}

#[test]
fn pictures_are_placed_in_reading_order() {
    let mut pen = Pen::new();
    let y = body(&mut pen, 60.0);
    pen.picture(Rect {
        left: 50.0,
        top: y,
        right: 250.0,
        bottom: y + 100.0,
    });
    body(&mut pen, y + 120.0);
    let kinds: Vec<char> = pen
        .read()
        .lines()
        .filter_map(|line| line.chars().next())
        .collect();
    assert_eq!(kinds, ['p', 'i', 'p']);
}

#[test]
fn ocr_text_under_visible_text_is_not_read_twice() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "Once").write(50.0, 60.0, "Once");
    pen.sheet.characters[4..]
        .iter_mut()
        .for_each(|character| character.is_hidden = true);
    pen.write(50.0, 90.0, "Alone");
    pen.sheet.characters[8..]
        .iter_mut()
        .for_each(|character| character.is_hidden = true);
    assert_eq!(pen.read(), "p Once\np Alone\n");
}

#[test]
fn spaces_do_not_hide_ocr_text() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "Once");
    pen.sheet
        .characters
        .iter_mut()
        .for_each(|character| character.is_hidden = true);
    let mut unmapped = pen.sheet.characters.clone();
    for character in &mut unmapped {
        character.text = '\u{a0}';
        character.is_hidden = false;
    }
    pen.sheet.characters.extend(unmapped);
    assert_eq!(pen.read(), "p Once\n");
}

#[test]
fn links_to_their_own_page_are_dropped() {
    let mut pen = Pen::new();
    pen.write(50.0, 60.0, "Here and there.");
    pen.link(Rect::between((50.0, 50.0), (72.0, 64.0)), "#page=1");
    pen.link(Rect::between((95.0, 50.0), (130.0, 64.0)), "#page=2");
    let debug = format!("{:?}", pen.page().blocks);
    assert!(!debug.contains("#page=1"), "{debug}");
    assert!(debug.contains("#page=2"), "{debug}");
}
