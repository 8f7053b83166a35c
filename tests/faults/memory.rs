//! Documents are streamed, so memory does not grow with their size.

use tests::corpus::runs_all_cases;
use tests::memory::{LARGEST, Large, peaks};

/// Maximum additional memory, in bytes, for a large document compared to a small one.
const MAX_GROWTH: u64 = 16 << 20;

/// 60 MB and 33 MB: a function that holds a document in memory exceeds the maximum.
const LARGE: Large = Large {
    pdf_bytes: 60_000_000,
    image_width: 3_300,
    image_height: 3_300,
};

pub(crate) async fn stays_bounded() {
    let documents = if runs_all_cases() { LARGEST } else { LARGE };
    for (function, small, large) in peaks(documents).await {
        let growth = large.saturating_sub(small);
        assert!(
            growth <= MAX_GROWTH,
            "{function} took {} MB more",
            growth >> 20
        );
    }
}
