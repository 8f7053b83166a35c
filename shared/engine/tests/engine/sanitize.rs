//! Operation `sanitize`.

use std::path::Path;
use std::process::Command;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use serde_json::{Value, json};

use crate::sample_documents::{pdf, stream};
use crate::{corpus, harness, poppler, qpdf};

fn step(options: &Value) -> Operation {
    let mut item = json!({"operation": "sanitize"});
    for (key, value) in options.as_object().into_iter().flatten() {
        item[key] = value.clone();
    }
    Operation::read(&item, "$").unwrap_or_else(|error| panic!("{item}: {error:?}"))
}

fn sanitized(document: &[u8], options: &Value) -> harness::Converted {
    let result = harness::run_bytes(document, Format::Pdf, &[step(options)]);
    let result = result.unwrap_or_else(|error| panic!("{options}: {error:?}"));
    qpdf::check(result.path(), "");
    result
}

/// The objects as text, with uncompressed streams.
fn expanded(pdf: &Path) -> String {
    let output = Command::new("qpdf")
        .args(["--qdf", "--object-streams=disable"])
        .args([pdf, Path::new("-")])
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// The parts of the hostile document below.
const HOSTILE: [&str; 24] = [
    "/JavaScript",
    "/JS",
    "app.alert",
    "/Launch",
    "/GoToE",
    "/SubmitForm",
    "/AA",
    "javascript:",
    "file:",
    "/EmbeddedFile",
    "/Filespec",
    "/FileAttachment",
    "/AF",
    "/XFA",
    "/Movie",
    "/RichMedia",
    "/Unknown",
    "/Collection",
    "/OFF",
    "(Hidden)",
    "hidden-word",
    "/Perms",
    "/SpiderInfo",
    "payload",
];
/// Parts with metadata.
const METADATA: [&str; 6] = [
    "/Metadata",
    "/PieceInfo",
    "/Info",
    "/LastModified",
    "/Thumb",
    "secret-title",
];

/// A document with something of each kind that is removed: in names, the catalog, a page, annotations, fields and an outline.
fn hostile() -> Vec<u8> {
    hostile_with("", "")
}

/// The same with this content and these members of the catalog.
fn hostile_with(content: &str, catalog: &str) -> Vec<u8> {
    let script = "<</S/JavaScript/JS(app.alert\\(1\\))>>";
    let objects: Vec<Vec<u8>> = [
        format!("<</Type/Catalog/Pages 2 0 R/Names<</JavaScript<</Names[(a){script}]>>/EmbeddedFiles<</Names[(f) 12 0 R]>>>>\
            /OpenAction{script}/AA<</WC{script}>>/Outlines 9 0 R/AcroForm<</Fields[8 0 R]/XFA 13 0 R/CO[8 0 R]/DA(/F 0 Tf)>>\
            /AF[12 0 R]/Collection<</View/T>>/Metadata 13 0 R/PieceInfo<</A<</Private(x)>>>>/Perms<</UR 13 0 R>>/SpiderInfo<<>>\
            /Unknown(x)/OCProperties<</OCGs[15 0 R 16 0 R]/D<</OFF[15 0 R]/Order[15 0 R 16 0 R]>>>>{catalog}>>"),
        "<</Type/Pages/Kids[3 0 R]/Count 1>>".to_owned(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents[4 0 R 14 0 R]/AA<</O{script}>>/Thumb 13 0 R\
            /LastModified(D:2020)/Metadata 13 0 R/PieceInfo<</A<</Private(x)>>>>/Unknown 1\
            /Resources<</Font<</F 5 0 R>>/Properties<</H 15 0 R/V 16 0 R/M 17 0 R/E 18 0 R>>/XObject<</I 19 0 R/X 20 0 R>>>>\
            /Annots[6 0 R 7 0 R 8 0 R 10 0 R 11 0 R 21 0 R 22 0 R 23 0 R 24 0 R]>>"),
        String::new(),
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>".to_owned(),
        "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(https://example.com/)/Next[<</S/Launch/F(x.exe)/Next\
            <</S/URI/URI(mailto:a@example.com)>>>>]>>>>".to_owned(),
        "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/URI/URI(javascript:alert\\(1\\))>>>>".to_owned(),
        format!("<</Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(value)/Rect[20 20 90 40]/AA<</K{script}>>/A<</S/SubmitForm/F(http://x)>>\
            /MK<<>>/AP<</N 25 0 R>>>>"),
        "<</Type/Outlines/First 26 0 R/Last 26 0 R/Count 1>>".to_owned(),
        "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/A<</S/GoToE/T<</R/C/N(f)>>>>/PA<</S/URI/URI(file:///x)>>>>".to_owned(),
        "<</Type/Annot/Subtype/FileAttachment/Rect[0 0 9 9]/FS 12 0 R>>".to_owned(),
        "<</Type/Filespec/F(f)/EF<</F 27 0 R>>>>".to_owned(),
        String::new(),
        String::new(),
        "<</Type/OCG/Name(Hidden)>>".to_owned(),
        "<</Type/OCG/Name(Visible)>>".to_owned(),
        "<</Type/OCMD/OCGs[15 0 R 16 0 R]/P/AllOn>>".to_owned(),
        "<</Type/OCMD/VE[/Not[/And 15 0 R 16 0 R]]>>".to_owned(),
        String::new(),
        String::new(),
        "<</Type/Annot/Subtype/Movie/Rect[0 0 9 9]/Movie<</F(m)>>/AP<</N 25 0 R>>>>".to_owned(),
        "<</Type/Annot/Subtype/Stamp/Rect[0 90 200 120]/OC 15 0 R/AP<</N 28 0 R>>>>".to_owned(),
        "<</Type/Annot/Subtype/RichMedia/Rect[0 0 9 9]/RichMediaContent<<>>>>".to_owned(),
        "<</Type/Annot/Subtype/Popup/Rect[0 0 9 9]/Parent 11 0 R>>".to_owned(),
        String::new(),
        format!("<</Title(T)/Parent 9 0 R/A{script}>>"),
        String::new(),
        String::new(),
    ]
    .map(String::into_bytes)
    .to_vec();
    let mut objects = objects;
    let text = |word: &str, y: u32| format!("BT /F 12 Tf 20 {y} Td ({word}) Tj ET ");
    let page = [
        text("first", 300),
        format!("/OC /H BDC 1 0 0 rg {}", text("hidden-word", 280)),
        "0 0 50 50 re f EMC ".to_owned(),
        format!("/OC /M BDC /X Do {} EMC", text("hidden-word", 260)),
    ];
    objects[3] = stream("", page.concat().as_bytes());
    let page = [
        format!(
            "/OC /V BDC {} EMC /OC /E BDC {} EMC ",
            text("second", 240),
            text("third", 220)
        ),
        format!("/I Do 0 g {content}"),
    ];
    objects[12] = stream("/Type/Metadata/Subtype/XML", b"secret-title");
    objects[13] = stream("", page.concat().as_bytes());
    objects[18] = stream(
        "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Metadata 13 0 R",
        b"0",
    );
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 300 400]/Resources<</Font<</F 5 0 R>>>>";
    objects[19] = stream(form, text("hidden-word", 200).as_bytes());
    objects[24] = stream("/Subtype/Form/BBox[0 0 70 20]", b"0 1 0 rg 0 0 70 20 re f");
    objects[26] = stream("/Type/EmbeddedFile", b"payload");
    objects[27] = stream(form, text("hidden-word", 10).as_bytes());
    let document = String::from_utf8(pdf(&objects)).unwrap();
    let trailer = "/Root 1 0 R/Info<</Title(secret-title)>>";
    document.replace("/Root 1 0 R", trailer).into_bytes()
}

fn count(result: &harness::Converted, part: &str) -> u64 {
    let warnings = result.artifact.warnings.iter();
    let mut warnings = warnings.filter(|warning| warning.code == "sanitized");
    warnings.next().unwrap().data[part].as_u64().unwrap()
}

#[test]
fn what_acts_or_hides_is_removed() {
    let source = hostile();
    let result = sanitized(&source, &json!({"metadata": true}));
    let objects = expanded(result.path());
    for part in HOSTILE.into_iter().chain(METADATA) {
        assert!(!objects.contains(part), "{part} in {objects}");
    }
    for part in [
        "https://example.com/",
        "mailto:a@example.com",
        "(Visible)",
        "/Outlines",
        "(value)",
    ] {
        assert!(objects.contains(part), "{part} is not in {objects}");
    }
    assert_eq!(poppler::words(result.path()), ["first", "second", "third"]);
    assert_eq!(poppler::field(result.path(), "JavaScript"), "no");
    let files = Command::new("pdfdetach")
        .arg("-list")
        .arg(result.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&files.stdout), "0 embedded files\n");
    for (part, least) in [
        ("javascript", 6),
        ("actions", 4),
        ("attachments", 3),
        ("hiddenLayers", 4),
        ("metadata", 8),
        ("other", 5),
    ] {
        assert!(
            count(&result, part) >= least,
            "{part}: {}",
            count(&result, part)
        );
    }
    // The color that hidden content set last, and the picture of the movie, stay.
    let picture = poppler::picture(result.path(), 1, 72);
    assert_eq!(picture.get_pixel(5, 395).0, [0, 255, 0]);
}

