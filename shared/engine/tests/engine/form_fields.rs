//! Form fields: flattening renders their text in all scripts, conversions keep what they show, and verification reads it.

use domain::format::Format;
use domain::operation::{NoOptions, Operation};
use lopdf::dictionary;
use task::{OUTPUT, Product, Warning};

use crate::sample_documents::{pdf, stream};
use crate::{corpus, harness, poppler, qpdf};

/// A page with one text field with this value and these entries; the form sets `NeedAppearances`.
fn form(text: &str, more: &str) -> Vec<u8> {
    form_that(
        text,
        more,
        "/NeedAppearances true",
        "/Encoding/WinAnsiEncoding",
    )
}

/// The same with these entries of the form and of its font.
fn form_that(text: &str, more: &str, asks: &str, encoding: &str) -> Vec<u8> {
    let units: String = text
        .encode_utf16()
        .map(|unit| format!("{unit:04X}"))
        .collect();
    pdf(&[
        format!(
            "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]{asks}/DA(/Helv 0 Tf 0 g)/DR<</Font<</Helv 5 0 R>>>>>>>>"
        ),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Annots[4 0 R]>>".to_owned(),
        format!(
            "<</Type/Annot/Subtype/Widget/P 3 0 R/F 4/FT/Tx/T(field)/Rect[20 20 280 80]/DA(/Helv 12 Tf 1 0 0 rg)/V<FEFF{units}>{more}>>"
        ),
        format!("<</Type/Font/Subtype/Type1/BaseFont/Helvetica{encoding}>>"),
    ])
}

fn flat(document: &[u8]) -> harness::Converted {
    let result =
        harness::run_bytes(document, Format::Pdf, &[Operation::Flatten(NoOptions {})]).unwrap();
    qpdf::check(result.path(), "");
    assert_eq!(poppler::field(result.path(), "Form"), "none");
    result
}

/// Left and right edge of the red pixels, in points.
fn red(result: &harness::Converted) -> (u32, u32) {
    let picture = poppler::picture(result.path(), 1, 72);
    let red = picture.enumerate_pixels().filter(|(_, _, pixel)| {
        let [red, green, blue] = pixel.0;
        red > 200 && green < 128 && blue < 128
    });
    let columns: Vec<u32> = red.map(|(x, _, _)| x).collect();
    assert!(!columns.is_empty(), "nothing red");
    (
        *columns.iter().min().unwrap(),
        *columns.iter().max().unwrap(),
    )
}

#[test]
fn values_are_rendered_in_every_script() {
    for text in [
        "Привет мир",
        "Ελληνικά",
        "機密文書",
        "שלום",
        "नमस्ते",
        "Zażółć €5",
    ] {
        let result = flat(&form(text, ""));
        let mut found: Vec<char> = poppler::characters(result.path())
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect();
        let mut expected: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text}");
        red(&result);
        assert_eq!(
            flat(&form(text, "")).artifact.sha256,
            result.artifact.sha256
        );
    }
}

#[test]
fn values_are_rendered_with_and_without_need_appearances() {
    for (asks, encoding) in [
        ("/NeedAppearances true", ""),
        ("", "/Encoding/WinAnsiEncoding"),
        ("", ""),
    ] {
        for text in ["abc", "Müller", "señor € 5"] {
            let result = flat(&form_that(text, "", asks, encoding));
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(poppler::words(result.path()), words, "{asks} {encoding}");
            red(&result);
        }
    }
}

#[test]
fn existing_appearances_are_kept() {
    let mut document = lopdf::Document::load_mem(&form_that("abc", "", "", "")).unwrap();
    let visible = lopdf::Stream::new(
        dictionary! {
            "Type" => "XObject", "Subtype" => "Form",
            "BBox" => [0, 0, 260, 60].map(lopdf::Object::from).to_vec(),
        },
        b"1 0 0 rg 0 0 260 60 re f".to_vec(),
    );
    let visible = document.add_object(visible);
    let field = document
        .get_object_mut((4, 0))
        .unwrap()
        .as_dict_mut()
        .unwrap();
    field.set("AP", dictionary! { "N" => visible });
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    let result = flat(&bytes);
    assert_eq!(poppler::words(result.path()), Vec::<String>::new());
    assert_eq!(red(&result), (20, 279));
}

