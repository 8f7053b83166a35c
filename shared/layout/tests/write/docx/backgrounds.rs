//! Pictures that cover a page of DOCX: behind the text of their page.

use layout::{Basis, Block, Content, Page, Rect};

use super::{ORDERS, made};
use crate::archive::{assert_consistent, assert_order, part};
use crate::document::{PORTRAIT, block, heading, page, paragraph, run, table};
use crate::printed::by_libreoffice;

/// Returns a picture that covers this part of the page.
fn picture(covered: f32) -> Block {
    let far = (PORTRAIT.width * covered, PORTRAIT.height * covered);
    Block {
        bounds: Some(Rect::between((0.0, 0.0), far)),
        ..block(Content::Image {
            image: 0,
            alternative: Some("Art".to_owned()),
        })
    }
}

fn positioned(bottom: f32, block: Block) -> Block {
    Block {
        bounds: Some(Rect::between((72.0, 72.0), (523.0, bottom))),
        ..block
    }
}

fn covered(number: u32, blocks: Vec<Block>) -> Page {
    let mut page = page(number, PORTRAIT, blocks);
    page.header.clear();
    page.footer.clear();
    page
}

#[test]
fn pictures_that_cover_a_page_are_behind_its_text() {
    let mut white = run("White");
    white.style.color = Some([255; 3]);
    let mut continued = positioned(780.0, paragraph(vec![run("continued")]));
    if let Content::Paragraph { continues, .. } = &mut continued.content {
        *continues = true;
    }
    let pages = vec![
        covered(1, vec![picture(1.0)]),
        covered(
            2,
            vec![picture(0.92), positioned(780.0, paragraph(vec![white]))],
        ),
        covered(3, vec![picture(1.0), continued]),
        covered(
            4,
            vec![
                picture(1.0),
                block(Content::Table(table(1, 0, &[&["Cell"]]))),
            ],
        ),
        covered(
            5,
            vec![positioned(780.0, heading(1, "Heading")), picture(1.0)],
        ),
        covered(6, vec![positioned(100.0, paragraph(vec![run("Paper")]))]),
    ];
    let made = made(pages);
    assert_consistent(&made);
    assert_order(&made, ORDERS);
    let document = part(&made, "word/document.xml");
    let count = |text: &str| document.matches(text).count();
    assert_eq!((count("behindDoc=\"1\""), count("<wp:inline")), (5, 0));
    assert_eq!(count("<w:pageBreakBefore/>"), 5);
    // The text keeps its color, because what is behind it is kept.
    assert!(document.contains("<w:color w:val=\"FFFFFF\"/>"));
    // The margins are those of the text.
    assert!(document.contains("w:left=\"1440\""));
    let printed = by_libreoffice(&made, "docx");
    let texts: Vec<_> = printed.iter().map(|page| page.text()).collect();
    assert_eq!(
        texts,
        ["", "White", "continued", "Cell", "Heading", "Paper"]
    );
}

#[test]
fn smaller_pictures_and_those_of_recognized_pages_are_inline() {
    let recognized = Page {
        basis: Basis::Recognition,
        ..covered(2, vec![picture(1.0), paragraph(vec![run("Scanned")])])
    };
    let document = part(
        &made(vec![covered(1, vec![picture(0.8)]), recognized]),
        "word/document.xml",
    );
    let count = |text: &str| document.matches(text).count();
    assert_eq!((count("<wp:anchor"), count("<wp:inline")), (0, 2));
}
