//! Automatic styles that hide what they apply to.

use std::collections::HashSet;

use crate::content::item::Unreadable;
use crate::content::xml::{Node, walk};

/// Names of styles that hide sheets, slides and text.
#[derive(Default)]
pub(super) struct HiddenStyles {
    pub(super) tables: HashSet<String>,
    pub(super) pages: HashSet<String>,
    pub(super) texts: HashSet<String>,
}

impl HiddenStyles {
    /// Reads the styles of a part.
    pub(super) fn read(&mut self, part: &[u8]) -> Result<(), Unreadable> {
        let mut current = None;
        walk(part, |node, _| {
            let Node::Start(element) = node else { return };
            match element.name() {
                "style" => current = element.attribute("name"),
                "table-properties" if element.has("display", "false") => {
                    self.tables.extend(current.clone());
                }
                "drawing-page-properties" if element.has("visibility", "hidden") => {
                    self.pages.extend(current.clone());
                }
                "text-properties" if element.has("display", "none") => {
                    self.texts.extend(current.clone());
                }
                _ => {}
            }
        })
    }
}
