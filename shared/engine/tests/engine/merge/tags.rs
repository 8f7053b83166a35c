//! What documents say of their parts stays with them when they become one.

use std::path::{Path, PathBuf};

use super::{Files, merge};
use crate::documents::{numbered, pdf, stream};
use crate::{corpus, poppler, qpdf, rig};

/// A page with a heading, a paragraph and a link, all of them tagged. The heading bears a role of its own.
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

/// Each page's marked content and objects lead to elements on that very page.
fn lead_to_their_own_pages(path: &Path) {
    let document = lopdf::Document::load(path).unwrap();
    let root = document
        .catalog()
        .unwrap()
        .get_deref(b"StructTreeRoot", &document)
        .unwrap();
    let root = root.as_dict().unwrap();
    let parents = numbers(&document, root.get_deref(b"ParentTree", &document).unwrap());
    let mut seen = std::collections::HashSet::new();
    for page in document.get_pages().into_values() {
        let about = document.get_dictionary(page).unwrap();
        let Ok(number) = about.get(b"StructParents") else {
            continue;
        };
        let number = number.as_i64().unwrap();
        assert!(seen.insert(number), "{number} twice");
        let elements = document.dereference(&parents[&number]).unwrap().1;
        for element in elements.as_array().unwrap() {
            let element = document.dereference(element).unwrap().1.as_dict().unwrap();
            assert_eq!(element.get(b"Pg").unwrap().as_reference().unwrap(), page);
        }
        for annotation in document.get_page_annotations(page).unwrap() {
            let number = annotation.get(b"StructParent").unwrap().as_i64().unwrap();
            assert!(seen.insert(number), "{number} twice");
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
    assert!(seen.iter().all(|number| *number < next));
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
fn tags_of_every_document_stay() {
    for count in [2, 20, 30] {
        let words: Vec<String> = (0..count).map(|number| format!("word{number}")).collect();
        let files: Vec<Vec<u8>> = words.iter().map(|word| tagged(word, "H1", "en")).collect();
        let made = Files::new(&files).merge().unwrap();
        qpdf::check(made.path(), "");
        assert_eq!(poppler::field(made.path(), "Tagged"), "yes");
        assert_eq!(poppler::field(made.path(), "Suspects"), "no");
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        assert_eq!(
            poppler::tagged_texts(made.path()),
            expected(&words),
            "{count}"
        );
        lead_to_their_own_pages(made.path());
    }
}

#[test]
fn a_document_without_tags_takes_none_of_another_one() {
    let untagged = numbered("plain", 2);
    for order in [[0, 1, 2], [1, 0, 2], [0, 2, 1]] {
        let files = [
            untagged.clone(),
            tagged("one", "H1", "en"),
            tagged("two", "H1", "en"),
        ];
        let files = order.map(|index| files[index].clone());
        let made = Files::new(&files).merge().unwrap();
        qpdf::check(made.path(), "");
        let words: Vec<&str> = order
            .into_iter()
            .filter_map(|index| [None, Some("one"), Some("two")][index])
            .collect();
        assert_eq!(poppler::tagged_texts(made.path()), expected(&words));
        assert_eq!(poppler::field(made.path(), "Suspects"), "yes");
        lead_to_their_own_pages(made.path());
    }
}

/// A page without tags, on which an annotation and a form bear numbers of tags that are gone.
fn numbers_that_lead_nowhere() -> Vec<u8> {
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
fn numbers_of_tags_that_are_gone_lead_to_no_other_tags() {
    for order in [[0, 1], [1, 0]] {
        let files = [numbers_that_lead_nowhere(), tagged("one", "H1", "en")];
        let made = Files::new(&order.map(|index: usize| files[index].clone()))
            .merge()
            .unwrap();
        qpdf::check(made.path(), "");
        assert_eq!(poppler::tagged_texts(made.path()), expected(&["one"]));
        let document = lopdf::Document::load(made.path()).unwrap();
        let bearers = document.objects.values().filter_map(|object| match object {
            lopdf::Object::Dictionary(about) => Some(about),
            lopdf::Object::Stream(stream) => Some(&stream.dict),
            _ => None,
        });
        let bearers =
            bearers.filter(|about| about.has(b"StructParent") || about.has(b"StructParents"));
        // The page of the tagged document and its link.
        assert_eq!(bearers.count(), 2, "{order:?}");
    }
}

#[test]
fn names_that_mean_different_things_are_told_apart() {
    let files = [tagged("one", "H1", "en"), tagged("two", "H3", "de")];
    let made = Files::new(&files).merge().unwrap();
    let document = lopdf::Document::load(made.path()).unwrap();
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
    assert_eq!(tops.filter(|tells| *tells).count(), 1);
}

#[test]
fn real_tagged_documents_keep_all_of_their_elements() {
    let entries = corpus::good(&["pdf-text"], usize::MAX).into_iter();
    let paths: Vec<PathBuf> = entries
        .map(|(entry, _)| entry.path())
        .filter(|path| poppler::field(path, "Tagged") == "yes")
        .filter(|path| poppler::field(path, "Encrypted") == "no")
        .collect();
    assert!(paths.len() > 2, "{paths:?}");
    let elements = |path: &Path| poppler::structure(path).lines().count();
    let borrowed: Vec<&Path> = paths.iter().map(PathBuf::as_path).collect();
    let made = merge(&borrowed, rig::GENEROUS).unwrap();
    qpdf::check(made.path(), "");
    let sum: usize = paths.iter().map(|path| elements(path)).sum();
    assert_eq!(elements(made.path()), sum);
    let again = merge(&borrowed, rig::GENEROUS).unwrap();
    assert_eq!(again.artifact.sha256, made.artifact.sha256);
}
