//! Sentences on tagged pages whose parts have tags of their own.

use layout::{Element, Role, StructureChild, Tag};

use crate::pen::{Pen, readings, shown};

fn of(role: Role, content: u32) -> StructureChild {
    element(role, vec![StructureChild::Content(content)])
}

fn element(role: Role, kids: Vec<StructureChild>) -> StructureChild {
    StructureChild::Element(Element {
        role,
        kids,
        ..Element::default()
    })
}

/// Reads texts at positions; their indices are the marked content of the elements.
fn read(texts: &[(f32, f32, &str)], kids: Vec<StructureChild>) -> String {
    let mut pen = Pen::new();
    for (id, (x, y, text)) in (0..).zip(texts) {
        pen.tag = Tag::Content(id);
        pen.write(*x, *y, text);
    }
    pen.sheet.structure = vec![Element {
        role: Role::Group,
        kids,
        ..Element::default()
    }];
    let reading = readings(std::slice::from_ref(&pen.sheet)).remove(0);
    shown(&reading.page.blocks)
}

#[test]
fn groups_that_continue_on_a_line_are_one_paragraph() {
    let texts = [
        (50.0, 60.0, "Deliver to: "),
        (110.0, 60.0, "Ada Moss"),
        (150.0, 60.0, ", Mill Lane 5"),
        (50.0, 72.0, "Second floor"),
        (250.0, 72.0, "Far away"),
    ];
    let kids = (0..5).map(|id| of(Role::Group, id)).collect();
    let expected = "p Deliver to: Ada Moss, Mill Lane 5\np Second floor\np Far away\n";
    assert_eq!(read(&texts, vec![element(Role::Group, kids)]), expected);
}

#[test]
fn a_link_between_paragraphs_is_part_of_their_sentence() {
    let texts = [
        (50.0, 60.0, "Send comments to "),
        (135.0, 60.0, "mail@example.org"),
        (215.0, 60.0, ". Thank you,"),
        (280.0, 60.0, "all."),
    ];
    let kids = vec![
        of(Role::Paragraph, 0),
        of(Role::Inline, 1),
        of(Role::Paragraph, 2),
        of(Role::Paragraph, 3),
    ];
    let expected = "p Send comments to mail@example.org. Thank you,\np all.\n";
    assert_eq!(read(&texts, vec![element(Role::Group, kids)]), expected);
}

#[test]
fn parts_of_an_item_on_one_line_are_joined_without_spaces() {
    let texts = [(50.0, 60.0, "Ada Moss"), (90.0, 60.0, ", Mill Lane 5")];
    let body = vec![of(Role::Group, 0), of(Role::Group, 1)];
    let item = element(Role::Item, vec![element(Role::Body, body)]);
    let list = element(Role::List, vec![item]);
    assert_eq!(read(&texts, vec![list]), " Ada Moss, Mill Lane 5\n");
}

#[test]
fn explicit_line_breaks_are_kept_in_paragraphs() {
    let texts = [
        (50.0, 60.0, "Line one"),
        (50.0, 72.0, "Line two after the break is longer,"),
        (50.0, 84.0, "and"),
        (50.0, 96.0, "extraordinarily-long"),
    ];
    let kids = (0..4).map(|id| of(Role::Group, id)).collect();
    let expected = "p Line one\nLine two after the break is longer, and\nextraordinarily-long\n";
    assert_eq!(read(&texts, vec![element(Role::Paragraph, kids)]), expected);
}

#[test]
fn soft_line_breaks_are_removed() {
    let texts = [
        (50.0, 60.0, "These lines of a paragraph"),
        (50.0, 72.0, "incomprehensibly end"),
        (50.0, 84.0, "nonconformistically."),
    ];
    let kids = (0..3).map(StructureChild::Content).collect();
    let expected = "p These lines of a paragraph incomprehensibly end nonconformistically.\n";
    assert_eq!(read(&texts, vec![element(Role::Paragraph, kids)]), expected);
}
