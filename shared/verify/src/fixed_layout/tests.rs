//! Tests that incomplete results are rejected.

use std::fs::File;
use std::io::{Cursor, Read, Result};
use std::path::{Path, PathBuf};

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{ConvertOptions, Operation};
use layout::writers::{Metadata, PictureFormat, PictureInfo, Pictures, Writer, fixed};
use layout::{Figure, FixedPage, Graphic, Line, Rect, Run, Size, Style};
use task::{Product, Task, TaskError, TaskResult, Verified};

use super::{fixed_layout, has_words};

const TARGETS: [Format; 4] = [Format::Docx, Format::Pptx, Format::Html, Format::Txt];

/// The text of the two source pages; each has an image, too.
const PAGES: [&str; 2] = [
    "The quick brown fox jumps over a lazy dog",
    "Pack my box with five dozen liquor jugs",
];

fn source() -> Vec<u8> {
    let contents = PAGES.map(|text| {
        format!(
            "BT /F 12 Tf 50 700 Td ({text}) Tj ET \
             q 20 20 60 60 re W n 100 0 0 100 10 10 cm BI /W 1 /H 1 /BPC 8 /CS /G ID z EI Q"
        )
    });
    let page = |number: usize| {
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Contents {} 0 R/Resources<</Font<</F 7 0 R>>>>>>",
            number + 2
        )
    };
    let stream = |contents: &str| {
        let length = contents.len();
        format!("<</Length {length}>>stream\n{contents}\nendstream")
    };
    let objects = [
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>".to_owned(),
        page(3),
        page(4),
        stream(&contents[0]),
        stream(&contents[1]),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
    ];
    let objects = objects.iter().zip(1..);
    let objects: String = objects
        .map(|(object, number)| format!("{number} 0 obj\n{object}\nendobj\n"))
        .collect();
    format!("%PDF-1.4\n{objects}trailer<</Size 8/Root 1 0 R>>\n").into_bytes()
}

/// A page with a text and optionally an image.
fn page(number: u32, text: &str, has_image: bool) -> FixedPage {
    let bounds = Rect::between((50.0, 90.0), (350.0, 104.0));
    let line = Line {
        bounds,
        baseline: 100.0,
        angle: 0.0,
        runs: vec![Run {
            text: text.to_owned(),
            style: Style::default(),
            link: None,
        }],
    };
    let figure = Figure {
        bounds: Rect::between((20.0, 720.0), (80.0, 780.0)),
        ..Figure::default()
    };
    let graphics = has_image.then_some(Graphic::Figure(figure));
    FixedPage {
        number,
        size: Size {
            width: 600.0,
            height: 800.0,
        },
        lines: vec![line],
        graphics: graphics.into_iter().collect(),
    }
}

struct OneImage;

impl Pictures for OneImage {
    fn info(&self, _: usize) -> Result<Option<PictureInfo>> {
        Ok(Some(PictureInfo {
            format: PictureFormat::Png,
            width: 1,
            height: 1,
        }))
    }

    fn open(&self, _: usize) -> Result<Box<dyn Read + '_>> {
        Ok(Box::new(Cursor::new(b"a picture")))
    }
}

fn library() -> PathBuf {
    let named = std::env::var_os("PDFIUM_LIBRARY").map(PathBuf::from);
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    named.unwrap_or_else(|| checkout.join(".octavo/lib/libpdfium.so"))
}

/// Verifies a result of these pages.
fn verified(to: Format, pages: Vec<FixedPage>) -> TaskResult<Verified> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("source");
    std::fs::write(&path, source()).unwrap();
    let options = serde_json::json!({"format": to, "mode": "layout", "ocr": "off"});
    let options: ConvertOptions = serde_json::from_value(options).unwrap();
    let task = Task {
        operation: Operation::Convert(options),
        part: None,
        source: path,
        from: Format::Pdf,
        attachments: Vec::new(),
        to,
        limits: JobLimits {
            file_bytes: u64::MAX,
            pages: u32::MAX,
            image_side: u32::MAX,
        },
        directory: directory.path().to_owned(),
        scratch: directory.path().to_owned(),
        stem: String::new(),
        pdfium: Some(library()),
        models: None,
        browser: None,
        page: None,
        product: None,
    };
    let (output, metadata) = (File::create(task.output()).unwrap(), Metadata::default());
    let mut writer: Box<dyn Writer<FixedPage>> = match to {
        Format::Docx => fixed::docx(output, &metadata, &OneImage),
        Format::Pptx => fixed::pptx(output, &metadata, &OneImage),
        Format::Html => fixed::html(output, &metadata, &OneImage),
        _ => fixed::text(output),
    }
    .unwrap();
    for page in pages {
        writer.page(page).unwrap();
    }
    writer.finish().unwrap();
    fixed_layout(&task, &Product::default())
}

fn rejection(to: Format, pages: Vec<FixedPage>) -> String {
    match verified(to, pages) {
        Err(TaskError::Document(error)) if error.code == JobErrorCode::OutputInvalid => {
            error.message
        }
        other => panic!("{to}: {other:?}"),
    }
}

#[test]
fn complete_results_are_accepted() {
    for to in TARGETS {
        let pages = vec![page(1, PAGES[0], true), page(2, PAGES[1], true)];
        assert_eq!(verified(to, pages).unwrap().pages, 2, "{to}");
    }
}

#[test]
fn missing_and_misplaced_words_are_detected() {
    for to in TARGETS {
        let short = PAGES[0].replace("quick ", "");
        let long = format!("{} quick", PAGES[1]);
        for second in [PAGES[1], &long] {
            let pages = vec![page(1, &short, true), page(2, second, true)];
            let message = rejection(to, pages);
            assert!(message.contains("words are missing"), "{to}: {message}");
        }
        let changed = vec![page(1, PAGES[1], true), page(2, PAGES[0], true)];
        assert!(rejection(to, changed).contains("words are missing"), "{to}");
    }
}

#[test]
fn missing_images_and_pages_are_detected() {
    for to in TARGETS {
        let one = vec![page(1, PAGES[0], true)];
        assert!(rejection(to, one).contains("pages are missing"), "{to}");
        if to != Format::Txt {
            let without = vec![page(1, PAGES[0], true), page(2, PAGES[1], false)];
            let message = rejection(to, without);
            assert!(message.contains("images are missing"), "{to}: {message}");
        }
    }
}

#[test]
fn words_may_be_split_but_not_missing() {
    let wanted = "one two three four five six seven eight nine ten";
    assert!(has_words(&wanted.replace(' ', "\n"), wanted));
    assert!(has_words(
        "o n e two three f our five six seven eight nine ten",
        wanted
    ));
    assert!(has_words(
        "net enin thgie neves xis evif ruof eerht owt eno",
        wanted
    ));
    assert!(!has_words(
        "one two three four five six seven eight nine",
        wanted
    ));
    assert!(has_words("", ""));
}
