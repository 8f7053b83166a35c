//! Lists of an account's documents, newest first, with pagination.

use crate::id::{AccountId, DocumentId};
use crate::ports::{Library, PortError};

use super::MAX_EXAMINED;
use super::filter::{Filter, SearchText};
use super::record::Document;

/// One page of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ListedDocuments {
    /// The documents.
    pub documents: Vec<Document>,
    /// Number of examined records.
    pub scanned: u32,
    /// The last examined document, if there are more.
    pub next: Option<DocumentId>,
}

/// Returns up to `limit` documents older than `before` that match `filter` and whose name contains `name`.
///
/// Without filters a page takes one call to the store, unless archived documents are in between. With filters, calls are
/// repeated until the page is full or [`MAX_EXAMINED`] records were examined; the page may then be empty without being the
/// last. A page continues after the last examined record, whether or not it still exists, so that no document is skipped or
/// repeated: new documents are newer, and deleted ones are missing.
///
/// # Errors
/// [`PortError`] if the store fails.
pub async fn list<P>(
    ports: &P,
    account: &AccountId,
    filter: &Filter,
    name: Option<&SearchText>,
    before: Option<DocumentId>,
    limit: u32,
) -> Result<ListedDocuments, PortError>
where
    P: Library + ?Sized,
{
    let mut page = ListedDocuments::default();
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut before = before;
    // One more record than the page needs shows whether there is another page.
    let mut at_once = match (filter.is_empty(), name) {
        (true, None) => limit.saturating_add(1),
        _ => MAX_EXAMINED,
    };
    while page.scanned < MAX_EXAMINED {
        let slice = ports.documents(account, before.as_ref(), at_once).await?;
        for document in slice.documents {
            if page.documents.len() == most || page.scanned == MAX_EXAMINED {
                page.next = before;
                return Ok(page);
            }
            page.scanned += 1;
            before = Some(document.id.clone());
            if filter.matches(&document)
                && name.is_none_or(|name| name.is_in(document.filename.as_str()))
            {
                page.documents.push(document);
            }
        }
        if !slice.more {
            return Ok(page);
        }
        if page.documents.len() == most {
            break;
        }
        at_once = MAX_EXAMINED - page.scanned;
    }
    page.next = before;
    Ok(page)
}