#[test]
fn text_alignment_is_applied() {
    for text in ["Привет", "Hello"] {
        let sides = ["", "/Q 1", "/Q 2"].map(|side| red(&flat(&form(text, side))));
        let [left, middle, right] = sides;
        assert!((20..26).contains(&left.0), "{left:?}");
        assert!((middle.0 + middle.1).abs_diff(300) < 6, "{middle:?}");
        assert!((272..=280).contains(&right.1), "{right:?}");
    }
}

#[test]
fn long_text_wraps_in_multiline_fields() {
    for word in ["слово", "words"] {
        let text = vec![word; 20].join(" ");
        let result = flat(&form(&text, "/Ff 4096"));
        assert!(red(&result).1 < 280);
        assert_eq!(poppler::words(result.path()), vec![word; 20]);
        let lines = poppler::characters(result.path());
        assert!(lines.trim().lines().count() > 2, "{lines}");
    }
}

#[test]
fn overflowing_text_is_set_smaller() {
    // At 12 pt the text is twice as wide, and twice as high, as the field.
    for (text, flags) in [("word ".repeat(14), ""), ("word ".repeat(64), "/Ff 4096")] {
        let result = flat(&form(text.trim(), flags));
        assert!(red(&result).1 < 280);
        let picture = poppler::picture(result.path(), 1, 72);
        let rows: Vec<u32> = picture
            .enumerate_pixels()
            .filter(|(_, _, pixel)| pixel.0[1] < 128)
            .map(|(_, y, _)| y)
            .collect();
        assert!(rows.iter().all(|y| (21..79).contains(y)), "{text}");
    }
}

#[test]
fn links_keep_their_structure_elements_and_stay_links() {
    let document = pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Annots[4 0 R 5 0 R]>>".to_owned(),
        "<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/StructParent 7/A<</S/URI/URI(https://example.com/1)>>>>".to_owned(),
        "<</Type/Annot/Subtype/Link/Rect[50 0 99 50]/AP<</N 6 0 R>>/A<</S/URI/URI(https://example.com/2)>>>>".to_owned(),
        String::from_utf8(stream("/Type/XObject/Subtype/Form/BBox[0 0 49 50]", b"1 0 0 rg 0 0 49 50 re f")).unwrap(),
    ]);
    let result = flat(&document);
    assert!(matches!(red(&result), (50..=51, 97..=99)));
    let document = lopdf::Document::load(result.path()).unwrap();
    let page = *document.get_pages().get(&1).unwrap();
    let links = document.get_page_annotations(page).unwrap();
    let uris = links.iter().map(|link| {
        let action = link.get_deref(b"A", &document).unwrap().as_dict().unwrap();
        String::from_utf8(action.get(b"URI").unwrap().as_str().unwrap().to_vec()).unwrap()
    });
    let expected = ["https://example.com/1", "https://example.com/2"];
    assert_eq!(uris.collect::<Vec<_>>(), expected);
    let numbers: Vec<_> = links
        .iter()
        .filter_map(|link| link.get(b"StructParent").ok()?.as_i64().ok())
        .collect();
    assert_eq!(numbers, [7]);
}

#[test]
fn choice_fields_show_their_display_value() {
    let document = String::from_utf8(form("a", "")).unwrap();
    let value = "/FT/Ch/Ff 131072/Opt[[(a)<FEFF0414043E043C>]]";
    let document = document.replace("/FT/Tx", value);
    let result = flat(pdf_again(&document).as_bytes());
    assert_eq!(poppler::words(result.path()), ["Дом"]);
}

/// The same without its xref table, which no longer matches and is rebuilt by repair.
fn pdf_again(document: &str) -> String {
    let (objects, _) = document.rsplit_once("xref\n0").unwrap();
    format!("{objects}trailer<</Root 1 0 R>>\n")
}

