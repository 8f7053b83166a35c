//! Tags: short labels given by the owner, compared without regard to case.

use std::ops::RangeInclusive;

use thiserror::Error;
use unicode_normalization::UnicodeNormalization;

/// Maximum number of tags of a document.
pub const MAX_TAGS: usize = 50;

/// Allowed length of a tag in characters.
const LENGTH: RangeInclusive<usize> = 1..=50;

/// Why tags are invalid.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum InvalidTags {
    /// The tag at this index is empty, too long, or contains a comma or a control character.
    #[error("must be 1 to 50 characters without commas and control characters")]
    Tag(usize),
    /// There are too many tags.
    #[error("must be at most 50 tags")]
    TooMany,
}

/// Normalizes a tag: NFKC, lower case, trimmed. `None` if it is invalid.
#[must_use]
pub fn tag(text: &str) -> Option<String> {
    let lower = text.nfkc().collect::<String>().to_lowercase();
    let tag: String = lower.trim().nfkc().collect();
    let right =
        LENGTH.contains(&tag.chars().count()) && !tag.chars().any(|c| c == ',' || c.is_control());
    right.then_some(tag)
}

/// Normalizes tags: sorted, without duplicates.
///
/// # Errors
/// [`InvalidTags`] for the first invalid tag, or if there are too many.
pub fn read_tags<T: AsRef<str>>(texts: &[T]) -> Result<Vec<String>, InvalidTags> {
    let read = |(place, text): (usize, &T)| tag(text.as_ref()).ok_or(InvalidTags::Tag(place));
    let mut tags = texts
        .iter()
        .enumerate()
        .map(read)
        .collect::<Result<Vec<_>, _>>()?;
    tags.sort_unstable();
    tags.dedup();
    if tags.len() > MAX_TAGS {
        return Err(InvalidTags::TooMany);
    }
    Ok(tags)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_normalized_sorted_and_deduplicated() {
        let tags = read_tags(&[" Tax ", "ﬁnance", "tax", "ÄRGER"]).unwrap();
        assert_eq!(tags, ["finance", "tax", "ärger"]);
        assert_eq!(read_tags::<&str>(&[]), Ok(Vec::new()));
    }

    #[test]
    fn an_invalid_tag_is_reported_with_its_index() {
        let long = "x".repeat(51);
        for bad in ["", "   ", "a,b", "a\u{7}b", long.as_str()] {
            assert_eq!(
                read_tags(&["fine", bad]),
                Err(InvalidTags::Tag(1)),
                "{bad:?}"
            );
        }
        assert!(tag(&"x".repeat(50)).is_some());
    }

    #[test]
    fn fifty_are_allowed() {
        let tags: Vec<String> = (0..51).map(|n| format!("t{n}")).collect();
        assert_eq!(read_tags(&tags), Err(InvalidTags::TooMany));
        assert_eq!(read_tags(&tags[1..]).unwrap().len(), 50);
        let same = vec!["x"; 51];
        assert_eq!(read_tags(&same).unwrap(), ["x"]);
    }
}
