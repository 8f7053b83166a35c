//! `GET /documents`.

use std::sync::Arc;

use contract::document::{DocumentList, ListDocuments};
use domain::cursor;
use domain::id::DocumentId;
use domain::library::{SearchText, list};
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Ports, State, cursor_scope, invalid_cursor};

pub(crate) async fn list_documents<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input =
        ListDocuments::read(request.query()).map_err(|errors| ApiError::malformed(400, errors))?;
    let scope = cursor_scope(&request, &ListDocuments::FILTERS)?;
    let before = match &input.cursor {
        Some(cursor) => Some(position(&library, &scope, cursor)?),
        None => None,
    };
    let listed = list(
        library.ports.as_ref(),
        &request.caller()?.account_id,
        &input.filter,
        input.q.as_deref().and_then(SearchText::new).as_ref(),
        before,
        input.limit,
    )
    .await?;
    let next = listed.next.as_ref();
    let next = next.map(|last| cursor::seal(&library.pepper, &scope, last.as_str()));
    Ok(Response::json(200, &DocumentList::of(&listed, next)))
}

fn position<P>(library: &State<P>, scope: &[&str], cursor: &str) -> Result<DocumentId, ApiError> {
    let opened = cursor::open(&library.pepper, scope, cursor).ok();
    opened
        .and_then(|position| position.parse().ok())
        .ok_or_else(invalid_cursor)
}
