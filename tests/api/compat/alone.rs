//! What takes too long, because its processor is switched off for a while.

use std::time::{Duration, Instant};

use serde_json::json;
use tests::client::{Client, unique};
use tests::stack::admin;
use tests::trusted_host::TrustedHost;

use super::{ended, post};
use crate::account::Account;
use crate::refusal::assert_refused;

/// Processors that take no tickets until this value goes.
struct Off;

const PROCESSORS: [&str; 2] = ["process-pdf", "process-web"];

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
async fn a_form_waits_for_twenty_five_seconds_and_an_open_one_for_twenty() {
    let account = Account::new("starter");
    let off = Off::switch().await;
    let (convert, render) = tokio::join!(convert(&account), render());
    let ((first, first_waited), (page, page_waited)) = (convert, render);
    assert!(
        (24..27).contains(&first_waited.as_secs()),
        "{first_waited:?}"
    );
    assert_eq!(first.json()["status"], "queued");
    assert_eq!(first.json()["created"], true);
    assert_eq!(first.header("preference-applied"), "");
    assert!((19..22).contains(&page_waited.as_secs()), "{page_waited:?}");
    assert_refused(&page, 502, "render_failed", &[]);
    drop(off);
    // Nobody serves the address.
    let job = ended(&account, &first).await;
    assert_eq!(job["error"]["code"], "fetch_failed", "{job}");
    assert_eq!(account.jobs().await.len(), 1);
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
