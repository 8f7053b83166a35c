//! The routes of the library: list, search, import, read, change, delete, download and process saved documents.
#![cfg_attr(test, allow(missing_docs))]

mod change;
mod content;
mod download;
mod import;
mod list;
mod pages;
mod process;
mod read;
mod search;
mod subject;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use contract::code::ErrorCode;
use domain::id::{DocumentId, VersionId};
use domain::key::Pepper;
use domain::library::{Document, Version};
use domain::ports::{
    Callers, Events, FetchRemote, Jobs, Library, Objects, Outbox, Queues, Uploads,
};
use domain::submit::Retention;
use fetch::Policy;
use runtime::api::{Api, Call, Gate, Issuer};
use runtime::refusal::Refusal;

/// How long the fetch of an import may take: the gateway waits 30 seconds for everything.
pub const FETCH_WITHIN: Duration = Duration::from_secs(18);

/// What the routes of the library may do.
pub trait Ports:
    Callers + Events + Jobs + Library + Objects + Outbox + Queues + Uploads + 'static
{
}

impl<P> Ports for P where
    P: Callers + Events + Jobs + Library + Objects + Outbox + Queues + Uploads + 'static
{
}

/// What the handlers share.
struct State<P> {
    ports: Arc<P>,
    sources: Arc<dyn FetchRemote>,
    pepper: Pepper,
    guard: Policy,
    retention: Retention,
}

/// The routes of the library over `ports`; `guard` judges the URLs of imports, `sources` fetches them, and `retention` is
/// how long idempotency keys and jobs live.
#[must_use]
pub fn api<P: Ports>(
    ports: Arc<P>,
    sources: Arc<dyn FetchRemote>,
    pepper: Pepper,
    issuer: Issuer,
    guard: Policy,
    retention: Retention,
) -> Api<impl Send + Sync + 'static> {
    let callers = Arc::clone(&ports) as Arc<dyn Callers>;
    let gate = Gate::new(callers, pepper.clone(), issuer);
    let library = State {
        ports,
        sources,
        pepper,
        guard,
        retention,
    };
    Api::new("documents", Arc::new(library), Some(gate))
        .route("listDocuments", list::list_documents)
        .route("searchDocuments", search::search_documents)
        .route("importDocument", import::import_document)
        .route("getDocument", read::get_document)
        .route("updateDocument", change::update_document)
        .route("deleteDocument", change::delete_document)
        .route("downloadDocument", download::download_document)
        .route("downloadVersion", download::download_version)
        .route("listPages", pages::list_pages)
        .route("processDocument", process::process_document)
        .route("processPage", process::process_page)
}

/// The caller's document that the path names. Another account's document is not told apart from none.
async fn owned_document<P: Library>(ports: &P, call: &Call) -> Result<Document, Refusal> {
    let id = document_id(call)?;
    let found = ports.document(&call.caller()?.account_id, &id).await?;
    found.ok_or_else(document_not_found)
}

/// The caller's document and the version of it that the path names.
async fn owned_version<P: Library>(ports: &P, call: &Call) -> Result<(Document, Version), Refusal> {
    let (account, document) = (&call.caller()?.account_id, document_id(call)?);
    let version: Option<VersionId> = call.parameter("versionId").parse().ok();
    let found = match &version {
        Some(version) => ports.version(account, &document, version).await?,
        None => None,
    };
    match found {
        Some(found) => Ok(found),
        None if ports.document(account, &document).await?.is_some() => {
            Err(Refusal::not_found(ErrorCode::VersionNotFound))
        }
        None => Err(document_not_found()),
    }
}

fn document_id(call: &Call) -> Result<DocumentId, Refusal> {
    let id = call.parameter("documentId").parse();
    id.map_err(|_| document_not_found())
}

fn document_not_found() -> Refusal {
    Refusal::not_found(ErrorCode::DocumentNotFound)
}

/// The refusal of a cursor that was made for something else.
fn invalid_cursor() -> Refusal {
    let detail =
        "use the nextCursor of the page before, with the same account and the same filters";
    Refusal::new(ErrorCode::InvalidCursor, detail)
}

/// What a cursor is bound to: the account, the list and the filters as they were written.
fn cursor_scope<'a>(call: &'a Call, filters: &[&str]) -> Result<Vec<&'a str>, Refusal> {
    let given = filters
        .iter()
        .map(|name| call.query().get(*name).map_or("", String::as_str));
    let mut scope = vec![call.caller()?.account_id.as_str(), call.route.operation];
    scope.extend(given);
    Ok(scope)
}