#[test]
fn parts_stay_on_request() {
    let result = sanitized(&hostile(), &json!({}));
    let objects = expanded(result.path());
    for part in METADATA {
        assert!(objects.contains(part), "{part} in {objects}");
    }
    let all =
        json!({"javascript": false, "actions": false, "attachments": false, "hiddenLayers": false});
    let result = sanitized(&hostile(), &all);
    let objects = expanded(result.path());
    for part in [
        "/JavaScript",
        "/JS",
        "/Launch",
        "/GoToE",
        "/SubmitForm",
        "/EmbeddedFile",
        "/FileAttachment",
        "/OFF",
        "hidden-word",
        "/AA",
        "/Collection",
    ] {
        assert!(objects.contains(part), "{part} is not in {objects}");
    }
}

#[test]
fn an_image_of_a_hidden_layer_is_removed_from_inherited_resources() {
    let image = |gray: &str| {
        let members = format!(
            "/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray/Decode[0 {gray}]"
        );
        stream(&members, b"0")
    };
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R/OCProperties<</OCGs[5 0 R]/D<</OFF[5 0 R]>>>>>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1/Resources<</Properties<</H 5 0 R>>/XObject<</A 6 0 R/B 7 0 R>>>>>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 4 0 R>>".to_vec(),
        stream("", b"/A Do /OC /H BDC /B Do EMC"),
        b"<</Type/OCG/Name(Hidden)>>".to_vec(),
        image("0.25"),
        image("0.75"),
    ];
    let objects = expanded(sanitized(&pdf(&objects), &json!({})).path());
    assert!(objects.contains("0.25"), "{objects}");
    assert!(!objects.contains("0.75"), "{objects}");
}

