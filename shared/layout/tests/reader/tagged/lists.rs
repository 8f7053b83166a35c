//! Lists in structure trees: labels, levels and missing labels.

use layout::{Content, Role, StructureChild};

use super::{element, of, read, tagged, write};
use crate::pen::{Pen, shown};

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
    let item = |label, body: Vec<StructureChild>| {
        element(
            Role::Item,
            vec![of(Role::Label, [label]), element(Role::Body, body)],
        )
    };
    let inner = element(Role::List, vec![item(2, vec![of(Role::Paragraph, [3])])]);
    let first = item(0, vec![of(Role::Paragraph, [1]), inner]);
    let last = item(4, vec![StructureChild::Content(5)]);
    tagged(&mut pen, vec![element(Role::List, vec![first, last])]);
    assert_eq!(
        shown(&read(&pen).0.blocks),
        "1. Outer\n  a) Inner\n2. Last\n"
    );
}

#[test]
fn labels_other_than_bullets_are_kept() {
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
fn consecutive_lists_are_merged_with_levels_by_indent() {
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
fn untagged_labels_are_found_before_their_items() {
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
        element(Role::Item, vec![StructureChild::Content(0), inner]),
        of(Role::Item, [2]),
    ];
    tagged(&mut pen, vec![element(Role::List, items)]);
    let (page, _) = read(&pen);
    let expected = "1 Definitions of all the words that follow\n  1.1 In this agreement they mean what they say.\n\
        2 Term and what becomes of it afterwards\n";
    assert_eq!(shown(&page.blocks), expected);
}

#[test]
fn captions_that_are_tagged_as_items_are_paragraphs() {
    let mut pen = Pen::new();
    let mut items = Vec::new();
    for (id, label) in [(0, "1."), (2, "Figure 12."), (4, "Photo 3.")] {
        let y = 60.0 + 15.0 * f32::from(u8::try_from(id).unwrap());
        write(&mut pen, id, 50.0, y, label);
        write(&mut pen, id + 1, 110.0, y, "Said");
        let item = vec![of(Role::Label, [id]), of(Role::Body, [id + 1])];
        items.push(element(Role::Item, item));
    }
    tagged(&mut pen, vec![element(Role::List, items)]);
    assert_eq!(
        shown(&read(&pen).0.blocks),
        "1. Said\np Figure 12. Said\np Photo 3. Said\n"
    );
}
