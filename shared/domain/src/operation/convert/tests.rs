//! Tests of the options of conversions.

use serde_json::{Value, json};

use super::*;
use crate::operation::{InvalidOperation, Operation, PageSetup};

fn on(from: Format, to: &str, option: (&str, Value)) -> Result<Operation, String> {
    let mut item = json!({"operation": "convert", "format": to});
    item[option.0] = option.1;
    let read = Operation::read(&item, "$").unwrap();
    read.on(from, "$").map_err(|error| error.path)
}

#[test]
fn options_are_accepted_for_applicable_formats_only() {
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
        (Format::Docx, "md", ("images", json!("keep")), true),
        (Format::Docx, "md", ("images", json!("files")), true),
        (Format::Docx, "txt", ("images", json!("keep")), false),
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
fn impossible_page_setups_and_viewports_are_rejected_with_the_path() {
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
        let error = Operation::read(&item, "$.steps[0]").unwrap_err();
        let InvalidOperation::Options(errors) = error else {
            panic!("{item}: {error:?}");
        };
        let error = (errors[0].path.as_str(), errors[0].code.as_str());
        assert_eq!(
            error,
            (&*format!("$.steps[0].{name}"), "invalid_value"),
            "{item}"
        );
    }
}

#[test]
fn browser_options_round_trip() {
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
    let setup = PageSetup::of(&options);
    assert_eq!((setup.width, setup.height), (200.0, 100.5));
    assert_eq!(setup.margins, [12.7, 0.0, 20.0, 1.25]);
    let plain = PageSetup::of(&ConvertOptions::to(Format::Pdf));
    assert_eq!(
        (plain.width, plain.height, plain.margins),
        (215.9, 279.4, [10.0; 4])
    );
}

#[test]
fn the_password_is_removed_with_the_secrets() {
    let mut options = ConvertOptions::to(Format::Pdf);
    options.password = Password::try_from("secret".to_owned()).ok();
    let kept = Operation::Convert(options.clone()).without_secrets();
    assert_eq!(kept, Operation::Convert(ConvertOptions::to(Format::Pdf)));
    assert!(!format!("{options:?}").contains("secret"));
}

#[test]
fn only_listed_resolutions_are_accepted() {
    for (value, fits) in [(75, true), (1200, true), (100, false), (-75, false)] {
        assert_eq!(Resolution::try_from(value).is_ok(), fits, "{value}");
    }
}

#[test]
fn the_error_for_an_inapplicable_option_lists_the_applicable_formats() {
    let table = json!({"operation": "convert", "format": "docx", "table": 2});
    let paper = json!({"operation": "convert", "format": "png", "paper": "a4"});
    for (from, item, path, options, fitting) in [
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
        let error = Operation::read(item, "$")
            .unwrap()
            .on(from, "$")
            .unwrap_err();
        assert_eq!(error.path, path);
        let named = error.message.split(" to ").count() - 1;
        assert_eq!(
            named,
            1 + usize::from(fitting.is_some()),
            "{}",
            error.message
        );
        for conversion in [options].into_iter().chain(fitting) {
            assert!(error.message.contains(conversion), "{}", error.message);
        }
    }
}

#[test]
fn the_error_for_a_wrong_type_lists_the_values_of_the_enumeration() {
    for (option, value, names) in [
        ("ocr", json!(true), &["auto", "off"][..]),
        ("tables", json!(1), &["auto", "ruled", "off"]),
        ("images", json!(null), &["embed", "files", "drop"]),
        ("tagged", json!("yes"), &[]),
    ] {
        let mut item = json!({"operation": "convert", "format": "docx"});
        item[option] = value;
        let Err(InvalidOperation::Options(errors)) = Operation::read(&item, "$") else {
            panic!("{option}");
        };
        let found = (errors[0].path.as_str(), errors[0].code.as_str());
        assert_eq!(found, (&*format!("$.{option}"), "invalid_value"));
        let quoted = errors[0].message.split('`').skip(1).step_by(2);
        assert_eq!(quoted.collect::<Vec<_>>(), names, "{option}");
    }
}
