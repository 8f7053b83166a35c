//! Merging keeps the structure trees of all documents.

use std::path::{Path, PathBuf};

use super::{Files, merge};
use crate::sample_documents::{numbered, pdf, stream};
use crate::{corpus, harness, poppler, qpdf};

/// A tagged page with a heading, a paragraph and a link. The heading has a custom role.
fn tagged(word: &str, role: &str, language: &str) -> Vec<u8> {
    let content = format!(
        "/Heading<</MCID 0>>BDC BT/F 20 Tf 20 150 Td({word} heading)Tj ET EMC \
         /P<</MCID 1>>BDC BT/F 10 Tf 20 100 Td({word} paragraph)Tj ET EMC \
         /Link<</MCID 2>>BDC BT/F 10 Tf 20 50 Td({word} link)Tj ET EMC"
    );
    let text = |text: &str| text.as_bytes().to_vec();
    pdf(&[
        text(&format!(
            "<</Type/Catalog/Pages 2 0 R/StructTreeRoot 5 0 R/MarkInfo<</Marked true>>/Lang({language})>>"
        )),
        text("<</Type/Pages/Kids[3 0 R]/Count 1>>"),
        text(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/StructParents 0/Annots[10 0 R]/Resources<</Font<</F<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>>>>>",
        ),
        stream("", content.as_bytes()),
        text(&format!(
            "<</Type/StructTreeRoot/K 6 0 R/ParentTree 9 0 R/ParentTreeNextKey 2/RoleMap<</Heading/{role}>>/IDTree<</Names[(head)7 0 R]>>/ClassMap<</Wide<</O/Layout/SpaceAfter 7>>>>>>"
        )),
        text("<</Type/StructElem/S/Document/P 5 0 R/K[7 0 R 8 0 R]>>"),
        text("<</Type/StructElem/S/Heading/P 6 0 R/Pg 3 0 R/K 0/ID(head)/C/Wide>>"),
        text(
            "<</Type/StructElem/S/P/P 6 0 R/Pg 3 0 R/K[<</Type/MCR/Pg 3 0 R/MCID 1>>11 0 R]/A 12 0 R>>",
        ),
        text("<</Nums[0[7 0 R 8 0 R 11 0 R]1 11 0 R]>>"),
        text(
            "<</Type/Annot/Subtype/Link/Rect[20 40 80 60]/StructParent 1/A<</S/URI/URI(https://example.com/)>>>>",
        ),
        text("<</Type/StructElem/S/Link/P 8 0 R/Pg 3 0 R/K[2<</Type/OBJR/Obj 10 0 R/Pg 3 0 R>>]>>"),
        text("[<</O/Table/Headers[(head)]>>]"),
    ])
}

fn expected(words: &[&str]) -> Vec<String> {
    let of = |word: &&str| ["heading", "paragraph", "link"].map(|part| format!("{word} {part}"));
    words.iter().flat_map(of).collect()
}

/// Asserts that the marked content and objects of each page map to structure elements of that page.
fn assert_elements_belong_to_their_pages(path: &Path) {
    let document = lopdf::Document::load(path).unwrap();
    let root = document
        .catalog()
        .unwrap()
        .get_deref(b"StructTreeRoot", &document)
        .unwrap();
    let root = root.as_dict().unwrap();
    let parents = numbers(&document, root.get_deref(b"ParentTree", &document).unwrap());
    let mut decoded = std::collections::HashSet::new();
    for page in document.get_pages().into_values() {
        let about = document.get_dictionary(page).unwrap();
        let Ok(number) = about.get(b"StructParents") else {
            continue;
        };
        let number = number.as_i64().unwrap();
        assert!(decoded.insert(number), "{number} twice");
        let elements = document.dereference(&parents[&number]).unwrap().1;
        for element in elements.as_array().unwrap() {
            let element = document.dereference(element).unwrap().1.as_dict().unwrap();
            assert_eq!(element.get(b"Pg").unwrap().as_reference().unwrap(), page);
        }
        for annotation in document.get_page_annotations(page).unwrap() {
            let number = annotation.get(b"StructParent").unwrap().as_i64().unwrap();
            assert!(decoded.insert(number), "{number} twice");
            let element = document
                .dereference(&parents[&number])
                .unwrap()
                .1
                .as_dict()
                .unwrap();
            assert_eq!(element.get(b"Pg").unwrap().as_reference().unwrap(), page);
        }
    }
    let next = root.get(b"ParentTreeNextKey").unwrap().as_i64().unwrap();
    assert!(decoded.iter().all(|number| *number < next));
}

