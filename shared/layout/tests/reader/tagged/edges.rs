//! Untagged content: headers, footers, and text that belongs to the body.

use layout::{Basis, Role, Tag};

use super::{of, read, tagged, write};
use crate::pen::{Pen, pages, shown};

#[test]
fn artifacts_at_the_edges_are_headers_and_footers_and_others_are_dropped() {
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
fn long_artifacts_belong_to_the_text() {
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
fn short_untagged_text_is_inserted_at_its_position() {
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
fn paragraphs_repeated_at_the_edges_of_pages_are_headers_and_footers() {
    let sheet = |number: u32| {
        let mut pen = Pen::new();
        pen.sheet.number = number;
        write(&mut pen, 0, 250.0, 30.0, "Private when filled in");
        let texts = ["The mill", "A river", "Some lane", "His boat"];
        let text = texts[usize::try_from(number).unwrap() % 4];
        for (id, y) in [(1, 100.0), (2, 130.0), (3, 160.0)] {
            write(
                &mut pen,
                id,
                50.0,
                y,
                &format!("{text} is at the end of it."),
            );
        }
        write(
            &mut pen,
            4,
            50.0,
            770.0,
            &format!("Form 293, page {number}"),
        );
        let paragraphs = (0..5).map(|id| of(Role::Paragraph, [id]));
        tagged(&mut pen, paragraphs.collect());
        pen.sheet
    };
    let sheets: Vec<_> = (1..=4).map(sheet).collect();
    for page in pages(&sheets) {
        assert_eq!(page.basis, Basis::Structure);
        assert_eq!(shown(&page.header), "p Private when filled in\n");
        assert_eq!(page.blocks.len(), 3, "{}", shown(&page.blocks));
        assert_eq!(
            shown(&page.footer),
            format!("p Form 293, page {}\n", page.number)
        );
    }
    // The first row of a single page is text.
    assert_eq!(shown(&pages(&sheets[..1])[0].header), "");
}
