//! Tests of the options of conversions.

use serde_json::{Value, json};

use super::*;
use crate::operation::{InvalidOperation, Operation, Sheet};

fn on(from: Format, to: &str, option: (&str, Value)) -> Result<Operation, String> {
    let mut item = json!({"operation": "convert", "format": to});
    item[option.0] = option.1;
    let read = Operation::read(&item, "$").unwrap();
    read.on(from, "$").map_err(|fault| fault.path)
}

#[test]
fn options_mean_something_on_some_documents_only() {
    let password = || ("password", json!("secret"));
    for (from, to, option, fits) in [
        (Format::Docx, "pdf", password(), true),
        (Format::Docx, "odt", password(), true),
        (Format::Csv, "pdf", password(), false),
        (Format::Png, "pdf", password(), false),
        (Format::Pdf, "png", ("pages", json!("1")), true),
        (Format::Pdf, "txt", ("pages", json!("1")), true),
        (Format::Pdf, "txt", password(), true),
        (Format::Pdf, "png", ("resolution", json!(72)), true),
        (Format::Pdf, "txt", ("resolution", json!(72)), false),
        (Format::Png, "jpeg", ("resolution", json!(72)), false),
        (Format::Docx, "pdf", ("resolution", json!(72)), false),
        (Format::Pdf, "jpeg", ("imageQuality", json!(50)), true),
        (Format::Pdf, "webp", ("imageQuality", json!(50)), true),
        (Format::Pdf, "png", ("imageQuality", json!(50)), false),
        (Format::Pdf, "png", ("imageResolution", json!(75)), false),
        (Format::Pdf, "png", ("tagged", json!(true)), false),
        (Format::Docx, "pdf", ("pages", json!("1")), true),
        (Format::Docx, "odt", ("tagged", json!(true)), false),
        (Format::Ods, "pdf", ("singlePageSheets", json!(true)), true),
        (Format::Odt, "pdf", ("singlePageSheets", json!(true)), false),
        (Format::Csv, "pdf", ("fitToWidth", json!(true)), true),
        (Format::Ods, "csv", ("fitToWidth", json!(true)), false),
        (Format::Pptx, "pdf", ("fitToWidth", json!(true)), false),
        (Format::Pptx, "pdf", ("notes", json!(true)), true),
        (Format::Csv, "pdf", ("notes", json!(true)), false),
        (Format::Txt, "pdf", ("imageResolution", json!(300)), true),
        (Format::Html, "pdf", ("imageQuality", json!(50)), false),
        (Format::Html, "pdf", ("pages", json!("1")), true),
        (Format::Html, "png", ("pages", json!("1")), false),
        (Format::Markdown, "pdf", ("paper", json!("a5")), true),
        (Format::Html, "png", ("paper", json!("a5")), false),
        (Format::Docx, "pdf", ("paper", json!("a5")), false),
        (Format::Html, "pdf", ("header", json!("x")), true),
        (Format::Html, "png", ("viewportWidth", json!(400)), true),
        (Format::Markdown, "png", ("fullPage", json!(false)), true),
        (Format::Html, "pdf", ("deviceScaleFactor", json!(2)), false),
        (Format::Pdf, "png", ("viewportWidth", json!(400)), false),
        (Format::Pdf, "json", ("tables", json!("ruled")), true),
        (Format::Pdf, "png", ("tables", json!("off")), false),
        (Format::Pdf, "csv", ("table", json!(2)), true),
        (Format::Pdf, "xlsx", ("table", json!(2)), false),
        (Format::Pdf, "html", ("images", json!("drop")), true),
        (Format::Pdf, "csv", ("images", json!("keep")), false),
        (Format::Pdf, "txt", ("mode", json!("layout")), true),
        (Format::Pdf, "xlsx", ("mode", json!("layout")), false),
        (Format::Docx, "txt", ("mode", json!("flow")), false),
        (Format::Docx, "md", password(), true),
        (Format::Odt, "csv", password(), true),
        (Format::Rtf, "md", password(), false),
        (Format::Docx, "txt", password(), true),
        (Format::Odt, "txt", password(), true),
        (Format::Rtf, "txt", password(), false),
        (Format::Odp, "txt", password(), true),
        (Format::Xlsx, "json", password(), true),
        (Format::Docx, "html", ("images", json!("drop")), true),
        (Format::Markdown, "docx", ("images", json!("keep")), true),
        (Format::Docx, "md", ("images", json!("keep")), false),
        (Format::Csv, "html", ("images", json!("keep")), false),
        (Format::Docx, "odt", ("images", json!("keep")), false),
        (Format::Html, "csv", ("table", json!(2)), true),
        (Format::Xlsx, "csv", ("table", json!(2)), false),
        (Format::Html, "csv", ("tables", json!("ruled")), false),
        (Format::Odp, "md", ("notes", json!(true)), true),
        (Format::Odp, "pptx", ("notes", json!(true)), false),
        (Format::Docx, "md", ("notes", json!(true)), false),
        (Format::Docx, "json", ("ocr", json!("off")), false),
        (Format::Pdf, "docx", ("ocr", json!("off")), true),
        (Format::Pdf, "txt", ("ocr", json!("off")), true),
        (Format::Pdf, "png", ("ocr", json!("off")), false),
        (Format::Pdf, "docx", ("language", json!("deu")), true),
        (Format::Docx, "odt", ("language", json!("deu")), false),
        (Format::Jpeg, "webp", ("keepMetadata", json!(true)), true),
        (Format::Jpeg, "bmp", ("keepMetadata", json!(true)), false),
        (Format::Svg, "png", ("keepMetadata", json!(true)), false),
    ] {
        let path = format!("$.{}", option.0);
        let found = on(from, to, option).map(|_| ());
        let expected = if fits { Ok(()) } else { Err(path) };
        assert_eq!(found, expected, "{from} to {to}");
    }
}

