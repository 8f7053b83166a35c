//! Printed pages miss nothing that a reader of the page sees: too wide, scrolled and closed content is printed.

use domain::format::Format;
use domain::operation::Operation;
use serde_json::{Value, json};
use task::expected_text::SOURCE_TEXT_FILE;

use crate::{harness, poppler};

fn print(document: &str, options: Value) -> harness::Converted {
    print_from(document, Format::Html, options)
}

fn print_from(document: &str, format: Format, options: Value) -> harness::Converted {
    let mut item = json!({"operation": "convert", "format": "pdf"});
    let options = options.as_object().unwrap().clone();
    item.as_object_mut().unwrap().extend(options);
    let step = Operation::read(&item, "$").unwrap();
    harness::run_bytes(document.as_bytes(), format, &[step]).unwrap()
}

fn text(result: &harness::Converted) -> String {
    poppler::words(result.path()).join(" ")
}

/// Whether the first page is wider than high.
fn is_landscape(result: &harness::Converted) -> bool {
    let (width, height) = poppler::page_sizes(result.path())[0];
    width > height
}

/// A table whose words do not break.
fn table(columns: usize, rows: usize) -> String {
    let cell = |row: usize, column: usize| format!("<td>r{row}c{column}abcdefgh</td>");
    let row = |row| -> String { (0..columns).map(|column| cell(row, column)).collect() };
    let rows: String = (0..rows)
        .map(|number| format!("<tr>{}</tr>", row(number)))
        .collect();
    format!("<!doctype html><p>prose<table>{rows}</table>")
}

/// How often each cell of [`table`] is in the text: the least and the most, of the first column and the others.
fn cells(text: &str, columns: usize, rows: usize) -> [(usize, usize); 2] {
    let count =
        |row: usize, column: usize| text.matches(&format!("r{row}c{column}abcdefgh")).count();
    let counts = |columns: std::ops::Range<usize>| {
        let counts = columns.flat_map(|column| (0..rows).map(move |row| count(row, column)));
        let counts: Vec<usize> = counts.collect();
        (*counts.iter().min().unwrap(), *counts.iter().max().unwrap())
    };
    [counts(0..1), counts(1..columns)]
}

#[test]
fn wide_tables_are_zoomed_then_turned_then_split() {
    for (columns, landscape, is_split) in [(9, false, false), (14, true, false), (40, true, true)] {
        let result = print(&table(columns, 4), json!({}));
        assert_eq!(is_landscape(&result), landscape, "{columns}");
        let [first, others] = cells(&text(&result), columns, 4);
        assert_eq!(others, (1, 1), "{columns}");
        assert_eq!(
            first.0 == first.1 && first.0 > 1,
            is_split,
            "{columns}: {first:?}"
        );
        // Text outside of the table keeps its size.
        let [_, top, _, bottom] = poppler::word_box(result.path(), "prose");
        assert!(bottom - top > 12.0, "{columns}: {}", bottom - top);
        let [_, top, _, bottom] = poppler::word_box(result.path(), "r1c1abcdefgh");
        assert!(bottom - top > 7.0, "{columns}: {}", bottom - top);
    }
}

/// Number of a word in letters, after which no line breaks.
fn word(number: u32) -> String {
    let letter = |power: u32| char::from_digit(10 + number / 26_u32.pow(power) % 26, 36).unwrap();
    format!("column{}", String::from_iter([2, 1, 0].map(letter)))
}

#[test]
fn the_words_of_split_tables_are_in_the_expected_order() {
    let row = |row: u32| -> String {
        let words = (row * 40..row * 40 + 40).map(|number| format!("<td>{}", word(number)));
        words.collect()
    };
    let rows: String = (0..20)
        .map(|number| format!("<tr>{}", row(number)))
        .collect();
    let result = print(&format!("<!doctype html><table>{rows}</table>"), json!({}));
    let text = text(&result);
    assert!(text.matches(&word(0)).count() > 1);
    assert!((0..800).all(|number| text.contains(&word(number))));
    assert_eq!(result.warnings(), Vec::<&str>::new());
}

