//! Files that conform, and files that break one rule.

mod rules;
mod sample;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use domain::operation::PdfaLevel;
use pdf::qpdf::QpdfJob;

use self::sample::Sample;
use super::{Violation, violations};

const LEVELS: [PdfaLevel; 4] = [
    PdfaLevel::A1b,
    PdfaLevel::A2b,
    PdfaLevel::A2u,
    PdfaLevel::A3b,
];

fn found(file: &[u8], level: PdfaLevel) -> Vec<Violation> {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    std::fs::write(&path, file).unwrap();
    violations(&path, directory.path(), level).unwrap()
}

fn clauses(file: &[u8], level: PdfaLevel) -> BTreeSet<&'static str> {
    let found = found(file, level);
    found.iter().map(|violation| violation.clause).collect()
}

/// Reads a document of the corpus, which is next to the checkout or at `OCTAVO_CORPUS`.
fn corpus(name: &str) -> Vec<u8> {
    let named = std::env::var_os("OCTAVO_CORPUS").map(PathBuf::from);
    let next_to_checkout = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    std::fs::read(named.unwrap_or_else(next_to_checkout).join(name)).unwrap()
}

#[test]
fn conforming_files_have_no_violations() {
    for level in LEVELS {
        assert_eq!(found(&Sample::new(level).bytes(), level), [], "{level:?}");
    }
}

#[test]
fn every_broken_rule_is_found() {
    let mut wrong = Vec::new();
    for (level, from, to, expected) in rules::broken() {
        let file = Sample::new(level).replace(from, &to).bytes();
        let expected: BTreeSet<&str> = expected.split(' ').collect();
        let found = clauses(&file, level);
        if found != expected {
            let change: String = to.chars().take(80).collect();
            wrong.push(format!("{level:?}: {from} → {change}: {found:?}"));
        }
    }
    assert_eq!(wrong, [""; 0]);
}

#[test]
fn a_level_is_not_another_one() {
    for level in LEVELS {
        let file = Sample::new(level).bytes();
        for other in LEVELS.into_iter().filter(|other| *other != level) {
            assert!(!found(&file, other).is_empty(), "{level:?} as {other:?}");
        }
    }
}

#[test]
fn violations_name_the_object() {
    let file = Sample::new(PdfaLevel::A2b).replace("/FontFile2 16 0 R", "");
    let found = found(&file.bytes(), PdfaLevel::A2b);
    let objects: Vec<_> = found
        .iter()
        .map(|violation| violation.object.as_deref())
        .collect();
    assert_eq!(objects, [Some("8 0 R"), Some("12 0 R")]);
}

#[test]
fn text_that_is_not_rendered_needs_no_font_program() {
    let file = Sample::new(PdfaLevel::A2b).replace("/FontFile2 16 0 R", "");
    let file = file.replace("BT ", "BT 3 Tr ");
    assert_eq!(found(&file.bytes(), PdfaLevel::A2b), []);
}

#[test]
fn transparency_needs_a_color_space_to_blend_in() {
    let file = Sample::new(PdfaLevel::A2b).replace("/S/GTS_PDFA1", "/S/Other");
    let file = file.replace("/ca 1", "/ca .5");
    let found = clauses(&file.bytes(), PdfaLevel::A2b);
    assert_eq!(Vec::from_iter(found), ["6.2.10", "6.2.4.3"]);
    let file = file.replace(
        "/Kind/Page",
        "/Group<</S/Transparency/CS[/ICCBased 5 0 R]>>",
    );
    let found = clauses(&file.bytes(), PdfaLevel::A2b);
    assert_eq!(Vec::from_iter(found), ["6.2.4.3"]);
}

#[test]
fn default_color_spaces_replace_those_of_devices() {
    let file = Sample::new(PdfaLevel::A2b).replace("1 0 0 rg", "0 0 0 1 k");
    let defaults = "/ColorSpace<</DefaultCMYK[/ICCBased 5 0 R]";
    let file = file.replace("/ColorSpace<<", defaults);
    assert_eq!(found(&file.bytes(), PdfaLevel::A2b), []);
}

#[test]
fn extension_schemas_declare_properties() {
    let schema = r#"<x:a xmlns:x="urn:x">1</x:a><e:schemas xmlns:e="http://www.aiim.org/pdfa/ns/extension/" xmlns:s="http://www.aiim.org/pdfa/ns/schema#" xmlns:p="http://www.aiim.org/pdfa/ns/property#" xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Bag><rdf:li rdf:parseType="Resource"><s:namespaceURI>urn:x</s:namespaceURI><s:property><rdf:Seq><rdf:li rdf:parseType="Resource"><p:name>a</p:name></rdf:li></rdf:Seq></s:property></rdf:li></rdf:Bag></e:schemas>"#;
    let format = "<dc:format>application/pdf</dc:format>";
    let file = Sample::new(PdfaLevel::A2b).replace(format, schema);
    assert_eq!(found(&file.bytes(), PdfaLevel::A2b), []);
    let file = file.replace("<p:name>a", "<p:name>b");
    let found = clauses(&file.bytes(), PdfaLevel::A2b);
    assert_eq!(Vec::from_iter(found), ["6.6.2.3"]);
}

#[test]
fn cross_reference_streams_are_not_in_part_1() {
    for (level, expected) in [(PdfaLevel::A1b, &["6.1.4"][..]), (PdfaLevel::A2b, &[])] {
        let directory = tempfile::tempdir().unwrap();
        let (from, to) = (directory.path().join("from"), directory.path().join("to"));
        std::fs::write(&from, Sample::new(level).bytes()).unwrap();
        let job = QpdfJob::read(&from).option("--object-streams=generate");
        job.option("--deterministic-id").write(&to).unwrap();
        let found = clauses(&std::fs::read(to).unwrap(), level);
        // libqpdf compresses the metadata as well, which only part 2 permits.
        let found = found.into_iter().filter(|clause| *clause != "6.7.2");
        assert_eq!(Vec::from_iter(found), expected, "{level:?}");
    }
}

#[test]
fn encrypted_files_do_not_conform() {
    let directory = tempfile::tempdir().unwrap();
    let (from, to) = (directory.path().join("from"), directory.path().join("to"));
    std::fs::write(&from, Sample::new(PdfaLevel::A2b).bytes()).unwrap();
    let job = QpdfJob::read(&from).options(&["--encrypt", "", "owner", "256", "--"]);
    job.write(&to).unwrap();
    let found = clauses(&std::fs::read(to).unwrap(), PdfaLevel::A2b);
    assert!(found.contains("6.1.3"), "{found:?}");
}

#[test]
fn files_of_the_corpus_are_classified() {
    assert_eq!(
        found(&corpus("pdf-text/text_only_pdfa1b.pdf"), PdfaLevel::A1b),
        []
    );
    for name in [
        "basicapi",
        "rotation",
        "vector",
        "text_only_fontsNotEmbedded",
    ] {
        let file = corpus(&format!("pdf-text/{name}.pdf"));
        for level in LEVELS {
            assert!(!found(&file, level).is_empty(), "{name}");
        }
    }
}

#[test]
fn the_number_of_violations_is_bounded() {
    let form = "/Kind/Page/Annots[ANNOTS]";
    let bad = "<</Type/Annot/Subtype/Movie>>".repeat(200);
    let file = Sample::new(PdfaLevel::A2b).replace("/Annots[13 0 R 14 0 R]", "");
    let file = file.replace("/Kind/Page", &form.replace("ANNOTS", &bad));
    assert!(found(&file.bytes(), PdfaLevel::A2b).len() <= 100);
}
