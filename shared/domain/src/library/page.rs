//! Pages: their identifiers are computed, so that a version of thousands of pages is one record.

use serde::{Deserialize, Serialize};
use ulid::Ulid;

use crate::id::{PageId, VersionId};
use crate::timestamp::Timestamp;

/// How many of an identifier's bits are the page's number.
const NUMBER_BITS: u32 = 20;
/// How many bits of an identifier do not say when it was made.
const RANDOM_BITS: u32 = 80;
/// How many characters of an identifier say when it was made.
const TIME_LENGTH: usize = 10;

/// How many pages' sizes lie in a version's record. Those of all pages lie in an object beside its content, where there
/// are more.
pub const SIZES_IN_RECORD: u32 = 100;

/// How large a page is: in points in a PDF, in pixels in an image. Written as `[width, height]`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "(f64, f64)", into = "(f64, f64)")]
pub struct PageSize {
    /// Its width.
    pub width: f64,
    /// Its height.
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
    /// Its identifier.
    pub id: PageId,
    /// Its place, from 1 on.
    pub number: u32,
    /// How large it is, where that is known.
    pub size: Option<PageSize>,
}

/// The identifier of a page: the version's time, 60 bits of what is random in the version's identifier, and in the last
/// 20 bits the page's number. `None` for 0 and for numbers that do not fit.
#[must_use]
pub fn page_id(version: &VersionId, number: u32) -> Option<PageId> {
    if number == 0 || number >> NUMBER_BITS != 0 {
        return None;
    }
    let ulid = ulid(version.as_str())?;
    let kept = (ulid.random() << NUMBER_BITS) & ((1 << RANDOM_BITS) - 1);
    let time = i64::try_from(ulid.timestamp_ms()).ok()?;
    Some(PageId::mint(Timestamp(time), kept | u128::from(number)))
}

/// What the identifier of the version begins with that `page` belongs to: that version was created in the same
/// millisecond.
#[must_use]
pub fn version_prefix(page: &PageId) -> String {
    let ulid = page.as_str().trim_start_matches(PageId::PREFIX);
    let time: String = ulid.chars().take(TIME_LENGTH).collect();
    format!("{}{time}", VersionId::PREFIX)
}

/// The number of the page of `version` that has this identifier.
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
    fn a_page_is_found_by_its_identifier_in_its_own_version_alone() {
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
