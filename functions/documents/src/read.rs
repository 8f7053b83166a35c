//! `GET /documents/{documentId}`.

use std::sync::Arc;

use contract::document::{DocumentDetail, SHOWN_VERSIONS};
use domain::library::Document;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Ports, State, owned_document};

pub(crate) async fn get_document<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let document = owned_document(library.ports.as_ref(), &call).await?;
    detail(library.ports.as_ref(), &document).await
}

/// The answer that shows a document with its newest versions.
pub(crate) async fn detail<P: Ports>(ports: &P, document: &Document) -> Result<Answer, Refusal> {
    let versions = ports.versions(&document.id, SHOWN_VERSIONS).await?;
    Ok(Answer::json(200, &DocumentDetail::of(document, &versions)))
}
