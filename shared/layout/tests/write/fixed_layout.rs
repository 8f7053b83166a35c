//! Documents of fixed layout: golden files, consistency, and the position of each line.

use layout::writers::{Result, WriteReport, Writer, fixed};
use layout::{
    Area, Figure, FixedPage, Graphic, Line, PathSegment, Rect, Run, Script, Shape, Size,
    StrokeStyle,
};

use crate::archive::{assert_consistent, assert_order, part};
use crate::document::{LANDSCAPE, OnePicture, PORTRAIT, facts, linked, run};
use crate::golden::compare;
use crate::printed::{Printed, by_chromium, by_libreoffice};

/// Maximum displacement of a line, points.
const TOLERANCE: f32 = 2.0;

/// Installed fonts and their descent.
const FONTS: &[(&str, f32)] = &[
    ("Liberation Sans", 0.212),
    ("Liberation Serif", 0.216),
    ("Liberation Mono", 0.3),
    ("DejaVu Sans", 0.236),
];

const SIZES: &[f32] = &[6.0, 9.0, 10.5, 12.0, 18.0, 31.0];

fn written<'a>(
    pages: Vec<FixedPage>,
    make: impl FnOnce(std::io::Cursor<&'a mut Vec<u8>>) -> Result<Box<dyn Writer<FixedPage> + 'a>>,
    made: &'a mut Vec<u8>,
) -> WriteReport {
    let mut writer = make(std::io::Cursor::new(made)).unwrap();
    for page in pages {
        writer.page(page).unwrap();
    }
    writer.finish().unwrap()
}

pub(crate) fn docx(pages: Vec<FixedPage>) -> Vec<u8> {
    let mut made = Vec::new();
    written(
        pages,
        |output| fixed::docx(output, &facts(), &OnePicture),
        &mut made,
    );
    made
}

pub(crate) fn pptx(pages: Vec<FixedPage>) -> Vec<u8> {
    let mut made = Vec::new();
    written(
        pages,
        |output| fixed::pptx(output, &facts(), &OnePicture),
        &mut made,
    );
    made
}

pub(crate) fn html(pages: Vec<FixedPage>) -> Vec<u8> {
    let mut made = Vec::new();
    written(
        pages,
        |output| fixed::html(output, &facts(), &OnePicture),
        &mut made,
    );
    made
}

pub(crate) fn text(pages: Vec<FixedPage>) -> String {
    let mut made = Vec::new();
    written(pages, fixed::text, &mut made);
    String::from_utf8(made).unwrap()
}

/// Creates a line with one style, as long as its text.
fn line(left: f32, baseline: f32, font: &str, size: f32, text: &str) -> Line {
    let mut run = run(text);
    run.style.font = font.to_owned();
    run.style.size = size;
    let width = text.chars().count() as f32 * size * 0.5;
    Line {
        bounds: Rect::between(
            (left, baseline - size * 0.9),
            (left + width, baseline + size * 0.22),
        ),
        baseline,
        angle: 0.0,
        runs: vec![run],
    }
}

fn page(number: u32, size: Size, lines: Vec<Line>) -> FixedPage {
    FixedPage {
        number,
        size,
        lines,
        ..FixedPage::default()
    }
}

/// Creates lines in each font and size all over a page; each names its position.
fn spread(number: u32, size: Size) -> FixedPage {
    let mut lines = Vec::new();
    let mut baseline = 40.0;
    while baseline < size.height - 10.0 {
        let count = lines.len();
        let ((font, _), letters) = (FONTS[count % FONTS.len()], SIZES[count % SIZES.len()]);
        let left = 20.0 + (count * 53 % 300) as f32;
        lines.push(line(
            left,
            baseline,
            font,
            letters,
            &format!("p{number}l{count} and more"),
        ));
        baseline += letters * 1.15;
    }
    // Ends near the edge of the page.
    lines.push(line(
        size.width - 45.0,
        30.0,
        "Liberation Sans",
        10.0,
        &format!("p{number}edge"),
    ));
    page(number, size, lines)
}