#[test]
fn what_cannot_be_printed_or_drawn_is_named_by_its_path() {
    for (options, name) in [
        (
            json!({"fitToWidth": true, "singlePageSheets": true}),
            "fitToWidth",
        ),
        (json!({"table": 1, "tables": "off"}), "table"),
        (json!({"format": "csv", "tables": "off"}), "tables"),
        (json!({"table": 0}), "table"),
        (json!({"tables": "auto", "mode": "layout"}), "tables"),
        (json!({"language": "deu", "ocr": "off"}), "language"),
        (json!({"paper": "a6"}), "paper"),
        (json!({"paper": "A4"}), "paper"),
        (
            json!({"paper": "a4", "paperWidth": 100, "paperHeight": 100}),
            "paper",
        ),
        (json!({"paperWidth": 100}), "paperWidth"),
        (json!({"paperHeight": 100}), "paperHeight"),
        (json!({"paperWidth": 9.9, "paperHeight": 100}), "paperWidth"),
        (
            json!({"paperWidth": 100, "paperHeight": 5081}),
            "paperHeight",
        ),
        (json!({"paperWidth": 25, "paperHeight": 100}), "marginLeft"),
        (json!({"marginTop": -1}), "marginTop"),
        (json!({"marginRight": "1cm"}), "marginRight"),
        (json!({"marginRight": 190.5}), "marginRight"),
        (
            json!({"paper": "a5", "landscape": true, "marginBottom": 130}),
            "marginBottom",
        ),
        (json!({"scale": 0.05}), "scale"),
        (json!({"scale": 2.1}), "scale"),
        (json!({"background": 1}), "background"),
        (json!({"header": "{author}"}), "header"),
        (json!({"header": "x", "marginTop": 5}), "header"),
        (json!({"footer": "x", "marginBottom": 0}), "footer"),
        (json!({"footer": ""}), "footer"),
        (json!({"viewportWidth": 0}), "viewportWidth"),
        (json!({"viewportHeight": 10_001}), "viewportHeight"),
        (json!({"deviceScaleFactor": 4.5}), "deviceScaleFactor"),
        (
            json!({"viewportWidth": 10_000, "viewportHeight": 10_000, "deviceScaleFactor": 1.01}),
            "viewportWidth",
        ),
        (json!({"fullPage": null}), "fullPage"),
    ] {
        let mut item = json!({"operation": "convert", "format": "pdf"});
        item.as_object_mut()
            .unwrap()
            .extend(options.as_object().unwrap().clone());
        let refused = Operation::read(&item, "$.steps[0]").unwrap_err();
        let InvalidOperation::Options(faults) = refused else {
            panic!("{item}: {refused:?}");
        };
        let fault = (faults[0].path.as_str(), faults[0].code.as_str());
        assert_eq!(
            fault,
            (&*format!("$.steps[0].{name}"), "invalid_value"),
            "{item}"
        );
    }
}

