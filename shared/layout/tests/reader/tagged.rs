//! What a document says of its structure is followed, as far as it is whole.

mod broken;

use layout::{Alignment, Basis, Content, Element, Kid, Page, Rect, Role, Tag, Warning, plain};

use crate::pen::{Pen, readings, shown};

fn element(role: Role, kids: Vec<Kid>) -> Kid {
    Kid::Element(Element {
        role,
        row_span: 1,
        column_span: 1,
        kids,
        ..Element::default()
    })
}

fn of(role: Role, contents: impl IntoIterator<Item = u32>) -> Kid {
    element(role, contents.into_iter().map(Kid::Content).collect())
}

fn cell(role: Role, spans: (usize, usize), content: u32) -> Kid {
    Kid::Element(Element {
        role,
        row_span: spans.0,
        column_span: spans.1,
        kids: vec![of(Role::Paragraph, [content])],
        ..Element::default()
    })
}

fn tagged(pen: &mut Pen, kids: Vec<Kid>) {
    pen.sheet.structure = vec![Element {
        kids,
        ..Element::default()
    }];
}

/// Writes content of a number.
fn write(pen: &mut Pen, id: u32, x: f32, y: f32, text: &str) {
    pen.tag = Tag::Content(id);
    pen.write(x, y, text);
    pen.tag = Tag::None;
}

fn read(pen: &Pen) -> (Page, Vec<Warning>) {
    let reading = readings(std::slice::from_ref(&pen.sheet)).remove(0);
    (reading.page, reading.warnings)
}

#[test]
fn roles_make_blocks_in_the_order_of_the_structure() {
    let mut pen = Pen::new();
    write(
        &mut pen,
        2,
        50.0,
        60.0,
        "Said second, though it stands above.",
    );
    write(&mut pen, 0, 50.0, 90.0, "A title as small as text");
    write(&mut pen, 1, 50.0, 120.0, "Said first,");
    write(&mut pen, 3, 50.0, 132.0, "on two lines.");
    tagged(
        &mut pen,
        vec![
            element(
                Role::Section,
                vec![element(Role::Section, vec![of(Role::Heading(None), [0])])],
            ),
            element(
                Role::Paragraph,
                vec![Kid::Content(1), of(Role::Inline, [3])],
            ),
            of(Role::Paragraph, [2]),
        ],
    );
    let (page, warnings) = read(&pen);
    assert_eq!(page.basis, Basis::Structure);
    assert_eq!(warnings, []);
    let expected = "h2 A title as small as text\np Said first, on two lines.\np Said second, though it stands above.\n";
    assert_eq!(shown(&page.blocks), expected);
}

#[test]
fn items_have_their_labels_and_levels() {
    let mut pen = Pen::new();
    for (id, (x, y, text)) in [
        (50.0, 60.0, "1."),
        (70.0, 60.0, "Outer"),
        (70.0, 72.0, "a)"),
        (90.0, 72.0, "Inner"),
        (50.0, 84.0, "2."),
        (70.0, 84.0, "Last"),
    ]
    .into_iter()
    .enumerate()
    {
        write(&mut pen, u32::try_from(id).unwrap(), x, y, text);
    }
    let item = |label, body: Vec<Kid>| {
        element(
            Role::Item,
            vec![of(Role::Label, [label]), element(Role::Body, body)],
        )
    };
    let inner = element(Role::List, vec![item(2, vec![of(Role::Paragraph, [3])])]);
    let first = item(0, vec![of(Role::Paragraph, [1]), inner]);
    let last = item(4, vec![Kid::Content(5)]);
    tagged(&mut pen, vec![element(Role::List, vec![first, last])]);
    assert_eq!(
        shown(&read(&pen).0.blocks),
        "1. Outer\n  a) Inner\n2. Last\n"
    );
}

