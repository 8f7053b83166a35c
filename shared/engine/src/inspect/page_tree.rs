//! What the page tree of a PDF holds [ISO 32000-1, 7.7.3.2]. pdfium believes the number that the root of the tree states,
//! and shows no page beyond it.

use std::collections::BTreeMap;
use std::panic::catch_unwind;
use std::path::Path;

use lopdf::{Dictionary, Document, LoadOptions, Object, ObjectId};

use crate::fault::{Fault, Outcome};

/// Most nodes of a tree that are visited.
const NODES: u32 = 100_000;
/// Deepest nesting of nodes.
const DEPTH: u32 = 100;
/// Most bytes that a stream of objects inflates to.
const INFLATED: usize = 32 * 1024 * 1024;

/// How many pages the tree of a document holds; `None` where that cannot be told, which is no reason to refuse it.
///
/// # Errors
/// [`Fault::Document`] if the root of the tree states a number that is none.
pub(super) fn held(path: &Path) -> Outcome<Option<u32>> {
    let Some(document) = load(path, LoadOptions::with_filter(without_streams)) else {
        return Ok(None);
    };
    let Some((_, root)) = root(&document) else {
        return Ok(None);
    };
    match root.get_deref(b"Count", &document) {
        Ok(Object::Integer(_) | Object::Null) | Err(_) => {}
        Ok(_) => return Err(Fault::corrupt()),
    }
    Ok(Tree::walk(&document).map(|tree| tree.pages))
}

/// Writes a copy in which every node of the tree states the number of pages that it holds.
pub(super) fn mend(source: &Path, target: &Path) -> Outcome<()> {
    let mut document = load(source, LoadOptions::default()).ok_or_else(Fault::corrupt)?;
    let tree = Tree::walk(&document).ok_or_else(Fault::corrupt)?;
    for (id, pages) in tree.counts {
        if let Ok(node) = document.get_dictionary_mut(id) {
            node.set("Count", pages);
        }
    }
    // Never in place: the source may be the copy of an earlier mending.
    let partial = target.with_extension("partial");
    document.save(&partial)?;
    Ok(std::fs::rename(partial, target)?)
}

fn load(path: &Path, options: LoadOptions) -> Option<Document> {
    let options = LoadOptions {
        max_decompressed_size: Some(INFLATED),
        ..options
    };
    // What makes the library panic it has no opinion on.
    catch_unwind(|| Document::load_with_options(path, options).ok()).ok()?
}

/// Keeps what a tree may be made of, and of a stream only that there is something.
fn without_streams(id: ObjectId, object: &mut Object) -> Option<(ObjectId, Object)> {
    if let Object::Stream(stream) = object
        && !stream.dict.has_type(b"ObjStm")
    {
        *object = Object::Boolean(true);
    }
    Some((id, object.clone()))
}

fn root(document: &Document) -> Option<(ObjectId, &Dictionary)> {
    let id = document.catalog().ok()?.get(b"Pages").ok()?;
    let id = id.as_reference().ok()?;
    Some((id, document.get_dictionary(id).ok()?))
}

/// The tree, as far as it was walked.
struct Tree<'a> {
    document: &'a Document,
    /// Pages so far.
    pages: u32,
    /// Nodes and leaves so far.
    visited: u32,
    /// How many pages each inner node holds.
    counts: BTreeMap<ObjectId, u32>,
}

impl<'a> Tree<'a> {
    /// Walks the whole tree; `None` if it is too large, too deep or a circle, or if a part of it is missing.
    fn walk(document: &'a Document) -> Option<Self> {
        let (id, root) = root(document)?;
        let mut tree = Self {
            document,
            pages: 0,
            visited: 0,
            counts: BTreeMap::new(),
        };
        tree.visit(Some(id), root, 0)?;
        Some(tree)
    }

    fn visit(&mut self, id: Option<ObjectId>, node: &'a Dictionary, depth: u32) -> Option<()> {
        self.visited += 1;
        if self.visited > NODES || depth > DEPTH {
            return None;
        }
        let Ok(kids) = node.get_deref(b"Kids", self.document) else {
            self.pages += 1;
            return Some(());
        };
        let before = self.pages;
        for kid in kids.as_array().ok()? {
            let (id, kid) = self.document.dereference(kid).ok()?;
            self.visit(id, kid.as_dict().ok()?, depth + 1)?;
        }
        self.counts.extend(id.map(|id| (id, self.pages - before)));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use lopdf::dictionary;

    use super::*;

    /// A document whose tree has two pages below its root and one below an inner node.
    fn document(count: Object) -> Document {
        let mut document = Document::with_version("1.7");
        let page = || dictionary! { "Type" => "Page" };
        let pages = [(); 3].map(|()| document.add_object(page()));
        let [one, two, three] = pages.map(Object::Reference);
        let inner = dictionary! { "Type" => "Pages", "Kids" => vec![three], "Count" => 9 };
        let inner = document.add_object(inner);
        let kids = vec![one, two, inner.into()];
        let root = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
        let root = document.add_object(root);
        let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => root });
        document.trailer.set("Root", catalog);
        document
    }

    fn saved(mut document: Document) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().unwrap();
        document.save(file.path()).unwrap();
        file
    }

    #[test]
    fn pages_are_counted_whatever_the_tree_says() {
        for count in [1.into(), 3.into(), 7.into(), Object::Null] {
            let file = saved(document(count));
            assert_eq!(held(file.path()).unwrap(), Some(3));
        }
        for count in [Object::string_literal("3"), "Three".into(), 3.5.into()] {
            assert!(held(saved(document(count)).path()).is_err());
        }
    }

    #[test]
    fn a_mended_copy_states_what_it_holds() {
        let file = saved(document(1.into()));
        let target = file.path().with_extension("mended");
        mend(file.path(), &target).unwrap();
        let mended = Document::load(&target).unwrap();
        std::fs::remove_file(&target).unwrap();
        let counts: Vec<i64> = mended
            .objects
            .values()
            .filter_map(|object| object.as_dict().ok()?.get(b"Count").ok()?.as_i64().ok())
            .collect();
        assert_eq!(counts, [1, 3]);
    }

    #[test]
    fn circles_and_missing_kids_are_no_opinion() {
        let mut circle = document(3.into());
        let root = root(&circle).unwrap().0;
        let kids = vec![Object::Reference(root)];
        circle.get_dictionary_mut(root).unwrap().set("Kids", kids);
        assert_eq!(held(saved(circle).path()).unwrap(), None);
        let mut torn = document(3.into());
        torn.objects.remove(&(1, 0));
        assert_eq!(held(saved(torn).path()).unwrap(), None);
        let noise = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(noise.path(), b"%PDF-1.7 noise").unwrap();
        assert_eq!(held(noise.path()).unwrap(), None);
    }
}
