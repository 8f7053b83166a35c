//! Tests of the tables of operations and conversions, and of parsing steps.

use serde_json::{Value, json};

use super::*;

fn read(item: Value) -> Operation {
    Operation::read(&item, "$.operations[0]").unwrap()
}

fn error(item: Value) -> (String, String) {
    match Operation::read(&item, "$.operations[1]").unwrap_err() {
        InvalidOperation::Unknown(error)
        | InvalidOperation::Language(error)
        | InvalidOperation::Source(error) => (error.path, error.code),
        InvalidOperation::Options(errors) => (errors[0].path.clone(), errors[0].code.clone()),
    }
}

/// A valid item for each operation.
fn sample(name: &str) -> Value {
    let mut item = match name {
        "convert" => json!({"format": "pdf"}),
        "resize" => json!({"width": 10}),
        "crop" => json!({"x": 0, "y": 0, "width": 10, "height": 10}),
        "rotate" => json!({"angle": 90}),
        "cleanup" => json!({"deskew": true}),
        "merge" => json!({"sourceKeys": ["src_01kaj2v7w2q9r8s5t4v3w2x1y0"]}),
        "extract-pages" | "delete-pages" => json!({"pages": "1"}),
        "reorder" => json!({"order": [2, 1]}),
        "encrypt" => json!({"userPassword": "secret"}),
        "watermark" => json!({"text": "Draft"}),
        "metadata" => json!({"title": "Report"}),
        "compare" => json!({"sourceKey": "src_01kaj2v7w2q9r8s5t4v3w2x1y0"}),
        "fill" => json!({"fields": {"name": "Report", "agree": true, "sizes": ["M"]}}),
        _ => json!({}),
    };
    item["operation"] = json!(name);
    item
}

#[test]
fn an_operation_round_trips_with_its_options() {
    let item = json!({"operation": "compress", "quality": 70, "maxWidth": 800});
    let operation = read(item.clone());
    assert_eq!(serde_json::to_value(&operation).unwrap(), item);
    assert_eq!(
        operation.resolve(Format::Png),
        Some((Processor::ProcessImage, Format::Png))
    );
    assert_eq!(operation.resolve(Format::Pdf), None);
}

#[test]
fn every_operation_is_parsed_by_name_and_alias_and_resolves_for_its_inputs() {
    for spec in OPERATIONS {
        let operation = read(sample(spec.name));
        assert_eq!(operation.name(), spec.name);
        assert_eq!(operation.credits(), spec.credits);
        let again = serde_json::to_value(&operation).unwrap();
        assert_eq!(
            serde_json::from_value::<Operation>(again).unwrap(),
            operation
        );
        for alias in spec.aliases {
            assert_eq!(read(sample(alias)).name(), spec.name);
        }
        for from in spec.inputs {
            assert!(
                operation.resolve(*from).is_some(),
                "{} on {from}",
                spec.name
            );
        }
    }
}

#[test]
fn a_fit_that_requires_both_sides_is_rejected_with_one_message() {
    for fit in ["cover", "fill", "pad"] {
        let item = json!({"operation": "resize", "width": 9, "fit": fit});
        let error = Operation::read(&item, "$.operations[0]").unwrap_err();
        let InvalidOperation::Options(errors) = error else {
            panic!("{fit}");
        };
        let message = &errors[0].message;
        for named in ["`width`", "`height`", "`cover`", "`fill`", "`pad`"] {
            assert!(message.contains(named), "{fit}: {message}");
        }
    }
}

#[test]
fn errors_have_the_json_path_and_code() {
    let at = |name: &str| format!("$.operations[1]{name}");
    for (item, path, code) in [
        (
            json!({"operation": "shred"}),
            ".operation",
            "unsupported_operation",
        ),
        (json!({}), ".operation", "missing_field"),
        (json!(7), "", "invalid_value"),
        (
            json!({"operation": "compress", "colour": 1}),
            ".colour",
            "unknown_field",
        ),
        (json!({"operation": "rotate"}), ".angle", "missing_field"),
        (
            json!({"operation": "rotate", "angle": 45}),
            ".angle",
            "invalid_value",
        ),
        (
            json!({"operation": "extract-pages", "pages": "x"}),
            ".pages",
            "invalid_value",
        ),
        (
            json!({"operation": "ocr", "language": "klingon"}),
            ".language",
            "unsupported_language",
        ),
        (
            json!({"operation": "ocr", "language": 7}),
            ".language",
            "invalid_value",
        ),
        (json!({"operation": "resize"}), "", "invalid_step"),
        (
            json!({"operation": "resize", "width": 9, "position": "top"}),
            "",
            "invalid_step",
        ),
        (
            json!({"operation": "resize", "width": 9, "fit": "cover", "position": "north"}),
            ".position",
            "invalid_value",
        ),
        (
            json!({"operation": "cleanup", "trim": false}),
            "",
            "invalid_step",
        ),
        (json!({"operation": "merge"}), "", "invalid_step"),
        (
            json!({"operation": "merge", "sourceKeys": ["src_01kaj2v7w2q9r8s5t4v3w2x1y0", "junk"]}),
            ".sourceKeys[1]",
            "source_unavailable",
        ),
        (
            json!({"operation": "merge", "sourceKeys": [7]}),
            ".sourceKeys[0]",
            "invalid_value",
        ),
        (
            json!({"operation": "watermark", "sourceKey": ""}),
            ".sourceKey",
            "source_unavailable",
        ),
        (
            json!({"operation": "watermark", "sourceKey": null}),
            ".sourceKey",
            "invalid_value",
        ),
        (
            json!({"operation": "resize", "width": 9, "fit": "pad"}),
            "",
            "invalid_step",
        ),
        (
            json!({"operation": "resize", "width": 9, "fit": "cover"}),
            "",
            "invalid_step",
        ),
        (
            json!({"operation": "resize", "height": 9, "fit": "cover", "position": "top"}),
            "",
            "invalid_step",
        ),
        (
            json!({"operation": "resize", "height": 9, "fit": "fill"}),
            "",
            "invalid_step",
        ),
        (
            json!({"operation": "resize", "width": 9, "height": 9, "background": "#000000"}),
            "",
            "invalid_step",
        ),
        (
            json!({"operation": "split", "every": 2, "ranges": ["1"]}),
            "",
            "invalid_step",
        ),
        (
            json!({"operation": "split", "ranges": []}),
            "",
            "invalid_step",
        ),
        (json!({"operation": "encrypt"}), "", "invalid_step"),
        (json!({"operation": "watermark"}), "", "invalid_step"),
        (
            json!({"operation": "watermark", "text": "  "}),
            "",
            "invalid_step",
        ),
        (json!({"operation": "metadata"}), "", "invalid_step"),
        (
            json!({"operation": "pdfa", "level": "2a"}),
            ".level",
            "invalid_value",
        ),
        (
            json!({"operation": "fill", "fields": {}}),
            ".fields",
            "invalid_value",
        ),
        (
            json!({"operation": "fill", "fields": {"name": null}}),
            ".fields.name",
            "invalid_value",
        ),
        (
            json!({"operation": "fill", "fields": {"a": "x".repeat(18_000), "b": "x".repeat(18_000)}}),
            ".fields",
            "invalid_value",
        ),
    ] {
        assert_eq!(error(item.clone()), (at(path), code.to_owned()), "{item}");
    }
    for quality in [json!(0), json!(101), json!("80"), json!(1.5), json!(null)] {
        let item = json!({"operation": "compress", "quality": quality});
        assert_eq!(error(item), (at(".quality"), "invalid_value".to_owned()));
    }
}