#[test]
fn password_fields_are_masked() {
    for asks in ["/NeedAppearances true", ""] {
        let password = form_that("secret9", "/Ff 8192", asks, "");
        let text = poppler::texts(flat(&password).path()).join("");
        assert_eq!(text.trim(), "*******", "{asks}");
    }
}

/// A page with a form field of this type without an appearance.
fn field(kind: &str, asks: &str) -> Vec<u8> {
    let document = String::from_utf8(form_that("", "", asks, "")).unwrap();
    let (before, after) = document.split_once("/FT/Tx").unwrap();
    let (_, after) = after.split_once("/V<FEFF>").unwrap();
    let place = "/T(field)/Rect[20 20 280 80]/DA(/Helv 12 Tf 1 0 0 rg)";
    pdf_again(&format!("{before}{kind}{place}{after}")).into_bytes()
}

/// Rows, from the top of a page of 100 pt, that contain a pixel of a color.
fn rows(result: &harness::Converted, is_it: impl Fn([u8; 3]) -> bool) -> Vec<u32> {
    let picture = poppler::picture(result.path(), 1, 72);
    let found = picture
        .enumerate_pixels()
        .filter(|(_, _, pixel)| is_it(pixel.0));
    let mut rows: Vec<u32> = found.map(|(_, y, _)| y).collect();
    rows.sort_unstable();
    rows.dedup();
    rows
}

fn is_white(result: &harness::Converted) -> bool {
    rows(result, |pixel| pixel != [255; 3]).is_empty()
}

fn is_blue([red, _, blue]: [u8; 3]) -> bool {
    red < 40 && blue > 90
}

/// Annotation subtypes of all pages, in order.
fn annotations(result: &harness::Converted) -> Vec<String> {
    let document = lopdf::Document::load(result.path()).unwrap();
    let pages = document.get_pages().into_values();
    let annotations = pages.flat_map(|page| document.get_page_annotations(page).unwrap());
    annotations
        .map(|annotation| {
            let kind = annotation.get(b"Subtype").unwrap().as_name().unwrap();
            String::from_utf8(kind.to_vec()).unwrap()
        })
        .collect()
}

#[test]
fn list_boxes_show_their_options_and_selection() {
    const LINES: &str = "/FT/Ch/Opt[[(a)(Ada)][(b)(Ben)](Cem)(Dan)(Eve)(Fay)(Gus)(Hal)]";
    let all = ["Ada", "Ben", "Cem", "Dan", "Eve"];
    for asks in ["", "/NeedAppearances true"] {
        for (more, first, chosen) in [
            ("", 0, &[][..]),
            ("/V(b)", 0, &[1][..]),
            ("/V[(a)(Cem)]/Ff 2097152", 0, &[0, 2][..]),
            ("/I[3]", 0, &[3][..]),
            ("/V(b)/I[3]", 0, &[1][..]),
            ("/V(b)/TI 1", 1, &[0][..]),
        ] {
            let result = flat(&field(&format!("{LINES}{more}"), asks));
            let words = poppler::words(result.path());
            assert_eq!(words[..3], all[first..first + 3], "{more}");
            assert!((4..=6).contains(&words.len()), "{words:?}");
            // A line is slightly higher than 14 pt.
            let middle = |line: u32| 21 + line * 144 / 10 + 7;
            let blue = rows(&result, is_blue);
            let marked: Vec<u32> = (0..4)
                .filter(|line| blue.contains(&middle(*line)))
                .collect();
            assert_eq!(marked, chosen, "{asks}{more}");
            assert_eq!(annotations(&result), Vec::<String>::new());
        }
    }
}

#[test]
fn empty_fields_keep_background_and_border() {
    let ground = "/MK<</BG[1 0 0]/BC[0 0 1]>>/BS<</W 4>>";
    for kind in ["/FT/Tx", "/FT/Ch/Ff 131072", "/FT/Ch", "/FT/Btn"] {
        let result = flat(&field(&format!("{kind}{ground}"), ""));
        assert!(rows(&result, is_blue).contains(&21), "{kind}");
        assert_eq!(red(&result), (24, 275), "{kind}");
        let bare = flat(&field(kind, ""));
        assert!(is_white(&bare), "{kind}");
        for result in [result, bare] {
            assert_eq!(annotations(&result), Vec::<String>::new(), "{kind}");
        }
    }
}

