//! Operation `ocr`, checked against known page texts and with independent readers of the output.

mod low_resolution;
mod modes;
mod ranges;
mod scripts;
mod turned;

use std::path::{Path, PathBuf};
use std::process::Command;

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{DecryptOptions, Languages, OcrMode, OcrOptions, OcrOutput, Operation};
use image::{DynamicImage, GrayImage, Luma};
use serde_json::Value;

use self::modes::{HIDDEN, LETTERS, SCAN, pages};
use crate::corpus;
use crate::harness::{self, Converted};
use crate::poppler;
use crate::qpdf;
use crate::similarity;

fn ocr(language: &str, output: OcrOutput, mode: OcrMode) -> Operation {
    Operation::Ocr(OcrOptions {
        language: Some(Languages::try_from(language.to_owned()).unwrap()),
        output: Some(output),
        mode: Some(mode),
    })
}

fn read(source: &Path, language: &str, output: OcrOutput) -> Converted {
    let format = Format::from_extension(source.extension().unwrap().to_str().unwrap()).unwrap();
    harness::run(source, format, &[ocr(language, output, OcrMode::SkipText)]).unwrap()
}

fn read_bytes(document: &[u8], format: Format, output: OcrOutput, mode: OcrMode) -> Converted {
    harness::run_bytes(document, format, &[ocr("eng", output, mode)]).unwrap()
}

fn text(result: &Converted) -> String {
    String::from_utf8(result.bytes()).unwrap()
}

fn json(result: &Converted) -> Value {
    serde_json::from_slice(&result.bytes()).unwrap()
}

/// Pages with known text, and their languages.
fn recorded() -> Vec<(PathBuf, &'static str)> {
    [
        ("chi_sim-tongzhi-300.jpg", "zh"),
        ("deu-brief-300.jpg", "de"),
        ("deu-klein-300.png", "de"),
        ("deu-liste-200.pdf", "de"),
        ("eng-columns-300.pdf", "en"),
        ("eng-invoice-150.jpg", "en"),
        ("eng-letter-300.png", "en"),
        ("eng-report-200.jpg", "en"),
        ("eng-typewriter-200.jpg", "en"),
        ("fra-lettre-200.jpg", "fr"),
        ("fra-rapport-300.pdf", "fr"),
        ("rus-pismo-300.jpg", "ru"),
    ]
    .map(|(name, language)| (corpus::file(&format!("ocr-truth/{name}")), language))
    .to_vec()
}

fn truth(source: &Path) -> String {
    std::fs::read_to_string(source.with_extension("txt")).unwrap()
}

/// Edit distance between two texts in characters, ignoring white space.
fn edit_distance(found: &str, truth: &str) -> usize {
    let characters =
        |text: &str| -> Vec<char> { text.split_whitespace().flat_map(str::chars).collect() };
    let (found, truth) = (characters(found), characters(truth));
    let mut row: Vec<usize> = (0..=truth.len()).collect();
    for (index, character) in found.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for column in 0..truth.len() {
            let changed = diagonal + usize::from(truth[column] != *character);
            diagonal = row[column + 1];
            row[column + 1] = changed.min(diagonal + 1).min(row[column] + 1);
        }
    }
    row[truth.len()]
}

fn length(text: &str) -> usize {
    text.chars()
        .filter(|character| !character.is_whitespace())
        .count()
}

#[test]
fn recognized_text_matches_the_known_text() {
    let total = std::sync::Mutex::new((0, 0));
    harness::each(recorded(), |(source, language)| {
        let result = read(&source, language, OcrOutput::Text);
        let (wrong, all) = (
            edit_distance(&text(&result), &truth(&source)),
            length(&truth(&source)),
        );
        // One misread line would exceed this.
        assert!(wrong * 25 <= all, "{}: {wrong} of {all}", source.display());
        let mut total = total.lock().unwrap();
        *total = (total.0 + wrong, total.1 + all);
    });
    let (wrong, all) = total.into_inner().unwrap();
    assert!(wrong * 100 <= all, "{wrong} of {all}");
}

