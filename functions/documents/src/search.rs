//! `GET /documents/search`.

use std::sync::Arc;

use contract::document::{DocumentSearch, SearchDocuments};
use domain::cursor;
use domain::library::{Position, Search, search};
use domain::ports::Posting;
use runtime::api::{Request, Response};
use runtime::error::ApiError;

use crate::{Ports, State, cursor_scope, invalid_cursor};

pub(crate) async fn search_documents<P: Ports>(
    library: Arc<State<P>>,
    request: Request,
) -> Result<Response, ApiError> {
    let input = SearchDocuments::read(request.query())
        .map_err(|errors| ApiError::malformed(400, errors))?;
    let scope = cursor_scope(&request, &SearchDocuments::FILTERS)?;
    let position = match &input.cursor {
        Some(cursor) => {
            let opened = cursor::open(&library.pepper, &scope, cursor).ok();
            let position = opened.as_deref().and_then(parse_position);
            Some(position.ok_or_else(invalid_cursor)?)
        }
        None => None,
    };
    let query = Search::new(input.q.as_deref(), input.filter);
    let account = &request.caller()?.account_id;
    let found = search(
        library.ports.as_ref(),
        account,
        &query,
        position,
        input.limit,
    )
    .await?;
    let next = found.next.as_ref();
    let next = next.map(|next| cursor::seal(&library.pepper, &scope, &format_position(next)));
    let body = DocumentSearch::of(&found, input.q, query.words, next);
    Ok(Response::json(200, &body))
}

/// Formats a position for a cursor.
fn format_position(position: &Position) -> String {
    match position {
        Position::Posting(posting) => format!("posting {} {}", posting.document, posting.word),
        Position::Records(Some(last)) => format!("record {last}"),
        Position::Records(None) => "record".to_owned(),
    }
}

fn parse_position(text: &str) -> Option<Position> {
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