#[test]
fn labels_that_are_no_bullets_are_kept_as_they_are_shown() {
    let labels = ["[12]", "Step 1:", "1000.", "•"];
    let mut pen = Pen::new();
    let mut items = Vec::new();
    for (row, label) in (0_u8..).zip(labels) {
        let (y, id) = (60.0 + 14.0 * f32::from(row), u32::from(row) * 2);
        write(&mut pen, id, 50.0, y, label);
        write(&mut pen, id + 1, 120.0, y, "Said");
        let item = vec![of(Role::Label, [id]), of(Role::Body, [id + 1])];
        items.push(element(Role::Item, item));
    }
    tagged(&mut pen, vec![element(Role::List, items)]);
    let blocks = read(&pen).0.blocks;
    let items = blocks.iter().flat_map(|block| match &block.content {
        Content::List { items } => items.clone(),
        _ => panic!("no list"),
    });
    let items: Vec<(String, bool)> = items.map(|item| (item.marker, item.ordered)).collect();
    let ordered = [true, true, true, false];
    let expected = labels.map(str::to_owned).into_iter().zip(ordered);
    assert_eq!(items, expected.collect::<Vec<_>>());
}

#[test]
fn lists_that_follow_each_other_are_one_whose_levels_are_told_by_indents() {
    let mut pen = Pen::new();
    for (id, (x, y, text)) in [
        (50.0, 60.0, "•"),
        (60.0, 60.0, "Outer"),
        (70.0, 72.0, "•"),
        (80.0, 72.0, "Inner"),
        (50.0, 84.0, "•"),
        (60.0, 84.0, "Last"),
    ]
    .into_iter()
    .enumerate()
    {
        write(&mut pen, u32::try_from(id).unwrap(), x, y, text);
    }
    let list = |label| {
        let item = vec![of(Role::Label, [label]), of(Role::Body, [label + 1])];
        element(Role::List, vec![element(Role::Item, item)])
    };
    tagged(&mut pen, vec![list(0), list(2), list(4)]);
    assert_eq!(shown(&read(&pen).0.blocks), "• Outer\n  • Inner\n• Last\n");
}

#[test]
fn cells_take_the_places_that_are_left_and_empty_ones_count() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "Season");
    write(&mut pen, 1, 150.0, 60.0, "Weekday");
    write(&mut pen, 2, 150.0, 80.0, "Early");
    write(&mut pen, 3, 250.0, 80.0, "Late");
    write(&mut pen, 4, 50.0, 100.0, "Summer");
    write(&mut pen, 5, 250.0, 100.0, "9");
    let row = |cells| element(Role::Row, cells);
    let rows = vec![
        row(vec![
            cell(Role::HeaderCell, (2, 1), 0),
            cell(Role::HeaderCell, (1, 2), 1),
        ]),
        row(vec![
            cell(Role::HeaderCell, (1, 1), 2),
            cell(Role::HeaderCell, (1, 1), 3),
        ]),
        row(vec![
            cell(Role::Cell, (1, 1), 4),
            Kid::Elsewhere,
            cell(Role::Cell, (1, 1), 5),
        ]),
    ];
    tagged(
        &mut pen,
        vec![element(Role::Table, vec![element(Role::Group, rows)])],
    );
    let (page, _) = read(&pen);
    let expected = "t 3x3 header 2\n  0,0 over 2x1: p Season\n  0,1 over 1x2: p Weekday\n  1,1: p Early\n  1,2: p Late\n  2,0: p Summer\n  2,2: p 9\n";
    assert_eq!(shown(&page.blocks), expected);
    let Content::Table(table) = &page.blocks[0].content else {
        panic!("no table");
    };
    assert!((table.confidence - 1.0).abs() < f32::EPSILON && !table.ruled);
    assert_eq!(table.widths.len(), 3);
}

#[test]
fn figures_say_what_they_show_and_notes_go_to_the_end() {
    let mut pen = Pen::new();
    pen.tag = Tag::Content(0);
    pen.picture(Rect::between((50.0, 100.0), (150.0, 200.0)));
    pen.tag = Tag::Artifact;
    pen.picture(Rect::between((0.0, 0.0), (600.0, 800.0)));
    write(&mut pen, 1, 50.0, 60.0, "Before it.");
    write(&mut pen, 2, 50.0, 700.0, "1");
    write(&mut pen, 3, 60.0, 700.0, "A note.");
    write(&mut pen, 4, 50.0, 230.0, "After it.");
    let figure = Kid::Element(Element {
        role: Role::Figure,
        alternative: Some("A lamp".to_owned()),
        kids: vec![Kid::Content(0)],
        ..Element::default()
    });
    let note = element(
        Role::Note,
        vec![of(Role::Label, [2]), of(Role::Paragraph, [3])],
    );
    let text = element(Role::Paragraph, vec![Kid::Content(1), note]);
    tagged(&mut pen, vec![text, figure, of(Role::Paragraph, [4])]);
    let (page, _) = read(&pen);
    assert_eq!(
        shown(&page.blocks),
        "p Before it.\nimage 0\np After it.\nnote 1: A note.\n"
    );
    assert_eq!(
        page.blocks[1].content,
        Content::Image {
            image: 0,
            alternative: Some("A lamp".to_owned())
        }
    );
}