fn numbers<'d>(
    document: &'d lopdf::Document,
    node: &'d lopdf::Object,
) -> std::collections::BTreeMap<i64, lopdf::Object> {
    let node = document.dereference(node).unwrap().1.as_dict().unwrap();
    let mut found = std::collections::BTreeMap::new();
    if let Ok(pairs) = node.get_deref(b"Nums", document) {
        for pair in pairs.as_array().unwrap().chunks_exact(2) {
            found.insert(pair[0].as_i64().unwrap(), pair[1].clone());
        }
    }
    if let Ok(kids) = node.get_deref(b"Kids", document) {
        for kid in kids.as_array().unwrap() {
            found.extend(numbers(document, kid));
        }
    }
    found
}

#[test]
fn structure_trees_are_merged() {
    for count in [2, 20, 30] {
        let words: Vec<String> = (0..count).map(|number| format!("word{number}")).collect();
        let files: Vec<Vec<u8>> = words.iter().map(|word| tagged(word, "H1", "en")).collect();
        let result = Files::new(&files).merge().unwrap();
        qpdf::check(result.path(), "");
        assert_eq!(poppler::field(result.path(), "Tagged"), "yes");
        assert_eq!(poppler::field(result.path(), "Suspects"), "no");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(
            poppler::tagged_texts(result.path()),
            expected(&words),
            "{count}"
        );
        assert_elements_belong_to_their_pages(result.path());
    }
}

#[test]
fn untagged_documents_stay_untagged() {
    let untagged = numbered("plain", 2);
    for order in [[0, 1, 2], [1, 0, 2], [0, 2, 1]] {
        let files = [
            untagged.clone(),
            tagged("one", "H1", "en"),
            tagged("two", "H1", "en"),
        ];
        let files = order.map(|index| files[index].clone());
        let result = Files::new(&files).merge().unwrap();
        qpdf::check(result.path(), "");
        let words: Vec<&str> = order
            .into_iter()
            .filter_map(|index| [None, Some("one"), Some("two")][index])
            .collect();
        assert_eq!(poppler::tagged_texts(result.path()), expected(&words));
        assert_eq!(poppler::field(result.path(), "Suspects"), "yes");
        assert_elements_belong_to_their_pages(result.path());
    }
}

/// An untagged page with an annotation and a form that keep stale `StructParent` numbers.
fn with_stale_struct_parents() -> Vec<u8> {
    pdf(&[
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/StructParents 0/Annots[5 0 R]/Resources<</XObject<</X 6 0 R>>>>>>".to_vec(),
        stream("", b"/X Do"),
        b"<</Type/Annot/Subtype/Link/Rect[20 40 80 60]/StructParent 1/A<</S/URI/URI(https://example.com/)>>>>".to_vec(),
        stream("/Type/XObject/Subtype/Form/BBox[0 0 9 9]/StructParents 2", b"0 0 9 9 re f"),
    ])
}

