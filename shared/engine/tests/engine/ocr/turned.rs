//! The OCR text layer of rotated, cropped, translated and scaled pages is in reading order and in place.

use std::path::Path;
use std::process::Command;

use domain::format::Format;
use domain::operation::{OcrMode, OcrOutput};

use super::modes::found_by_pdfium;
use super::{edit_distance, encoded, found, length, letter, long_word, read_bytes, truth};
use crate::corpus;
use crate::harness;
use crate::sample_documents::{pdf, stream};

/// A page cropped to more than the letter.
#[derive(Clone, Copy, Debug)]
struct Case {
    /// `/Rotate`.
    turned: u32,
    /// Whether the letter is rotated inversely, so that it appears upright.
    upright: bool,
    /// Origin of the media box.
    origin: (f64, f64),
    /// Width and height that the crop box removes at the left and bottom.
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

/// A document with one page that shows the letter.
fn document(case: Case) -> Vec<u8> {
    let image = letter();
    let (width, height) = SIDES;
    let (x, y) = case.origin;
    // The letter's position, and the page size.
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

/// The center of a word on the visible page, from the top left corner, according to poppler.
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

fn converted(case: Case) -> harness::Converted {
    let source = document(case);
    read_bytes(&source, Format::Pdf, OcrOutput::Pdf, OcrMode::SkipText)
}

#[test]
fn text_is_in_order_and_in_place_for_every_page_geometry() {
    let (word, truth) = (
        long_word(),
        truth(&corpus::file("ocr-truth/eng-letter-300.png")),
    );
    let plain = middle(converted(PLAIN).path(), &word);
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
        // The margins removed at the bottom and left are elsewhere on a rotated page.
        (moved(0), (-20.0, 0.0)),
        (moved(90), (-10.0, -20.0)),
        (moved(180), (0.0, -10.0)),
        (moved(270), (0.0, 0.0)),
        (Case { unit: 2.0, ..PLAIN }, (0.0, 0.0)),
    ];
    let kinds = |(case, _): &(Case, (f64, f64))| [case.turned.to_string(), case.unit.to_string()];
    harness::sample(Vec::from(cases), 3, kinds, |(case, shift)| {
        let result = converted(case);
        for (reader, text) in [
            ("poppler", found(result.path())),
            ("pdfium", found_by_pdfium(result.path())),
        ] {
            let wrong = edit_distance(&text, &truth);
            assert!(wrong * 50 < length(&truth), "{case:?} {reader}: {text}");
        }
        let (x, y) = middle(result.path(), &word);
        let expected = (plain.0 + shift.0, plain.1 + shift.1);
        assert!(
            (x - expected.0).abs() < 2.0 && (y - expected.1).abs() < 2.0,
            "{case:?}: {x} {y}, not {expected:?}"
        );
    });
}

#[test]
fn text_is_in_order_on_rotated_scans() {
    let truth = truth(&corpus::file("ocr-truth/eng-letter-300.png"));
    harness::each(vec![90, 180, 270], |turned| {
        let case = Case {
            turned,
            upright: false,
            ..PLAIN
        };
        let result = converted(case);
        for (reader, text) in [
            ("poppler", found(result.path())),
            ("pdfium", found_by_pdfium(result.path())),
        ] {
            let wrong = edit_distance(&text, &truth);
            assert!(wrong * 50 < length(&truth), "{case:?} {reader}: {text}");
        }
    });
}

#[test]
fn columns_are_read_in_order() {
    let source = corpus::file("ocr-truth/eng-columns-300.pdf");
    let result = super::read(&source, "en", OcrOutput::Pdf);
    // In poppler's physical layout order.
    let words = crate::poppler::words(result.path()).join(" ");
    let truth = truth(&source);
    assert!(
        edit_distance(&words, &truth) * 20 < length(&truth),
        "{words}"
    );
}
