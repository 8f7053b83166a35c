//! Invalid lengths: a damaged document may contain any number.

use layout::writers::{NoPictures, TableSelection, csv, html, json, markdown, text};
use layout::{
    Area, Block, Content, Figure, FixedPage, Graphic, Line, Page, PathSegment, Rect, Shape, Size,
    StrokeStyle,
};

use crate::archive::assert_consistent;
use crate::document::{OnePicture, block, facts, heading, page, paragraph, run, table};
use crate::golden::written;

const LENGTHS: [f32; 6] = [
    f32::NAN,
    f32::INFINITY,
    f32::NEG_INFINITY,
    f32::MAX,
    -1.0,
    0.0,
];

/// Creates a page on which each length has this value.
fn absurd(number: u32, length: f32) -> Page {
    let mut table = table(2, 1, &[&["a", "b"], &["c", "d"]]);
    table.widths.fill(length);
    let mut text = run("text");
    text.style.size = length;
    let image = block(Content::Image {
        image: 0,
        alternative: None,
    });
    let blocks = [
        heading(1, "A"),
        paragraph(vec![text]),
        block(Content::Table(table)),
        image,
        block(Content::Rule),
    ];
    let bounds = Rect {
        left: length,
        top: length,
        right: length,
        bottom: length,
    };
    let blocks = blocks.map(|block| Block {
        bounds: Some(bounds),
        ..block
    });
    page(
        number,
        Size {
            width: length,
            height: length,
        },
        blocks.to_vec(),
    )
}

#[test]
fn invalid_lengths_break_no_document() {
    let pages: Vec<_> = LENGTHS
        .into_iter()
        .zip(1..)
        .map(|(length, number)| absurd(number, length))
        .collect();
    for only in pages
        .iter()
        .map(|page| vec![page.clone()])
        .chain([pages.clone()])
    {
        assert_consistent(&crate::docx::made(only.clone()));
        assert_consistent(&crate::pptx::made(only.clone()));
        assert_consistent(&crate::xlsx::made(only.clone()).0);
        written(only.clone(), text, &mut Vec::new());
        written(
            only.clone(),
            |output| markdown(output, &facts(), &NoPictures),
            &mut Vec::new(),
        );
        written(
            only.clone(),
            |output| html(output, &facts(), &OnePicture),
            &mut Vec::new(),
        );
        written(
            only.clone(),
            |output| json(output, &facts(), &OnePicture),
            &mut Vec::new(),
        );
        written(
            only,
            |output| csv(output, TableSelection::All),
            &mut Vec::new(),
        );
    }
    let document = crate::archive::part(&crate::docx::made(pages.clone()), "word/document.xml");
    let slide = crate::archive::part(&crate::pptx::made(pages), "ppt/slides/slide1.xml");
    assert!(!document.contains("NaN") && !document.contains("inf\"") && !slide.contains("NaN"));
}

/// Creates a page of fixed layout on which each length has this value.
fn absurd_fixed_page(number: u32, length: f32) -> FixedPage {
    let bounds = Rect {
        left: length,
        top: length,
        right: length,
        bottom: length,
    };
    let mut text = run("word");
    text.style.size = length;
    let line = Line {
        bounds,
        baseline: length,
        angle: length,
        runs: vec![text],
    };
    let figure = Figure {
        bounds,
        ..Figure::default()
    };
    let area = Area {
        bounds,
        ..Area::default()
    };
    let point = (length, length);
    let shape = Shape {
        segments: vec![
            PathSegment::Line(point),
            PathSegment::Move(point),
            PathSegment::Curve(point, (1.0, 2.0), point),
            PathSegment::Close,
        ],
        fill: Some([1, 2, 3]),
        is_even_odd: true,
        stroke: Some(StrokeStyle {
            color: [1, 2, 3],
            width: length,
            dashes: vec![length],
        }),
    };
    let cut = Figure {
        whole: Some(Rect::between((0.0, 0.0), (length, 5.0))),
        bounds: Rect::between((1.0, 1.0), (3.0, 3.0)),
        ..Figure::default()
    };
    FixedPage {
        number,
        size: Size {
            width: length,
            height: length,
        },
        lines: vec![line],
        graphics: vec![
            Graphic::Area(area),
            Graphic::Shape(shape),
            Graphic::Figure(figure.clone()),
            Graphic::Figure(cut),
        ],
    }
}

#[test]
fn lines_without_valid_position_are_written() {
    let pages: Vec<_> = LENGTHS
        .into_iter()
        .zip(1..)
        .map(|(length, number)| absurd_fixed_page(number, length))
        .collect();
    for only in pages
        .iter()
        .map(|page| vec![page.clone()])
        .chain([pages.clone()])
    {
        let (docx, pptx) = (
            crate::fixed_layout::docx(only.clone()),
            crate::fixed_layout::pptx(only.clone()),
        );
        assert_consistent(&docx);
        assert_consistent(&pptx);
        let texts = [
            crate::archive::part(&docx, "word/document.xml"),
            crate::archive::part(&pptx, "ppt/slides/slide1.xml"),
            String::from_utf8(crate::fixed_layout::html(only.clone())).unwrap(),
            crate::fixed_layout::text(only),
        ];
        for text in texts {
            assert!(text.contains("word<") || text.contains("word\n"), "{text}");
            assert!(!text.contains("NaN") && !text.contains("inf\""), "{text}");
        }
    }
}
