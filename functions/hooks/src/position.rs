//! List cursors, signed and bound to the account, the route and the webhook in the path.

use std::str::FromStr;

use contract::code::ErrorCode;
use domain::cursor;
use domain::key::Pepper;
use runtime::api::Request;
use runtime::error::ApiError;

/// Returns the position in the request's cursor; `None` for the first page.
pub(crate) fn read<T: FromStr>(
    pepper: &Pepper,
    request: &Request,
    cursor: Option<&String>,
) -> Result<Option<T>, ApiError> {
    let Some(cursor) = cursor else {
        return Ok(None);
    };
    let opened = cursor::open(pepper, &scope(request)?, cursor).ok();
    let position = opened.and_then(|position| position.parse().ok());
    position.map(Some).ok_or_else(invalid_cursor)
}

/// Creates the cursor for the page after `last`.
pub(crate) fn write(
    pepper: &Pepper,
    request: &Request,
    last: Option<&str>,
) -> Result<Option<String>, ApiError> {
    let scope = scope(request)?;
    Ok(last.map(|last| cursor::seal(pepper, &scope, last)))
}

fn scope(request: &Request) -> Result<[&str; 3], ApiError> {
    let account = request.caller()?.account_id.as_str();
    Ok([
        account,
        request.route.operation,
        request.parameter("webhookId"),
    ])
}

fn invalid_cursor() -> ApiError {
    let detail = "The cursor is invalid. Use the nextCursor of the previous page, with the same account and list.";
    ApiError::new(ErrorCode::InvalidCursor, detail)
}