#[test]
fn what_is_said_to_be_said_is_said() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "The");
    write(&mut pen, 1, 70.0, 60.0, "\u{fffd}\u{fffd}sh");
    write(&mut pen, 2, 95.0, 60.0, "swims.");
    let spoken = Kid::Element(Element {
        role: Role::Inline,
        actual: Some("fish".to_owned()),
        kids: vec![Kid::Content(1)],
        ..Element::default()
    });
    tagged(
        &mut pen,
        vec![element(
            Role::Paragraph,
            vec![Kid::Content(0), spoken, Kid::Content(2)],
        )],
    );
    assert_eq!(shown(&read(&pen).0.blocks), "p The fish swims.\n");
}

#[test]
fn artifacts_at_the_edges_are_headers_and_footers_and_others_are_left_out() {
    let mut pen = Pen::new();
    pen.tag = Tag::Artifact;
    pen.write(50.0, 30.0, "Handbook");
    pen.write(50.0, 400.0, "DRAFT");
    pen.write(50.0, 780.0, "Sheet 1");
    write(&mut pen, 0, 50.0, 100.0, "What is said.");
    write(&mut pen, 1, 50.0, 600.0, "And more.");
    tagged(
        &mut pen,
        vec![of(Role::Paragraph, [0]), of(Role::Paragraph, [1])],
    );
    let (page, _) = read(&pen);
    assert_eq!(shown(&page.header), "p Handbook\n");
    assert_eq!(shown(&page.blocks), "p What is said.\np And more.\n");
    assert_eq!(shown(&page.footer), "p Sheet 1\n");
}

#[test]
fn artifacts_that_say_much_belong_to_the_text() {
    let mut pen = Pen::new();
    pen.tag = Tag::Artifact;
    let label = "Reason for which the form is filled in, and the unit and its place in that year, by number.";
    pen.write(50.0, 400.0, label);
    write(&mut pen, 0, 50.0, 100.0, "What is said.");
    write(&mut pen, 1, 50.0, 600.0, "And more.");
    tagged(
        &mut pen,
        vec![of(Role::Paragraph, [0]), of(Role::Paragraph, [1])],
    );
    let (page, _) = read(&pen);
    let expected = format!("p What is said.\np {label}\np And more.\n");
    assert_eq!(shown(&page.blocks), expected);
}

#[test]
fn a_little_that_is_left_out_is_put_where_it_stands() {
    let mut pen = Pen::new();
    write(
        &mut pen,
        0,
        50.0,
        60.0,
        "This is what the structure holds of the page: a sentence of some length.",
    );
    pen.write(50.0, 90.0, "Left");
    write(
        &mut pen,
        1,
        50.0,
        120.0,
        "And this is another one of about the same length, as it has to be.",
    );
    tagged(
        &mut pen,
        vec![of(Role::Paragraph, [0]), of(Role::Paragraph, [1])],
    );
    let (page, warnings) = read(&pen);
    assert_eq!(page.basis, Basis::Structure);
    assert_eq!(warnings, []);
    let texts: Vec<String> = shown(&page.blocks).lines().map(str::to_owned).collect();
    assert_eq!(texts[1], "p Left");
}

#[test]
fn alignment_is_that_which_the_structure_says() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "In the middle, it says.");
    let kid = Kid::Element(Element {
        role: Role::Paragraph,
        alignment: Some(Alignment::Centre),
        kids: vec![Kid::Content(0)],
        ..Element::default()
    });
    tagged(&mut pen, vec![kid]);
    let (page, _) = read(&pen);
    let Content::Paragraph {
        alignment, runs, ..
    } = &page.blocks[0].content
    else {
        panic!("no paragraph");
    };
    assert_eq!(*alignment, Alignment::Centre);
    assert_eq!(plain(runs), "In the middle, it says.");
}

