//! Operations `extract-pages`, `delete-pages`, `reorder`, `rotate` and `split`.

use std::io::Read as _;
use std::path::Path;

use domain::format::Format;
use domain::job::{JobErrorCode, JobLimits};
use domain::operation::{
    DecryptOptions, Operation, PageRanges, PagesOptions, ReorderOptions, RotateOptions,
    SplitOptions,
};

use crate::merge::outlined;
use crate::sample_documents::{numbered, pdf, stream};
use crate::{corpus, harness, poppler, qpdf};

fn ranges(text: &str) -> PageRanges {
    PageRanges::try_from(text.to_owned()).unwrap()
}

fn extract(text: &str) -> Operation {
    Operation::ExtractPages(PagesOptions {
        pages: ranges(text),
    })
}

fn delete(text: &str) -> Operation {
    Operation::DeletePages(PagesOptions {
        pages: ranges(text),
    })
}

fn reorder(order: &[u32]) -> Operation {
    let order = order.to_vec();
    Operation::Reorder(ReorderOptions { order })
}

fn split(parts: Option<&[&str]>, every: Option<i64>) -> Operation {
    Operation::Split(SplitOptions {
        ranges: parts.map(|parts| parts.iter().map(|part| ranges(part)).collect()),
        every: every.map(|every| every.try_into().unwrap()),
    })
}

fn rotate(angle: i64, pages: Option<&str>) -> Operation {
    Operation::Rotate(RotateOptions {
        angle: angle.try_into().unwrap(),
        pages: pages.map(ranges),
    })
}

fn converted(document: &[u8], step: Operation) -> harness::Converted {
    harness::run_bytes(document, Format::Pdf, &[step]).unwrap()
}

fn rejected(document: &[u8], step: Operation) -> Option<JobErrorCode> {
    harness::code(harness::run_bytes(document, Format::Pdf, &[step])).err()
}

fn words(word: &str, numbers: &[u32]) -> Vec<String> {
    let words = numbers.iter().map(|number| format!("{word} {number}"));
    words.collect()
}

#[test]
fn result_contains_the_requested_pages_in_order() {
    let document = numbered("page", 6);
    for (step, pages) in [
        (extract("3,1"), vec![3, 1]),
        (extract("-2"), vec![5, 6]),
        (extract("2,2,4-last"), vec![2, 2, 4, 5, 6]),
        (delete("1,last"), vec![2, 3, 4, 5]),
        (reorder(&[6, 5, 4, 3, 2, 1]), vec![6, 5, 4, 3, 2, 1]),
    ] {
        let result = converted(&document, step);
        assert_eq!(poppler::texts(result.path()), words("page", &pages));
        assert_eq!(result.artifact.pages as usize, pages.len());
        assert_eq!(result.artifact.content_type, "application/pdf");
        assert_eq!(result.warnings(), Vec::<&str>::new());
        qpdf::check(result.path(), "");
    }
}

#[test]
fn missing_pages_are_rejected() {
    let document = numbered("page", 3);
    for step in [
        extract("4"),
        extract("0"),
        extract("3-2"),
        delete("1-3"),
        delete("5"),
        reorder(&[1, 2]),
        reorder(&[1, 2, 2]),
        reorder(&[1, 2, 4]),
        rotate(90, Some("4")),
        split(Some(&["1-2", "4"]), None),
    ] {
        let code = rejected(&document, step.clone());
        assert_eq!(code, Some(JobErrorCode::PageRangeInvalid), "{step:?}");
    }
}

#[test]
fn only_selected_pages_are_rotated() {
    let document = numbered("page", 3);
    let turned = converted(&document, rotate(90, Some("2,2")));
    let sides = |page| {
        let picture = poppler::picture(turned.path(), page, 72);
        (picture.width(), picture.height())
    };
    assert_eq!([1, 2, 3].map(sides), [(300, 200), (200, 300), (300, 200)]);
    let upside_down = converted(&document, rotate(180, None));
    assert_eq!(poppler::field(upside_down.path(), "Page rot"), "180");
    let source = poppler::picture(upside_down.path(), 1, 72);
    let expected = harness::run_bytes(&document, Format::Pdf, &[extract("1")]).unwrap();
    let expected = image::imageops::rotate180(&poppler::picture(expected.path(), 1, 72));
    assert!(crate::similarity::difference(&source, &expected, 40) < 2.0);
    // Rotation adds to the existing one.
    let source = corpus::file("pdf-scan/ocr_test_rotated_90.pdf");
    let further = harness::run(&source, Format::Pdf, &[rotate(90, None)]).unwrap();
    assert_eq!(poppler::field(further.path(), "Page rot"), "0");
}

