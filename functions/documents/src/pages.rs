//! `GET /documents/{documentId}/versions/{versionId}/pages`.

use std::sync::Arc;

use contract::document::{ListPages, PageList};
use domain::cursor;
use domain::library::{PageSize, SIZES_IN_RECORD, Version};
use domain::ports::{Objects, PortError};
use domain::source::pages_object;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Ports, State, cursor_scope, invalid_cursor, owned_version};

/// Maximum size of the stored page sizes, enough for more than 100,000 pages.
const MAX_BYTES: u64 = 4 * 1024 * 1024;

pub(crate) async fn list_pages<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input =
        ListPages::read(request.query()).map_err(|errors| ApiError::malformed(400, errors))?;
    let mut scope = cursor_scope(&request, &[])?;
    scope.push(request.parameter("versionId"));
    let first = match &input.cursor {
        Some(cursor) => {
            let opened = cursor::open(&library.pepper, &scope, cursor).ok();
            let number = opened.and_then(|number| number.parse::<u32>().ok());
            number.ok_or_else(invalid_cursor)?
        }
        None => 1,
    };
    let ports = library.ports.as_ref();
    let (_, version) = owned_version(ports, &request).await?;
    let next = first.saturating_add(input.limit);
    let more = version.page_count.is_some_and(|count| next <= count);
    let sizes = sizes(ports, &version, next.saturating_sub(1)).await?;
    let list = PageList {
        pages: version
            .pages_of_sizes(first, input.limit, &sizes)
            .map(Into::into)
            .collect(),
        page_count: version.page_count,
        next_cursor: more.then(|| cursor::seal(&library.pepper, &scope, &next.to_string())),
    };
    Ok(Response::json(200, &list))
}

/// Returns the known page sizes of a version up to page `last`.
async fn sizes<P: Objects>(
    ports: &P,
    version: &Version,
    last: u32,
) -> Result<Vec<PageSize>, PortError> {
    let count = version.page_count.unwrap_or(0);
    if last.min(count) <= SIZES_IN_RECORD {
        return Ok(version.page_sizes.clone());
    }
    let object = pages_object(&version.account_id, &version.document_id, &version.id);
    let Some(stored) = ports.content(&object, MAX_BYTES).await? else {
        tracing::warn!(version_id = %version.id, "page sizes object is missing or too large");
        return Ok(version.page_sizes.clone());
    };
    serde_json::from_slice(&stored).map_err(|_| PortError::Unavailable {
        service: "object store",
        reason: format!("the page sizes of {} are malformed", version.id),
    })
}
