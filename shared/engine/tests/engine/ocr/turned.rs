//! Pages that are turned, cropped, moved or scaled: the text under them stands in order and where it is seen.

use std::path::Path;
use std::process::Command;

use domain::format::Format;
use domain::operation::{OcrMode, OcrOutput};

use super::modes::found_by_pdfium;
use super::{encoded, found, length, letter, long_word, mistakes, read_bytes, truth};
use crate::corpus;
use crate::documents::{pdf, stream};
use crate::rig;

/// A page of which more than the letter is cut off.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// `/Rotate`.
    turned: u32,
    /// Whether the letter is turned against that, and so seen upright.
    upright: bool,
    /// Where the media box begins.
    origin: (f64, f64),
    /// What the crop box leaves away on the left and below.
    cropped: (f64, f64),
    /// `/UserUnit`.
    unit: f64,
}

const PLAIN: Case = Case {
    turned: 0,
    upright: true,
    origin: (0.0, 0.0),
    cropped: (0.0, 0.0),
    unit: 1.0,
};
/// Width and height of the letter in points.
const SIDES: (f64, f64) = (595.0, 842.0);

/// A document of one page that shows the letter.
fn document(case: Case) -> Vec<u8> {
    let image = letter();
    let (width, height) = SIDES;
    let (x, y) = case.origin;
    // The letter's place on the page, and the sides of the page.
    let ((across, down), matrix) = match (case.upright, case.turned) {
        (true, 90) => ((height, width), [0.0, width, -height, 0.0, x + height, y]),
        (true, 180) => (SIDES, [-width, 0.0, 0.0, -height, x + width, y + height]),
        (true, 270) => ((height, width), [0.0, -width, height, 0.0, x, y + width]),
        _ => (SIDES, [width, 0.0, 0.0, height, x, y]),
    };
    let matrix = matrix.map(|number| number.to_string()).join(" ");
    let about = format!(
        "/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Width {}/Height {}",
        image.width(),
        image.height()
    );
    let page = format!(
        "<</Type/Page/Parent 2 0 R/Contents 4 0 R/Rotate {}/UserUnit {}/MediaBox[{x} {y} {} {}]/CropBox[{} {} {} {}]/Resources<</XObject<</I 5 0 R>>>>>>",
        case.turned,
        case.unit,
        x + across,
        y + down,
        x + case.cropped.0,
        y + case.cropped.1,
        x + across,
        y + down
    );
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        page.into_bytes(),
        stream("", format!("q {matrix} cm /I Do Q").as_bytes()),
        stream(&about, &encoded(&image, image::ImageFormat::Jpeg)),
    ])
}

/// The middle of a word on the page as it is shown, from its top left corner, as poppler finds it.
fn middle(pdf: &Path, word: &str) -> (f64, f64) {
    let output = Command::new("pdftotext")
        .args(["-bbox", "-cropbox"])
        .arg(pdf)
        .arg("-")
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let line = text
        .lines()
        .find(|line| line.contains(&format!(">{word}<")))
        .unwrap_or_else(|| panic!("no {word} in {text}"));
    let number = |name: &str| -> f64 {
        let rest = line.split(&format!("{name}=\"")).nth(1).unwrap();
        rest.split('"').next().unwrap().parse().unwrap()
    };
    (
        (number("xMin") + number("xMax")) / 2.0,
        (number("yMin") + number("yMax")) / 2.0,
    )
}

fn made(case: Case) -> rig::Made {
    let source = document(case);
    read_bytes(&source, Format::Pdf, OcrOutput::Pdf, OcrMode::SkipText)
}

#[test]
fn text_is_found_in_order_and_in_place_however_its_page_lies() {
    let (word, truth) = (
        long_word(),
        truth(&corpus::file("ocr-truth/eng-letter-300.png")),
    );
    let plain = middle(made(PLAIN).path(), &word);
    let turned = |turned| Case { turned, ..PLAIN };
    let moved = |turned| Case {
        turned,
        origin: (-120.0, 250.0),
        cropped: (20.0, 10.0),
        ..PLAIN
    };
    let cases = [
        (turned(90), (0.0, 0.0)),
        (turned(180), (0.0, 0.0)),
        (turned(270), (0.0, 0.0)),
        // What is cut off below and on the left of a page lies elsewhere once that is turned.
        (moved(0), (-20.0, 0.0)),
        (moved(90), (-10.0, -20.0)),
        (moved(180), (0.0, -10.0)),
        (moved(270), (0.0, 0.0)),
        (Case { unit: 2.0, ..PLAIN }, (0.0, 0.0)),
    ];
    rig::each(Vec::from(cases), |(case, shift)| {
        let made = made(case);
        for (reader, text) in [
            ("poppler", found(made.path())),
            ("pdfium", found_by_pdfium(made.path())),
        ] {
            let wrong = mistakes(&text, &truth);
            assert!(wrong * 50 < length(&truth), "{case:?} {reader}: {text}");
        }
        let (x, y) = middle(made.path(), &word);
        let expected = (plain.0 + shift.0, plain.1 + shift.1);
        assert!(
            (x - expected.0).abs() < 2.0 && (y - expected.1).abs() < 2.0,
            "{case:?}: {x} {y}, not {expected:?}"
        );
    });
}

#[test]
fn text_is_found_in_order_on_a_page_that_lies_on_its_side_or_head() {
    let truth = truth(&corpus::file("ocr-truth/eng-letter-300.png"));
    rig::each(vec![90, 180, 270], |turned| {
        let case = Case {
            turned,
            upright: false,
            ..PLAIN
        };
        let made = made(case);
        for (reader, text) in [
            ("poppler", found(made.path())),
            ("pdfium", found_by_pdfium(made.path())),
        ] {
            let wrong = mistakes(&text, &truth);
            assert!(wrong * 50 < length(&truth), "{case:?} {reader}: {text}");
        }
    });
}

#[test]
fn columns_are_read_one_after_the_other() {
    let source = corpus::file("ocr-truth/eng-columns-300.pdf");
    let made = super::read(&source, "en", OcrOutput::Pdf);
    // In poppler's own order, which it makes of where words stand.
    let words = crate::poppler::words(made.path()).join(" ");
    let truth = truth(&source);
    assert!(mistakes(&words, &truth) * 20 < length(&truth), "{words}");
}
