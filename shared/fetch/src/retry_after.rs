//! How long a server asks to be left alone [RFC 9110, 10.2.3].

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};

/// What `Retry-After` asks for: seconds, or a moment, which counts from the answer's own `Date`, because the server's
/// clock may be wrong, or else from `now`. `None` when it asks for nothing that can be read or for a moment that is past.
pub(crate) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let asked = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !asked.is_empty() && asked.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(asked.parse().unwrap_or(u64::MAX)));
    }
    let until = httpdate::parse_http_date(asked).ok()?;
    let date = headers.get(DATE).and_then(|date| date.to_str().ok());
    let from = date.and_then(|date| httpdate::parse_http_date(date).ok());
    until.duration_since(from.unwrap_or(now)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(retry_after: &str, date: Option<&str>) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, retry_after.parse().unwrap());
        if let Some(date) = date {
            headers.insert(DATE, date.parse().unwrap());
        }
        let now = httpdate::parse_http_date("Sun, 22 Nov 2026 10:00:00 GMT").unwrap();
        super::retry_after(&headers, now).map(|pause| pause.as_secs())
    }

    #[test]
    fn seconds_are_taken_as_they_stand() {
        assert_eq!(asked("120", None), Some(120));
        assert_eq!(asked(" 0 ", None), Some(0));
        assert_eq!(asked("99999999999999999999999", None), Some(u64::MAX));
        for junk in ["", "+5", "-5", "1.5", "soon", "5 s"] {
            assert_eq!(asked(junk, None), None, "{junk:?}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), SystemTime::now()), None);
    }

    #[test]
    fn a_moment_counts_from_the_answers_date_or_from_now() {
        for moment in [
            "Sun, 22 Nov 2026 10:02:00 GMT",
            "Sunday, 22-Nov-26 10:02:00 GMT",
            "Sun Nov 22 10:02:00 2026",
        ] {
            assert_eq!(asked(moment, None), Some(120), "{moment}");
        }
        let moment = "Sun, 22 Nov 2026 10:02:00 GMT";
        let slow = "Sun, 22 Nov 2026 09:02:00 GMT";
        assert_eq!(asked(moment, Some(slow)), Some(3_600));
        assert_eq!(asked(moment, Some("yesterday")), Some(120));
        let later = "Sun, 22 Nov 2026 10:02:01 GMT";
        assert_eq!(asked(moment, Some(later)), None);
        assert_eq!(asked("Sun, 22 Nov 2026 09:59:59 GMT", None), None);
    }
}