/// The text of the page is compared although it could not be fitted to the paper.
#[test]
fn the_text_is_known_if_a_script_fails() {
    let document = "<!doctype html><style>table { display: block; width: 2000px; height: 9px }</style><p>kept<script>
        document.body.append(document.createElementNS('urn:example', 'table'));</script>";
    let result = print(document, json!({}));
    let text = std::fs::read_to_string(result.path().with_file_name(SOURCE_TEXT_FILE)).unwrap();
    assert!(text.contains("kept"), "{text}");
    assert!(!result.warnings().contains(&"content_not_verified"));
}

#[test]
fn requested_and_own_orientation_are_kept() {
    for (style, options) in [
        ("", json!({"landscape": false})),
        ("", json!({"paperWidth": 200, "paperHeight": 290})),
        ("@page { size: a4 portrait }", json!({})),
        ("@media print { @page { size: 200mm 290mm } }", json!({})),
    ] {
        let document = format!("{}<style>{style}</style>", table(14, 3));
        let result = print(&document, options.clone());
        assert!(!is_landscape(&result), "{style} {options}");
        assert_eq!(cells(&text(&result), 14, 3)[1], (1, 1), "{style} {options}");
    }
    let result = print(&table(14, 3), json!({"paper": "a4"}));
    assert!(is_landscape(&result));
}

#[test]
fn long_lines_and_words_wrap_at_full_size() {
    let code = "let value = function(argument); ".repeat(20);
    let url = format!("https://example.com/{}", "abcdefghij".repeat(30));
    for (document, format) in [
        (format!("<pre>{code}END</pre>"), Format::Html),
        (
            format!("<pre style='overflow: auto'><code>{code}END</code></pre>"),
            Format::Html,
        ),
        (format!("<p>{url}END</p>"), Format::Html),
        (
            format!("<table><tr><td>short text<td>{url}END</table>"),
            Format::Html,
        ),
        (
            format!("<p style='white-space: nowrap'>{code}END"),
            Format::Html,
        ),
        (format!("```\n{code}END\n```\n"), Format::Markdown),
        (
            format!("| a | b |\n|---|---|\n| short text | {url}END |\n"),
            Format::Markdown,
        ),
    ] {
        // On this paper, no line breaks inside of the last word.
        let result = print_from(&document, format, json!({"locale": "en-GB"}));
        let boxes = poppler::word_boxes(result.path()).concat();
        let (width, _) = poppler::page_sizes(result.path())[0];
        assert!(!is_landscape(&result), "{document}");
        assert!(
            boxes
                .iter()
                .all(|(_, [_, _, right, _])| *right < width - 20.0),
            "{document}"
        );
        let end = boxes.iter().find(|(word, _)| word.ends_with("END"));
        let [_, top, _, bottom] = end.unwrap_or_else(|| panic!("{document}")).1;
        assert!(bottom - top > 9.0, "{document}: {}", bottom - top);
    }
}

#[test]
fn content_that_cannot_wrap_is_scaled() {
    for document in [
        "<div style='width: 1100px; text-align: right'>END</div>",
        "<div style='width: 1600px; text-align: right'>END</div>",
        "<div style='width: 4000px; text-align: right'>END</div>",
        "<div style='position: absolute; left: 1500px'>END</div>",
        "<div style='display: flex'><div style='flex: 0 0 1900px'>x</div><div>END</div></div>",
        "<div style='overflow: hidden; width: 100%'><div style='width: 1200px; text-align: right'>END</div></div>",
        "<div dir=rtl style='width: 1100px'>END</div>",
    ] {
        let result = print(&format!("<!doctype html>{document}"), json!({}));
        assert!(text(&result).contains("END"), "{document}");
    }
}

#[test]
fn scrolled_boxes_are_printed_whole() {
    let rows: String = (0..100).map(|row| format!("<p>row{row}end</p>")).collect();
    for document in [
        format!("<div style='height: 200px; overflow: auto'>{rows}</div>"),
        format!(
            "<style>html, body {{ height: 100%; overflow: hidden; margin: 0 }}</style><div style='height: 100vh; overflow-y: scroll'>{rows}</div>"
        ),
        format!("<div style='position: fixed; inset: 0; overflow: auto'>{rows}</div>"),
        format!("<iframe srcdoc=\"{rows}\"></iframe>"),
        format!(
            "<textarea rows=3>{}</textarea>",
            rows.replace("<p>", "").replace("</p>", "\n")
        ),
    ] {
        let result = print(&format!("<!doctype html>{document}<p>after"), json!({}));
        let text = text(&result);
        let missing = (0..100).find(|row| !text.contains(&format!("row{row}end")));
        assert_eq!(missing, None, "{document}");
    }
}