/// What is read of a table that a page cuts within a row, and of its rest on the page of another number; and whether that goes on.
fn cut(number: u32) -> (Vec<String>, bool) {
    let page = |kids: Vec<Kid>, texts: &[(u32, f32, &str)], number| {
        let mut pen = Pen::new();
        for (id, x, text) in texts {
            write(&mut pen, *id, *x, 60.0, text);
        }
        tagged(&mut pen, kids);
        pen.sheet.number = number;
        pen.sheet
    };
    let row = |cells| element(Role::Table, vec![element(Role::Row, cells)]);
    let first = page(
        vec![row(vec![
            cell(Role::Cell, (1, 1), 0),
            cell(Role::Cell, (1, 1), 1),
        ])],
        &[(0, 50.0, "Name"), (1, 150.0, "It begins")],
        1,
    );
    let rest = element(Role::Paragraph, vec![Kid::Elsewhere, Kid::Content(0)]);
    let table = element(
        Role::Table,
        vec![
            Kid::Elsewhere,
            element(
                Role::Row,
                vec![Kid::Elsewhere, element(Role::Cell, vec![rest])],
            ),
            element(
                Role::Row,
                vec![cell(Role::Cell, (1, 1), 1), cell(Role::Cell, (1, 1), 2)],
            ),
        ],
    );
    let next = page(
        vec![table],
        &[
            (0, 150.0, "and ends."),
            (1, 50.0, "Next"),
            (2, 250.0, "row"),
        ],
        number,
    );
    let pages = readings(&[first, next]);
    let blocks = pages.iter().map(|reading| shown(&reading.page.blocks));
    let goes_on = match &pages[1].page.blocks[0].content {
        Content::Table(table) => table.continues,
        _ => panic!("no table"),
    };
    (blocks.collect(), goes_on)
}

#[test]
fn a_row_that_goes_on_over_the_end_of_a_page_is_one() {
    let expected = [
        "t 1x2 header 0\n  0,0: p Name\n  0,1: p It begins and ends.\n",
        "t 1x2 header 0\n  0,0: p Next\n  0,1: p row\n",
    ];
    assert_eq!(cut(2), (expected.map(str::to_owned).to_vec(), true));
}

#[test]
fn nothing_goes_on_over_a_page_that_is_left_out() {
    let expected = [
        "t 1x2 header 0\n  0,0: p Name\n  0,1: p It begins\n",
        "t 2x2 header 0\n  0,1: p and ends.\n  1,0: p Next\n  1,1: p row\n",
    ];
    assert_eq!(cut(3), (expected.map(str::to_owned).to_vec(), false));
}

#[test]
fn rows_of_the_page_before_are_no_empty_rows_behind_a_repeated_header() {
    let mut pen = Pen::new();
    for (id, x, y, text) in [
        (0, 50.0, 60.0, "Date"),
        (1, 150.0, 60.0, "Amount"),
        (2, 50.0, 80.0, "21 Oct"),
        (3, 150.0, 80.0, "777.99"),
        (4, 50.0, 100.0, "22 Oct"),
        (5, 150.0, 100.0, "887.86"),
    ] {
        write(&mut pen, id, x, y, text);
    }
    let repeated = |content| {
        let inner = element(Role::Group, vec![Kid::Elsewhere, Kid::Content(content)]);
        element(Role::HeaderCell, vec![inner])
    };
    let row = |first| {
        let cells = [first, first + 1].map(|id| cell(Role::Cell, (1, 1), id));
        element(Role::Row, cells.to_vec())
    };
    let mut rows = vec![element(Role::Row, vec![repeated(0), repeated(1)])];
    rows.extend(vec![Kid::Elsewhere; 44]);
    rows.extend([row(2), Kid::Elsewhere, row(4)]);
    tagged(&mut pen, vec![element(Role::Table, rows)]);
    let (page, _) = read(&pen);
    let expected = "t 4x2 header 1\n  0,0: p Date\n  0,1: p Amount\n  1,0: p 21 Oct\n  1,1: p 777.99\n\
        \x20 3,0: p 22 Oct\n  3,1: p 887.86\n";
    assert_eq!(shown(&page.blocks), expected);
}

