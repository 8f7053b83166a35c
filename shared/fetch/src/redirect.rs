//! Where an answer sends the client on to.

use http::header::LOCATION;
use http::{StatusCode, response};

use crate::error::{Failure, FetchError};
use crate::policy::Policy;
use crate::remote_url::RemoteUrl;

/// The next URL, judged from the start; `None` if the answer is no redirect.
pub(crate) fn target(
    policy: &Policy,
    from: &RemoteUrl,
    head: &response::Parts,
) -> Result<Option<RemoteUrl>, FetchError> {
    if !is_redirect(head.status) {
        return Ok(None);
    }
    let location = head
        .headers
        .get(LOCATION)
        .and_then(|location| std::str::from_utf8(location.as_bytes()).ok())
        .ok_or(FetchError::Failed(Failure::Redirect))?;
    Ok(Some(policy.admit_redirect(from, location)?))
}

fn is_redirect(status: StatusCode) -> bool {
    matches!(status.as_u16(), 301 | 302 | 303 | 307 | 308)
}
