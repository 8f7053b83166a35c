//! Filters of lists and searches.

use crate::timestamp::Timestamp;

use super::fold::fold;
use super::record::{Document, DocumentSource, DocumentStatus};

/// A filter on document records; `None` matches everything.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Media type, exactly.
    pub content_type: Option<String>,
    /// Folder.
    pub folder_id: Option<String>,
    /// Group.
    pub group_id: Option<String>,
    /// How the document was created.
    pub source: Option<DocumentSource>,
    /// Status. Without one, archived documents do not match.
    pub status: Option<DocumentStatus>,
    /// Tags that a document must all have.
    pub tags: Vec<String>,
    /// Created at this time or later.
    pub from: Option<Timestamp>,
    /// Created at this time or earlier.
    pub to: Option<Timestamp>,
}

impl Filter {
    /// Whether the filter matches every document.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether `document` matches the filter.
    #[must_use]
    pub fn matches(&self, document: &Document) -> bool {
        let same =
            |wanted: &Option<String>, is: Option<&str>| wanted.is_none() || wanted.as_deref() == is;
        same(&self.content_type, Some(&document.content_type))
            && same(&self.folder_id, Some(&document.folder_id))
            && same(&self.group_id, document.group_id.as_deref())
            && self.source.is_none_or(|source| document.source == source)
            && self.admits_status(document.status)
            && self.tags.iter().all(|tag| document.tags.contains(tag))
            && self.from.is_none_or(|from| document.created_at >= from)
            && self.to.is_none_or(|to| document.created_at <= to)
    }

    fn admits_status(&self, status: DocumentStatus) -> bool {
        match self.status {
            Some(wanted) => wanted == status,
            None => status != DocumentStatus::Archived,
        }
    }
}

/// A search text, matched anywhere in another text, ignoring case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchText(String);

impl SearchText {
    /// Creates a search text; `None` if `text` is blank.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let folded = fold(text.trim());
        (!folded.is_empty()).then_some(Self(folded))
    }

    /// Whether `text` contains the search text.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        fold(text).contains(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_text_matches_ignoring_case() {
        let needle = SearchText::new(" STRASSE ").unwrap();
        assert!(needle.is_in("Alte Straße.pdf"));
        assert!(!needle.is_in("Strand.pdf"));
        assert_eq!(SearchText::new("  "), None);
    }
}