#[test]
fn what_is_asked_of_a_browser_writes_back_the_same() {
    let item = json!({
        "operation": "convert", "format": "pdf", "pages": "1-2", "paperWidth": 100.5, "paperHeight": 200.0,
        "landscape": true, "marginTop": 12.7, "marginRight": 0.0, "marginBottom": 20.0, "marginLeft": 1.25,
        "scale": 0.5, "background": false, "header": "{title}", "footer": "{page}/{pages}", "viewportWidth": 400,
        "viewportHeight": 300, "fullPage": false, "deviceScaleFactor": 1.5
    });
    let read = Operation::read(&item, "$").unwrap();
    assert_eq!(serde_json::to_value(&read).unwrap(), item);
    let Operation::Convert(options) = read else {
        panic!()
    };
    let sheet = Sheet::of(&options);
    assert_eq!((sheet.width, sheet.height), (200.0, 100.5));
    assert_eq!(sheet.margins, [12.7, 0.0, 20.0, 1.25]);
    let plain = Sheet::of(&ConvertOptions::to(Format::Pdf));
    assert_eq!(
        (plain.width, plain.height, plain.margins),
        (210.0, 297.0, [10.0; 4])
    );
}

#[test]
fn a_password_does_not_outlive_the_job() {
    let mut asked = ConvertOptions::to(Format::Pdf);
    asked.password = Password::try_from("secret".to_owned()).ok();
    let kept = Operation::Convert(asked.clone()).without_secrets();
    assert_eq!(kept, Operation::Convert(ConvertOptions::to(Format::Pdf)));
    assert!(!format!("{asked:?}").contains("secret"));
}

#[test]
fn only_some_resolutions_are_read() {
    for (value, fits) in [(75, true), (1200, true), (100, false), (-75, false)] {
        assert_eq!(Resolution::try_from(value).is_ok(), fits, "{value}");
    }
}

#[test]
fn an_option_that_means_nothing_is_told_with_what_it_is_for() {
    let table = json!({"operation": "convert", "format": "docx", "table": 2});
    let paper = json!({"operation": "convert", "format": "png", "paper": "a4"});
    for (from, item, path, asked, fitting) in [
        (
            Format::Pdf,
            &table,
            "$.table",
            "pdf to docx",
            Some("pdf to csv"),
        ),
        (
            Format::Html,
            &table,
            "$.table",
            "html to docx",
            Some("html to csv"),
        ),
        (Format::Pdf, &paper, "$.paper", "pdf to png", None),
    ] {
        let fault = Operation::read(item, "$")
            .unwrap()
            .on(from, "$")
            .unwrap_err();
        assert_eq!(fault.path, path);
        let named = fault.message.split(" to ").count() - 1;
        assert_eq!(
            named,
            1 + usize::from(fitting.is_some()),
            "{}",
            fault.message
        );
        for conversion in [asked].into_iter().chain(fitting) {
            assert!(fault.message.contains(conversion), "{}", fault.message);
        }
    }
}

#[test]
fn a_value_of_another_kind_is_told_the_names_that_there_are() {
    for (option, value, names) in [
        ("ocr", json!(true), &["auto", "off"][..]),
        ("tables", json!(1), &["auto", "ruled", "off"]),
        ("images", json!(null), &["keep", "drop"]),
        ("tagged", json!("yes"), &[]),
    ] {
        let mut item = json!({"operation": "convert", "format": "docx"});
        item[option] = value;
        let Err(InvalidOperation::Options(faults)) = Operation::read(&item, "$") else {
            panic!("{option}");
        };
        let found = (faults[0].path.as_str(), faults[0].code.as_str());
        assert_eq!(found, (&*format!("$.{option}"), "invalid_value"));
        let quoted = faults[0].message.split('`').skip(1).step_by(2);
        assert_eq!(quoted.collect::<Vec<_>>(), names, "{option}");
    }
}
