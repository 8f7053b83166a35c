//! Documents of placed pages: as they were, whole, and with every line where it stood.

use layout::writers::{Outcome, WriteReport, Writer, fixed};
use layout::{Area, Figure, FixedPage, Graphic, Line, Pen, Rect, Run, Script, Shape, Size, Step};

use crate::archive::{assert_order, assert_whole, part};
use crate::document::{LANDSCAPE, OnePicture, PORTRAIT, facts, linked, run};
use crate::golden::compare;
use crate::printed::{Printed, by_chromium, by_libreoffice};

/// How far a line may stand from where it stood, points.
const TOLERANCE: f32 = 2.0;

/// Fonts that are on this machine, and how far they reach below the baseline.
const FONTS: &[(&str, f32)] = &[
    ("Liberation Sans", 0.212),
    ("Liberation Serif", 0.216),
    ("Liberation Mono", 0.3),
    ("DejaVu Sans", 0.236),
];

const SIZES: &[f32] = &[6.0, 9.0, 10.5, 12.0, 18.0, 31.0];

fn written<'a>(
    pages: Vec<FixedPage>,
    make: impl FnOnce(std::io::Cursor<&'a mut Vec<u8>>) -> Outcome<Box<dyn Writer<FixedPage> + 'a>>,
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

/// A line of one look; about as long as its text is.
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

/// Lines in every font and size, anywhere on a page; each says where it is.
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
    // Ends near the edge of its page.
    lines.push(line(
        size.width - 45.0,
        30.0,
        "Liberation Sans",
        10.0,
        &format!("p{number}edge"),
    ));
    page(number, size, lines)
}

/// Forms have rules and grounds, columns, a sidewise line, a line from the right, and pictures.
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
    let mut leads = line(60.0, 200.0, "Liberation Sans", 10.0, "");
    leads.runs = vec![
        linked("To us", "https://a.b/?c=\"d\"&e"),
        linked(" or run", "javascript:alert(1)"),
    ];
    let mut sidewise = line(560.0, 300.0, "Liberation Sans", 10.0, "Sidewise");
    sidewise.angle = 90.0;
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
        leads,
        sidewise,
        upwards,
        slanted,
    ];
    let figure = Figure {
        bounds: Rect::between((400.0, 40.0), (450.0, 90.0)),
        image: 0,
        whole: None,
        alternative: Some("A red \"dot\"".to_owned()),
    };
    let area = |corner, other, colour| {
        Graphic::Area(Area {
            bounds: Rect::between(corner, other),
            colour,
        })
    };
    let drop = Shape {
        steps: vec![
            Step::Move((480.0, 40.0)),
            Step::Curve((530.0, 90.0), (430.0, 90.0), (480.0, 40.0)),
            Step::Close,
        ],
        fill: Some([0, 128, 255]),
        ..Shape::default()
    };
    let slanted = Shape {
        steps: vec![Step::Move((60.0, 400.0)), Step::Line((260.0, 500.0))],
        pen: Some(Pen {
            colour: [200, 0, 0],
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
        drawn,
        ..page(1, PORTRAIT, lines)
    }
}

/// Every line begins where it began and stands where it stood.
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
fn docx_keeps_lines_in_their_places() {
    let made = docx(several());
    assert_whole(&made);
    assert_order(&made, crate::docx::ORDERS);
    assert_in_place(&by_libreoffice(&made, "docx"), &several());
}

#[test]
fn pptx_keeps_lines_in_their_places() {
    let pages = || vec![spread(1, PORTRAIT), spread(2, PORTRAIT)];
    let made = pptx(pages());
    assert_whole(&made);
    assert_order(&made, crate::pptx::ORDERS);
    assert_in_place(&by_libreoffice(&made, "pptx"), &pages());
}

#[test]
fn html_keeps_lines_in_their_places() {
    assert_in_place(&by_chromium(&html(several())), &several());
}

/// Where lines of a form stand that are turned, or read from the right.
fn assert_form_in_place(printed: &Printed) {
    let near = |found: [f32; 2], expected: [f32; 2], what: &str| {
        let away = [found[0] - expected[0], found[1] - expected[1]];
        assert!(
            away.iter().all(|away| away.abs() < TOLERANCE),
            "{what}: {away:?}"
        );
    };
    let sidewise = printed.word("Sidewise");
    near(
        [sidewise.left, sidewise.top],
        [560.0 - 2.12, 300.0],
        "sidewise",
    );
    let upwards = printed.word("Upwards");
    near(
        [upwards.right, upwards.bottom],
        [30.0 + 2.12, 700.0],
        "upwards",
    );
    // The first word of a line from the right stands at its right end; poppler gives letters as they are seen.
    let leftward = printed.word("םולש");
    near(
        [leftward.right, leftward.bottom],
        [345.0, 140.0 + 2.9],
        "leftward",
    );
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
    assert_whole(&made);
    assert_order(&made, crate::docx::ORDERS);
    assert_form_in_place(&by_libreoffice(&made, "docx")[0]);
}

#[test]
fn pptx_keeps_forms() {
    let made = pptx(vec![form()]);
    assert_whole(&made);
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
fn parts_of_placed_documents_are_as_they_were() {
    let document = part(&docx(vec![form()]), "word/document.xml");
    let slide = part(&pptx(vec![form()]), "ppt/slides/slide1.xml");
    // A drawing a line, for whoever reads what has changed.
    let document = document
        .replace("<w:r><w:drawing>", "\n<w:r><w:drawing>")
        .replace("<w:r><mc:", "\n<w:r><mc:");
    let slide = slide.replace("<p:sp>", "\n<p:sp>");
    compare("form.docx.xml", document.as_bytes());
    compare("form.pptx.xml", slide.as_bytes());
}