#[test]
fn stale_struct_parents_do_not_match_other_documents() {
    for order in [[0, 1], [1, 0]] {
        let files = [with_stale_struct_parents(), tagged("one", "H1", "en")];
        let result = Files::new(&order.map(|index: usize| files[index].clone()))
            .merge()
            .unwrap();
        qpdf::check(result.path(), "");
        assert_eq!(poppler::tagged_texts(result.path()), expected(&["one"]));
        let document = lopdf::Document::load(result.path()).unwrap();
        let bearers = document.objects.values().filter_map(|object| match object {
            lopdf::Object::Dictionary(about) => Some(about),
            lopdf::Object::Stream(stream) => Some(&stream.dict),
            _ => None,
        });
        let bearers =
            bearers.filter(|about| about.has(b"StructParent") || about.has(b"StructParents"));
        // The tagged document's page and its link.
        assert_eq!(bearers.count(), 2, "{order:?}");
    }
}

#[test]
fn conflicting_role_names_are_disambiguated() {
    let files = [tagged("one", "H1", "en"), tagged("two", "H3", "de")];
    let result = Files::new(&files).merge().unwrap();
    let document = lopdf::Document::load(result.path()).unwrap();
    let root = document
        .catalog()
        .unwrap()
        .get_deref(b"StructTreeRoot", &document)
        .unwrap();
    let root = root.as_dict().unwrap();
    let roles = root
        .get_deref(b"RoleMap", &document)
        .unwrap()
        .as_dict()
        .unwrap();
    assert_eq!(roles.get(b"Heading").unwrap().as_name().unwrap(), b"H1");
    assert_eq!(roles.get(b"Heading-2").unwrap().as_name().unwrap(), b"H3");
    let elements: Vec<_> = document
        .objects
        .values()
        .filter_map(|object| object.as_dict().ok())
        .collect();
    let of_role = |role: &[u8]| {
        let named = |element: &&&lopdf::Dictionary| {
            element
                .get(b"S")
                .and_then(lopdf::Object::as_name)
                .is_ok_and(|name| name == role)
        };
        elements.iter().filter(named).copied().collect::<Vec<_>>()
    };
    let [second] = of_role(b"Heading-2")[..] else {
        panic!("no heading of the second")
    };
    assert_eq!(second.get(b"ID").unwrap().as_str().unwrap(), b"head-2");
    assert_eq!(second.get(b"C").unwrap().as_name().unwrap(), b"Wide-2");
    let headers = of_role(b"P").into_iter().map(|paragraph| {
        let attributes = paragraph
            .get_deref(b"A", &document)
            .unwrap()
            .as_array()
            .unwrap();
        let attributes = document
            .dereference(&attributes[0])
            .unwrap()
            .1
            .as_dict()
            .unwrap();
        attributes.get(b"Headers").unwrap().as_array().unwrap()[0]
            .as_str()
            .unwrap()
            .to_vec()
    });
    let mut headers: Vec<Vec<u8>> = headers.collect();
    headers.sort();
    assert_eq!(headers, [b"head".to_vec(), b"head-2".to_vec()]);
    let tops = of_role(b"Document")
        .into_iter()
        .map(|top| top.get(b"Lang").is_ok());
    assert_eq!(tops.filter(|has_language| *has_language).count(), 1);
}

#[test]
fn real_tagged_documents_keep_all_elements() {
    let entries = corpus::good(&["pdf-text"], usize::MAX).into_iter();
    let paths: Vec<PathBuf> = entries
        .map(|(entry, _)| entry.path())
        .filter(|path| poppler::field(path, "Tagged") == "yes")
        .filter(|path| poppler::field(path, "Encrypted") == "no")
        .collect();
    assert!(paths.len() > 2, "{paths:?}");
    let elements = |path: &Path| poppler::structure(path).lines().count();
    let borrowed: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let result = merge(&borrowed, harness::GENEROUS).unwrap();
    qpdf::check(result.path(), "");
    let sum: usize = paths.iter().map(|path| elements(path)).sum();
    assert_eq!(elements(result.path()), sum);
    let again = merge(&borrowed, harness::GENEROUS).unwrap();
    assert_eq!(again.artifact.sha256, result.artifact.sha256);
}
