//! HTML and Markdown on paper: sizes, margins, scale, lines in the margins and chosen pages, measured by poppler.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::{Value, json};

use crate::{poppler, rig};

/// A document whose own style sheet names paper and margins.
const STUBBORN: &str =
    "<style>@page { size: A3 landscape; margin: 60mm } @page :first { margin: 70mm }
     @page wide { size: 500mm 500mm } .wide { page: wide }</style><p>first<p class=wide>second";

fn step(options: &Value) -> Operation {
    let mut item = json!({"operation": "convert", "format": "pdf"});
    item.as_object_mut()
        .unwrap()
        .extend(options.as_object().unwrap().clone());
    Operation::read(&item, "$").unwrap()
}

fn print(document: &str, options: Value) -> rig::Made {
    print_from(document, Format::Html, options)
}

fn print_from(document: &str, format: Format, options: Value) -> rig::Made {
    let made = rig::run_bytes(document.as_bytes(), format, &[step(&options)]);
    made.unwrap_or_else(|error| panic!("{options}: {error:?}"))
}

/// Sides of each page in millimetres, rounded; the browser cuts paper to whole pixels, of which an inch has 96.
fn sheets(made: &rig::Made) -> Vec<(f64, f64)> {
    let sizes = poppler::page_sizes(made.path()).into_iter();
    let millimetres = |points: f64| (points / 72.0 * 25.4).round();
    sizes
        .map(|(width, height)| (millimetres(width), millimetres(height)))
        .collect()
}

/// Where a word begins, from the left and from the top of its page in millimetres, and its height.
fn place(made: &rig::Made, word: &str) -> (f64, f64, f64) {
    let [left, top, _, bottom] = poppler::word_box(made.path(), word);
    let millimetres = |points: f64| points / 72.0 * 25.4;
    (
        millimetres(left),
        millimetres(top),
        millimetres(bottom - top),
    )
}

#[test]
fn paper_is_as_asked_for_whatever_the_document_says() {
    for (options, sheet) in [
        (json!({}), (420.0, 297.0)),
        (json!({"paper": "a3"}), (297.0, 420.0)),
        (json!({"paper": "a4"}), (210.0, 297.0)),
        (json!({"paper": "a5"}), (148.0, 210.0)),
        (json!({"paper": "letter"}), (216.0, 279.0)),
        (json!({"paper": "legal"}), (216.0, 356.0)),
        (json!({"paper": "tabloid"}), (279.0, 432.0)),
        (json!({"landscape": true}), (297.0, 210.0)),
        (json!({"landscape": false}), (210.0, 297.0)),
        (
            json!({"paper": "letter", "landscape": true}),
            (279.0, 216.0),
        ),
        (
            json!({"paperWidth": 100, "paperHeight": 300.5}),
            (100.0, 300.0),
        ),
    ] {
        // The document's margins are too large for small paper.
        let mut options = options;
        for side in ["marginTop", "marginRight", "marginBottom", "marginLeft"] {
            options[side] = json!(10);
        }
        let made = print(STUBBORN, options.clone());
        let sheets = sheets(&made);
        assert_eq!(sheets.len(), 2, "{options}");
        let close = |(width, height): (f64, f64)| {
            (width - sheet.0).abs() <= 1.0 && (height - sheet.1).abs() <= 1.0
        };
        assert!(close(sheets[0]), "{options}: {sheets:?}");
        // Without a word about paper, each page of the document keeps its own.
        let own = options["paper"].is_null()
            && options["paperWidth"].is_null()
            && options["landscape"].is_null();
        match own {
            true => assert_eq!(sheets[1], (500.0, 500.0)),
            false => assert!(close(sheets[1]), "{options}: {sheets:?}"),
        }
        assert_eq!(poppler::texts(made.path())[..2], ["first", "second"]);
    }
    assert_eq!(sheets(&print("<p>x", json!({}))), [(210.0, 297.0)]);
}