#[test]
fn compress_of_a_pdf_becomes_optimize() {
    let item = json!({"operation": "compress", "quality": 60, "level": "small"});
    let operation = read(item).on(Format::Pdf, "$").unwrap();
    assert_eq!(
        serde_json::to_value(operation).unwrap(),
        json!({"operation": "optimize", "level": "small", "quality": 60})
    );
    let rejected = |item: Value, from| read(item).on(from, "$.steps[0]").unwrap_err().path;
    let width = json!({"operation": "compress", "maxWidth": 60});
    assert_eq!(rejected(width, Format::Pdf), "$.steps[0].maxWidth");
    let level = json!({"operation": "compress", "level": "small"});
    assert_eq!(rejected(level, Format::Png), "$.steps[0].level");
    let kept = json!({"operation": "compress", "keepMetadata": true});
    for from in [Format::Pdf, Format::Avif] {
        assert_eq!(rejected(kept.clone(), from), "$.steps[0].keepMetadata");
    }
    assert!(read(kept).on(Format::Png, "$").unwrap().keeps_metadata());
    let kept = json!({"operation": "resize", "width": 9, "keepMetadata": true});
    assert_eq!(rejected(kept, Format::Gif), "$.steps[0].keepMetadata");
    let pages = json!({"operation": "rotate", "angle": 90, "pages": "1"});
    assert_eq!(rejected(pages, Format::Png), "$.steps[0].pages");
}

#[test]
fn every_spelling_of_optimize_is_accepted_in_requests_and_stored_rows() {
    for name in ["optimize", "optimise", "optimization", "optimisation"] {
        let item = json!({"operation": name, "level": "small", "linearize": true});
        let parsed = read(item.clone());
        assert_eq!(parsed.name(), "optimize", "{name}");
        assert_eq!(serde_json::from_value::<Operation>(item).unwrap(), parsed);
    }
}

#[test]
fn passwords_are_neither_printed_nor_stored() {
    let item = json!({"operation": "encrypt", "userPassword": "hidden", "permissions": ["print"]});
    let operation = read(item);
    assert!(!format!("{operation:?}").contains("hidden"));
    assert_eq!(
        serde_json::to_value(operation.without_secrets()).unwrap(),
        json!({"operation": "encrypt", "permissions": ["print"]})
    );
}

#[test]
fn each_pair_of_formats_is_listed_once_and_no_format_converts_to_itself() {
    let mut pairs: Vec<_> = CONVERSIONS
        .iter()
        .flat_map(|c| c.from.iter().map(|from| (*from, c.to)))
        .collect();
    assert!(pairs.iter().all(|(from, to)| from != to));
    let count = pairs.len();
    pairs.sort_unstable();
    pairs.dedup();
    assert_eq!(pairs.len(), count);
}

#[test]
fn structured_conversions_run_in_the_ocr_processor_unless_ocr_is_off() {
    let convert = |format: &Format, ocr: &str| {
        read(json!({"operation": "convert", "format": format, "ocr": ocr}))
    };
    for to in STRUCTURED {
        let plain = Operation::Convert(ConvertOptions::to(*to));
        let by = |processor| Some((processor, *to));
        assert_eq!(plain.resolve(Format::Pdf), by(Processor::ProcessOcr));
        assert_eq!(
            convert(to, "auto").resolve(Format::Pdf),
            by(Processor::ProcessOcr)
        );
        assert_eq!(
            convert(to, "off").resolve(Format::Pdf),
            by(Processor::ProcessPdf)
        );
        for image in IMAGES {
            assert_eq!(plain.resolve(*image), by(Processor::ProcessOcr));
        }
        assert_eq!(plain.resolve(Format::Svg), None);
    }
}
