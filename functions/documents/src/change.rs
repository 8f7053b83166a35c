//! `PATCH` and `DELETE /documents/{documentId}`.

use std::sync::Arc;
use std::time::Duration;

use contract::document::ChangeDocument;
use domain::event::Event;
use domain::library::{Change, Document, Removal};
use domain::outbox;
use domain::ports::PortError;
use runtime::api::{Request, Response};
use runtime::error::ApiError;
use tokio::time::timeout;

use crate::read::detail;
use crate::{Ports, State, document_not_found, owned_document};

/// Maximum attempts of a conditional write that loses to concurrent writes.
const MAX_WRITE_ATTEMPTS: u32 = 8;

pub(crate) async fn update_document<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let change =
        ChangeDocument::read(&request.json()?).map_err(|errors| request.malformed(errors))?;
    for _ in 0..MAX_WRITE_ATTEMPTS {
        if let Some(document) = try_to_change(library.ports.as_ref(), &request, &change).await? {
            return detail(library.ports.as_ref(), &document).await;
        }
    }
    Err(PortError::Contended.into())
}

/// Applies the change and returns the new document; `None` if a concurrent change won.
async fn try_to_change<P: Ports>(
    ports: &P,
    request: &Request,
    change: &Change,
) -> Result<Option<Document>, ApiError> {
    let document = owned_document(ports, request).await?;
    let Some(changed) = change.apply(&document, request.now) else {
        return Ok(Some(document));
    };
    let written = ports.replace_document(&changed, document.revision).await?;
    Ok(written.then_some(changed))
}

/// Timeout for deleting the document's versions and files within the request.
const PURGE_TIMEOUT: Duration = Duration::from_secs(5);

/// Deletes the document in one transaction, then its versions and files. If that fails or times out, `sweep` completes it.
pub(crate) async fn delete_document<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let ports = library.ports.as_ref();
    let document = owned_document(ports, &request).await?;
    let removal = Removal {
        account_id: document.account_id,
        document_id: document.id,
        removed_at: request.now,
    };
    if !ports.remove_document(&removal).await? {
        return Err(document_not_found());
    }
    tracing::info!(document_id = %removal.document_id, "document deleted");
    outbox::publish(ports, &[Event::of_removal(&removal)]).await;
    match timeout(PURGE_TIMEOUT, ports.purge(&removal, false)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => {
            tracing::warn!(%error, "purge of a deleted document failed; sweep retries it");
        }
        Err(_) => tracing::info!("purge of a deleted document timed out; sweep continues it"),
    }
    Ok(Response::empty(204))
}
