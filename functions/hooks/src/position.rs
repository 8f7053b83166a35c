//! Where lists go on: signed cursors that are bound to the account, the list, and the webhook in its path.

use std::str::FromStr;

use contract::code::ErrorCode;
use domain::cursor;
use domain::key::Pepper;
use runtime::api::Call;
use runtime::refusal::Refusal;

/// Where the request's list goes on; `None` where it begins.
pub(crate) fn read<T: FromStr>(
    pepper: &Pepper,
    call: &Call,
    cursor: Option<&String>,
) -> Result<Option<T>, Refusal> {
    let Some(cursor) = cursor else {
        return Ok(None);
    };
    let opened = cursor::open(pepper, &scope(call)?, cursor).ok();
    let position = opened.and_then(|position| position.parse().ok());
    position.map(Some).ok_or_else(invalid_cursor)
}

/// The cursor of what follows `last`.
pub(crate) fn write(
    pepper: &Pepper,
    call: &Call,
    last: Option<&str>,
) -> Result<Option<String>, Refusal> {
    let scope = scope(call)?;
    Ok(last.map(|last| cursor::seal(pepper, &scope, last)))
}

fn scope(call: &Call) -> Result<[&str; 3], Refusal> {
    let account = call.caller()?.account_id.as_str();
    Ok([account, call.route.operation, call.parameter("webhookId")])
}

fn invalid_cursor() -> Refusal {
    let detail = "use the nextCursor of the page before, with the same account and the same list";
    Refusal::new(ErrorCode::InvalidCursor, detail)
}
