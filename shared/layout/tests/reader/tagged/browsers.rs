//! Structure trees of browsers: each run of inline content is a group of its own, spaces are runs without characters, and
//! generated content has no tag.

use layout::{Role, StructureChild};

use super::{element, of, read, tagged, write};
use crate::pen::{Pen, shown};

/// Writes runs one after another, `gap` apart.
fn runs(pen: &mut Pen, y: f32, gap: f32, runs: &[(u32, &str)]) {
    let mut x = 50.0;
    for (id, text) in runs {
        write(pen, *id, x, y, text);
        x += 5.0 * f32::from(u8::try_from(text.len()).unwrap()) + gap;
    }
}

fn groups(contents: impl IntoIterator<Item = u32>) -> Vec<StructureChild> {
    let contents = contents.into_iter();
    contents.map(|id| of(Role::Group, [id])).collect()
}

#[test]
fn runs_of_a_cell_are_one_paragraph() {
    let mut pen = Pen::new();
    runs(&mut pen, 60.0, 4.0, &[(0, "Blue"), (2, "widget")]);
    let cell = element(Role::Cell, groups([0, 1, 2]));
    let row = element(Role::Row, vec![cell]);
    tagged(&mut pen, vec![element(Role::Table, vec![row])]);
    let expected = "t 1x1 header 0\n  0,0: p Blue widget\n";
    assert_eq!(shown(&read(&pen).0.blocks), expected);
}

#[test]
fn runs_of_an_item_keep_their_order() {
    let mut pen = Pen::new();
    runs(
        &mut pen,
        60.0,
        4.0,
        &[(0, "•"), (1, "See"), (2, "this"), (3, "page")],
    );
    let kids = vec![
        of(Role::Label, [0]),
        of(Role::Group, [1]),
        element(Role::Inline, groups([2])),
        of(Role::Group, [3]),
    ];
    let item = element(Role::Item, kids);
    tagged(&mut pen, vec![element(Role::List, vec![item])]);
    assert_eq!(shown(&read(&pen).0.blocks), "• See this page\n");
}

#[test]
fn untagged_characters_within_a_line_belong_to_its_text() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "He said ");
    pen.write(90.0, 60.0, "“");
    write(&mut pen, 1, 95.0, 60.0, "yes");
    pen.write(110.0, 60.0, "”");
    write(&mut pen, 2, 115.0, 60.0, " to all of them.");
    tagged(&mut pen, vec![element(Role::Paragraph, groups([0, 1, 2]))]);
    assert_eq!(
        shown(&read(&pen).0.blocks),
        "p He said “yes” to all of them.\n"
    );
}

#[test]
fn runs_of_code_are_one_block() {
    let mut pen = Pen::new();
    write(
        &mut pen,
        9,
        50.0,
        40.0,
        "Other text of the page, for its font.",
    );
    pen.font = std::sync::Arc::new(layout::Font {
        family: "Mono".to_owned(),
        is_monospaced: true,
        ..layout::Font::default()
    });
    write(&mut pen, 0, 50.0, 60.0, "for k in all:");
    write(&mut pen, 1, 70.0, 72.0, "let");
    write(&mut pen, 2, 90.0, 72.0, "a");
    write(&mut pen, 3, 50.0, 84.0, "end");
    tagged(
        &mut pen,
        vec![
            of(Role::Paragraph, [9]),
            element(Role::Group, groups([0, 1, 2, 3])),
        ],
    );
    let expected = "p Other text of the page, for its font.\np for k in all:\n    let a\nend\n";
    assert_eq!(shown(&read(&pen).0.blocks), expected);
}
