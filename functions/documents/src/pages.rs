//! `GET /documents/{documentId}/versions/{versionId}/pages`.

use std::sync::Arc;

use contract::document::{ListPages, PageList};
use domain::cursor;
use runtime::api::{Answer, Call};
use runtime::refusal::Refusal;

use crate::{Library, Ports, cursor_scope, invalid_cursor, owned_version};

pub(crate) async fn list_pages<P: Ports>(
    library: Arc<Library<P>>,
    call: Call,
) -> Result<Answer, Refusal> {
    let request =
        ListPages::read(call.query()).map_err(|faults| Refusal::malformed(400, faults))?;
    let mut scope = cursor_scope(&call, &[])?;
    scope.push(call.parameter("versionId"));
    let first = match &request.cursor {
        Some(cursor) => {
            let opened = cursor::open(&library.pepper, &scope, cursor).ok();
            let number = opened.and_then(|number| number.parse::<u32>().ok());
            number.ok_or_else(invalid_cursor)?
        }
        None => 1,
    };
    let (_, version) = owned_version(library.ports.as_ref(), &call).await?;
    let next = first.saturating_add(request.limit);
    let more = version.page_count.is_some_and(|count| next <= count);
    let list = PageList {
        pages: version
            .pages(first, request.limit)
            .map(Into::into)
            .collect(),
        page_count: version.page_count,
        next_cursor: more.then(|| cursor::seal(&library.pepper, &scope, &next.to_string())),
    };
    Ok(Answer::json(200, &list))
}