/// The page texts of each file in an archive.
fn parts(result: &harness::Converted) -> Vec<Vec<String>> {
    assert_eq!(result.artifact.content_type, "application/zip");
    let file = std::fs::File::open(result.path()).unwrap();
    let mut archive = zip::ZipArchive::new(file).unwrap();
    let contents = result.artifact.contents.as_ref().unwrap();
    assert_eq!(
        (contents.format, contents.sizes.len()),
        (Format::Pdf, archive.len())
    );
    let directory = tempfile::tempdir().unwrap();
    let piece = directory.path().join("piece.pdf");
    (0..archive.len())
        .map(|index| {
            let mut entry = archive.by_index(index).unwrap();
            let name = format!("Übersicht 1-{:04}.pdf", index + 1);
            assert_eq!(entry.name().unwrap(), name);
            assert_eq!(entry.size(), contents.sizes[index]);
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            std::fs::write(&piece, bytes).unwrap();
            qpdf::check(&piece, "");
            poppler::texts(&piece)
        })
        .collect()
}

#[test]
fn document_is_split_by_page_by_count_and_by_ranges() {
    let document = numbered("page", 12);
    let by_page = converted(&document, split(None, None));
    let expected: Vec<_> = (1..=12).map(|page| words("page", &[page])).collect();
    assert_eq!(parts(&by_page), expected);
    assert_eq!(by_page.artifact.pages, 12);
    let by_five = converted(&document, split(None, Some(5)));
    let expected: Vec<_> = [(1..=5), (6..=10), (11..=12)]
        .map(|pages| words("page", &pages.collect::<Vec<_>>()))
        .to_vec();
    assert_eq!(parts(&by_five), expected);
    let by_range = converted(&document, split(Some(&["11-last", "2,1", "2"]), None));
    let expected = [
        words("page", &[11, 12]),
        words("page", &[2, 1]),
        words("page", &[2]),
    ];
    assert_eq!(parts(&by_range), expected);
    // A single part needs no archive.
    let original = converted(&document, split(None, Some(12)));
    assert_eq!(original.artifact.content_type, "application/pdf");
    assert_eq!(poppler::pages(original.path()), 12);
}

#[test]
fn thousands_of_pages_are_supported() {
    let document = numbered("page", 2_500);
    let odd: Vec<String> = (1..=60).map(|page| (page * 40 + 1).to_string()).collect();
    let extracted = converted(&document, extract(&odd.join(",")));
    assert_eq!(extracted.artifact.pages, 60);
    let order: Vec<u32> = (1..=2_500).rev().collect();
    let reordered = converted(&document, reorder(&order));
    let texts = poppler::texts(reordered.path());
    assert_eq!((texts.len(), texts[0].as_str()), (2_500, "page 2500"));
    let parts = converted(&document, split(None, Some(2)));
    assert_eq!(parts.artifact.contents.unwrap().sizes.len(), 1_250);
}

#[test]
fn page_limit_applies_to_the_result() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), numbered("page", 3)).unwrap();
    let limits = JobLimits {
        pages: 5,
        ..harness::GENEROUS
    };
    let within = |text: &str| {
        let steps = [extract(text)];
        harness::code(harness::run_within(
            file.path(),
            Format::Pdf,
            &steps,
            limits,
        ))
        .err()
    };
    assert_eq!(within("1-3,1-2"), None);
    assert_eq!(within("1-3,1-3"), Some(JobErrorCode::TooManyPages));
}

#[test]
fn outline_keeps_only_existing_pages() {
    // The outline's entry leads to the first page, its child to the third.
    let document = outlined("one", 3);
    let outline = |step: Operation| {
        let result = harness::run_bytes(&document, Format::Pdf, &[step]).unwrap();
        qpdf::check(result.path(), "");
        qpdf::outline(result.path())
    };
    let both = |page| {
        let titles = ["one", "one below"];
        titles.map(|title| (title.to_owned(), Some(page))).to_vec()
    };
    assert_eq!(outline(extract("1")), [("one".to_owned(), Some(1))]);
    assert_eq!(outline(extract("3")), both(1));
    assert_eq!(outline(delete("1")), both(2));
    assert_eq!(outline(delete("3")), [("one".to_owned(), Some(1))]);
    assert_eq!(outline(extract("2")), []);
    let outlines = |step: Operation| -> Vec<_> {
        let files = files(&converted(&document, step)).into_iter();
        files.map(|file| qpdf::outline(file.path())).collect()
    };
    let some = outlines(split(Some(&["2", "3"]), None));
    assert_eq!(some, [vec![], both(1)]);
    let first = vec![("one".to_owned(), Some(1))];
    let all = outlines(split(None, None));
    assert_eq!(all, [first.clone(), vec![], both(1)]);
    let by_two = outlines(split(None, Some(2)));
    assert_eq!(by_two, [first, both(1)]);
}

/// The files of an archive.
fn files(result: &harness::Converted) -> Vec<tempfile::NamedTempFile> {
    let mut archive = zip::ZipArchive::new(std::fs::File::open(result.path()).unwrap()).unwrap();
    let files = (0..archive.len()).map(|index| {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        std::io::copy(&mut archive.by_index(index).unwrap(), &mut file).unwrap();
        file
    });
    files.collect()
}

