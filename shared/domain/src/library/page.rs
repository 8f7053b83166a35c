//! Pages. Their identifiers are computed, so that a version with thousands of pages is one record.

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::id::{PageId, VersionId};
use crate::timestamp::Timestamp;

/// Number of identifier bits for the page number.
const NUMBER_BITS: u32 = 20;
/// Largest page number: the identifiers of pages have 20 bits for it.
pub const MAX_PAGE_NUMBER: u32 = (1 << NUMBER_BITS) - 1;
/// Number of identifier bits other than the time.
const RANDOM_BITS: u32 = 80;
/// Number of identifier characters for the time.
const TIME_LENGTH: usize = 10;

/// Maximum number of page sizes in a version record. If there are more, an object next to the content contains the sizes of
/// all pages.
pub const SIZES_IN_RECORD: u32 = 100;

/// Page size, in points in a PDF and in pixels in an image. Serialized as `[width, height]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(f64, f64)", into = "(f64, f64)")]
pub struct PageSize {
    /// Width.
    pub width: f64,
    /// Height.
    pub height: f64,
}

impl From<(f64, f64)> for PageSize {
    fn from((width, height): (f64, f64)) -> Self {
        Self { width, height }
    }
}

impl From<PageSize> for (f64, f64) {
    fn from(size: PageSize) -> Self {
        (size.width, size.height)
    }
}

/// A page of a version.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    /// Identifier.
    pub id: PageId,
    /// Page number, from 1.
    pub number: u32,
    /// Page size, if known.
    pub size: Option<PageSize>,
}

/// Returns the identifier of a page: the time of the version, 60 random bits of the version's identifier, and the page number
/// in the last 20 bits. `None` for 0 and for numbers that do not fit.
#[must_use]
pub fn page_id(version: &VersionId, number: u32) -> Option<PageId> {
    if number == 0 || number > MAX_PAGE_NUMBER {
        return None;
    }
    let ulid = ulid(version.as_str())?;
    let kept = (ulid.random() << NUMBER_BITS) & ((1 << RANDOM_BITS) - 1);
    let time = i64::try_from(ulid.timestamp_ms()).ok()?;
    Some(PageId::mint(Timestamp(time), kept | u128::from(number)))
}

/// Returns the prefix of the identifier of the version to which `page` belongs: that version was created in the same
/// millisecond.
#[must_use]
pub fn version_prefix(page: &PageId) -> String {
    let ulid = page.as_str().trim_start_matches(PageId::PREFIX);
    let time: String = ulid.chars().take(TIME_LENGTH).collect();
    format!("{}{time}", VersionId::PREFIX)
}

/// Returns the number of the page of `version` with this identifier.
#[must_use]
pub fn page_number(version: &VersionId, page: &PageId) -> Option<u32> {
    let random = ulid(page.as_str())?.random();
    let number = u32::try_from(random & ((1 << NUMBER_BITS) - 1)).ok()?;
    (page_id(version, number).as_ref() == Some(page)).then_some(number)
}

fn ulid(id: &str) -> Option<Ulid> {
    Ulid::from_string(id.split_once('_')?.1).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_identifier_is_valid_in_its_own_version_only() {
        let version = VersionId::mint(Timestamp(1_795_250_000_000), u128::MAX);
        let other = VersionId::mint(Timestamp(1_795_250_000_000), 5);
        for number in [1, 2, 5_000, (1 << 20) - 1] {
            let page = page_id(&version, number).unwrap();
            assert_eq!(page_number(&version, &page), Some(number));
            assert_eq!(page_number(&other, &page), None);
        }
        let page = page_id(&version, 7).unwrap();
        assert!(version.as_str().starts_with(&version_prefix(&page)));
        let later = VersionId::mint(Timestamp(1_795_250_000_001), u128::MAX);
        assert!(!later.as_str().starts_with(&version_prefix(&page)));
        assert_eq!(page_id(&version, 0), None);
        assert_eq!(page_id(&version, 1 << 20), None);
    }
}
