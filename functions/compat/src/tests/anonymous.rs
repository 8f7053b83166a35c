//! Anonymous routes.

use std::time::Duration;

use domain::format::Format;
use domain::job::{JobErrorCode, JobSource, JobStatus};
use domain::plan::Plan;
use domain::ports::Queues as _;
use domain::processor::Processor;
use domain::public;
use domain::sandbox_token;
use serde_json::{Value, json};
use testkit::sample;
use tokio::time::Instant;

use super::worker::{JobOutcome, Worker};
use super::{Caller, HOST, TestResponse};

const SOON: Duration = Duration::from_millis(300);
const PAGE: &str = "http://pages.octavo-tests.com/news?secret";

async fn render(caller: &Caller, body: &Value) -> TestResponse {
    caller.post_anonymous("/webpage-to-pdf", &[], body).await
}

#[tokio::test(start_paused = true)]
async fn a_web_page_is_rendered_without_credentials() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    for (body, name) in [
        (json!({"url": PAGE}), "pages.octavo-tests.com.pdf"),
        (
            json!({"url": PAGE, "filename": "News.pdf", "colour": "red"}),
            "News.pdf",
        ),
    ] {
        let response = render(&caller, &body).await;
        assert_eq!(response.status, 200, "{response:?}");
        assert_eq!(response.bytes, b"%PDF-1.7");
        assert_eq!(response.header("content-type"), "application/pdf");
        let disposition = format!("attachment; filename=\"{name}\"; filename*=UTF-8''{name}");
        assert_eq!(response.header("content-disposition"), disposition);
        assert_eq!(response.header("ratelimit"), "");
    }
    let job = caller.jobs().await.remove(0);
    assert_eq!(job.account_id, public::account());
    assert_eq!(
        (job.processor, job.input_format),
        (Processor::ProcessWeb, Format::Html)
    );
    assert_eq!((job.charge.credits, job.charge.units), (0, 0));
    assert_eq!((job.limits.file_bytes, job.limits.pages), (20_000_000, 200));
    let JobSource::WebPage(page) = &job.source else {
        panic!("{:?}", job.source);
    };
    assert_eq!(page.web_page.reveal(), PAGE);
}

#[tokio::test(start_paused = true)]
async fn rejected_urls_do_not_count_against_the_rate_limit() {
    let caller = Caller::on(Plan::Free).await;
    for (url, code) in [
        ("", "invalid_url"),
        ("pages.octavo-tests.com", "invalid_url"),
        ("ftp://pages.octavo-tests.com/", "invalid_url"),
        ("file:///etc/passwd", "invalid_url"),
        ("http://127.0.0.1/", "url_blocked"),
        ("http://169.254.169.254/latest/meta-data/", "url_blocked"),
        ("https://user@pages.octavo-tests.com/", "url_blocked"),
        ("http://localhost/", "url_blocked"),
        ("https://octavo.test/", "url_blocked"),
    ] {
        let response = render(&caller, &json!({"url": url})).await;
        assert_eq!(
            response.error(),
            (400, code.to_owned(), "$.url".to_owned()),
            "{url}"
        );
    }
    for body in [json!({}), json!({"url": 7}), json!([])] {
        let response = render(&caller, &body).await;
        assert_eq!(
            (response.status, &*response.error().1),
            (400, "invalid_request"),
            "{body}"
        );
    }
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    for _ in 0..3 {
        assert_eq!(render(&caller, &json!({"url": PAGE})).await.status, 200);
    }
}

