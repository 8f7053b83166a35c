//! Pages that are not printed, each with its reason.

use std::time::{Duration, Instant};

use domain::job::JobErrorCode;
use engine::EngineError;
use fetch::PageLimits;
use processor::PAGE;

use crate::internet::{Internet, answer_with, html, not_found, redirect};
use crate::rig::{print_within, refused};

const SITE: &str = "http://site.example.com";

fn site() -> Internet {
    Internet::with_site(|path| match path {
        "/loop" => redirect("/loop"),
        "/file" => answer_with(
            "200 OK",
            "Content-Type: application/octet-stream\r\nContent-Disposition: attachment\r\n",
            b"\0\x01",
        ),
        "/empty" => b"HTTP/1.1 204 No Content\r\n\r\n".to_vec(),
        "/broken" => b"HTTP/1.1".to_vec(),
        "/spin" => html("<p>x</p><script>for (;;);</script>"),
        "/many" => html(&"<p style='break-after: page'>page</p>".repeat(250)),
        "/large" => html(&format!("<p>x</p><!--{}-->", "x".repeat(3_000_000))),
        "/login" => answer_with(
            "401 Unauthorized",
            "WWW-Authenticate: Basic realm=x\r\n",
            b"no",
        ),
        _ => not_found(),
    })
}

#[test]
fn a_page_that_is_not_given_fails_with_what_the_server_said() {
    let internet = site();
    for (path, expected) in [
        ("/missing", "404"),
        ("/login", "401"),
        ("/loop", ""),
        ("/file", ""),
        ("/empty", ""),
        ("/broken", ""),
    ] {
        let (code, message) = refused(&internet, &format!("{SITE}{path}"));
        assert_eq!(code, JobErrorCode::FetchFailed, "{path}");
        // The one number of a message is the status that the server answered with.
        let status: String = message.chars().filter(char::is_ascii_digit).collect();
        assert_eq!(status, expected, "{path}: {message}");
    }
    for url in [
        "http://unknown.example.com/",
        "http://site.example.com:8080/",
        "https://site.example.com/",
    ] {
        assert_eq!(
            refused(&internet, url).0,
            JobErrorCode::FetchFailed,
            "{url}"
        );
    }
}

#[test]
fn a_page_that_spins_ends_at_its_time() {
    let began = Instant::now();
    let (code, _) = refused(&site(), &format!("{SITE}/spin"));
    assert_eq!(code, JobErrorCode::EngineTimeout);
    assert!(
        began.elapsed() < Duration::from_secs(23),
        "{:?}",
        began.elapsed()
    );
}

#[test]
fn a_page_of_too_many_pages_or_bytes_is_refused() {
    let internet = site();
    let (code, _) = refused(&internet, &format!("{SITE}/many"));
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
