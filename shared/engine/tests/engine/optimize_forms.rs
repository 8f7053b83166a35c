//! Operation `optimize` on forms: fields and values are kept and stay fillable.

use domain::format::Format;
use domain::operation::{DecryptOptions, Operation, OptimizeLevel, OptimizeOptions};
use lopdf::{Dictionary, Document, Object, ObjectId, Stream, dictionary};
use serde_json::Value;

use crate::harness::Converted;
use crate::{corpus, harness, poppler, qpdf};

fn optimized(file: &str, level: OptimizeLevel) -> Converted {
    let step = Operation::Optimize(OptimizeOptions {
        level: Some(level),
        ..OptimizeOptions::default()
    });
    // Some forbid the operation and open without a password.
    let steps = [Operation::Decrypt(DecryptOptions::default()), step];
    let result = harness::run(&corpus::file(file), Format::Pdf, &steps).unwrap();
    qpdf::check(result.path(), "");
    result
}

/// Field properties according to qpdf, without object numbers.
fn fields(pdf: &std::path::Path) -> Vec<Vec<Value>> {
    const FIELD_PROPERTIES: [&str; 9] = [
        "fullname",
        "alternativename",
        "fieldtype",
        "fieldflags",
        "value",
        "defaultvalue",
        "choices",
        "quadding",
        "pageposfrom1",
    ];
    let (form, objects) = (qpdf::json(pdf, "acroform"), qpdf::json(pdf, "qpdf"));
    let resolved = |value: &Value| match value.as_str().filter(|text| text.ends_with(" R")) {
        Some(reference) => objects[1][format!("obj:{reference}")]["value"].clone(),
        None => value.clone(),
    };
    let output = |field: &Value| {
        let mut output: Vec<Value> = FIELD_PROPERTIES
            .iter()
            .map(|key| resolved(&field[key]))
            .collect();
        output.push(field["annotation"]["appearancestate"].clone());
        output
    };
    let fields = form["fields"].as_array().unwrap();
    fields.iter().map(output).collect()
}

#[test]
fn forms_shrink_and_stay_fillable() {
    // Slightly above the actual sizes; with full fonts, usage rights and form JavaScript the files would be far larger.
    const MOST: [(&str, usize); 7] = [
        ("annotation-button-widget", 14_400),
        ("annotation-choice-widget", 32_000),
        ("annotation-text-widget", 34_000),
        ("fancy_fields", 40_000),
        ("field-types", 13_000),
        ("form-filled-by-acrobat", 16_500),
        ("form_dd0293", 68_500),
    ];
    harness::each(MOST.to_vec(), |(name, most)| {
        let file = format!("pdf-forms/{name}.pdf");
        let (source, result) = (
            corpus::file(&file),
            optimized(&file, OptimizeLevel::Balanced),
        );
        let size = result.bytes().len();
        assert!(size < most, "{name}: {size}");
        let expected = fields(&source);
        assert!(!expected.is_empty(), "{name}");
        assert_eq!(fields(result.path()), expected, "{name}");
        assert_eq!(poppler::texts(result.path()), poppler::texts(&source));
        for page in 1..=poppler::pages(&source) {
            let rendered = |pdf| poppler::picture(pdf, page, 150);
            assert!(
                rendered(result.path()) == rendered(&source),
                "{name}, page {page}"
            );
        }
    });
}

/// The first text field of a form, and its appearance.
fn text_field(document: &Document) -> (ObjectId, ObjectId) {
    let mut fields = document.objects.iter().filter_map(|(id, object)| {
        let field = object.as_dict().ok()?;
        let is_text = field.get(b"FT").and_then(Object::as_name).ok()? == b"Tx";
        let look = field.get_deref(b"AP", document).ok()?.as_dict().ok()?;
        is_text.then_some((*id, look.get(b"N").ok()?.as_reference().ok()?))
    });
    fields.next().unwrap()
}