#[test]
fn margins_are_as_asked_for_each_side_by_itself() {
    let document =
        "<style>html, body, p { margin: 0 } p { font: 20px/20px sans-serif }</style><p>corner";
    let near = |found: f64, expected: f64| (found - expected).abs() < 1.0;
    for (options, left, top) in [
        (json!({}), 10.0, 10.0),
        (json!({"marginLeft": 0, "marginTop": 0}), 0.0, 0.0),
        (json!({"marginLeft": 55.5}), 55.5, 10.0),
        (
            json!({"marginTop": 100, "marginRight": 50, "marginBottom": 50}),
            10.0,
            100.0,
        ),
    ] {
        let (x, y, _) = place(&print(document, options.clone()), "corner");
        assert!(near(x, left) && near(y, top), "{options}: {x} {y}");
    }
    let (x, y, _) = place(&print(STUBBORN, json!({"marginLeft": 20})), "first");
    assert!(
        x < 30.0 && y > 65.0,
        "only the left one is another: {x} {y}"
    );
    // What is asked for at the right and below tells in where lines and pages break.
    let long = format!(
        "<style>html, body {{ margin: 0 }}</style><p>{}",
        "word ".repeat(3_000)
    );
    let pages = |options| print(&long, options).artifact.pages;
    let (wide, narrow) = (pages(json!({})), pages(json!({"marginRight": 110})));
    assert!(narrow >= wide * 2, "{wide} {narrow}");
    let low = pages(json!({"marginBottom": 150}));
    assert!(low >= wide * 3 / 2, "{wide} {low}");
}

#[test]
fn scale_makes_text_larger_and_smaller() {
    let height = |options| place(&print("<p>size", options), "size").2;
    let plain = height(json!({}));
    for (scale, factor) in [(0.5, 0.5), (2.0, 2.0), (0.1, 0.1)] {
        let found = height(json!({"scale": scale})) / plain;
        assert!((found / factor - 1.0).abs() < 0.1, "{scale}: {found}");
    }
}

#[test]
fn backgrounds_are_printed_unless_they_are_not_wanted() {
    let document =
        "<style>div { background: #ff0000; width: 300px; height: 300px }</style><div></div><p>text";
    let reds = |options| {
        let made = print(document, options);
        let page = poppler::picture(made.path(), 1, 72);
        page.pixels().filter(|pixel| pixel.0 == [255, 0, 0]).count()
    };
    assert!(reds(json!({})) > 40_000);
    assert!(reds(json!({"background": true})) > 40_000);
    assert_eq!(reds(json!({"background": false})), 0);
}

#[test]
fn lines_in_the_margins_are_filled_and_nothing_in_them_runs() {
    let hostile = "</title><img src=x onerror=\"document.title='ran'\">";
    let document = format!(
        "<title>&lt;script&gt;document.body.textContent = 'ran'&lt;/script&gt; Grüße</title>
         <p>one<p style='break-before: page'>two<!-- {hostile} -->"
    );
    let made = print(
        &document,
        json!({
            "header": "{title} <b onclick='x'>&amp;</b> <script>document.body.textContent = 'ran'</script>",
            "footer": "Seite {page}/{pages} {1} am {date}[{url}]",
        }),
    );
    let texts = poppler::texts(made.path());
    assert_eq!(made.artifact.pages, 2);
    let today = poppler::today();
    for (page, (text, body)) in (1..).zip(texts.iter().zip(["one", "two"])) {
        for words in [
            "<script>document.body.textContent = 'ran'</script> Grüße <b onclick='x'>&amp;</b> <script>",
            &format!("Seite {page}/2 {{1}} am {today}[]"),
            body,
        ] {
            assert!(text.contains(words), "{words} in {text}");
        }
        assert!(!text.contains("document.invalid"), "{text}");
    }
    let (_, header, height) = place(&made, "Grüße");
    let (_, footer, _) = place(&made, "Seite");
    assert!(header + height < 10.0, "{header} {height}");
    assert!((287.0..294.0).contains(&footer), "{footer}");
    // A line alone brings none of the browser's own.
    let made = print("<title>T</title><p>alone", json!({"footer": "below"}));
    assert_eq!(poppler::texts(made.path())[0], "alone below");
    let long = print("<p>text", json!({"header": "wide ".repeat(40)}));
    assert_eq!(sheets(&long), [(210.0, 297.0)]);
}