#[test]
fn lines_of_code_keep_their_ends_and_spaces_and_text_of_one_width_does_not() {
    let narrow = |lines: &[(f32, &str)]| {
        let mut pen = Pen::new();
        pen.font = std::sync::Arc::new(layout::Font {
            family: "Mono".to_owned(),
            is_monospaced: true,
            ..layout::Font::default()
        });
        let mut y = 60.0;
        for (x, line) in lines {
            write(&mut pen, 0, *x, y, line);
            y += 12.0;
        }
        pen.font = Pen::new().font;
        write(
            &mut pen,
            1,
            50.0,
            y + 30.0,
            "Other text of the page, for its font.",
        );
        let other = of(Role::Paragraph, [1]);
        tagged(&mut pen, vec![of(Role::Group, [0]), other]);
        let (page, _) = read(&pen);
        match &page.blocks[0].content {
            Content::Paragraph {
                runs, preformatted, ..
            } => (plain(runs), *preformatted),
            other => panic!("{other:?}"),
        }
    };
    let code = [
        (50.0, "for k in all:"),
        (70.0, "a = fit(k)"),
        (70.0, "if a < 2:"),
        (90.0, "drop(k)"),
    ];
    let expected = "for k in all:\n    a = fit(k)\n    if a < 2:\n        drop(k)";
    assert_eq!(narrow(&code), (expected.to_owned(), true));
    let text = [
        (50.0, "Typewriters set all of their text"),
        (50.0, "in one width, which is no reason"),
        (50.0, "to take it for code."),
    ];
    let expected =
        "Typewriters set all of their text in one width, which is no reason to take it for code.";
    assert_eq!(narrow(&text), (expected.to_owned(), false));
}

#[test]
fn labels_that_the_structure_leaves_out_stand_before_their_items() {
    let mut pen = Pen::new();
    for (id, y, label, text) in [
        (0, 60.0, "1", "Definitions of all the words that follow"),
        (1, 80.0, "1.1", "In this agreement they mean what they say."),
        (2, 100.0, "2", "Term and what becomes of it afterwards"),
    ] {
        pen.write(50.0, y, label);
        write(&mut pen, id, 90.0, y, text);
    }
    let inner = element(Role::List, vec![of(Role::Item, [1])]);
    let items = vec![
        element(Role::Item, vec![Kid::Content(0), inner]),
        of(Role::Item, [2]),
    ];
    tagged(&mut pen, vec![element(Role::List, items)]);
    let (page, _) = read(&pen);
    let expected = "1 Definitions of all the words that follow\n  1.1 In this agreement they mean what they say.\n\
        2 Term and what becomes of it afterwards\n";
    assert_eq!(shown(&page.blocks), expected);
}

#[test]
fn text_from_the_right_has_its_brackets_and_markers_as_they_are_meant() {
    let mut pen = Pen::new();
    let mut from_right = |id, y, text: &str| {
        let seen: String = text.chars().rev().collect();
        write(&mut pen, id, 100.0, y, &seen);
    };
    // As readers of PDF give what is meant by them once more turned round.
    from_right(0, 60.0, "בין )דוד( לבין חברת");
    from_right(1, 80.0, "שכירות של דירה");
    write(&mut pen, 2, 180.0, 80.0, ".1");
    let item = element(Role::Item, vec![of(Role::Label, [2]), of(Role::Body, [1])]);
    tagged(
        &mut pen,
        vec![of(Role::Paragraph, [0]), element(Role::List, vec![item])],
    );
    let (page, _) = read(&pen);
    assert_eq!(
        shown(&page.blocks),
        "p בין (דוד) לבין חברת\n1. שכירות של דירה\n"
    );
}

#[test]
fn what_is_raised_and_linked_with_its_own_page_refers_to_a_note() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "It is 5 m");
    pen.size = 6.0;
    write(&mut pen, 0, 95.0, 56.0, "4");
    pen.size = 10.0;
    write(&mut pen, 0, 101.0, 60.0, "and more.");
    pen.link(Rect::between((94.0, 48.0), (99.0, 58.0)), "#page=1");
    tagged(&mut pen, vec![of(Role::Paragraph, [0])]);
    let (page, _) = read(&pen);
    let Content::Paragraph { runs, .. } = &page.blocks[0].content else {
        panic!("no paragraph");
    };
    let linked: Vec<_> = runs
        .iter()
        .filter_map(|run| Some((run.text.as_str(), run.link.as_deref()?)))
        .collect();
    assert_eq!(linked, [("4", layout::NOTE)]);
}