/// A font in the form's default resources.
fn font<'a>(document: &'a Document, name: &str) -> &'a Dictionary {
    let form = document.catalog().unwrap().get_deref(b"AcroForm", document);
    let member = |of: &'a Dictionary, key: &[u8]| {
        let member = of.get_deref(key, document).unwrap();
        member.as_dict().unwrap()
    };
    let resources = member(form.unwrap().as_dict().unwrap(), b"DR");
    member(member(resources, b"Font"), name.as_bytes())
}

/// A copy of a form with another field value in a font of the form.
fn filled(pdf: &std::path::Path, name: &str, text: &[u8]) -> tempfile::NamedTempFile {
    let mut document = Document::load(pdf).unwrap();
    let (field, look) = text_field(&document);
    let font = font(&document, name).clone();
    let about = document.get_object(look).unwrap().as_stream().unwrap();
    let mut about = about.dict.clone();
    about.remove(b"Filter");
    about.set(
        "Resources",
        dictionary! { "Font" => dictionary! { name => font } },
    );
    let content = [
        format!("/Tx BMC BT /{name} 9 Tf 2 6 Td <").into_bytes(),
        domain::key::hex(text).into_bytes(),
        b"> Tj ET EMC".to_vec(),
    ];
    let content = Stream::new(about, content.concat());
    document.objects.insert(look, content.into());
    let field = document.get_object_mut(field).unwrap();
    let field = field.as_dict_mut().unwrap();
    field.set("V", Object::string_literal(text));
    let file = tempfile::NamedTempFile::new().unwrap();
    document.save(file.path()).unwrap();
    file
}

#[test]
fn fields_can_be_filled_with_every_encoded_character() {
    const FILE: &str = "pdf-forms/annotation-text-widget.pdf";
    const FONT: &str = "MyriadPro-Regular";
    let source = corpus::file(FILE);
    for level in [OptimizeLevel::Balanced, OptimizeLevel::Small] {
        let result = optimized(FILE, level);
        // All of Windows-1252, a few letters at a time.
        let codes: Vec<u8> = (32..=255).collect();
        for text in codes.chunks(56) {
            let (expected, found) = (
                filled(&source, FONT, text),
                filled(result.path(), FONT, text),
            );
            let (expected, found) = (expected.path(), found.path());
            assert!(poppler::picture(expected, 1, 200) == poppler::picture(found, 1, 200));
            assert!(poppler::picture(&source, 1, 200) != poppler::picture(found, 1, 200));
            assert_eq!(poppler::texts(found), poppler::texts(expected));
        }
        let document = Document::load(result.path()).unwrap();
        let about = font(&document, FONT)
            .get_deref(b"FontDescriptor", &document)
            .unwrap()
            .as_dict()
            .unwrap();
        let program = about.get_deref(b"FontFile3", &document).unwrap();
        let program = program.as_stream().unwrap();
        let kind = program.dict.get(b"Subtype").unwrap().as_name().unwrap();
        assert_eq!(kind, b"Type1C");
        assert!(program.content.len() < 17_000, "{}", program.content.len());
    }
}

#[test]
fn usage_rights_are_removed_on_change() {
    const FILE: &str = "pdf-forms/form_dd0293.pdf";
    let granted = |pdf: &std::path::Path| {
        let document = Document::load(pdf).unwrap();
        document.catalog().unwrap().has(b"Perms")
    };
    let open = tempfile::NamedTempFile::new().unwrap();
    let status = std::process::Command::new("qpdf")
        .arg("--decrypt")
        .args([&corpus::file(FILE), open.path()])
        .status();
    assert!(status.unwrap().success());
    assert!(granted(open.path()));
    for level in [OptimizeLevel::Lossless, OptimizeLevel::Balanced] {
        let result = optimized(FILE, level);
        assert!(!granted(result.path()));
        assert!(result.warnings().contains(&"signature_invalidated"));
    }
}
