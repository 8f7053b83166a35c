//! Properties that hold for any page.

use std::collections::BTreeMap;

use layout::{
    Basis, Block, Content, Element, Page, Rect, Role, Stroke, StructureChild, Tag, plain,
};
use proptest::prelude::{
    Just, Strategy, any, prop, prop_assert, prop_assert_eq, prop_oneof, proptest,
};

use crate::pen::{Pen, pages};

/// Number of marked-content sequences of a page with a structure tree.
const CONTENTS: u32 = 20;

/// A word: position, size and rotation.
type Word = (f32, f32, f32, f32, String);

fn words() -> impl Strategy<Value = Vec<Word>> {
    let size = prop_oneof![Just(8.0_f32), Just(10.0), Just(18.0)];
    // A letter that touches two Arabic ones is a lengthening stroke.
    let text = prop_oneof![3 => "[a-z0-9.•של]{1,9}", 1 => "[0-9ب]{1,9}"];
    let angle = prop_oneof![8 => Just(0.0_f32), 1 => Just(90.0), 1 => Just(33.0)];
    prop::collection::vec((0.0_f32..560.0, 20.0_f32..790.0, size, angle, text), 0..120)
}

fn lines() -> impl Strategy<Value = Vec<(f32, f32, f32, bool)>> {
    prop::collection::vec(
        (
            0.0_f32..600.0,
            0.0_f32..800.0,
            0.0_f32..400.0,
            any::<bool>(),
        ),
        0..60,
    )
}

fn sheet(words: &[Word], lines: &[(f32, f32, f32, bool)]) -> Pen {
    let mut pen = Pen::new();
    for (x, y, size, angle, text) in words {
        pen.size = *size;
        let begin = pen.sheet.characters.len();
        pen.write(*x, *y, text);
        pen.sheet.characters[begin..]
            .iter_mut()
            .for_each(|character| character.angle = *angle);
    }
    // Text off the page is not read.
    pen.sheet
        .characters
        .retain(|character| character.bounds.left <= 600.0);
    for (x, y, length, is_level) in lines {
        let end = if *is_level {
            (x + length, *y)
        } else {
            (*x, y + length)
        };
        pen.line((*x, *y), end);
    }
    pen
}

fn texts(blocks: &[Block], all: &mut String) {
    for block in blocks {
        match &block.content {
            Content::Heading { runs, .. } | Content::Paragraph { runs, .. } => {
                all.push_str(&plain(runs))
            }
            Content::Footnote { label, runs } => {
                all.push_str(label);
                all.push_str(&plain(runs));
            }
            Content::List { items } => items.iter().for_each(|item| {
                all.push_str(&item.marker);
                all.push_str(&plain(&item.runs));
            }),
            Content::Table(table) => table.cells.iter().for_each(|cell| texts(&cell.blocks, all)),
            Content::Image { .. } | Content::Rule => {}
        }
    }
}

/// Counts each character that is read, without spaces and the dots that labels lose.
fn read(page: &Page) -> BTreeMap<char, usize> {
    let mut all = String::new();
    [&page.header, &page.blocks, &page.footer]
        .into_iter()
        .for_each(|blocks| texts(blocks, &mut all));
    counted(all.chars())
}

fn counted(all: impl Iterator<Item = char>) -> BTreeMap<char, usize> {
    let mut counts = BTreeMap::new();
    for text in all.filter(|text| !text.is_whitespace() && *text != '.') {
        *counts.entry(text).or_default() += 1;
    }
    counts
}

fn boxes(blocks: &[Block], all: &mut Vec<Rect>) {
    for block in blocks {
        all.extend(block.bounds);
        if let Content::Table(table) = &block.content {
            table.cells.iter().for_each(|cell| boxes(&cell.blocks, all));
        }
    }
}

