//! `GET /documents/{documentId}`.

use std::sync::Arc;

use contract::document::{DocumentDetail, SHOWN_VERSIONS};
use domain::library::Document;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Ports, State, owned_document};

pub(crate) async fn get_document<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let document = owned_document(library.ports.as_ref(), &request).await?;
    detail(library.ports.as_ref(), &document).await
}

/// Creates the response with a document and its newest versions.
pub(crate) async fn detail<P: Ports>(ports: &P, document: &Document) -> Result<Response, ApiError> {
    let versions = ports.versions(&document.id, SHOWN_VERSIONS).await?;
    Ok(Response::json(
        200,
        &DocumentDetail::of(document, &versions),
    ))
}
