//! Operation `fill`, and the fields that `info` lists.

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::{NoOptions, Operation};
use engine::EngineError;
use serde_json::{Value, json};

use crate::sample_documents::{pdf, stream};
use crate::{corpus, harness, poppler, qpdf};

fn step(fields: &Value, more: &Value) -> Operation {
    let mut item = json!({"operation": "fill", "fields": fields});
    for (key, value) in more.as_object().into_iter().flatten() {
        item[key] = value.clone();
    }
    Operation::read(&item, "$").unwrap_or_else(|error| panic!("{item}: {error:?}"))
}

fn filled(document: &[u8], fields: &Value) -> harness::Converted {
    let result = harness::run_bytes(document, Format::Pdf, &[step(fields, &json!({}))]);
    let result = result.unwrap_or_else(|error| panic!("{fields}: {error:?}"));
    qpdf::check(result.path(), "");
    result
}

fn filled_file(file: &str, fields: &Value) -> harness::Converted {
    let document = std::fs::read(corpus::file(file)).unwrap();
    filled(&document, fields)
}

/// The message of the rejection.
fn rejected(document: &[u8], fields: &Value) -> String {
    match harness::run_bytes(document, Format::Pdf, &[step(fields, &json!({}))]) {
        Err(EngineError::Document(error)) => {
            assert_eq!(error.code, JobErrorCode::FieldsInvalid, "{fields}");
            error.message
        }
        Err(other) => panic!("{fields}: {other:?}"),
        Ok(_) => panic!("{fields} is accepted"),
    }
}

fn info(document: &[u8]) -> Value {
    let step = Operation::Info(NoOptions {});
    let result = harness::run_bytes(document, Format::Pdf, &[step]).unwrap();
    serde_json::from_slice(&result.bytes()).unwrap()
}

/// The fields that `info` lists, by name.
fn fields(document: &[u8]) -> serde_json::Map<String, Value> {
    let info = info(document);
    let fields = info["form"]["fields"].as_array().unwrap().iter();
    fields
        .map(|field| (field["name"].as_str().unwrap().to_owned(), field.clone()))
        .collect()
}

/// The values of the fields that poppler and pikepdf cannot mistake: as qpdf lists them, by name.
fn values(result: &harness::Converted) -> serde_json::Map<String, Value> {
    let output = std::process::Command::new("qpdf")
        .args(["--json=2", "--json-key=acroform"])
        .arg(result.path())
        .output()
        .unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["acroform"]["needappearances"], false);
    let fields = report["acroform"]["fields"].as_array().unwrap().iter();
    fields
        .map(|field| {
            let name = field["fullname"].as_str().unwrap().to_owned();
            (name, field["value"].clone())
        })
        .collect()
}

/// A form of one page with a field of each type, and these entries of the form.
fn form(more: &str) -> Vec<u8> {
    form_that(more, "", "")
}

