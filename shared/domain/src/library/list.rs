//! The list of an account's documents, newest first, page by page.

use crate::id::{AccountId, DocumentId};
use crate::ports::{Library, PortError};

use super::EXAMINED;
use super::filter::{Filter, Needle};
use super::record::Document;

/// One page of a list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listed {
    /// The documents.
    pub documents: Vec<Document>,
    /// How many slim records were examined.
    pub scanned: u32,
    /// The last one that was examined, when there are others behind it.
    pub next: Option<DocumentId>,
}

/// Up to `limit` documents older than `before` that the filter admits and whose name holds `name`.
///
/// The store is asked once for a page without filters, unless archived documents lie in between. With filters it is asked
/// until the page is full or [`EXAMINED`] records were looked at; the page may then be empty and still not be the last.
/// A page continues behind the last record that was examined, whether it is still there or not: what is added is newer,
/// and what is deleted is missing, but nothing else is lost or repeated.
///
/// # Errors
/// [`PortError`] when the store fails.
pub async fn list<P>(
    ports: &P,
    account: &AccountId,
    filter: &Filter,
    name: Option<&Needle>,
    before: Option<DocumentId>,
    limit: u32,
) -> Result<Listed, PortError>
where
    P: Library + ?Sized,
{
    let mut page = Listed::default();
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let mut before = before;
    // One more than the page holds tells whether there is another page.
    let mut at_once = match (filter.is_empty(), name) {
        (true, None) => limit.saturating_add(1),
        _ => EXAMINED,
    };
    while page.scanned < EXAMINED {
        let slice = ports.documents(account, before.as_ref(), at_once).await?;
        for document in slice.documents {
            if page.documents.len() == most || page.scanned == EXAMINED {
                page.next = before;
                return Ok(page);
            }
            page.scanned += 1;
            before = Some(document.id.clone());
            if filter.admits(&document)
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
        at_once = EXAMINED - page.scanned;
    }
    page.next = before;
    Ok(page)
}
