//! Operation `pdfa`.

use std::process::Command;

use domain::format::Format;
use domain::job::JobErrorCode;
use domain::operation::Operation;
use engine::EngineError;
use serde_json::json;
use task::{OUTPUT, Product};

use crate::attachments::{document, info, invoice};
use crate::sample_documents::{pdf, stream};
use crate::{corpus, harness, poppler, qpdf};

const LEVELS: [(&str, &str, &str); 4] = [
    ("1b", "1", "B"),
    ("2b", "2", "B"),
    ("2u", "2", "U"),
    ("3b", "3", "B"),
];

fn step(level: &str) -> Operation {
    Operation::read(&json!({"operation": "pdfa", "level": level}), "$").unwrap()
}

fn archived(document: &[u8], level: &str) -> harness::Converted {
    let result = harness::run_bytes(document, Format::Pdf, &[step(level)]);
    let result = result.unwrap_or_else(|error| panic!("{level}: {error:?}"));
    qpdf::check(result.path(), "");
    result
}

#[test]
fn each_level_has_its_identification_and_keeps_the_document() {
    let file = "pdf-text/multi_page.pdf";
    let source = std::fs::read(corpus::file(file)).unwrap();
    let words = poppler::words(&corpus::file(file));
    for (level, part, conformance) in LEVELS {
        let result = archived(&source, level);
        let packet = poppler::packet(result.path());
        let part = format!("<pdfaid:part>{part}</pdfaid:part>");
        let conformance = format!("<pdfaid:conformance>{conformance}</pdfaid:conformance>");
        assert!(
            packet.contains(&part) && packet.contains(&conformance),
            "{packet}"
        );
        assert_eq!(poppler::words(result.path()), words, "{level}");
        // The columns of pdffonts: name, type, encoding, emb, sub, uni, object.
        for font in poppler::fonts(result.path()).lines().skip(2) {
            let embedded = font.split_whitespace().rev().nth(4);
            assert_eq!(embedded, Some("yes"), "{level}: {font}");
        }
        let text = String::from_utf8_lossy(&result.bytes()).into_owned();
        assert_eq!(text.contains("/ObjStm"), level != "1b", "{level}");
        assert!(text.starts_with(if level == "1b" {
            "%PDF-1.4"
        } else {
            "%PDF-1.7"
        }));
    }
}

#[test]
fn metadata_language_bookmarks_and_page_labels_are_kept() {
    let file = corpus::file("pdf-text/page-labels-and-outlines.pdf");
    let titled =
        json!({"operation": "metadata", "title": "\u{dc}bersicht <1>", "author": "\u{6f22}"});
    let titled = Operation::read(&titled, "$").unwrap();
    let source = harness::run(&file, Format::Pdf, &[titled]).unwrap();
    let result = archived(&source.bytes(), "2b");
    let (before, after) = (info(&source.bytes()), info(&result.bytes()));
    for key in ["title", "author", "created", "pages", "pageSizes"] {
        assert_eq!(after[key], before[key], "{key}");
    }
    assert_eq!(after["title"], "\u{dc}bersicht <1>");
    assert_eq!(qpdf::outline(result.path()), qpdf::outline(source.path()));
    let labels = |pdf| qpdf::json(pdf, "pagelabels");
    assert_eq!(labels(result.path()), labels(source.path()));
}

#[test]
fn attached_files_are_kept_in_level_3b_only() {
    let xml = invoice("urn:cen.eu:en16931:2017", "");
    let source = document("factur-x.xml", xml.as_bytes());
    for (level, _, _) in LEVELS {
        let result = archived(&source, level);
        let is_kept = level == "3b";
        let info = info(&result.bytes());
        assert_eq!(
            info["attachmentCount"],
            if is_kept { 2 } else { 0 },
            "{level}"
        );
        let warnings = result.warnings();
        assert_eq!(
            warnings.contains(&"attachments_left_out"),
            !is_kept,
            "{level}"
        );
        if is_kept {
            assert_eq!(info["eInvoice"]["grossTotal"], "119.00");
            assert_eq!(info["attachments"][0]["relationship"], "Alternative");
        }
    }
}