/// The same with these entries of the field `notes`, and this content of the page.
fn form_that(more: &str, notes: &str, content: &str) -> Vec<u8> {
    let mark = |size: u32| format!("/Subtype/Form/BBox[0 0 {size} {size}]");
    let state = |on: &str| format!("/AP<</N<</{on} 20 0 R/Off 21 0 R>>>>/AS/Off");
    let widget = |top: u32, more: &str| {
        let bottom = top - 20;
        format!("<</Type/Annot/Subtype/Widget/F 4/P 3 0 R/Rect[20 {bottom} 280 {top}]{more}>>")
    };
    let button = |left: u32, top: u32, more: &str| {
        let (bottom, right) = (top - 20, left + 20);
        format!(
            "<</Type/Annot/Subtype/Widget/F 4/P 3 0 R/Rect[{left} {bottom} {right} {top}]{more}>>"
        )
    };
    let mut objects: Vec<Vec<u8>> = [
        format!("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[5 0 R 8 0 R 9 0 R 10 0 R 11 0 R 14 0 R 15 0 R 16 0 R 17 0 R 18 0 R]/DA(/Helv 0 Tf 0 g)/DR<</Font<</Helv 4 0 R>>>>{more}>>>>"),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 22 0 R/Annots[6 0 R 7 0 R 8 0 R 9 0 R 10 0 R 12 0 R 13 0 R 14 0 R 15 0 R 16 0 R 17 0 R 18 0 R]>>".to_owned(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
        "<</T(person)/FT/Tx/Kids[6 0 R 7 0 R]>>".to_owned(),
        widget(390, "/Parent 5 0 R/T(name)/V(Old)"),
        widget(365, "/Parent 5 0 R/T(code)/MaxLen 5/Ff 16777216/MK<</BC[0]>>"),
        widget(340, &format!("/FT/Tx/T(notes)/Ff 4096/DA(/Helv 10 Tf 0 0 1 rg){notes}")),
        widget(315, "/FT/Tx/T(fixed)/Ff 1/V(Fixed)"),
        button(20, 290, &format!("/FT/Btn/T(agree){}", state("Yes#20please"))),
        "<</T(color)/FT/Btn/Ff 49152/V/0/Opt[(red)(green)]/Kids[12 0 R 13 0 R]>>".to_owned(),
        button(20, 265, "/Parent 11 0 R/AP<</N<</0 20 0 R/Off 21 0 R>>>>/AS/0"),
        button(60, 265, "/Parent 11 0 R/AP<</N<</1 20 0 R/Off 21 0 R>>>>/AS/Off"),
        widget(240, "/FT/Ch/T(country)/Ff 131072/Opt[[(de)(Germany)][(fr)(France)]]"),
        widget(215, "/FT/Ch/T(size)/Ff 2097152/Opt[(S)(M)(L)(XL)]"),
        widget(190, "/FT/Sig/T(signature)"),
        button(20, 165, "/FT/Btn/T(plain)/MK<</CA(8)/BC[0]>>"),
        widget(140, "/FT/Btn/T(send)/Ff 65536"),
        "null".to_owned(),
    ]
    .map(String::into_bytes)
    .to_vec();
    objects.push(stream(&mark(20), b"0 0 1 rg 4 4 12 12 re f"));
    objects.push(stream(&mark(20), b""));
    objects.push(stream("", content.as_bytes()));
    pdf(&objects)
}

#[test]
fn fields_of_each_type_are_filled_and_shown() {
    let requested = json!({
        "person.name": "Zo\u{eb} \u{644}\u{627} \u{5e9}\u{5dc}\u{5d5}\u{5dd} \u{915}\u{93f} \u{6f22}",
        "person.code": 12345,
        "notes": "first line\r\nsecond line",
        "agree": true,
        "color": "green",
        "country": "France",
        "size": ["XL", "M"],
        "plain": true,
    });
    let result = filled(&form("/NeedAppearances true"), &requested);
    assert!(result.warnings().is_empty(), "{:?}", result.warnings());
    let values = values(&result);
    assert_eq!(
        values["person.name"],
        format!("u:{}", requested["person.name"].as_str().unwrap())
    );
    assert_eq!(values["person.code"], "u:12345");
    assert_eq!(values["notes"], "u:first line\nsecond line");
    assert_eq!(values["agree"], "/Yes please");
    assert_eq!(values["color"], "/1");
    assert_eq!(values["country"], "u:fr");
    assert_eq!(values["size"], json!(["u:M", "u:XL"]));
    assert_eq!(values["plain"], "/Yes");
    assert_eq!(values["fixed"], "u:Fixed");
    // What info lists can be filled in again.
    let listed = fields(&result.bytes());
    assert_eq!(listed["agree"]["value"], true);
    assert_eq!(listed["color"]["value"], "green");
    assert_eq!(listed["size"]["value"], json!(["M", "XL"]));
    // Another renderer shows the mark of the second radio button, and no longer that of the first.
    let picture = poppler::picture(result.path(), 1, 72);
    let blue = |x, y| picture.get_pixel(x, y).0 == [0, 0, 255];
    assert_eq!([blue(30, 145), blue(70, 145)], [false, true]);
    assert!(blue(30, 120));
}