/// Generates elements of any role except artifacts, which reference this marked content.
fn structures() -> impl Strategy<Value = Vec<StructureChild>> {
    let role = prop::sample::select(vec![
        Role::Group,
        Role::Section,
        Role::Heading(None),
        Role::Paragraph,
        Role::List,
        Role::Item,
        Role::Label,
        Role::Body,
        Role::Table,
        Role::Head,
        Role::Row,
        Role::HeaderCell,
        Role::Cell,
        Role::Figure,
        Role::Note,
        Role::Inline,
        Role::Other,
    ]);
    let span = prop_oneof![8 => Just(1_usize), 1 => Just(2), 1 => Just(2_000)];
    let leaf = prop_oneof![9 => (0..CONTENTS).prop_map(StructureChild::Content), 1 => Just(StructureChild::Elsewhere)];
    let kid = leaf.prop_recursive(6, 80, 5, move |inner| {
        let kids = prop::collection::vec(inner, 0..5);
        (role.clone(), span.clone(), span.clone(), kids).prop_map(
            |(role, row_span, column_span, kids)| {
                StructureChild::Element(Element {
                    role,
                    row_span,
                    column_span,
                    kids,
                    ..Element::default()
                })
            },
        )
    });
    prop::collection::vec(kid, 1..8)
}

/// Creates a page with one word per marked-content sequence, one below the other, and a structure tree with all of them.
fn tagged(mut kids: Vec<StructureChild>) -> Pen {
    let mut pen = Pen::new();
    for id in 0..CONTENTS {
        pen.tag = Tag::Content(id);
        let letter = char::from(b'a' + u8::try_from(id).unwrap());
        #[expect(clippy::cast_precision_loss, reason = "they are few")]
        let y = 60.0 + 20.0 * id as f32;
        pen.write(50.0, y, &letter.to_string().repeat(4));
    }
    kids.extend((0..CONTENTS).map(StructureChild::Content));
    pen.sheet.structure = vec![Element {
        kids,
        ..Element::default()
    }];
    pen
}

proptest! {
    #[test]
    fn no_word_is_lost_or_doubled_with_any_structure_tree(kids in structures()) {
        let pen = tagged(kids);
        let page = pen.page();
        let drawn = counted(pen.sheet.characters.iter().map(|character| character.text));
        prop_assert_eq!(page.basis, Basis::Structure);
        prop_assert_eq!(read(&page), drawn);
    }

    #[test]
    fn no_character_is_lost_or_doubled(words in words(), lines in lines()) {
        let pen = sheet(&words, &lines);
        let drawn = counted(pen.sheet.characters.iter().map(|character| character.text));
        prop_assert_eq!(read(&pen.page()), drawn);
    }

    #[test]
    fn boxes_are_within_the_page_and_a_sheet_is_read_alike_twice(words in words(), lines in lines()) {
        let pen = sheet(&words, &lines);
        let page = pen.page();
        let mut all = Vec::new();
        boxes(&page.blocks, &mut all);
        let area = Rect::between((-0.01, -0.01), (600.01, 800.01));
        prop_assert!(all.iter().all(|bounds| area.contains((bounds.left, bounds.top)) && area.contains((bounds.right, bounds.bottom))));
        prop_assert_eq!(page, pen.page());
    }

    #[test]
    fn absurd_positions_are_handled(values in prop::collection::vec(any::<[f32; 7]>(), 0..60)) {
        let mut pen = Pen::new();
        for [left, top, right, bottom, baseline, size, angle] in values {
            pen.size = size;
            let bounds = Rect { left, top, right, bottom };
            pen.character('x', bounds, baseline, angle);
            pen.sheet.strokes.push(Stroke { bounds });
            pen.sheet.fills.push(bounds);
            pen.picture(bounds);
            pen.link(bounds, "https://example.org/");
        }
        pen.page();
        pen.sheet.size.width = f32::NAN;
        pen.sheet.size.height = f32::INFINITY;
        pen.page();
    }
}

#[test]
fn ten_thousand_characters_on_one_spot_are_all_read() {
    let mut pen = Pen::new();
    (0..10_000).for_each(|_| {
        pen.write(100.0, 100.0, "x");
    });
    assert_eq!(read(&pen.page()), BTreeMap::from([('x', 10_000)]));
}

#[test]
fn crowded_pages_are_read_in_bounded_work() {
    let mut pen = Pen::new();
    for index in 0..60_000_u16 {
        let (x, y) = (f32::from(index % 240) * 2.5, f32::from(index / 240) * 3.0);
        pen.write(x, y, "x");
        pen.line((x, 0.0), (x, 800.0)).line((0.0, y), (600.0, y));
    }
    let count: usize = pages(std::slice::from_ref(&pen.sheet))
        .iter()
        .map(|page| read(page).values().sum::<usize>())
        .sum();
    assert_eq!(count, 60_000);
}
