//! `GET /documents`.

use std::sync::Arc;

use contract::document::{DocumentList, ListDocuments};
use domain::cursor;
use domain::id::DocumentId;
use domain::library::{Needle, list};
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Ports, State, cursor_scope, invalid_cursor};

pub(crate) async fn list_documents<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request =
        ListDocuments::read(call.query()).map_err(|faults| Refusal::malformed(400, faults))?;
    let scope = cursor_scope(&call, &ListDocuments::FILTERS)?;
    let before = match &request.cursor {
        Some(cursor) => Some(position(&library, &scope, cursor)?),
        None => None,
    };
    let listed = list(
        library.ports.as_ref(),
        &call.caller()?.account_id,
        &request.filter,
        request.q.as_deref().and_then(Needle::new).as_ref(),
        before,
        request.limit,
    )
    .await?;
    let next = listed.next.as_ref();
    let next = next.map(|last| cursor::seal(&library.pepper, &scope, last.as_str()));
    Ok(Answer::json(200, &DocumentList::of(&listed, next)))
}

fn position<P>(library: &State<P>, scope: &[&str], cursor: &str) -> Result<DocumentId, Refusal> {
    let opened = cursor::open(&library.pepper, scope, cursor).ok();
    opened
        .and_then(|position| position.parse().ok())
        .ok_or_else(invalid_cursor)
}
