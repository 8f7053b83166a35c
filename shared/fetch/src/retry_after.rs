//! Parses the `Retry-After` header [RFC 9110, section 10.2.3].

use std::time::{Duration, SystemTime};

use http::HeaderMap;
use http::header::{DATE, RETRY_AFTER};

/// The delay that `Retry-After` requests, as seconds or as an HTTP date. A date is relative to the response's own `Date`
/// header, because the server's clock may be wrong, or else to `now`. `None` if the header is missing or invalid, or the
/// date is past.
pub(crate) fn retry_after(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let value = headers.get(RETRY_AFTER)?.to_str().ok()?.trim();
    if !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) {
        return Some(Duration::from_secs(value.parse().unwrap_or(u64::MAX)));
    }
    let until = httpdate::parse_http_date(value).ok()?;
    let date = headers.get(DATE).and_then(|date| date.to_str().ok());
    let from = date.and_then(|date| httpdate::parse_http_date(date).ok());
    until.duration_since(from.unwrap_or(now)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn delay_seconds(retry_after: &str, date: Option<&str>) -> Option<u64> {
        let mut headers = HeaderMap::new();
        headers.insert(RETRY_AFTER, retry_after.parse().unwrap());
        if let Some(date) = date {
            headers.insert(DATE, date.parse().unwrap());
        }
        let now = httpdate::parse_http_date("Sun, 22 Nov 2026 10:00:00 GMT").unwrap();
        super::retry_after(&headers, now).map(|delay| delay.as_secs())
    }

    #[test]
    fn delay_seconds_are_parsed() {
        assert_eq!(delay_seconds("120", None), Some(120));
        assert_eq!(delay_seconds(" 0 ", None), Some(0));
        assert_eq!(
            delay_seconds("99999999999999999999999", None),
            Some(u64::MAX)
        );
        for junk in ["", "+5", "-5", "1.5", "soon", "5 s"] {
            assert_eq!(delay_seconds(junk, None), None, "{junk:?}");
        }
        assert_eq!(retry_after(&HeaderMap::new(), SystemTime::now()), None);
    }

    #[test]
    fn an_http_date_is_relative_to_the_date_header_or_to_now() {
        for moment in [
            "Sun, 22 Nov 2026 10:02:00 GMT",
            "Sunday, 22-Nov-26 10:02:00 GMT",
            "Sun Nov 22 10:02:00 2026",
        ] {
            assert_eq!(delay_seconds(moment, None), Some(120), "{moment}");
        }
        let moment = "Sun, 22 Nov 2026 10:02:00 GMT";
        let slow = "Sun, 22 Nov 2026 09:02:00 GMT";
        assert_eq!(delay_seconds(moment, Some(slow)), Some(3_600));
        assert_eq!(delay_seconds(moment, Some("yesterday")), Some(120));
        let later = "Sun, 22 Nov 2026 10:02:01 GMT";
        assert_eq!(delay_seconds(moment, Some(later)), None);
        assert_eq!(delay_seconds("Sun, 22 Nov 2026 09:59:59 GMT", None), None);
    }
}
