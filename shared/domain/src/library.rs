//! The library of saved documents: records, lists, search, changes and imports.

mod change;
mod draft;
mod event;
mod filter;
mod fold;
mod import;
mod inspection;
mod job_outcome;
mod list;
mod media_type;
mod page;
mod process;
mod record;
mod removal;
mod search;
mod tags;
mod words;

pub use change::Change;
pub use draft::Draft;
pub use filter::{Filter, SearchText};
pub use import::{Import, ImportStart};
pub use inspection::{Inspection, InspectionTerms};
pub use job_outcome::{Findings, LibraryChange, NewVersion, VersionPages};
pub use list::{ListedDocuments, list};
pub use media_type::{OCTET_STREAM, contradicts, is_mail, media_type};
pub use page::{
    MAX_PAGE_NUMBER, Page, PageSize, SIZES_IN_RECORD, page_id, page_number, version_prefix,
};
pub use process::{Processing, SelectedPage};
pub use record::{Document, DocumentSource, DocumentStatus, ROOT_FOLDER, Version};
pub use removal::Removal;
pub use search::{Hit, MatchedBy, Position, Search, SearchResults, search};
pub use tags::{InvalidTags, MAX_TAGS, read_tags, tag};
pub use words::{Words, query_words};

use crate::id::DocumentId;

/// Number of shards of the index of pending cleanups.
pub const SHARDS: u8 = 4;

/// Returns the shard of a document's pending cleanups.
#[must_use]
pub fn shard(document: &DocumentId) -> u8 {
    let add = |sum: u8, byte: u8| sum.wrapping_mul(31).wrapping_add(byte);
    document.as_str().bytes().fold(0, add) % SHARDS
}

/// Maximum number of document records that one filtered request examines.
pub const MAX_EXAMINED: u32 = 5_000;
