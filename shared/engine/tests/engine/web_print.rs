//! Print options of HTML and Markdown: paper, margins, scale, headers and footers, page selection; measured by poppler.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::{Value, json};

use crate::{harness, poppler};

/// A document whose style sheet sets paper and margins.
const WITH_OWN_PAPER: &str =
    "<style>@page { size: A3 landscape; margin: 60mm } @page :first { margin: 70mm }
     @page wide { size: 500mm 500mm } .wide { page: wide }</style><p>first<p class=wide>second";

fn step(options: &Value) -> Operation {
    let mut item = json!({"operation": "convert", "format": "pdf"});
    item.as_object_mut()
        .unwrap()
        .extend(options.as_object().unwrap().clone());
    Operation::read(&item, "$").unwrap()
}

fn print(document: &str, options: Value) -> harness::Converted {
    print_from(document, Format::Html, options)
}

/// Prints on A4 unless the options or the document have another paper.
fn print_from(document: &str, format: Format, mut options: Value) -> harness::Converted {
    if options.get("locale").is_none() {
        options["locale"] = json!("en-GB");
    }
    let result = harness::run_bytes(document.as_bytes(), format, &[step(&options)]);
    result.unwrap_or_else(|error| panic!("{options}: {error:?}"))
}

/// Width and height of each page in millimeters, rounded; the browser truncates paper to whole pixels of 1/96 inch.
fn sheets(result: &harness::Converted) -> Vec<(f64, f64)> {
    let sizes = poppler::page_sizes(result.path()).into_iter();
    let millimetres = |points: f64| (points / 72.0 * 25.4).round();
    sizes
        .map(|(width, height)| (millimetres(width), millimetres(height)))
        .collect()
}

/// Left and top of a word on its page in millimeters, and its height.
fn place(result: &harness::Converted, word: &str) -> (f64, f64, f64) {
    let [left, top, _, bottom] = poppler::word_box(result.path(), word);
    let millimetres = |points: f64| points / 72.0 * 25.4;
    (
        millimetres(left),
        millimetres(top),
        millimetres(bottom - top),
    )
}

#[test]
fn paper_option_overrides_the_document() {
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
        let result = print(WITH_OWN_PAPER, options.clone());
        let sheets = sheets(&result);
        assert_eq!(sheets.len(), 2, "{options}");
        let close = |(width, height): (f64, f64)| {
            (width - sheet.0).abs() <= 1.0 && (height - sheet.1).abs() <= 1.0
        };
        assert!(close(sheets[0]), "{options}: {sheets:?}");
        // Without a paper option, each page of the document keeps its own size.
        let own = options["paper"].is_null()
            && options["paperWidth"].is_null()
            && options["landscape"].is_null();
        match own {
            true => assert_eq!(sheets[1], (500.0, 500.0)),
            false => assert!(close(sheets[1]), "{options}: {sheets:?}"),
        }
        assert_eq!(poppler::texts(result.path())[..2], ["first", "second"]);
    }
    assert_eq!(
        sheets(&print("<p>x", json!({"locale": "en-US"}))),
        [(216.0, 279.0)]
    );
    let german = print("<p>x", json!({"locale": "de-DE"}));
    assert_eq!(sheets(&german), [(210.0, 297.0)]);
}

