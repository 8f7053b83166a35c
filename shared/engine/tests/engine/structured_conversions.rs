//! Conversions of office and web documents by their declared structure.

mod nested;
mod preserved_structure;
mod protected;
mod rejected;
mod to_text;

use std::path::Path;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{CONVERSIONS, converts_by_structure};
use serde_json::{Value, json};

use crate::harness::Converted;
use crate::structured::{KNOWN, blocks, of_kind, reopened, rows, step, text, truth};
use crate::{corpus, harness, structured};

/// Documents of pictures, charts, diagrams, empty tables or notes alone.
const WITHOUT_TEXT: [&str; 8] = [
    "having-images.docx",
    "testWORD_charts.docx",
    "EmbeddedVideo.pptx",
    "SmartArt.pptx",
    "cht-charts.pptx",
    "pptx_multiple_images.pptx",
    "sld-notes.pptx",
    "table_test.ppt",
];

/// A PNG with one red pixel.
const RED: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVQI12P4z8AAAAMBAQAY3Y2wAAAAAElFTkSuQmCC";

/// A document of each format, with words of its text.
fn source(format: Format) -> (&'static str, &'static [&'static str]) {
    match format {
        Format::Docx => ("layout-truth/05-report-eng.docx", &["handrail", "arches"]),
        Format::Doc => ("doc/innertable.doc", &["A", "G"]),
        Format::Odt => ("odt/feature_attributes_tables.odt", &["Erste", "thick"]),
        Format::Rtf => ("rtf/simple_table.rtf", &["foo", "bar"]),
        Format::Xlsx => ("xlsx/merged_range.xlsx", &["A1", "F1"]),
        Format::Xls => ("xls/merge_cells.xls", &["Merged"]),
        Format::Xlsb => (corpus::XLSB, &["two words", "inline"]),
        Format::Ods => ("ods/OOCalcTest.ods", &["Orange"]),
        Format::Csv => ("csv/csv-semicolon.csv", &["Dominguez"]),
        Format::Tsv => ("csv/stanley-cups-with-emoji.tsv", &["Flyers", "Blues"]),
        Format::Pptx => ("pptx/powerpoint_sample.pptx", &["Second", "list"]),
        Format::Ppt => ("ppt/54880_chinese.ppt", &["Single", "Mix"]),
        Format::Odp => ("odp/SlideTest1.odp", &["documents", "toolkit"]),
        Format::Html => ("html/html_rich_table_cells.html", &["Mallard", "Quack"]),
        Format::Markdown => ("md/ending_with_table.md", &["Dagobert", "Picsou"]),
        other => panic!("{other}"),
    }
}

/// Every supported pair of formats whose source our readers parse.
fn pairs() -> Vec<(Format, Format)> {
    let rows = CONVERSIONS.iter();
    rows.flat_map(|row| row.from.iter().map(|from| (*from, row.to)))
        .filter(|(from, to)| converts_by_structure(*from, *to))
        // Books and mails have tests of their own.
        .filter(|(from, _)| !matches!(from, Format::Epub | Format::Eml | Format::Msg))
        .collect()
}

fn converted(source: &[u8], from: Format, to: &str, options: Value) -> Converted {
    let result = harness::run_bytes(source, from, &[step(to, options)]);
    result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"))
}

fn converted_file(path: &str, to: &str, options: Value) -> Converted {
    let bytes = std::fs::read(corpus::file(path)).unwrap();
    let format = Path::new(path).extension().unwrap().to_str().unwrap();
    converted(&bytes, format.parse().unwrap(), to, options)
}

fn text_of(source: &str, from: Format, to: &str) -> String {
    String::from_utf8(converted(source.as_bytes(), from, to, json!({})).bytes()).unwrap()
}

fn model(result: &Converted) -> Value {
    serde_json::from_slice(&result.bytes()).unwrap()
}

#[test]
fn every_conversion_keeps_the_words_of_its_source() {
    assert_eq!(pairs().len(), 65);
    harness::sample(pairs(), 0, harness::formats, |(from, to)| {
        let (path, words) = source(from);
        let result = harness::run(&corpus::file(path), from, &[harness::convert(to)]);
        let result = result.unwrap_or_else(|error| panic!("{from} to {to}: {error:?}"));
        assert_eq!(result.artifact.content_type, to.mime_type());
        let read = reopened(result.path(), to.id());
        let text = read["text"].as_str().unwrap();
        let tables_alone = matches!(to, Format::Xlsx | Format::Csv);
        for word in words
            .iter()
            .filter(|_| !(tables_alone && from == Format::Docx))
        {
            assert!(text.contains(word), "{from} to {to}: no {word} in {text}");
        }
        if matches!(to, Format::Json | Format::Xlsx) {
            assert_eq!(read["parts"], result.artifact.pages, "{from} to {to}");
        }
    });
}

#[test]
fn every_valid_document_is_read_completely() {
    let kinds = [
        "docx", "doc", "odt", "rtf", "xlsx", "xls", "ods", "csv", "pptx", "ppt", "odp", "html",
        "md",
    ];
    let cases = corpus::entries(&kinds, &["ok"]).into_iter();
    let cases = cases.flat_map(|(entry, from)| {
        let to = ["json", "html", "md", "docx", "txt"].into_iter();
        let to = to.filter(move |to| converts_by_structure(from, to.parse().unwrap()));
        to.map(move |to| (entry.clone(), from, to))
    });
    let kinds =
        |(entry, _, to): &(corpus::Entry, Format, &str)| [entry.file.clone(), (*to).to_owned()];
    // The verifier compares both texts.
    harness::sample(cases.collect(), 0, kinds, |(entry, from, to)| {
        let result = harness::run(&entry.path(), from, &[step(to, json!({}))]);
        let name = Path::new(&entry.file).file_name().unwrap();
        let is_empty = WITHOUT_TEXT.contains(&name.to_str().unwrap());
        match harness::code(result) {
            Ok(result) => assert!(
                !result.bytes().trim_ascii().is_empty(),
                "{} to {to}",
                entry.file
            ),
            Err(code) => assert!(
                is_empty && code == JobErrorCode::OutputInvalid,
                "{} to {to}: {code:?}",
                entry.file
            ),
        }
    });
}

/// Level and text of headings and list items, and table rows, from a model or the ground truth.
fn structure(blocks: &[Value], read: fn(&Value) -> String) -> Value {
    let headings: Vec<_> = of_kind(blocks, "heading")
        .map(|heading| json!([heading["level"], read(heading)]))
        .collect();
    let items: Vec<_> = of_kind(blocks, "list")
        .flat_map(|list| list["items"].as_array().unwrap())
        .map(|item| json!([item["level"], read(item)]))
        .collect();
    json!({"headings": headings, "items": items})
}

fn tables(blocks: &[Value], read: fn(&Value) -> Value) -> Vec<Value> {
    of_kind(blocks, "table").map(read).collect()
}

#[test]
fn headings_lists_and_tables_match_the_source() {
    let known: Vec<_> = KNOWN
        .iter()
        .flat_map(|name| {
            [vec![], vec!["html"], vec!["md"], vec!["html", "docx"]].map(|by| (name, by))
        })
        .collect();
    harness::each(known, |(name, by)| {
        let source = corpus::file(&format!("layout-truth/{name}.docx"));
        let steps: Vec<_> = by
            .iter()
            .chain(&["json"])
            .map(|to| step(to, json!({})))
            .collect();
        let result = harness::run(&source, Format::Docx, &steps);
        let result = result.unwrap_or_else(|error| panic!("{name} by {by:?}: {error:?}"));
        let (found, wanted) = (blocks(&model(&result)), truth(name));
        let output = structure(&wanted, |part| part["text"].as_str().unwrap().to_owned());
        assert_eq!(
            structure(&found, |part| text(&part["runs"])),
            output,
            "{name} by {by:?}"
        );
        // Markdown tables have a header row and no spanning cells.
        if by != ["md"] {
            assert_eq!(
                tables(&found, |table| json!(rows(table))),
                tables(&wanted, |table| table["rows"].clone()),
                "{name} by {by:?}"
            );
        }
    });
}

const TABLE: &str = "<!doctype html><html lang=de><title>Zahlen</title><table>
<tr><th>Ort<th>Grad<th>Tag<tr><td>Köln, Süd<td>-3.5<td>2024-05-06<tr><td rowspan=2>\"Ems\"<td>12<td><p>a<p>b<tr><td colspan=2>007</table>
<p>danach<table><tr><td>x<td>y</table>";

#[test]
fn tables_become_csv_and_sheets_cell_by_cell() {
    let first =
        "Ort,Grad,Tag\r\n\"Köln, Süd\",-3.5,2024-05-06\r\n\"\"\"Ems\"\"\",12,\"a\nb\"\r\n,007,\r\n";
    let csv = |options| {
        let result = converted(TABLE.as_bytes(), Format::Html, "csv", options);
        String::from_utf8(result.bytes()).unwrap()
    };
    assert_eq!(csv(json!({"table": 1})), first);
    assert_eq!(csv(json!({"table": 2})), "x,y\r\n");
    assert_eq!(csv(json!({})), format!("{first}\r\nx,y\r\n"));
    let book = converted(TABLE.as_bytes(), Format::Html, "xlsx", json!({}));
    let read = reopened(book.path(), "xlsx");
    assert_eq!((&read["parts"], book.artifact.pages), (&json!(2), 2));
    let cells = "Ort Grad Tag Köln, Süd -3.5 2024-05-06 00:00:00 \"Ems\" 12 a\nb 007 x y";
    assert_eq!(read["text"], cells);
}

#[test]
fn missing_tables_fail_with_a_code() {
    for (document, options) in [("<p>words", json!({})), (TABLE, json!({"table": 3}))] {
        for to in ["csv", "xlsx"] {
            if to == "xlsx" && options != json!({}) {
                continue;
            }
            let finished = harness::run_bytes(
                document.as_bytes(),
                Format::Html,
                &[step(to, options.clone())],
            );
            assert_eq!(
                harness::code(finished).err(),
                Some(JobErrorCode::OutputInvalid),
                "{to}"
            );
        }
    }
}

#[test]
fn workbook_cells_keep_their_displayed_text() {
    let csv = "Name;Preis\r\nÄpfel;1,50\r\n\"Bir;nen\";007\r\n";
    let markdown = "| Name | Preis |\n| --- | --- |\n| Äpfel | 1,50 |\n| Bir;nen | 007 |\n";
    assert_eq!(text_of(csv, Format::Csv, "md"), markdown);
    let cells =
        r#"<c r="A1" t="inlineStr"><is><t>Sum</t></is></c><c r="C1"><f>1+1</f><v>2.50</v></c>"#;
    let book = crate::sample_documents::xlsx(cells, "", "", &[]);
    let read = model(&converted(&book, Format::Xlsx, "json", json!({})));
    let found = blocks(&read);
    let table = of_kind(&found, "table").next().unwrap();
    assert_eq!(rows(table), [["Sum", "", "2.5"]]);
}

#[test]
fn title_and_language_are_kept() {
    let page = text_of(TABLE, Format::Html, "md");
    assert!(page.contains("danach"), "{page}");
    let word = converted(TABLE.as_bytes(), Format::Html, "docx", json!({}));
    let again = harness::run(word.path(), Format::Docx, &[step("html", json!({}))]).unwrap();
    let again = String::from_utf8(again.bytes()).unwrap();
    assert!(again.contains("<title>Zahlen</title>"), "{again}");
    assert!(again.contains("<html lang=\"de\">"), "{again}");
}

#[test]
fn pictures_are_kept_or_dropped_as_requested() {
    let result = |options| converted_file("layout-truth/04-images-fra.docx", "html", options);
    structured::assert_pictures_are_optional(result);
}

#[test]
fn markdown_has_pictures_on_request_and_their_words_always() {
    let page = format!(
        "<p>seen<p><img alt='a red dot' src='data:image/png;base64,{RED}'><table><tr><td>x<img alt=cell src='data:image/png;base64,{RED}'></table>"
    );
    let result = |options| converted(page.as_bytes(), Format::Html, "md", options);
    let text = |result: &harness::Converted| String::from_utf8(result.bytes()).unwrap();
    let usual = result(json!({}));
    assert_eq!(usual.warnings(), ["picture_missing"]);
    assert!(text(&usual).contains("a red dot") && !text(&usual).contains("!["));
    let dropped = result(json!({"images": "drop"}));
    assert_eq!(dropped.warnings(), [""; 0]);
    assert_eq!(text(&dropped), text(&usual));
    let kept = text(&result(json!({"images": "keep"})));
    assert!(kept.contains("![a red dot][image-1]"), "{kept}");
    assert!(kept.contains("![cell][image-"), "{kept}");
    assert!(
        kept.contains(&format!("[image-1]: <data:image/png;base64,{RED}>")),
        "{kept}"
    );
}

#[test]
fn markdown_has_pictures_as_files_on_request() {
    let page = format!(
        "<p>seen<p><img alt='a red dot' src='data:image/png;base64,{RED}'><p><img alt=again src='data:image/png;base64,{RED}'>"
    );
    let result = converted(
        page.as_bytes(),
        Format::Html,
        "md",
        json!({"images": "files"}),
    );
    let artifact = &result.artifact;
    assert_eq!((artifact.extension.as_str(), artifact.pages), ("zip", 1));
    let files = artifact.contents.as_ref().unwrap();
    let files = files.files(&"page.html".to_owned().try_into().unwrap());
    let mut archive = zip::ZipArchive::new(std::fs::File::open(result.path()).unwrap()).unwrap();
    let mut read = |index: usize| {
        let mut bytes = Vec::new();
        let mut entry = archive.by_index(index).unwrap();
        std::io::Read::read_to_end(&mut entry, &mut bytes).unwrap();
        let found = (entry.name().unwrap().into_owned(), bytes.len() as u64);
        assert_eq!(found, (files[index].name.clone(), files[index].size_bytes));
        bytes
    };
    let document = String::from_utf8(read(0)).unwrap();
    assert!(
        document.contains("![a red dot](images/1.png)"),
        "{document}"
    );
    assert!(
        document.contains("![again](images/") && !document.contains("data:"),
        "{document}"
    );
    for index in 1..files.len() {
        assert!(image::load_from_memory(&read(index)).is_ok(), "{index}");
    }
    let empty = converted(
        b"<p>no image",
        Format::Html,
        "md",
        json!({"images": "files"}),
    );
    assert_eq!(empty.artifact.contents.unwrap().sizes, [9]);
}

#[test]
fn a_damaged_image_of_an_archive_is_found() {
    use base64::Engine as _;
    let noise = image::RgbImage::from_fn(40, 40, |x, y| {
        image::Rgb([(x * y * 7) as u8, (x * 31) as u8, (y * 13) as u8])
    });
    let mut png = std::io::Cursor::new(Vec::new());
    noise.write_to(&mut png, image::ImageFormat::Png).unwrap();
    let png = base64::engine::general_purpose::STANDARD.encode(png.into_inner());
    let page = format!("<p>seen<p><img src='data:image/png;base64,{png}'>");
    let operation = step("md", json!({"images": "files"}));
    let steps = std::slice::from_ref(&operation);
    let result = harness::run_bytes(page.as_bytes(), Format::Html, steps).unwrap();
    let whole = result.bytes();
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(&whole)).unwrap();
    let image = archive.by_name("images/1.png").unwrap();
    let last_byte = (image.data_start().unwrap() + image.compressed_size()) as usize - 1;
    let size = image.size();
    drop(image);
    let mut document = String::new();
    let mut entry = archive.by_name("document.md").unwrap();
    std::io::Read::read_to_string(&mut entry, &mut document).unwrap();
    let product = task::Product {
        entries: vec![document.len() as u64, size],
        images: Some(vec![Format::Png]),
        ..task::Product::default()
    };
    let verified = |archive: &[u8]| {
        let directory = tempfile::tempdir().unwrap();
        let source = directory.path().join("page.html");
        std::fs::write(&source, &page).unwrap();
        let task = task::Task {
            operation: operation.clone(),
            ..harness::conversion_task((&source, Format::Html), Format::Markdown, directory.path())
        };
        std::fs::write(task.output(), archive).unwrap();
        std::fs::write(task.document(), &document).unwrap();
        verify::converted(&task, &product).is_ok()
    };
    assert!(verified(&whole));
    let mut damaged = whole.clone();
    damaged[last_byte] ^= 1;
    assert!(!verified(&damaged));
}