/// The text that poppler extracts, in content order.
fn found(pdf: &Path) -> String {
    let output = Command::new("pdftotext")
        .args(["-raw", "-enc", "UTF-8"])
        .arg(pdf)
        .arg("-")
        .output()
        .unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn searchable_pdf_looks_unchanged_and_poppler_finds_its_text() {
    let scans = recorded()
        .into_iter()
        .filter(|(source, _)| source.extension().unwrap() == "pdf");
    harness::each(scans.collect(), |(source, language)| {
        let result = read(&source, language, OcrOutput::Pdf);
        let before = std::fs::read(&source).unwrap();
        assert!(
            result.bytes().starts_with(&before),
            "the original is kept byte for byte"
        );
        qpdf::check(result.path(), "");
        assert_eq!(poppler::pages(result.path()), poppler::pages(&source));
        assert_eq!(
            poppler::picture(result.path(), 1, 60),
            poppler::picture(&source, 1, 60)
        );
        let found = found(result.path());
        let (wrong, all) = (
            edit_distance(&found, &truth(&source)),
            length(&truth(&source)),
        );
        assert!(
            wrong * 25 <= all,
            "{}: {wrong} of {all}: {found}",
            source.display()
        );
        assert_eq!(result.artifact.extension, "pdf");
    });
}

#[test]
fn images_become_searchable_pages_in_every_script() {
    let images = recorded().into_iter().filter(|(source, _)| {
        let name = source.file_stem().unwrap().to_str().unwrap();
        ["chi_sim-tongzhi-300", "rus-pismo-300", "eng-letter-300"].contains(&name)
    });
    harness::each(images.collect(), |(source, language)| {
        let result = read(&source, language, OcrOutput::Pdf);
        assert_eq!(poppler::pages(result.path()), 1);
        qpdf::check(result.path(), "");
        let found = found(result.path());
        let (wrong, all) = (
            edit_distance(&found, &truth(&source)),
            length(&truth(&source)),
        );
        assert!(
            wrong * 25 <= all,
            "{}: {wrong} of {all}: {found}",
            source.display()
        );
    });
}

#[test]
fn real_scans_become_searchable_and_look_unchanged() {
    harness::each(corpus::good(&["pdf-scan"], 7), |(entry, _)| {
        let (source, name) = (entry.path(), entry.file);
        let result = read(&source, "eng", OcrOutput::Pdf);
        assert_eq!(
            poppler::pages(result.path()),
            poppler::pages(&source),
            "{name}"
        );
        let picture = |pdf: &Path| poppler::picture(pdf, 1, 40);
        assert!(picture(result.path()) == picture(&source), "{name}");
        assert!(poppler::words(&source).is_empty(), "{name}");
        assert!(poppler::words(result.path()).len() > 5, "{name}");
    });
}

#[test]
fn documents_of_every_producer_get_a_text_layer() {
    let documents = corpus::good(&["pdf-text", "pdf-forms", "pdf-encrypted"], 4);
    let short = documents
        .into_iter()
        .filter(|(entry, _)| entry.pages.is_some_and(|pages| pages <= 2));
    harness::each(short.collect(), |(entry, format)| {
        let (source, name) = (entry.path(), entry.file);
        // Some forbid the operation and open without a password.
        let steps = [
            Operation::Decrypt(DecryptOptions::default()),
            ocr("eng", OcrOutput::Pdf, OcrMode::Force),
        ];
        let result =
            harness::run(&source, format, &steps).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(Some(result.artifact.pages), entry.pages, "{name}");
        // A page with text has been rendered to an image.
        let picture = |pdf: &Path| poppler::picture(pdf, 1, 40);
        let difference = similarity::difference(&picture(result.path()), &picture(&source), 60);
        assert!(difference < 6.0, "{name}: differs by {difference:.1}");
    });
}

/// The letter at half size, for speed.
fn letter() -> GrayImage {
    let image = image::open(corpus::file("ocr-truth/eng-letter-300.png")).unwrap();
    let (width, height) = (image.width() / 2, image.height() / 2);
    image
        .resize(width, height, image::imageops::Lanczos3)
        .to_luma8()
}

fn encoded(image: &GrayImage, format: image::ImageFormat) -> Vec<u8> {
    let mut file = std::io::Cursor::new(Vec::new());
    DynamicImage::from(image.clone())
        .write_to(&mut file, format)
        .unwrap();
    file.into_inner()
}

/// The center of a word's bounding box on a page.
fn middle(page: &Value, word: &str) -> (f64, f64) {
    let blocks = page["blocks"].as_array().unwrap().iter();
    let lines = blocks.flat_map(|block| block["lines"].as_array().unwrap());
    let mut words = lines.flat_map(|line| line["words"].as_array().unwrap());
    let found = words.find(|found| found["text"] == word);
    let place = &found.unwrap_or_else(|| panic!("no {word}"))["box"];
    let number = |index: usize| place[index].as_f64().unwrap();
    ((number(0) + number(2)) / 2.0, (number(1) + number(3)) / 2.0)
}

/// The first long word of the letter; all have the same font size.
fn long_word() -> String {
    let truth = truth(&corpus::file("ocr-truth/eng-letter-300.png"));
    let mut words = truth.split_whitespace();
    let long = words.find(|word| word.len() > 8 && word.chars().all(char::is_alphabetic));
    long.unwrap().to_owned()
}

#[test]
fn rotated_pages_are_recognized_with_words_in_place() {
    let upright = letter();
    let (width, height) = (f64::from(upright.width()), f64::from(upright.height()));
    let page = |image: &GrayImage| {
        let file = encoded(image, image::ImageFormat::Png);
        json(&read_bytes(
            &file,
            Format::Png,
            OcrOutput::Json,
            OcrMode::SkipText,
        ))["pages"][0]
            .clone()
    };
    let (word, truth) = (
        long_word(),
        truth(&corpus::file("ocr-truth/eng-letter-300.png")),
    );
    let (x, y) = middle(&page(&upright), &word);
    let turned = [
        (image::imageops::rotate90(&upright), 270, (height - y, x)),
        (
            image::imageops::rotate180(&upright),
            180,
            (width - x, height - y),
        ),
        (image::imageops::rotate270(&upright), 90, (y, width - x)),
    ];
    harness::each(Vec::from(turned), |(image, degrees, (x, y))| {
        let page = page(&image);
        assert_eq!(page["rotation"], degrees);
        assert!(edit_distance(page["text"].as_str().unwrap(), &truth) * 50 < length(&truth));
        let found = middle(&page, &word);
        assert!(
            (found.0 - x).abs() < 4.0 && (found.1 - y).abs() < 4.0,
            "{found:?} {x} {y}"
        );
        // The text layer is rotated with the page: poppler also reads it in order.
        let file = encoded(&image, image::ImageFormat::Png);
        let result = read_bytes(&file, Format::Png, OcrOutput::Pdf, OcrMode::SkipText);
        assert!(poppler::words(result.path()).contains(&word), "{degrees}");
    });
}

#[test]
fn json_and_hocr_contain_word_boxes_and_confidence() {
    let file = encoded(&letter(), image::ImageFormat::Png);
    let result = read_bytes(&file, Format::Png, OcrOutput::Json, OcrMode::SkipText);
    let complete = json(&result);
    assert_eq!(result.artifact.content_type, "application/json");
    assert_eq!(complete["languages"], serde_json::json!(["eng"]));
    let page = &complete["pages"][0];
    assert_eq!(page["unit"], "px");
    assert_eq!(page["width"].as_f64(), Some(f64::from(letter().width())));
    assert_eq!(page["recognised"], true);
    assert!(
        complete["confidence"].as_f64().unwrap() > 80.0,
        "{}",
        complete["confidence"]
    );
    let (x, y) = middle(page, &long_word());
    let result = read_bytes(&file, Format::Png, OcrOutput::Hocr, OcrMode::SkipText);
    // An independent XML parser finds the same word at the same position.
    let script = "import sys, xml.etree.ElementTree as tree\n\
        root = tree.parse(sys.argv[1]).getroot()\n\
        assert len([e for e in root.iter() if e.get('class') == 'ocr_page']) == 1\n\
        print(*[e.get('title') for e in root.iter() if e.get('class') == 'ocrx_word' and e.text == sys.argv[2]], sep='\\n')";
    let found = Command::new("python3")
        .args(["-c", script])
        .arg(result.path())
        .arg(long_word())
        .output()
        .unwrap();
    assert!(found.status.success(), "{found:?}");
    let titles = String::from_utf8(found.stdout).unwrap();
    let title: Vec<&str> = titles.lines().next().unwrap().split([' ', ';']).collect();
    let number = |index: usize| title[index].parse::<f64>().unwrap();
    assert_eq!((title[0], title[6]), ("bbox", "x_wconf"), "{titles}");
    assert!(
        ((number(1) + number(3)) / 2.0 - x).abs() <= 1.0,
        "{titles} {x}"
    );
    assert!(
        ((number(2) + number(4)) / 2.0 - y).abs() <= 1.0,
        "{titles} {y}"
    );
    assert!(number(7) > 50.0);
}

#[test]
fn text_output_contains_every_page() {
    let source = pages(&[LETTERS, "", SCAN, SCAN, SCAN, SCAN]);
    let result = read_bytes(&source, Format::Pdf, OcrOutput::Text, OcrMode::SkipText);
    let text = text(&result);
    let pages: Vec<&str> = text.split('\u{c}').collect();
    assert_eq!(pages.len(), 6);
    assert_eq!(
        pages[0],
        "These words are written, nobody has to read them.\n"
    );
    assert_eq!(pages[1], "\n");
    assert!(pages[2].contains(&long_word()));
    assert_eq!(result.artifact.pages, 6);
    let message = &result.artifact.warnings[0].message;
    assert!(message.contains("page 1 "), "{message}");
    assert!(
        result
            .progress
            .iter()
            .any(|percent| (30..85).contains(percent)),
        "{:?}",
        result.progress
    );
}

#[test]
fn every_tiff_page_is_recognized() {
    let result = read(
        &corpus::file("images/tiff/g4-multi.tiff"),
        "eng",
        OcrOutput::Json,
    );
    let complete = json(&result);
    assert_eq!(complete["pages"].as_array().unwrap().len(), 3);
    assert_eq!(result.artifact.pages, 3);
    for (format, name) in [
        (image::ImageFormat::Bmp, Format::Bmp),
        (image::ImageFormat::Gif, Format::Gif),
        (image::ImageFormat::WebP, Format::Webp),
    ] {
        let small = image::imageops::crop_imm(&letter(), 0, 0, letter().width(), 500).to_image();
        let small = DynamicImage::from(small).to_rgb8();
        let mut file = std::io::Cursor::new(Vec::new());
        DynamicImage::from(small)
            .write_to(&mut file, format)
            .unwrap();
        let result = read_bytes(&file.into_inner(), name, OcrOutput::Text, OcrMode::SkipText);
        let first = truth(&corpus::file("ocr-truth/eng-letter-300.png"));
        let first = first.split_whitespace().next().unwrap();
        assert!(text(&result).contains(first), "{name}: {}", text(&result));
    }
}

#[test]
fn output_is_deterministic() {
    let source = pages(&[LETTERS, &format!("{HIDDEN} {SCAN}")]);
    for output in [OcrOutput::Pdf, OcrOutput::Json] {
        let result = || {
            read_bytes(&source, Format::Pdf, output, OcrMode::Redo)
                .artifact
                .sha256
        };
        assert_eq!(result(), result(), "{output:?}");
    }
}

#[test]
fn empty_pages_and_noise_yield_no_text() {
    let white = GrayImage::from_pixel(600, 800, Luma([255]));
    let mut state = 1_u32;
    let noise = GrayImage::from_fn(600, 800, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        Luma([(state >> 24) as u8])
    });
    let outputs = [
        OcrOutput::Text,
        OcrOutput::Json,
        OcrOutput::Hocr,
        OcrOutput::Pdf,
    ];
    for (name, image, outputs) in [
        ("white", white, &outputs[..]),
        ("noise", noise, &outputs[..1]),
    ] {
        let file = encoded(&image, image::ImageFormat::Png);
        for output in outputs {
            let result = read_bytes(&file, Format::Png, *output, OcrMode::SkipText);
            assert_eq!(result.artifact.pages, 1, "{name} {output:?}");
            if *output == OcrOutput::Text {
                assert!(length(&text(&result)) < 40, "{name}: {}", text(&result));
            }
        }
    }
}

