//! What a page cuts off or makes too small in print is named by a warning, and nothing else is missing.

use domain::format::Format;
use serde_json::{Value, json};

use crate::{harness, poppler};

fn print(document: &str) -> harness::Converted {
    let document = format!("<!doctype html>{document}");
    let steps = [harness::convert(Format::Pdf)];
    harness::run_bytes(document.as_bytes(), Format::Html, &steps).unwrap()
}

fn text(result: &harness::Converted) -> String {
    poppler::words(result.path()).join(" ")
}

/// Codes and data of the warnings.
fn warnings(result: &harness::Converted) -> Vec<(&str, Value)> {
    let warnings = result.artifact.warnings.iter();
    let warnings = warnings.map(|warning| (warning.code.as_str(), json!(warning.data)));
    warnings.collect()
}

#[test]
fn words_that_a_box_cuts_off_on_the_screen_are_counted_as_hidden() {
    let words = "alpha bravo charlie delta echo foxtrot golf hotel india juliet kilo lima mike november oscar papa";
    for (style, last) in [
        (
            "width: 10em; white-space: nowrap; overflow: hidden",
            "bravo",
        ),
        (
            "width: 10em; white-space: nowrap; overflow: hidden; text-overflow: ellipsis",
            "bravo",
        ),
        (
            "width: 10em; display: -webkit-box; -webkit-line-clamp: 2; -webkit-box-orient: vertical; overflow: hidden",
            "delta",
        ),
        (
            "width: 10em; height: 2.4em; line-height: 1.2; overflow: clip",
            "delta",
        ),
    ] {
        for document in [
            format!("<p style='{style}'>{words}</p><p>after"),
            format!("<iframe srcdoc='<p style=\"{style}\">{words}</p>'></iframe><p>after"),
        ] {
            let result = print(&document);
            let printed = text(&result);
            let shown = words
                .split(' ')
                .filter(|word| printed.contains(word))
                .count();
            let hidden = words.split(' ').count() - shown;
            assert!(
                printed.contains(last) && hidden > 4,
                "{document}: {printed}"
            );
            let expected = [("hidden_left_out", json!({"count": hidden}))];
            assert_eq!(warnings(&result), expected, "{document}: {printed}");
        }
    }
}

#[test]
fn invisible_words_and_shown_words_are_not_counted() {
    for document in [
        "<p style='height: 1em; overflow: auto'>one<br>two<br>three</p>",
        "<p style='height: 0; overflow: hidden'>one<br>two</p><p>shown",
        "<p style='position: absolute; width: 1px; height: 1px; overflow: hidden'>for screen readers</p><p>shown",
        "<div style='width: 50px; height: 50px; overflow: hidden'><p style='position: absolute; left: 300px'>shown elsewhere</div>",
        "<style>@media print { p { height: 1em; overflow: hidden } }</style><p>one<br>two<br>three",
    ] {
        assert_eq!(warnings(&print(document)), [], "{document}");
    }
}

#[test]
fn content_that_is_too_small_to_read_is_named() {
    let wide = |width: u32| format!("<div style='width: {width}px; text-align: right'>END</div>");
    assert_eq!(warnings(&print(&wide(1_100))), []);
    let result = print(&wide(4_000));
    let warnings_of_result = warnings(&result);
    assert_eq!(result.warnings(), ["content_shrunk"]);
    let scale = warnings_of_result[0].1["scale"].as_u64().unwrap();
    assert!((20..=30).contains(&scale), "{scale}");
    // Tables are split instead.
    let cells: String = (0..40)
        .map(|cell| format!("<td>cell{cell}abcdefgh"))
        .collect();
    assert_eq!(warnings(&print(&format!("<table><tr>{cells}</table>"))), []);
}

#[test]
fn neither_names_nor_styles_of_the_page_keep_content_from_being_shown() {
    let rows: String = (0..40).map(|row| format!("<p>row{row}end</p>")).collect();
    let form = format!(
        "<style>* {{ overflow: auto !important; max-height: 100px !important }}</style>
         <form><input name=style><input id=matches><input name=scrollHeight><input name=parentElement>{rows}</form>"
    );
    for form in [
        form.clone(),
        format!("<div><template shadowrootmode=open>{form}</template></div>"),
    ] {
        let result = print(&format!(
            "{form}<img name=body><img name=querySelectorAll><img name=host width=9 height=9>
             <div style='width: 1500px; text-align: right'>END</div>"
        ));
        let text = text(&result);
        let missing = (0..40).find(|row| !text.contains(&format!("row{row}end")));
        assert_eq!(missing, None, "{form}");
        assert!(text.contains("END"), "{form}");
    }
}

/// Measuring them may take longer than a pass over the page.
#[test]
fn many_cut_words_are_not_missing() {
    let words = "alpha bravo charlie delta echo foxtrot golf hotel india juliet ".repeat(4);
    let print = |rows: usize| {
        let rows = format!("<tr><td>{words}").repeat(rows);
        print(&format!(
            "<style>table {{ table-layout: fixed; width: 100% }}
             td {{ overflow: hidden; text-overflow: ellipsis; white-space: nowrap }}</style><table>{rows}</table>"
        ))
    };
    assert_eq!(print(300).warnings(), ["hidden_left_out"]);
    // The time to measure them may end.
    let result = print(5_000);
    let warnings = result.warnings();
    assert!(!warnings.is_empty());
    for warning in warnings {
        assert!(
            ["hidden_left_out", "content_not_verified"].contains(&warning),
            "{warning}"
        );
    }
}