#[test]
fn closed_content_is_opened_and_hidden_content_is_not() {
    let result = print(
        "<style>@media print { .screen { display: none } }</style>
         <details name=a><summary>one</summary>first</details><details name=a open><summary>two</summary>second</details>
         <svg width=100 height=20><text y=15>drawn</text></svg><iframe srcdoc='<details><summary>s</summary>inner</details>'></iframe>
         <p class=screen>screen <p hidden>attribute <p style='display: none !important'>important
         <p style='position: absolute; left: -9999px'>offside <div style='overflow: hidden; height: 1em'>seen<br>clipped</div>",
        json!({}),
    );
    let text = text(&result);
    for word in ["first", "second", "drawn", "inner", "seen"] {
        assert!(text.contains(word), "{word} in {text}");
    }
    for word in ["screen", "attribute", "important", "offside", "clipped"] {
        assert!(!text.contains(word), "{word} in {text}");
    }
}

#[test]
fn scripts_of_the_page_cannot_disturb() {
    let document = format!(
        "{}<script>
           Array.prototype.map = Element.prototype.querySelectorAll = document.querySelectorAll = () => {{ for (;;); }};
           Object.defineProperty(Element.prototype, 'style', {{ get() {{ for (;;); }} }});
           onload = () => new MutationObserver(() => {{ for (;;); }}).observe(document, {{ subtree: true, attributes: true }});
         </script><form><input name=style><input name=querySelectorAll></form>",
        table(9, 3)
    );
    let result = print(&document, json!({}));
    assert_eq!(cells(&text(&result), 9, 3)[1], (1, 1));
}

#[test]
fn the_text_that_a_reader_sees_is_recorded() {
    let document = "<!doctype html><title>no</title><p>plain <b>bo</b>ld<details><summary>s</summary>opened</details>
        <style>@media print { .screen { display: none } } .print::before { content: 'generated' }</style>
        <p class=screen>screenonly<p class=print>p<input value=typed><select><option>unchosen<option selected>chosen</select>
        <svg><text y=20>drawn</text></svg><iframe srcdoc='<p>framed'></iframe><p style='opacity: 0'>transparent
        <div><template shadowrootmode=open><style>i {}</style><p>shadow<slot></slot></template>slotted</div>";
    let item = json!({"operation": "convert", "format": "pdf"});
    let step = Operation::read(&item, "$").unwrap();
    let result = harness::run_bytes(document.as_bytes(), Format::Html, &[step]).unwrap();
    let text = std::fs::read_to_string(result.path().with_file_name(SOURCE_TEXT_FILE)).unwrap();
    let found: Vec<&str> = text.split_whitespace().collect();
    for word in [
        "plain", "bold", "opened", "typed", "chosen", "drawn", "framed", "shadow", "slotted",
    ] {
        assert!(found.contains(&word), "{word} in {text}");
    }
    for word in [
        "no",
        "screenonly",
        "generated",
        "unchosen",
        "transparent",
        "{}",
    ] {
        assert!(!found.contains(&word), "{word} in {text}");
    }
}

#[test]
fn relative_links_stay_relative_and_dates_are_absent() {
    let html = "<p><a href='other.html'>x</a> <a href='../up.html'>u</a> <a href='/root'>r</a> <a href='https://a.example/'>a</a>";
    let markdown = "[x](other.html) [u](../up.html) [r](/root) <https://a.example/>";
    for (document, format) in [(html, Format::Html), (markdown, Format::Markdown)] {
        let bytes = print_from(document, format, json!({})).bytes();
        let bytes = String::from_utf8_lossy(&bytes);
        for reference in [
            "(other.html)",
            "(../up.html)",
            "(/root)",
            "(https://a.example/)",
        ] {
            assert!(bytes.contains(&format!("/URI {reference}")), "{reference}");
        }
        for word in ["document.invalid", "file:", "CreationDate", "ModDate"] {
            assert!(!bytes.contains(word), "{word}");
        }
    }
}
