//! The library: saved documents with their versions and pages, how they are listed, searched, changed and imported.

mod change;
mod draft;
mod event;
mod filter;
mod fold;
mod import;
mod list;
mod look;
mod media_type;
mod outcome;
mod page;
mod process;
mod record;
mod removal;
mod search;
mod tags;
mod words;

pub use change::Change;
pub use draft::Draft;
pub use filter::{Filter, Needle};
pub use import::{Import, ImportStart};
pub use list::{Listed, list};
pub use look::{Look, LookTerms};
pub use media_type::{OCTETS, contradicts, media_type};
pub use outcome::{Findings, LibraryChange, NewVersion, VersionPages};
pub use page::{Page, PageSize, SIZES_IN_RECORD, page_id, page_number, version_prefix};
pub use process::{PageOf, Processing};
pub use record::{Document, DocumentSource, DocumentStatus, ROOT_FOLDER, Version};
pub use removal::Removal;
pub use search::{Found, Hit, MatchedBy, Position, Search, search};
pub use tags::{InvalidTags, MOST_TAGS, read_tags, tag};
pub use words::{Words, words_of_query};

use crate::id::DocumentId;

/// Over how many shards the index of what waits is spread.
pub const SHARDS: u8 = 4;

/// The shard that everything of a document waits in.
#[must_use]
pub fn shard(document: &DocumentId) -> u8 {
    let add = |sum: u8, byte: u8| sum.wrapping_mul(31).wrapping_add(byte);
    document.as_str().bytes().fold(0, add) % SHARDS
}

/// Most slim records that one request with filters examines.
pub const EXAMINED: u32 = 5_000;