#[test]
fn buttons_show_their_caption_or_state() {
    let pushed = flat(&field("/FT/Btn/Ff 65536/MK<</CA(Send)>>", ""));
    assert_eq!(poppler::words(pushed.path()), ["Send"]);
    for sign in ["", "4", "l", "8", "u", "n", "H"] {
        let switched = |state: &str| {
            let kind = format!("/FT/Btn/MK<</CA({sign})>>{state}");
            flat(&field(&kind, ""))
        };
        for on in ["/AS/Yes", "/V/Yes"] {
            let (left, right) = red(&switched(on));
            assert!(
                130 < left && left < 150 && right < 170,
                "{sign} {left} {right}"
            );
        }
        let off = switched("/AS/Off/V/Yes");
        assert!(is_white(&off), "{sign}");
    }
}

#[test]
fn rotated_fields_are_rendered_rotated() {
    let sides = |turn: u32| {
        let result = flat(&form("Hello", &format!("/MK<</R {turn}>>")));
        let (rows, (left, right)) = (rows(&result, |[_, green, _]| green < 128), red(&result));
        (left, right, rows[0], *rows.last().unwrap())
    };
    let (left, right, top, bottom) = sides(0);
    assert!(left < 26 && right - left > bottom - top);
    let (left, right, top, bottom) = sides(90);
    assert!(
        bottom > 70 && bottom - top > right - left,
        "{left} {right} {top} {bottom}"
    );
    let (left, right, ..) = sides(180);
    assert!(right > 270 && left > 240, "{left} {right}");
    let (left, right, top, bottom) = sides(270);
    assert!(
        top < 28 && bottom - top > right - left,
        "{left} {right} {top} {bottom}"
    );
}

#[test]
fn unrenderable_fields_stay_fields_with_their_value() {
    for asks in ["/NeedAppearances true", ""] {
        let result = harness::run_bytes(
            &form_that("a\u{1f648}", "", asks, ""),
            Format::Pdf,
            &[Operation::Flatten(NoOptions {})],
        );
        let result = result.unwrap();
        qpdf::check(result.path(), "");
        assert_eq!(result.warnings(), ["fields_kept"]);
        assert_eq!(annotations(&result), ["Widget"]);
        let form = qpdf::json(result.path(), "acroform");
        let fields = form["fields"].as_array().unwrap();
        let field = |name: &str| fields[0][name].as_str().unwrap().to_owned();
        assert_eq!(fields.len(), 1, "{form}");
        assert_eq!(field("fullname"), "field");
        assert_eq!(field("value"), "u:a\u{1f648}");
    }
}

#[test]
fn real_documents_keep_no_field_or_popup() {
    for file in [
        "pdf-forms/form_dd0293.pdf",
        "pdf-forms/annotation-text-widget.pdf",
        "pdf-forms/annotation-choice-widget.pdf",
        "pdf-forms/annotation-button-widget.pdf",
        "pdf-forms/field-types.pdf",
        "pdf-text/annotation-highlight.pdf",
    ] {
        let steps = [Operation::Flatten(NoOptions {})];
        let result = harness::run(&corpus::file(file), Format::Pdf, &steps).unwrap();
        let mut left = annotations(&result);
        left.retain(|kind| kind != "Link");
        assert_eq!(left, Vec::<String>::new(), "{file}");
        assert!(!result.warnings().contains(&"fields_kept"), "{file}");
    }
}

/// The text of a field.
const PLACES: &str = "Westerland Keitum Morsum Archsum Tinnum";

/// A page with text and a field that shows another text than its value, with these annotation flags.
fn shown(flags: u32) -> Vec<u8> {
    let text = |text: &str| format!("BT /Helv 12 Tf 5 20 Td ({text}) Tj ET").into_bytes();
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 260 40]/Resources<</Font<</Helv 5 0 R>>>>";
    let object =
        |entries: &str, content: &str| String::from_utf8(stream(entries, &text(content))).unwrap();
    pdf(&[
        "<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[4 0 R]>>>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[4 0 R]/Contents 7 0 R/Resources<</Font<</Helv 5 0 R>>>>>>".to_owned(),
        format!("<</Type/Annot/Subtype/Widget/P 3 0 R/F {flags}/FT/Tx/T(field)/V(stored)/Rect[20 120 280 160]/AP<</N 6 0 R>>>>"),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_owned(),
        object(form, PLACES),
        object("", "Destination of the ferry"),
    ])
}