#[test]
fn texts_of_hidden_content_are_removed_from_the_structure() {
    let form = "/Type/XObject/Subtype/Form/BBox[0 0 9 9]/StructParents 1";
    let content =
        "/P <</MCID 0>> BDC EMC /OC /H BDC /P <</MCID 1/Lang(en)>> BDC EMC /P /M BDC EMC /X Do EMC";
    let element = |text: &str, kid: &str| {
        format!("<</Type/StructElem/S/Figure/P 7 0 R/Pg 3 0 R/ActualText({text})/K {kid}>>")
    };
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R/MarkInfo<</Marked true>>/StructTreeRoot 7 0 R\
          /OCProperties<</OCGs[5 0 R]/D<</OFF[5 0 R]>>>>>>"
            .to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 400]/Contents 4 0 R/StructParents 0/Annots[14 0 R]\
          /Resources<</Properties<</H 5 0 R/M<</MCID 2>>>>/XObject<</X 6 0 R>>>>>>"
            .to_vec(),
        stream("", content.as_bytes()),
        b"<</Type/OCG/Name(Hidden)>>".to_vec(),
        stream(form, b"/P <</MCID 0>> BDC EMC"),
        b"<</Type/StructTreeRoot/K[8 0 R 9 0 R 10 0 R 11 0 R 12 0 R 13 0 R]>>".to_vec(),
        element("kept text", "0").into_bytes(),
        element("secret of a mark", "1").into_bytes(),
        element("secret of a listed mark", "2").into_bytes(),
        element("secret of a form", "<</Type/MCR/Stm 6 0 R/MCID 0>>").into_bytes(),
        element("secret of an object", "<</Type/OBJR/Obj 6 0 R>>").into_bytes(),
        element("secret of an annotation", "<</Type/OBJR/Obj 14 0 R>>").into_bytes(),
        b"<</Type/Annot/Subtype/Stamp/Rect[0 0 9 9]/OC 5 0 R>>".to_vec(),
    ];
    let objects = expanded(sanitized(&pdf(&objects), &json!({})).path());
    assert!(objects.contains("kept text"), "{objects}");
    assert!(!objects.contains("secret"), "{objects}");
}