#[test]
fn results_without_content_fail() {
    let sources = [
        (
            Format::Html,
            format!("<img src='data:image/png;base64,{RED}'>"),
        ),
        (
            Format::Markdown,
            format!("![](data:image/png;base64,{RED})"),
        ),
    ];
    let result = |from: usize, to: &str, options| {
        let (format, page) = &sources[from];
        let steps = [step(to, options)];
        harness::code(harness::run_bytes(page.as_bytes(), *format, &steps)).err()
    };
    let (html, markdown) = (0, 1);
    let rejected = Some(JobErrorCode::OutputInvalid);
    assert_eq!(result(html, "md", json!({})), rejected);
    assert_eq!(result(html, "txt", json!({})), rejected);
    assert_eq!(
        result(markdown, "html", json!({"images": "drop"})),
        rejected
    );
    assert_eq!(result(html, "md", json!({"images": "drop"})), rejected);
    assert_eq!(result(html, "md", json!({"images": "keep"})), None);
    assert_eq!(result(html, "md", json!({"images": "files"})), None);
    assert_eq!(result(markdown, "html", json!({})), None);
    assert_eq!(result(markdown, "json", json!({})), None);
}

#[test]
fn rarely_supported_image_formats_become_png() {
    use base64::Engine as _;
    let mut bitmap = std::io::Cursor::new(Vec::new());
    let red = image::RgbImage::from_pixel(4, 3, image::Rgb([255, 0, 0]));
    red.write_to(&mut bitmap, image::ImageFormat::Bmp).unwrap();
    let data = base64::engine::general_purpose::STANDARD.encode(bitmap.into_inner());
    let page = format!("<p>seen<img alt=red src='data:image/bmp;base64,{data}'>");
    let read = model(&converted(page.as_bytes(), Format::Html, "json", json!({})));
    let image = &read["images"][0];
    assert_eq!(
        (&image["format"], &image["width"]),
        (&json!("png"), &json!(4))
    );
    let png = base64::engine::general_purpose::STANDARD.decode(image["data"].as_str().unwrap());
    assert_eq!(
        image::load_from_memory(&png.unwrap()).unwrap().to_rgb8(),
        red
    );

    let metafile = "<p>seen<img src='data:image/x-emf;base64,AQAAAGwAAAA='>";
    let word = converted(metafile.as_bytes(), Format::Html, "docx", json!({}));
    assert_eq!(word.warnings(), ["picture_missing"]);
    assert_eq!(
        reopened(word.path(), "docx")["text"]
            .as_str()
            .unwrap()
            .trim(),
        "seen"
    );
}

