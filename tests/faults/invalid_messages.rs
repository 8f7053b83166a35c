//! Queue messages that are not tickets.

use std::time::Duration;

use tests::client::unique;
use tests::documents::noisy_bitmap;

use crate::account::Account;
use crate::queue::Queue;

/// Covers ten receives by the processor and five by `dead-letter`, about a second apart.
const DEAD_LETTERED_WITHIN: Duration = Duration::from_secs(90);

pub(crate) async fn are_dead_lettered() {
    let (queue, dead_letters) = (
        Queue::of("process-image").await,
        Queue::dead_letters_of("process-image").await,
    );
    let others = (queue.len().await, dead_letters.len().await);
    let _short_visibility = (
        queue.with_short_visibility().await,
        dead_letters.with_short_visibility().await,
    );
    let garbage = unique("no ticket {");
    queue.send(&garbage).await;

    let account = Account::new();
    let job_id = account.submit(noisy_bitmap(8, 8), "bmp", "pdf").await;
    let job = account
        .wait_for(&job_id, "completed", Duration::from_secs(10))
        .await;
    assert_eq!(job["attempts"], 1, "{job}");

    let dead_letter = Queue::dead_letters_of("dead-letter")
        .await
        .take(DEAD_LETTERED_WITHIN)
        .await;
    assert_eq!(dead_letter, Some(garbage));
    queue.wait_until_drained_to(others.0).await;
    dead_letters.wait_until_drained_to(others.1).await;
}