#[test]
fn text_that_hidden_text_positions_is_rejected() {
    let content = "BT /F 12 Tf 20 150 Td /OC /H BDC (hidden) Tj EMC (shown) Tj ET";
    let result = harness::run_bytes(&hostile_with(content, ""), Format::Pdf, &[step(&json!({}))]);
    assert_eq!(
        harness::code(result).err(),
        Some(JobErrorCode::InputCorrupt)
    );
    sanitized(&hostile_with(content, ""), &json!({"hiddenLayers": false}));
}

#[test]
fn verification_rejects_what_is_left() {
    let source = hostile();
    let options = json!({"metadata": true});
    let right = String::from_utf8_lossy(&sanitized_plain(&source)).into_owned();
    let mut left = vec![(right.clone(), None)];
    for (members, expected) in [
        ("/OpenAction<</S/JavaScript/JS(1)>>", "scripts"),
        ("/OpenAction<</S/Launch>>", "actions"),
        ("/AA<</WC<</S/GoTo>>>>", "actions"),
        ("/Names<</EmbeddedFiles<<>>>>", "embedded files"),
        ("/A<</S/URI/URI(javascript:1)>>", "neither to a web page"),
        ("/Metadata<<>>", "metadata"),
        ("/XFA 1", "an XFA form"),
    ] {
        let changed = right.replace("/Type /Catalog", &format!("/Type /Catalog {members}"));
        assert_ne!(changed, right);
        left.push((changed, Some(expected)));
    }
    left.push((
        right.replace("/D <<", "/D << /OFF []"),
        Some("layer is hidden"),
    ));
    left.push((right.replace("(value)", "(other)"), Some("another value")));
    left.push((right.replace("(second)", "(s3cond)"), Some("words differ")));
    left.push((
        right.replace("0 0 70 20 re", "0 0 20 9 re"),
        Some("looks different"),
    ));
    left.push((
        right.clone() + "\nstartxref\n0\n%%EOF\n",
        Some("earlier revisions"),
    ));
    left.push((String::from_utf8_lossy(&source).into_owned(), Some("")));
    for (result, expected) in left {
        let files = (source.as_slice(), result.as_bytes());
        harness::assert_verification(verify::sanitized, step(&options), files, expected);
    }
}

/// The result without compression.
fn sanitized_plain(source: &[u8]) -> Vec<u8> {
    let result = sanitized(source, &json!({"metadata": true}));
    let output = Command::new("qpdf")
        .args([
            "--stream-data=uncompress",
            "--object-streams=disable",
            "--static-id",
        ])
        .args([result.path(), Path::new("-")])
        .output()
        .unwrap();
    output.stdout
}

#[test]
fn an_encrypted_and_a_signed_document_are_sanitized() {
    let directory = tempfile::tempdir().unwrap();
    let [plain, protected] = ["plain", "protected"].map(|name| directory.path().join(name));
    std::fs::write(&plain, hostile()).unwrap();
    let status = Command::new("qpdf")
        .args(["--encrypt", "", "owner", "256", "--modify=none", "--"])
        .args([&plain, &protected])
        .status()
        .unwrap();
    assert!(status.success());
    let denied = harness::run(&protected, Format::Pdf, &[step(&json!({}))]);
    assert_eq!(
        harness::code(denied).err(),
        Some(JobErrorCode::PermissionDenied)
    );
    let unprotected = hostile_with("", "/AcroForm<</SigFlags 3/Fields[]>>");
    let signed =
        String::from_utf8_lossy(&unprotected).replace("/XFA 13 0 R", "/SigFlags 3/XFA 13 0 R");
    let result = sanitized(signed.as_bytes(), &json!({}));
    assert!(
        result.warnings().contains(&"signature_invalidated"),
        "{:?}",
        result.warnings()
    );
}

#[test]
fn corpus_documents_are_sanitized() {
    for (entry, format) in corpus::entries(&["pdf-text", "pdf-forms", "pdf-scan"], &["ok"]) {
        let result = harness::run(&entry.path(), format, &[step(&json!({"metadata": true}))]);
        let result = match harness::code(result) {
            // The owner of this form does not permit changes.
            Err(code) => {
                assert_eq!(code, JobErrorCode::PermissionDenied, "{}", entry.file);
                assert_eq!(entry.file, "pdf-forms/form_dd0293.pdf");
                continue;
            }
            Ok(result) => result,
        };
        let objects = expanded(result.path());
        for part in [
            "/JavaScript",
            "/Launch",
            "/EmbeddedFile",
            "/Metadata",
            "/PieceInfo",
        ] {
            assert!(!objects.contains(part), "{}: {part}", entry.file);
        }
    }
}
