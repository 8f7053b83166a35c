//! `GET /documents/search`.

use std::sync::Arc;

use contract::document::{DocumentSearch, SearchDocuments};
use domain::cursor;
use domain::library::{Position, Search, search};
use domain::ports::Posting;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Ports, State, cursor_scope, invalid_cursor};

pub(crate) async fn search_documents<P: Ports>(
    library: Arc<State<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request =
        SearchDocuments::read(call.query()).map_err(|faults| Refusal::malformed(400, faults))?;
    let scope = cursor_scope(&call, &SearchDocuments::FILTERS)?;
    let position = match &request.cursor {
        Some(cursor) => {
            let opened = cursor::open(&library.pepper, &scope, cursor).ok();
            let position = opened.as_deref().and_then(read);
            Some(position.ok_or_else(invalid_cursor)?)
        }
        None => None,
    };
    let wanted = Search::new(request.q.as_deref(), request.filter);
    let account = &call.caller()?.account_id;
    let found = search(
        library.ports.as_ref(),
        account,
        &wanted,
        position,
        request.limit,
    )
    .await?;
    let next = found.next.as_ref();
    let next = next.map(|next| cursor::seal(&library.pepper, &scope, &write(next)));
    let body = DocumentSearch::of(&found, request.q, wanted.words, next);
    Ok(Answer::json(200, &body))
}

/// A position as a cursor carries it.
fn write(position: &Position) -> String {
    match position {
        Position::Posting(posting) => format!("posting {} {}", posting.document, posting.word),
        Position::Records(Some(last)) => format!("record {last}"),
        Position::Records(None) => "record".to_owned(),
    }
}

fn read(text: &str) -> Option<Position> {
    let mut parts = text.splitn(3, ' ');
    match (parts.next()?, parts.next(), parts.next()) {
        ("posting", Some(document), Some(word)) => Some(Position::Posting(Posting {
            word: word.to_owned(),
            document: document.parse().ok()?,
        })),
        ("record", Some(last), None) => Some(Position::Records(Some(last.parse().ok()?))),
        ("record", None, None) => Some(Position::Records(None)),
        _ => None,
    }
}