#[test]
fn margin_options_apply_to_each_side() {
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
    let (x, y, _) = place(&print(WITH_OWN_PAPER, json!({"marginLeft": 20})), "first");
    assert!(
        x < 30.0 && y > 65.0,
        "only the left one is another: {x} {y}"
    );
    // Right and bottom margins determine where lines and pages break.
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
fn scale_changes_the_text_size() {
    let height = |options| place(&print("<p>size", options), "size").2;
    let plain = height(json!({}));
    for (scale, factor) in [(0.5, 0.5), (2.0, 2.0), (0.1, 0.1)] {
        let found = height(json!({"scale": scale})) / plain;
        assert!((found / factor - 1.0).abs() < 0.1, "{scale}: {found}");
    }
}

#[test]
fn backgrounds_are_optional() {
    let document =
        "<style>div { background: #ff0000; width: 300px; height: 300px }</style><div></div><p>text";
    let reds = |options| {
        let result = print(document, options);
        let page = poppler::picture(result.path(), 1, 72);
        page.pixels().filter(|pixel| pixel.0 == [255, 0, 0]).count()
    };
    assert!(reds(json!({})) > 40_000);
    assert!(reds(json!({"background": true})) > 40_000);
    assert_eq!(reds(json!({"background": false})), 0);
}

#[test]
fn headers_and_footers_are_filled_and_run_no_scripts() {
    let hostile = "</title><img src=x onerror=\"document.title='ran'\">";
    let document = format!(
        "<title>&lt;script&gt;document.body.textContent = 'ran'&lt;/script&gt; Grüße</title>
         <p>one<p style='break-before: page'>two<!-- {hostile} -->"
    );
    let result = print(
        &document,
        json!({
            "header": "{title} <b onclick='x'>&amp;</b> <script>document.body.textContent = 'ran'</script>",
            "footer": "Seite {page}/{pages} {1} am {date}[{url}]",
        }),
    );
    let texts = poppler::texts(result.path());
    assert_eq!(result.artifact.pages, 2);
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
    let (_, header, height) = place(&result, "Grüße");
    let (_, footer, _) = place(&result, "Seite");
    assert!(header + height < 10.0, "{header} {height}");
    assert!((287.0..294.0).contains(&footer), "{footer}");
    // A header or footer alone does not enable the browser's default ones.
    let result = print("<title>T</title><p>alone", json!({"footer": "below"}));
    assert_eq!(poppler::texts(result.path())[0], "alone below");
    let long = print("<p>text", json!({"header": "wide ".repeat(40)}));
    assert_eq!(sheets(&long), [(210.0, 297.0)]);
}

#[test]
fn headers_and_footers_always_get_a_margin() {
    let document = "<style>@page { margin: 0 } html, body, p { margin: 0 }</style><p>body\
                    <p style='position: fixed; bottom: 0'>last";
    let result = print(document, json!({"header": "above", "footer": "below"}));
    let [above, body, last, below] =
        ["above", "body", "last", "below"].map(|word| place(&result, word));
    assert!(
        above.1 + above.2 <= 10.0 && (9.5..15.0).contains(&body.1),
        "{above:?} {body:?}"
    );
    assert!(
        below.1 >= 287.0 && last.1 + last.2 <= 287.5,
        "{below:?} {last:?}"
    );
    // The other sides keep the document's margins.
    assert!(body.0 < 1.0, "{body:?}");
    let result = print(document, json!({"header": "above"}));
    let last = place(&result, "last");
    assert!(last.1 + last.2 > 290.0, "{last:?}");
}

#[test]
fn document_paper_is_replaced_if_margins_exceed_it() {
    let document = "<style>@page { size: 60mm 60mm; margin: 5mm } html, body, p { margin: 0 }</style><p>corner";
    let result = print(document, json!({}));
    assert_eq!(sheets(&result), [(60.0, 60.0)]);
    let result = print(document, json!({"marginLeft": 40, "marginRight": 40}));
    assert_eq!(sheets(&result), [(210.0, 297.0)]);
    let (left, _, _) = place(&result, "corner");
    assert!((left - 40.0).abs() < 1.0, "{left}");
}

#[test]
fn markdown_supports_the_same_options() {
    let result = print_from(
        "# Über *uns*\n\ntext",
        Format::Markdown,
        json!({"paper": "a5", "landscape": true, "header": "{title}", "footer": "{page}"}),
    );
    assert_eq!(sheets(&result), [(210.0, 148.0)]);
    let text = &poppler::texts(result.path())[0];
    assert_eq!(text.matches("Über uns").count(), 2, "{text}");
    assert!(text.ends_with('1'), "{text}");
}

#[test]
fn selected_pages_are_kept_in_order_and_missing_ones_rejected() {
    let document = "<h1 style='break-after: page'>one</h1><h1 style='break-after: page'>two</h1>\
                    <h1 style='break-after: page'>three</h1><h1>four</h1>";
    for (pages, kept) in [
        ("2", vec!["two"]),
        ("3-last,1", vec!["one", "three", "four"]),
        ("-2", vec!["three", "four"]),
        ("1-4", vec!["one", "two", "three", "four"]),
        ("last", vec!["four"]),
    ] {
        let result = print(document, json!({"pages": pages}));
        assert_eq!(poppler::texts(result.path())[..kept.len()], kept, "{pages}");
        assert_eq!(result.artifact.pages as usize, kept.len(), "{pages}");
    }
    let result = print(
        document,
        json!({"pages": "3", "footer": "{page} of {pages}"}),
    );
    assert_eq!(poppler::texts(result.path())[0], "three 3 of 4");
    for pages in ["5", "3-2", "0", "1-5"] {
        let step = step(&json!({"pages": pages}));
        let rejected = harness::code(harness::run_bytes(
            document.as_bytes(),
            Format::Html,
            &[step],
        ))
        .err();
        assert_eq!(rejected, Some(JobErrorCode::PageRangeInvalid), "{pages}");
    }
}

#[test]
fn page_limit_applies_before_selection() {
    let document = "<p style='break-after: page'>x</p>".repeat(30);
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), document).unwrap();
    let limits = domain::job::JobLimits {
        pages: 20,
        ..harness::GENEROUS
    };
    let step = step(&json!({"pages": "1"}));
    let rejected = harness::code(harness::run_within(
        file.path(),
        Format::Html,
        &[step],
        limits,
    ))
    .err();
    assert_eq!(rejected, Some(JobErrorCode::TooManyPages));
}
