//! The overlay document: one page for each page to mark.

use std::collections::BTreeMap;

use lopdf::{Document, Object, ObjectId, Stream, dictionary};
use task::TaskResult;

use super::mark::Mark;
use super::page::DisplayedPage;
use crate::text_drawing::{FontSet, Line};

/// The overlay pages so far.
pub(super) struct OverlayPages {
    document: Document,
    fonts: FontSet,
    stamp: Option<ObjectId>,
    tree: ObjectId,
    pages: Vec<Object>,
    opacity: f32,
    /// Content streams by content and page size, so that equal ones are stored once.
    contents: BTreeMap<(String, [u32; 2]), ObjectId>,
}

impl OverlayPages {
    /// Creates an overlay without pages, in a document that may contain a stamp.
    pub(super) fn new(mut document: Document) -> Self {
        let tree = document.new_object_id();
        Self {
            document,
            fonts: FontSet::default(),
            stamp: None,
            tree,
            pages: Vec::new(),
            opacity: 1.0,
            contents: BTreeMap::new(),
        }
    }

    /// The document that contains the stamp.
    pub(super) fn document_mut(&mut self) -> &mut Document {
        &mut self.document
    }

    /// Uses this form XObject as the stamp.
    pub(super) fn use_stamp(&mut self, form: ObjectId) {
        self.stamp = Some(form);
    }

    /// Shapes a line of text.
    pub(super) fn line(&mut self, text: &str) -> TaskResult<Line> {
        self.fonts.line(text)
    }

    /// Adds a page with a mark.
    pub(super) fn add(&mut self, page: &DisplayedPage, mark: &Mark, opacity: f32) {
        self.opacity = opacity;
        let document = &mut self.document;
        let sides = [page.width, page.height].map(f32::to_bits);
        let content = self
            .contents
            .entry((mark.0.clone(), sides))
            .or_insert_with(|| {
                // An artifact, so that screen readers skip it.
                let operators = format!("/Artifact BMC q /G gs {} Q EMC", mark.0);
                document.add_object(Stream::new(dictionary! {}, operators.into_bytes()))
            });
        let page = dictionary! {
            "Type" => "Page",
            "Parent" => self.tree,
            "MediaBox" => vec![0.into(), 0.into(), page.width.into(), page.height.into()],
            "Contents" => *content,
        };
        let page = self.document.add_object(page);
        self.pages.push(page.into());
    }

    /// Finishes the document.
    pub(super) fn finish(mut self) -> TaskResult<Document> {
        let state = dictionary! {
            "Type" => "ExtGState", "ca" => self.opacity, "CA" => self.opacity,
        };
        let mut resources = dictionary! { "ExtGState" => dictionary! { "G" => state } };
        let fonts = self.fonts.embed(&mut self.document)?;
        resources.set("Font", fonts);
        if let Some(stamp) = self.stamp {
            resources.set("XObject", dictionary! { "S" => stamp });
        }
        let resources = self.document.add_object(resources);
        let count = i64::try_from(self.pages.len()).unwrap_or(i64::MAX);
        let tree = dictionary! {
            "Type" => "Pages", "Kids" => self.pages, "Count" => count, "Resources" => resources,
        };
        self.document.objects.insert(self.tree, tree.into());
        let catalog = dictionary! { "Type" => "Catalog", "Pages" => self.tree };
        let catalog = self.document.add_object(catalog);
        self.document.trailer.set("Root", catalog);
        Ok(self.document)
    }
}
