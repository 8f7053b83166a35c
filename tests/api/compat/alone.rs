//! What takes too long, because its processor is switched off for a while.

use std::time::{Duration, Instant};

use futures::future::join_all;
use serde_json::json;
use tests::client::{Client, unique};
use tests::stack::{admin, stack};
use tests::trusted_host::TrustedHost;

use super::public::{convert_sample, token};
use super::{ended, post};
use crate::account::Account;
use crate::billing::now;
use crate::refusal::{assert_problem, assert_refused, problem};

/// Processors that take no tickets until this value goes.
struct Off;

const PROCESSORS: [&str; 3] = ["process-ocr", "process-office", "process-web"];

impl Off {
    async fn switch() -> Self {
        for processor in PROCESSORS {
            admin(&["processor", "off", processor]);
        }
        // The polls that are under way may still take a message.
        tokio::time::sleep(Duration::from_secs(2)).await;
        Self
    }
}

impl Drop for Off {
    fn drop(&mut self) {
        for processor in PROCESSORS {
            admin(&["processor", "on", processor]);
        }
    }
}

#[tokio::test]
async fn a_form_waits_for_twenty_five_seconds_and_a_web_page_for_nobody() {
    let account = Account::new("starter");
    let off = Off::switch().await;
    if left_of_the_minute() < Duration::from_secs(15) {
        the_next_minute().await;
    }
    let (convert, render, ()) = tokio::join!(convert(&account), render(), spend());
    let ((first, first_waited), (page, page_waited)) = (convert, render);
    // Lambda ends the function after 29 seconds, and API Gateway waits for 30.
    assert!(
        (24..29).contains(&first_waited.as_secs()),
        "{first_waited:?}"
    );
    assert_eq!(first.json()["status"], "queued");
    assert_eq!(first.json()["created"], true);
    assert_eq!(first.header("preference-applied"), "");
    assert!(page_waited.as_secs() < 19, "{page_waited:?}");
    assert_refused(&page, 502, "render_failed", &[]);
    drop(off);
    // Nobody serves the address.
    let job = ended(&account, &first).await;
    assert_eq!(job["error"]["code"], "fetch_failed", "{job}");
    assert_eq!(account.jobs().await.len(), 1);
    // All tests have one address, and what this one has spent is back with the next minute.
    the_next_minute().await;
}

/// Budgets are by the minute of the clock.
fn left_of_the_minute() -> Duration {
    let into = now().rem_euclid(60_000).unsigned_abs();
    Duration::from_millis(60_000 - into)
}

async fn the_next_minute() {
    tokio::time::sleep(left_of_the_minute() + Duration::from_millis(100)).await;
}

async fn convert(account: &Account) -> (tests::client::Answer, Duration) {
    let body = json!({"url": TrustedHost::url("/page.pdf"), "format": "txt"});
    let began = Instant::now();
    let answer = post(account, "/convert", Some(&unique("compat")), &body).await;
    (answer, began.elapsed())
}

async fn render() -> (tests::client::Answer, Duration) {
    let body = json!({"url": "https://no-such-host.example.com/"});
    let began = Instant::now();
    let client = Client::with_key(None);
    let answer = client.post("/webpage-to-pdf", &[], &body).await;
    (answer, began.elapsed())
}

/// How often one address may have the sample converted in a minute on the local stack.
const BUDGET: usize = 60;

/// Asks more often than that, within one minute.
async fn spend() {
    let (origin, token) = (stack().site_url.trim_end_matches('/'), token().await);
    let body = json!({"format": "pdf"});
    let longest = left_of_the_minute().as_secs() + 1;
    assert!(longest > 3, "a minute is about to turn");
    let ask = |_| convert_sample(Some(origin), Some(&token), &body);
    let all = join_all((0..BUDGET + 20).map(ask)).await;
    let (refused, waited): (Vec<_>, Vec<_>) = all.iter().partition(|answer| answer.status == 429);
    assert!(
        waited.len() <= BUDGET && refused.len() >= 20,
        "{} waited",
        waited.len()
    );
    for answer in refused {
        let title = "Too many requests";
        let expected = problem(429, "rate_limited", title, "/sandbox/convert", true);
        assert_problem(answer, &expected);
        let seconds: u64 = answer.header("retry-after").parse().unwrap();
        assert!((1..=longest).contains(&seconds), "{seconds}");
        let policy = format!("\"address\";q={BUDGET};w=60");
        assert_eq!(answer.header("ratelimit-policy"), policy);
        let left = format!("\"address\";r=0;t={seconds}");
        assert_eq!(answer.header("ratelimit"), left);
    }
    for answer in waited {
        assert_refused(answer, 503, "processor_unavailable", &[]);
    }
}
