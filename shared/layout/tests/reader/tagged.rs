//! Structure trees are used where they cover the page.

mod broken;
mod browsers;
mod edges;
mod lists;
mod tables;

use layout::analysis::Warning;
use layout::{Alignment, Basis, Content, Element, Page, Rect, Role, StructureChild, Tag, plain};

use crate::pen::{Pen, readings, shown};

fn element(role: Role, kids: Vec<StructureChild>) -> StructureChild {
    StructureChild::Element(Element {
        role,
        row_span: 1,
        column_span: 1,
        kids,
        ..Element::default()
    })
}

fn of(role: Role, contents: impl IntoIterator<Item = u32>) -> StructureChild {
    element(
        role,
        contents.into_iter().map(StructureChild::Content).collect(),
    )
}

fn cell(role: Role, spans: (usize, usize), content: u32) -> StructureChild {
    StructureChild::Element(Element {
        role,
        row_span: spans.0,
        column_span: spans.1,
        kids: vec![of(Role::Paragraph, [content])],
        ..Element::default()
    })
}

fn tagged(pen: &mut Pen, kids: Vec<StructureChild>) {
    pen.sheet.structure = vec![Element {
        kids,
        ..Element::default()
    }];
}

/// Writes marked content.
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
                vec![StructureChild::Content(1), of(Role::Inline, [3])],
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
fn figures_have_alternative_text_and_notes_come_last() {
    let mut pen = Pen::new();
    pen.tag = Tag::Content(0);
    pen.picture(Rect::between((50.0, 100.0), (150.0, 200.0)));
    pen.tag = Tag::Artifact;
    pen.picture(Rect::between((0.0, 0.0), (600.0, 800.0)));
    write(&mut pen, 1, 50.0, 60.0, "Before it.");
    write(&mut pen, 2, 50.0, 700.0, "1");
    write(&mut pen, 3, 60.0, 700.0, "A note.");
    write(&mut pen, 4, 50.0, 230.0, "After it.");
    let figure = StructureChild::Element(Element {
        role: Role::Figure,
        alternative: Some("A lamp".to_owned()),
        kids: vec![StructureChild::Content(0)],
        ..Element::default()
    });
    let note = element(
        Role::Note,
        vec![of(Role::Label, [2]), of(Role::Paragraph, [3])],
    );
    let text = element(Role::Paragraph, vec![StructureChild::Content(1), note]);
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
fn replacement_text_is_used() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "The");
    write(&mut pen, 1, 70.0, 60.0, "\u{fffd}\u{fffd}sh");
    write(&mut pen, 2, 95.0, 60.0, "swims.");
    let spoken = StructureChild::Element(Element {
        role: Role::Inline,
        actual: Some("fish".to_owned()),
        kids: vec![StructureChild::Content(1)],
        ..Element::default()
    });
    tagged(
        &mut pen,
        vec![element(
            Role::Paragraph,
            vec![
                StructureChild::Content(0),
                spoken,
                StructureChild::Content(2),
            ],
        )],
    );
    assert_eq!(shown(&read(&pen).0.blocks), "p The fish swims.\n");
}

#[test]
fn alignment_is_taken_from_the_structure_tree() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "In the middle, it says.");
    let kid = StructureChild::Element(Element {
        role: Role::Paragraph,
        alignment: Some(Alignment::Center),
        kids: vec![StructureChild::Content(0)],
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
    assert_eq!(*alignment, Alignment::Center);
    assert_eq!(plain(runs), "In the middle, it says.");
}

#[test]
fn code_keeps_line_ends_and_spaces_and_monospaced_text_does_not() {
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
fn right_to_left_text_has_correct_brackets_and_markers() {
    let mut pen = Pen::new();
    let mut from_right = |id, y, text: &str| {
        let seen: String = text.chars().rev().collect();
        write(&mut pen, id, 100.0, y, &seen);
    };
    // In the order in which PDF readers return it: mirrored once more.
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
fn superscripts_linked_to_their_page_reference_notes() {
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
