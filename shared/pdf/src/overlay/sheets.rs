//! The document that is laid over another: a page for each page that gets a mark.

use std::collections::BTreeMap;

use lopdf::{Document, Object, ObjectId, Stream, dictionary};
use task::Outcome;

use super::mark::Mark;
use super::sheet::Sheet;
use crate::lettering::{Lettering, Line};

/// The pages so far.
pub(super) struct Sheets {
    document: Document,
    lettering: Lettering,
    stamp: Option<ObjectId>,
    tree: ObjectId,
    pages: Vec<Object>,
    opacity: f32,
    /// Marks that are the same on many pages are there once.
    contents: BTreeMap<(String, [u32; 2]), ObjectId>,
}

impl Sheets {
    /// No page yet, in a document that may hold a stamp.
    pub(super) fn new(mut document: Document) -> Self {
        let tree = document.new_object_id();
        Self {
            document,
            lettering: Lettering::default(),
            stamp: None,
            tree,
            pages: Vec::new(),
            opacity: 1.0,
            contents: BTreeMap::new(),
        }
    }

    /// The document that holds the stamp.
    pub(super) fn document_mut(&mut self) -> &mut Document {
        &mut self.document
    }

    /// Draws this stamp.
    pub(super) fn use_stamp(&mut self, form: ObjectId) {
        self.stamp = Some(form);
    }

    /// The line of a text, for marks.
    pub(super) fn line(&mut self, text: &str) -> Outcome<Line> {
        self.lettering.line(text)
    }

    /// Adds a page with a mark.
    pub(super) fn add(&mut self, sheet: &Sheet, mark: &Mark, opacity: f32) {
        self.opacity = opacity;
        let document = &mut self.document;
        let sides = [sheet.width, sheet.height].map(f32::to_bits);
        let content = self
            .contents
            .entry((mark.0.clone(), sides))
            .or_insert_with(|| {
                // Readers aloud pass over it.
                let operators = format!("/Artifact BMC q /G gs {} Q EMC", mark.0);
                document.add_object(Stream::new(dictionary! {}, operators.into_bytes()))
            });
        let page = dictionary! {
            "Type" => "Page",
            "Parent" => self.tree,
            "MediaBox" => vec![0.into(), 0.into(), sheet.width.into(), sheet.height.into()],
            "Contents" => *content,
        };
        let page = self.document.add_object(page);
        self.pages.push(page.into());
    }

    /// The document.
    pub(super) fn finish(mut self) -> Outcome<Document> {
        let state = dictionary! {
            "Type" => "ExtGState", "ca" => self.opacity, "CA" => self.opacity,
        };
        let mut resources = dictionary! { "ExtGState" => dictionary! { "G" => state } };
        let fonts = self.lettering.embed(&mut self.document)?;
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