#[test]
fn values_of_forms_become_page_content() {
    let source = std::fs::read(corpus::file("pdf-forms/annotation-text-widget.pdf")).unwrap();
    let result = archived(&source, "2b");
    assert!(
        result.warnings().contains(&"fields_flattened"),
        "{:?}",
        result.warnings()
    );
    assert_eq!(info(&result.bytes())["forms"], false);
    let words = poppler::words(result.path());
    assert!(words.iter().any(|word| word == "Multiline"), "{words:?}");
}

/// A document that claims to be PDF/A-1b, and is signed, tagged, and has scripts, a launch action, a movie and a hidden layer.
fn forged(visible: &str) -> Vec<u8> {
    let claim = r#"<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:pdfaid="http://www.aiim.org/pdfa/ns/id/"><pdfaid:part>1</pdfaid:part><pdfaid:conformance>B</pdfaid:conformance></rdf:Description></rdf:RDF></x:xmpmeta>"#;
    let objects = [
        b"<</Type/Catalog/Pages 2 0 R/Metadata 5 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\))>>/Names<</JavaScript<</Names[(a)<</S/JavaScript/JS(app.beep\\(\\))>>]>>>>/AcroForm<</SigFlags 3/Fields[]>>/StructTreeRoot<</Type/StructTreeRoot>>/OCProperties<</OCGs[6 0 R]/D<</OFF[6 0 R]>>>>>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Group<</S/Transparency/CS/DeviceCMYK>>/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>/Properties<</L 6 0 R>>>>/Annots[<</Type/Annot/Subtype/Link/Rect[0 0 50 50]/A<</S/Launch/F(run.exe)>>>><</Type/Annot/Subtype/Movie/Rect[50 50 90 90]/Movie<</F(film.avi)>>>><</Type/Annot/Subtype/Link/Rect[0 60 50 90]/A<</S/URI/URI(https://example.com/)>>>>]>>".to_vec(),
        stream("", format!("0 0 0 1 k BT /F 24 Tf 20 150 Td ({visible}) Tj ET /OC /L BDC BT /F 24 Tf 20 100 Td (Secret) Tj ET EMC").as_bytes()),
        stream("/Type/Metadata/Subtype/XML", claim.as_bytes()),
        b"<</Type/OCG/Name(Notes)>>".to_vec(),
    ];
    pdf(&objects)
}

#[test]
fn a_document_that_only_claims_to_conform_is_converted() {
    for (level, _, _) in LEVELS {
        let result = archived(&forged("Visible text"), level);
        assert_eq!(poppler::words(result.path()), ["Visible", "text"]);
        let objects = Command::new("qpdf")
            .args(["--qdf", "--object-streams=disable"])
            .args([result.path(), "-".as_ref()])
            .output();
        let objects = String::from_utf8_lossy(&objects.unwrap().stdout).into_owned();
        for part in [
            "/JavaScript",
            "/Launch",
            "/Movie",
            "run.exe",
            "Secret",
            "/DeviceCMYK",
        ] {
            assert!(!objects.contains(part), "{level}: {part}");
        }
        assert!(objects.contains("https://example.com/"), "{level}");
        let warnings = result.warnings();
        for code in ["sanitized", "tags_left_out", "signature_invalidated"] {
            assert!(warnings.contains(&code), "{level}: {code}: {warnings:?}");
        }
        let mut warnings = result.artifact.warnings.iter();
        let sanitized = warnings
            .find(|warning| warning.code == "sanitized")
            .unwrap();
        let data = &sanitized.data;
        assert_eq!(
            (&data["javascript"], &data["hiddenLayers"]),
            (&json!(2), &json!(1)),
            "{data:?}"
        );
    }
}