#[tokio::test(start_paused = true)]
async fn requests_are_limited_per_address_and_in_total() {
    let mut caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    let mut statuses = Vec::new();
    // IPv6 addresses count by their /64 network.
    for address in [
        "203.0.113.7",
        "203.0.113.7",
        "203.0.113.7",
        "203.0.113.7",
        "2001:db8::1",
        "2001:db8::2",
        "198.51.100.1",
    ] {
        caller.address = address;
        let response = render(&caller, &json!({"url": PAGE})).await;
        if response.status == 429 {
            assert_eq!(response.error().1, "rate_limited");
            let wait: u64 = response.header("retry-after").parse().unwrap();
            assert!((1..=60).contains(&wait));
            let (name, maximum) = match address {
                "203.0.113.7" => ("address", 3),
                _ => ("all", 5),
            };
            let policy = format!("\"{name}\";q={maximum};w=60");
            assert_eq!(response.header("ratelimit-policy"), policy);
            let state = format!("\"{name}\";r=0;t={wait}");
            assert_eq!(response.header("ratelimit"), state);
        }
        statuses.push(response.status);
    }
    // The clock is real: a new minute during the test resets the counters.
    assert!(
        statuses == [200, 200, 200, 429, 200, 200, 429] || !statuses.contains(&429),
        "{statuses:?}"
    );
}

#[tokio::test(start_paused = true)]
async fn a_page_that_cannot_be_rendered_is_502() {
    for (outcome, status, code) in [
        (
            JobOutcome::Failed(JobErrorCode::FetchBlocked),
            400,
            "url_blocked",
        ),
        (
            JobOutcome::Failed(JobErrorCode::FetchFailed),
            502,
            "render_failed",
        ),
        (
            JobOutcome::Failed(JobErrorCode::EngineTimeout),
            502,
            "render_failed",
        ),
        (JobOutcome::DeadLetter, 502, "render_failed"),
    ] {
        let caller = Caller::on(Plan::Free).await;
        let _worker = Worker::start(&caller.fakes, SOON, outcome);
        let response = render(&caller, &json!({"url": PAGE})).await;
        assert_eq!((response.status, &*response.error().1), (status, code));
        assert!(!response.json().to_string().contains("secret"));
    }
}

#[tokio::test(start_paused = true)]
async fn requests_fail_while_the_web_processor_is_disabled() {
    let caller = Caller::on(Plan::Free).await;
    let off = caller.fakes.set_enabled(Processor::ProcessWeb, false);
    off.await.unwrap();
    let started = Instant::now();
    for _ in 0..4 {
        let response = render(&caller, &json!({"url": PAGE})).await;
        assert_eq!(
            (response.status, &*response.error().1),
            (502, "render_failed")
        );
        assert_eq!(response.json()["retryable"], true);
    }
    assert!(started.elapsed() < SOON);
    assert!(caller.jobs().await.is_empty());
    let rejected = render(&caller, &json!({"url": "http://127.0.0.1/"})).await;
    assert_eq!(rejected.status, 400);
    // It does not count against the rate limit.
    let on = caller.fakes.set_enabled(Processor::ProcessWeb, true);
    on.await.unwrap();
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    assert_eq!(render(&caller, &json!({"url": PAGE})).await.status, 200);
}

#[tokio::test(start_paused = true)]
async fn after_twenty_seconds_a_queued_job_is_cancelled() {
    let caller = Caller::on(Plan::Free).await;
    let started = Instant::now();
    let response = render(&caller, &json!({"url": PAGE})).await;
    let waited = started.elapsed();
    let patience = Duration::from_secs(19)..=Duration::from_secs(20);
    assert!(patience.contains(&waited), "{waited:?}");
    assert_eq!(
        (response.status, &*response.error().1),
        (502, "render_failed")
    );
    let job = caller.only_job().await;
    assert_eq!(job.status, JobStatus::Failed);
    assert_eq!(job.error.unwrap().code, JobErrorCode::Cancelled);
    let busy = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&busy.fakes, SOON, JobOutcome::Never);
    assert_eq!(render(&busy, &json!({"url": PAGE})).await.status, 502);
    assert_eq!(busy.only_job().await.status, JobStatus::Processing);
}

#[tokio::test(start_paused = true)]
async fn a_large_pdf_is_a_redirect() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf(vec![b'%'; 4_000_001]));
    let response = render(&caller, &json!({"url": PAGE})).await;
    assert_eq!((response.status, response.bytes.len()), (303, 0));
    assert!(!response.header("location").is_empty());
}

fn token() -> String {
    sandbox_token::mint(&sample::pepper(), runtime::clock::now())
}