#[test]
fn info_lists_the_fields() {
    let document = form("");
    let listed = fields(&document);
    assert_eq!(listed.len(), 11);
    assert_eq!(
        listed["person.code"],
        json!({"name": "person.code", "type": "text", "value": null, "required": false, "readOnly": false, "page": 1, "maxLength": 5})
    );
    assert_eq!(listed["fixed"]["readOnly"], true);
    assert_eq!(listed["country"]["type"], "dropdown");
    assert_eq!(listed["country"]["options"], json!(["de", "fr"]));
    assert_eq!(listed["color"]["value"], "red");
    assert_eq!(listed["color"]["options"], json!(["red", "green"]));
    assert_eq!(listed["agree"]["value"], false);
    assert_eq!(listed["signature"]["type"], "signature");
    assert_eq!(info(&document)["form"]["xfa"], false);
    assert_eq!(info(&document)["form"]["truncated"], false);
    let without = std::fs::read(corpus::file("pdf-text/page-labels-and-outlines.pdf")).unwrap();
    assert_eq!(info(&without)["form"], Value::Null);
}

#[test]
fn values_that_a_field_does_not_accept_are_rejected() {
    let document = form("");
    for (fields, message) in [
        (
            json!({"absent": "x"}),
            "The form has no field `absent`. It has 11 fields: `person.name`",
        ),
        (
            json!({"person.code": "123456"}),
            "takes at most 5 characters, but the value has 6",
        ),
        (
            json!({"fixed": "x"}),
            "`fixed` is read-only. Set `fillReadOnly`",
        ),
        (
            json!({"agree": "No"}),
            "has no option `No`. Its options are: `Yes please`",
        ),
        (
            json!({"color": true}),
            "takes one of its options: `red`, `green`",
        ),
        (json!({"color": "blue"}), "has no option `blue`"),
        (
            json!({"country": "Spain"}),
            "has no option `Spain`. Its options are: `de`, `fr`",
        ),
        (
            json!({"country": ["de", "fr"]}),
            "takes only one of its options",
        ),
        (json!({"notes": true}), "takes a string"),
        (
            json!({"signature": "x"}),
            "is a signature, which cannot be filled",
        ),
        (json!({"send": "x"}), "is a push button"),
    ] {
        let found = rejected(&document, &fields);
        assert!(found.contains(message), "{found}");
    }
    let without = std::fs::read(corpus::file("pdf-text/page-labels-and-outlines.pdf")).unwrap();
    assert!(rejected(&without, &json!({"a": "b"})).contains("has no form"));
}

#[test]
fn read_only_fields_are_filled_on_request() {
    let allowed = step(&json!({"fixed": "x"}), &json!({"fillReadOnly": true}));
    let result = harness::run_bytes(&form(""), Format::Pdf, &[allowed]).unwrap();
    assert_eq!(values(&result)["fixed"], "u:x");
}

#[test]
fn values_are_cleared() {
    let cleared = json!({"person.name": "", "color": false, "size": [], "agree": "Off"});
    let listed = fields(&filled(&form(""), &cleared).bytes());
    assert_eq!(listed["person.name"]["value"], "");
    for (name, value) in [
        ("color", Value::Null),
        ("size", Value::Null),
        ("agree", false.into()),
    ] {
        assert_eq!(listed[name]["value"], value, "{name}");
    }
}

#[test]
fn a_flattened_form_shows_its_values() {
    let fields = json!({"person.name": "Flattened value", "agree": true});
    let flat = step(&fields, &json!({"flatten": true}));
    let result = harness::run_bytes(&form(""), Format::Pdf, &[flat]).unwrap();
    qpdf::check(result.path(), "");
    assert_eq!(poppler::field(result.path(), "Form"), "none");
    let words = poppler::words(result.path());
    assert!(
        words.windows(2).any(|pair| pair == ["Flattened", "value"]),
        "{words:?}"
    );
}

