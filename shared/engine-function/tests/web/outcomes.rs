//! Errors of web pages that cannot be rendered.

use std::time::{Duration, Instant};

use domain::job::JobErrorCode;
use engine::EngineError;
use engine_function::PAGE;
use fetch::PageLimits;

use crate::internet::{Internet, html, not_found, redirect, response};
use crate::support::{page_error, print_within};

const SITE: &str = "http://site.example.com";

fn site() -> Internet {
    Internet::with_site(|path| match path {
        "/loop" => redirect("/loop"),
        "/file" => response(
            "200 OK",
            "Content-Type: application/octet-stream\r\nContent-Disposition: attachment\r\n",
            b"\0\x01",
        ),
        "/empty" => b"HTTP/1.1 204 No Content\r\n\r\n".to_vec(),
        "/broken" => b"HTTP/1.1".to_vec(),
        "/spin" => html("<p>x</p><script>for (;;);</script>"),
        "/many" => html(&"<p style='break-after: page'>page</p>".repeat(250)),
        "/large" => html(&format!("<p>x</p><!--{}-->", "x".repeat(3_000_000))),
        "/login" => response(
            "401 Unauthorized",
            "WWW-Authenticate: Basic realm=x\r\n",
            b"no",
        ),
        _ => not_found(),
    })
}

#[test]
fn http_errors_fail_with_the_status_of_the_server() {
    let internet = site();
    for (path, expected) in [
        ("/missing", "404"),
        ("/login", "401"),
        ("/loop", ""),
        ("/file", ""),
        ("/empty", ""),
        ("/broken", ""),
    ] {
        let (code, message) = page_error(&internet, &format!("{SITE}{path}"));
        assert_eq!(code, JobErrorCode::FetchFailed, "{path}");
        // The only number in the message is the HTTP status.
        let status: String = message.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(status, expected, "{path}: {message}");
    }
    for url in [
        "http://unknown.example.com/",
        "http://site.example.com:8080/",
        "https://site.example.com/",
    ] {
        assert_eq!(
            page_error(&internet, url).0,
            JobErrorCode::FetchFailed,
            "{url}"
        );
    }
}

#[test]
fn a_page_with_an_endless_script_times_out() {
    let started = Instant::now();
    let (code, _) = page_error(&site(), &format!("{SITE}/spin"));
    assert_eq!(code, JobErrorCode::EngineTimeout);
    assert!(
        started.elapsed() < Duration::from_secs(23),
        "{:?}",
        started.elapsed()
    );
}

#[test]
fn pages_over_the_limits_of_pages_or_bytes_are_rejected() {
    let internet = site();
    let (code, _) = page_error(&internet, &format!("{SITE}/many"));
    assert_eq!(code, JobErrorCode::TooManyPages);
    let limits = PageLimits {
        bytes: 1_000_000,
        ..PAGE
    };
    match print_within(&internet, &format!("{SITE}/large"), limits) {
        Err(EngineError::Document(error)) => assert_eq!(error.code, JobErrorCode::InputTooLarge),
        other => panic!("{other:?}"),
    }
    assert!(print_within(&internet, &format!("{SITE}/large"), PAGE).is_ok());
}
