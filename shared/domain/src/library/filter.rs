//! Which documents a list or a search is about.

use crate::timestamp::Timestamp;

use super::fold::fold;
use super::record::{Document, DocumentSource, DocumentStatus};

/// What a slim record has to be; what is `None` does not matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// The media type, exactly.
    pub content_type: Option<String>,
    /// The folder.
    pub folder_id: Option<String>,
    /// The group.
    pub group_id: Option<String>,
    /// How it came into the library.
    pub source: Option<DocumentSource>,
    /// The status. Without one, archived documents are left out.
    pub status: Option<DocumentStatus>,
    /// Tags that it has, all of them.
    pub tags: Vec<String>,
    /// Created then or later.
    pub from: Option<Timestamp>,
    /// Created then or earlier.
    pub to: Option<Timestamp>,
}

impl Filter {
    /// Whether nothing is asked for.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Whether `document` is one of those asked for.
    #[must_use]
    pub fn admits(&self, document: &Document) -> bool {
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

/// A text that is looked for inside another, without regard to case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle(String);

impl Needle {
    /// What to look for; `None` when that is nothing.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let folded = fold(text.trim());
        (!folded.is_empty()).then_some(Self(folded))
    }

    /// Whether it stands anywhere in `text`.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        fold(text).contains(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_needle_is_found_without_regard_to_case() {
        let needle = Needle::new(" STRASSE ").unwrap();
        assert!(needle.is_in("Alte Straße.pdf"));
        assert!(!needle.is_in("Strand.pdf"));
        assert_eq!(Needle::new("  "), None);
    }
}