/// Flags of annotations that are shown and printed, shown only, and hidden.
const PRINTED: u32 = 4;
const SHOWN: u32 = 0;
const HIDDEN: u32 = 2 | 4;

#[test]
fn conversions_keep_the_text_that_fields_show() {
    for to in [Format::Docx, Format::Html, Format::Markdown, Format::Txt] {
        for (flags, is_shown) in [(PRINTED, true), (SHOWN, true), (HIDDEN, false)] {
            let steps = [harness::convert(to)];
            let result = harness::run_bytes(&shown(flags), Format::Pdf, &steps).unwrap();
            let text = match to {
                Format::Docx => {
                    let steps = [harness::convert(Format::Txt)];
                    harness::run_bytes(&result.bytes(), to, &steps)
                        .unwrap()
                        .bytes()
                }
                _ => result.bytes(),
            };
            let text = String::from_utf8(text).unwrap();
            assert!(text.contains("Destination"), "{to}: {text}");
            assert_eq!(text.contains(PLACES), is_shown, "{to} {flags}: {text}");
            assert!(!text.contains("stored"), "{to}: {text}");
            assert_eq!(result.warnings(), Vec::<&str>::new(), "{to} {flags}");
        }
    }
}

#[test]
fn verification_misses_the_text_that_fields_show() {
    let passwords = form(PLACES, "/Ff 8192");
    let documents = [(shown(PRINTED), 5), (shown(SHOWN), 5), (shown(HIDDEN), 0)];
    let drawn_by_readers = [(form(PLACES, ""), 5), (passwords, 0)];
    for (document, missing) in documents.into_iter().chain(drawn_by_readers) {
        let directory = tempfile::tempdir().unwrap();
        let source = directory.path().join("source.pdf");
        std::fs::write(&source, document).unwrap();
        std::fs::write(directory.path().join(OUTPUT), "Destination of the ferry\n").unwrap();
        let task = harness::conversion_task((&source, Format::Pdf), Format::Txt, directory.path());
        let warnings = verify::content(&task, &Product::default()).unwrap();
        let counts = warnings.iter().map(|warning| match warning {
            Warning::ContentMissing(missing) => missing.words.missing,
            warning => panic!("{warning:?}"),
        });
        assert_eq!(counts.sum::<u64>(), missing);
    }
}

#[test]
fn free_texts_without_an_appearance_are_kept() {
    let document = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[4 0 R 7 0 R 8 0 R]/Contents 6 0 R/Resources<</Font<</Helv 5 0 R>>>>>>".to_vec(),
        b"<</Type/Annot/Subtype/FreeText/F 4/Rect[20 20 280 60]/DA(/Helv 12 Tf 0 g)/Contents(boats leave at noon)>>".to_vec(),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>".to_vec(),
        stream("", b"BT /Helv 12 Tf 20 150 Td (Destination of the ferry) Tj ET"),
        b"<</Type/Annot/Subtype/FreeText/F 4/Rect[20 70 280 90]/DA(/Helv 12 Tf 0 g)/Contents(first empty)/AP<</N 9 0 R>>>>".to_vec(),
        b"<</Type/Annot/Subtype/FreeText/F 4/Rect[20 100 280 120]/DA(/Helv 12 Tf 0 g)/Contents(second empty)/AP<</N 9 0 R>>>>".to_vec(),
        stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]", b""),
    ]);
    for to in [Format::Markdown, Format::Txt] {
        let result = harness::run_bytes(&document, Format::Pdf, &[harness::convert(to)]).unwrap();
        let text = String::from_utf8(result.bytes()).unwrap();
        for shown in ["boats leave at noon", "first empty", "second empty"] {
            assert!(text.contains(shown), "{to}: {text}");
        }
    }
}