#[test]
fn the_fields_of_a_static_xfa_form_apply() {
    let xfa = "/XFA 21 0 R";
    let mut document = form(xfa);
    let listed = info(&document);
    assert_eq!(listed["form"]["xfa"], true);
    let result = filled(&document, &json!({"person.name": "New"}));
    assert_eq!(result.warnings(), ["xfa_dropped"]);
    assert_eq!(info(&result.bytes())["form"]["xfa"], false);
    let dynamic = String::from_utf8_lossy(&document)
        .replace("/Type/Catalog", "/NeedsRendering true/Type/Catalog");
    document = dynamic.into_bytes();
    let message = rejected(&document, &json!({"person.name": "New"}));
    assert!(message.contains("dynamic XFA form"), "{message}");
}

#[test]
fn fields_of_real_forms_are_filled() {
    for (file, requested) in [
        (
            "pdf-forms/fancy_fields.pdf",
            json!({"First Name \u{1f680}": "Grace", "Are You A Fairy? \u{1f33f}": false}),
        ),
        (
            "pdf-forms/form-filled-by-acrobat.pdf",
            json!({"Text Box 1": "\u{416}\u{438}\u{437}\u{43d}\u{44c}", "r1": "2", "Check Box 1": true}),
        ),
        (
            "pdf-forms/field-types.pdf",
            json!({"text": "a value", "checkbox1": true}),
        ),
        (
            "pdf-forms/form_dd0293.pdf",
            json!({"form1[0].page1[0].TextField1[0]": "Text of a rich field"}),
        ),
    ] {
        let result = filled_file(file, &requested);
        let listed = fields(&result.bytes());
        for (name, value) in requested.as_object().unwrap() {
            assert_eq!(listed[name]["value"], *value, "{file}: {name}");
        }
    }
}

#[test]
fn verification_rejects_wrong_results() {
    let new = json!({"notes": "new"});
    let right = filled(&form(""), &new).bytes();
    let more = filled(&form(""), &json!({"notes": "new", "size": ["M"]})).bytes();
    let undrawn = form_that("", "/V(new)", "");
    let blank = form_that("", "/V(new)/AP<</N 21 0 R>>", "");
    let drawn = form_that("", "/V(new)/AP<</N 20 0 R>>", "0 380 20 20 re f");
    for (requested, result, expected) in [
        (&new, &right, None),
        (
            &json!({"notes": "other"}),
            &right,
            Some("does not have the requested value"),
        ),
        (
            &json!({"notes": "new", "agree": true}),
            &right,
            Some("does not have the requested value"),
        ),
        (&new, &more, Some("not requested has another value")),
        (&new, &undrawn, Some("does not have the requested value")),
        (&new, &blank, Some("does not show its value")),
        (&new, &drawn, Some("looks different outside")),
    ] {
        let step = step(requested, &json!({}));
        harness::assert_verification(verify::filled, step, (&form(""), result), expected);
    }
}

#[test]
fn the_permission_to_fill_forms_is_enough() {
    for (allowed, code) in [
        ("--form=y", None),
        ("--form=n", Some(JobErrorCode::PermissionDenied)),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let [plain, protected] = ["plain", "protected"].map(|name| directory.path().join(name));
        std::fs::write(&plain, form("")).unwrap();
        let status = std::process::Command::new("qpdf")
            .args([
                "--encrypt",
                "",
                "owner",
                "256",
                "--modify-other=n",
                "--annotate=n",
                "--assemble=n",
            ])
            .args([allowed, "--"])
            .args([&plain, &protected])
            .status()
            .unwrap();
        assert!(status.success());
        let steps = [step(&json!({"notes": "new"}), &json!({}))];
        let result = harness::code(harness::run(&protected, Format::Pdf, &steps));
        assert_eq!(result.err(), code, "{allowed}");
    }
}