#[test]
fn a_line_has_a_margin_whatever_the_document_says() {
    let document = "<style>@page { margin: 0 } html, body, p { margin: 0 }</style><p>body\
                    <p style='position: fixed; bottom: 0'>last";
    let made = print(document, json!({"header": "above", "footer": "below"}));
    let [above, body, last, below] =
        ["above", "body", "last", "below"].map(|word| place(&made, word));
    assert!(
        above.1 + above.2 <= 10.0 && (9.5..15.0).contains(&body.1),
        "{above:?} {body:?}"
    );
    assert!(
        below.1 >= 287.0 && last.1 + last.2 <= 287.5,
        "{below:?} {last:?}"
    );
    // The other sides stay the document's.
    assert!(body.0 < 1.0, "{body:?}");
    let made = print(document, json!({"header": "above"}));
    let last = place(&made, "last");
    assert!(last.1 + last.2 > 290.0, "{last:?}");
}

#[test]
fn the_document_s_own_paper_is_given_up_for_margins_that_leave_nothing_of_it() {
    let document = "<style>@page { size: 60mm 60mm; margin: 5mm } html, body, p { margin: 0 }</style><p>corner";
    let made = print(document, json!({}));
    assert_eq!(sheets(&made), [(60.0, 60.0)]);
    let made = print(document, json!({"marginLeft": 40, "marginRight": 40}));
    assert_eq!(sheets(&made), [(210.0, 297.0)]);
    let (left, _, _) = place(&made, "corner");
    assert!((left - 40.0).abs() < 1.0, "{left}");
}

#[test]
fn markdown_has_the_same_options() {
    let made = print_from(
        "# Über *uns*\n\ntext",
        Format::Markdown,
        json!({"paper": "a5", "landscape": true, "header": "{title}", "footer": "{page}"}),
    );
    assert_eq!(sheets(&made), [(210.0, 148.0)]);
    let text = &poppler::texts(made.path())[0];
    assert_eq!(text.matches("Über uns").count(), 2, "{text}");
    assert!(text.ends_with('1'), "{text}");
}

#[test]
fn chosen_pages_are_kept_in_order_and_missing_ones_are_refused() {
    let document = "<h1 style='break-after: page'>one</h1><h1 style='break-after: page'>two</h1>\
                    <h1 style='break-after: page'>three</h1><h1>four</h1>";
    for (pages, kept) in [
        ("2", vec!["two"]),
        ("3-last,1", vec!["one", "three", "four"]),
        ("-2", vec!["three", "four"]),
        ("1-4", vec!["one", "two", "three", "four"]),
        ("last", vec!["four"]),
    ] {
        let made = print(document, json!({"pages": pages}));
        assert_eq!(poppler::texts(made.path())[..kept.len()], kept, "{pages}");
        assert_eq!(made.artifact.pages as usize, kept.len(), "{pages}");
    }
    let made = print(
        document,
        json!({"pages": "3", "footer": "{page} of {pages}"}),
    );
    assert_eq!(poppler::texts(made.path())[0], "three 3 of 4");
    for pages in ["5", "3-2", "0", "1-5"] {
        let step = step(&json!({"pages": pages}));
        let refused = rig::code(rig::run_bytes(document.as_bytes(), Format::Html, &[step])).err();
        assert_eq!(refused, Some(JobErrorCode::PageRangeInvalid), "{pages}");
    }
}

#[test]
fn the_pages_of_a_plan_count_before_some_are_chosen() {
    let document = "<p style='break-after: page'>x</p>".repeat(30);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), document).unwrap();
    let limits = domain::job::JobLimits {
        pages: 20,
        ..rig::GENEROUS
    };
    let step = step(&json!({"pages": "1"}));
    let refused = rig::code(rig::run_within(file.path(), Format::Html, &[step], limits)).err();
    assert_eq!(refused, Some(JobErrorCode::TooManyPages));
}
