//! The content streams of pages, appearances, forms, patterns and glyphs, each read once.

use serde_json::Value;

use super::{Job, Scan};
use crate::pdf_a::objects::Dict;

impl<'a> Scan<'a, '_> {
    pub(super) fn page(&mut self, object: &'a str, page: &'a Dict, needs_space: bool) {
        let document = self.document;
        let graph = document.graph;
        let resources = self.inherited(page, "/Resources");
        let resources = resources.and_then(|value| graph.dictionary(value));
        let group = document.dict(page, "/Group");
        let space = group.and_then(|group| group.get("/CS"));
        if let Some(space) = space {
            self.colors.space(space, resources, object, self.report);
        }
        let reason =
            "a page with transparency has neither a blending color space nor an output intent";
        let is_defined = !needs_space || space.is_some();
        self.report
            .require(is_defined, object, ["", "6.2.10"], reason);
        let parts = match page.get("/Contents") {
            Some(contents) => match graph.resolve(contents) {
                Value::Array(parts) => parts.iter().collect(),
                _ => vec![contents],
            },
            None => Vec::new(),
        };
        self.due.push(Job {
            parts,
            resources,
            object,
            is_page: true,
            inherits: false,
        });
        for annotation in graph.items(page, "/Annots") {
            let appearances = graph.dictionary(annotation);
            let appearances = appearances.and_then(|dict| document.dict(dict, "/AP"));
            for appearance in appearances.into_iter().flat_map(|dict| dict.values()) {
                match document.is_stream(appearance) {
                    true => self.form(appearance, resources),
                    false => {
                        let states = graph.resolve(appearance).as_object();
                        for state in states.into_iter().flat_map(|states| states.values()) {
                            self.form(state, resources);
                        }
                    }
                }
            }
        }
    }

    /// The value of an attribute of a page, which its ancestors may have.
    fn inherited(&self, page: &'a Dict, key: &str) -> Option<&'a Value> {
        const MAX_DEPTH: usize = 60;
        let parents = std::iter::successors(Some(page), |node| self.document.dict(node, "/Parent"));
        let mut values = parents.take(MAX_DEPTH).map(|node| node.get(key));
        values.find(Option::is_some)?
    }

    /// Has a form, a pattern or a glyph read, with the resources of the content that uses it if it has none of its own.
    pub(super) fn form(&mut self, stream: &'a Value, resources: Option<&'a Dict>) {
        self.content(stream, resources, false);
    }

    pub(super) fn content(
        &mut self,
        stream: &'a Value,
        resources: Option<&'a Dict>,
        is_glyph: bool,
    ) {
        let document = self.document;
        let (Some(object), Some(dict)) = (stream.as_str(), document.graph.dictionary(stream))
        else {
            return;
        };
        if !document.is_stream(stream) || !self.seen.insert(object) {
            return;
        }
        let own = document.dict(dict, "/Resources");
        if let Some(space) = document
            .dict(dict, "/Group")
            .and_then(|group| group.get("/CS"))
        {
            self.colors
                .space(space, own.or(resources), object, self.report);
        }
        self.due.push(Job {
            parts: vec![stream],
            resources: own.or(resources),
            object,
            is_page: false,
            inherits: own.is_none() && !is_glyph,
        });
    }
}
