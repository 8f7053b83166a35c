//! Time limits of synchronous routes, with processors switched off; rate limit of the sandbox.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;
use tests::client::{Client, unique};
use tests::stack::{admin, stack};
use tests::trusted_host::TrustedHost;

use super::anonymous::{convert_sample, sandbox_token};
use super::{finished_job, post};
use crate::account::Account;
use crate::billing::now_ms;
use crate::problem::{assert_error, assert_problem, expected_problem};

/// Keeps the processors switched off until dropped.
struct ProcessorsOff;

const PROCESSORS: [&str; 3] = ["process-ocr", "process-office", "process-web"];

impl ProcessorsOff {
    fn new() -> Self {
        for processor in PROCESSORS {
            admin(&["processor", "off", processor]);
        }
        Self
    }
}

impl Drop for ProcessorsOff {
    fn drop(&mut self) {
        for processor in PROCESSORS {
            admin(&["processor", "on", processor]);
        }
    }
}

#[tokio::test]
async fn convert_waits_for_twenty_five_seconds_and_web_pages_have_a_rate_limit() {
    let account = Account::new("starter");
    let off = ProcessorsOff::new();
    if until_next_minute() < Duration::from_secs(15) {
        wait_for_next_minute().await;
    }
    let reset = Instant::now() + until_next_minute();
    let (convert, render, ()) = tokio::join!(convert(&account), render(), exceed_rate_limit());
    let ((first, first_waited), (page, page_waited)) = (convert, render);
    // The Lambda timeout is 29 seconds, that of API Gateway 30.
    assert!(
        (24..29).contains(&first_waited.as_secs()),
        "{first_waited:?}"
    );
    assert_eq!(first.json()["status"], "queued");
    assert_eq!(first.json()["created"], true);
    assert_eq!(first.header("preference-applied"), "");
    assert!(page_waited.as_secs() < 19, "{page_waited:?}");
    assert_error(&page, 502, "render_failed", &[]);
    drop(off);
    // The trusted host is not served in this test.
    let job = finished_job(&account, &first).await;
    assert_eq!(job["error"]["code"], "fetch_failed", "{job}");
    assert_eq!(account.jobs().await.len(), 1);
    // All tests share one IP address, so wait until its rate limit has been reset.
    tokio::time::sleep_until((reset + MARGIN).into()).await;
}

/// How long after the beginning of a minute requests certainly count for it.
const MARGIN: Duration = Duration::from_millis(100);

/// Rate limits use fixed windows of one clock minute.
fn until_next_minute() -> Duration {
    let into = now_ms().rem_euclid(60_000).unsigned_abs();
    Duration::from_millis(60_000 - into)
}

async fn wait_for_next_minute() {
    tokio::time::sleep(until_next_minute() + MARGIN).await;
}

async fn convert(account: &Account) -> (tests::client::Response, Duration) {
    let body = json!({"url": TrustedHost::url("/page.pdf"), "format": "txt"});
    let start = Instant::now();
    let response = post(account, "/convert", Some(&unique("compat")), &body).await;
    (response, start.elapsed())
}

async fn render() -> (tests::client::Response, Duration) {
    let body = json!({"url": "https://no-such-host.example.com/"});
    let start = Instant::now();
    let client = Client::with_key(None);
    let response = client.post("/webpage-to-pdf", &[], &body).await;
    (response, start.elapsed())
}

/// Sample conversions per minute and IP address on the local stack.
const SAMPLE_RATE_LIMIT: usize = 60;

/// Sends more requests than that within one minute.
async fn exceed_rate_limit() {
    let (origin, token) = (
        stack().site_url.trim_end_matches('/'),
        sandbox_token().await,
    );
    let body = json!({"format": "pdf"});
    let longest = until_next_minute().as_secs() + 1;
    assert!(longest > 3, "too close to the end of the minute");
    let send = |_| convert_sample(Some(origin), Some(&token), &body);
    let all = join_all((0..SAMPLE_RATE_LIMIT + 20).map(send)).await;
    let (rate_limited, not_limited): (Vec<_>, Vec<_>) =
        all.iter().partition(|response| response.status == 429);
    assert!(
        not_limited.len() <= SAMPLE_RATE_LIMIT && rate_limited.len() >= 20,
        "{} were not rate limited",
        not_limited.len()
    );
    for response in rate_limited {
        let title = "Too many requests";
        let expected = expected_problem(429, "rate_limited", title, "/sandbox/convert", true);
        assert_problem(response, &expected);
        let seconds: u64 = response.header("retry-after").parse().unwrap();
        assert!((1..=longest).contains(&seconds), "{seconds}");
        let policy = format!("\"address\";q={SAMPLE_RATE_LIMIT};w=60");
        assert_eq!(response.header("ratelimit-policy"), policy);
        let left = format!("\"address\";r=0;t={seconds}");
        assert_eq!(response.header("ratelimit"), left);
    }
    for response in not_limited {
        assert_error(response, 503, "processor_unavailable", &[]);
    }
}
