//! Downloads: presigned URLs of versions.

use std::sync::Arc;

use contract::code::ErrorCode;
use contract::route::Header;
use domain::source::version_object;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Ports, State, owned_document, owned_version};

/// The current version, under the name that the document has now.
pub(crate) async fn download_document<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let ports = library.ports.as_ref();
    let document = owned_document(ports, &call).await?;
    let Some(version) = &document.current_version_id else {
        let detail = "the document has no content to download";
        return Err(Refusal::new(ErrorCode::NoCurrentVersion, detail));
    };
    let object = version_object(&document.account_id, &document.id, version);
    let url = ports.download_url(&object, &document.content_type, &document.filename);
    Ok(Answer::empty(302).with(Header::Location, url.await?))
}

/// A version, under the name that it came with.
pub(crate) async fn download_version<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let ports = library.ports.as_ref();
    let (document, version) = owned_version(ports, &call).await?;
    let object = version_object(&document.account_id, &document.id, &version.id);
    let url = ports.download_url(&object, &version.content_type, &version.filename);
    Ok(Answer::empty(302).with(Header::Location, url.await?))
}