#[test]
fn verification_rejects_a_document_that_only_claims_to_conform() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("source.pdf");
    let source = forged("Visible text");
    std::fs::write(&file, &source).unwrap();
    let verified = |result: &[u8]| {
        std::fs::write(directory.path().join(OUTPUT), result).unwrap();
        let mut task =
            harness::conversion_task((&file, Format::Pdf), Format::Pdf, directory.path());
        task.operation = step("1b");
        verify::archivable(&task, &Product::default())
    };
    assert!(verified(&archived(&source, "1b").bytes()).is_ok());
    // A document that does not conform, and a conforming one with other text.
    let other = archived(&forged("Some words"), "1b");
    for (result, reason) in [(&source, "ISO 19005"), (&other.bytes(), "other text")] {
        let Err(task::TaskError::Document(error)) = verified(result) else {
            panic!("{reason}: it is accepted");
        };
        assert_eq!(error.code, JobErrorCode::OutputInvalid);
        assert!(error.message.contains(reason), "{}", error.message);
    }
}

#[test]
fn links_are_kept_unless_they_are_hidden() {
    let link = |flags: &str, address: &str| {
        format!(
            "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]{flags}/A<</S/URI/URI(https://e.org/{address})>>>>"
        )
    };
    let dead = "<</Type/Annot/Subtype/Link/Rect[0 0 9 9]/F 4/Dest(nowhere)>>";
    let annotations = [
        link("", "a"),
        link("/F 3", "hidden"),
        link("/F 257", "b"),
        dead.to_owned(),
    ];
    let source = pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Annots[{}4 0 R]>>",
            annotations.concat()
        )
        .into_bytes(),
        link("/F 4", "c").into_bytes(),
    ]);
    for (level, _, _) in LEVELS {
        let result = archived(&source, level);
        let objects = qpdf::json(result.path(), "qpdf").to_string();
        let kept =
            ["a", "b", "c", "hidden"].map(|name| objects.contains(&format!("e.org/{name}\"")));
        assert_eq!(kept, [true, true, true, false], "{level}");
        assert_eq!(objects.matches("/Link").count(), 3, "{level}");
    }
}

#[test]
fn characters_without_text_cannot_have_level_2u() {
    let glyph = |name: &str| {
        let font = format!(
            "<</Type/Font/Subtype/Type3/FontBBox[0 0 750 750]/FontMatrix[.001 0 0 .001 0 0]/FirstChar 97/LastChar 97/Widths[1000]/Encoding<</Type/Encoding/Differences[97/{name}]>>/CharProcs<</{name} 5 0 R>>/Resources<<>>>>"
        );
        pdf(&[
            b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
            format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F {font}>>>>>>").into_bytes(),
            stream("", b"BT /F 48 Tf 20 100 Td (aaa) Tj ET"),
            stream("", b"1000 0 0 0 750 750 d1 0 0 750 750 re f"),
        ])
    };
    assert_eq!(poppler::words(archived(&glyph("a"), "2u").path()), ["aaa"]);
    archived(&glyph("g12"), "2b");
    let refused = harness::run_bytes(&glyph("g12"), Format::Pdf, &[step("2u")]);
    let Err(EngineError::Document(error)) = refused else {
        panic!("it is accepted");
    };
    assert_eq!(error.code, JobErrorCode::OutputInvalid);
    assert!(
        error.message.contains("`level` to `2b`"),
        "{}",
        error.message
    );
}

/// A page with a text under an image with this soft mask, or under a transparent rectangle.
fn transparent(mask: Option<&[u8; 4]>) -> Vec<u8> {
    let (resource, content) = match mask {
        Some(_) => (
            "/XObject<</I 5 0 R>>",
            "BT /F 24 Tf 20 150 Td (Some text) Tj ET q 60 0 0 60 20 20 cm /I Do Q",
        ),
        None => (
            "/ExtGState<</G<</ca .5>>>>",
            "BT /F 24 Tf 20 150 Td (Some text) Tj ET /G gs 0 1 0 rg 20 140 100 40 re f",
        ),
    };
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!("<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<<{resource}/Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>").into_bytes(),
        stream("", content.as_bytes()),
        stream("/Type/XObject/Subtype/Image/Width 1/Height 1/BitsPerComponent 8/ColorSpace/DeviceRGB/SMask 6 0 R", &[255, 0, 0]),
        stream("/Type/XObject/Subtype/Image/Width 2/Height 2/BitsPerComponent 8/ColorSpace/DeviceGray", mask.unwrap_or(&[0; 4])),
    ])
}

