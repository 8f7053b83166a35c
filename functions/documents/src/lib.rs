//! Document library routes: list, search, import, get, update, delete, download and process documents.
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
use runtime::api::{Api, Authenticator, Issuer, Request};
use runtime::error::ApiError;

/// Timeout of an import's fetch. API Gateway's limit for the whole request is 30 seconds.
pub const FETCH_TIMEOUT: Duration = Duration::from_secs(18);

/// Ports that the library routes use.
pub trait Ports:
    Callers + Events + Jobs + Library + Objects + Outbox + Queues + Uploads + 'static
{
}

impl<P> Ports for P where
    P: Callers + Events + Jobs + Library + Objects + Outbox + Queues + Uploads + 'static
{
}

/// State shared by the handlers.
struct State<P> {
    ports: Arc<P>,
    sources: Arc<dyn FetchRemote>,
    pepper: Pepper,
    guard: Policy,
    retention: Retention,
}

/// Creates the library routes over `ports`. `guard` checks import URLs, `sources` fetches them; `retention` applies to
/// idempotency keys and jobs.
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
    let authenticator = Authenticator::new(callers, pepper.clone(), issuer);
    let library = State {
        ports,
        sources,
        pepper,
        guard,
        retention,
    };
    Api::new("documents", Arc::new(library), Some(authenticator))
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

/// Loads the document in the path. Returns 404 for documents of other accounts, too, so that IDs cannot be probed.
async fn owned_document<P: Library>(ports: &P, request: &Request) -> Result<Document, ApiError> {
    let id = document_id(request)?;
    let found = ports.document(&request.caller()?.account_id, &id).await?;
    found.ok_or_else(document_not_found)
}

/// Loads the document and the version in the path.
async fn owned_version<P: Library>(
    ports: &P,
    request: &Request,
) -> Result<(Document, Version), ApiError> {
    let (account, document) = (&request.caller()?.account_id, document_id(request)?);
    let version: Option<VersionId> = request.parameter("versionId").parse().ok();
    let found = match &version {
        Some(version) => ports.version(account, &document, version).await?,
        None => None,
    };
    match found {
        Some(found) => Ok(found),
        None if ports.document(account, &document).await?.is_some() => {
            Err(ApiError::not_found(ErrorCode::VersionNotFound))
        }
        None => Err(document_not_found()),
    }
}

fn document_id(request: &Request) -> Result<DocumentId, ApiError> {
    let id = request.parameter("documentId").parse();
    id.map_err(|_| document_not_found())
}

fn document_not_found() -> ApiError {
    ApiError::not_found(ErrorCode::DocumentNotFound)
}

/// Creates the error for a cursor that is malformed or belongs to another list.
fn invalid_cursor() -> ApiError {
    let detail = "The cursor is invalid. Use the nextCursor of the previous page, with the same account and filters.";
    ApiError::new(ErrorCode::InvalidCursor, detail)
}

/// Returns the values to which a cursor is bound: account, route and filters as in the request.
fn cursor_scope<'a>(request: &'a Request, filters: &[&str]) -> Result<Vec<&'a str>, ApiError> {
    let values = filters
        .iter()
        .map(|name| request.query().get(*name).map_or("", String::as_str));
    let mut scope = vec![
        request.caller()?.account_id.as_str(),
        request.route.operation,
    ];
    scope.extend(values);
    Ok(scope)
}