#[test]
fn parts_keep_language_destinations_and_hidden_layers() {
    let page = |number: u32| {
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 100 50]/Contents 7 0 R/Resources<</Properties<</A {number} 0 R>>>>/Annots[10 0 R]>>"
        )
    };
    let document = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R/Lang(de)/OCProperties<</OCGs[5 0 R 6 0 R]/D<</OFF[6 0 R]>>>>/Names<</Dests<</Names[(a)[3 0 R/Fit](b)[4 0 R/Fit]]>>>>>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>".to_vec(),
        page(5).into_bytes(),
        page(6).into_bytes(),
        b"<</Type/OCG/Name(shown)>>".to_vec(),
        b"<</Type/OCG/Name(hidden)>>".to_vec(),
        stream("", b"/OC /A BDC 1 0 0 rg 0 0 100 50 re f EMC"),
        b"null".to_vec(),
        b"null".to_vec(),
        b"<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/Dest(b)>>".to_vec(),
    ]);
    let found = files(&converted(&document, split(None, None)));
    let found: Vec<_> = found
        .iter()
        .map(|file| {
            qpdf::check(file.path(), "");
            let document = lopdf::Document::load(file.path()).unwrap();
            let language = document
                .catalog()
                .unwrap()
                .get(b"Lang")
                .unwrap()
                .as_str()
                .unwrap();
            assert_eq!(language, b"de");
            let pages: Vec<_> = document.get_pages().into_values().collect();
            let link = document.get_page_annotations(pages[0]).unwrap()[0];
            let place = link.get(b"Dest").and_then(lopdf::Object::as_array);
            let leads = place.is_ok_and(|place| place[0].as_reference().unwrap() == pages[0]);
            (
                poppler::picture(file.path(), 1, 72).get_pixel(9, 9).0,
                leads,
            )
        })
        .collect();
    assert_eq!(found, [([255, 0, 0], false), ([255; 3], true)]);
}

#[test]
fn a_thousand_pages_with_an_outline_are_split() {
    const PAGES: u32 = 1_000;
    let entry = |page: u32| 3 + PAGES + page;
    let kids: String = (3..3 + PAGES).map(|page| format!("{page} 0 R ")).collect();
    let mut objects = vec![
        format!(
            "<</Type/Catalog/Pages 2 0 R/Outlines {} 0 R>>",
            entry(PAGES)
        ),
        format!("<</Type/Pages/Kids[{kids}]/Count {PAGES}/MediaBox[0 0 100 100]>>"),
    ];
    objects.extend((0..PAGES).map(|_| "<</Type/Page/Parent 2 0 R>>".to_owned()));
    for page in 0..PAGES {
        let place = 3 + page;
        let next = match page + 1 < PAGES {
            true => format!("/Next {} 0 R", entry(page + 1)),
            false => String::new(),
        };
        objects.push(format!(
            "<</Title(page {page})/Parent {} 0 R/Dest[{place} 0 R/Fit]{next}>>",
            entry(PAGES)
        ));
    }
    objects.push(format!(
        "<</Type/Outlines/First {} 0 R/Last {} 0 R/Count {PAGES}>>",
        entry(0),
        entry(PAGES - 1)
    ));
    let found = files(&converted(&pdf(&objects), split(None, None)));
    assert_eq!(found.len(), PAGES as usize);
    let outline = qpdf::outline(found[734].path());
    assert_eq!(outline, [("page 734".to_owned(), Some(1))]);
}

#[test]
fn real_documents_keep_their_pages() {
    let kinds = ["pdf-text", "pdf-scan", "pdf-forms"];
    harness::each(corpus::good(&kinds, 16), |(entry, _)| {
        let pages = poppler::pages(&entry.path());
        let before = poppler::words(&entry.path());
        // Protected documents forbid the operation and open without a password.
        let steps = match poppler::field(&entry.path(), "Encrypted").as_str() {
            "no" => vec![rotate(270, None)],
            _ => vec![
                Operation::Decrypt(DecryptOptions::default()),
                rotate(270, None),
            ],
        };
        let result = harness::run(&entry.path(), Format::Pdf, &steps);
        let result = result.unwrap_or_else(|error| panic!("{}: {error:?}", entry.file));
        assert_eq!(poppler::pages(result.path()), pages, "{}", entry.file);
        same_words(before, &result, &entry.path());
    });
}

fn same_words(mut before: Vec<String>, result: &harness::Converted, source: &Path) {
    let mut after = poppler::words(result.path());
    before.sort_unstable();
    after.sort_unstable();
    // poppler joins words by position, which depends on the rotation.
    let (before, after) = (before.concat().len(), after.concat().len());
    assert!(
        before.abs_diff(after) * 20 <= before,
        "{}: {before} {after}",
        source.display()
    );
}

#[test]
fn output_is_deterministic() {
    let source = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    for step in [extract("2-5"), rotate(90, None), split(None, Some(7))] {
        let make = || harness::run(&source, Format::Pdf, std::slice::from_ref(&step)).unwrap();
        assert_eq!(make().artifact.sha256, make().artifact.sha256, "{step:?}");
    }
}
