//! Download routes: redirects to presigned URLs of versions.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::route::Header;
use domain::source::version_object;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Ports, State, owned_document, owned_version};

/// Redirects to the current version, with the document's current filename.
pub(crate) async fn download_document<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let ports = library.ports.as_ref();
    let document = owned_document(ports, &request).await?;
    let Some(version) = &document.current_version_id else {
        let detail = "The document has no version yet. Wait until its import has completed.";
        return Err(ApiError::new(ErrorCode::NoCurrentVersion, detail));
    };
    let object = version_object(&document.account_id, &document.id, version);
    let url = ports.download_url(&object, &document.content_type, &document.filename);
    Ok(Response::empty(302).with_header(Header::Location, url.await?))
}

/// Redirects to a version, with the filename it was created with.
pub(crate) async fn download_version<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let ports = library.ports.as_ref();
    let (document, version) = owned_version(ports, &request).await?;
    let object = version_object(&document.account_id, &document.id, &version.id);
    let url = ports.download_url(&object, &version.content_type, &version.filename);
    Ok(Response::empty(302).with_header(Header::Location, url.await?))
}
