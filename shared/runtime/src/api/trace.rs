//! W3C Trace Context: continues the caller's trace or starts a new one.

use http::HeaderMap;

/// Returns the `traceparent` for work caused by this request [W3C Trace Context, section 3.2].
pub(super) fn continue_or_start(headers: &HeaderMap) -> String {
    let continued = headers
        .get("traceparent")
        .and_then(|value| value.to_str().ok())
        .and_then(trace_id);
    let trace = continued.unwrap_or_else(|| format!("{:032x}", rand::random::<u128>() | 1));
    format!("00-{trace}-{:016x}-01", rand::random::<u64>() | 1)
}

fn trace_id(header: &str) -> Option<String> {
    let mut parts = header.split('-');
    let (version, trace, parent, flags) =
        (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    let hex = |text: &str, length| {
        text.len() == length && text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let valid = version == "00"
        && hex(trace, 32)
        && hex(parent, 16)
        && hex(flags, 2)
        && parts.next().is_none();
    (valid && trace.bytes().any(|byte| byte != b'0')).then(|| trace.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(value: &str) -> HeaderMap {
        HeaderMap::from_iter([("traceparent".parse().unwrap(), value.parse().unwrap())])
    }

    #[test]
    fn a_valid_trace_continues_with_a_new_parent_id() {
        let traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let continued = continue_or_start(&headers(traceparent));
        assert!(continued.starts_with("00-0af7651916cd43dd8448eb211c80319c-"));
        assert_ne!(continued, traceparent);
    }

    #[test]
    fn an_invalid_traceparent_starts_a_new_trace() {
        for bad in [
            "",
            "00-0-0-01",
            "00-00000000000000000000000000000000-b7ad6b7169203331-01",
            "junk",
        ] {
            let started = continue_or_start(&headers(bad));
            assert!(trace_id(&started).is_some(), "{bad}: {started}");
        }
    }
}