/// A form: rules, backgrounds, columns, a vertical line, a right-to-left line and pictures.
fn form() -> FixedPage {
    let mut total = line(60.0, 180.0, "Liberation Sans", 10.0, "Total: ");
    total.runs.push(Run {
        text: "12".to_owned(),
        ..total.runs[0].clone()
    });
    total.runs[1].style.bold = true;
    total.runs.push(Run {
        text: "2".to_owned(),
        ..total.runs[0].clone()
    });
    total.runs[2].style.script = Script::Super;
    let mut linked_line = line(60.0, 200.0, "Liberation Sans", 10.0, "");
    linked_line.runs = vec![
        linked("To us", "https://a.b/?c=\"d\"&e"),
        linked(" or run", "javascript:alert(1)"),
    ];
    let mut downwards = line(560.0, 300.0, "Liberation Sans", 10.0, "Sidewise");
    downwards.angle = 90.0;
    let mut upwards = line(30.0, 700.0, "Liberation Sans", 10.0, "Upwards");
    upwards.angle = 270.0;
    let mut slanted = line(300.0, 600.0, "Liberation Sans", 10.0, "Slanted");
    slanted.angle = 30.0;
    let lines = vec![
        line(60.0, 60.0, "Liberation Sans", 18.0, "Form <A> & \"B\""),
        line(60.0, 100.0, "Liberation Sans", 10.0, "Name"),
        line(300.0, 100.4, "Liberation Sans", 10.0, "Date of birth"),
        line(60.0, 140.0, "Liberation Sans", 10.0, "日本語"),
        line(300.0, 140.0, "Liberation Sans", 10.0, "שלום עולם"),
        total,
        linked_line,
        downwards,
        upwards,
        slanted,
    ];
    let figure = Figure {
        bounds: Rect::between((400.0, 40.0), (450.0, 90.0)),
        image: 0,
        whole: None,
        alternative: Some("A red \"dot\"".to_owned()),
    };
    let area = |corner, other, color| {
        Graphic::Area(Area {
            bounds: Rect::between(corner, other),
            color,
        })
    };
    let drop = Shape {
        segments: vec![
            PathSegment::Move((480.0, 40.0)),
            PathSegment::Curve((530.0, 90.0), (430.0, 90.0), (480.0, 40.0)),
            PathSegment::Close,
        ],
        fill: Some([0, 128, 255]),
        ..Shape::default()
    };
    let slanted = Shape {
        segments: vec![
            PathSegment::Move((60.0, 400.0)),
            PathSegment::Line((260.0, 500.0)),
        ],
        stroke: Some(StrokeStyle {
            color: [200, 0, 0],
            width: 1.5,
            dashes: vec![6.0, 3.0],
        }),
        ..Shape::default()
    };
    let half = Figure {
        bounds: Rect::between((400.0, 100.0), (425.0, 150.0)),
        whole: Some(Rect::between((400.0, 100.0), (450.0, 150.0))),
        ..figure.clone()
    };
    let drawn = vec![
        area((50.0, 84.0), (280.0, 110.0), [230, 240, 255]),
        Graphic::Figure(figure.clone()),
        Graphic::Shape(drop),
        Graphic::Shape(slanted),
        Graphic::Figure(half),
        Graphic::Figure(Figure { image: 1, ..figure }),
        area((50.0, 110.0), (550.0, 110.7), [0, 0, 0]),
    ];
    FixedPage {
        graphics: drawn,
        ..page(1, PORTRAIT, lines)
    }
}

/// Asserts that each line has its start and baseline.
fn assert_in_place(printed: &[Printed], pages: &[FixedPage]) {
    assert_eq!(printed.len(), pages.len());
    for (shown, page) in printed.iter().zip(pages) {
        let sides = [
            shown.size.width - page.size.width,
            shown.size.height - page.size.height,
        ];
        assert!(
            sides.iter().all(|side| side.abs() < 1.0),
            "{:?}",
            shown.size
        );
        for line in &page.lines {
            let style = &line.runs[0].style;
            let word = line.runs[0].text.split(' ').next().unwrap();
            let (bounds, (_, below)) = (
                shown.word(word),
                FONTS.iter().find(|(font, _)| *font == style.font).unwrap(),
            );
            let away = [
                bounds.left - line.bounds.left,
                bounds.bottom - below * style.size - line.baseline,
            ];
            assert!(
                away.iter().all(|away| away.abs() < TOLERANCE),
                "{word} in {}: {away:?}",
                style.font
            );
        }
    }
}

