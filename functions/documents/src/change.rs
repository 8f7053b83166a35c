//! `PATCH` and `DELETE /documents/{documentId}`.

use std::sync::Arc;
use std::time::Duration;

use contract::document::ChangeDocument;
use domain::event::Event;
use domain::library::{Change, Document, Removal};
use domain::outbox;
use domain::ports::PortError;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;
use tokio::time::timeout;

use crate::read::detail;
use crate::{Ports, State, document_not_found, owned_document};

/// How often a change is made anew, because another one came before it.
const ATTEMPTS: u32 = 8;

pub(crate) async fn update_document<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let change = ChangeDocument::read(&call.json()?).map_err(|faults| call.malformed(faults))?;
    for _ in 0..ATTEMPTS {
        if let Some(document) = try_to_change(library.ports.as_ref(), &call, &change).await? {
            return detail(library.ports.as_ref(), &document).await;
        }
    }
    Err(PortError::Contended.into())
}

/// The document after the change; `None` when another change came before.
async fn try_to_change<P: Ports>(
    ports: &P,
    call: &Call,
    change: &Change,
) -> Result<Option<Document>, Refusal> {
    let document = owned_document(ports, call).await?;
    let Some(changed) = change.apply(&document, call.now) else {
        return Ok(Some(document));
    };
    let written = ports.replace_document(&changed, document.revision).await?;
    Ok(written.then_some(changed))
}

/// How long a request waits for what belonged to its document to be removed.
const PURGE_WITHIN: Duration = Duration::from_secs(5);

/// The document disappears in one write. What belonged to it is removed at once, and whatever of that fails or comes late
/// by `sweep`.
pub(crate) async fn delete_document<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let ports = library.ports.as_ref();
    let document = owned_document(ports, &call).await?;
    let removal = Removal {
        account_id: document.account_id,
        document_id: document.id,
        removed_at: call.now,
    };
    if !ports.remove_document(&removal).await? {
        return Err(document_not_found());
    }
    tracing::info!(document_id = %removal.document_id, "document deleted");
    outbox::publish(ports, &[Event::of_removal(&removal)]).await;
    match timeout(PURGE_WITHIN, ports.purge(&removal, false)).await {
        Ok(Ok(_)) => {}
        Ok(Err(error)) => {
            tracing::warn!(%error, "a deleted document is not purged; sweep will do it");
        }
        Err(_) => tracing::info!("a deleted document is not purged yet; sweep will go on"),
    }
    Ok(Answer::empty(204))
}