#[test]
fn soft_masks_of_images_become_hard_in_level_1b() {
    let result = archived(&transparent(Some(&[0, 255, 255, 0])), "1b");
    assert_eq!(poppler::words(result.path()), ["Some", "text"]);
    let picture = poppler::picture(result.path(), 1, 72);
    // The quarters of the image: white where the mask hides it.
    let quarter = |x, y| picture.get_pixel(x, y).0 == [255, 0, 0];
    let quarters = [(35, 135), (65, 135), (35, 165), (65, 165)].map(|(x, y)| quarter(x, y));
    assert_eq!(quarters, [false, true, true, false]);
}

#[test]
fn transparent_pages_with_text_cannot_have_level_1b() {
    for document in [transparent(None), transparent(Some(&[0, 255, 120, 0]))] {
        archived(&document, "2b");
        let refused = harness::run_bytes(&document, Format::Pdf, &[step("1b")]);
        let Err(EngineError::Document(error)) = refused else {
            panic!("it is accepted");
        };
        assert_eq!(error.code, JobErrorCode::OutputInvalid);
        assert!(error.message.contains("transparency"), "{}", error.message);
    }
}

#[test]
fn a_small_drawing_that_looks_different_is_rejected() {
    // Ghostscript draws large glyphs of PDF/A-1 in a wrong size.
    let source = std::fs::read(corpus::file("pdf-text/simpletype3font.pdf")).unwrap();
    let refused = harness::run_bytes(&source, Format::Pdf, &[step("1b")]);
    let Err(EngineError::Document(error)) = refused else {
        panic!("it is accepted");
    };
    assert!(
        error.message.contains("a part of a page"),
        "{}",
        error.message
    );
    archived(&source, "2b");
}

#[test]
fn protected_documents_need_their_password_or_permission() {
    for (file, expected) in [
        (
            "pdf-encrypted/aes-256-r6.pdf",
            JobErrorCode::PasswordRequired,
        ),
        ("pdf-forms/form_dd0293.pdf", JobErrorCode::PermissionDenied),
    ] {
        let refused = harness::run(&corpus::file(file), Format::Pdf, &[step("2b")]);
        assert_eq!(harness::code(refused).err(), Some(expected), "{file}");
    }
    let decrypt = json!({"operation": "decrypt", "password": "usersecret"});
    let decrypt = Operation::read(&decrypt, "$").unwrap();
    let file = corpus::file("pdf-encrypted/aes-256-r6.pdf");
    let result = harness::run(&file, Format::Pdf, &[decrypt, step("2b")]).unwrap();
    assert_eq!(info(&result.bytes())["encrypted"], false);
}

#[test]
fn fonts_of_east_asia_that_are_not_embedded_keep_their_text() {
    let file = corpus::file("pdf-text/noembed-sjis.pdf");
    let result = archived(&std::fs::read(&file).unwrap(), "2b");
    assert_eq!(poppler::words(result.path()), poppler::words(&file));
}

#[test]
fn a_result_is_reproducible() {
    let source = std::fs::read(corpus::file("pdf-text/multi_page.pdf")).unwrap();
    assert_eq!(
        archived(&source, "2b").bytes(),
        archived(&source, "2b").bytes()
    );
}

#[test]
fn real_documents_are_converted() {
    let documents = corpus::good(&["pdf-text", "pdf-scan", "pdf-forms"], 6);
    harness::each(documents, |(entry, _)| {
        let step = Operation::read(&json!({"operation": "pdfa"}), "$").unwrap();
        let result = harness::run(&entry.path(), Format::Pdf, &[step]);
        let result = match harness::code(result) {
            // The owner of this form does not permit changes.
            Err(code) => {
                assert_eq!(code, JobErrorCode::PermissionDenied, "{}", entry.file);
                assert_eq!(entry.file, "pdf-forms/form_dd0293.pdf");
                return;
            }
            Ok(result) => result,
        };
        qpdf::check(result.path(), "");
        assert_eq!(
            poppler::pages(result.path()),
            poppler::pages(&entry.path()),
            "{}",
            entry.file
        );
    });
}
