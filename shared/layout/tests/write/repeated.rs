//! Repeated pictures in HTML: their data is written at most twice, their alternative text each time.

use layout::writers::{fixed, html};
use layout::{Block, Content, Figure, FixedPage, Graphic, Page, Rect};

use crate::document::{OnePicture, PORTRAIT, facts, page};
use crate::golden::written;

/// The first bytes of the red pixel in Base64.
const BYTES: &str = "data:image/png;base64,iVBORw0KGgo";
const WORDS: &str = "A \"red\" dot";

fn bounds() -> Rect {
    Rect::between((100.0, 500.0), (160.0, 540.0))
}

fn flowing_html(times: usize) -> String {
    let block = Block {
        bounds: Some(bounds()),
        quote_depth: 0,
        content: Content::Image {
            image: 0,
            alternative: Some(WORDS.to_owned()),
        },
    };
    let pages: Vec<Page> = (1..=times)
        .map(|number| {
            page(
                u32::try_from(number).unwrap(),
                PORTRAIT,
                vec![block.clone()],
            )
        })
        .collect();
    let mut made = Vec::new();
    written(
        pages,
        |output| html(output, &facts(), &OnePicture),
        &mut made,
    );
    String::from_utf8(made).unwrap()
}

fn fixed_html(times: usize) -> String {
    let figure = Figure {
        bounds: bounds(),
        image: 0,
        whole: None,
        alternative: Some(WORDS.to_owned()),
    };
    let page = FixedPage {
        number: 1,
        size: PORTRAIT,
        graphics: vec![Graphic::Figure(figure); times],
        ..FixedPage::default()
    };
    let mut made = Vec::new();
    let mut writer = fixed::html(&mut made, &facts(), &OnePicture).unwrap();
    writer.page(page).unwrap();
    writer.finish().unwrap();
    String::from_utf8(made).unwrap()
}

#[test]
fn a_picture_is_written_at_most_twice_and_described_each_time() {
    for write in [flowing_html, fixed_html] {
        for (times, images, bytes, uses) in [(1, 1, 1, 0), (2, 1, 2, 0), (500, 1, 2, 498)] {
            let made = write(times);
            assert_eq!(
                made.matches("<img alt=\"A &quot;red&quot; dot\"").count(),
                images
            );
            let drawn =
                "<svg role=\"img\" aria-label=\"A &quot;red&quot; dot\" viewBox=\"0 0 1 1\"";
            assert_eq!(made.matches(drawn).count(), times - 1, "{made}");
            assert_eq!(made.matches(BYTES).count(), bytes);
            assert_eq!(made.matches("<image id=\"picture-0\"").count(), bytes - 1);
            assert_eq!(
                made.matches("<use href=\"#picture-0\"/></svg>").count(),
                uses
            );
        }
    }
}
