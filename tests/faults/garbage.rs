//! A message that is no ticket.

use std::time::Duration;

use tests::client::unique;
use tests::documents::noisy_bitmap;

use crate::account::Account;
use crate::queue::Queue;

/// Ten receipts by the processor and five by `bury`, a second or so apart.
const SET_ASIDE_WITHIN: Duration = Duration::from_secs(90);

pub(crate) async fn is_set_aside() {
    let (queue, dead_letters) = (
        Queue::of("process-image").await,
        Queue::dead_letters_of("process-image").await,
    );
    let others = (queue.len().await, dead_letters.len().await);
    let _impatient = (queue.impatient().await, dead_letters.impatient().await);
    let garbage = unique("no ticket {");
    queue.send(&garbage).await;

    let account = Account::new();
    let job_id = account.submit(noisy_bitmap(8, 8), "bmp", "pdf").await;
    let job = account
        .wait_for(&job_id, "completed", Duration::from_secs(10))
        .await;
    assert_eq!(job["attempts"], 1, "{job}");

    let set_aside = Queue::dead_letters_of("bury")
        .await
        .take(SET_ASIDE_WITHIN)
        .await;
    assert_eq!(set_aside, Some(garbage));
    queue.drained_to(others.0).await;
    dead_letters.drained_to(others.1).await;
}
