//! Texts of forms in other scripts than Latin are what was typed when they become part of the page.

use domain::format::Format;
use domain::operation::{NoOptions, Operation};
use lopdf::dictionary;

use crate::documents::{pdf, stream};
use crate::{poppler, qpdf, rig};

/// A page with one field, which holds a text and says this of itself; the form asks to have it drawn.
fn form(text: &str, more: &str) -> Vec<u8> {
    form_that(
        text,
        more,
        "/NeedAppearances true",
        "/Encoding/WinAnsiEncoding",
    )
}

/// The same with a form that says this of itself, and this of its font.
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

fn flat(document: &[u8]) -> rig::Made {
    let made = rig::run_bytes(document, Format::Pdf, &[Operation::Flatten(NoOptions {})]).unwrap();
    qpdf::check(made.path(), "");
    assert_eq!(poppler::field(made.path(), "Form"), "none");
    made
}

/// Left and right edge of what is red, in points.
fn red(made: &rig::Made) -> (u32, u32) {
    let picture = poppler::picture(made.path(), 1, 72);
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
fn what_was_typed_stays_in_every_script() {
    for text in [
        "Привет мир",
        "Ελληνικά",
        "機密文書",
        "שלום",
        "नमस्ते",
        "Zażółć €5",
    ] {
        let made = flat(&form(text, ""));
        let mut found: Vec<char> = poppler::characters(made.path())
            .chars()
            .filter(|c| c.is_alphanumeric())
            .collect();
        let mut expected: Vec<char> = text.chars().filter(|c| c.is_alphanumeric()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{text}");
        red(&made);
        assert_eq!(flat(&form(text, "")).artifact.sha256, made.artifact.sha256);
    }
}

#[test]
fn what_was_typed_stays_whether_a_form_asks_for_it_or_not() {
    for (asks, encoding) in [
        ("/NeedAppearances true", ""),
        ("", "/Encoding/WinAnsiEncoding"),
        ("", ""),
    ] {
        for text in ["abc", "Müller", "señor € 5"] {
            let made = flat(&form_that(text, "", asks, encoding));
            let words: Vec<&str> = text.split(' ').collect();
            assert_eq!(poppler::words(made.path()), words, "{asks} {encoding}");
            red(&made);
        }
    }
}

#[test]
fn what_a_page_shows_of_a_field_stays_as_it_is() {
    let mut document = lopdf::Document::load_mem(&form_that("abc", "", "", "")).unwrap();
    let shown = lopdf::Stream::new(
        dictionary! {
            "Type" => "XObject", "Subtype" => "Form",
            "BBox" => [0, 0, 260, 60].map(lopdf::Object::from).to_vec(),
        },
        b"1 0 0 rg 0 0 260 60 re f".to_vec(),
    );
    let shown = document.add_object(shown);
    let field = document
        .get_object_mut((4, 0))
        .unwrap()
        .as_dict_mut()
        .unwrap();
    field.set("AP", dictionary! { "N" => shown });
    let mut bytes = Vec::new();
    document.save_to(&mut bytes).unwrap();
    let made = flat(&bytes);
    assert_eq!(poppler::words(made.path()), Vec::<String>::new());
    assert_eq!(red(&made), (20, 279));
}

#[test]
fn a_text_stands_where_its_field_says() {
    for text in ["Привет", "Hello"] {
        let sides = ["", "/Q 1", "/Q 2"].map(|side| red(&flat(&form(text, side))));
        let [left, middle, right] = sides;
        assert!((20..26).contains(&left.0), "{left:?}");
        assert!((middle.0 + middle.1).abs_diff(300) < 6, "{middle:?}");
        assert!((272..=280).contains(&right.1), "{right:?}");
    }
}

#[test]
fn a_long_text_takes_several_lines() {
    for word in ["слово", "words"] {
        let text = vec![word; 20].join(" ");
        let made = flat(&form(&text, "/Ff 4096"));
        assert!(red(&made).1 < 280);
        assert_eq!(poppler::words(made.path()), vec![word; 20]);
        let lines = poppler::characters(made.path());
        assert!(lines.trim().lines().count() > 2, "{lines}");
    }
}

#[test]
fn a_text_that_is_longer_than_its_field_is_set_smaller() {
    // At 12 points these take twice the width, and twice the height.
    for (text, flags) in [("word ".repeat(14), ""), ("word ".repeat(64), "/Ff 4096")] {
        let made = flat(&form(text.trim(), flags));
        assert!(red(&made).1 < 280);
        let picture = poppler::picture(made.path(), 1, 72);
        let rows: Vec<u32> = picture
            .enumerate_pixels()
            .filter(|(_, _, pixel)| pixel.0[1] < 128)
            .map(|(_, y, _)| y)
            .collect();
        assert!(rows.iter().all(|y| (21..79).contains(y)), "{text}");
    }
}

#[test]
fn links_keep_their_place_among_the_tags_and_those_that_are_drawn_stay_links() {
    let document = pdf(&[
        "<</Type/Catalog/Pages 2 0 R>>".to_owned(),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 100]/Annots[4 0 R 5 0 R]>>".to_owned(),
        "<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/StructParent 7/A<</S/URI/URI(https://example.com/1)>>>>".to_owned(),
        "<</Type/Annot/Subtype/Link/Rect[50 0 99 50]/AP<</N 6 0 R>>/A<</S/URI/URI(https://example.com/2)>>>>".to_owned(),
        String::from_utf8(stream("/Type/XObject/Subtype/Form/BBox[0 0 49 50]", b"1 0 0 rg 0 0 49 50 re f")).unwrap(),
    ]);
    let made = flat(&document);
    assert!(matches!(red(&made), (50..=51, 97..=99)));
    let document = lopdf::Document::load(made.path()).unwrap();
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
fn the_shown_text_of_a_choice_stays() {
    let document = String::from_utf8(form("a", "")).unwrap();
    let value = "/FT/Ch/Ff 131072/Opt[[(a)<FEFF0414043E043C>]]";
    let document = document.replace("/FT/Tx", value);
    let made = flat(pdf_again(&document).as_bytes());
    assert_eq!(poppler::words(made.path()), ["Дом"]);
}

/// The same without its table, which no longer fits: it is mended.
fn pdf_again(document: &str) -> String {
    let (objects, _) = document.rsplit_once("xref\n0").unwrap();
    format!("{objects}trailer<</Root 1 0 R>>\n")
}

#[test]
fn a_password_is_not_told() {
    for asks in ["/NeedAppearances true", ""] {
        let password = form_that("secret9", "/Ff 8192", asks, "");
        let text = poppler::texts(flat(&password).path()).join("");
        assert_eq!(text.trim(), "*******", "{asks}");
    }
}