#[test]
fn right_to_left_text_stays_right_to_left() {
    let page = "<html lang=ar dir=rtl><h1>عنوان</h1><p>مرحبا 123 بالعالم<ul><li>واحد</ul>";
    let word = converted(page.as_bytes(), Format::Html, "docx", json!({}));
    let file = std::fs::File::open(word.path()).unwrap();
    let mut package = zip::ZipArchive::new(file).unwrap();
    let document = std::io::read_to_string(package.by_name("word/document.xml").unwrap()).unwrap();
    assert_eq!(document.matches("<w:bidi/>").count(), 3, "{document}");
    let markdown = text_of(page, Format::Html, "md");
    assert_eq!(markdown, "# عنوان\n\nمرحبا 123 بالعالم\n\n- واحد\n");
}

#[test]
fn slide_notes_are_included_on_request() {
    let slides = |options| {
        let source = corpus::file("pptx/sld-notes.pptx");
        harness::code(harness::run(&source, Format::Pptx, &[step("txt", options)]))
    };
    let with = slides(json!({"notes": true})).unwrap();
    assert!(!with.bytes().trim_ascii().is_empty());
    // The slides have nothing but notes.
    let without = slides(json!({})).err();
    assert_eq!(without, Some(JobErrorCode::OutputInvalid));
    let of_slides = converted_file("pptx/powerpoint_sample.pptx", "txt", json!({}));
    let text = String::from_utf8(of_slides.bytes()).unwrap();
    assert_eq!(text.matches('\u{c}').count(), 2, "{text}");
}

#[test]
fn text_is_read_in_its_detected_encoding() {
    let utf32: Vec<u8> = "\u{feff}# Grüße\n\nan 東京\n"
        .chars()
        .flat_map(|character| u32::from(character).to_le_bytes())
        .collect();
    let page = converted(&utf32, Format::Markdown, "html", json!({}));
    let page = String::from_utf8(page.bytes()).unwrap();
    assert!(page.contains("Grüße") && page.contains("an 東京"), "{page}");
    let premiere = converted_file("csv/premiere.utf16lebom.csv", "md", json!({}));
    assert!(
        String::from_utf8(premiere.bytes())
            .unwrap()
            .starts_with("| ")
    );
}

#[test]
fn output_is_deterministic() {
    harness::each(
        vec!["docx", "xlsx", "html", "md", "csv", "json", "txt"],
        |to| {
            let from = if to == "html" {
                "md/ending_with_table.md"
            } else {
                "html/html_rich_table_cells.html"
            };
            let [one, other] = [(); 2].map(|()| converted_file(from, to, json!({})).bytes());
            assert!(one == other, "{to}");
        },
    );
}