#[test]
fn unrecognizable_input_fails_with_specific_messages() {
    let rejected = |document: &[u8], format| {
        let steps = [ocr("eng", OcrOutput::Text, OcrMode::Force)];
        harness::code(harness::run_bytes(document, format, &steps)).err()
    };
    let letter = encoded(&letter(), image::ImageFormat::Png);
    let half = rejected(&letter[..letter.len() / 2], Format::Png);
    assert_eq!(half, Some(JobErrorCode::InputCorrupt));
    assert_eq!(rejected(b"", Format::Png), Some(JobErrorCode::InputEmpty));
    assert_eq!(
        rejected(&letter, Format::Pdf),
        Some(JobErrorCode::ContentMismatch)
    );
    // More pages than can finish in time are rejected before recognition starts.
    let many = vec![""; 450];
    assert_eq!(
        rejected(&pages(&many), Format::Pdf),
        Some(JobErrorCode::TooManyPages)
    );
    let limits = JobLimits {
        pages: 2,
        ..harness::GENEROUS
    };
    let steps = [ocr("eng", OcrOutput::Text, OcrMode::SkipText)];
    let tiff = corpus::file("images/tiff/g4-multi.tiff");
    let found = harness::code(harness::run_within(&tiff, Format::Tiff, &steps, limits)).err();
    assert_eq!(found, Some(JobErrorCode::TooManyPages));
}
