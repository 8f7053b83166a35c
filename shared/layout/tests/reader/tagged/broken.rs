//! Incomplete, contradictory or absurd structure trees: no word is lost or doubled.

use layout::analysis::Warning;
use layout::{Basis, Content, Page, Rect, Role, StructureChild};

use super::{cell, element, of, read, tagged, write};
use crate::pen::{Pen, shown};

/// Reads a page of two lines with this structure tree.
fn broken(kids: Vec<StructureChild>) -> (Page, Vec<Warning>) {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "The first line of the page.");
    write(&mut pen, 1, 50.0, 120.0, "The second line of the page.");
    tagged(&mut pen, kids);
    read(&pen)
}

#[test]
fn an_incomplete_structure_tree_is_ignored() {
    for kids in [
        vec![],
        vec![of(Role::Paragraph, [0])],
        vec![of(Role::Paragraph, [7, 8])],
        vec![element(Role::Table, vec![StructureChild::Elsewhere])],
    ] {
        let (page, warnings) = broken(kids);
        assert_eq!(page.basis, Basis::Geometry);
        assert_eq!(warnings, [Warning::TagsIgnored]);
        let expected = "p The first line of the page.\np The second line of the page.\n";
        assert_eq!(shown(&page.blocks), expected);
    }
}

#[test]
fn an_endlessly_nested_structure_tree_is_ignored() {
    let mut kid = of(Role::Paragraph, [0, 1]);
    for _ in 0..400 {
        kid = element(Role::Group, vec![kid]);
    }
    let (page, warnings) = broken(vec![kid]);
    assert_eq!(page.basis, Basis::Geometry);
    assert_eq!(warnings, [Warning::TagsIgnored]);
}

#[test]
fn content_referenced_twice_is_read_once() {
    let twice = vec![
        of(Role::Paragraph, [0, 0, 1]),
        of(Role::Heading(Some(1)), [0, 1]),
    ];
    let (page, _) = broken(twice);
    let expected = "p The first line of the page. The second line of the page.\n";
    assert_eq!(shown(&page.blocks), expected);
}

#[test]
fn additional_and_detached_labels_are_kept() {
    let mut pen = Pen::new();
    for (id, x, text) in [
        (0, 50.0, "1."),
        (1, 70.0, "Begun"),
        (2, 120.0, "Again"),
        (3, 170.0, "Ended"),
    ] {
        write(&mut pen, id, x, 60.0, text);
    }
    write(&mut pen, 4, 50.0, 700.0, "7");
    let item = vec![
        of(Role::Label, [0]),
        StructureChild::Content(1),
        of(Role::Label, [2]),
        of(Role::Body, [3]),
    ];
    let list = element(Role::List, vec![element(Role::Item, item)]);
    let note = element(Role::Note, vec![of(Role::Label, [4])]);
    tagged(&mut pen, vec![list, note]);
    let (page, _) = read(&pen);
    assert_eq!(shown(&page.blocks), "1. Begun Again Ended\nnote 7: \n");
}

#[test]
fn labels_with_paragraphs_are_read_in_place() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "Label");
    write(&mut pen, 1, 120.0, 90.0, "Said");
    let label = element(Role::Label, vec![of(Role::Paragraph, [0])]);
    let item = element(Role::Item, vec![label, of(Role::Body, [1])]);
    tagged(&mut pen, vec![element(Role::List, vec![item])]);
    assert_eq!(shown(&read(&pen).0.blocks), "p Label\n Said\n");
}

#[test]
fn cells_beyond_the_last_column_follow_the_table() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "Within");
    write(&mut pen, 1, 150.0, 60.0, "Beyond");
    let row = vec![
        cell(Role::Cell, (1, usize::MAX), 0),
        cell(Role::Cell, (1, 1), 1),
    ];
    let table = element(Role::Table, vec![element(Role::Row, row)]);
    tagged(&mut pen, vec![table]);
    let expected = "t 1x1000 header 0\n  0,0 over 1x1000: p Within\np Beyond\n";
    assert_eq!(shown(&read(&pen).0.blocks), expected);
}

#[test]
fn absurd_spans_are_limited() {
    let mut pen = Pen::new();
    write(&mut pen, 0, 50.0, 60.0, "One");
    write(&mut pen, 1, 150.0, 60.0, "Two");
    let row = element(
        Role::Row,
        vec![
            cell(Role::Cell, (usize::MAX, 3), 0),
            cell(Role::Cell, (0, 100_000), 1),
        ],
    );
    tagged(&mut pen, vec![element(Role::Table, vec![row])]);
    let (page, _) = read(&pen);
    let Content::Table(table) = &page.blocks[0].content else {
        panic!("no table");
    };
    assert_eq!(table.rows, 1);
    assert!(table.widths.len() <= 1_000);
    assert_eq!(table.cells.len(), 2);
}

#[test]
fn a_ruled_form_without_a_tagged_table_is_read_by_geometry() {
    let form = |fields: u8| {
        let mut pen = Pen::new();
        for row in 0..5_u8 {
            let y = 100.0 + 30.0 * f32::from(row);
            pen.line((50.0, y), (450.0, y));
        }
        for x in [50.0, 250.0, 450.0] {
            pen.line((x, 100.0), (x, 220.0));
        }
        let mut kids = Vec::new();
        for cell in 0..8_u8 {
            let (x, y) = (
                55.0 + 200.0 * f32::from(cell % 2),
                112.0 + 30.0 * f32::from(cell / 2),
            );
            write(&mut pen, cell.into(), x, y, "Name of the owner");
            kids.push(of(Role::Paragraph, [cell.into()]));
            if cell < fields {
                let field = Rect::between((x, y + 3.0), (x + 150.0, y + 15.0));
                pen.sheet.fields.push(field);
            }
        }
        tagged(&mut pen, kids);
        read(&pen)
    };
    let (page, warnings) = form(8);
    assert_eq!(page.basis, Basis::Geometry);
    assert_eq!(warnings, [Warning::TagsIgnored]);
    assert!(
        shown(&page.blocks).starts_with("t 4x2 "),
        "{}",
        shown(&page.blocks)
    );
    assert_eq!(form(0).0.basis, Basis::Structure);
}

#[test]
fn a_ruled_table_that_is_not_tagged_is_read_by_geometry() {
    let mut pen = Pen::new();
    for edge in 0..4_u8 {
        let (x, y) = (
            50.0 + 130.0 * f32::from(edge),
            100.0 + 30.0 * f32::from(edge),
        );
        pen.line((50.0, y), (440.0, y));
        pen.line((x, 100.0), (x, 190.0));
    }
    let mut kids = Vec::new();
    for cell in 0..9_u8 {
        let (x, y) = (
            55.0 + 130.0 * f32::from(cell % 3),
            118.0 + 30.0 * f32::from(cell / 3),
        );
        write(&mut pen, cell.into(), x, y, "Name of the owner");
        kids.push(of(Role::Paragraph, [cell.into()]));
    }
    tagged(&mut pen, kids);
    let (page, _) = read(&pen);
    assert_eq!(page.basis, Basis::Geometry);
    assert!(shown(&page.blocks).starts_with("t 3x3 "));
}