fn several() -> Vec<FixedPage> {
    vec![
        spread(1, PORTRAIT),
        spread(2, PORTRAIT),
        spread(3, LANDSCAPE),
        spread(4, PORTRAIT),
    ]
}

#[test]
fn docx_keeps_lines_at_their_positions() {
    let made = docx(several());
    crate::docx::assert_font_table(&made);
    assert_order(&made, crate::docx::ORDERS);
    assert_in_place(&by_libreoffice(&made, "docx"), &several());
}

#[test]
fn pptx_keeps_lines_at_their_positions() {
    let pages = || vec![spread(1, PORTRAIT), spread(2, PORTRAIT)];
    let made = pptx(pages());
    assert_consistent(&made);
    assert_order(&made, crate::pptx::ORDERS);
    assert_in_place(&by_libreoffice(&made, "pptx"), &pages());
}

#[test]
fn html_keeps_lines_at_their_positions() {
    assert_in_place(&by_chromium(&html(several())), &several());
}

/// Asserts the positions of the rotated and right-to-left lines of a form.
fn assert_form_in_place(printed: &Printed) {
    let near = |found: [f32; 2], expected: [f32; 2], what: &str| {
        let away = [found[0] - expected[0], found[1] - expected[1]];
        assert!(
            away.iter().all(|away| away.abs() < TOLERANCE),
            "{what}: {away:?}"
        );
    };
    let downwards = printed.word("Sidewise");
    near(
        [downwards.left, downwards.top],
        [560.0 - 2.12, 300.0],
        "downwards",
    );
    let upwards = printed.word("Upwards");
    near(
        [upwards.right, upwards.bottom],
        [30.0 + 2.12, 700.0],
        "upwards",
    );
    // The first word of a right-to-left line is at its right end; poppler returns letters in visual order.
    let rtl = printed.word("םולש");
    near([rtl.right, rtl.bottom], [345.0, 140.0 + 2.9], "rtl");
    let slanted = printed.word("Sla");
    let below = 10.0 * 0.212 * 30.0_f32.to_radians().sin();
    near(
        [slanted.left, slanted.top],
        [
            300.0 - below,
            600.0 - 10.0 * 0.905 * 30.0_f32.to_radians().cos(),
        ],
        "slanted",
    );
    let text = printed.text();
    for words in [
        "Form <A> & \"B\"",
        "Name",
        "Date of birth",
        "日本語",
        "12 2",
        "To us or run",
    ] {
        assert!(text.contains(words), "no {words} in {text}");
    }
}

#[test]
fn docx_keeps_forms() {
    let made = docx(vec![form()]);
    assert_consistent(&made);
    assert_order(&made, crate::docx::ORDERS);
    assert_form_in_place(&by_libreoffice(&made, "docx")[0]);
}

#[test]
fn pptx_keeps_forms() {
    let made = pptx(vec![form()]);
    assert_consistent(&made);
    assert_order(&made, crate::pptx::ORDERS);
    assert_form_in_place(&by_libreoffice(&made, "pptx")[0]);
}

#[test]
fn html_keeps_forms() {
    let made = html(vec![form()]);
    compare("form.html", &made);
    assert_form_in_place(&by_chromium(&made)[0]);
}

#[test]
fn texts_keep_columns() {
    let made = text(vec![form(), page(2, PORTRAIT, Vec::new())]);
    compare("form.txt", made.as_bytes());
}

#[test]
fn fixed_layout_parts_match_their_golden_files() {
    let document = part(&docx(vec![form()]), "word/document.xml");
    let slide = part(&pptx(vec![form()]), "ppt/slides/slide1.xml");
    // One drawing per line, to make differences readable.
    let document = document
        .replace("<w:r><w:drawing>", "\n<w:r><w:drawing>")
        .replace("<w:r><mc:", "\n<w:r><mc:");
    let slide = slide.replace("<p:sp>", "\n<p:sp>");
    compare("form.docx.xml", document.as_bytes());
    compare("form.pptx.xml", slide.as_bytes());
}