async fn convert_sample(caller: &Caller, format: &str) -> TestResponse {
    let (origin, token) = (format!("https://{HOST}"), token());
    let headers = [("origin", origin.as_str()), ("x-sandbox-token", &token)];
    let body = json!({"format": format});
    caller
        .post_anonymous("/sandbox/convert", &headers, &body)
        .await
}

#[tokio::test(start_paused = true)]
async fn the_website_converts_the_sample() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    for (format, processor) in [
        ("pdf", Processor::ProcessOffice),
        ("PNG", Processor::ProcessPipeline),
    ] {
        let response = convert_sample(&caller, format).await;
        assert_eq!(response.status, 200, "{response:?}");
        assert_eq!(response.bytes, b"%PDF-1.7");
        let job = caller.jobs().await.pop().unwrap();
        assert_eq!((job.processor, job.charge.credits), (processor, 0));
        assert_eq!(job.account_id, public::account());
    }
    let rejected = convert_sample(&caller, "exe").await;
    let expected = (
        422,
        "unsupported_conversion".to_owned(),
        "$.format".to_owned(),
    );
    assert_eq!(rejected.error(), expected);
}

#[tokio::test(start_paused = true)]
async fn a_missing_sample_is_uploaded() {
    let caller = Caller::on(Plan::Free).await;
    let _worker = Worker::start(&caller.fakes, SOON, JobOutcome::pdf("%PDF-1.7"));
    let object = domain::source::upload_object(&public::account(), &crate::sample::source());
    for _ in 0..2 {
        caller.fakes.remove_object(&object);
        assert_eq!(convert_sample(&caller, "pdf").await.status, 200);
        let (content_type, bytes) = caller.fakes.object(&object).unwrap();
        assert_eq!(content_type, Format::Docx.mime_type());
        assert!(bytes.starts_with(b"PK"));
    }
}

#[tokio::test(start_paused = true)]
async fn only_the_own_origin_with_a_valid_token_is_accepted() {
    let caller = Caller::on(Plan::Free).await;
    let (own, good) = (format!("https://{HOST}"), token());
    let late = runtime::clock::now().plus(Duration::from_secs(1));
    let long_ago = domain::timestamp::Timestamp(late.milliseconds() - 16 * 60_000);
    let expired = sandbox_token::mint(&sample::pepper(), long_ago);
    let plain = format!("http://{HOST}");
    for (origin, token) in [
        (None, None),
        (None, Some(&good)),
        (Some(own.as_str()), None),
        (Some("https://elsewhere.example"), Some(&good)),
        (Some("null"), Some(&good)),
        (Some(plain.as_str()), Some(&good)),
        (Some(own.as_str()), Some(&expired)),
        (Some(own.as_str()), Some(&"junk".to_owned())),
    ] {
        let mut headers = Vec::new();
        headers.extend(origin.map(|origin| ("origin", origin)));
        headers.extend(token.map(|token| ("x-sandbox-token", token.as_str())));
        let response = caller
            .post_anonymous("/sandbox/convert", &headers, &json!({"format": "pdf"}))
            .await;
        assert_eq!(
            (response.status, &*response.error().1),
            (403, "origin_forbidden"),
            "{headers:?}"
        );
        assert!(!response.header("www-authenticate").is_empty());
    }
    assert!(caller.jobs().await.is_empty());
}

#[tokio::test(start_paused = true)]
async fn a_failed_sample_conversion_is_500() {
    let caller = Caller::on(Plan::Free).await;
    let worker = Worker::start(
        &caller.fakes,
        SOON,
        JobOutcome::Failed(JobErrorCode::InputCorrupt),
    );
    let response = convert_sample(&caller, "pdf").await;
    assert_eq!(
        (response.status, &*response.error().1),
        (500, "internal_error")
    );
    drop(worker);
    let response = convert_sample(&caller, "pdf").await;
    assert_eq!(
        (response.status, &*response.error().1),
        (503, "processor_unavailable")
    );
    assert!(!response.header("retry-after").is_empty());
    assert_eq!(caller.jobs().await.pop().unwrap().status, JobStatus::Failed);
}
